// Before: Conv -> Q -> Relu -> Q        After: Conv -> Relu -> Q
//
// Operations that a target executes as one, or that only move values, quantize their tensor once: the other slots
// become Overlapped by the one that stays. In this order:
//   activations  a compute operation (Conv, Gemm, MatMul ...) and the activation that is its only consumer, unless
//   they
//                run on different platforms and the compute operation's output is quantized
//   swish        compute -> Sigmoid -> Mul(compute, .), also "Swish" in activations
//   mish         compute -> Softplus -> Tanh -> Mul(compute, .), also "Mish" in activations, and the operation Mish;
//                with float_inside, Softplus and Tanh may be float: nothing in between is rounded
//   passive      MaxPool, Reshape ... share the scale of their input 0 if its producer is on the same platform
//   relu_clip    any quantized operation and the Relu or Clip that is its only consumer; not one that moves values
//                which are rounded further upstream: they keep the scale that they have there
// With only_fused, activations that no pattern contains are not quantized: the target computes them in float. With
// whole_tensors, element-wise operations on tensors with scales are quantized as MNN does, and Conv with groups are not
// (core/pass/mnn_codes.h).
// All operations of a pattern must be quantized; tensors in between must have no other consumers and not be graph
// outputs.
#include "core/base/error.h"
#include "core/ir/op_traits.h"
#include "core/ir/search.h"
#include "core/pass/mnn_codes.h"
#include "core/pass/slots.h"
#include "core/platform/definition.h"

#include <set>

namespace ql {

static const Origin quantizeFusionOrigin = Origin::pass("quantize_fusion");

class QuantizeFusion final : public Pass
{
public:
    explicit QuantizeFusion(const nlohmann::json &params)
        : m_swish(params["swish"]), m_mish(params["mish"]), m_passive(params["passive"]),
          m_reluClip(params["relu_clip"]), m_onlyFused(params["only_fused"]), m_wholeTensors(params["whole_tensors"]),
          m_floatInside(params["float_inside"])
    {
        for (const std::string type : params["activations"]) {
            if (type == "Swish")
                m_swish = true;
            else if (type == "Mish")
                m_mish = true;
            else
                m_activations.insert(type == "SoftPlus" ? "Softplus" : type);
        }
        if (m_mish) m_activations.insert("Mish");
        for (const std::string type : params["passive_types"]) m_passiveTypes.insert(type);
    }

    std::string_view id() const override { return "quantize_fusion"; }

    int run(QuantModel &model, const PassContext &context) const override
    {
        const GraphSearch search(model.graph);
        const auto quantized = [&](const Operation &op) { return model.isQuantized(op.id); };
        const auto computing = [&](const Operation &op) { return quantized(op) && isComputing(op); };
        const auto quantizedType = [&](const char *type) {
            return [&quantized, type](const Operation &op) { return op.type == type && quantized(op); };
        };
        int changed = m_wholeTensors ? keepGroupsInFloat(model) : 0;

        OpPattern activation;
        activation.nodes = {computing,
                            [&](const Operation &op) { return m_activations.contains(op.type) && quantized(op); }};
        activation.edges = {{0, 1}};
        std::set<OpId> fused;
        for (const auto &match : search.match(activation)) {
            if (splitsPlatforms(model, match, context)) continue;
            fused.insert(match[1]);
            changed += overlapSlot(model.plan, outputSlot(match[0]), outputSlot(match[1]), quantizeFusionOrigin);
            changed += overlapSlot(model.plan, inputSlot(match[1], 0), outputSlot(match[1]), quantizeFusionOrigin);
        }
        if (m_onlyFused) changed += eraseOthers(model, fused);
        if (m_swish) {
            OpPattern swish;
            swish.nodes = {computing, quantizedType("Sigmoid"), quantizedType("Mul")};
            swish.edges = {{0, 1}, {1, 2}, {0, 2}};
            changed += fuseComposed(model, search.match(swish), context);
        }
        if (m_mish) {
            OpPattern mish;
            const auto inside = [&](const char *type) -> OpPredicate {
                return m_floatInside ? ofType(type) : quantizedType(type);
            };
            mish.nodes = {computing, inside("Softplus"), inside("Tanh"), quantizedType("Mul")};
            mish.edges = {{0, 1}, {1, 2}, {2, 3}, {0, 3}};
            changed += fuseComposed(model, search.match(mish), context);
        }
        if (m_passive) changed += fusePassive(model, search);
        if (m_reluClip) {
            OpPattern pair;
            pair.nodes = {quantized, [&](const Operation &op) { return isLinearActivation(op) && quantized(op); }};
            pair.edges = {{0, 1}};
            for (const auto &match : search.match(pair)) {
                const VarId read = model.graph.operation(match[1]).inputs[0];
                const Slot written = outputSlot(match[0], std::size_t(model.graph.variable(read).producerIndex));
                if (!isOnGridUpstream(model, written))
                    changed += overlapSlot(model.plan, written, outputSlot(match[1]), quantizeFusionOrigin);
                changed += overlapSlot(model.plan, inputSlot(match[1], 0), outputSlot(match[1]), quantizeFusionOrigin);
            }
        }
        if (m_wholeTensors) changed += quantizeAsMnn(model);
        return changed;
    }

private:
    /// The output of an operation that only moves values, which its producer has rounded to the same kind of grid.
    static bool isOnGridUpstream(const QuantModel &model, Slot output)
    {
        const TensorQuantConfig *config = model.plan.find(output);
        if (!config || model.plan.root(output) != inputSlot(output.op, 0)) return false;
        const Variable &read = model.graph.variable(model.graph.operation(output.op).inputs[0]);
        return roundsAgain(model.plan, inputSlot(output.op, 0),
                           outputSlot(read.producer, std::size_t(read.producerIndex)));
    }

