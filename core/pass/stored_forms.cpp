// Forms of codes in files, ahead of dequantize_model.
//
// Constants.  Before: Gather(codes) -> DQ        After: DQ(codes) -> Gather
// Own files (core/export/onnx/qdq.cpp), where a layer that is not rounded sums codes exactly:
//   Before: DQ(codes, 1) -> Conv(codes of w, codes of b) -> Mul(step)        After: DQ(codes, s) -> Conv(DQ(w), b)
//   s is the scale of the QuantizeLinear that wrote the codes, and step the product of s and that of w (of constants,
//   or in older files a constant). The layer may be in two parts with an Add; an operation without weight (a pool) is
//   followed by Mul(s). Others, such as the statistics of a LayerNormalization, read DQ(codes, s) -> Div(s).
#include "core/pass/stored_codes.h"

#include "core/exec/quantized.h"
#include "core/ir/op_traits.h"
#include "core/pass/format_tools.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>

namespace ql {

namespace {

bool areReadBy(const Graph &graph, VarId id, std::int32_t index, VarId scale, VarId zero)
{
    const Variable &variable = graph.variable(id);
    return !graph.isGraphOutput(id) && std::all_of(variable.uses.begin(), variable.uses.end(), [&](const Use &use) {
        if (use.op == noOp || use.index != index) return false;
        const Operation &op = graph.operation(use.op);
        const bool hasSameZero = op.hasInput(2) && (op.inputs[2] == zero || // each has its own copy of a constant
                                                    (graph.isParameter(zero) && graph.isParameter(op.inputs[2])));
        return isDequantizeLinear(op) && op.hasInput(1) && op.inputs[1] == scale && hasSameZero &&
               !graph.isGraphOutput(op.outputs[0]);
    });
}

/// The operation of this type that produces id, or nullptr.
const Operation *producerOf(const Graph &graph, VarId id, std::string_view type)
{
    const OpId producer = id == noVar ? noOp : graph.variable(id).producer;
    return producer != noOp && graph.operation(producer).type == type ? &graph.operation(producer) : nullptr;
}

/// max(|x|) / half: half, if scale is computed so.
std::optional<double> halfRange(const Graph &graph, VarId scale, VarId x)
{
    const Operation *most = producerOf(graph, scale, "Max");
    const Operation *divide = most ? producerOf(graph, most->inputs[0], "Div") : nullptr;
    const Operation *reduce = divide ? producerOf(graph, divide->inputs[0], "ReduceMax") : nullptr;
    const Operation *magnitude = reduce ? producerOf(graph, reduce->inputs[0], "Abs") : nullptr;
    if (!magnitude || magnitude->inputs[0] != x) return std::nullopt;
    const at::Tensor half = parameterOf(graph, *divide, 1);
    return half.defined() && half.numel() == 1 ? std::optional(half.item().toDouble()) : std::nullopt;
}

void moveUp(Graph &graph, OpId id)
{
    const Operation op = graph.operation(id);
    if (!isDequantizeLinear(op) || !hasGrid(graph, op) || graph.isGraphOutput(op.outputs[0]) ||
        graph.variable(op.inputs[1]).value.numel() != 1)
        return;
    std::vector<OpId> moving;
    VarId codes = op.inputs[0];
    while (!graph.isParameter(codes)) {
        const Variable &moved = graph.variable(codes);
        if (moved.producer == noOp || moved.uses.size() != 1 || graph.isGraphOutput(codes) ||
            !movesCodes(graph.operation(moved.producer)))
            return;
        moving.push_back(moved.producer);
        codes = graph.operation(moved.producer).inputs[0];
    }
    if (moving.empty()) return;
    graph.setOutput(id, 0, graph.addVariable(graph.freshName(graph.variable(codes).name + "_values")));
    graph.setInput(id, 0, codes);
    graph.setInput(moving.back(), 0, graph.operation(id).outputs[0]);
    graph.setOutput(moving.front(), 0, op.outputs[0]);
    for (const OpId each : moving) {
        Variable &moved = graph.edit(graph.operation(each).outputs[0]);
        moved.type.dtype = at::kFloat;
        moved.fileType = 0;
    }
}

/// The scale w for which x * w is step in float32; of several, the nearest to the quotient.
float quotient(float step, float x)
{
    const float near = step / x;
    for (const float candidate : {near, std::nextafter(near, INFINITY), std::nextafter(near, 0.0F)})
        if (x * candidate == step) return candidate;
    return near;
}

/// One operation of an own file that reads codes as floats.
class CodeReader
{
public:
    CodeReader(Graph &graph, OpId id, float scale) : m_graph(graph), m_id(id), m_scale(scale) {}

