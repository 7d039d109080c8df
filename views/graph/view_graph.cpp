#include "views/graph/view_graph.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>
#include <algorithm>
#include <cmath>
#include <queue>

namespace ql {

QHash<int, int> fusedActivations(const GraphSnapshot &graph, const QVector<ConfigInfo> &configs)
{
    static const QSet<QString> activations{
        QStringLiteral("Relu"),  QStringLiteral("Clip"),      QStringLiteral("LeakyRelu"), QStringLiteral("Sigmoid"),
        QStringLiteral("PRelu"), QStringLiteral("HardSwish"), QStringLiteral("Gelu"),      QStringLiteral("Tanh")};
    QVector<QVector<int>> readers(graph.tensors.size());
    for (int o = 0; o < graph.operations.size(); ++o)
        for (const int input : graph.operations[o].inputs)
            if (input >= 0) readers[input].append(o);
    QHash<int, int> fused;
    for (const ConfigInfo &config : configs) {
        if (config.role != QLatin1String("output") || config.state != QLatin1String("overlapped") || config.index != 0)
            continue;
        const int op = graph.find(config.operation);
        if (op < 0 || !graph.operations[op].isQuantized || graph.operations[op].outputs.isEmpty() ||
            graph.operations[op].outputs[0] < 0)
            continue;
        const QVector<int> &next = readers[graph.operations[op].outputs[0]];
        if (next.size() != 1 || !activations.contains(graph.operations[next.front()].type)) continue;
        fused.insert(next.front(), op);
    }
    return fused;
}

QStringList namePrefixes(const GraphSnapshot &graph)
{
    QHash<QString, int> counts;
    for (const OperationInfo &op : graph.operations) {
        for (qsizetype at = op.name.indexOf(QLatin1Char('/'), 1); at > 0;
             at = op.name.indexOf(QLatin1Char('/'), at + 1))
            ++counts[op.name.left(at)];
    }
    QStringList prefixes;
    for (auto it = counts.constBegin(); it != counts.constEnd(); ++it)
        if (it.value() > 1) prefixes.append(it.key());
    std::sort(prefixes.begin(), prefixes.end(), [](const QString &a, const QString &b) {
        const auto depth = [](const QString &s) { return s.count(QLatin1Char('/')); };
        return depth(a) != depth(b) ? depth(a) < depth(b) : a < b;
    });
    return prefixes;
}

namespace {

/// Which box each operation belongs to: the number of a representative operation.
QVector<int> boxes(const GraphSnapshot &graph, const Folding &folding, QHash<int, QString> &groupLabels)
{
    QVector<int> box(graph.operations.size());
    for (int o = 0; o < box.size(); ++o) box[o] = o;
    const auto root = [&](int o) {
        while (box[o] != o) o = box[o] = box[box[o]];
        return o;
    };
    for (auto it = folding.fusedInto.constBegin(); it != folding.fusedInto.constEnd(); ++it)
        box[root(it.key())] = root(it.value());
    if (folding.foldsShapeWork)
        for (int o = 0; o < box.size(); ++o) {
            if (!graph.operations[o].isShapeWork()) continue;
            for (const int input : graph.operations[o].inputs) {
                const int producer = input < 0 ? -1 : graph.tensors[input].producer;
                if (producer >= 0 && graph.operations[producer].isShapeWork())
                    box[std::max(root(o), root(producer))] = std::min(root(o), root(producer));
            }
        }
    if (folding.folded.isEmpty()) return box;
    QHash<QString, int> first;
    for (int o = 0; o < box.size(); ++o) {
        const QString &name = graph.operations[o].name;
        for (qsizetype at = name.indexOf(QLatin1Char('/'), 1); at > 0; at = name.indexOf(QLatin1Char('/'), at + 1)) {
            const QString prefix = name.left(at);
            if (!folding.folded.contains(prefix)) continue;
            const auto it = first.constFind(prefix);
            if (it == first.constEnd()) {
                first.insert(prefix, root(o));
                groupLabels.insert(root(o), prefix);
            } else {
                box[root(o)] = root(*it);
            }
            break; // the outermost folded one
        }
    }
    return box;
}

/// Puts nodes into an order in which edges run forwards; where a folded group makes a cycle, the edges that close it
/// are marked as reversed.
void sortTopologically(ViewGraph &view)
{
    const int count = int(view.nodes.size());
    QVector<int> open(count, 0);
    QVector<QVector<int>> out(count);
    for (const ViewEdge &edge : view.edges) {
        ++open[edge.to];
        out[edge.from].append(edge.to);
    }
    std::priority_queue<int, std::vector<int>, std::greater<>> ready;
    QVector<bool> queued(count, false);
    for (int n = 0; n < count; ++n)
        if (open[n] == 0) {
            ready.push(n);
            queued[n] = true;
        }
    QVector<int> place(count, -1), order;
    int next = 0;
    while (order.size() < count) {
        if (ready.empty()) { // a cycle: begin with its first box
            while (queued[next]) ++next;
            ready.push(next);
            queued[next] = true;
        }
        const int n = ready.top();
        ready.pop();
        place[n] = int(order.size());
        order.append(n);
        for (const int to : out[n])
            if (--open[to] == 0 && !queued[to]) {
                ready.push(to);
                queued[to] = true;
            }
    }
    QVector<ViewNode> nodes;
    for (const int n : order) nodes.append(view.nodes[n]);
    view.nodes = nodes;
    for (ViewEdge &edge : view.edges) {
        edge.from = place[edge.from];
        edge.to = place[edge.to];
        edge.isReversed = edge.from > edge.to;
    }
    for (int &node : view.nodeOf) node = place[node];
}

} // namespace

ViewGraph makeViewGraph(const GraphSnapshot &graph, const Folding &folding)
{
    ViewGraph view;
    QHash<int, QString> groupLabels;
    QVector<int> box = boxes(graph, folding, groupLabels);
    const auto root = [&](int o) {
        while (box[o] != o) o = box[o];
        return o;
    };
    QHash<int, int> nodeOfInput;
    for (const QString &name : graph.inputs) {
        const int tensor = graph.tensorByName.value(name, -1);
        if (tensor < 0) continue;
        nodeOfInput.insert(tensor, int(view.nodes.size()));
        view.nodes.append({ViewNode::Kind::Input, {}, name, QStringLiteral("in ") + name});
    }
    view.nodeOf.fill(-1, graph.operations.size());
    QHash<int, int> nodeOfBox;
    for (int o = 0; o < graph.operations.size(); ++o) {
        const int r = root(o);
        auto it = nodeOfBox.constFind(r);
        if (it == nodeOfBox.constEnd()) {
            it = nodeOfBox.insert(r, int(view.nodes.size()));
            view.nodes.append({ViewNode::Kind::Operation, {}, QString(), graph.operations[r].name});
            if (groupLabels.contains(r)) {
                view.nodes.back().kind = ViewNode::Kind::Group;
                view.nodes.back().label = groupLabels.value(r);
            }
        }
        view.nodeOf[o] = *it;
        // The operation that the others were drawn to comes first
        QVector<int> &members = view.nodes[*it].operations;
        if (o == r)
            members.prepend(o);
        else
            members.append(o);
    }
    for (ViewNode &node : view.nodes) {
        if (node.kind != ViewNode::Kind::Operation || node.operations.size() < 2) continue;
        if (graph.operations[node.operations.front()].isShapeWork()) {
            node.kind = ViewNode::Kind::Group;
            node.label = QString();
        }
    }
    QSet<QPair<qint64, int>> known;
    const auto addEdge = [&](int from, int to, int tensor) {
        if (from < 0 || from == to) return;
        const QPair<qint64, int> key(qint64(from) << 32 | to, tensor);
        if (known.contains(key)) return;
        known.insert(key);
        view.edges.append({from, to, tensor, false});
    };
    for (int o = 0; o < graph.operations.size(); ++o)
        for (const int input : graph.operations[o].inputs) {
            if (input < 0) continue;
            const int producer = graph.tensors[input].producer;
            addEdge(producer >= 0 ? view.nodeOf[producer] : nodeOfInput.value(input, -1), view.nodeOf[o], input);
        }
    for (const QString &name : graph.outputs) {
        const int tensor = graph.tensorByName.value(name, -1);
        if (tensor < 0 || graph.tensors[tensor].producer < 0) continue;
        view.nodes.append({ViewNode::Kind::Output, {}, name, QStringLiteral("out ") + name});
        addEdge(view.nodeOf[graph.tensors[tensor].producer], int(view.nodes.size()) - 1, tensor);
    }
    sortTopologically(view);
    return view;
}

ScenePtr makeScene(const GraphPtr &graph, const Folding &folding, const ScenePtr &before,
                   const std::atomic<bool> &cancelled)
{
    auto scene = std::make_shared<Scene>();
    scene->graph = graph;
    scene->view = makeViewGraph(*graph, folding);
    const ViewGraph &view = scene->view;
    const BoxMetrics metrics;
    LayoutGraph input;
    QHash<QString, double> old;
    if (before)
        for (int n = 0; n < before->view.nodes.size(); ++n)
            old.insert(before->view.nodes[n].key, before->layout.nodes[n].center().x());
    for (const ViewNode &node : view.nodes) {
        const bool pill = node.kind == ViewNode::Kind::Input || node.kind == ViewNode::Kind::Output;
        input.sizes.append(pill ? QSizeF(std::clamp(double(node.label.size()) * metrics.charWidth + 28, 56.0, 260.0),
                                         metrics.pillHeight)
                                : QSizeF(metrics.operationWidth, metrics.operationHeight));
        if (!old.isEmpty()) input.hints.append(old.value(node.key, NAN));
    }
    for (const ViewEdge &edge : view.edges)
        input.edges.append({std::min(edge.from, edge.to), std::max(edge.from, edge.to), edge.tensor});
    scene->layout = layOut(input, {}, cancelled);
    if (cancelled) return nullptr;
    Layout &layout = scene->layout;
    for (int e = 0; e < view.edges.size(); ++e)
        if (view.edges[e].isReversed) std::reverse(layout.edges[e].begin(), layout.edges[e].end());
    scene->rowNodes.resize(layout.rowTop.size());
    scene->rowEdges.resize(layout.rowTop.size());
    for (int n = 0; n < view.nodes.size(); ++n) scene->rowNodes[layout.rank[n]].append(n);
    for (QVector<int> &row : scene->rowNodes)
        std::sort(row.begin(), row.end(),
                  [&](int a, int b) { return layout.nodes[a].left() < layout.nodes[b].left(); });
    for (int e = 0; e < view.edges.size(); ++e) {
        const int a = layout.rank[view.edges[e].from], b = layout.rank[view.edges[e].to];
        for (int rank = std::min(a, b); rank <= std::max(a, b); ++rank) scene->rowEdges[rank].append(e);
    }
    return scene;
}

void LayoutJob::cancel()
{
    if (m_cancelled) *m_cancelled = true;
    m_cancelled.reset();
}

void LayoutJob::start(GraphPtr graph, Folding folding, ScenePtr before)
{
    cancel();
    const auto cancelled = m_cancelled = std::make_shared<std::atomic<bool>>(false);
    QThreadPool::globalInstance()->start([self = QPointer<LayoutJob>(this), cancelled, graph = std::move(graph),
                                          folding = std::move(folding), before = std::move(before)] {
        const ScenePtr scene = makeScene(graph, folding, before, *cancelled);
        if (!scene || *cancelled) return;
        // Cancelled jobs of a view that is gone never come here: its destructor cancels
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [self, scene, cancelled] {
                if (!self || *cancelled) return;
                self->m_cancelled.reset();
                Q_EMIT self->finished(scene);
            },
            Qt::QueuedConnection);
    });
}

} // namespace ql
