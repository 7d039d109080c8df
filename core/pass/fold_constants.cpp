// Before: weight -> Transpose -> MatMul        After: MatMul, whose input 1 is the transposed weight
//
// Results that depend only on parameters are computed once: weights that a network standardizes, or that an exporter
// left upstream of a Transpose, Cast or Reshape. Then they are quantized as weights, with one scale per channel if the
// platform has them; otherwise they would be activations that happen to be the same for every sample.
//
// Unchanged: DequantizeLinear and the like, whose codes a runtime keeps; random numbers; control flow; tensors that
// are graph outputs; results of more than 2^26 elements.
#include "core/pass/fold_constants.h"

#include "core/exec/kernel.h"
#include "core/ir/op_traits.h"
#include "core/pass/slots.h"

#include <algorithm>

namespace ql {

namespace {

constexpr std::int64_t mostElements = std::int64_t{1} << 26;

/// The values of op's outputs, in order; empty if it must stay.
std::vector<at::Tensor> valuesOf(const Graph &graph, const Operation &op)
{
    if (!isFoldable(op)) return {};
    std::vector<at::Tensor> inputs;
    for (const VarId input : op.inputs) {
        if (input != noVar && !graph.isParameter(input)) return {};
        inputs.push_back(input == noVar ? at::Tensor() : graph.variable(input).value);
    }
    for (const VarId output : op.outputs)
        if (output != noVar && graph.isGraphOutput(output)) return {};
    auto values = constantOutputs({op, graph}, inputs, mostElements);
    const auto isTensor = [](const at::Tensor &value) { // not a sequence, strings or an empty optional
        return value.defined() && value.has_storage();
    };
    if (!values || !std::all_of(values->begin(), values->end(), isTensor)) return {};
    return *std::move(values);
}

} // namespace

bool isFoldable(const Operation &op)
{
    const KernelEntry *kernel = findKernel(op);
    return kernel && !kernel->hasBodies && !kernel->isRandom && !traitsOf(op).handlesCodes && op.inputCount() > 0;
}

std::set<VarId> foldableTensors(const Graph &graph)
{
    std::set<VarId> known;
    for (const OpId id : graph.topological()) {
        const Operation &op = graph.operation(id);
        const bool follows = std::all_of(op.inputs.begin(), op.inputs.end(), [&](VarId input) {
            return input == noVar || graph.isParameter(input) || known.contains(input);
        });
        if (!follows || !isFoldable(op)) continue;
        for (const VarId output : op.outputs)
            if (output != noVar) known.insert(output);
    }
    return known;
}

int foldOperations(Graph &graph, const std::vector<OpId> &ops, const JobContext &job)
{
    int folded = 0;
    for (const OpId id : ops) {
        job.checkpoint();
        const std::vector<at::Tensor> values = valuesOf(graph, graph.operation(id));
        if (values.empty()) continue;
        const std::vector<VarId> outputs = graph.operation(id).outputs;
        graph.removeOperation(id);
        for (std::size_t i = 0; i < outputs.size(); ++i) // a copy: several views may share one value
            if (outputs[i] != noVar) graph.setValue(outputs[i], values[i].clone(at::MemoryFormat::Contiguous));
        ++folded;
    }
    return folded;
}

class FoldConstants final : public Pass
{
public:
    explicit FoldConstants(const nlohmann::json &) {}

    std::string_view id() const override { return "fold_constants"; }

    int run(QuantModel &model, const PassContext &context) const override
    {
        const int changed = foldOperations(model.graph, model.graph.topological(), context.job);
        if (changed == 0) return 0;
        model.graph.removeUnreachable();
        makePass("split_shared_parameters", {})->run(model, context);
        return changed;
    }
};

static const PassRegistrar foldConstantsRegistrar{
    {.info = {.id = "fold_constants",
              .title = QL_TEXT("Fold constants"),
              .meaning = QL_TEXT("Before: operations compute a weight from parameters. After: the weight is a "
                                 "parameter, and is quantized as one. The results of the network do not change.")},
     .traits = {.kind = PassKind::Float, .writes = {PassAspect::ComputedWeights}},
     .make = makePassOf<FoldConstants>}};

} // namespace ql
