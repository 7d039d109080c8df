#include "core/ir/subgraphs.h"

#include "core/ir/op_traits.h"

#include <algorithm>
#include <set>
#include <variant>

namespace ql {

namespace {

using Body = std::shared_ptr<const Graph>;

int editBody(Body &body, const std::function<int(Graph &)> &edit)
{
    if (!body) return 0;
    auto copy = std::make_shared<Graph>(*body);
    const int changed = editAllGraphs(*copy, edit);
    if (changed > 0) body = std::move(copy);
    return changed;
}

} // namespace

std::vector<std::string> captureNames(const Operation &op)
{
    return op.stringsAttribute(capturesAttribute);
}

VarId capturedTensor(const Graph &body, const std::string &name)
{
    const VarId id = body.findVariable(name);
    const bool isOwn =
        id != noVar && (body.isParameter(id) || body.isGraphInput(id) || body.variable(id).producer != noOp);
    return isOwn ? noVar : id;
}

std::size_t formalInputCount(const Operation &op)
{
    const std::size_t captured = captureNames(op).size();
    return op.inputs.size() > captured ? op.inputs.size() - captured : 0;
}

std::vector<std::shared_ptr<const Graph>> bodies(const Operation &op)
{
    std::vector<Body> out;
    for (const auto &[key, value] : op.attributes) {
        if (const Body *body = std::get_if<Body>(&value)) out.push_back(*body);
        if (const auto *list = std::get_if<std::vector<Body>>(&value))
            out.insert(out.end(), list->begin(), list->end());
    }
    return out;
}

std::vector<BodyReader> bodyReaders(const Operation &op, std::size_t index)
{
    const std::size_t first = formalInputCount(op);
    if (index < first || index >= op.inputs.size()) return {};
    const std::string name = captureNames(op)[index - first];
    std::vector<BodyReader> readers;
    for (const Body &body : bodies(op)) {
        const VarId id = body ? capturedTensor(*body, name) : noVar;
        if (id == noVar) continue;
        for (const Use &use : body->variable(id).uses) {
            if (use.op == noOp) continue;
            const Operation &reader = body->operation(use.op);
            if (bodies(reader).empty()) {
                readers.push_back({body, {use.op, false, use.index}});
                continue;
            }
            const std::vector<BodyReader> nested = bodyReaders(reader, std::size_t(use.index));
            readers.insert(readers.end(), nested.begin(), nested.end());
        }
    }
    return readers;
}

std::vector<std::size_t> weightsOfBodies(const Graph &graph, const Operation &op)
{
    std::vector<std::size_t> weights;
    for (std::size_t i = formalInputCount(op); i < op.inputs.size(); ++i) {
        if (!graph.isParameter(op.inputs[i])) continue;
        const std::vector<BodyReader> readers = bodyReaders(op, i);
        if (std::any_of(readers.begin(), readers.end(), [](const BodyReader &reader) {
                return isWeight(reader.body->operation(reader.slot.op), reader.slot);
            }))
            weights.push_back(i);
    }
    return weights;
}

void dropUnusedCaptures(Graph &graph, OpId id)
{
    std::vector<std::string> kept;
    std::vector<VarId> inputs;
    const Operation op = graph.operation(id);
    const std::vector<std::string> names = captureNames(op);
    const std::size_t first = formalInputCount(op);
    for (std::size_t k = 0; k < names.size(); ++k) {
        const auto all = bodies(op);
        const bool isRead = std::any_of(all.begin(), all.end(), [&](const Body &body) {
            const VarId inner = body->findVariable(names[k]);
            return inner != noVar && (!body->variable(inner).uses.empty() || body->isGraphOutput(inner));
        });
        if (!isRead) continue;
        kept.push_back(names[k]);
        inputs.push_back(op.inputs[first + k]);
    }
    if (kept.size() == names.size()) return;
    for (std::size_t k = 0; k < inputs.size(); ++k) graph.setInput(id, first + k, inputs[k]);
    graph.resizeInputs(id, first + inputs.size());
    graph.edit(id).attributes[std::string(capturesAttribute)] = std::move(kept);
}

namespace {

using BodyNames = std::map<std::pair<BodyPath, OpId>, std::string>;

/// owner: name of operation id of graph, which is at path. taken: all names so far.
void nameBodies(const Graph &graph, OpId id, const BodyPath &path, const std::string &owner,
                std::set<std::string> &taken, BodyNames &names)
{
    for (const auto &[attribute, value] : graph.operation(id).attributes) {
        const Body *body = std::get_if<Body>(&value);
        if (!body || !*body) continue;
        BodyPath inner = path;
        inner.emplace_back(id, attribute);
        const std::vector<OpId> order = (*body)->topological();
        for (const OpId each : order) {
            std::string name = (*body)->operation(each).name;
            if (name.empty() || taken.contains(name)) name = owner + "/" + attribute + "/" + name;
            while (!taken.insert(name).second) name += "'";
            names.emplace(std::pair(inner, each), std::move(name));
        }
        for (const OpId each : order) nameBodies(**body, each, inner, names.at({inner, each}), taken, names);
    }
}

} // namespace

BodyNames namesInBodies(const Graph &graph)
{
    BodyNames names;
    std::set<std::string> taken;
    const std::vector<OpId> order = graph.topological();
    for (const OpId id : order) taken.insert(graph.operation(id).name);
    for (const OpId id : order) nameBodies(graph, id, {}, graph.operation(id).name, taken, names);
    return names;
}

int editAllGraphs(Graph &graph, const std::function<int(Graph &)> &edit)
{
    int changed = 0;
    for (const OpId id : graph.operations()) {
        for (auto &[key, value] : graph.edit(id).attributes) {
            if (Body *body = std::get_if<Body>(&value)) changed += editBody(*body, edit);
            if (auto *list = std::get_if<std::vector<Body>>(&value))
                for (Body &body : *list) changed += editBody(body, edit);
        }
    }
    return changed + edit(graph);
}

} // namespace ql
