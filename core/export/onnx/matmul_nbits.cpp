// ONNX with com.microsoft MatMulNBits: the float graph, in which matrices of 8 bits or fewer with scales per group of
// input channels stay packed, so that ONNX Runtime reads a quarter or an eighth of the bytes.
//
// Before: MatMul(x, W [K, N])        After: MatMulNBits(x, B [N, K / block, block * bits / 8], scales, zero points)
//
// Codes are unsigned, counted from 0, with zero point 8 or 128 for symmetric ones; the first of two 4-bit codes is in
// the low half of a byte; the last block of a row is filled with zero points. Source: ONNX Runtime, ContribOperators,
// com.microsoft.MatMulNBits. Conditions: MatMul, or Gemm without transA, alpha and beta, with a matrix that it alone
// reads, groups of 16 or more input channels, a power of two; also in bodies of If, Loop and Scan, which own the codes.
// All other parameters are written as rounded floats. Activations whose scales are computed at run time: accuracy_level
// 4, with which ONNX Runtime rounds x to symmetric codes of 8 bits in the same groups and adds products in integers, if
// they are rounded so; nodes that round them (qdq_nodes.h) otherwise.
#include "core/base/error.h"
#include "core/export/exporter.h"
#include "core/export/onnx/open_shapes.h"
#include "core/export/onnx/operators.h"
#include "core/export/onnx/opset.h"
#include "core/export/onnx/qdq_nodes.h"
#include "core/export/onnx/quantized_file.h"
#include "core/export/onnx/side_files.h"
#include "core/export/onnx/written_operations.h"
#include "core/ir/subgraphs.h"
#include "core/quant/groups.h"
#include "core/quant/networks.h"
#include "core/quant/quantize.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace ql {

