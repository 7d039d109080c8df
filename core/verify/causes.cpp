// Each cause is a hypothesis about what the runtime computes instead. It is computed, too, and proven if it gives the
// runtime's values where these differ from the simulator's; otherwise the cause is unknown.
#include "core/verify/causes.h"

#include "core/exec/target_rounding.h"
#include "core/ir/op_traits.h"
#include "core/verify/explained.h"
#include "core/verify/saturation.h"

#include <ATen/ops/clamp.h>
#include <ATen/ops/equal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace ql {

namespace {

/// A rounding border this far away, in steps, is still within the errors of a float kernel of another precision.
constexpr double kernelDistance = 0.05;

std::string percent(double share)
{
    return Text::number(100 * share, 4).english() + " %";
}

// ---- the file

/// What the file says about the tensor, if that differs from the recipe.
std::optional<Text> fileEncoding(const LocalContext &context, const AlignedTensor &tensor)
{
    if (context.scalesAside) return {};
    if (!tensor.slot && !tensor.file.codes.empty())
        return QL_TEXT("the file rounds it with the scale %1, the recipe does not round it")
            .with(Text::number(tensor.file.scale.to(at::kFloat).max().item<float>(), 6));
    if (!tensor.steps.isQuantized()) return {};
    if (tensor.file.codes.empty())
        return QL_TEXT("the recipe rounds it with the scale %1, the file contains no quantize operation for it")
            .with(Text::number(tensor.steps.largest(), 6));
    const at::Tensor scales = tensor.file.scale.to(at::kFloat).contiguous();
    const float *scale = scales.data_ptr<float>();
    for (std::size_t c = 0; c < tensor.steps.scale.size() && std::int64_t(c) < scales.numel(); ++c)
        if (std::abs(scale[c] - tensor.steps.scale[c]) > 1e-6f * tensor.steps.scale[c])
            return QL_TEXT("its scale is %1 in the file and %2 in the recipe")
                .with(Text::number(scale[c], 6), Text::number(tensor.steps.scale[c], 6));
    const auto &zeros = context.model.plan.zeroPoint(*tensor.slot);
    if (scales.numel() != 1 || zeros.size() != 1 || !tensor.file.zeroPoint.defined()) return {};
    const std::int64_t zero = tensor.file.zeroPoint.to(at::kLong).item<std::int64_t>();
    constexpr int unsignedShift = 128; // an exporter may write the same codes unsigned
    if (zero != zeros[0] && zero != zeros[0] + unsignedShift)
        return QL_TEXT("its zero point is %1 in the file and %2 in the recipe").with(zero, zeros[0]);
    return {};
}

/// The constants that the file computes the tensor with, from the compared tensors upstream, if some are not as the
/// recipe exports them.
std::optional<Text> changedConstants(const LocalContext &context, const AlignedTensor &tensor)
{
    if (!context.file || !context.changedParameters || context.changedParameters->empty()) return {};
    std::set<std::string> seen;
    for (const AlignedTensor &other : context.tensors)
        if (other.variable != tensor.variable) {
            seen.insert(other.file.name);
            seen.insert(other.file.codes);
        }
    std::vector<Text> changed;
    std::vector<std::string> open{tensor.file.name};
    for (std::size_t i = 0; i < open.size(); ++i) {
        if (const auto found = context.changedParameters->find(open[i]); found != context.changedParameters->end())
            changed.push_back(found->second);
        if (const auto known = context.file->find(open[i]); known != context.file->end())
            for (const std::string &name : known->second.reads)
                if (seen.insert(name).second) open.push_back(name);
    }
    if (changed.empty()) return {};
    return QL_TEXT("the file was changed, or exported from another recipe: %1").with(Text::list(changed));
}

// ---- the rounding of its own values

double halfUp(double x)
{
    return std::floor(x + 0.5);
}
double halfDown(double x)
{
    return std::ceil(x - 0.5);
}
double halfTowardsZero(double x)
{
    return std::copysign(std::ceil(std::abs(x) - 0.5), x);
}

struct RoundingRule
{
    const char *name;
    double (*apply)(double);
};
constexpr std::array<RoundingRule, 8> roundingRules{{{"half_even", std::nearbyint},
                                                     {"half_up", halfUp},
                                                     {"half_down", halfDown},
                                                     {"half_away_from_zero", std::round},
                                                     {"half_towards_zero", halfTowardsZero},
                                                     {"towards_zero", std::trunc},
                                                     {"down", std::floor},
                                                     {"up", std::ceil}}};

/// Counts over the differing elements.
struct Counts
{
    std::int64_t differing = 0, nearBorder = 0, unrounded = 0, clamped = 0, exactTies = 0;
    std::array<std::int64_t, roundingRules.size()> rounded{}, broken{}; ///< broken: equal elements that a rule changes
    double farthest = 0;                                                ///< largest distance to a border
};

/// The counts of one batch. codes: [lowest, highest], relative to the zero point
void count(Counts &counts, const AlignedTensor &tensor, const LocalValues &values, double lowest, double highest)
{
    const float *r = values.runtime.data_ptr<float>(), *s = values.simulator.data_ptr<float>(),
                *raw = values.raw.data_ptr<float>();
    const Steps::OfTensor steps(tensor.steps, values.simulator);
    for (std::int64_t i = 0; i < values.simulator.numel(); ++i) {
        const double step = steps[i], same = sameCode + 2e-7 * std::abs(s[i]) / step;
        const double code = r[i] / step, before = double(raw[i]) / step;
        const double apart = std::abs(code - double(s[i]) / step);
        const auto isRounded = [&](std::size_t rule) {
            return std::abs(code - std::clamp(roundingRules[rule].apply(before), lowest, highest)) <= same;
        };
        if (apart <= same) {
            for (std::size_t rule = 0; rule < roundingRules.size(); ++rule) counts.broken[rule] += !isRounded(rule);
            continue;
        }
        ++counts.differing;
        const double border = borderDistance(before);
        counts.farthest = std::max(counts.farthest, border);
        counts.exactTies += border == 0;
        counts.nearBorder += border <= kernelDistance && apart <= 1 + same;
        counts.unrounded += std::abs(code - before) <= 10 * same;
        counts.clamped += std::abs(code - std::clamp(before, lowest, highest)) <= 10 * same;
        for (std::size_t rule = 0; rule < roundingRules.size(); ++rule) counts.rounded[rule] += isRounded(rule);
    }
}

/// The range of codes, relative to the zero point; wide without one.
std::pair<double, double> codeRange(const LocalContext &context, const AlignedTensor &tensor)
{
    const QuantPlan &plan = context.model.plan;
    const TensorQuantConfig &config = *plan.simulated(*tensor.slot);
    const auto &zeros = plan.zeroPoint(*tensor.slot);
    const double zero = zeros.size() == 1 ? zeros[0] : 0;
    return {double(config.quantMin) - zero, double(config.quantMax) - zero};
}

api::FirstDivergence divergence(const char *cause, Text evidence)
{
    api::FirstDivergence found;
    found.cause = cause;
    found.evidence = std::move(evidence);
    return found;
}

/// Whether the runtime rounds to multiples of another step: the smallest magnitude that it computes.
std::optional<api::FirstDivergence> otherStep(const LocalContext &context, std::size_t index)
{
    const AlignedTensor &tensor = context.tensors[index];
    if (tensor.steps.scale.size() != 1) return {};
    double step = 0;
    const LocalProgram program(context, index, true);
    for (std::size_t batch = 0; batch < context.data.size(); ++batch) {
        const LocalValues values = program.run(batch);
        if (!values.raw.defined() || values.raw.numel() != values.simulator.numel()) return {};
        const float *r = values.runtime.data_ptr<float>();
        for (std::int64_t i = 0; i < values.runtime.numel(); ++i)
            if (r[i] != 0 && (step == 0 || std::abs(r[i]) < step)) step = std::abs(r[i]);
    }
    if (step == 0 || std::abs(step - tensor.steps.scale[0]) <= sameCode * step) return {};
    std::int64_t differing = 0, explained = 0, otherwise = 0;
    for (std::size_t batch = 0; batch < context.data.size(); ++batch) {
        const LocalValues values = program.run(batch);
        const float *r = values.runtime.data_ptr<float>(), *s = values.simulator.data_ptr<float>(),
                    *raw = values.raw.data_ptr<float>();
        for (std::int64_t i = 0; i < values.runtime.numel(); ++i) {
            const bool differs =
                std::abs(double(r[i]) - s[i]) > sameCode * tensor.steps.scale[0] + 2e-7 * std::abs(s[i]);
            const double code = r[i] / step, before = raw[i] / step;
            // one way at a border, whichever
            const bool isMultiple =
                std::abs(code - std::nearbyint(code)) <= sameCode && std::abs(code - before) <= 0.5 + sameCode;
            differing += differs;
            explained += differs && isMultiple;
            otherwise += !differs && !isMultiple;
        }
    }
    if (differing == 0 || double(explained) < provenShare * double(differing) || otherwise > differing / 10) return {};
    return divergence(
        api::cause::encoding,
        QL_TEXT("the runtime rounds it to multiples of %1 instead of %2: this explains %3 of %4 differing elements")
            .with(Text::number(step, 6), Text::number(tensor.steps.scale[0], 6), explained, differing));
}

std::optional<api::FirstDivergence> ownRounding(const LocalContext &context, std::size_t index)
{
    const AlignedTensor &tensor = context.tensors[index];
    Counts counts;
    const LocalProgram program(context, index, true);
    const auto [lowest, highest] = codeRange(context, tensor);
    for (std::size_t batch = 0; batch < context.data.size(); ++batch) {
        const LocalValues values = program.run(batch);
        if (!values.raw.defined() || values.raw.numel() != values.simulator.numel()) return {};
        count(counts, tensor, values, lowest, highest);
    }
    if (counts.differing == 0) return {};
    const auto share = [&](std::int64_t n) { return double(n) / double(counts.differing); };
    if (share(counts.clamped) >= provenShare)
        return divergence(
            api::cause::encoding,
            share(counts.unrounded) >= provenShare
                ? QL_TEXT("the runtime does not round it: %1 of %2 differing elements equal the simulator's "
                          "value before rounding")
                      .with(counts.unrounded, counts.differing)
                : QL_TEXT("the runtime only clamps it to the range of its codes: %1 of %2 differing elements "
                          "equal the simulator's value before rounding, clamped")
                      .with(counts.clamped, counts.differing));
    const auto best = std::max_element(counts.rounded.begin() + 1, counts.rounded.end());
    const bool breaks = counts.broken[std::size_t(best - counts.rounded.begin())] > counts.differing / 10;
    if (!breaks && share(*best) >= provenShare && share(counts.nearBorder) < provenShare)
        return divergence(
            api::cause::rounding,
            QL_TEXT("rounding '%1' gives the runtime's codes at %2 of %3 differing elements")
                .with(roundingRules[std::size_t(best - counts.rounded.begin())].name, *best, counts.differing));
    if (!breaks && share(*best) >= provenShare && share(counts.exactTies) >= provenShare)
        return divergence(
            api::cause::rounding,
            QL_TEXT("exact ties: rounding '%1' gives the runtime's codes at %2 of %3 differing elements")
                .with(roundingRules[std::size_t(best - counts.rounded.begin())].name, *best, counts.differing));
    if (counts.nearBorder == counts.differing)
        return divergence(
            api::cause::floatKernel,
            QL_TEXT("the %1 differing elements are one step apart, and the simulator's values before rounding "
                    "are within %2 steps of the boundary between two codes: sums of another order or precision")
                .with(counts.differing, Text::number(counts.farthest, 2)));
    return {};
}

// ---- the rounding of the tensors that it is computed from

/// The values as the plan's codes can hold them, not rounded.
at::Tensor clampedToCodes(const at::Tensor &values, const QuantPlan &plan, Slot slot)
{
    const TensorQuantConfig &config = *plan.simulated(slot);
    if (plan.scale(slot).size() != 1) return values;
    const double scale = plan.scale(slot)[0];
    const double zero = plan.zeroPoint(slot).empty() ? 0 : plan.zeroPoint(slot)[0];
    return at::clamp(values, scale * (double(config.quantMin) - zero), scale * (double(config.quantMax) - zero));
}

/// Whether the rounding of program's tensor changes any value of it.
bool changesValues(const LocalProgram &program, std::size_t batches)
{
    for (std::size_t batch = 0; batch < batches; ++batch)
        if (const at::Tensor raw = program.run(batch).raw;
            !raw.defined() || !at::equal(raw, program.simulated(batch).reshape(raw.sizes())))
            return true;
    return false;
}

std::optional<api::FirstDivergence> fusedProducer(const LocalContext &context, std::size_t index)
{
    const Graph &graph = context.model.graph;
    const LocalProgram plain(context, index, false);
    std::optional<api::FirstDivergence> best;
    double bestShare = 0;
    for (std::size_t u = 0; u < context.usable; ++u) {
        const AlignedTensor &upstream = context.tensors[u];
        const auto &feeds = plain.segment().feeds;
        if (u == index || !upstream.steps.isQuantized() || upstream.isInput(graph) ||
            std::find(feeds.begin(), feeds.end(), upstream.variable) == feeds.end())
            continue;
        const LocalProgram before(context, u, true);
        if (!changesValues(before, context.data.size())) continue; // without rounding it would be the same
        for (const bool clamped : {true, false}) {
            const auto value = [&](std::size_t batch) {
                const at::Tensor raw = before.run(batch).raw;
                return clamped ? clampedToCodes(raw, context.model.plan, *upstream.slot) : raw;
            };
            const Explained explained =
                explainedBy(context, index, LocalProgram(context, index, false, Replaced{upstream.variable, value}));
            if (!explained.isProof() || explained.share() < bestShare) continue;
            bestShare = explained.share();
            const Variable &variable = graph.variable(upstream.variable);
            const std::string from = graph.operation(variable.producer).name;
            best = divergence(
                api::cause::fused,
                (clamped ? QL_TEXT("the runtime fuses '%1' into this operation and clamps '%2' between them "
                                   "without rounding it: computed this way, the simulator gives the runtime's "
                                   "codes at %3 of %4 differing elements (%5)")
                         : QL_TEXT("the runtime fuses '%1' into this operation and does not round '%2' between "
                                   "them: computed this way, the simulator gives the runtime's codes at %3 of "
                                   "%4 differing elements (%5)"))
                    .with(from, variable.name, explained.explained, explained.differing, percent(explained.share())));
        }
    }
    return best;
}

// ---- a rounding between the compared tensors

/// values as the slot rounds them, but by the rule where the border of two codes is next to a value; without a rule, to
/// the other of the two. ties: receives their number.
at::Tensor roundedOtherwise(const at::Tensor &values, const QuantModel &model, Slot slot, const RoundingRule *rule,
                            std::int64_t &ties)
{
    at::Tensor out = roundedForTarget(values, model.graph, model.plan, slot).contiguous().clone();
    const at::Tensor before = values.contiguous();
    const Steps steps = stepsOf(model, slot);
    const Steps::OfTensor step(steps, out);
    float *rounded = out.data_ptr<float>();
    const float *from = before.data_ptr<float>();
    for (std::int64_t i = 0; i < out.numel(); ++i) {
        const double code = double(from[i]) / step[i];
        if (borderDistance(code) > tieDistance || std::abs(rounded[i] / step[i] - code) > 0.5 + tieDistance) continue;
        const double other = rounded[i] / step[i] > code ? std::floor(code) : std::ceil(code);
        rounded[i] = float((rule ? rule->apply(std::floor(code) + 0.5) : other) * step[i]);
        ++ties;
    }
    return out;
}

/// Whether ties where an operation rounds a float tensor upstream, or an input of the graph, explain the runtime's
/// codes: each with the other code, or all by another rule.
std::optional<api::FirstDivergence> tiesUpstream(const LocalContext &context, std::size_t index,
                                                 const api::LocalAgreement &local)
{
    const Graph &graph = context.model.graph;
    const LocalProgram plain(context, index, false);
    for (const VarId feed : plain.segment().feeds) {
        const Variable &variable = graph.variable(feed);
        const auto end = context.tensors.begin() + std::ptrdiff_t(context.usable);
        const auto known = std::find_if(context.tensors.begin(), end,
                                        [&](const AlignedTensor &tensor) { return tensor.variable == feed; });
        const bool isInput = variable.producer == noOp;
        if (!isInput && (known == end || known->steps.isQuantized())) continue;
        if (variable.uses.size() != 1 || variable.uses[0].op == noOp) continue;
        const Slot slot = inputSlot(variable.uses[0].op, std::size_t(variable.uses[0].index));
        if (!context.model.plan.simulated(slot) || !stepsOf(context.model, slot).isQuantized()) continue;
        std::int64_t ties = 0;
        const auto explainedWith = [&](const RoundingRule *rule) {
            ties = 0;
            const auto value = [&](std::size_t batch) {
                const at::Tensor before =
                    isInput ? context.data.batch(batch).at(variable.name) : context.values(batch, *known);
                return roundedOtherwise(before, context.model, slot, rule, ties);
            };
            return explainedBy(context, index, LocalProgram(context, index, false, Replaced{feed, value}));
        };
        // Most of the ties fall on the simulator's side in the runtime, too: what the others change counts
        const Explained explained = explainedWith(nullptr);
        const double proven = double(explained.explained + local.ties);
        if (explained.explained > 0 && proven >= provenShare * double(explained.differing))
            return divergence(api::cause::tie,
                              QL_TEXT("'%1' rounds '%2', %3 of whose elements are within %4 steps of the border of two "
                                      "codes: with the other code, the simulator gives the runtime's codes at %5 of %6 "
                                      "differing elements; %7 are ties themselves")
                                  .with(graph.operation(slot.op).name, variable.name, ties, Text::number(tieDistance),
                                        explained.explained, explained.differing, local.ties));
        for (const RoundingRule &rule : roundingRules)
            if (const Explained ruled = explainedWith(&rule); ruled.isProof())
                return divergence(api::cause::rounding,
                                  QL_TEXT("'%1' rounds '%2', %3 of whose elements are within %4 steps of the border of "
                                          "two codes: with the rounding '%5' there, the simulator gives the runtime's "
                                          "codes at %6 of %7 differing elements")
                                      .with(graph.operation(slot.op).name, variable.name, ties,
                                            Text::number(tieDistance), rule.name, ruled.explained, ruled.differing));
    }
    return {};
}

// ---- attributes that runtimes read differently

struct OtherRule
{
    const char *type, *attribute;
    std::vector<Attribute> values;
};

const std::vector<OtherRule> &otherRules()
{
    static const std::vector<OtherRule> rules{{"Resize",
                                               "coordinate_transformation_mode",
                                               {std::string("half_pixel"), std::string("pytorch_half_pixel"),
                                                std::string("align_corners"), std::string("asymmetric")}},
                                              {"Resize",
                                               "nearest_mode",
                                               {std::string("round_prefer_floor"), std::string("round_prefer_ceil"),
                                                std::string("floor"), std::string("ceil")}},
                                              {"AveragePool", "count_include_pad", {std::int64_t{0}, std::int64_t{1}}}};
    return rules;
}

std::optional<api::FirstDivergence> otherLayout(const LocalContext &context, std::size_t index)
{
    const LocalProgram plain(context, index, false);
    for (const OpId id : plain.segment().operations) {
        const Operation &op = context.model.graph.operation(id);
        for (const OtherRule &rule : otherRules()) {
            if (op.type != rule.type || !op.domain.empty()) continue;
            for (const Attribute &value : rule.values) {
                QuantModel model = context.model;
                model.graph.edit(id).attributes[rule.attribute] = value;
                const Executor executor(model.graph, {.threads = context.executor.threads()});
                LocalContext other{model,          executor,       context.data, context.tensors,
                                   context.usable, context.values, context.job};
                const Explained explained = explainedBy(context, index, LocalProgram(other, index, false));
                if (!explained.isProof()) continue;
                const auto *word = std::get_if<std::string>(&value);
                return divergence(api::cause::layout,
                                  QL_TEXT("%1 with '%2' = %3 gives the runtime's codes at %4 of %5 differing elements")
                                      .with(op.type, rule.attribute,
                                            word ? *word : std::to_string(std::get<std::int64_t>(value)),
                                            explained.explained, explained.differing));
            }
        }
    }
    return {};
}

api::FirstDivergence withoutProof(const AlignedTensor &tensor, const api::LocalAgreement &local)
{
    if (!tensor.steps.isQuantized())
        return divergence(api::cause::floatKernel,
                          QL_TEXT("a float operation: %1 elements differ by more than %2 of the largest magnitude, the "
                                  "largest difference is %3 of it")
                              .with(local.differing, Text::number(tolerancePart), Text::number(local.worstSteps, 3)));
    return divergence(
        api::cause::unknown,
        QL_TEXT("%1 elements differ, %2 of them at ties, by up to %3 steps; none of the known causes gives "
                "the runtime's values")
            .with(local.differing, local.ties, Text::number(local.worstSteps, 3)));
}

} // namespace

