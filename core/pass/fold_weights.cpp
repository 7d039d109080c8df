// Before: w -> Transpose -> Gemm        After: Gemm, whose weight is the transposed w
//
// Weights and biases that follow from float parameters become parameters, also those that bodies of If, Loop and Scan
// read: a network standardizes them, or an exporter left a Transpose or Reshape. They are quantized as weights then,
// per channel if the platform does so, and runtimes that want constant weights read the file.
//
// Unchanged: what follows from stored codes (looked up in a table, converted from integers), so that a file keeps them
// and not the larger floats; fold_constants turns these into parameters, too. Tensors that are graph outputs.
#include "core/ir/op_traits.h"
#include "core/ir/subgraphs.h"
#include "core/pass/fold_constants.h"
#include "core/pass/format_tools.h"
#include "core/pass/pass.h"
#include "core/platform/body_weights.h"

#include <algorithm>

namespace ql {

namespace {

/// Whether op turns integers into floats.
bool readsCodes(const Graph &graph, const Operation &op)
{
    const auto isFloat = [&](VarId id) { return at::isFloatingType(inferElementType(graph, id)); };
    if (std::none_of(op.outputs.begin(), op.outputs.end(), [&](VarId id) { return id != noVar && isFloat(id); }))
        return false;
    const std::vector<SlotKind> kinds = socketOf(op).inputs;
    for (std::size_t i = 0; i < op.inputs.size(); ++i)
        if (op.inputs[i] != noVar && kinds[i] != SlotKind::ShapeOrIndex &&
            at::isIntegralType(inferElementType(graph, op.inputs[i]), false))
            return true;
    return false;
}

bool readsAsWeight(const Operation &op, std::size_t index)
{
    if (isComputing(op)) return index > 0;
    const std::vector<BodyReader> readers = bodyReaders(op, index);
    return std::any_of(readers.begin(), readers.end(), [](const BodyReader &reader) {
        return isAnyWeight(reader.body->operation(reader.slot.op), reader.slot);
    });
}

class FoldWeights final : public Pass
{
public:
    std::string_view id() const override { return "fold_weights"; }
    int run(QuantModel &model, const PassContext &context) const override
    {
        const int changed = foldOperations(model.graph, operationsOfWeights(model.graph), context.job);
        if (changed > 0) model.graph.removeUnreachable();
        return changed;
    }
};

const PassRegistrar foldWeightsRegistrar{
    {.info = {.id = "fold_weights",
              .title = QL_TEXT("Fold weights"),
              .meaning = QL_TEXT("Before: operations compute a weight from float parameters. After: the weight is a "
                                 "parameter.")},
     .traits = {.kind = PassKind::Format},
     .make = makePassOf<FoldWeights>}};

} // namespace

std::vector<OpId> operationsOfWeights(const Graph &graph)
{
    const std::vector<OpId> order = graph.topological();
    std::set<OpId> foldable, wanted;
    const auto isConstant = [&](VarId id) {
        return id == noVar || graph.isParameter(id) || foldable.contains(graph.variable(id).producer);
    };
    for (const OpId id : order) {
        const Operation &op = graph.operation(id);
        if (isFoldable(op) && std::all_of(op.inputs.begin(), op.inputs.end(), isConstant) && !readsCodes(graph, op))
            foldable.insert(id);
    }
    if (foldable.empty()) return {};
    for (auto next = order.rbegin(); next != order.rend(); ++next) { // readers first
        const Operation &op = graph.operation(*next);
        for (std::size_t i = 0; i < op.inputs.size(); ++i) {
            const OpId producer = op.inputs[i] == noVar ? noOp : graph.variable(op.inputs[i]).producer;
            if (foldable.contains(producer) && (wanted.contains(*next) || readsAsWeight(op, i)))
                wanted.insert(producer);
        }
    }
    std::vector<OpId> out;
    std::copy_if(order.begin(), order.end(), std::back_inserter(out), [&](OpId id) { return wanted.contains(id); });
    return out;
}

} // namespace ql
