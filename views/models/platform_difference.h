#pragma once

#include "views/bridge/snapshot.h"

#include <QCoreApplication>
#include <QVector>

namespace ql {

/// An operation that two platforms treat differently: the settings on each side, and the rules that set them.
struct PlatformDifference
{
    Q_DECLARE_TR_FUNCTIONS(ql::PlatformDifference)

public:
    QString operation, type;
    QString here, there; ///< a line per slot: only differences
    QString why;         ///< a line per pair of rules, after the dispatchers' reasons if the platforms differ
    QString details;     ///< a line per slot and field, with the names of the rules
    QString kind;        ///< the same for whys that differ only in the operations that they name
};

/// Operations that two platforms treat differently in the same way.
struct PlatformDifferenceGroup
{
    QStringList operations{}, types{}; ///< in execution order; each type once
    PlatformDifference difference;     ///< that of each of them; its why may be an example
};
/// In the order of their first operations.
QVector<PlatformDifferenceGroup> groupedDifferences(const QVector<PlatformDifference> &differences);

/// The operations of both graphs that differ in their platform (float, shapes, quantized) or in any field of a slot's
/// config, in execution order. Both sides are inspections: before any pass.
QVector<PlatformDifference> platformDifferences(const GraphSnapshot &here, const QVector<ConfigInfo> &hereConfigs,
                                                const GraphSnapshot &there, const QVector<ConfigInfo> &thereConfigs);

} // namespace ql
