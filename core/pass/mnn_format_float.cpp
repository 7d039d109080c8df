// Before: x -> MaxPool -> Conv        After: x -> MaxPool -> Max (lowest float32) -> Conv
//
// MNN gives a tensor without a scale the scale of the tensor that it becomes by moving, pooling or resizing, forwards
// and backwards, and computes such operations on codes then (Pipeline.cpp, propagateScale). On x86 its MaxPool compares
// signed codes in the wrong order (Int8FunctionsOpt.cpp, MNNMaxPoolInt8), its Resize does not convert from one scale to
// another, and of two scales for one tensor the one wins that comes first in memory. A Max changes no value, and no
// scale gets past it, so these operations stay in float32:
//   after    pools, Resize and others whose result a Conv reads, if their input has no scale of its own, and a Concat
//            if one of its inputs has none and is read by other operations (a constant also by way of an equal one: MNN
//            keeps one of them); what a Conv reads, if other operations read what is moved from the same tensor
//   before   a MaxPool of values below 0, a Resize that interpolates and an AveragePool with padding, if their input
//            has a scale; each of these and any pool, if their input has its scale only from a Conv that reads it; a
//            LeakyRelu whose result is moved or pooled, as it passes a scale on without using it; a CumSum and a pool
//            with three spatial axes, which read the codes of a tensor with a scale in the wrong order
#include "core/ir/op_traits.h"
#include "core/pass/format_tools.h"
#include "core/pass/mnn_codes.h"
#include "core/pass/pass.h"

#include <ATen/ops/equal.h>

#include <algorithm>
#include <map>
#include <set>

namespace ql {

namespace {

class MnnFormatFloat final : public Pass
{
public:
    explicit MnnFormatFloat(const nlohmann::json &) {}

    std::string_view id() const override { return "mnn_format_float"; }

    int run(QuantModel &model, const PassContext &) const override
    {
        Graph &graph = model.graph;
        int changed = 0;
        VarId lowest = noVar;
        std::map<VarId, VarId> ofConvs;
        const auto keptInFloat = [&](VarId read) {
            ++changed;
            return addMaxWithLowest(graph, read, lowest, "_in_float");
        };
        const auto keepReadersInFloat = [&](VarId tensor) {
            const std::vector<Use> uses = graph.variable(tensor).uses;
            const VarId result = keptInFloat(tensor);
            for (const Use &use : uses)
                if (use.op != noOp) graph.setInput(use.op, std::size_t(use.index), result);
        };
        // First: it removes scales on which the decisions below depend
        for (const OpId id : graph.topological()) {
            const Operation &op = graph.operation(id);
            if (!isConvOnCodes(graph, op) || !isRoundedForOthers(graph, op.inputs[0])) continue;
            const VarId read = op.inputs[0];
            VarId &kept = ofConvs.emplace(read, noVar).first->second;
            if (kept == noVar) kept = keptInFloat(read);
            graph.setInput(id, 0, kept);
        }
        for (const OpId id : graph.topological()) {
            const Operation op = graph.operation(id);
            if (!op.domain.empty() || !op.hasInput(0) || op.outputs.empty() || op.outputs[0] == noVar) continue;
            if (op.type == "Concat") {
                if (isReadByConv(graph, op.outputs[0]) && sharesAnInput(graph, op)) keepReadersInFloat(op.outputs[0]);
                continue;
            }
            if (op.type == "CumSum" && hasScale(graph, op.inputs[0])) graph.setInput(id, 0, keptInFloat(op.inputs[0]));
            if (op.type == "LeakyRelu" && hasScale(graph, op.inputs[0]) && isMoved(graph, op.outputs[0]))
                graph.setInput(id, 0, keptInFloat(op.inputs[0]));
            if (!computedOnCodes().contains(op.type)) continue;
            const bool isScaled = hasScale(graph, op.inputs[0]), isRead = isReadByConv(graph, op.outputs[0]);
            const bool isWrong =
                isWrongOnCodes(graph, op) || ((isPool(op) || isResize(op)) && !isRounded(graph, op.inputs[0]));
            if (isScaled && isWrong) graph.setInput(id, 0, keptInFloat(op.inputs[0]));
            const bool isRight = isScaled && !isWrong && isPool(op);
            if (isRead && !isRight) keepReadersInFloat(op.outputs[0]);
        }
        return changed;
    }

private:
    static constexpr std::size_t imageAxes = 2;

    /// Besides Conv and element-wise operations, what MNN computes on codes if input and result have scales.
    static const std::set<std::string> &computedOnCodes()
    {
        static const std::set<std::string> types{
            "MaxPool", "AveragePool", "GlobalAveragePool",  "GlobalMaxPool", "Resize", "Upsample",
            "PRelu",   "Softmax",     "LayerNormalization", "Neg",           "Abs",    "Sign"};
        return types;
    }

