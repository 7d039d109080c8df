#pragma once

#include "views/bridge/snapshot.h"

#include <QSet>

namespace ql {

/// A box: an operation (with its fused activations), an input or output of a graph, a collapsed group, or the frame
/// around a graph inside an operation.
struct ViewNode
{
    enum class Kind { Operation, Input, Output, Group, Body };
    Kind kind = Kind::Operation;
    QVector<int> operations; ///< the first one names the box
    QString label;           ///< of inputs, outputs, groups and bodies
    QString key;             ///< stable under edits: used to find the previous position
    QString fold = {};       ///< its key in Folding; empty: it cannot be collapsed
    bool isOpen = false;     ///< a frame around its contents
    int parent = -1;         ///< the frame around it
};

struct ViewEdge
{
    int from = 0, to = 0, tensor = -1;
    bool isReversed = false; ///< runs up: laid out in the opposite direction
};

/// What is collapsed. Keys: "/block1" a name prefix, "region:op" the dispatch region that starts with op, "shape:op"
/// the shape computation that starts with op, "body:op" the graphs inside op.
struct Folding
{
    QHash<int, int> fusedInto;   ///< operation to the one with which it is drawn
    bool foldsShapeWork = true;  ///< connected shape-or-index operations as one box
    bool foldsRegions = false;   ///< connected operations of one platform as one box
    bool opensBodies = false;    ///< the bodies of If, Loop and Scan are drawn
    QSet<QString> folded;        ///< besides those: prefixes and regions
    QSet<QString> unfolded = {}; ///< exceptions to the switches: regions and shape computations
    QSet<QString> toggled = {};  ///< bodies that differ from opensBodies

    bool isOpen(const QString &body) const { return opensBodies != toggled.contains(body); }
};

struct ViewGraph
{
    QVector<ViewNode> nodes;
    QVector<ViewEdge> edges;
    QVector<int> nodeOf; ///< operation to node; for a collapsed one: the box that contains it
};

/// Activations that are fused into the operation before them, including those composed of several operations, such as
/// SiLU: operation to the one with which it is drawn.
QHash<int, int> fusedActivations(const GraphSnapshot &graph, const QVector<ConfigInfo> &configs);
/// The boxes of the model's graph, or of a body. nodeOf covers only its operations, -1 for others.
ViewGraph makeViewGraph(const GraphSnapshot &graph, const Folding &folding, int body = -1);
/// The prefixes that at least two operations share ("/block1", "/block1/conv2"), outer ones first.
QStringList namePrefixes(const GraphSnapshot &graph);
/// The prefixes of a name that at least two operations share, outer ones first.
QStringList prefixesOf(const QString &name, const GraphSnapshot &graph);
/// For each operation of the model's graph the first operation of its dispatch region: connected operations of one
/// platform, cut so that no region depends on itself through another one.
QVector<int> dispatchRegions(const GraphSnapshot &graph);

} // namespace ql
