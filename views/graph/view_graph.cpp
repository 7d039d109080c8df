#include "views/graph/view_graph.h"

#include "views/bridge/disposal.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>
#include <algorithm>
#include <cmath>
#include <numeric>
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
        if (config.role != QLatin1String("output") || !config.isOverlapped() || config.index != 0) continue;
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

/// Calls use(prefix) for each part of a name that ends before a slash, outer ones first, until it returns false.
template <typename Use>
static void eachPrefix(const QString &name, const Use &use)
{
    for (qsizetype at = name.indexOf(QLatin1Char('/'), 1); at > 0; at = name.indexOf(QLatin1Char('/'), at + 1))
        if (!use(name.left(at))) return;
}

QStringList namePrefixes(const GraphSnapshot &graph)
{
    QHash<QString, int> counts;
    for (const OperationInfo &op : graph.operations)
        eachPrefix(op.name, [&](const QString &prefix) { return ++counts[prefix]; });
    QStringList prefixes;
    for (auto it = counts.constBegin(); it != counts.constEnd(); ++it)
        if (it.value() > 1) prefixes.append(it.key());
    std::sort(prefixes.begin(), prefixes.end(), [](const QString &a, const QString &b) {
        const auto depth = [](const QString &s) { return s.count(QLatin1Char('/')); };
        return depth(a) != depth(b) ? depth(a) < depth(b) : a < b;
    });
    return prefixes;
}

QStringList prefixesOf(const QString &name, const GraphSnapshot &graph)
{
    QStringList prefixes;
    eachPrefix(name, [&](const QString &prefix) {
        int count = 0;
        for (const OperationInfo &op : graph.operations)
            if (op.name.startsWith(prefix) && op.name.size() > prefix.size() &&
                op.name[prefix.size()] == QLatin1Char('/') && ++count > 1)
                break;
        if (count > 1) prefixes.append(prefix);
        return true;
    });
    return prefixes;
}

QVector<int> dispatchRegions(const GraphSnapshot &graph)
{
    // A region is at the level of how often the platform changed on the way to it: edges between regions lead to
    // higher levels only. Shape computation, which goes along everywhere, does not count
    QVector<int> level(graph.topLevel, 0), region(graph.topLevel);
    std::iota(region.begin(), region.end(), 0);
    const auto root = [&](int o) {
        while (region[o] != o) o = region[o] = region[region[o]];
        return o;
    };
    for (const bool joins : {false, true})
        for (int o = 0; o < graph.topLevel; ++o)
            for (const int input : graph.operations[o].inputs) {
                const int producer = input < 0 ? -1 : graph.tensors[input].producer;
                if (producer < 0 || producer >= o) continue;
                const OperationInfo &from = graph.operations[producer], &to = graph.operations[o];
                const bool same = from.platform == to.platform;
                const bool counts = !same && !from.isShapeWork() && !to.isShapeWork();
                if (!joins)
                    level[o] = std::max(level[o], level[producer] + (counts ? 1 : 0));
                else if (same && level[o] == level[producer])
                    region[std::max(root(o), root(producer))] = std::min(root(o), root(producer));
            }
    for (int o = 0; o < graph.topLevel; ++o) region[o] = root(o);
    return region;
}