namespace {

/// Slots that round the values of variable: of its readers, and after operations that only move it.
std::vector<Slot> slotsDownstream(const QuantModel &model, VarId variable)
{
    std::vector<Slot> slots;
    std::vector<VarId> open{variable};
    for (std::size_t i = 0; i < open.size(); ++i)
        for (const Use &use : model.graph.variable(open[i]).uses) {
            if (use.op == noOp) continue;
            const Slot slot = inputSlot(use.op, std::size_t(use.index));
            if (model.plan.simulated(slot)) {
                slots.push_back(slot);
                continue;
            }
            const Operation &op = model.graph.operation(use.op);
            if (use.index != 0 || op.outputs.size() != 1 || !traitsOf(op).keepsGrid) continue;
            if (model.plan.simulated(outputSlot(op.id)))
                slots.push_back(outputSlot(op.id));
            else if (std::find(open.begin(), open.end(), op.outputs[0]) == open.end())
                open.push_back(op.outputs[0]);
        }
    return slots;
}

} // namespace

std::optional<api::FirstDivergence> movedRounding(const LocalContext &context, std::size_t index)
{
    const AlignedTensor &tensor = context.tensors[index];
    const Graph &graph = context.model.graph;
    if (tensor.steps.isQuantized()) return {};
    const LocalProgram program(context, index, false);
    for (const Slot &slot : slotsDownstream(context.model, tensor.variable)) {
        const TensorQuantConfig &config = *context.model.plan.simulated(slot);
        if (config.isFloating() || config.isGrouped() || config.dynamic || context.model.plan.scale(slot).size() != 1)
            continue;
        const double step = context.model.plan.scale(slot)[0];
        std::int64_t differing = 0, explained = 0;
        for (std::size_t batch = 0; batch < context.data.size(); ++batch) {
            const LocalValues values = program.run(batch);
            const at::Tensor rounded = roundedForTarget(values.simulator, graph, context.model.plan, slot);
            const float *r = values.runtime.data_ptr<float>(), *s = values.simulator.data_ptr<float>(),
                        *its = rounded.data_ptr<float>();
            for (std::int64_t i = 0; i < rounded.numel(); ++i) {
                if (std::abs(double(r[i]) - s[i]) <= sameCode * step) continue;
                ++differing;
                explained += std::abs(double(r[i]) - its[i]) <= sameCode * step;
            }
        }
        if (differing == 0 || double(explained) < provenShare * double(differing)) continue;
        const VarId variable = slot.output ? graph.operation(slot.op).outputs[0] : tensor.variable;
        api::FirstDivergence found = divergence(
            api::cause::fused,
            QL_TEXT("the runtime rounds '%2', upstream of '%1', instead of '%1': simulated like this, %3 of %4 "
                    "differing elements are equal")
                .with(graph.variable(variable).name, graph.variable(tensor.variable).name, explained, differing));
        found.op = graph.operation(slot.op).name;
        found.tensor = graph.variable(variable).name;
        return found;
    }
    return {};
}