namespace {

constexpr const char *accuracyLevel = "accuracy_level";

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

/// The parameter that is read at slot; nothing if the operator has no such form.
std::optional<PackedMatrix> packed(const QuantModel &model, Slot slot)
{
    const TensorQuantConfig *config = model.plan.simulated(slot);
    const VarId id = variableOf(model.graph, slot);
    if (!config || !config->isGrouped() || config->isFloating() || config->quantMax - config->quantMin > 255 ||
        config->groupSize < 16 || !std::has_single_bit(unsigned(config->groupSize)) || !model.graph.isParameter(id) ||
        model.graph.variable(id).value.dim() != 2)
        return std::nullopt;
    const bool isTransposed = *config->channelAxis == 1; // stored as [outputs, inputs]
    const auto oriented = [&](const at::Tensor &x) { return isTransposed ? x : x.transpose(0, 1); };
    const at::Tensor value = model.plan.parameterValue(model.graph, id);
    const std::vector<std::int32_t> &zeros = model.plan.zeroPoint(slot);
    const std::vector<std::int64_t> wide(zeros.begin(), zeros.end()), shape = groupShape(value.sizes(), *config);
    const at::Tensor zero = oriented(at::tensor(wide, at::TensorOptions(at::kLong)).reshape(shape));
    PackedMatrix matrix;
    matrix.block = config->groupSize;
    matrix.bits = config->quantMax - config->quantMin <= 15 ? 4 : 8;
    const std::int64_t middle = std::int64_t{1} << (matrix.bits - 1);
    const std::int64_t shift = config->quantMin < 0 ? middle : 0; // signed codes to unsigned ones
    if (config->quantMin + shift < 0 || config->quantMax + shift >= 2 * middle) return std::nullopt;
    // Bytes, also in between, because the matrices are most of a large model; a negative code wraps around, twice.
    const at::Tensor codes =
        oriented(quantizeToInteger(value, *config, model.plan.scale(slot), zeros).to(at::kByte).add_(shift));
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

/// The product of a matrix, as the model or the file with rounded floats has it.
bool isProduct(const Operation &op)
{
    return op.type == "MatMul" || (op.type == "Gemm" && op.intAttribute("transA", 0) == 0 &&
                                   op.floatAttribute("alpha", 1) == 1 && op.floatAttribute("beta", 1) == 1);
}

/// Replaces operation id of graph, a product. scope: in front of new names.
void replace(Graph &graph, OpId id, const PackedMatrix &matrix, const std::string &scope = {})
{
    const Operation op = graph.operation(id);
    const std::string base = scope + graph.variable(op.inputs[1]).name;
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
                         {accuracyLevel, std::int64_t{1}}}; // float32
    graph.resizeInputs(id, 1);
    graph.setInput(id, 1, parameter("_quantized", matrix.codes));
    graph.setInput(id, 2, parameter("_scale", matrix.scales));
    if (matrix.zeroPoints.defined()) graph.setInput(id, 3, parameter("_zero_point", matrix.zeroPoints));
    graph.opsets["com.microsoft"] = 1;
    if (op.hasInput(2)) addBiasAfter(graph, id, op.inputs[2]);
}

using Matrices = std::map<std::string, PackedMatrix>;

/// Replaces the products that read captured matrices in the bodies of operation id of graph, by their names in these
/// bodies. @returns the names of those that were replaced
std::set<std::string> replaceInBodies(Graph &graph, OpId id, const Matrices &matrices, const std::string &scope)
{
    std::set<std::string> replaced;
    const Operation op = graph.operation(id);
    for (const auto &[attribute, value] : op.attributes) {
        const auto *former = std::get_if<std::shared_ptr<const Graph>>(&value);
        if (!former || !*former) continue;
        Graph body = **former;
        const std::string inner = scope + op.name + "/" + attribute + "/";
        for (const auto &[name, matrix] : matrices) {
            const VarId captured = capturedTensor(body, name);
            if (captured == noVar) continue;
            for (const Use &use : std::vector<Use>(body.variable(captured).uses)) {
                if (use.op == noOp) continue;
                const Operation &reader = body.operation(use.op);
                if (use.index == 1 && isProduct(reader)) {
                    replace(body, use.op, matrix, inner);
                    replaced.insert(name);
                } else if (const std::size_t first = formalInputCount(reader); std::size_t(use.index) >= first) {
                    const std::string own = captureNames(reader)[std::size_t(use.index) - first];
                    if (!replaceInBodies(body, use.op, {{own, matrix}}, inner).empty()) replaced.insert(name);
                }
            }
        }
        graph.edit(id).attributes[attribute] = std::make_shared<const Graph>(std::move(body));
    }
    if (!replaced.empty()) dropUnusedCaptures(graph, id);
    return replaced;
}

/// How many weights became packed matrices, and how many are rounded floats.
struct Counts
{
    std::size_t packed = 0, others = 0;
};

/// Replaces what operation id, of the model and of graph, multiplies by.
Counts replaceProducts(Graph &graph, const QuantModel &model, OpId id)
{
    const Operation &op = model.graph.operation(id); // the original, which defines the slots
    const std::vector<std::size_t> weights = weightsOfBodies(model.graph, op);
    if (weights.empty()) {
        if (!op.hasInput(1) || !model.graph.isParameter(op.inputs[1]) || !model.plan.simulated(inputSlot(id, 1)))
            return {};
        const auto matrix = isProduct(graph.operation(id)) ? packed(model, inputSlot(id, 1)) : std::nullopt;
        if (!matrix) return {0, 1};
        replace(graph, id, *matrix);
        return {1, 0};
    }
    Matrices matrices;
    Counts counts;
    for (const std::size_t i : weights) {
        const Slot slot = inputSlot(id, i);
        if (!model.plan.simulated(slot)) continue;
        ++counts.others;
        if (auto matrix = packed(model, slot))
            matrices.emplace(captureNames(op)[i - formalInputCount(op)], std::move(*matrix));
    }
    counts.packed = replaceInBodies(graph, id, matrices, {}).size();
    counts.others -= counts.packed;
    return counts;
}

/// Whether ONNX Runtime rounds input 0 of product, of this rank, as config does if the level allows it.
bool isRoundedByProduct(const Operation &product, const TensorQuantConfig &config, std::size_t rank)
{
    constexpr std::int64_t largest = 127;
    return product.type == "MatMulNBits" && config.groupSize == product.intAttribute("block_size", 0) &&
           config.channelAxis == int(rank) - 1 && config.symmetric && !config.powerOfTwo && !config.isFloating() &&
           config.scaleFormat == ScaleFormat::Float32 && config.rounding == Rounding::HalfEven &&
           config.quantMin == -largest && config.quantMax == largest;
}

/// Lets the file round activations whose scales are computed at run time.
class ActivationWriter : QdqNodes
{
public:
    /// graph: with the products that have become MatMulNBits
    ActivationWriter(const QuantModel &model, Graph graph) : QdqNodes(model, {}) { m_graph = std::move(graph); }

