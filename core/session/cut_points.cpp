#include "core/session/cut_points.h"

#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/exec/executor.h"
#include "core/ir/op_traits.h"
#include "core/ir/subgraphs.h"

#include <ATen/ops/zeros.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

namespace ql {

namespace {

bool contains(const std::vector<VarId> &ids, VarId id)
{
    return std::find(ids.begin(), ids.end(), id) != ids.end();
}

/// Where cut points are given: an option, or a member of the recipe.
struct CutSide
{
    const char *option, *member;
    bool isStart;
};
constexpr CutSide inputsSide{"--inputs", "cut.inputs", true}, outputsSide{"--outputs", "cut.outputs", false};

/// Where to cut at the operation itself: what it reads, or writes.
Text tensorsOf(const Graph &graph, OpId id, CutSide side)
{
    std::vector<std::string> names;
    const Operation &op = graph.operation(id);
    for (const VarId tensor : side.isStart ? op.inputs : op.outputs)
        if (tensor != noVar && !graph.isParameter(tensor)) names.push_back("'" + graph.variable(tensor).name + "'");
    return Text::list(names);
}

/// What name may mean instead: the tensors of the operation of that name, or a similar name.
Text meantTensor(const Graph &graph, const std::string &name, const std::vector<std::string> &tensors, CutSide side)
{
    const OpId op = graph.findOperation(name);
    if (op == noOp) return suggestion(name, tensors);
    const Text own = tensorsOf(graph, op, side);
    if (side.isStart) return QL_TEXT("The operation of that name reads %1.").with(own);
    return QL_TEXT("The operation of that name writes %1.").with(own);
}

/// Whether a body of the operation, nested ones included, has a tensor of that name that is no constant.
bool isInBody(const Operation &op, const std::string &name)
{
    const auto bodiesOfOp = bodies(op);
    return std::any_of(bodiesOfOp.begin(), bodiesOfOp.end(), [&](const std::shared_ptr<const Graph> &body) {
        const VarId id = body->findVariable(name);
        if (id != noVar && !body->isParameter(id)) return true;
        const std::vector<OpId> inner = body->operations();
        return std::any_of(inner.begin(), inner.end(),
                           [&](OpId nested) { return isInBody(body->operation(nested), name); });
    });
}

VarId tensorNamed(const Graph &graph, const std::string &name, CutSide side)
{
    const VarId id = graph.findVariable(name);
    if (id != noVar && !graph.isParameter(id)) return id;
    if (id != noVar)
        throw Error(ErrorKind::BadConfig, QL_TEXT("the model cannot be cut at '%1': the tensor is constant").with(name),
                    {}, name)
            .withRemedy(QL_TEXT("Name tensors that operations compute."));
    for (const OpId op : graph.operations())
        if (isInBody(graph.operation(op), name))
            throw Error(ErrorKind::BadConfig,
                        QL_TEXT("the model cannot be cut at '%1': this tensor is in a body of '%2'")
                            .with(name, graph.operation(op).name))
                .withRemedy(
                    QL_TEXT("Cut at the operation with the body instead: %1.").with(tensorsOf(graph, op, side)));
    std::vector<std::string> names;
    for (const VarId known : graph.variables())
        if (!graph.isParameter(known)) names.push_back(graph.variable(known).name);
    throw Error(ErrorKind::BadConfig,
                Text::sentences({QL_TEXT("the model cannot be cut at '%1': it has no tensor of that name.").with(name),
                                 meantTensor(graph, name, names, side)}))
        .withRemedy(QL_TEXT("Correct %1 (in a recipe: %2); `quantloupe-cli inspect MODEL --json -` lists all tensors.")
                        .with(Text::option(side.option), side.member));
}

std::vector<VarId> tensorsNamed(const Graph &graph, const std::vector<std::string> &names, CutSide side)
{
    std::vector<VarId> ids;
    for (const std::string &name : names)
        if (const VarId id = tensorNamed(graph, name, side); !contains(ids, id)) ids.push_back(id);
    return ids;
}

/// The operations and everything downstream of them.
std::set<OpId> withConsumers(const Graph &graph, const std::vector<OpId> &operations)
{
    std::set<OpId> found;
    std::vector<OpId> open = operations;
    while (!open.empty()) {
        const OpId op = open.back();
        open.pop_back();
        if (!found.insert(op).second) continue;
        for (const OpId consumer : graph.consumers(op)) open.push_back(consumer);
    }
    return found;
}

/// Whether values of a graph input reach the tensor: sizes that are computed from shapes are no results.
bool carriesValues(const Graph &graph, VarId tensor)
{
    std::set<VarId> seen;
    std::vector<VarId> open{tensor};
    while (!open.empty()) {
        const VarId id = open.back();
        open.pop_back();
        if (id == noVar || !seen.insert(id).second) continue;
        if (graph.isGraphInput(id)) return true;
        const OpId producer = graph.variable(id).producer;
        if (producer == noOp || readsShapeOnly(graph.operation(producer))) continue;
        const std::vector<VarId> &inputs = graph.operation(producer).inputs;
        open.insert(open.end(), inputs.begin(), inputs.end());
    }
    return false;
}

/// The tensors where the graph ends before its unsupported operations; its outputs if there are none.
std::vector<VarId> endsBeforeUnsupported(const Graph &graph)
{
    std::vector<OpId> missing;
    for (const UnsupportedOp &op : unsupportedOps(graph))
        if (const OpId id = graph.findOperation(op.op); id != noOp) missing.push_back(id);
    for (const OpId id : graph.operations()) // If and loops whose bodies have some
        for (const auto &body : bodies(graph.operation(id)))
            if (!unsupportedOps(*body).empty()) missing.push_back(id);
    if (missing.empty()) return graph.outputs();
    const std::set<OpId> removed = withConsumers(graph, missing);
    std::vector<VarId> ends;
    const auto add = [&](VarId id) {
        const OpId producer = id == noVar ? noOp : graph.variable(id).producer;
        if (producer != noOp && !removed.contains(producer) && !contains(ends, id) && carriesValues(graph, id))
            ends.push_back(id);
    };
    for (const VarId output : graph.outputs()) add(output);
    for (const OpId op : graph.topological())
        if (removed.contains(op))
            for (const VarId input : graph.operation(op).inputs) add(input);
    if (ends.empty())
        throw Error(ErrorKind::UnsupportedOp,
                    QL_TEXT("the model cannot be cut before its unsupported operations: nothing would be left"),
                    graph.operation(missing.front()).name)
            .withRemedy(QL_TEXT("Name the tensors to cut at with %1.").with(Text::option("--inputs and --outputs")));
    return ends;
}

/// Types that the file does not declare, from a run on zeros of the operations before the tensors.
void findTypes(Graph &graph, const std::vector<VarId> &tensors)
{
    const auto isUnknown = [&](VarId id) {
        const TensorType &type = graph.variable(id).type;
        return !type.shape || type.dtype == at::ScalarType::Undefined;
    };
    if (std::none_of(tensors.begin(), tensors.end(), isUnknown)) return;
    Graph before = graph;
    before.setOutputs(tensors);
    before.removeUnreachable();
    if (!unsupportedOps(before).empty()) return;
    Feed feed;
    bool hasOpenBatch = false;
    for (const VarId id : before.inputs()) {
        const Variable &input = before.variable(id);
        if (!input.type.shape || input.type.dtype == at::ScalarType::Undefined) return;
        std::vector<std::int64_t> sizes;
        for (const Dim &dim : *input.type.shape) {
            if (dim.size < 0 && !sizes.empty()) return;
            hasOpenBatch = hasOpenBatch || dim.size < 0;
            sizes.push_back(dim.size < 0 ? 1 : dim.size);
        }
        feed.emplace(input.name, at::zeros(sizes, at::TensorOptions(input.type.dtype)));
    }
    constexpr std::int64_t maxIterations = 4096; // of loops, whose conditions zeros may never meet
    try {
        const auto types = Executor(before, {}).traceTypes(feed, JobContext().withIterationLimit(maxIterations));
        for (const VarId id : tensors) {
            const auto found = types.find(id);
            if (found == types.end() || !isUnknown(id)) continue;
            TensorType type = found->second;
            if (hasOpenBatch && type.shape && !type.shape->empty() && type.shape->front().size == 1)
                type.shape->front() = {};
            graph.edit(id).type = type;
        }
    } catch (const Error &) {
        return; // the data determines them
    } catch (const IterationLimitReached &) {
        return;
    }
}

/// Makes the tensors graph inputs: whatever computed them no longer does.
void startAt(Graph &graph, const std::vector<VarId> &tensors)
{
    for (const VarId id : tensors) {
        const OpId producer = graph.variable(id).producer;
        if (producer == noOp) continue;
        const auto index = std::size_t(graph.variable(id).producerIndex);
        graph.setOutput(producer, index, graph.addVariable(graph.freshName(graph.variable(id).name + "_cut")));
    }
    std::vector<VarId> inputs = tensors;
    for (const VarId id : graph.inputs())
        if (!contains(inputs, id)) inputs.push_back(id);
    graph.setInputs(inputs);
}

void reportCut(const Graph &before, const Graph &after, const std::function<void(api::Problem)> &report)
{
    std::map<std::string, int> types;
    int removed = 0;
    for (const OpId id : before.operations()) {
        if (after.contains(id)) continue;
        ++types[before.operation(id).type];
        ++removed;
    }
    if (removed == 0) return;
    std::vector<std::string> counts, outputs;
    for (const auto &[type, count] : types) counts.push_back(std::to_string(count) + " " + type);
    for (const VarId id : after.outputs()) outputs.push_back(after.variable(id).name);
    report({.severity = api::Severity::Info,
            .message = QL_TEXT("the model is cut: %1 of %2 operations are left out (%3); its outputs are %4")
                           .with(removed, before.operationCount(), Text::list(counts), Text::list(outputs))});
}

} // namespace

static void cutNamed(Graph &graph, const api::CutPoints &cut, const std::function<void(api::Problem)> &report)
{
    const Graph before = graph;
    const std::vector<VarId> inputs = tensorsNamed(graph, cut.inputs, inputsSide),
                             outputs = tensorsNamed(graph, cut.outputs, outputsSide);
    const auto isUsed = [](const Graph &in, VarId id) { return !in.variable(id).uses.empty() || in.isGraphOutput(id); };
    findTypes(graph, inputs);
    if (!outputs.empty()) graph.setOutputs(outputs);
    startAt(graph, inputs);
    graph.removeUnreachable();
    if (cut.beforeUnsupported) {
        graph.setOutputs(endsBeforeUnsupported(graph));
        graph.removeUnreachable();
    }
    std::vector<VarId> kept;
    for (const VarId id : graph.inputs()) {
        if (contains(inputs, id) && !isUsed(graph, id))
            throw Error(ErrorKind::BadConfig,
                        QL_TEXT("the model cannot start at '%1': its outputs do not depend on this tensor")
                            .with(graph.variable(id).name),
                        {}, graph.variable(id).name)
                .withRemedy(QL_TEXT("Remove it from %1 (in a recipe: %2), or choose outputs after it.")
                                .with(Text::option(inputsSide.option), inputsSide.member));
        if (isUsed(graph, id) || !isUsed(before, id)) kept.push_back(id);
    }
    if (graph.operationCount() == 0)
        throw Error(ErrorKind::BadConfig, QL_TEXT("no operation is left between the cut points"))
            .withRemedy(QL_TEXT("Choose outputs that are computed from the inputs."));
    graph.setInputs(kept);
    graph.removeUnreachable(); // inputs that nothing reads any more
    reportCut(before, graph, report);
}

void cutGraph(Graph &graph, const api::CutPoints &cut, const std::string &file,
              const std::function<void(api::Problem)> &report)
{
    if (cut.empty()) return;
    try {
        cutNamed(graph, cut, report);
    } catch (Error &error) {
        error.inFile(file);
        throw;
    }
}

} // namespace ql
