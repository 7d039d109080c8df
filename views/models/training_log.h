#pragma once

#include "core/api/run_report.h"
#include "core/api/training.h"

#include <QPointF>
#include <QString>
#include <QVector>
#include <optional>

namespace ql {

/// A block that a pass trains or has trained. Curves are relative to its error before training; x: the share of its
/// steps that is done.
struct BlockCurve
{
    QString pass;              ///< its id
    QString first, last;       ///< operations
    int number = 0, count = 0; ///< of the block and of all blocks of its pass; 0: unknown
    int step = 0, steps = 0;   ///< of training in progress
    double loss = 0;           ///< of the last step
    double before = 0, after = 0;
    QVector<QPointF> losses, tests;
    std::optional<api::TrainedBlock> done;
};

/// What the training passes of a run did, while they run and afterwards.
class TrainingLog
{
public:
    /// The next report of a run in progress.
    void add(const api::TrainingEvent &event);
    /// The blocks of a finished run; curves of the same blocks are kept.
    void finish(const QVector<api::PassRow> &passes);
    const QVector<BlockCurve> &blocks() const { return m_blocks; }
    bool isEmpty() const { return m_blocks.isEmpty(); }
    QString csv() const;

private:
    QVector<BlockCurve> m_blocks;
};

/// Whether some pass has trained.
bool hasTrained(const QVector<api::PassRow> &passes);

} // namespace ql
