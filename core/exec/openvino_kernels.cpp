#include "core/exec/openvino_kernels.h"

#include "core/exec/program.h"
#include "core/exec/target_fusion.h"
#include "core/exec/target_rounding.h"
#include "core/ir/op_traits.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/round.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>

namespace ql {

namespace {

constexpr float highestCode = 255;

std::size_t consumersOf(const Graph &graph, VarId id)
{
    return graph.variable(id).uses.size() + (graph.isGraphOutput(id) ? 1 : 0);
}

/// What OpenVINO's choice between the addends depends on.
struct Addend
{
    VarId variable = noVar;
    Slot source;                 ///< rounds it
    bool isRoundedHere = false;  ///< by source, not upstream of operations that move values
    std::vector<Use> uses;       ///< of the pair of the file that rounds it, if isRoundedHere; or of the tensor
    bool hasSeveralUses = false; ///< or one, and is a graph output
    bool isOfLayer = false;      ///< the result of a Conv or MatMul, rounded
    bool isOneValue = false;     ///< per channel
    /// Whether its FakeQuantize also converts it, because nothing else reads its codes.
    bool isConvertedWhereRounded() const { return isRoundedHere && !hasSeveralUses; }
};

bool isOneValuePerChannel(const TensorType &type)
{
    if (!type.shape || type.shape->empty()) return false;
    const std::size_t rank = type.shape->size(), first = rank == 1 ? 0 : rank == 2 ? 1 : 2;
    return std::all_of(type.shape->begin() + std::ptrdiff_t(first), type.shape->end(),
                       [](const Dim &dim) { return dim.size == 1; });
}

std::optional<Addend> addendOf(const Graph &graph, const QuantPlan &plan, const Operation &add, std::size_t i,
                               const AppliedConfig &applied)
{
    const VarId id = add.inputs[i];
    if (id == noVar || graph.isParameter(id)) return std::nullopt;
    auto source = gridSource(graph, inputSlot(add.id, i), applied);
    if (!source) return std::nullopt;
    const Variable &variable = graph.variable(id);
    if (!source->output && variable.producer != noOp) { // the file has one pair for both if they are alike
        const Slot written = outputSlot(variable.producer, std::size_t(variable.producerIndex));
        if (applied(written) && plan.scale(written) == plan.scale(*source)) source = written;
    }
    Addend out;
    out.variable = id;
    out.source = *source;
    out.isRoundedHere = variableOf(graph, *source) == id;
    out.uses = variable.uses;
    const bool hasOwnPair = out.isRoundedHere && !source->output; // of the readers that round it alike
    if (hasOwnPair)
        std::erase_if(out.uses, [&](const Use &use) {
            if (use.op == noOp) return true;
            const Slot slot = inputSlot(use.op, std::size_t(use.index));
            return !applied(slot) || plan.scale(slot) != plan.scale(*source) ||
                   plan.zeroPoint(slot) != plan.zeroPoint(*source);
        });
    out.hasSeveralUses = out.uses.size() + (!hasOwnPair && graph.isGraphOutput(id) ? 1 : 0) > 1;
    const bool isComputed = out.isRoundedHere && variable.producer != noOp;
    const std::string &type = isComputed ? graph.operation(variable.producer).type : std::string();
    out.isOfLayer = type == "Conv" || type == "Gemm" || type == "MatMul";
    out.isOneValue = isOneValuePerChannel(variable.type);
    return out;
}

struct Addends
{
    std::array<Addend, 2> both;
    std::size_t converted = 0; ///< the one that is not added as codes
    const Addend &full() const { return both[converted]; }
    const Addend &other() const { return both[1 - converted]; }
};

/// EltwiseBaseTransformation::getNotEmpty
std::size_t convertedAddend(const Addend &first, const Addend &second)
{
    if (first.isRoundedHere != second.isRoundedHere) return first.isRoundedHere ? 0 : 1;
    if (first.isRoundedHere && first.hasSeveralUses != second.hasSeveralUses) return first.hasSeveralUses ? 1 : 0;
    if (first.isOfLayer == second.isOfLayer && (first.isOneValue || second.isOneValue)) return first.isOneValue ? 0 : 1;
    if (first.hasSeveralUses != second.hasSeveralUses) return first.hasSeveralUses ? 1 : 0;
    return first.isOfLayer || !second.isOfLayer ? 0 : 1;
}

std::optional<Addends> addendsOf(const Graph &graph, const QuantPlan &plan, const Operation &add,
                                 const AppliedConfig &applied)
{
    if (add.type != "Add" || !add.domain.empty() || add.inputs.size() != 2) return std::nullopt;
    const auto first = addendOf(graph, plan, add, 0, applied), second = addendOf(graph, plan, add, 1, applied);
    if (!first || !second) return std::nullopt;
    return Addends{.both = {*first, *second}, .converted = convertedAddend(*first, *second)};
}

/// Whether all other uses of the addend run before add, since add depends on them: add may overwrite it then.
bool isFreeFor(const Graph &graph, const Addend &addend, const Operation &add)
{
    if (addend.source.output && graph.isGraphOutput(addend.variable)) return false;
    std::unordered_set<OpId> upstream;
    std::vector<OpId> open{add.id};
    while (!open.empty()) {
        const OpId next = open.back();
        open.pop_back();
        for (const OpId producer : graph.producers(next))
            if (upstream.insert(producer).second) open.push_back(producer);
    }
    return std::all_of(addend.uses.begin(), addend.uses.end(),
                       [&](const Use &use) { return use.op == add.id || upstream.contains(use.op); });
}

/// Whether matches holds for a consumer of the tensor, or of what operations make of it that pass it on.
template <typename PassesOn, typename Matches>
bool reaches(const Graph &graph, VarId tensor, const PassesOn &passesOn, const Matches &matches)
{
    std::vector<VarId> open{tensor};
    while (!open.empty()) {
        const VarId id = open.back();
        open.pop_back();
        for (const Use &use : graph.variable(id).uses) {
            if (use.op == noOp) continue;
            const Operation &op = graph.operation(use.op);
            if (matches(op, use)) return true;
            if (passesOn(op) && op.outputs[0] != noVar) open.push_back(op.outputs[0]);
        }
    }
    return false;
}

/// The codes of an addend or of the sum: value = (unsigned code - zero) * scale
struct Codes
{
    float scale = 1, zero = 0;
    float readScale = 1; ///< scaleOfReadCodes()
    float lowest() const { return -zero * scale; }
    float highest() const { return (highestCode - zero) * scale; }
    float range() const { return highest() - lowest(); }
};

Codes codesOf(const Graph &graph, const QuantPlan &plan, Slot slot)
{
    const TensorQuantConfig &config = *plan.find(slot);
    return {.scale = plan.scale(slot)[0],
            .zero = float(plan.zeroPoint(slot)[0] - config.quantMin),
            .readScale = scaleOfReadCodes(graph, plan, slot)};
}

/// The addend a, with codes from, as c * (a - z) in steps of the other addend.
struct Converted
{
    float scale, zero;   ///< c and z
    float factor, shift; ///< of the output of its FakeQuantize, applied to unsigned codes

