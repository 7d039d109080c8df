// Before: x -> MatMulNBits(packed codes, scales)        After: x -> MatMul(x, DequantizeLinear(codes, scales) in
// blocks)
//
// Then the matrix is read like any other constant on codes. With accuracy_level 4, ONNX Runtime rounds x to symmetric
// codes of 8 bits in the same blocks. Condition: 4 or 8 bits, constant, zero points stored as
// codes, no g_idx. Source: com.microsoft MatMulNBits-1, ONNX DequantizeLinear-21.
#include "core/pass/format_tools.h"
#include "core/pass/stored_codes.h"
#include "core/quant/groups.h"

#include <ATen/TensorOperators.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

namespace ql {

namespace {

/// What the names of codes and scales have in common.
std::string commonName(const std::string &a, const std::string &b)
{
    std::string name(a.begin(), std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first);
    while (!name.empty() && (name.back() == '_' || name.back() == '.')) name.pop_back();
    return name;
}

/// The rounding of x that op allows, if the axis of its blocks is known.
std::optional<StoredGrid> roundingOfInput(const Graph &graph, const Operation &op)
{
    constexpr std::int64_t roundsToInt8 = 4;
    const auto &shape = graph.variable(op.inputs[0]).type.shape;
    if (op.intAttribute("accuracy_level", 0) != roundsToInt8 || !shape || shape->empty()) return std::nullopt;
    StoredGrid grid;
    grid.quantMin = -127;
    grid.axis = int(shape->size()) - 1;
    grid.groupSize = int(op.intAttribute("block_size", 0));
    grid.dynamic = true;
    return grid;
}

/// Adds the rounding of its input to roundings.
void restoreMatrix(Graph &graph, OpId id, std::map<Slot, StoredGrid> &roundings)
{
    const Operation op = graph.operation(id);
    const std::int64_t outputs = op.intAttribute("N", 0), inputs = op.intAttribute("K", 0),
                       bits = op.intAttribute("bits", 4), block = op.intAttribute("block_size", 0);
    const at::Tensor bytes = parameterOf(graph, op, 1), scale = parameterOf(graph, op, 2),
                     zero = parameterOf(graph, op, 3);
    if (outputs < 1 || inputs < 1 || block < 1 || (bits != 4 && bits != 8) || !bytes.defined() || !scale.defined() ||
        op.hasInput(4) || (op.hasInput(3) && (!zero.defined() || zero.scalar_type() != at::kByte)))
        return;
    const std::int64_t blocks = (inputs + block - 1) / block;
    if (bytes.numel() != outputs * blocks * block * bits / 8 || scale.numel() != outputs * blocks) return;
    // Without zero points the middle code is 0: signed codes then
    const std::int64_t middle = std::int64_t{1} << (bits - 1);
    StoredGrid grid;
    grid.bits = int(bits);
    grid.quantMin = zero.defined() ? 0 : -middle;
    grid.quantMax = grid.quantMin + 2 * middle - 1;
    const auto parameter = [&](const at::Tensor &value, const std::string &name) {
        return graph.addParameter(graph.freshName(name), value.transpose(0, 1).contiguous());
    };
    std::string base = commonName(graph.variable(op.inputs[1]).name, graph.variable(op.inputs[2]).name);
    if (base.empty()) base = op.name + "_weight";
    const auto codesOf = [&](const at::Tensor &packed, std::int64_t count) {
        return unpackedCodes(packed.reshape({outputs, -1}), bits).narrow(1, 0, count);
    };
    const VarId codes = parameter(codesOf(bytes, inputs) + grid.quantMin, base + "_codes");
    setCodeType(graph, codes, grid);
    Operation values;
    values.name = graph.freshName(base + "_values");
    values.type = "DequantizeLinear";
    values.opset = 21;
    values.attributes = {{"axis", std::int64_t{0}}, {"block_size", block}};
    values.inputs = {codes, parameter(scale.reshape({outputs, blocks}).to(at::kFloat), base + "_block_scales")};
    if (zero.defined()) {
        values.inputs.push_back(parameter(codesOf(zero, blocks), base + "_block_zeros"));
        setCodeType(graph, values.inputs.back(), grid);
    }
    values.outputs = {graph.addVariable(graph.freshName(base + "_dequantized"))};
    const VarId matrix = values.outputs[0];
    if (const auto rounding = roundingOfInput(graph, op)) roundings[inputSlot(id, 0)] = *rounding;
    graph.addOperation(std::move(values));
    Operation &product = graph.edit(id);
    product.type = "MatMul";
    product.domain = "";
    product.opset = 13;
    product.attributes = {};
    graph.resizeInputs(id, 1);
    graph.setInput(id, 1, matrix);
    if (!op.hasInput(5)) return;
    Operation sum;
    sum.name = graph.freshName(op.name + "_bias");
    sum.type = "Add";
    sum.opset = 13;
    const VarId result = op.outputs[0], before = graph.addVariable(graph.freshName(op.name + "_product"));
    graph.setOutput(id, 0, before);
    sum.inputs = {before, op.inputs[5]};
    sum.outputs = {result};
    graph.addOperation(std::move(sum));
}

} // namespace

std::map<Slot, StoredGrid> restoreMatrices(Graph &graph)
{
    std::map<Slot, StoredGrid> roundings;
    for (const OpId id : graph.topological())
        if (const Operation &op = graph.operation(id); op.type == "MatMulNBits" && op.domain == "com.microsoft")
            restoreMatrix(graph, id, roundings);
    graph.removeUnreachable();
    return roundings;
}

} // namespace ql
