// Before: a (scale 1) + b (scale 2)        After: a and b share one scale
//
// Targets that add or concatenate integer codes need their inputs on one grid. Per kind of operation:
//   to_large   the inputs share a scale that covers the ranges of all of them (input 0 becomes the master)
//   to_output  the inputs take the scale of the output (output 0 is the master)
//   to_input   the outputs take the scale of input 0
//   none       unchanged
// A master's scale is then propagated upstream: every slot of a producing operation whose tensor the aligned operation
// reads shares it (state Passive: still quantized), with force_overlap even if the producer has other consumers. Slots
// in float32, float formats and slots with codes different from the master's (4 bits instead of 8, one scale per
// channel) are excluded; operations are processed in graph order. A scale fixed by the user becomes the shared one,
// for every method; if there are several different ones, the largest (to_large), or the master's, otherwise the first,
// with a report.
#include "core/base/error.h"
#include "core/ir/op_traits.h"
#include "core/pass/slots.h"

#include <algorithm>
#include <limits>
#include <set>

namespace ql {

static const Origin alignOrigin = Origin::pass("align");

class Align final : public Pass
{
public:
    explicit Align(const nlohmann::json &params)
        : m_elementwise(params["elementwise"]), m_concat(params["concat"]), m_pooling(params["pooling"]),
          m_resize(params["resize"]), m_forceOverlap(params["force_overlap"])
    {}

    std::string_view id() const override { return "align"; }

    int run(QuantModel &model, const PassContext &context) const override
    {
        int changed = 0;
        for (const OpId id : model.graph.operations()) {
            if (!model.isQuantized(id)) continue;
            const std::string &method = methodOf(model.graph.operation(id));
            std::optional<Slot> master;
            if (method == "to_large") master = alignToLarge(model, id, context, &changed);
            if (method == "to_output") master = alignToOutput(model, id, context, &changed);
            if (method == "to_input") alignToInput(model, id, context, &changed);
            if (!master) continue;
            for (const Slot slot : upstream(model, id, *master)) changed += join(model.plan, slot, *master);
        }
        return changed;
    }

private:
    const std::string &methodOf(const Operation &op) const
    {
        static const std::string none = "none";
        switch (traitsOf(op).alignment) {
        case Alignment::None: return none;
        case Alignment::Elementwise: return m_elementwise;
        case Alignment::Concat: return m_concat;
        case Alignment::Pooling: return m_pooling;
        case Alignment::Resize: return m_resize;
        }
        return none;
    }

    /// Slots of one side of op that can be aligned: quantized in integers, with a scale.
    static std::vector<Slot> candidates(const QuantPlan &plan, OpId op, bool output)
    {
        std::vector<Slot> slots;
        for (const Slot slot : plan.slotsOf(op)) {
            const TensorQuantConfig &config = *plan.find(slot);
            if (slot.output == output && config.state != QuantState::Off && !config.isFloating()) slots.push_back(slot);
        }
        return slots;
    }

    /// Slots that can share a scale: 4 bits with the scale of 8 would saturate.
    static bool haveEqualCodes(const TensorQuantConfig &a, const TensorQuantConfig &b)
    {
        return a.quantMin == b.quantMin && a.quantMax == b.quantMax && !a.isPerChannel() && !b.isPerChannel();
    }

    /// The origin of the scale of slot, which is that of its root.
    static const Origin &scaleOrigin(const QuantPlan &plan, Slot slot)
    {
        return plan.origin(*plan.find(plan.root(slot)), ConfigField::Scale);
    }

    /// The first of group whose scale the user fixed, or the one with the largest; others that differ are reported.
    static std::optional<Slot> leadingFixed(const QuantModel &model, std::vector<Slot> group,
                                            const PassContext &context, bool isLargest = false)
    {
        const QuantPlan &plan = model.plan;
        std::erase_if(group, [&](Slot slot) {
            return !plan.hasScale(slot) || plan.find(slot)->isPerChannel() || !scaleOrigin(plan, slot).isOverride();
        });
        if (group.empty()) return std::nullopt;
        const auto isSmaller = [&](Slot a, Slot b) { return plan.scale(a)[0] < plan.scale(b)[0]; };
        const Slot leader = isLargest ? *std::max_element(group.begin(), group.end(), isSmaller) : group[0];
        std::set<Slot> reported; // roots: several slots of a group may have the same one
        for (const Slot slot : group) {
            const bool isSame =
                plan.scale(slot) == plan.scale(leader) && plan.zeroPoint(slot) == plan.zeroPoint(leader);
            if (!isSame && reported.insert(plan.root(slot)).second)
                reportSlot(
                    context, model.graph, slot, api::Severity::Warning,
                    QL_TEXT("its fixed scale is replaced by the shared scale of '%1'")
                        .with(variableName(model.graph, leader)),
                    QL_TEXT("Fix the scale of only one of the two, or exclude this operation type from the pass."));
        }
        return leader;
    }