std::optional<api::FirstDivergence> tieAtConsumer(const LocalContext &context, std::size_t index)
{
    const AlignedTensor &tensor = context.tensors[index];
    const Graph &graph = context.model.graph;
    const Variable &variable = graph.variable(tensor.variable);
    if (tensor.steps.isQuantized()) return {};
    std::optional<LocalProgram> program;
    for (const Use &use : variable.uses) {
        const Slot slot = use.op == noOp ? Slot() : inputSlot(use.op, std::size_t(use.index));
        const TensorQuantConfig *config = use.op == noOp ? nullptr : context.model.plan.simulated(slot);
        if (!config || config->isFloating() || config->isGrouped() || config->dynamic) continue;
        if (!program) program.emplace(context, index, false);
        const Steps steps = stepsOf(context.model, slot);
        std::int64_t differing = 0;
        double farthest = 0;
        for (std::size_t batch = 0; batch < context.data.size(); ++batch) {
            const LocalValues values = program->run(batch);
            const at::Tensor ours = roundedForTarget(values.simulator, graph, context.model.plan, slot),
                             theirs = roundedForTarget(values.runtime, graph, context.model.plan, slot);
            const Steps::OfTensor step(steps, values.simulator);
            const float *s = ours.data_ptr<float>(), *r = theirs.data_ptr<float>(),
                        *before = values.simulator.data_ptr<float>();
            for (std::int64_t i = 0; i < values.simulator.numel(); ++i) {
                if (std::abs(s[i] - r[i]) < 0.5 * step[i]) continue;
                ++differing;
                farthest = std::max(farthest, borderDistance(before[i] / step[i]));
            }
        }
        if (differing == 0 || farthest > kernelDistance) continue;
        return api::FirstDivergence{
            use.op == noOp ? std::string() : graph.operation(use.op).name, variable.name, api::cause::tie,
            QL_TEXT(
                "'%1' rounds %2 elements of it to other codes: the values in the runtime and in the simulator agree "
                "within the tolerance and are within %3 steps of the boundary between two codes")
                .with(graph.operation(use.op).name, differing, Text::number(farthest, 2))};
    }
    return {};
}