    Converted(const Codes &from, const Codes &other)
        : scale(from.readScale / other.readScale), zero(from.zero + other.readScale * other.zero / from.readScale)
    {
        const float lowest = (0 - zero) * scale, highest = (highestCode - zero) * scale;
        factor = (highest - lowest) / highestCode;
        shift = lowest;
    }
};

class OpenVinoAdd final : public PreparedKernel
{
public:
    /// How the addend a becomes c * (a - z).
    enum class Way {
        Rounded,    ///< its FakeQuantize writes it
        Clamped,    ///< likewise, without rounding to codes
        Operations, ///< two operations of their own
        Subgraph    ///< likewise, which OpenVINO generates one kernel for
    };

    /// rounding: of sums in steps of the other addend
    OpenVinoAdd(std::size_t converted, Way way, const Codes &from, const Codes &other, Step rounding)
        : m_converted(converted), m_way(way), m_from(from), m_other(other), m_by(from, other),
          m_rounding(std::move(rounding))
    {
        if (way != Way::Clamped) return;
        m_low = 0 * m_by.factor + m_by.shift;
        m_high = highestCode * m_by.factor + m_by.shift;
        const float toCodes = highestCode / from.range(), shift = -from.lowest() * highestCode / from.range();
        m_by.shift = shift * m_by.factor + m_by.shift;
        m_by.factor = toCodes * m_by.factor;
        constexpr float negligible = 0.00001f;
        if (std::abs(m_by.shift) < (m_high - m_low) * negligible) m_by.shift = 0;
    }

