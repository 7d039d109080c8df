#pragma once

#include "views/bridge/snapshot.h"

#include <QSet>

namespace ql {

/// A box: an operation (with the activations that are fused into it), an input or output of a graph,
/// a group that is folded, or the frame around a graph inside an operation.
struct ViewNode
{
    enum class Kind { Operation, Input, Output, Group, Body };
    Kind kind = Kind::Operation;
    QVector<int> operations; ///< the first one names the box
    QString label;           ///< of inputs, outputs, groups and bodies
    QString key;             ///< survives edits: the old place is found by it
    QString fold = {};       ///< its key in Folding; empty: it cannot be folded
    bool isOpen = false;     ///< a frame around its contents
    int parent = -1;         ///< the frame around it
};

struct ViewEdge
{
    int from = 0, to = 0, tensor = -1;
    bool isReversed = false; ///< runs up: laid out the other way round
};

/// How much is folded. Keys: "/block1" a name prefix, "region:op" the dispatch region that begins with op, "shape:op"
/// the shape computation that begins with op, "body:op" the graphs inside op.
struct Folding
{
    QHash<int, int> fusedInto;   ///< operation to the one that it is drawn with
    bool foldsShapeWork = true;  ///< connected shape-or-index operations as one box
    bool foldsRegions = false;   ///< connected operations of one platform as one box
    bool opensBodies = false;    ///< the bodies of If, Loop and Scan are drawn
    QSet<QString> folded;        ///< besides those: prefixes and regions
    QSet<QString> unfolded = {}; ///< exceptions to the switches: regions and shape computations
    QSet<QString> toggled = {};  ///< bodies for which opensBodies is the other way round

    bool isOpen(const QString &body) const { return opensBodies != toggled.contains(body); }
};

struct ViewGraph
{
    QVector<ViewNode> nodes;
    QVector<ViewEdge> edges;
    QVector<int> nodeOf; ///< operation to node; of one that is folded away: the box that it is in
};

/// Activations that are fused into the operation before them, also those that are composed of several operations, as
/// SiLU is: operation to the one that it is drawn with.
QHash<int, int> fusedActivations(const GraphSnapshot &graph, const QVector<ConfigInfo> &configs);
/// The boxes of the model's graph, or of a body. nodeOf speaks of its operations only, -1 for others.
ViewGraph makeViewGraph(const GraphSnapshot &graph, const Folding &folding, int body = -1);
/// The prefixes that at least two operations share ("/block1", "/block1/conv2"), outer ones first.
QStringList namePrefixes(const GraphSnapshot &graph);
/// The prefixes of a name that at least two operations share, outer ones first.
QStringList prefixesOf(const QString &name, const GraphSnapshot &graph);
/// For each operation of the model's graph the first operation of its dispatch region: connected operations of one
/// platform, cut so that no region depends on itself through another one.
QVector<int> dispatchRegions(const GraphSnapshot &graph);

} // namespace ql
