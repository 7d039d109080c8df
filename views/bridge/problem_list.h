#pragma once

#include "views/bridge/snapshot.h"

#include <QObject>
#include <optional>

namespace ql {

class Document;

/// The problems of a document: of the current recipe, and those found by runs: the shown run, or during a run the last
/// one. Problems found with an earlier recipe are marked isPrevious. Also reports the gain of remedies.
class ProblemList : public QObject
{
    Q_OBJECT

public:
    explicit ProblemList(Document &document);

    const QVector<ProblemInfo> &rows() const { return m_rows; }
    /// The current recipe came from a remedy: its next run reports the gain. sqnr: of the output before, dB.
    void expectGain(const QString &operation, const QString &remedy, double sqnr);
    /// The current recipe came from this edit of one with the hash before: a gain that was expected of that one and not
    /// measured yet is expected of both together.
    void carryGain(const QString &before, const QString &edit);
    void update();
    void clear();

Q_SIGNALS:
    void changed();

private:
    struct Gain
    {
        QString operation, remedy, hash;
        double before = 0; ///< output SQNR, dB
        std::optional<double> after;
    };
    void addOfInspection();
    void addOfRuns();
    void addGains();
    void add(const QVector<ProblemInfo> &found, bool isPrevious);
    void measureGains();

    Document &m_document;
    QVector<ProblemInfo> m_rows;
    QVector<ProblemInfo> m_lastEvidence; ///< that was shown
    QVector<Gain> m_gains;
};

} // namespace ql
