// Before: norm (gain g) -> x -> MatMul (W)        After: norm (g / s) -> x / s -> MatMul (s W)
//
// Channels of activations with outliers need a coarse scale per tensor; weights are even. Per input channel j, s_j =
// max|x_j|^strength / max|W_j|^(1 - strength) moves a part of the range into the weights; the float result is the same.
// (Xiao et al., "SmoothQuant: Accurate and Efficient Post-Training Quantization for Large Language Models", 2023,
// section 4.) The division is done by the operations that produce x: LayerNormalization, the gain of an RMS norm (Mul),
// an Add of a constant, a matrix; also through Relu. All matrices that read x share s.
//
// Conditions: every operation that reads x is a quantized MatMul or Gemm with a constant matrix of its own; channels
// that are always 0 keep their scale. Others are left unchanged.
#include "core/pass/matrix_weights.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/where.h>

namespace ql {

class SmoothQuant final : public Pass
{
public:
    explicit SmoothQuant(const nlohmann::json &params) : m_strength(params["strength"]) {}

    std::string_view id() const override { return "smooth_quant"; }

    int run(QuantModel &model, const PassContext &context) const override
    {
        return scaleInputs(model, context, QL_TEXT("SmoothQuant"),
                           [this](const QuantModel &configured, const MatrixGroup &group, const InputStatistics &seen) {
                               return factorsOf(configured.graph, group, seen.largest);
                           });
    }

private:
    /// inputs: largest values of the input channels
    at::Tensor factorsOf(const Graph &graph, const MatrixGroup &group, const at::Tensor &inputs) const
    {
        at::Tensor weights;
        for (const MatrixWeight &matrix : group.matrices) {
            const at::Tensor own = matrix.oriented(graph.variable(matrix.weight).value).abs().amax(0);
            weights = weights.defined() ? at::maximum(weights, own) : own;
        }
        const at::Tensor factors = at::pow(inputs, m_strength) / at::pow(weights, 1 - m_strength);
        const at::Tensor isUsable = (inputs > 0) * (weights > 0) * factors.isfinite();
        return at::where(isUsable.to(at::kBool), factors, at::ones_like(factors));
    }

    double m_strength;
};

static const PassRegistrar smoothQuantRegistrar{
    {.info = {.id = "smooth_quant",
              .title = QL_TEXT("SmoothQuant"),
              .meaning =
                  QL_TEXT("Before: inputs of MatMul and Gemm with outliers in a few channels. After: part of these "
                          "ranges is in the weights; the float result is the same."),
              .params = {{.name = "strength",
                          .type = "float",
                          .fallback = 0.5,
                          .meaning = QL_TEXT("How much of the difference between channels moves into the weights."),
                          .min = 0,
                          .max = 1}}},
     .traits = {.kind = PassKind::Float, .needsData = true},
     .make = makePassOf<SmoothQuant>}};

} // namespace ql