    int eraseOthers(QuantModel &model, const std::set<OpId> &fused) const
    {
        int changed = 0;
        for (const OpId id : model.graph.operations()) {
            if (!m_activations.contains(model.graph.operation(id).type) || !model.isQuantized(id) || fused.contains(id))
                continue;
            model.plan.erase(id);
            ++changed;
        }
        return changed;
    }

    /// The compute operation's output is quantized on one platform and the activation runs on another one.
    bool splitsPlatforms(const QuantModel &model, const std::vector<OpId> &match, const PassContext &context) const
    {
        if (model.platformOf(match[0]) == model.platformOf(match[1])) return false;
        const TensorQuantConfig *output = model.plan.find(outputSlot(match[0]));
        if (!output || output->state == QuantState::Off) return false;
        reportSplit(model, match, context);
        return true;
    }

    static void reportSplit(const QuantModel &model, const std::vector<OpId> &match, const PassContext &context)
    {
        const Operation &last = model.graph.operation(match.back());
        context.report(
            {.severity = api::Severity::Warning,
             .op = model.graph.operation(match[0]).name,
             .message = QL_TEXT("not fused with %1 '%2': they run on different platforms (%3, %4)")
                            .with(last.type, last.name, model.platformOf(match[0]), model.platformOf(match.back())),
             .remedy =
                 QL_TEXT("Dispatch both to the same platform, or accept that the tensor between them is quantized.")});
    }

    /// Everything from the first operation to the last one's output is one tensor for the target.
    static int fuseComposed(QuantModel &model, const std::vector<std::vector<OpId>> &matches,
                            const PassContext &context)
    {
        int changed = 0;
        for (const auto &match : matches) {
            const bool together = std::all_of(match.begin(), match.end(), [&](OpId op) {
                return model.platformOf(op) == model.platformOf(match[0]) || !model.isQuantized(op);
            });
            if (!together) {
                reportSplit(model, match, context);
                continue;
            }
            const Slot result = outputSlot(match.back());
            changed += overlapSlot(model.plan, outputSlot(match[0]), result, quantizeFusionOrigin);
            for (std::size_t i = 1; i + 1 < match.size(); ++i) {
                changed += overlapSlot(model.plan, inputSlot(match[i], 0), result, quantizeFusionOrigin);
                changed += overlapSlot(model.plan, outputSlot(match[i]), result, quantizeFusionOrigin);
            }
            changed += overlapSlot(model.plan, inputSlot(match.back(), 0), result, quantizeFusionOrigin);
            changed += overlapSlot(model.plan, inputSlot(match.back(), 1), result, quantizeFusionOrigin);
        }
        return changed;
    }

