#pragma once

#include "core/base/ids.h"
#include "core/base/text.h"
#include "core/ir/graph.h"
#include "core/quant/tensor_quant_config.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ql {

/// Of who set a field: an override of the recipe, not the platform or a pass.
inline bool isOfOverride(std::string_view origin)
{
    return origin.starts_with("override ");
}

/// How every slot of a graph is quantized. Lies beside the graph and never changes it; copied freely.
class QuantPlan
{
public:
    using Map = std::map<Slot, TensorQuantConfig>; // ordered: passes and files are deterministic

    const Map &configs() const { return m_configs; }
    bool empty() const { return m_configs.empty(); }
    /// nullptr when the slot has no config.
    const TensorQuantConfig *find(Slot slot) const;
    TensorQuantConfig *find(Slot slot);
    /// Replaces or adds.
    void set(Slot slot, TensorQuantConfig config);
    /// Removes all configs of op. Slots that were below one of them become their own root (state Initial, no scale).
    void erase(OpId op);
    bool isQuantized(OpId op) const; ///< has at least one config

    /// The slot at the end of the chain of parents; slot itself when it has none.
    Slot root(Slot slot) const;
    /// Effective scale and zero point: the root's. Empty when there is none yet.
    const std::vector<float> &scale(Slot slot) const;
    const std::vector<std::int32_t> &zeroPoint(Slot slot) const;
    bool hasScale(Slot slot) const { return !scale(slot).empty(); }
    /// The config that rounds slot in simulation: Active, Passive or Baked, and dynamic or with a scale. nullptr when
    /// slot stays in float; an applied slot whose scale is not known yet does, like one that waits for calibration.
    const TensorQuantConfig *simulated(Slot slot) const;
    /// Slots of op with a config, inputs before outputs.
    std::vector<Slot> slotsOf(OpId op) const;

    /// slot's tensor is quantized by 'by': the whole group of slot (its root) goes below root(by); slot and its former
    /// root become Overlapped. No effect when they are already one group below by's root.
    /// @throws Error (BadConfig) for slot == by, or when by lies below slot (a cycle), or a slot without config.
    void overlap(Slot slot, Slot by, std::string_view origin);
    /// slot takes the scale of master but stays applied (state Passive). Its own followers come along.
    /// @throws Error (BadConfig) for slot == master, or when master lies below slot (a cycle).
    void share(Slot slot, Slot master, std::string_view origin);
    /// Makes slot its own root with this scale. @throws Error (BadConfig) when the state is Baked or Overlapped.
    void setScale(Slot slot, std::vector<float> scale, std::vector<std::int32_t> zeroPoint, QuantState state,
                  std::string_view origin);
    /// Cuts the link to the parent; state and scale stay as they are.
    void detach(Slot slot);
    void setState(Slot slot, QuantState state, std::string_view origin);
    /// Records who set a field. Origins are words for users: "platform TRT_INT8: rule 3", "pass align", "override
    /// 'conv1'".
    void mark(TensorQuantConfig &config, ConfigField field, std::string_view origin);
    void markAll(TensorQuantConfig &config, std::string_view origin);
    const std::string &origin(const TensorQuantConfig &config, ConfigField field) const;
    const std::vector<std::string> &origins() const { return m_origins; }
    std::uint16_t internOrigin(std::string_view origin);

    /// Operations whose target sums products of integer codes and rounds once (platform member "arithmetic"). The
    /// executor does so where their slots allow it, see core/quant/integer_arithmetic.h.
    std::set<OpId> integerOps;

    /// Values of parameters in the quantized model where they differ from the float graph's (bias correction,
    /// training). float32, shape of the parameter.
    std::map<VarId, at::Tensor> parameterValues;
    /// The value of a parameter of graph in the quantized model: from parameterValues, else the float one.
    const at::Tensor &parameterValue(const Graph &graph, VarId id) const;

    /// Every slot exists in the graph, parents exist, no cycle, per-channel scales as long as the axis where the shape
    /// is known. @throws Error (Internal)
    void verify(const Graph &graph) const;

private:
    TensorQuantConfig &at(Slot slot);
    void attach(Slot below, Slot above);

    Map m_configs;
    std::vector<std::string> m_origins{std::string("default")};
};

/// Where an operation runs and which rule decided so, in words for users.
struct DispatchEntry
{
    std::string platform; ///< platform id, "FP32" or "SOI"
    Text reason;
};

/// What passes edit: the float graph, where each operation goes, and how it is quantized.
struct QuantModel
{
    Graph graph;
    std::map<OpId, DispatchEntry> dispatch;
    QuantPlan plan;

    /// Dispatched to something else than FP32 and SOI, and configured.
    bool isQuantized(OpId op) const { return plan.isQuantized(op); }
    std::string platformOf(OpId op) const;
};

} // namespace ql
