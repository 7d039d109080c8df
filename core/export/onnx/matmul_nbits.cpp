// ONNX with com.microsoft MatMulNBits: the float graph, in which matrices of 8 bits or fewer with scales per group of
// input channels stay packed, so that ONNX Runtime reads a quarter or an eighth of the bytes.
//
// Before: MatMul(x, W [K, N])        After: MatMulNBits(x, B [N, K / block, block * bits / 8], scales, zero points)
//
// Codes are unsigned, counted from 0, with zero point 8 or 128 for symmetric ones; the first of two 4-bit codes is in
// the low half of a byte; the last block of a row is filled with zero points. Source: ONNX Runtime, ContribOperators,
// com.microsoft.MatMulNBits. Conditions: MatMul, or Gemm without transA, alpha and beta, with a matrix that it alone
// reads, groups of 16 or more input channels, a power of two. All other parameters are written as rounded floats.
#include "core/base/error.h"
#include "core/export/exporter.h"
#include "core/export/onnx/open_shapes.h"
#include "core/export/onnx/operators.h"
#include "core/export/onnx/side_files.h"
#include "core/export/onnx/written_operations.h"
#include "core/io/onnx/write.h"
#include "core/quant/groups.h"
#include "core/quant/quantize.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/tensor.h>

#include <bit>
#include <optional>

