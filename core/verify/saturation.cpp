// vpmaddubsw multiplies unsigned bytes by signed ones and adds pairs of products to 16 bits with saturation: two times
// 255 * 127 does not fit. Signed activations are shifted by 128 before. Which products form a pair depends on the
// layout.
#include "core/verify/saturation.h"

#include "core/quant/integer_arithmetic.h"
#include "core/quant/quantize.h"
#include "core/verify/explained.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ql {

namespace {

/// More products than this take too long.
constexpr double mostProducts = 2e9;
constexpr std::int32_t lowest16 = -32768, highest16 = 32767;
constexpr std::int32_t signedShift = 128;

/// The order in which products are paired.
enum class Pairing { Channels, Window };

struct Convolution
{
    OpId op = noOp;
    VarId input = noVar, output = noVar;
    at::Tensor weight;              ///< codes, int32, [O, C, H, W]
    std::vector<float> weightScale; ///< 1 or O
    float inputScale = 1;
    std::int32_t inputZero = 0, shift = 0; ///< shift: added to codes so that they are unsigned
    std::vector<std::int64_t> strides, pads, dilations;
};

std::optional<Convolution> convolutionIn(const LocalContext &context, const Segment &segment)
{
    const Graph &graph = context.model.graph;
    const QuantPlan &plan = context.model.plan;
    for (const OpId id : segment.operations) {
        const Operation &op = graph.operation(id);
        if (op.type != "Conv" || op.intAttribute("group", 1) != 1 || !op.hasInput(1) ||
            !graph.isParameter(op.inputs[1]))
            continue;
        const Slot weightSlot = inputSlot(id, 1);
        const TensorQuantConfig *weight = plan.simulated(weightSlot);
        const std::optional<Slot> inputRounding = roundingSlot(context.model, op.inputs[0]);
        const at::Tensor &value = plan.parameterValue(graph, op.inputs[1]);
        if (!weight || !inputRounding || value.dim() != 4 || op.stringAttribute("auto_pad", "NOTSET") != "NOTSET" ||
            plan.scale(*inputRounding).size() != 1 || weight->isFloating() || weight->bits > 8)
            continue;
        const TensorQuantConfig &input = *plan.simulated(*inputRounding);
        Convolution out;
        out.op = id;
        out.input = op.inputs[0];
        out.output = op.outputs[0];
        out.weightScale = targetWeightScale(graph, plan, id);
        out.weight = quantizeToInteger(value, *weight, plan.scale(weightSlot), plan.zeroPoint(weightSlot))
                         .to(at::kInt)
                         .contiguous();
        out.inputScale = plan.scale(*inputRounding)[0];
        out.inputZero = plan.zeroPoint(*inputRounding).at(0);
        out.shift = input.quantMin < 0 ? signedShift : 0;
        out.strides = op.intsAttribute("strides", {1, 1});
        out.pads = op.intsAttribute("pads", {0, 0, 0, 0});
        out.dilations = op.intsAttribute("dilations", {1, 1});
        return out;
    }
    return {};
}

/// One weight of an output channel: channel, row and column; the padding of an odd pair has channel -1.
struct Tap
{
    std::int64_t channel, row, column;
};

std::vector<std::array<Tap, 2>> pairsOf(const at::Tensor &weight, Pairing pairing)
{
    const std::int64_t channels = weight.size(1), rows = weight.size(2), columns = weight.size(3);
    std::vector<Tap> order;
    if (pairing == Pairing::Channels) {
        for (std::int64_t y = 0; y < rows; ++y)
            for (std::int64_t x = 0; x < columns; ++x) {
                for (std::int64_t c = 0; c < channels; ++c) order.push_back({c, y, x});
                if (channels % 2) order.push_back({-1, 0, 0});
            }
    } else {
        for (std::int64_t c = 0; c < channels; ++c)
            for (std::int64_t y = 0; y < rows; ++y)
                for (std::int64_t x = 0; x < columns; ++x) order.push_back({c, y, x});
        if (order.size() % 2) order.push_back({-1, 0, 0});
    }
    std::vector<std::array<Tap, 2>> pairs;
    for (std::size_t i = 0; i + 1 < order.size(); i += 2) pairs.push_back({order[i], order[i + 1]});
    return pairs;
}

/// What saturation takes away from the sums, in the values of the output. x: values of the input; like: of the output
at::Tensor lost(const Convolution &conv, const at::Tensor &x, const at::Tensor &like, Pairing pairing)
{
    const at::Tensor values = x.contiguous();
    const std::int64_t height = x.size(2), width = x.size(3);
    std::vector<std::int32_t> codes(std::size_t(values.numel()));
    const float *value = values.data_ptr<float>();
    for (std::size_t i = 0; i < codes.size(); ++i)
        codes[i] = std::int32_t(std::nearbyint(value[i] / conv.inputScale)) + conv.inputZero + conv.shift;
    const std::int32_t padding = conv.inputZero + conv.shift;
    const std::int32_t *weights = conv.weight.data_ptr<std::int32_t>();
    const auto sizes = conv.weight.sizes();
    const auto pairs = pairsOf(conv.weight, pairing);
    at::Tensor out = at::zeros_like(like).contiguous();
    float *to = out.data_ptr<float>();
    const std::int64_t plane = like.size(2) * like.size(3);
    std::vector<std::int64_t> sums(std::size_t(plane), 0); // of one output channel
    for (std::int64_t n = 0; n < like.size(0); ++n)
        for (std::int64_t o = 0; o < sizes[0]; ++o) {
            std::fill(sums.begin(), sums.end(), 0);
            for (const auto &pair : pairs) {
                for (std::int64_t i = 0; i < plane; ++i) {
                    std::int32_t sum = 0;
                    for (const Tap &tap : pair) {
                        if (tap.channel < 0) continue;
                        const std::int64_t row =
                            i / like.size(3) * conv.strides[0] - conv.pads[0] + tap.row * conv.dilations[0];
                        const std::int64_t column =
                            i % like.size(3) * conv.strides[1] - conv.pads[1] + tap.column * conv.dilations[1];
                        const bool isInside = row >= 0 && row < height && column >= 0 && column < width;
                        const std::int32_t code =
                            isInside
                                ? codes[std::size_t(((n * sizes[1] + tap.channel) * height + row) * width + column)]
                                : padding;
                        sum +=
                            code * weights[((o * sizes[1] + tap.channel) * sizes[2] + tap.row) * sizes[3] + tap.column];
                    }
                    sums[std::size_t(i)] += std::clamp(sum, lowest16, highest16) - sum;
                }
            }
            const double scale =
                double(conv.inputScale) * conv.weightScale[conv.weightScale.size() > 1 ? std::size_t(o) : 0];
            for (std::int64_t i = 0; i < plane; ++i)
                to[(n * sizes[0] + o) * plane + i] = float(double(sums[std::size_t(i)]) * scale);
        }
    return out;
}

} // namespace