/// Values of the runtime that are infinite or not a number, where the simulator's are numbers.
static std::optional<api::FirstDivergence> notFinite(const LocalContext &context, std::size_t index)
{
    const LocalProgram program(context, index, false);
    std::int64_t count = 0;
    for (std::size_t batch = 0; batch < context.data.size(); ++batch) {
        const LocalValues values = program.run(batch);
        const float *r = values.runtime.data_ptr<float>(), *s = values.simulator.data_ptr<float>();
        for (std::int64_t i = 0; i < values.simulator.numel(); ++i)
            count += std::isfinite(s[i]) && !std::isfinite(r[i]);
    }
    if (count == 0) return {};
    return divergence(
        api::cause::unknown,
        QL_TEXT("%1 elements are infinite or not a number in the runtime, but not in the simulator").with(count));
}

api::FirstDivergence causeOf(const LocalContext &context, std::size_t index, const api::LocalAgreement &local)
{
    const AlignedTensor &tensor = context.tensors[index];
    const auto named = [&](api::FirstDivergence result) {
        const Variable &variable = context.model.graph.variable(tensor.variable);
        result.tensor = variable.name;
        if (variable.producer != noOp) result.op = context.model.graph.operation(variable.producer).name;
        return result;
    };
    if (const auto encoding = fileEncoding(context, tensor)) return named(divergence(api::cause::encoding, *encoding));
    if (const auto changed = changedConstants(context, tensor))
        return named(divergence(api::cause::changedFile, *changed));
    if (const auto infinite = notFinite(context, index)) return named(*infinite);
    if (isExplainedByTies(local))
        return named(divergence(
            api::cause::tie, QL_TEXT("all %1 differing elements are one step apart, and the simulator's values before "
                                     "rounding are within %2 steps of the boundary between two codes")
                                 .with(local.differing, Text::number(tieDistance))));
    if (tensor.steps.isQuantized()) {
        if (const auto fused = fusedProducer(context, index)) return named(*fused);
        if (const auto saturation = saturatingSums(context, index)) return named(*saturation);
        if (const auto layout = otherLayout(context, index)) return named(*layout);
        if (const auto rounding = ownRounding(context, index)) return named(*rounding);
        if (const auto step = otherStep(context, index)) return named(*step);
        if (const auto ties = tiesUpstream(context, index, local)) return named(*ties);
    }
    return named(withoutProof(tensor, local));
}

} // namespace ql