    /// values: what it reads instead. @returns whether it has this form
    bool restore(VarId values)
    {
        const Operation op = m_graph.operation(m_id);
        if (op.outputs.size() != 1) return false;
        const OpId after = m_graph.soleConsumer(m_id);
        if (after == noOp) return false;
        OpId mul = after, other = noOp;
        const std::size_t place = m_graph.isParameter(m_graph.operation(after).inputs.at(0)) ? 0 : 1;
        const at::Tensor added = m_graph.operation(after).type == "Add"
                                     ? parameterOf(m_graph, m_graph.operation(after), place)
                                     : at::Tensor(); // the bias of a MatMul
        if (added.defined()) {
            mul = m_graph.soleConsumer(after);
        } else if (m_graph.operation(after).type == "Add") {
            for (const VarId input : m_graph.operation(after).inputs)
                if (const OpId producer = m_graph.variable(input).producer; producer != m_id) other = producer;
            if (other == noOp || m_graph.operation(other).type != op.type ||
                m_graph.operation(other).inputs[0] != op.inputs[0])
                return false;
            mul = m_graph.soleConsumer(after);
        }
        if (mul == noOp || m_graph.operation(mul).type != "Mul") return false;
        const auto [steps, scales] = stepsOf(m_graph.operation(mul));
        if (!steps.defined() || steps.scalar_type() != at::kFloat) return false;
        const auto isLinear = traitsOf(op).isLinear;
        if (traitsOf(op).hasExactSums) {
            if (!restoreWeight(op, other, steps.reshape({-1}).contiguous(), scales)) return false;
        } else if (!isLinear || !isLinear(op)) {
            return false;
        }
        m_graph.setInput(m_id, 0, values);
        const VarId result = m_graph.operation(mul).outputs[0];
        m_graph.removeOperation(mul);
        if (other != noOp) {
            m_graph.removeOperation(after);
            m_graph.removeOperation(other);
        }
        if (added.defined()) {
            const std::string name = m_graph.variable(m_graph.operation(after).inputs[place]).name + "_restored";
            m_graph.setInput(after, place, m_graph.addParameter(m_graph.freshName(name), added * steps));
        }
        m_graph.setOutput(added.defined() ? after : m_id, 0, result);
        return true;
    }

private:
    /// The integers of input i: a parameter, or codes with a scale that is an integer.
    at::Tensor integers(const Operation &op, std::size_t i) const
    {
        if (!op.hasInput(i)) return {};
        if (m_graph.isParameter(op.inputs[i])) return m_graph.variable(op.inputs[i]).value;
        const Operation *restored = producerOf(m_graph, op.inputs[i], "DequantizeLinear");
        const at::Tensor codes = restored ? parameterOf(m_graph, *restored, 0) : at::Tensor();
        const at::Tensor scale = restored ? parameterOf(m_graph, *restored, 1) : at::Tensor();
        return codes.defined() && scale.defined() ? realValues(codes, scale, parameterOf(m_graph, *restored, 2))
                                                  : at::Tensor();
    }

    /// What sums are multiplied by, and the scales of the weight if the file has them.
    std::pair<at::Tensor, at::Tensor> stepsOf(const Operation &mul) const
    {
        const Operation *product = producerOf(m_graph, mul.inputs[1], "Mul");
        if (!product) return {parameterOf(m_graph, mul, 1), at::Tensor()};
        const at::Tensor input = parameterOf(m_graph, *product, 0), weight = parameterOf(m_graph, *product, 1);
        if (!input.defined() || !weight.defined()) return {};
        return {input * weight, weight};
    }

    /// scales: undefined if only their products with that of the input are known.
    bool restoreWeight(const Operation &op, OpId other, const at::Tensor &steps, const at::Tensor &scales)
    {
        at::Tensor weight = integers(op, 1), bias = integers(op, 2);
        if (!weight.defined() || weight.scalar_type() != at::kFloat || (op.hasInput(2) && !bias.defined()))
            return false;
        if (other != noOp) {
            const Operation &second = m_graph.operation(other);
            const at::Tensor high = integers(second, 1), highBias = integers(second, 2);
            if (!high.defined() || high.sizes() != weight.sizes()) return false;
            weight = weight + high;
            if (bias.defined() && highBias.defined()) bias = bias + highBias;
        }
        const auto axis = weightChannelAxis(op, 1, weight.dim());
        const std::int64_t channels = axis ? weight.size(*axis) : 1;
        StoredGrid grid;
        const at::Tensor flat = (scales.defined() ? scales : steps).reshape({-1}).contiguous();
        for (std::int64_t i = 0; i < flat.numel(); ++i) {
            const float value = flat.data_ptr<float>()[i];
            grid.scale.push_back(scales.defined() ? value : quotient(value, m_scale));
        }
        if (grid.scale.size() > 1) {
            if (!axis || std::int64_t(grid.scale.size()) < channels) return false;
            grid.scale.resize(std::size_t(channels)); // of a ConvTranspose with groups: repeated
            grid.axis = int(*axis);
        }
        const double low = weight.min().item().toDouble(), high = weight.max().item().toDouble();
        const bool isShifted = low < -128 || high > 127; // unsigned codes less their zero point
        if (isShifted && high - low > 255) return false;
        const auto zero = isShifted ? std::int64_t(std::max(0.0, -low)) : 0;
        const at::ScalarType type = isShifted ? at::kByte : at::kChar;
        const std::string base = m_graph.variable(op.inputs[1]).name;
        const auto constant = [&](const char *suffix, const at::Tensor &value) {
            return m_graph.addParameter(m_graph.freshName(base + suffix), value);
        };
        const at::Tensor stored = at::tensor(grid.scale, at::TensorOptions(at::kFloat));
        Operation node;
        node.name = m_graph.freshName(base + "_values");
        node.type = "DequantizeLinear";
        node.opset = 13;
        node.inputs = {constant("_integers", (weight + zero).to(type)),
                       constant("_scale", grid.axis ? stored : stored.reshape({})),
                       constant("_zero_point", grid.axis ? at::full({channels}, zero, at::TensorOptions(type))
                                                         : at::full({}, zero, at::TensorOptions(type)))};
        node.outputs = {m_graph.addVariable(m_graph.freshName(base + "_restored"))};
        if (grid.axis) node.attributes["axis"] = std::int64_t(*grid.axis);
        m_graph.setInput(m_id, 1, node.outputs[0]);
        m_graph.addOperation(std::move(node));
        if (bias.defined())
            m_graph.setInput(m_id, 2,
                             m_graph.addParameter(m_graph.freshName(m_graph.variable(op.inputs[2]).name + "_restored"),
                                                  bias * steps));
        return true;
    }

