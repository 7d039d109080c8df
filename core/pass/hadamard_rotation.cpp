// Before: x -> MatMul (W)        After: x -> MatMul (R) -> MatMul (R^T W)
//
// A rotation spreads outliers over all channels, so that one scale suits them. R is a randomized Hadamard matrix: the
// Walsh-Hadamard matrix of the largest power of two that divides the channels, repeated along the diagonal, with random
// signs of its rows, divided by the square root of its size; it is orthogonal, so the float result is the same.
// (Ashkboos et al., "QuaRot: Outlier-Free 4-Bit Inference in Rotated LLMs", 2024, section 3.) If x is the result of a
// matrix of its own, R goes into that matrix; otherwise it stays in the graph, in float32, once for all matrices that
// read x.
//
// Conditions: quantized MatMul or Gemm with a constant matrix that no other operation reads, with at least 8 channels
// rotated together.
#include "core/pass/format_tools.h"
#include "core/pass/matrix_weights.h"
#include "core/platform/dispatcher.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/zeros.h>

#include <bit>
#include <cmath>
#include <random>

namespace ql {

namespace {

constexpr std::int64_t leastSize = 8;

/// [channels, channels], orthogonal.
at::Tensor rotation(std::int64_t channels, std::int64_t size, std::uint32_t seed)
{
    std::mt19937 random{seed};
    at::Tensor matrix = at::zeros({channels, channels}, at::TensorOptions(at::kFloat));
    float *data = matrix.data_ptr<float>();
    for (std::int64_t row = 0; row < channels; ++row) {
        const bool isNegative = random() & 1U;
        const std::int64_t first = row / size * size;
        for (std::int64_t column = first; column < first + size; ++column) {
            const bool isOdd = std::popcount(std::uint64_t(row - first) & std::uint64_t(column - first)) & 1;
            data[row * channels + column] = float((isOdd != isNegative ? -1 : 1) / std::sqrt(double(size)));
        }
    }
    return matrix;
}

at::Tensor exactProduct(const at::Tensor &a, const at::Tensor &b) // in float64: this is done once
{
    return at::matmul(a.to(at::kDouble), b.to(at::kDouble)).to(at::kFloat);
}

} // namespace

class HadamardRotation final : public Pass
{
public:
    explicit HadamardRotation(const nlohmann::json &params) : m_inserts(params["insert"]), m_seed(params["seed"]) {}

    std::string_view id() const override { return "hadamard_rotation"; }

    int run(QuantModel &model, const PassContext &context) const override
    {
        QuantModel configured = model;
        context.configure(configured);
        int changed = 0;
        for (const MatrixGroup &group : quantizedGroups(configured)) {
            const std::int64_t channels = group.matrices[0].inputs, size = channels & -channels;
            if (size < leastSize) continue;
            const at::Tensor matrix = rotation(channels, size, std::uint32_t(m_seed));
            if (!(group.isOnlyReader && rotateProducer(model.graph, group.input, matrix))) {
                if (!m_inserts) continue;
                insert(model, group, matrix);
            }
            for (const MatrixWeight &each : group.matrices) {
                const at::Tensor weights = each.oriented(model.graph.variable(each.weight).value);
                model.graph.setValue(each.weight, each.stored(exactProduct(weights, matrix)));
                ++changed;
            }
        }
        return changed;
    }

private:
    static bool rotateProducer(Graph &graph, VarId input, const at::Tensor &matrix)
    {
        const OpId producer = graph.variable(input).producer;
        const auto before = producer == noOp ? std::nullopt : matrixWeight(graph, producer);
        if (!before || before->outputs != matrix.size(0)) return false;
        const Operation &op = graph.operation(producer);
        const VarId bias = op.hasInput(2) ? op.inputs[2] : noVar;
        if (bias != noVar && (!graph.isParameter(bias) || !isOwnedByOneSlot(graph, bias) ||
                              graph.variable(bias).value.numel() != matrix.size(0)))
            return false;
        const at::Tensor weights = before->oriented(graph.variable(before->weight).value);
        graph.setValue(before->weight, before->stored(exactProduct(matrix.t(), weights)));
        if (bias != noVar) {
            const at::Tensor value = graph.variable(bias).value;
            graph.setValue(bias, exactProduct(value.reshape({1, -1}), matrix).reshape(value.sizes()));
        }
        return true;
    }

    static void insert(QuantModel &model, const MatrixGroup &group, const at::Tensor &matrix)
    {
        Graph &graph = model.graph;
        const std::string base = graph.variable(group.input).name + "_rotated";
        Operation op;
        op.type = "MatMul";
        op.name = graph.freshName(base);
        op.opset = graph.opsets[""];
        op.inputs = {group.input, graph.addParameter(graph.freshName(base + "_matrix"), matrix)};
        const VarId rotated = graph.addVariable(graph.freshName(base + "_output"), graph.variable(group.input).type);
        op.outputs = {rotated};
        const OpId added = graph.addOperation(std::move(op));
        for (const MatrixWeight &each : group.matrices) graph.setInput(each.op, 0, rotated);
        model.dispatch[added] = {fp32Platform, QL_TEXT("rotation of the input of quantized weights")};
    }

    bool m_inserts;
    int m_seed;
};

static const PassRegistrar hadamardRotationRegistrar{
    {.info = {.id = "hadamard_rotation",
              .title = QL_TEXT("Hadamard rotation"),
              .meaning =
                  QL_TEXT("Before: outliers in a few channels of inputs and weights of MatMul and Gemm. After: both "
                          "are rotated, which spreads outliers over all channels; the float result is the same."),
              .params = {{.name = "insert",
                          .type = "bool",
                          .fallback = true,
                          .meaning = QL_TEXT("Insert a MatMul if no matrix before the input can absorb the rotation; "
                                             "off: leave these inputs unchanged.")},
                         {.name = "seed",
                          .type = "int",
                          .fallback = 0,
                          .meaning = QL_TEXT("Seed of the random signs."),
                          .min = 0}}},
     .traits = {.kind = PassKind::Float},
     .make = makePassOf<HadamardRotation>}};

} // namespace ql
