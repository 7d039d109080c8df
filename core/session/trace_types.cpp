#include "core/session/trace_types.h"

#include "core/base/error.h"
#include "core/exec/executor.h"
#include "core/exec/openvino_kernels.h"
#include "core/ir/op_traits.h"

#include <ATen/ops/ones_like.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace ql {
namespace {

/// Iterations of all loops for synthetic inputs: with zeros, a loop with a stop condition may not end.
constexpr std::int64_t maxIterations = 4096;

/// A batch for tracing types and shapes: the first one of the data, or zeros if all shapes are known.
std::optional<Feed> traceFeed(const RunState &state)
{
    if (state.calibration && state.calibration->size() > 0) return state.calibration->batch(0);
    if (state.evaluation && state.evaluation->size() > 0) return state.evaluation->batch(0);
    Feed feed;
    for (const VarId id : state.model.graph.inputs()) {
        const Variable &input = state.model.graph.variable(id);
        if (!input.type.isStatic() || input.type.dtype == at::ScalarType::Undefined) return std::nullopt;
        feed.emplace(input.name, at::zeros(input.type.sizes(), at::TensorOptions(input.type.dtype)));
    }
    return feed;
}

/// Zeros with the batch size wherever a graph input leaves its leading size open; nothing if it leaves another one
/// open.
std::optional<Feed> zerosOfBatch(const Graph &graph, std::int64_t batch)
{
    Feed feed;
    for (const VarId id : graph.inputs()) {
        const Variable &input = graph.variable(id);
        if (!input.type.shape || input.type.dtype == at::ScalarType::Undefined) return std::nullopt;
        std::vector<std::int64_t> sizes;
        for (const Dim &dim : *input.type.shape) {
            if (dim.size < 0 && !sizes.empty()) return std::nullopt;
            sizes.push_back(dim.size < 0 ? batch : dim.size);
        }
        feed.emplace(input.name, at::zeros(sizes, at::TensorOptions(input.type.dtype)));
    }
    return feed;
}

/// Fills in the types of inner tensors of a model that leaves only the batch open: a size that is the same for batches
/// of one and two does not depend on it. Needs no data; a model that refuses zeros is unchanged.
void traceOpenBatch(RunState &state, const JobContext &job)
{
    constexpr std::int64_t first = 2, second = 3; // one would broadcast
    Graph &graph = state.model.graph;
    const auto one = zerosOfBatch(graph, first), other = zerosOfBatch(graph, second);
    if (!one || !other) return;
    std::set<std::string> symbols;
    for (const VarId id : graph.inputs())
        if (const auto &shape = *graph.variable(id).type.shape; !shape.empty() && shape[0].size < 0)
            symbols.insert(shape[0].symbol);
    try {
        const Executor executor(graph, state.exec());
        auto types = executor.traceTypes(*one, job.withIterationLimit(maxIterations));
        const auto others = executor.traceTypes(*other, job.withIterationLimit(maxIterations));
        for (auto &[id, type] : types) {
            const auto twin = others.find(id);
            const TensorType &known = graph.variable(id).type;
            const bool isDeclared = graph.isGraphOutput(id) && known.shape && known.dtype != at::ScalarType::Undefined;
            if (graph.isGraphInput(id) || isDeclared || twin == others.end()) continue;
            if (!type.shape || !twin->second.shape || type.shape->size() != twin->second.shape->size()) {
                type.shape.reset();
            } else {
                for (std::size_t i = 0; i < type.shape->size(); ++i) {
                    Dim &dim = (*type.shape)[i];
                    const std::int64_t changed = (*twin->second.shape)[i].size;
                    if (dim.size == changed) continue;
                    const bool isBatch = dim.size == first && changed == second && symbols.size() == 1;
                    dim = {-1, isBatch ? *symbols.begin() : std::string()};
                }
            }
            graph.edit(id).type = type;
        }
    } catch (const Error &) {
        return; // hard-coded sizes, for example: shapes stay unknown
    } catch (const IterationLimitReached &) {
        return;
    }
}

/// Whether every tensor has one shape, regardless of the data: the inputs' shapes are known, and no shape is computed
/// from values.
bool shapesAreFixed(const Graph &graph)
{
    for (const VarId id : graph.inputs())
        if (!graph.variable(id).type.isStatic()) return false;
    const std::vector<OpId> ids = graph.operations();
    return std::none_of(ids.begin(), ids.end(),
                        [&](OpId id) { return traitsOf(graph.operation(id)).shapes.dependsOnValues; });
}

} // namespace

void traceTypes(RunState &state, const JobContext &job)
{
    Graph &graph = state.model.graph;
    if (!unsupportedOps(graph).empty()) return;
    const auto feed = traceFeed(state);
    if (!feed) {
        if (std::exchange(state.tracesOpenBatch, false)) traceOpenBatch(state, job);
        return;
    }
    const Executor executor(graph, state.exec());
    const bool hasData = state.calibration || state.evaluation;
    const JobContext trial = hasData ? job : job.withIterationLimit(maxIterations);
    std::map<VarId, TensorType> types, traced;
    try {
        types = executor.traceTypes(*feed, trial);
    } catch (const IterationLimitReached &) {
        return; // known with data
    } catch (const Error &error) {
        const bool isOfValues = error.kind == ErrorKind::Kernel || error.kind == ErrorKind::BadData;
        if (hasData || !isOfValues) throw;
        // Zeros are not real data: the model may divide by them, or find nothing above a threshold
        Feed ones;
        for (const auto &[name, zeros] : *feed) ones.emplace(name, at::ones_like(zeros));
        try {
            types = executor.traceTypes(ones, trial);
        } catch (const IterationLimitReached &) {
            return;
        } catch (const Error &) {
            if (state.hasOtherData) return; // which will report it
            throw error;
        }
    }
    graph.tracedInputBytes = bytesOf(*feed);
    const bool isOpen = hasOpenShapes(graph);
    for (const auto &[id, type] : types) {
        TensorType &known = graph.edit(id).type;
        if (graph.isGraphInput(id) || graph.isGraphOutput(id)) {
            if (known.dtype == at::ScalarType::Undefined) known.dtype = type.dtype;
            if (!known.shape && type.shape && isOpen) // the sizes are those of this batch
                graph.declaredShapes.emplace(graph.variable(id).name, std::vector<Dim>(type.shape->size()));
            if (!known.shape) known.shape = type.shape;
        } else {
            known = type;
        }
        if (graph.isGraphOutput(id)) traced[id] = type;
    }
    if (shapesAreFixed(graph)) state.outputTypes = std::move(traced);
}

bool typesAreKnown(const Graph &graph)
{
    for (const OpId id : graph.operations())
        for (const VarId output : graph.operation(id).outputs) {
            if (output == noVar) continue;
            const TensorType &type = graph.variable(output).type;
            if (!type.isStatic() || type.dtype == at::ScalarType::Undefined) return false;
        }
    return true;
}

} // namespace ql