    int fusePassive(QuantModel &model, const GraphSearch &search) const
    {
        int changed = 0;
        for (const OpId id : search.operations()) {
            const Operation &op = model.graph.operation(id);
            const bool passive = m_passiveTypes.empty() ? isPassive(op) : m_passiveTypes.contains(op.type);
            if (!passive || !model.isQuantized(id) || !op.hasInput(0)) continue;
            const OpId producer = model.graph.variable(op.inputs[0]).producer;
            if (producer == noOp || model.platformOf(producer) != model.platformOf(id)) continue;
            for (std::size_t o = 0; o < op.outputs.size(); ++o)
                changed += overlapSlot(model.plan, outputSlot(id, o), inputSlot(id, 0), quantizeFusionOrigin);
        }
        return changed;
    }

    std::set<std::string> m_activations, m_passiveTypes;
    bool m_swish, m_mish, m_passive, m_reluClip, m_onlyFused, m_wholeTensors, m_floatInside;
};

/// Which activations the target fuses; the composed ones (Swish = x * sigmoid(x), Mish = x * tanh(softplus(x))) are
/// patterns with their own switch.
static nlohmann::json fusionOf(const PlatformDefinition &platform)
{
    std::vector<std::string> types = platform.fuseActivations;
    const bool swish = std::erase(types, "Swish") > 0;
    const bool mish = std::erase(types, "Mish") > 0;
    nlohmann::json params;
    params["activations"] = types;
    params["swish"] = swish;
    params["mish"] = mish;
    if (!platform.passiveTypes.empty()) params["passive_types"] = platform.passiveTypes;
    return params;
}

static const PassRegistrar quantizeFusionRegistrar{
    {.info = {.id = "quantize_fusion",
              .title = QL_TEXT("Fusion"),
              .meaning = QL_TEXT(
                  "Before: Conv, its output quantized, Relu, its output quantized. After: only the output of Relu "
                  "is quantized. "
                  "The same for operations that only move values (Reshape, MaxPool ...)."),
              .params =
                  {{.name = "activations",
                    .type = "strings",
                    .fallback = nlohmann::json::array({"Relu", "Clip"}),
                    .meaning = QL_TEXT(
                        "Activations that the target executes together with the Conv, Gemm or MatMul before them."),
                    .follows = "fuse_activations"},
                   {.name = "swish",
                    .type = "bool",
                    .fallback = false,
                    .meaning = QL_TEXT("Also fuse x * Sigmoid(x)."),
                    .follows = "fuse_activations"},
                   {.name = "mish",
                    .type = "bool",
                    .fallback = false,
                    .meaning = QL_TEXT("Also fuse x * Tanh(Softplus(x))."),
                    .follows = "fuse_activations"},
                   {.name = "passive",
                    .type = "bool",
                    .fallback = true,
                    .meaning = QL_TEXT("Let operations that only move values keep the scale of their input.")},
                   {.name = "passive_types",
                    .type = "strings",
                    .fallback = nlohmann::json::array(),
                    .meaning =
                        QL_TEXT("Which operations only move values; empty: MaxPool, GlobalMaxPool, Reshape, Flatten, "
                                "Identity, Pad, Split, "
                                "Transpose, Interp, Squeeze, Unsqueeze."),
                    .follows = "passive"},
                   {.name = "relu_clip",
                    .type = "bool",
                    .fallback = true,
                    .meaning = QL_TEXT("Fuse Relu and Clip into any operation before them.")},
                   {.name = "only_fused",
                    .type = "bool",
                    .fallback = false,
                    .meaning = QL_TEXT("Activations that are not fused stay in float.")},
                   {.name = "whole_tensors",
                    .type = "bool",
                    .fallback = false,
                    .meaning = QL_TEXT("An element-wise operation on tensors with scales is quantized, too, if a Conv, "
                                       "Gemm or MatMul reads its result quantized.")},
                   {.name = "float_inside",
                    .type = "bool",
                    .fallback = false,
                    .meaning = QL_TEXT("Fuse x * Tanh(Softplus(x)) even if Softplus and Tanh run in float.")}}},
     .traits = {.kind = PassKind::Quant, .joins = {PassAspect::ActivationScales}},
     .make = makePassOf<QuantizeFusion>,
     .valuesFrom = fusionOf}};

} // namespace ql
