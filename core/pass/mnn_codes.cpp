#include "core/pass/mnn_codes.h"

#include "core/ir/op_traits.h"
#include "core/pass/slots.h"

#include <algorithm>
#include <optional>
#include <set>

namespace ql {

namespace {

const Origin mnnOrigin = Origin::pass("quantize_fusion");

class MnnScales
{
public:
    explicit MnnScales(QuantModel &model) : m_model(model), m_graph(model.graph) {}

    /// The slots of compute operations that read the tensor and have a scale of their own for it.
    std::vector<Slot> quantizedReaders(VarId tensor) const
    {
        std::vector<Slot> slots;
        for (const Use &use : m_graph.variable(tensor).uses) {
            if (use.op == noOp || use.index != 0 || !isComputing(m_graph.operation(use.op))) continue;
            const TensorQuantConfig *config = m_model.plan.find(inputSlot(use.op, 0));
            if (config && !config->parent && config->state == QuantState::Initial)
                slots.push_back(inputSlot(use.op, 0));
        }
        return slots;
    }

    /// Whether the tensor holds dequantized codes: its operation writes them.
    bool isRounded(VarId tensor) const
    {
        const Variable &variable = m_graph.variable(tensor);
        return variable.producer != noOp &&
               m_model.plan.find(outputSlot(variable.producer, std::size_t(variable.producerIndex)));
    }

    /// The slot that defines the tensor's scale: of the operation that writes its codes, or of a Conv that reads it.
    std::optional<Slot> own(VarId tensor) const
    {
        const Variable &variable = m_graph.variable(tensor);
        if (isRounded(tensor))
            return m_model.plan.root(outputSlot(variable.producer, std::size_t(variable.producerIndex)));
        const std::vector<Slot> readers = quantizedReaders(tensor);
        return readers.empty() ? std::nullopt : std::optional(readers.front());
    }

    /// The scale of a tensor that is not moved: its own, or that of what it is moved to.
    std::optional<Slot> ofRoot(VarId root) const
    {
        for (const VarId moved : movedFrom(m_graph, root)) // the first is root
            if (const auto scale = own(moved)) return scale;
        return std::nullopt;
    }

    /// The scale with which operations on codes read the tensor.
    std::optional<Slot> of(VarId tensor) const
    {
        const std::vector<VarId> roots = rootsOf(m_graph, tensor);
        if (roots.empty()) return std::nullopt;
        if (roots.size() > 1) return own(tensor);
        if (const auto scale = own(tensor)) return scale;
        if (keepsScale(tensor)) return of(m_graph.operation(m_graph.variable(tensor).producer).inputs[0]);
        return tensor == roots[0] || passesOn(roots[0]) ? ofRoot(roots[0]) : std::nullopt;
    }

    /// Whether the operation that writes the tensor keeps codes as they are.
    bool keepsScale(VarId tensor) const
    {
        const OpId producer = m_graph.variable(tensor).producer;
        if (producer == noOp) return false;
        const Operation &op = m_graph.operation(producer);
        return op.domain.empty() && (op.type == "MaxPool" || op.type == "Resize") && op.hasInput(0);
    }

    /// Whether the scale of a tensor is passed on to what it is moved to: not if a Concat reads it with others that
    /// have none, either.
    bool passesOn(VarId root) const
    {
        if (own(root)) return true;
        const std::vector<VarId> all = movedFrom(m_graph, root);
        return std::all_of(all.begin(), all.end(), [&](VarId moved) {
            const std::vector<VarId> roots = rootsOf(m_graph, moved);
            return std::count_if(roots.begin(), roots.end(), [&](VarId each) { return !own(each); }) <= 1;
        });
    }