    /// Whether the scale with which a Conv reads the tensor would round for other operations, too, what is moved from
    /// the same tensor.
    static bool isRoundedForOthers(const Graph &graph, VarId tensor)
    {
        const std::vector<VarId> roots = rootsOf(graph, tensor);
        if (roots.size() != 1 || isOfConv(graph, roots[0])) return false;
        const OpId producer = graph.variable(roots[0]).producer;
        if (tensor != roots[0] && producer != noOp && isElementwise(graph.operation(producer))) return true;
        const auto isRead = [&](VarId moved, auto matches) {
            const auto &uses = graph.variable(moved).uses;
            return std::any_of(uses.begin(), uses.end(),
                               [&](const Use &use) { return use.op == noOp || matches(graph.operation(use.op)); });
        };
        const auto computes = [&](const Operation &op) {
            return !isConvOnCodes(graph, op) && !isRaster(graph, op) && !readsShapeOnly(op);
        };
        // A Relu passes the scale on to the tensor that it writes
        const bool isOfRelu = tensor != roots[0] && producer != noOp && isLinearActivation(graph.operation(producer));
        if (isOfRelu && isRead(roots[0], computes)) return true;
        // Other parts of the tensor are joined from the tensor itself
        if (tensor != roots[0] && isRead(tensor, [](const Operation &op) { return op.type == "Concat"; })) return true;
        const std::vector<VarId> all = movedFrom(graph, roots[0]);
        return std::any_of(all.begin() + 1, all.end(),
                           [&](VarId moved) { return rootsOf(graph, moved).size() == 1 && isRead(moved, computes); });
    }

    /// Whether a Conv writes the tensor, with its activation.
    static bool isOfConv(const Graph &graph, VarId tensor)
    {
        const OpId producer = graph.variable(tensor).producer;
        if (producer == noOp) return false;
        const Operation &op = graph.operation(producer);
        return isConvOnCodes(graph, op) || isActivationOfConv(graph, op);
    }

    static bool isPool(const Operation &op)
    {
        return op.type == "MaxPool" || op.type == "AveragePool" || op.type == "GlobalAveragePool";
    }

    static bool isResize(const Operation &op) { return op.type == "Resize" || op.type == "Upsample"; }

    /// Whether all values of a tensor with a scale are on its grid, not only for the Conv that reads it.
    static bool isRounded(const Graph &graph, VarId tensor)
    {
        if (isOfConv(graph, tensor)) return true;
        const OpId producer = graph.variable(tensor).producer;
        if (producer == noOp) return false;
        const Operation &op = graph.operation(producer);
        if (isElementwise(op))
            return std::all_of(op.inputs.begin(), op.inputs.end(), [&](VarId input) { return hasScale(graph, input); });
        const bool keeps = isPool(op) || isResize(op) || isLinearActivation(op) || isRaster(graph, op);
        return keeps && op.hasInput(0) && isRounded(graph, op.inputs[0]);
    }

    static bool isActivationOfConv(const Graph &graph, const Operation &op)
    {
        if (!isLinearActivation(op) || !op.hasInput(0)) return false;
        const Variable &read = graph.variable(op.inputs[0]);
        return read.uses.size() == 1 && read.producer != noOp && isConvOnCodes(graph, graph.operation(read.producer));
    }

    static bool isReadDirectly(const Graph &graph, VarId tensor)
    {
        const auto &uses = graph.variable(tensor).uses;
        return std::any_of(uses.begin(), uses.end(), [&](const Use &use) {
            return use.op != noOp && use.index == 0 && isConvOnCodes(graph, graph.operation(use.op));
        });
    }

    /// Whether an operation reads the tensor that MNN would compute on codes or that moves values, or one that computes
    /// with it and a moved tensor: MNN changes the layout of its values for that.
    static bool isMoved(const Graph &graph, VarId tensor)
    {
        const auto &uses = graph.variable(tensor).uses;
        return std::any_of(uses.begin(), uses.end(), [&](const Use &use) {
            if (use.op == noOp) return false;
            const Operation &reader = graph.operation(use.op);
            if (isConvOnCodes(graph, reader)) return false;
            if (isRaster(graph, reader) || isLinearActivation(reader) || computedOnCodes().contains(reader.type))
                return true;
            return std::any_of(reader.inputs.begin(), reader.inputs.end(), [&](VarId input) {
                const std::vector<VarId> roots = rootsOf(graph, input);
                return !roots.empty() && roots != std::vector<VarId>{input};
            });
        });
    }