    Graph write()
    {
        for (const auto &[slot, config] : m_model.plan.configs())
            if (!slot.output && m_graph.contains(slot.op) && m_model.plan.simulated(slot) &&
                !m_model.graph.isParameter(variableOf(m_model.graph, slot)))
                round(slot, config);
        raiseOpset(m_graph, m_minOpset);
        m_graph.irVersion = std::max(m_graph.irVersion, irVersion());
        return std::move(m_graph);
    }
    const std::vector<Text> &notes() const { return m_notes; }

private:
    void round(Slot slot, const TensorQuantConfig &config)
    {
        if (!config.dynamic) {
            note(QL_TEXT("Activations with fixed scales are not quantized in this file."));
            return;
        }
        const Operation &op = m_model.graph.operation(slot.op);
        const Variable &read = m_model.graph.variable(variableOf(op, slot));
        const auto input = std::size_t(slot.index);
        constexpr std::int64_t int8 = 4;
        if (input == 0 && read.type.shape &&
            isRoundedByProduct(m_graph.operation(op.id), config, read.type.shape->size())) {
            m_graph.edit(op.id).attributes[accuracyLevel] = int8;
            return;
        }
        const VarId current = m_graph.operation(op.id).inputs[input];
        const Grid grid = gridOf(slot, config);
        const auto [rounded, isNew] = m_rounded.try_emplace({current, grid}, noVar);
        if (isNew) {
            rounded->second = m_graph.addVariable(m_graph.freshName(read.name + "_dequantized"), read.type);
            addPair(op, read.name, current, rounded->second, grid, config);
        }
        m_graph.setInput(op.id, input, rounded->second);
    }

    std::map<std::pair<VarId, Grid>, VarId> m_rounded;
};

/// Weights in groups that only their format keeps from being stored.
void refuseFloatingWeights(const QuantModel &model)
{
    for (const auto &[slot, config] : model.plan.configs()) {
        if (!config.isGrouped() || !config.isFloating() || !model.plan.simulated(slot)) continue;
        throw Error(ErrorKind::BadConfig,
                    QL_TEXT("MatMulNBits stores integers of 4 or 8 bits, but these weights have a floating format"),
                    model.graph.operation(slot.op).name, model.graph.variable(variableOf(model.graph, slot)).name)
            .withRemedy(QL_TEXT("Choose an integer format, such as %1, or another export format, such as onnx_qdq.")
                            .with(Text::option("--platform-param weight_format=int4")));
    }
}

/// Their activations are written in float32.
void refuseRoundedBodies(const QuantModel &model)
{
    for (const Network &network : bodyNetworks(model))
        for (const auto &[slot, config] : network.model->plan.configs()) {
            if (!config.isGrouped() || !config.dynamic || !network.model->plan.simulated(slot)) continue;
            const Graph &graph = network.graph();
            throw Error(ErrorKind::BadConfig,
                        QL_TEXT("the file has activations of bodies of If, Loop and Scan in float32, but this one has "
                                "a scale per group that is computed at run time"),
                        network.nameOf(slot.op), graph.variable(variableOf(graph, slot)).name)
                .withRemedy(QL_TEXT("Leave it in float32 (state fp32), or export to 'onnx_qdq'."));
        }
}

ExportResult writeMatMulNBits(const ExportRequest &request)
{
    ExportResult result;
    Graph graph = plainGraph(request.model, request.params, result);
    Counts all;
    for (const OpId id : request.model.graph.topological()) {
        if (!request.model.isQuantized(id) || !graph.contains(id)) continue;
        const Counts counts = replaceProducts(graph, request.model, id);
        all.packed += counts.packed;
        all.others += counts.others;
    }
    if (all.packed == 0) refuseFloatingWeights(request.model);
    if (all.packed == 0)
        throw Error(ErrorKind::BadConfig, QL_TEXT("no matrix has scales per group of 16, 32, 64 ... input channels"))
            .withRemedy(
                QL_TEXT("Set the granularity of weights of MatMul and Gemm to 'group 32' and their bits to 4 or 8, as "
                        "the platform WEIGHT_ONLY does."));
    if (all.others > 0)
        result.notes.push_back(
            QL_TEXT("%1 quantized operations are written with rounded float parameters.").with(all.others));
    refuseRoundedBodies(request.model);
    ActivationWriter activations(request.model, std::move(graph));
    graph = activations.write();
    result.notes.insert(result.notes.end(), activations.notes().begin(), activations.notes().end());
    graph.removeUnreachable();
    graph.verify();
    result.operations = writtenOperations(graph);
    result.files = writeQuantizedOnnx(graph, request);
    return result;
}

const ExporterRegistrar matmulNBits{
    "onnx_matmul_nbits",
    {.info = {.id = "onnx_matmul_nbits",
              .title = QL_TEXT("ONNX with MatMulNBits"),
              .meaning =
                  QL_TEXT("For language models in ONNX Runtime: matrices of 4 or 8 bits with scales per group stay "
                          "packed; activations are float32, or rounded to 8 bits in the same groups."),
              .params = {fixedShapesParam(), foreignOperatorsParam()}},
     .extensions = {".onnx"},
     .keepsDynamicGroups = true,
     .run = writeMatMulNBits}};

} // namespace

} // namespace ql