namespace {

/// What is known of a folded group.
struct GroupLabel
{
    QString label, fold;
};

/// Which box each operation belongs to: the number of a representative operation.
QVector<int> boxes(const GraphSnapshot &graph, const Folding &folding, const QVector<int> &members, int body,
                   QHash<int, GroupLabel> &groups)
{
    QVector<int> box(graph.operations.size());
    std::iota(box.begin(), box.end(), 0);
    const auto root = [&](int o) {
        while (box[o] != o) o = box[o] = box[box[o]];
        return o;
    };
    if (body < 0)
        for (auto it = folding.fusedInto.constBegin(); it != folding.fusedInto.constEnd(); ++it)
            if (it.key() < box.size() && it.value() < box.size()) box[root(it.key())] = root(it.value());
    // Shape computation: first what belongs together, then who is folded
    QVector<int> shapes;
    for (const int o : members) {
        if (!graph.operations[o].isShapeWork()) continue;
        for (const int input : graph.operations[o].inputs) {
            const int producer = input < 0 ? -1 : graph.tensors[input].producer;
            if (producer < 0 || !graph.operations[producer].isShapeWork()) continue;
            if (shapes.isEmpty()) {
                shapes.resize(graph.operations.size());
                std::iota(shapes.begin(), shapes.end(), 0);
            }
            const auto top = [&](int s) {
                while (shapes[s] != s) s = shapes[s] = shapes[shapes[s]];
                return s;
            };
            const int a = top(o), b = top(producer);
            shapes[std::max(a, b)] = std::min(a, b);
        }
    }
    if (!shapes.isEmpty() && folding.foldsShapeWork)
        for (const int o : members) {
            int s = o;
            while (shapes[s] != s) s = shapes[s];
            if (s == o) continue;
            const QString key = QStringLiteral("shape:") + graph.operations[s].name;
            if (folding.unfolded.contains(key)) continue;
            groups.insert(root(s), {QString(), key});
            box[root(o)] = root(s);
        }
    QHash<QString, int> first;
    const auto join = [&](const QString &key, const QString &label, int o) {
        const auto it = first.constFind(key);
        if (it == first.constEnd()) {
            first.insert(key, root(o));
            groups.insert(root(o), {label, key});
            return;
        }
        const int a = root(o), b = root(*it);
        if (a == b) return;
        box[a] = b;
        groups.insert(b, {label, key});
    };
    QVector<bool> isTaken(box.size(), false);
    if (!folding.folded.isEmpty())
        for (const int o : members)
            eachPrefix(graph.operations[o].name, [&](const QString &prefix) {
                if (!folding.folded.contains(prefix)) return true;
                join(prefix, prefix, o);
                isTaken[o] = true;
                return false; // the outermost folded one
            });
    const bool hasRegions = folding.foldsRegions ||
                            std::any_of(folding.folded.begin(), folding.folded.end(),
                                        [](const QString &key) { return key.startsWith(QLatin1String("region:")); });
    if (body < 0 && hasRegions) {
        const QVector<int> region = dispatchRegions(graph);
        QVector<int> sizes(region.size(), 0);
        for (const int r : region) ++sizes[r];
        for (int o = 0; o < region.size(); ++o) {
            const QString key = QStringLiteral("region:") + graph.operations[region[o]].name;
            const bool folds =
                folding.folded.contains(key) || (folding.foldsRegions && !folding.unfolded.contains(key));
            if (folds && sizes[region[o]] > 1 && !isTaken[o]) join(key, graph.operations[o].platform, o);
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
    for (int &node : view.nodeOf)
        if (node >= 0) node = place[node];
}

} // namespace

ViewGraph makeViewGraph(const GraphSnapshot &graph, const Folding &folding, int body)
{
    ViewGraph view;
    QHash<int, GroupLabel> groups;
    QVector<int> members;
    if (body >= 0) {
        members = graph.bodies[body].operations;
    } else {
        members.resize(graph.topLevel);
        std::iota(members.begin(), members.end(), 0);
    }
    QVector<int> box = boxes(graph, folding, members, body, groups);
    const auto root = [&](int o) {
        while (box[o] != o) o = box[o];
        return o;
    };
    QHash<int, int> nodeOfInput;
    const QString scope = body < 0 ? QString() : QString::number(body) + QLatin1Char(' ');
    const auto addInput = [&](int tensor) {
        if (tensor < 0 || nodeOfInput.contains(tensor)) return;
        const QString &name = graph.tensors[tensor].name;
        nodeOfInput.insert(tensor, int(view.nodes.size()));
        view.nodes.append({ViewNode::Kind::Input, {}, name, QStringLiteral("in ") + scope + name});
    };
    if (body < 0) {
        for (const QString &name : graph.inputs) addInput(graph.tensorByName.value(name, -1));
    } else {
        // Its own inputs, and what it reads from around it
        for (const int tensor : graph.bodies[body].inputs) addInput(tensor);
        for (const int o : members)
            for (const int input : graph.operations[o].inputs)
                if (input >= 0 && graph.tensors[input].producer < 0 && !graph.tensors[input].isParameter)
                    addInput(input);
        for (const int output : graph.bodies[body].outputs)
            if (output >= 0 && graph.tensors[output].producer < 0) addInput(output);
    }
    view.nodeOf.fill(-1, graph.operations.size());
    QHash<int, int> nodeOfBox;
    for (const int o : members) {
        const int r = root(o);
        auto it = nodeOfBox.constFind(r);
        if (it == nodeOfBox.constEnd()) {
            it = nodeOfBox.insert(r, int(view.nodes.size()));
            view.nodes.append({ViewNode::Kind::Operation, {}, QString(), graph.operations[r].name});
        }
        view.nodeOf[o] = *it;
        // The operation that the others were drawn to comes first
        QVector<int> &operations = view.nodes[*it].operations;
        if (o == r)
            operations.prepend(o);
        else
            operations.append(o);
    }
    for (auto it = groups.constBegin(); it != groups.constEnd(); ++it) {
        const int node = nodeOfBox.value(root(it.key()), -1);
        if (node < 0 || root(it.key()) != it.key() || view.nodes[node].operations.size() < 2) continue;
        view.nodes[node].kind = ViewNode::Kind::Group;
        view.nodes[node].label = it->label;
        view.nodes[node].fold = it->fold;
    }
    for (ViewNode &node : view.nodes)
        if (node.kind == ViewNode::Kind::Operation && node.operations.size() == 1 &&
            !graph.operations[node.operations.front()].bodies.isEmpty()) {
            node.fold = QStringLiteral("body:") + graph.operations[node.operations.front()].name;
            node.isOpen = folding.isOpen(node.fold);
        }
    QSet<QPair<qint64, int>> known;
    const auto addEdge = [&](int from, int to, int tensor) {
        if (from < 0 || from == to) return;
        const QPair<qint64, int> key(qint64(from) << 32 | to, tensor);
        if (known.contains(key)) return;
        known.insert(key);
        view.edges.append({from, to, tensor, false});
    };
    for (const int o : members)
        for (const int input : graph.operations[o].inputs) {
            if (input < 0) continue;
            const int producer = graph.tensors[input].producer;
            addEdge(producer >= 0 ? view.nodeOf[producer] : nodeOfInput.value(input, -1), view.nodeOf[o], input);
        }
    QVector<int> outputs;
    if (body < 0)
        for (const QString &name : graph.outputs) outputs.append(graph.tensorByName.value(name, -1));
    else
        outputs = graph.bodies[body].outputs;
    for (const int tensor : outputs) {
        const int producer = tensor < 0 ? -1 : graph.tensors[tensor].producer;
        const int from = producer >= 0 ? view.nodeOf[producer] : body < 0 ? -1 : nodeOfInput.value(tensor, -1);
        if (from < 0) continue;
        const QString &name = graph.tensors[tensor].name;
        view.nodes.append({ViewNode::Kind::Output, {}, name, QStringLiteral("out ") + scope + name});
        addEdge(from, int(view.nodes.size()) - 1, tensor);
    }
    sortTopologically(view);
    return view;
}

namespace {

/// One graph laid out by itself, with the graphs inside its operations.
struct Level
{
    ViewGraph view;
    Layout layout;
    struct Inside
    {
        int node = 0;
        QVector<int> bodies;
        std::vector<std::unique_ptr<Level>> levels;
    };
    std::vector<Inside> insides;
};

class SceneBuilder
{
public:
    SceneBuilder(const GraphPtr &graph, const Folding &folding, const ScenePtr &before,
                 const std::atomic<bool> &cancelled)
        : m_graph(*graph), m_folding(folding), m_cancelled(cancelled), m_scene(makeShared<Scene>())
    {
        m_scene->graph = graph;
        if (before)
            for (int n = 0; n < before->view.nodes.size(); ++n)
                m_old.insert(before->view.nodes[n].key, before->boxes[n].center().x());
    }

    ScenePtr build()
    {
        const std::unique_ptr<Level> top = layLevel(-1);
        if (m_cancelled) return nullptr;
        m_scene->view.nodeOf.fill(-1, m_graph.operations.size());
        add(*top, {}, -1);
        // What lies in a closed body is shown by its operation
        for (int o = m_graph.topLevel; o < m_graph.operations.size(); ++o)
            if (m_scene->view.nodeOf[o] < 0)
                m_scene->view.nodeOf[o] = m_scene->view.nodeOf[m_graph.bodies[m_graph.operations[o].body].owner];
        fillBands();
        return m_scene;
    }

private:
    std::unique_ptr<Level> layLevel(int body)
    {
        auto level = std::make_unique<Level>();
        level->view = makeViewGraph(m_graph, m_folding, body);
        LayoutGraph input;
        for (int n = 0; n < level->view.nodes.size(); ++n) {
            const ViewNode &node = level->view.nodes[n];
            const bool pill = node.kind == ViewNode::Kind::Input || node.kind == ViewNode::Kind::Output;
            QSizeF size(m_metrics.operationWidth, m_metrics.operationHeight);
            if (pill)
                size = {std::clamp(double(node.label.size()) * m_metrics.charWidth + 28, 56.0, 260.0),
                        m_metrics.pillHeight};
            if (node.isOpen) size = layInside(*level, n);
            input.sizes.append(size);
            if (!m_old.isEmpty()) input.hints.append(m_old.value(node.key, NAN));
            if (m_cancelled) return level;
        }
        for (const ViewEdge &edge : level->view.edges)
            input.edges.append({std::min(edge.from, edge.to), std::max(edge.from, edge.to), edge.tensor});
        level->layout = layOut(input, {}, m_cancelled);
        if (m_cancelled) return level;
        for (int e = 0; e < level->view.edges.size(); ++e)
            if (level->view.edges[e].isReversed)
                std::reverse(level->layout.edges[e].begin(), level->layout.edges[e].end());
        return level;
    }

    QSizeF bodySize(const Level &level) const
    {
        return {level.layout.bounds.width() + 2 * m_metrics.frameMargin,
                level.layout.bounds.height() + m_metrics.frameHeader + 2 * m_metrics.frameMargin};
    }

    QSizeF layInside(Level &level, int node)
    {
        Level::Inside inside;
        inside.node = node;
        inside.bodies = m_graph.operations[level.view.nodes[node].operations.front()].bodies;
        double width = m_metrics.frameMargin, height = 0;
        for (const int body : inside.bodies) {
            inside.levels.push_back(layLevel(body));
            if (m_cancelled) return {};
            const QSizeF size = bodySize(*inside.levels.back());
            width += size.width() + m_metrics.frameMargin;
            height = std::max(height, size.height());
        }
        level.insides.push_back(std::move(inside));
        return {std::max(width, m_metrics.operationWidth), height + m_metrics.frameTop + m_metrics.frameMargin};
    }

    void add(const Level &level, const QPointF &offset, int parent)
    {
        const int first = int(m_scene->view.nodes.size());
        for (int n = 0; n < level.view.nodes.size(); ++n) {
            ViewNode node = level.view.nodes[n];
            node.parent = parent;
            for (const int o : node.operations) m_scene->view.nodeOf[o] = first + n;
            if (node.isOpen) m_scene->frames.append(first + n);
            m_scene->view.nodes.append(node);
            m_scene->boxes.append(level.layout.nodes[n].translated(offset));
        }
        for (int e = 0; e < level.view.edges.size(); ++e) {
            ViewEdge edge = level.view.edges[e];
            edge.from += first;
            edge.to += first;
            m_scene->view.edges.append(edge);
            QVector<QPointF> points = level.layout.edges[e];
            for (QPointF &point : points) point += offset;
            m_scene->edges.append(points);
        }
        m_scene->bounds |= level.layout.bounds.translated(offset);
        for (const Level::Inside &inside : level.insides) {
            const int frame = first + inside.node;
            QPointF at = m_scene->boxes[frame].topLeft() + QPointF(m_metrics.frameMargin, m_metrics.frameTop);
            for (std::size_t i = 0; i < inside.levels.size(); ++i) {
                const Level &inner = *inside.levels[i];
                const BodyInfo &body = m_graph.bodies[inside.bodies[qsizetype(i)]];
                ViewNode node;
                node.kind = ViewNode::Kind::Body;
                node.label = body.attribute;
                node.key = QStringLiteral("body %1").arg(inside.bodies[qsizetype(i)]);
                node.isOpen = true;
                node.parent = frame;
                const int number = int(m_scene->view.nodes.size());
                m_scene->view.nodes.append(node);
                m_scene->boxes.append({at, bodySize(inner)});
                m_scene->frames.append(number);
                const QPointF origin =
                    at + QPointF(m_metrics.frameMargin, m_metrics.frameHeader + m_metrics.frameMargin);
                add(inner, origin - inner.layout.bounds.topLeft(), number);
                at.rx() += bodySize(inner).width() + m_metrics.frameMargin;
            }
        }
    }

    void fillBands()
    {
        Scene &scene = *m_scene;
        scene.bandHeight = 100;
        const int count = std::max(1, int(std::ceil(scene.bounds.height() / scene.bandHeight)));
        scene.bandNodes.resize(count);
        scene.bandEdges.resize(count);
        for (int n = 0; n < scene.boxes.size(); ++n) {
            if (scene.view.nodes[n].isOpen) continue;
            const auto [first, last] = scene.bandsOf(scene.boxes[n]);
            for (int band = first; band <= last; ++band) scene.bandNodes[band].append(n);
        }
        for (QVector<int> &band : scene.bandNodes)
            std::sort(band.begin(), band.end(),
                      [&](int a, int b) { return scene.boxes[a].left() < scene.boxes[b].left(); });
        for (int e = 0; e < scene.edges.size(); ++e) {
            const double a = scene.edges[e].front().y(), b = scene.edges[e].back().y();
            const auto [first, last] = scene.bandsOf({0, std::min(a, b), 1, std::abs(b - a)});
            for (int band = first; band <= last; ++band) scene.bandEdges[band].append(e);
        }
    }

    const GraphSnapshot &m_graph;
    const Folding &m_folding;
    const std::atomic<bool> &m_cancelled;
    const BoxMetrics m_metrics;
    std::shared_ptr<Scene> m_scene;
    QHash<QString, double> m_old;
};

} // namespace

QPair<int, int> Scene::bandsOf(const QRectF &area) const
{
    const int count = int(bandNodes.size());
    const auto band = [&](double y) { return std::clamp((y - bounds.top()) / bandHeight, -1.0, double(count)); };
    return {std::max(0, int(std::floor(band(area.top())))), std::min(count - 1, int(std::floor(band(area.bottom()))))};
}

ScenePtr makeScene(const GraphPtr &graph, const Folding &folding, const ScenePtr &before,
                   const std::atomic<bool> &cancelled)
{
    return SceneBuilder(graph, folding, before, cancelled).build();
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