    /// Gives slot the scale of owner. @returns the number of changed slots
    int share(Slot slot, Slot owner)
    {
        if (m_model.plan.find(slot)) return 0;
        m_model.plan.set(slot, TensorQuantConfig(*m_model.plan.find(owner)));
        m_model.dispatch[slot.op] = {
            m_model.platformOf(owner.op),
            QL_TEXT("computes on codes what %1 quantizes").with(m_graph.operation(owner.op).name)};
        return shareSlot(m_model.plan, slot, owner, mnnOrigin);
    }

private:
    QuantModel &m_model;
    const Graph &m_graph;
};

/// The element-wise operation whose result op is: op itself, or the one that only a Relu reads.
const Operation *elementwiseOf(const Graph &graph, const Operation &op)
{
    if (op.type != "Relu" || !op.hasInput(0)) return isElementwise(op) ? &op : nullptr;
    const Variable &read = graph.variable(op.inputs[0]);
    if (read.producer == noOp || read.uses.size() != 1) return nullptr;
    const Operation &source = graph.operation(read.producer);
    return isElementwise(source) ? &source : nullptr;
}

/// The element-wise operation that ends in op is computed on codes if all of its tensors have a scale.
int roundElementwise(QuantModel &model, MnnScales &scales, const Operation &op)
{
    const Operation *source = elementwiseOf(model.graph, op);
    if (!source) return 0;
    const std::vector<Slot> readers = scales.quantizedReaders(op.outputs[0]);
    const auto result = scales.ofRoot(op.outputs[0]);
    const auto first = scales.of(source->inputs[0]), second = scales.of(source->inputs[1]);
    if (!result || !first || !second) return 0;
    int changed = 0;
    if (!scales.isRounded(source->inputs[0])) changed += scales.share(inputSlot(source->id, 0), *first);
    if (!scales.isRounded(source->inputs[1])) changed += scales.share(inputSlot(source->id, 1), *second);
    const Slot written = outputSlot(op.id);
    if (readers.empty()) return changed + scales.share(written, *result);
    model.plan.set(written, TensorQuantConfig(*model.plan.find(readers.front())));
    for (const Slot slot : readers) changed += overlapSlot(model.plan, slot, written, mnnOrigin);
    model.dispatch[op.id] = {
        model.platformOf(readers.front().op),
        QL_TEXT("computes on codes what %1 reads quantized").with(model.graph.operation(readers.front().op).name)};
    return changed;
}

/// A mean of a tensor with a scale has that scale, too, if nothing wants another one.
int keepScaleOfMean(MnnScales &scales, const Operation &op)
{
    const bool isMean = op.domain.empty() && (op.type == "AveragePool" || op.type == "GlobalAveragePool");
    if (!isMean || !op.hasInput(0) || scales.ofRoot(op.outputs[0])) return 0;
    const auto owner = scales.own(op.inputs[0]);
    return owner ? scales.share(outputSlot(op.id), *owner) : 0;
}

} // namespace

bool isConvOnCodes(const Graph &graph, const Operation &op)
{
    if (op.type != "Conv" || !op.domain.empty() || !op.hasInput(1)) return false;
    const std::int64_t groups = op.intAttribute("group", 1);
    const at::Tensor &weight = graph.variable(op.inputs[1]).value; // [out, in / groups, ...]
    constexpr std::int64_t imageRank = 4;
    if (weight.defined() && weight.dim() > imageRank) return false;
    return groups == 1 || (weight.defined() && weight.size(0) == groups && weight.size(1) == 1);
}

bool isElementwise(const Operation &op)
{
    static const std::set<std::string> types{"Add", "Sub", "Mul", "Div", "Min", "Max"};
    return op.domain.empty() && types.contains(op.type) && op.inputs.size() == 2;
}

bool isRaster(const Graph &graph, const Operation &op)
{
    static const std::set<std::string> types{"Concat",  "Split",     "Slice",        "Reshape",      "Transpose",
                                             "Squeeze", "Unsqueeze", "Flatten",      "Pad",          "Expand",
                                             "Tile",    "Identity",  "DepthToSpace", "SpaceToDepth", "Dropout"};
    if (!op.domain.empty()) return false;
    if (op.type == "Gather")
        return op.inputs.size() == 2 && !graph.isParameter(op.inputs[0]) && graph.isParameter(op.inputs[1]);
    return types.contains(op.type);
}

std::vector<VarId> rootsOf(const Graph &graph, VarId tensor)
{
    const OpId producer = tensor == noVar ? noOp : graph.variable(tensor).producer;
    if (tensor == noVar || graph.isParameter(tensor)) return {};
    if (producer == noOp || !isRaster(graph, graph.operation(producer))) return {tensor};
    const Operation &op = graph.operation(producer);
    std::set<VarId> roots;
    for (std::size_t i = 0; i < op.inputs.size() && (i == 0 || op.type == "Concat"); ++i)
        for (const VarId root : rootsOf(graph, op.inputs[i])) roots.insert(root);
    return {roots.begin(), roots.end()};
}

std::vector<VarId> movedFrom(const Graph &graph, VarId tensor, bool throughActivations)
{
    std::vector<VarId> moved{tensor};
    for (std::size_t i = 0; i < moved.size(); ++i)
        for (const Use &use : graph.variable(moved[i]).uses) {
            if (use.op == noOp) continue;
            const Operation &op = graph.operation(use.op);
            const bool isData = use.index == 0 || op.type == "Concat"; // others are shapes and bounds
            const bool passes =
                isRaster(graph, op) || (throughActivations && op.domain.empty() && isLinearActivation(op));
            if (!isData || !passes) continue;
            for (const VarId output : op.outputs)
                if (output != noVar && std::find(moved.begin(), moved.end(), output) == moved.end())
                    moved.push_back(output);
        }
    return moved;
}

int keepGroupsInFloat(QuantModel &model)
{
    int changed = 0;
    for (const OpId id : model.graph.operations()) {
        const Operation &op = model.graph.operation(id);
        if (op.type != "Conv" || !model.isQuantized(id) || isConvOnCodes(model.graph, op)) continue;
        model.plan.erase(id);
        ++changed;
    }
    return changed;
}

int quantizeAsMnn(QuantModel &model)
{
    MnnScales scales(model);
    int changed = 0;
    for (const OpId id : model.graph.topological()) {
        const Operation &op = model.graph.operation(id);
        if (op.outputs.size() != 1 || op.outputs[0] == noVar || model.plan.find(outputSlot(id))) continue;
        changed += keepScaleOfMean(scales, op);
        changed += roundElementwise(model, scales, op);
    }
    return changed;
}

} // namespace ql
