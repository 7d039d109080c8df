#include "views/graph/view_graph.h"

#include <algorithm>
#include <numeric>
#include <queue>

namespace ql {

namespace {

/// Activations that are fused into the operation before them, found by the configs: its output is overlapped.
class Fusion
{
public:
    Fusion(const GraphSnapshot &graph, const QVector<ConfigInfo> &configs)
        : m_graph(graph), m_readers(graph.tensors.size())
    {
        for (int o = 0; o < graph.operations.size(); ++o)
            for (const int input : graph.operations[o].inputs)
                if (input >= 0 && !m_readers[input].contains(o)) m_readers[input].append(o);
        for (const ConfigInfo &config : configs) {
            if (config.role != api::SlotRole::Output || !config.isOverlapped() || config.index != 0) continue;
            const int op = graph.find(config.operation);
            if (op >= 0 && graph.operations[op].isQuantized && outputOf(op) >= 0) m_overlapped.insert(op);
        }
    }

    QHash<int, int> find() const
    {
        QHash<int, int> fused;
        for (const int op : m_overlapped) {
            const QVector<int> &next = m_readers[outputOf(op)];
            if (next.size() == 1 && m_graph.operations[next.front()].isActivation) fused.insert(next.front(), op);
            for (const int part : composed(op)) fused.insert(part, op);
        }
        return fused;
    }

private:
    int outputOf(int op) const { return m_graph.operations[op].outputs.value(0, -1); }

    /// The operations of x * Sigmoid(x) (SiLU) or x * Tanh(Softplus(x)) (Mish) after an operation; empty: there is
    /// none.
    QVector<int> composed(int op) const
    {
        const QVector<int> &next = m_readers[outputOf(op)];
        if (next.size() != 2) return {};
        for (const auto &[part, product] : {std::pair(next[0], next[1]), std::pair(next[1], next[0])}) {
            if (m_graph.operations[product].type != QLatin1String("Mul")) continue;
            QVector<int> parts{part};
            QStringList types{m_graph.operations[part].type};
            while (types.size() < 3 && m_overlapped.contains(parts.back())) {
                const QVector<int> &readers = m_readers[outputOf(parts.back())];
                if (readers.size() != 1) break;
                parts.append(readers.front());
                types.append(m_graph.operations[readers.front()].type);
                if (readers.front() == product) break;
            }
            if (parts.back() != product) continue;
            types.removeLast();
            const bool isSilu = types == QStringList{QStringLiteral("Sigmoid")};
            const bool isMish = types == QStringList{QStringLiteral("Softplus"), QStringLiteral("Tanh")};
            if (isSilu || isMish) return parts;
        }
        return {};
    }

