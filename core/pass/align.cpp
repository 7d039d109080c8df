// Before: a (scale 1) + b (scale 2)        After: a and b share one scale
//
// Targets that add or concatenate integer codes need their inputs on one grid. Per kind of operation:
//   to_large   the inputs share a scale that covers the ranges of all of them (input 0 becomes the master)
//   to_output  the inputs take the scale of the output (output 0 is the master)
//   to_input   the outputs take the scale of input 0
//   none       untouched
// A master's scale is then handed upstream: every slot of a producing operation that is bound to a tensor which the
// aligned operation reads shares it (state Passive: still quantized), with force_overlap also where the producer has
// other consumers. Slots in float32, float formats and slots with other codes than the master's (4 bits beside 8, one
// scale per channel) are left out; operations go in graph order.
#include "core/base/error.h"
#include "core/pass/slots.h"

#include <algorithm>
#include <limits>

namespace ql {

static constexpr std::string_view alignOrigin = "pass align";

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
            const std::string &method = methodOf(model.graph.operation(id).type);
            std::optional<Slot> master;
            if (method == "to_large") master = alignToLarge(model, id, context, &changed);
            if (method == "to_output") master = alignToOutput(model, id, context, &changed);
            if (method == "to_input") alignToInput(model, id, context, &changed);
            if (master) shareUpstream(model, id, *master, &changed);
        }
        return changed;
    }

private:
    const std::string &methodOf(const std::string &type) const
    {
        static const std::string none = "none";
        if (type == "Add" || type == "Sub" || type == "Sum") return m_elementwise;
        if (type == "Concat") return m_concat;
        if (type == "AveragePool" || type == "GlobalAveragePool") return m_pooling;
        if (type == "Resize") return m_resize;
        return none;
    }

    /// Slots of one side of op that can be aligned: quantized in integers, with a scale.
    static std::vector<Slot> candidates(const QuantPlan &plan, OpId op, bool output)
    {
        std::vector<Slot> slots;
        for (const Slot slot : slotsOf(plan, op)) {
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

    /// Removes slots whose codes are not those of master, and reports them.
    static void removeOthers(const QuantModel &model, Slot master, const PassContext &context, std::vector<Slot> *slots)
    {
        const TensorQuantConfig &leader = *model.plan.find(master);
        std::erase_if(*slots, [&](Slot slot) {
            const TensorQuantConfig &config = *model.plan.find(slot);
            if (haveEqualCodes(config, leader)) return false;
            reportSlot(context, model.graph, slot, "warning",
                       "not aligned: its codes are " + codes(config) + ", those it should share a scale with are " +
                           codes(leader),
                       "Give all inputs and the output of this operation the same bits and one scale per tensor.");
            return true;
        });
    }

    static std::string codes(const TensorQuantConfig &config)
    {
        return std::to_string(config.quantMin) + ".." + std::to_string(config.quantMax) +
               (config.isPerChannel() ? " per channel" : "");
    }

    static std::optional<Slot> alignToLarge(QuantModel &model, OpId op, const PassContext &context, int *changed)
    {
        QuantPlan &plan = model.plan;
        std::vector<Slot> inputs = candidates(plan, op, false);
        std::erase_if(inputs, [&](Slot slot) { return !plan.hasScale(slot); });
        if (inputs.empty()) return std::nullopt;
        const Slot master = inputs[0];
        removeOthers(model, master, context, &inputs);
        if (inputs.empty()) return std::nullopt; // master itself has one scale per channel
        double min = 0, max = 0;
        for (const Slot slot : inputs) {
            const TensorQuantConfig &config = *plan.find(slot);
            const double scale = plan.scale(slot)[0], zero = plan.zeroPoint(slot)[0];
            for (const std::int64_t limit : {config.quantMin, config.quantMax}) {
                min = std::min(min, scale * (double(limit) - zero));
                max = std::max(max, scale * (double(limit) - zero));
            }
        }
        const ScaleZero solved = solveRange(min, max, *plan.find(master));
        plan.detach(master);
        plan.setState(master, QuantState::Passive, alignOrigin);
        plan.setScale(master, {solved.scale}, {solved.zeroPoint}, QuantState::Passive, alignOrigin);
        ++*changed;
        for (std::size_t i = 1; i < inputs.size(); ++i) *changed += shareSlot(plan, inputs[i], master, alignOrigin);
        return master;
    }

    static std::optional<Slot> alignToOutput(QuantModel &model, OpId op, const PassContext &context, int *changed)
    {
        const Slot master = outputSlot(op);
        if (!model.plan.find(master) || !model.plan.hasScale(master)) return std::nullopt;
        std::vector<Slot> inputs = candidates(model.plan, op, false);
        removeOthers(model, master, context, &inputs);
        for (const Slot slot : inputs) *changed += shareSlot(model.plan, slot, master, alignOrigin);
        return master;
    }

    static void alignToInput(QuantModel &model, OpId op, const PassContext &context, int *changed)
    {
        const Slot master = inputSlot(op, 0);
        if (!model.plan.find(master) || !model.plan.hasScale(master)) return;
        std::vector<Slot> outputs = candidates(model.plan, op, true);
        removeOthers(model, master, context, &outputs);
        for (const Slot slot : outputs) *changed += shareSlot(model.plan, slot, master, alignOrigin);
    }

    void shareUpstream(QuantModel &model, OpId op, Slot master, int *changed) const
    {
        const auto &read = model.graph.operation(op).inputs;
        for (const OpId producer : model.graph.producers(op)) {
            if (!m_forceOverlap && model.graph.consumers(producer).size() != 1) continue;
            for (const Slot slot : slotsOf(model.plan, producer)) {
                const VarId id = variableOf(model.graph, slot);
                if (id == noVar || std::find(read.begin(), read.end(), id) == read.end()) continue;
                if (haveEqualCodes(*model.plan.find(slot), *model.plan.find(master)))
                    *changed += shareSlot(model.plan, slot, master, alignOrigin);
            }
        }
    }

    std::string m_elementwise, m_concat, m_pooling, m_resize;
    bool m_forceOverlap;
};

static const PassRegistrar alignRegistrar{
    "align", [] {
        const std::vector<std::string> merging = {"to_large", "to_output", "none"};
        const std::vector<std::string> passing = {"to_input", "to_output", "none"};
        return passEntry<Align>(
            PassKind::Quant, "align", "Alignment",
            "Before: the inputs of an Add or Concat have scales of their own. After: they share one, as targets that "
            "add "
            "or concatenate integers need.",
            {{"elementwise",
              "enum",
              "to_large",
              "Whose scale the inputs of Add, Sub and Sum share.",
              "",
              {},
              {},
              merging},
             {"concat", "enum", "to_output", "Whose scale the inputs of Concat share.", "", {}, {}, merging},
             {"pooling", "enum", "none", "Which side of an average pooling gives the scale.", "", {}, {}, passing},
             {"resize", "enum", "to_output", "Which side of a Resize gives the scale.", "", {}, {}, passing},
             {"force_overlap",
              "bool",
              true,
              "Hand the shared scale to a producing operation also when others read its output.",
              "",
              {},
              {},
              {}}});
    }()};

} // namespace ql