    /// slot takes the scale of master. If it thereby keeps a fixed scale, that scale remains the user's.
    static int join(QuantPlan &plan, Slot slot, Slot master)
    {
        const Origin before = plan.origin(*plan.find(slot), ConfigField::Scale);
        const int changed = shareSlot(plan, slot, master, alignOrigin);
        if (changed && before.isOverride() && before == scaleOrigin(plan, slot))
            plan.mark(*plan.find(slot), ConfigField::Scale, before);
        return changed;
    }

    /// Removes slots whose codes differ from those of master, and reports them.
    static void removeOthers(const QuantModel &model, Slot master, const PassContext &context, std::vector<Slot> *slots)
    {
        const TensorQuantConfig &leader = *model.plan.find(master);
        std::erase_if(*slots, [&](Slot slot) {
            const TensorQuantConfig &config = *model.plan.find(slot);
            if (haveEqualCodes(config, leader)) return false;
            reportSlot(
                context, model.graph, slot, api::Severity::Warning,
                QL_TEXT("not aligned: its codes are %1, those of the tensor whose scale it should share are %2")
                    .with(codes(config), codes(leader)),
                QL_TEXT("Give all inputs and the output of this operation the same bits and one scale per tensor."));
            return true;
        });
    }

    static Text codes(const TensorQuantConfig &config)
    {
        return (config.isPerChannel() ? QL_TEXT("%1..%2 per channel") : QL_TEXT("%1..%2"))
            .with(config.quantMin, config.quantMax);
    }

    static bool isInFloat(const QuantPlan &plan, Slot slot)
    {
        return plan.find(slot) && plan.find(plan.root(slot))->state == QuantState::Off;
    }

    std::optional<Slot> alignToLarge(QuantModel &model, OpId op, const PassContext &context, int *changed) const
    {
        QuantPlan &plan = model.plan;
        std::vector<Slot> inputs = candidates(plan, op, false);
        std::erase_if(inputs, [&](Slot slot) { return !plan.hasScale(slot); });
        if (inputs.empty()) return std::nullopt;
        const Slot master = inputs[0];
        removeOthers(model, master, context, &inputs);
        if (inputs.empty()) return std::nullopt; // master itself has one scale per channel
        ScaleZero common = rangeOfAll(plan, inputs, master);
        Origin origin = alignOrigin;
        std::vector<Slot> group = upstream(model, op, master);
        group.insert(group.begin(), inputs.begin(), inputs.end());
        if (const auto fixed = leadingFixed(model, group, context, true)) {
            common = {plan.scale(*fixed)[0], plan.zeroPoint(*fixed)[0]};
            origin = scaleOrigin(plan, *fixed);
        }
        plan.detach(master);
        plan.setState(master, QuantState::Passive, alignOrigin);
        plan.setScale(master, {common.scale}, {common.zeroPoint}, QuantState::Passive, origin);
        ++*changed;
        for (std::size_t i = 1; i < inputs.size(); ++i) *changed += join(plan, inputs[i], master);
        return master;
    }

    static ScaleZero rangeOfAll(const QuantPlan &plan, const std::vector<Slot> &slots, Slot master)
    {
        double min = 0, max = 0;
        for (const Slot slot : slots) {
            const TensorQuantConfig &config = *plan.find(slot);
            const double scale = plan.scale(slot)[0], zero = plan.zeroPoint(slot)[0];
            for (const std::int64_t limit : {config.quantMin, config.quantMax}) {
                min = std::min(min, scale * (double(limit) - zero));
                max = std::max(max, scale * (double(limit) - zero));
            }
        }
        return solveRange(min, max, *plan.find(master));
    }