std::optional<api::FirstDivergence> saturatingSums(const LocalContext &context, std::size_t index)
{
    const LocalProgram plain(context, index, false);
    const auto conv = convolutionIn(context, plain.segment());
    if (!conv) return {};
    const std::size_t input =
        std::size_t(std::find_if(context.tensors.begin(), context.tensors.end(),
                                 [&](const AlignedTensor &tensor) { return tensor.variable == conv->input; }) -
                    context.tensors.begin());
    const auto inputValue = [&](std::size_t batch) {
        const Variable &variable = context.model.graph.variable(conv->input);
        if (input < context.usable) return context.values(batch, context.tensors[input]);
        const at::Tensor raw = context.data.batch(batch).at(variable.name);
        return fakeQuant(raw, context.model.plan, *roundingSlot(context.model, conv->input));
    };
    if (input >= context.usable && context.model.graph.variable(conv->input).producer != noOp) return {};
    // The sums before rounding: of the tensor itself, or of one upstream
    const bool isRoundedHere = context.tensors[index].variable == conv->output;
    std::vector<AlignedTensor> tensors(context.tensors.begin(), context.tensors.end());
    tensors.push_back({conv->output, {}, {}, {}});
    const LocalContext sums{context.model,  context.executor, context.data, tensors,
                            context.usable, context.values,   context.job};
    const LocalProgram before(sums, isRoundedHere ? index : tensors.size() - 1, isRoundedHere);
    const auto exactSums = [&](std::size_t batch) {
        return isRoundedHere ? before.run(batch).raw : before.simulated(batch);
    };
    const at::Tensor example = exactSums(0);
    if (double(example.numel()) * double(conv->weight.numel()) / double(conv->weight.size(0)) *
            double(context.data.size()) >
        mostProducts)
        return {};
    for (const Pairing pairing : {Pairing::Channels, Pairing::Window}) {
        const auto saturated = [&](std::size_t batch) {
            const at::Tensor exact = exactSums(batch);
            return exact + lost(*conv, inputValue(batch), exact, pairing);
        };
        const Explained explained =
            isRoundedHere
                ? explainedBy(context, index,
                              [&](std::size_t batch) {
                                  return fakeQuant(saturated(batch), context.model.plan, *context.tensors[index].slot)
                                      .contiguous();
                              })
                : explainedBy(context, index, LocalProgram(context, index, false, Replaced{conv->output, saturated}));
        if (!explained.isProof()) continue;
        return api::FirstDivergence{
            {},
            {},
            api::cause::saturation,
            QL_TEXT(
                "the runtime adds pairs of products (%1) in 16 bits, as processors without VNNI instructions do: "
                "with sums that saturate so, the simulator gives the runtime's codes at %2 of %3 differing elements")
                .with(pairing == Pairing::Channels ? QL_TEXT("of neighbouring channels")
                                                   : QL_TEXT("of neighbouring weights of a window"),
                      explained.explained, explained.differing)};
    }
    return {};
}

} // namespace ql