    const GraphSnapshot &m_graph;
    QVector<QVector<int>> m_readers;
    QSet<int> m_overlapped;
};

} // namespace

QHash<int, int> fusedActivations(const GraphSnapshot &graph, const QVector<ConfigInfo> &configs)
{
    return Fusion(graph, configs).find();
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
    // The level of a region is the number of platform changes on the path to it: edges between regions lead only to
    // higher levels. Shape computation, which occurs everywhere, does not count
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

/// Label and key of a collapsed group.
struct GroupLabel
{
    QString label, fold;
};

/// The box of each operation: the number of a representative operation.
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
    // Shape computation: find the connected parts, then collapse them
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
                return false; // the outermost collapsed one
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

/// Puts nodes into an order in which edges run forwards; if a collapsed group creates a cycle, the edges that close it
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

/// Makes the boxes and edges of one level: the graph (body -1), or a body.
class ViewGraphMaker
{
public:
    ViewGraphMaker(const GraphSnapshot &graph, const Folding &folding, int body)
        : m_graph(graph), m_folding(folding), m_body(body),
          m_scope(body < 0 ? QString() : QString::number(body) + QLatin1Char(' '))
    {
        if (body >= 0) {
            m_members = graph.bodies[body].operations;
        } else {
            m_members.resize(graph.topLevel);
            std::iota(m_members.begin(), m_members.end(), 0);
        }
        m_box = boxes(graph, folding, m_members, body, m_groups);
    }

    ViewGraph make()
    {
        addInputs();
        addOperations();
        labelGroups();
        markBodies();
        for (const int o : m_members)
            for (const int input : m_graph.operations[o].inputs)
                if (input >= 0) addEdge(sourceOf(input), m_view.nodeOf[o], input);
        addOutputs();
        sortTopologically(m_view);
        return std::move(m_view);
    }

private:
    int root(int o) const
    {
        while (m_box[o] != o) o = m_box[o];
        return o;
    }

    void addInput(int tensor)
    {
        if (tensor < 0 || m_nodeOfInput.contains(tensor)) return;
        const QString &name = m_graph.tensors[tensor].name;
        m_nodeOfInput.insert(tensor, int(m_view.nodes.size()));
        m_view.nodes.append({ViewNode::Kind::Input, {}, name, QStringLiteral("in ") + m_scope + name});
    }

    void addInputs()
    {
        if (m_body < 0) {
            for (const QString &name : m_graph.inputs) addInput(m_graph.tensorByName.value(name, -1));
            return;
        }
        // Its own inputs, and outer tensors that it reads
        for (const int tensor : m_graph.bodies[m_body].inputs) addInput(tensor);
        for (const int o : m_members)
            for (const int input : m_graph.operations[o].inputs)
                if (input >= 0 && m_graph.tensors[input].producer < 0 && !m_graph.tensors[input].isParameter)
                    addInput(input);
        for (const int output : m_graph.bodies[m_body].outputs)
            if (output >= 0 && m_graph.tensors[output].producer < 0) addInput(output);
    }

    void addOperations()
    {
        m_view.nodeOf.fill(-1, m_graph.operations.size());
        for (const int o : m_members) {
            const int r = root(o);
            auto it = m_nodeOfBox.constFind(r);
            if (it == m_nodeOfBox.constEnd()) {
                it = m_nodeOfBox.insert(r, int(m_view.nodes.size()));
                m_view.nodes.append({ViewNode::Kind::Operation, {}, QString(), m_graph.operations[r].name});
            }
            m_view.nodeOf[o] = *it;
            // The operation with which the others are drawn comes first
            QVector<int> &operations = m_view.nodes[*it].operations;
            if (o == r)
                operations.prepend(o);
            else
                operations.append(o);
        }
    }

    void labelGroups()
    {
        for (auto it = m_groups.constBegin(); it != m_groups.constEnd(); ++it) {
            const int node = m_nodeOfBox.value(root(it.key()), -1);
            if (node < 0 || root(it.key()) != it.key() || m_view.nodes[node].operations.size() < 2) continue;
            m_view.nodes[node].kind = ViewNode::Kind::Group;
            m_view.nodes[node].label = it->label;
            m_view.nodes[node].fold = it->fold;
        }
    }

    void markBodies()
    {
        for (ViewNode &node : m_view.nodes)
            if (node.kind == ViewNode::Kind::Operation && node.operations.size() == 1 &&
                !m_graph.operations[node.operations.front()].bodies.isEmpty()) {
                node.fold = QStringLiteral("body:") + m_graph.operations[node.operations.front()].name;
                node.isOpen = m_folding.isOpen(node.fold);
            }
    }

    /// The box that makes a tensor; -1: none of this level.
    int sourceOf(int tensor) const
    {
        const int producer = m_graph.tensors[tensor].producer;
        return producer >= 0 ? m_view.nodeOf[producer] : m_nodeOfInput.value(tensor, -1);
    }

    void addEdge(int from, int to, int tensor)
    {
        if (from < 0 || from == to) return;
        const QPair<qint64, int> key(qint64(from) << 32 | to, tensor);
        if (m_known.contains(key)) return;
        m_known.insert(key);
        m_view.edges.append({from, to, tensor, false});
    }

    void addOutputs()
    {
        QVector<int> outputs;
        if (m_body < 0)
            for (const QString &name : m_graph.outputs) outputs.append(m_graph.tensorByName.value(name, -1));
        else
            outputs = m_graph.bodies[m_body].outputs;
        for (const int tensor : outputs) {
            if (tensor < 0) continue;
            const bool isPassedOn = m_body < 0 && m_graph.tensors[tensor].producer < 0; // an input of the graph
            const int from = isPassedOn ? -1 : sourceOf(tensor);
            if (from < 0) continue;
            const QString &name = m_graph.tensors[tensor].name;
            m_view.nodes.append({ViewNode::Kind::Output, {}, name, QStringLiteral("out ") + m_scope + name});
            addEdge(from, int(m_view.nodes.size()) - 1, tensor);
        }
    }

    const GraphSnapshot &m_graph;
    const Folding &m_folding;
    int m_body;
    QString m_scope; ///< before names of inputs and outputs, which are unique in their level only
    QVector<int> m_members, m_box;
    QHash<int, GroupLabel> m_groups;
    QHash<int, int> m_nodeOfInput, m_nodeOfBox;
    QSet<QPair<qint64, int>> m_known;
    ViewGraph m_view;
};

} // namespace

ViewGraph makeViewGraph(const GraphSnapshot &graph, const Folding &folding, int body)
{
    return ViewGraphMaker(graph, folding, body).make();
}

} // namespace ql