namespace ql {

namespace {

/// A matrix as the operator stores it.
struct PackedMatrix
{
    std::int64_t inputs = 0, outputs = 0, bits = 4, block = 32;
    at::Tensor codes, scales, zeroPoints; ///< uint8 [outputs, blocks, bytes], float32 [outputs, blocks], uint8
};

/// [rows, count] values of 4 bits to [rows, (count + 1) / 2] bytes.
at::Tensor packedPairs(at::Tensor values)
{
    if (values.size(1) % 2 != 0) values = at::constant_pad_nd(values, {0, 1}, 0);
    const at::Tensor pairs = values.reshape({values.size(0), -1, 2});
    return (pairs.select(2, 0) + pairs.select(2, 1) * 16).to(at::kByte);
}

/// Nothing if the operator has no such form.
std::optional<PackedMatrix> packed(const QuantModel &model, const Operation &op)
{
    const Slot slot = inputSlot(op.id, 1);
    const TensorQuantConfig *config = model.plan.simulated(slot);
    if (!config || !config->isGrouped() || config->isFloating() || config->quantMax - config->quantMin > 255 ||
        config->groupSize < 16 || !std::has_single_bit(unsigned(config->groupSize)) ||
        model.graph.variable(op.inputs[1]).value.dim() != 2)
        return std::nullopt;
    const bool isTransposed = *config->channelAxis == 1; // stored as [outputs, inputs]
    const auto oriented = [&](const at::Tensor &x) { return isTransposed ? x : x.transpose(0, 1); };
    const at::Tensor value = model.plan.parameterValue(model.graph, op.inputs[1]);
    const std::vector<std::int32_t> &zeros = model.plan.zeroPoint(slot);
    const std::vector<std::int64_t> wide(zeros.begin(), zeros.end()), shape = groupShape(value.sizes(), *config);
    const at::Tensor zero = oriented(at::tensor(wide, at::TensorOptions(at::kLong)).reshape(shape));
    PackedMatrix matrix;
    matrix.block = config->groupSize;
    matrix.bits = config->quantMax - config->quantMin <= 15 ? 4 : 8;
    const std::int64_t middle = std::int64_t{1} << (matrix.bits - 1);
    const std::int64_t shift = config->quantMin < 0 ? middle : 0; // signed codes to unsigned ones
    if (config->quantMin + shift < 0 || config->quantMax + shift >= 2 * middle) return std::nullopt;
    const at::Tensor codes =
        oriented(quantizeToInteger(value, *config, model.plan.scale(slot), zeros)).to(at::kLong) + shift;
    matrix.outputs = codes.size(0);
    matrix.inputs = codes.size(1);
    matrix.scales =
        oriented(at::tensor(model.plan.scale(slot), at::TensorOptions(at::kFloat)).reshape(shape)).contiguous();
    const std::int64_t blocks = matrix.scales.size(1);
    const at::Tensor filled =
        at::constant_pad_nd(codes, {0, blocks * matrix.block - matrix.inputs}, middle).contiguous();
    const at::Tensor bytes = matrix.bits == 4 ? packedPairs(filled) : filled.to(at::kByte);
    matrix.codes = bytes.reshape({matrix.outputs, blocks, -1}).contiguous();
    if (const at::Tensor counted = zero + shift; !(counted == middle).all().item().toBool())
        matrix.zeroPoints = (matrix.bits == 4 ? packedPairs(counted.contiguous()) : counted.to(at::kByte)).contiguous();
    return matrix;
}

/// Replaces operation id of graph, a MatMul or Gemm.
void replace(Graph &graph, OpId id, const PackedMatrix &matrix)
{
    const Operation op = graph.operation(id);
    const std::string base = graph.variable(op.inputs[1]).name;
    const auto parameter = [&](const char *name, const at::Tensor &value) {
        return graph.addParameter(graph.freshName(base + name), value);
    };
    Operation &edited = graph.edit(id);
    edited.type = "MatMulNBits";
    edited.domain = "com.microsoft";
    edited.opset = 1;
    edited.attributes = {{"K", matrix.inputs},
                         {"N", matrix.outputs},
                         {"bits", matrix.bits},
                         {"block_size", matrix.block},
                         {"accuracy_level", std::int64_t{1}}}; // float32
    graph.resizeInputs(id, 1);
    graph.setInput(id, 1, parameter("_quantized", matrix.codes));
    graph.setInput(id, 2, parameter("_scale", matrix.scales));
    if (matrix.zeroPoints.defined()) graph.setInput(id, 3, parameter("_zero_point", matrix.zeroPoints));
    graph.opsets["com.microsoft"] = 1;
    if (op.hasInput(2)) addBiasAfter(graph, id, op.inputs[2]);
}

ExportResult writeMatMulNBits(const ExportRequest &request)
{
    ExportResult result;
    Graph graph = plainGraph(request.model, request.params, result);
    int replaced = 0, others = 0;
    for (const OpId id : request.model.graph.topological()) {
        const Operation &op = request.model.graph.operation(id); // the original, which defines the slots
        if (!request.model.isQuantized(id) || !graph.contains(id) || !op.hasInput(1)) continue;
        const Operation written = graph.operation(id);
        const bool isProduct = written.type == "MatMul" ||
                               (written.type == "Gemm" && written.intAttribute("transA", 0) == 0 &&
                                written.floatAttribute("alpha", 1) == 1 && written.floatAttribute("beta", 1) == 1);
        const auto matrix = isProduct && request.model.graph.isParameter(op.inputs[1]) ? packed(request.model, op)
                                                                                       : std::optional<PackedMatrix>();
        if (matrix)
            replace(graph, id, *matrix);
        else
            ++others;
        replaced += matrix.has_value();
    }
    if (replaced == 0)
        throw Error(ErrorKind::BadConfig, QL_TEXT("no matrix has scales per group of 16, 32, 64 ... input channels"))
            .withRemedy(
                QL_TEXT("Set the granularity of weights of MatMul and Gemm to 'group 32' and their bits to 4 or 8, as "
                        "the platform WEIGHT_ONLY does."));
    if (others > 0)
        result.notes.push_back(
            QL_TEXT("%1 quantized operations are written with rounded float parameters.").with(others));
    graph.removeUnreachable();
    graph.verify();
    result.operations = writtenOperations(graph);
    result.files = writeOnnx(graph, request.target, {});
    return result;
}

const ExporterRegistrar matmulNBits{
    "onnx_matmul_nbits",
    {.info = {.id = "onnx_matmul_nbits",
              .title = QL_TEXT("ONNX with MatMulNBits"),
              .meaning =
                  QL_TEXT("For language models in ONNX Runtime: matrices of 4 or 8 bits with scales per group stay "
                          "packed; activations are float32."),
              .params = {fixedShapesParam(), foreignOperatorsParam()}},
     .extensions = {".onnx"},
     .run = writeMatMulNBits}};

} // namespace

} // namespace ql
