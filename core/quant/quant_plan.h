#pragma once

#include "core/base/ids.h"
#include "core/base/origin.h"
#include "core/base/text.h"
#include "core/ir/graph.h"
#include "core/ir/subgraphs.h"
#include "core/quant/tensor_quant_config.h"

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ql {

/// How the kernel of a target differs from float32 sums of dequantized values and a result that is rounded where its
/// slot says so.
struct TargetKernel
{
    enum class Sums : std::int8_t {
        Float,
        Integer, ///< of products of codes, exact; times input scale * weight scale, rounded; plus the bias, rounded
        /// Likewise, but pairs of products, of neighbouring input channels, are added in 16 bits with saturation
        /// (vpmaddubsw: x86 processors without VNNI).
        SaturatingPairs,
        /// As ncnn: like Integer, but with reciprocals of scales: 1 / (1 / sx * (1 / sw)). Inputs are rounded from
        /// x * (1 / sx).
        Ncnn,
        /// As MNN on x86: codes of the result, rounded once (core/exec/target_kernel.cpp). Tensors are rounded from
        /// x * (1 / scale).
        Mnn,
        /// As RKNN's toolkit: like Float, but codes whose zero point is the middle have another scale (targetScale()).
        Rknn
    } sums = Sums::Float;
    /// What happens to output 0 instead of its rounding, ahead of an Add that the target computes in the same kernel.
    enum class Result : std::int8_t {
        Rounded,
        Clamped, ///< limited to the range of its codes
        Exact
    } result = Result::Rounded;

    /// Whether products of codes are summed, not of values.
    static bool sumsCodes(Sums sums) { return sums != Sums::Float && sums != Sums::Rknn; }
    /// Integer or SaturatingPairs.
    static bool isOfOpenVino(Sums sums) { return sums == Sums::Integer || sums == Sums::SaturatingPairs; }

    friend bool operator==(const TargetKernel &, const TargetKernel &) = default;
};

struct QuantModel;
/// Bodies of an If, Loop or Scan by attribute, quantized as separate networks (pass quantize_bodies). Weights that
/// the operation captures are parameters in them.
using QuantizedBodies = std::map<std::string, std::shared_ptr<const QuantModel>>;

/// The values that a tensor had in the calibration data: one entry, or one per channel (axis 1).
struct RecordedRange
{
    std::vector<float> min, max;

    friend bool operator==(const RecordedRange &, const RecordedRange &) = default;
};

/// How every slot of a graph is quantized. Stored next to the graph, which it never changes; copied freely.
class QuantPlan
{
public:
    using Map = std::map<Slot, TensorQuantConfig>; // ordered: passes and files are deterministic

    const Map &configs() const { return m_configs; }
    bool empty() const { return m_configs.empty(); }
    /// nullptr if the slot has no config.
    const TensorQuantConfig *find(Slot slot) const;
    TensorQuantConfig *find(Slot slot);
    /// Replaces or adds.
    void set(Slot slot, TensorQuantConfig config);
    /// Removes all configs of op. Slots that were overlapped by one of them become their own root (state Initial, no
    /// scale).
    void erase(OpId op);
    bool isQuantized(OpId op) const; ///< has at least one config

    /// The slot at the end of the chain of parents; slot itself if it has none.
    Slot root(Slot slot) const;
    /// Effective scale and zero point: the root's. Empty if there is none yet.
    const std::vector<float> &scale(Slot slot) const;
    const std::vector<std::int32_t> &zeroPoint(Slot slot) const;
    bool hasScale(Slot slot) const { return !scale(slot).empty(); }
    /// The config that rounds slot in simulation: Active, Passive or Baked, and dynamic or with a scale. nullptr if
    /// slot stays in float, as does an applied slot without a scale yet, or one that waits for calibration.
    const TensorQuantConfig *simulated(Slot slot) const;
    /// Slots of op with a config, inputs before outputs.
    std::vector<Slot> slotsOf(OpId op) const;

    /// slot's tensor is quantized by 'by': the whole group of slot (its root) is attached to root(by); slot and its
    /// former root become Overlapped. No effect if they are already in one group with by's root.
    /// @throws Error (BadConfig) for slot == by, or if by is below slot (a cycle), or a slot without config.
    void overlap(Slot slot, Slot by, const Origin &origin);
    /// slot takes the scale of master but stays applied (state Passive), together with its followers.
    /// @throws Error (BadConfig) for slot == master, or if master is below slot (a cycle).
    void share(Slot slot, Slot master, const Origin &origin);
    /// Makes slot its own root with this scale. @throws Error (BadConfig) if the state is Baked or Overlapped.
    void setScale(Slot slot, std::vector<float> scale, std::vector<std::int32_t> zeroPoint, QuantState state,
                  const Origin &origin);
    /// Removes the link to the parent; state and scale are unchanged.
    void detach(Slot slot);
    void setState(Slot slot, QuantState state, const Origin &origin);
    /// Records who set a field.
    void mark(TensorQuantConfig &config, ConfigField field, const Origin &origin);
    const Origin &origin(const TensorQuantConfig &config, ConfigField field) const;
    const std::vector<Origin> &origins() const { return m_origins; }

    /// Operations whose target sums products of integer codes and rounds once (platform member "arithmetic"). The
    /// executor does the same if their slots allow it, see core/quant/integer_arithmetic.h.
    std::set<OpId> integerOps;
    /// Operations whose target has another kernel than the usual one (pass runtime_kernels). The executor does the
    /// same; files are not affected.
    std::map<OpId, TargetKernel> kernels;
    TargetKernel kernelOf(OpId op) const;
    /// Bodies that the target computes with rounded tensors; others run in float32.
    std::map<OpId, QuantizedBodies> bodies;
    /// Whether the target computes op in the same way, apart from what the configs say.
    bool hasSameKernel(const QuantPlan &other, OpId op) const;

    /// What files report besides scales (pass record_ranges); no effect on values.
    std::map<Slot, RecordedRange> recordedRanges;

    /// Values of parameters in the quantized model that differ from the float graph's (bias correction, training).
    /// float32, shape of the parameter.
    std::map<VarId, at::Tensor> parameterValues;
    /// The value of a parameter of graph in the quantized model: from parameterValues, otherwise the float one.
    const at::Tensor &parameterValue(const Graph &graph, VarId id) const;

    /// Every slot exists in the graph, parents exist, no cycle, as many per-channel scales as the axis has entries, if
    /// the shape is known. @throws Error (Internal)
    void verify(const Graph &graph) const;

private:
    TensorQuantConfig &at(Slot slot);
    std::uint16_t internOrigin(const Origin &origin);
    void attach(Slot below, Slot above);

    Map m_configs;
    std::vector<Origin> m_origins{Origin()};
};

/// The platform of an operation, and why.
struct DispatchEntry
{
    std::string platform; ///< platform id, "FP32" or "SOI"
    Text reason;
    Origin setBy = {}; ///< default: the dispatcher; otherwise the dispatch override of the recipe
};

/// The data that passes edit: the float graph, the platform of each operation, and how it is quantized.
struct QuantModel
{
    Graph graph;
    std::map<OpId, DispatchEntry> dispatch;
    QuantPlan plan;

    /// Dispatched to a platform other than FP32 and SOI, and configured.
    bool isQuantized(OpId op) const { return plan.isQuantized(op); }
    std::string platformOf(OpId op) const;
};

/// Calls take with all quantized bodies and where they are, those in bodies included.
void forEachQuantizedBody(const QuantModel &model,
                          const std::function<void(const BodyPath &path, const QuantModel &body)> &take);

/// Output, Parameter (an input with a constant value) or Input: the roles in reports.
api::SlotRole roleOf(const Graph &graph, Slot slot);

} // namespace ql
