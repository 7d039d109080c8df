// Before: norm (gain g) -> x -> MatMul (W)        After: norm (g / s) -> x / s -> MatMul (s W)
//
// Rounding costs most in the input channels with large activations; scaled up, they are rounded more finely within
// their group. s = mean|x|^a, divided by the square root of its smallest times its largest value; a of 0, 0.05 ... 0.95
// is the one with the smallest squared error of the rounded matrices at their output, measured as (Q(s W) / s - W) E[x
// x^T] (Q(s W) / s - W)^T. (Lin et al., "AWQ: Activation-aware Weight Quantization for On-Device LLM Compression and
// Acceleration", 2024, section 3.2.) The division is done by the operations that produce x, as in smooth_quant; the
// float result is the same.
//
// Conditions: as in smooth_quant; the configs of the weights are those of the platform.
#include "core/pass/matrix_weights.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/sqrt.h>

namespace ql {

class Awq final : public Pass
{
public:
    explicit Awq(const nlohmann::json &params) : m_trials(params["trials"]) {}

    std::string_view id() const override { return "awq"; }

    int run(QuantModel &model, const PassContext &context) const override
    {
        return scaleInputs(model, context, QL_TEXT("AWQ"),
                           [this](const QuantModel &configured, const MatrixGroup &group, const InputStatistics &seen) {
                               return bestFactors(configured, group, seen);
                           });
    }

private:
    /// Undefined: 1 is best.
    at::Tensor bestFactors(const QuantModel &configured, const MatrixGroup &group, const InputStatistics &seen) const
    {
        const at::Tensor size = seen.mean.clamp_min(1e-8);
        at::Tensor best;
        double least = errorOf(configured, group, seen, at::ones_like(size));
        for (int trial = 1; trial < m_trials; ++trial) {
            at::Tensor factors = at::pow(size, double(trial) / m_trials).clamp_min(1e-4);
            factors = factors / at::sqrt(factors.max() * factors.min());
            if (!factors.isfinite().all().item().toBool()) continue;
            const double error = errorOf(configured, group, seen, factors);
            if (!(error < least)) continue;
            least = error;
            best = factors;
        }
        return best;
    }
    static double errorOf(const QuantModel &configured, const MatrixGroup &group, const InputStatistics &seen,
                          const at::Tensor &factors)
    {
        double sum = 0;
        for (const MatrixWeight &matrix : group.matrices) {
            const TensorQuantConfig *config = configured.plan.find(inputSlot(matrix.op, 1));
            if (!config || config->state == QuantState::Off || config->dynamic) continue;
            const at::Tensor weights = matrix.oriented(configured.graph.variable(matrix.weight).value);
            const at::Tensor rounded = matrix.oriented(roundedBy(matrix.stored(weights * factors), *config)) / factors;
            sum += outputError(rounded - weights, seen.products);
        }
        return sum;
    }

    int m_trials;
};

static const PassRegistrar awqRegistrar{
    {.info = {.id = "awq",
              .title = QL_TEXT("AWQ"),
              .meaning =
                  QL_TEXT("Before: all input channels of MatMul and Gemm weights are rounded alike. After: channels "
                          "with large activations are scaled up and rounded more finely; the float result is the "
                          "same."),
              .params = {{.name = "trials",
                          .type = "int",
                          .fallback = 20,
                          .meaning = QL_TEXT("Exponents to try for each input."),
                          .min = 2,
                          .max = 1000}}},
     .traits = {.kind = PassKind::Float, .needsData = true},
     .make = makePassOf<Awq>}};

} // namespace ql