    std::vector<at::Tensor> run(const KernelContext &context, Inputs inputs) override
    {
        const at::Tensor &x = requiredInput(context, inputs, m_converted);
        const at::Tensor other = unsignedCodes(requiredInput(context, inputs, 1 - m_converted), m_other);
        at::Tensor sum;
        switch (m_way) {
        case Way::Rounded: sum = fusedMultiplyAdd(unsignedCodes(x, m_from), m_by.factor, m_by.shift).add(other); break;
        case Way::Clamped: sum = fusedMultiplyAdd(x, m_by.factor, m_by.shift).clamp_(m_low, m_high).add(other); break;
        case Way::Operations: sum = unsignedCodes(x, m_from).sub_(m_by.zero).mul_(m_by.scale).add_(other); break;
        case Way::Subgraph: {
            const at::Tensor away = unsignedCodes(x, m_from).sub_(m_by.zero).to(at::kDouble);
            sum = (away * m_by.scale + other).to(at::kFloat);
            break;
        }
        }
        return {roundedUnits(sum, m_rounding)};
    }

private:
    static at::Tensor unsignedCodes(const at::Tensor &x, const Codes &codes)
    {
        return at::round(x / codes.scale).add_(codes.zero);
    }

    std::size_t m_converted;
    Way m_way;
    Codes m_from, m_other;
    Converted m_by;              ///< if clamped, factor and shift are of the FakeQuantize's input and output
    float m_low = 0, m_high = 0; ///< if clamped
    Step m_rounding;
};

/// A Clip, which OpenVINO makes part of the rounding after it (CPU plug-in: FuseClampAndFakeQuantize).
bool hasConstantLimits(const Graph &graph, const Operation &op)
{
    if (op.type != "Clip" || !op.domain.empty() || !op.hasInput(0)) return false;
    return std::all_of(op.inputs.begin() + 1, op.inputs.end(),
                       [&](VarId limit) { return limit == noVar || graph.isParameter(limit); });
}

/// Whether only an Add reads the addend, the result of a Conv. OpenVINO makes no Subgraph of such an Add, even if
/// it cannot run in the kernel of the Conv (CPU plug-in: snippets_mark_skipped.cpp).
bool isOnlyOfConv(const Graph &graph, const Addend &addend)
{
    return addend.isRoundedHere && addend.source.output && !addend.hasSeveralUses &&
           graph.operation(addend.source.op).type == "Conv";
}

/// An Add that OpenVINO computes on codes.
struct AddOnCodes
{
    Addends addends;
    Slot result; ///< rounds the sum
};

/// The slot that rounds the sum: of its result, of a Relu or Clip after it, or of the only reader of that.
std::optional<Slot> roundingOfSum(const Graph &graph, const Operation &add, const AppliedConfig &applied)
{
    if (const auto result = roundedResult(graph, add, applied)) return result;
    VarId id = add.outputs[0];
    for (int i = 0; i < 2 && consumersOf(graph, id) == 1 && graph.variable(id).uses.size() == 1; ++i) {
        const Use &use = graph.variable(id).uses[0];
        if (use.op == noOp) break;
        const Slot slot = inputSlot(use.op, std::size_t(use.index));
        if (applied(slot)) return slot;
        if (!isLinearActivation(graph.operation(use.op))) break;
        id = graph.operation(use.op).outputs[0];
    }
    return std::nullopt;
}

std::optional<AddOnCodes> addOnCodes(const Graph &graph, const QuantPlan &plan, const Operation &op,
                                     const AppliedConfig &applied)
{
    if (!TargetKernel::isOfOpenVino(plan.kernelOf(op.id).sums)) return std::nullopt;
    const auto addends = addendsOf(graph, plan, op, applied);
    const auto result = addends ? roundingOfSum(graph, op, applied) : std::nullopt;
    if (!result) return std::nullopt;
    for (const Slot slot : {addends->full().source, addends->other().source, *result})
        if (targetRounding(plan, slot, *applied(slot)) != TargetRounding::TimesRangeFactor) return std::nullopt;
    return AddOnCodes{*addends, *result};
}

} // namespace

bool keepsAll(const Graph &graph, const Operation &op)
{
    if (op.type != "Slice" && op.type != "Reshape" && op.type != "Expand") return false;
    const auto &from = graph.variable(op.inputs[0]).type.shape;
    return from && from == graph.variable(op.outputs[0]).type.shape;
}

bool hasOpenShapes(const Graph &graph)
{
    const auto isOpen = [&](VarId id) { return !graph.variable(id).type.isStatic(); };
    return !graph.declaredShapes.empty() || std::any_of(graph.inputs().begin(), graph.inputs().end(), isOpen);
}

bool hasSignedCodes(const Graph &graph, const QuantPlan &plan, VarId tensor)
{
    if (tensor == noVar) return false;
    const Variable &variable = graph.variable(tensor);
    if (variable.producer == noOp || graph.operation(variable.producer).type != "Concat") return false;
    const auto passesOn = [&](const Operation &op) { return keepsAll(graph, op); };
    return reaches(graph, tensor, passesOn, [&](const Operation &op, const Use &use) {
        const TensorQuantConfig *config = plan.find(inputSlot(op.id, std::size_t(use.index)));
        return config && config->isPerChannel();
    });
}

float scaleOfRange(float scale)
{
    const float lowest = -128 * scale;
    return (127 * scale - lowest) / highestCode;
}

float scaleOfReadCodes(const Graph &graph, const QuantPlan &plan, Slot slot)
{
    const float scale = plan.scale(slot)[0];
    const bool isSigned = plan.find(slot)->quantMin < 0 && hasSignedCodes(graph, plan, variableOf(graph, slot));
    return isSigned ? scaleOfRange(scale) : scale;
}

OpId addedWithoutRounding(const Graph &graph, const QuantPlan &plan, const Operation &add, const AppliedConfig &applied)
{
    const auto addends = addendsOf(graph, plan, add, applied);
    if (!addends || !addends->full().isRoundedHere || addends->full().hasSeveralUses) return noOp;
    const OpId producer = graph.variable(addends->full().variable).producer;
    if (producer == noOp || !addends->full().source.output) return noOp;
    const Operation *conv = &graph.operation(producer);
    if (hasConstantLimits(graph, *conv)) {
        const Variable &limited = graph.variable(conv->inputs[0]);
        if (limited.producer == noOp || consumersOf(graph, limited.id) != 1 || applied(outputSlot(limited.producer)))
            return noOp;
        conv = &graph.operation(limited.producer);
    }
    const Addend &other = addends->other();
    const bool isWhole = // it cannot add into a result that is repeated along an axis
        graph.variable(conv->outputs[0]).type.shape == graph.variable(add.outputs[0]).type.shape;
    const bool isFused = conv->type == "Conv" && conv->domain.empty() && conv->inputs[0] != other.variable && isWhole;
    return isFused && isFreeFor(graph, other, add) ? producer : noOp;
}

bool runsInLayer(const Graph &graph, const QuantPlan &plan, const Operation &op, const AppliedConfig &applied)
{
    if (isComputing(op)) return op.type != "ConvTranspose";
    if (op.type == "Add" && op.domain.empty()) return addedWithoutRounding(graph, plan, op, applied) != noOp;
    const auto gate = gateOfSilu(graph, op);
    if (!gate && traitsOf(op).activation == Activation::None) return false;
    const VarId read = op.inputs[gate ? 1 - *gate : 0];
    if (read == noVar || graph.variable(read).producer == noOp || consumersOf(graph, read) != (gate ? 2 : 1))
        return false;
    const Variable &variable = graph.variable(read);
    return !applied(outputSlot(variable.producer, std::size_t(variable.producerIndex))) &&
           runsInLayer(graph, plan, graph.operation(variable.producer), applied);
}

std::vector<float> stepsOfDepthwise(const QuantPlan &plan, Slot input, std::vector<float> weight, std::size_t outputs)
{
    const std::vector<float> &scales = plan.scale(input);
    const bool isSigned = plan.find(input)->quantMin < 0;
    if (weight.size() == 1) weight.resize(outputs, weight[0]);
    for (std::size_t o = 0; o < outputs; ++o) {
        const float scale = scales[o / (outputs / scales.size())];
        weight[o] *= isSigned ? scaleOfRange(scale) : scale;
    }
    return weight;
}

std::vector<float> stepsOfSums(const Graph &graph, const QuantPlan &plan, Slot slot, const AppliedConfig &applied)
{
    const VarId rounded = variableOf(graph, slot);
    if (rounded == noVar || graph.variable(rounded).producer == noOp) return {};
    const Operation *op = &graph.operation(graph.variable(rounded).producer);
    if (op->type == "Relu" && op->domain.empty()) {
        const Variable &read = graph.variable(op->inputs[0]);
        if (read.producer == noOp) return {};
        op = &graph.operation(read.producer);
    }
    if (op->type != "Conv" || !op->domain.empty() || op->hasInput(2)) return {};
    const Slot input = inputSlot(op->id, 0);
    std::vector<float> steps = targetWeightScale(graph, plan, op->id);
    if (steps.empty()) return {};
    if (const auto source = gridSource(graph, input, applied)) {
        for (float &step : steps) step *= scaleOfReadCodes(graph, plan, *source);
        return steps;
    }
    const TensorQuantConfig *config = applied(input);
    if (!config || !config->isPerChannel() || !graph.isParameter(op->inputs[1]) ||
        op->intAttribute("group", 1) != std::int64_t(plan.scale(input).size()))
        return {};
    const at::Tensor &weight = graph.variable(op->inputs[1]).value;
    return stepsOfDepthwise(plan, input, std::move(steps), std::size_t(weight.size(0)));
}

float shiftBeforeRounding(const Graph &graph, const QuantPlan &plan, Slot slot, const AppliedConfig &applied)
{
    if (!slot.output || !runsInLayer(graph, plan, graph.operation(slot.op), applied)) return 0;
    const auto &uses = graph.variable(variableOf(graph, slot)).uses;
    if (uses.size() != 1 || uses[0].op == noOp) return 0;
    const auto add = addOnCodes(graph, plan, graph.operation(uses[0].op), applied);
    if (!add || add->addends.full().source != slot || !add->addends.full().isConvertedWhereRounded()) return 0;
    const Converted by(codesOf(graph, plan, slot), codesOf(graph, plan, add->addends.other().source));
    return by.factor == 1 && by.shift == std::trunc(by.shift) ? by.shift : 0;
}

std::shared_ptr<PreparedKernel> openVinoAdd(const Graph &graph, const QuantPlan &plan, const Operation &op,
                                            const AppliedConfig &applied)
{
    const auto add = addOnCodes(graph, plan, op, applied);
    if (!add) return nullptr;
    const Addend &full = add->addends.full(), &other = add->addends.other();
    auto way = hasOpenShapes(graph) ? OpenVinoAdd::Way::Operations : OpenVinoAdd::Way::Subgraph;
    if (full.isConvertedWhereRounded())
        way = resultAt(graph, plan, full.source) == TargetKernel::Result::Rounded ? OpenVinoAdd::Way::Rounded
                                                                                  : OpenVinoAdd::Way::Clamped;
    const bool isGenerated = way != OpenVinoAdd::Way::Clamped && !hasOpenShapes(graph) && !isOnlyOfConv(graph, full) &&
                             !isOnlyOfConv(graph, other);
    const Codes others = codesOf(graph, plan, other.source);
    Step rounding = quantizeStep(plan, add->result, *applied(add->result));
    rounding.rounding = isGenerated                      ? TargetRounding::TimesRangeFactorSeparately
                        : rounding.config.isPerChannel() ? TargetRounding::TimesRangeFactorOfChannels
                                                         : TargetRounding::TimesRangeFactor;
    rounding.grid.scale = others.readScale;
    rounding.sumSteps = {others.readScale};
    rounding.shift = shiftBeforeRounding(graph, plan, add->result, applied);
    return std::make_shared<OpenVinoAdd>(add->addends.converted, way, codesOf(graph, plan, full.source), others,
                                         std::move(rounding));
}

} // namespace ql