    /// Whether a Conv reads the tensor, possibly moved or through a Relu.
    static bool isReadByConv(const Graph &graph, VarId tensor)
    {
        const std::vector<VarId> all = movedFrom(graph, tensor, true);
        return std::any_of(all.begin(), all.end(), [&](VarId moved) { return isReadDirectly(graph, moved); });
    }

    /// Whether MNN knows a scale of the tensor: a Conv writes or reads it, or it is moved or pooled from such a tensor.
    static bool hasScale(const Graph &graph, VarId tensor)
    {
        if (tensor == noVar || graph.isParameter(tensor)) return false;
        if (isReadDirectly(graph, tensor)) return true;
        const OpId producer = graph.variable(tensor).producer;
        if (producer == noOp) return false;
        if (isOfConv(graph, tensor)) return true;
        const Operation &op = graph.operation(producer);
        const bool keeps =
            isPool(op) || op.type == "Resize" || (isRaster(graph, op) && op.type != "Concat") || isLinearActivation(op);
        return keeps && op.hasInput(0) && hasScale(graph, op.inputs[0]);
    }

    /// Whether an input of concat has no scale of its own, and another operation reads it, too.
    static bool sharesAnInput(const Graph &graph, const Operation &concat)
    {
        return std::any_of(concat.inputs.begin(), concat.inputs.end(), [&](VarId input) {
            if (input != noVar && graph.isParameter(input)) return isReadElsewhere(graph, input, concat.id);
            const std::vector<VarId> roots = rootsOf(graph, input);
            return std::any_of(roots.begin(), roots.end(), [&](VarId root) {
                if (hasScale(graph, root)) return false;
                const auto &uses = graph.variable(root).uses;
                return std::any_of(uses.begin(), uses.end(), [&](const Use &use) {
                    return use.op != concat.id && !(use.op != noOp && onlyLeadsTo(graph, use.op, concat.id));
                });
            });
        });
    }

    /// Whether an operation reads the constant, or one with equal values, and it is not concat.
    static bool isReadElsewhere(const Graph &graph, VarId constant, OpId concat)
    {
        const at::Tensor &value = graph.variable(constant).value;
        const std::vector<VarId> all = graph.variables();
        return std::any_of(all.begin(), all.end(), [&](VarId id) {
            const Variable &other = graph.variable(id);
            const bool isEqual = graph.isParameter(id) && other.value.scalar_type() == value.scalar_type() &&
                                 other.value.sizes() == value.sizes() && at::equal(other.value, value);
            return isEqual && std::any_of(other.uses.begin(), other.uses.end(),
                                          [&](const Use &use) { return use.op != noOp && use.op != concat; });
        });
    }

    /// Whether concat is all that reads the values of op's results: op moves them or reads only the shape.
    static bool onlyLeadsTo(const Graph &graph, OpId id, OpId concat)
    {
        const Operation &op = graph.operation(id);
        if (readsShapeOnly(op)) return true;
        if (!isRaster(graph, op)) return false;
        return std::all_of(op.outputs.begin(), op.outputs.end(), [&](VarId output) {
            const auto &uses = graph.variable(output).uses;
            return std::all_of(uses.begin(), uses.end(), [&](const Use &use) {
                return use.op == concat || (use.op != noOp && onlyLeadsTo(graph, use.op, concat));
            });
        });
    }

    static bool isWrongOnCodes(const Graph &graph, const Operation &op)
    {
        if (op.intsAttribute("kernel_shape").size() > imageAxes) return true;
        if (op.type == "MaxPool" || op.type == "GlobalMaxPool") {
            const OpId producer = graph.variable(op.inputs[0]).producer;
            return producer == noOp || graph.operation(producer).type != "Relu";
        }
        if (op.type == "AveragePool") {
            const auto pads = op.intsAttribute("pads");
            return op.stringAttribute("auto_pad", "NOTSET") != "NOTSET" || op.intAttribute("ceil_mode", 0) != 0 ||
                   std::any_of(pads.begin(), pads.end(), [](std::int64_t pad) { return pad != 0; });
        }
        return op.type == "Upsample" || (op.type == "Resize" && op.stringAttribute("mode", "nearest") != "nearest");
    }
};

const PassRegistrar mnnFormatFloatRegistrar{
    {.info = {.id = "mnn_format_float",
              .title = QL_TEXT("MNN float format"),
              .meaning = QL_TEXT(
                  "Before: a MaxPool, a Resize or a Concat to which MNN would pass on the scale of the Conv "
                  "that reads it. After: a Max with the lowest float32 in between, so that it stays in float.")},
     .traits = {.kind = PassKind::Float},
     .make = makePassOf<MnnFormatFloat>}};

} // namespace
} // namespace ql