    Graph &m_graph;
    OpId m_id;
    float m_scale;
};

void restoreReaders(Graph &graph, OpId id)
{
    const Operation op = graph.operation(id);
    if (op.type != "DequantizeLinear" || !op.hasInput(2) ||
        op.name.find("_DequantizeLinear_codes") == std::string::npos)
        return;
    const VarId codes = op.inputs[0];
    const Operation *quantize = producerOf(graph, codes, "QuantizeLinear");
    const at::Tensor scale = quantize ? parameterOf(graph, *quantize, 1) : at::Tensor();
    if (!scale.defined() || scale.numel() != 1 || scale.scalar_type() != at::kFloat) return;
    const VarId step = quantize->inputs[1], zero = quantize->inputs[2];
    VarId values = noVar;
    for (const Use &use : graph.variable(codes).uses)
        if (use.op != id && graph.operation(use.op).type == "DequantizeLinear" &&
            graph.operation(use.op).inputs[1] == step)
            values = graph.operation(use.op).outputs[0];
    if (values == noVar) {
        Operation restored = op;
        restored.name = graph.freshName(graph.variable(codes).name + "_DequantizeLinear");
        restored.inputs = {codes, step, zero};
        restored.outputs = {graph.addVariable(graph.freshName(graph.variable(codes).name + "_dequantized"))};
        values = restored.outputs[0];
        graph.addOperation(std::move(restored));
    }
    std::vector<OpId> readers = graph.consumers(id);
    for (const OpId reader : readers)
        if (graph.contains(reader)) CodeReader(graph, reader, scale.item().toFloat()).restore(values);
    if (graph.variable(op.outputs[0]).uses.empty()) return;
    Operation &divide = graph.edit(id); // for others, the numbers of the codes are values divided by the scale
    divide.type = "Div";
    divide.attributes.clear();
    graph.resizeInputs(id, 2);
    graph.setInput(id, 0, values);
    graph.setInput(id, 1, step);
}

} // namespace

std::optional<StoredGrid> dynamicGrid(const Graph &graph, const Operation &op)
{
    StoredGrid grid;
    grid.dynamic = true;
    if (op.type == "DynamicQuantizeLinear" && op.domain.empty() && op.outputs.size() == 3) {
        grid.quantMin = 0;
        grid.quantMax = 255;
        const bool isPair = !graph.variable(op.outputs[0]).uses.empty() &&
                            areReadBy(graph, op.outputs[0], 0, op.outputs[1], op.outputs[2]) &&
                            areReadBy(graph, op.outputs[1], 1, op.outputs[1], op.outputs[2]) &&
                            areReadBy(graph, op.outputs[2], 2, op.outputs[1], op.outputs[2]);
        return isPair ? std::optional(grid) : std::nullopt;
    }
    if (!isQuantizeLinear(op) || !op.hasInput(2) || graph.isParameter(op.inputs[1])) return std::nullopt;
    const std::optional<double> half = halfRange(graph, op.inputs[1], op.inputs[0]);
    const at::Tensor zero = parameterOf(graph, op, 2);
    if (!half || !zero.defined() || zero.scalar_type() != at::kChar || zero.numel() != 1 || zero.item().toInt() != 0 ||
        graph.variable(op.outputs[0]).uses.empty() || !areReadBy(graph, op.outputs[0], 0, op.inputs[1], op.inputs[2]))
        return std::nullopt;
    grid.quantMax = std::int64_t(std::floor(*half));
    grid.quantMin = grid.quantMax - std::int64_t(2 * *half);
    return grid;
}

void restoreStoredForms(Graph &graph)
{
    for (const OpId id : graph.topological())
        if (graph.contains(id)) moveUp(graph, id);
    if (graph.producerName != "quantloupe") return;
    for (const OpId id : graph.topological())
        if (graph.contains(id)) restoreReaders(graph, id);
    graph.removeUnreachable();
}

} // namespace ql