    std::optional<Slot> alignToOutput(QuantModel &model, OpId op, const PassContext &context, int *changed) const
    {
        const Slot master = outputSlot(op);
        if (!model.plan.find(master) || !model.plan.hasScale(master)) return std::nullopt;
        alignTo(model, master, candidates(model.plan, op, false), upstream(model, op, master), context, changed);
        return master;
    }

    void alignToInput(QuantModel &model, OpId op, const PassContext &context, int *changed) const
    {
        const Slot master = inputSlot(op, 0);
        if (!model.plan.find(master) || !model.plan.hasScale(master)) return;
        alignTo(model, master, candidates(model.plan, op, true), {}, context, changed);
    }

    /// slots take the scale of master, or master takes a fixed one of slots (or of above, which will follow).
    static void alignTo(QuantModel &model, Slot master, std::vector<Slot> slots, const std::vector<Slot> &above,
                        const PassContext &context, int *changed)
    {
        QuantPlan &plan = model.plan;
        removeOthers(model, master, context, &slots);
        std::vector<Slot> group{master};
        group.insert(group.end(), slots.begin(), slots.end());
        group.insert(group.end(), above.begin(), above.end());
        const auto fixed = leadingFixed(model, group, context);
        const Slot root = plan.root(master);
        if (fixed && !slots.empty() && plan.root(*fixed) != root)
            plan.setScale(root, plan.scale(*fixed), plan.zeroPoint(*fixed), plan.find(root)->state,
                          scaleOrigin(plan, *fixed));
        for (const Slot slot : slots) *changed += join(plan, slot, master);
    }

    /// The outputs read by op of the operations to which master's scale is propagated, unless op reads them in float32.
    std::vector<Slot> upstream(const QuantModel &model, OpId op, Slot master) const
    {
        std::vector<Slot> slots;
        std::vector<VarId> read;
        for (std::size_t i = 0; i < model.graph.operation(op).inputs.size(); ++i)
            if (!isInFloat(model.plan, inputSlot(op, i))) read.push_back(model.graph.operation(op).inputs[i]);
        for (const OpId producer : model.graph.producers(op)) {
            if (!m_forceOverlap && model.graph.consumers(producer).size() != 1) continue;
            for (const Slot slot : model.plan.slotsOf(producer)) {
                const VarId id = variableOf(model.graph, slot);
                if (id == noVar || std::find(read.begin(), read.end(), id) == read.end()) continue;
                if (haveEqualCodes(*model.plan.find(slot), *model.plan.find(master))) slots.push_back(slot);
            }
        }
        return slots;
    }

    std::string m_elementwise, m_concat, m_pooling, m_resize;
    bool m_forceOverlap;
};

static const std::vector<std::string> merging = {"to_large", "to_output", "none"};
static const std::vector<std::string> passing = {"to_input", "to_output", "none"};

static const PassRegistrar alignRegistrar{
    {.info = {.id = "align",
              .title = QL_TEXT("Alignment"),
              .meaning = QL_TEXT("Before: each input of an Add or Concat has its own scale. After: they share one, as "
                                 "required by targets that add or concatenate integers."),
              .params = {{.name = "elementwise",
                          .type = "enum",
                          .fallback = "to_large",
                          .meaning = QL_TEXT("Scale that the inputs of Add, Sub and Sum share."),
                          .choices = merging},
                         {.name = "concat",
                          .type = "enum",
                          .fallback = "to_output",
                          .meaning = QL_TEXT("Scale that the inputs of Concat share."),
                          .choices = merging},
                         {.name = "pooling",
                          .type = "enum",
                          .fallback = "none",
                          .meaning = QL_TEXT("Which side of an average pooling provides the scale."),
                          .choices = passing},
                         {.name = "resize",
                          .type = "enum",
                          .fallback = "to_output",
                          .meaning = QL_TEXT("Which side of a Resize provides the scale."),
                          .choices = passing},
                         {.name = "force_overlap",
                          .type = "bool",
                          .fallback = true,
                          .meaning = QL_TEXT(
                              "Apply the shared scale to a producer even if other operations read its output.")}}},
     .traits = {.kind = PassKind::Quant, .needs = {PassAspect::ActivationScales}, .writes = {PassAspect::SharedScales}},
     .make = makePassOf<Align>}};

} // namespace ql
