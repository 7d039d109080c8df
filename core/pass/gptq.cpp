// Before: weights rounded to the nearest grid point        After: rounded one input channel after the other; the
// channels that follow compensate for the error at the output
//
// For a matrix with rows w and the mean H = E[x x^T] of its inputs, the error of a rounded row is (q - w) H (q - w)^T.
// Input channel i is rounded, and its error e, divided by the diagonal, times row i of the upper Cholesky factor of
// H^-1 is subtracted from the channels that are still to come. (Frantar et al., "GPTQ: Accurate Post-Training
// Quantization for Generative Pre-trained Transformers", 2023, algorithm 1.) The scales of a group are observed when
// its first channel is reached, except scales in E4M3, which depend on all of a tensor. H is that of the float network.
//
// Written are weights on their grid (QuantPlan::parameterValues). A matrix keeps its old rounding if that has the
// smaller error. Conditions: MatMul or Gemm with a constant matrix that no other operation reads, with static scales
// per tensor, output channel or group of input channels, not baked.
//
// Measured on stories260k, INT4 in groups of 32, asymmetric, next-token loss (float 1.2047): 1.3229 to 1.2787; other
// formats: docs/formats.md.
#include "core/base/error.h"
#include "core/pass/matrix_weights.h"
#include "core/pass/slots.h"
#include "core/quant/groups.h"
#include "core/quant/quantize.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cholesky_inverse.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linalg_cholesky.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/outer.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/where.h>

#include <algorithm>

namespace ql {

namespace {

constexpr std::int64_t channelsPerUpdate = 128; // section 3.3, step 2: the rest of the matrix is updated that often

/// One matrix while its channels are rounded. [outputs, ...]
class ChannelRounding
{
public:
    ChannelRounding(const MatrixWeight &matrix, const at::Tensor &value, const TensorQuantConfig &config,
                    bool keepScales)
        : m_config(config), m_weights(matrix.oriented(value).to(at::kDouble).contiguous()), m_rows(rowConfig(config))
    {
        m_group = config.isGrouped() ? config.groupSize : matrix.inputs;
        const auto groupsOf = [&](const auto &numbers) {
            const at::Tensor flat =
                at::tensor(std::vector<double>(numbers.begin(), numbers.end()), at::TensorOptions(at::kDouble));
            if (!config.isGrouped()) return flat.reshape({-1, 1}).expand({matrix.outputs, 1}).contiguous();
            return matrix.oriented(flat.reshape(groupShape(value.sizes(), config))).contiguous();
        };
        m_scales = groupsOf(config.scale);
        m_zeros = groupsOf(config.zeroPoint);
        m_observes = config.isGrouped() && config.scaleFormat != ScaleFormat::E4M3 && !keepScales;
    }

    at::Tensor run(const at::Tensor &factor, const JobContext &job)
    {
        const std::int64_t channels = m_weights.size(1);
        std::vector<at::Tensor> rounded;
        for (std::int64_t first = 0; first < channels; first += channelsPerUpdate) {
            job.checkpoint();
            const std::int64_t last = std::min(first + channelsPerUpdate, channels);
            std::vector<at::Tensor> errors;
            for (std::int64_t i = first; i < last; ++i) {
                if (i % m_group == 0 && m_observes) observe(i, factor, errors, first, last);
                const at::Tensor w = m_weights.select(1, i), q = round(w, i / m_group);
                const at::Tensor error = (w - q) / factor[i][i];
                rounded.push_back(q);
                errors.push_back(error);
                if (i + 1 < last)
                    m_weights.narrow(1, i + 1, last - i - 1) -=
                        at::outer(error, factor[i].narrow(0, i + 1, last - i - 1));
            }
            if (last < channels)
                m_weights.narrow(1, last, channels - last) -= at::matmul(
                    at::stack(errors, 1), factor.narrow(0, first, last - first).narrow(1, last, channels - last));
        }
        return at::stack(rounded, 1).to(at::kFloat);
    }

    Observer::Result scales(const MatrixWeight &matrix) const
    {
        const auto flat = [&](const at::Tensor &groups) {
            return (m_config.isGrouped() ? matrix.stored(groups) : groups.contiguous()).reshape({-1});
        };
        const at::Tensor scale = flat(m_scales), zero = flat(m_zeros);
        Observer::Result result;
        for (std::size_t i = 0; i < m_config.scale.size(); ++i) {
            result.scale.push_back(float(scale.data_ptr<double>()[i]));
            result.zeroPoint.push_back(std::int32_t(zero.data_ptr<double>()[i]));
        }
        return result;
    }

private:
    /// The scales of the group that begins at channel i, whose last channels may still lack the update of this block.
    void observe(std::int64_t i, const at::Tensor &factor, const std::vector<at::Tensor> &errors, std::int64_t first,
                 std::int64_t last)
    {
        const std::int64_t end = std::min(i + m_group, m_weights.size(1));
        at::Tensor values = m_weights.narrow(1, i, end - i).clone();
        if (end > last && !errors.empty())
            values.narrow(1, last - i, end - last) -=
                at::matmul(at::stack(errors, 1), factor.narrow(0, first, i - first).narrow(1, last, end - last));
        const Observer::Result found = observedScales(values.to(at::kFloat).contiguous(), m_rows);
        const auto write = [&](at::Tensor &groups, const auto &numbers) {
            groups.select(1, i / m_group)
                .copy_(at::tensor(std::vector<double>(numbers.begin(), numbers.end()), at::TensorOptions(at::kDouble)));
        };
        write(m_scales, found.scale);
        write(m_zeros, found.zeroPoint);
    }
    at::Tensor round(const at::Tensor &w, std::int64_t group) const
    {
        const at::Tensor scale = m_scales.select(1, group).contiguous(), zero = m_zeros.select(1, group).contiguous();
        const double *s = scale.data_ptr<double>(), *z = zero.data_ptr<double>();
        return fakeQuant(w.to(at::kFloat).reshape({-1, 1}).contiguous(), m_rows,
                         std::vector<float>(s, s + scale.numel()), std::vector<std::int32_t>(z, z + zero.numel()))
            .reshape({-1})
            .to(at::kDouble);
    }

    const TensorQuantConfig &m_config;
    at::Tensor m_weights, m_scales, m_zeros; ///< float64; scales and zero points [outputs, groups]
    TensorQuantConfig m_rows;
    std::int64_t m_group = 1;
    bool m_observes = false;
};

/// The upper Cholesky factor of (products + damping)^-1.
at::Tensor inverseFactor(const at::Tensor &products, double damping)
{
    const at::Tensor diagonal = products.diagonal();
    const double mean = diagonal.mean().item().toDouble();
    at::Tensor damped = products.clone();
    damped.diagonal() += at::where(diagonal == 0, at::full({}, mean > 0 ? mean : 1.0, products.options()),
                                   at::full({}, mean * damping, products.options()));
    return at::linalg_cholesky(at::cholesky_inverse(at::linalg_cholesky(damped)), true);
}

} // namespace

class Gptq final : public Pass
{
public:
    explicit Gptq(const nlohmann::json &params) : m_damping(params["damping"]) {}

    std::string_view id() const override { return "gptq"; }

    int run(QuantModel &model, const PassContext &context) const override
    {
        const std::vector<MatrixGroup> groups = quantizedGroups(model);
        if (groups.empty()) return 0;
        const auto statistics = inputStatistics(model.graph, groups, context, QL_TEXT("GPTQ"));
        int changed = 0;
        for (std::size_t i = 0; i < groups.size(); ++i) {
            context.job.checkpoint(0.5 + 0.5 * double(i) / double(groups.size()), QL_TEXT("GPTQ"));
            const auto seen = statistics.find(groups[i].input);
            if (seen == statistics.end() || !seen->second.products.isfinite().all().item().toBool()) continue;
            const at::Tensor factor = inverseFactor(seen->second.products, m_damping);
            for (const MatrixWeight &matrix : groups[i].matrices)
                changed += round(model, matrix, seen->second.products, factor, context);
        }
        return changed;
    }

private:
    static int round(QuantModel &model, const MatrixWeight &matrix, const at::Tensor &products,
                     const at::Tensor &factor, const PassContext &context)
    {
        const Slot slot = inputSlot(matrix.op, 1);
        const TensorQuantConfig *config = model.plan.find(slot);
        if (!config || config->state != QuantState::Active || config->dynamic || config->parent ||
            config->scale.empty())
            return 0;
        // The axis of groups, or that of the output channels
        const int axis = config->channelAxis.value_or(0), inputs = matrix.isTransposed ? 1 : 0;
        if (config->isPerChannel() && (axis == inputs) != config->isGrouped()) return 0;
        const at::Tensor value = model.plan.parameterValue(model.graph, matrix.weight).contiguous();
        ChannelRounding rounding(matrix, value, *config, context.fixedScales.contains(slot));
        const at::Tensor rounded = rounding.run(factor, context.job);
        const at::Tensor before = fakeQuant(value, *config, config->scale, config->zeroPoint);
        const auto errorOf = [&](const at::Tensor &oriented) {
            return outputError(oriented - matrix.oriented(value), products);
        };
        if (!(errorOf(rounded) < errorOf(matrix.oriented(before)))) return 0;
        const Observer::Result scales = rounding.scales(matrix);
        model.plan.parameterValues[matrix.weight] = matrix.stored(rounded);
        model.plan.setScale(slot, scales.scale, scales.zeroPoint, QuantState::Active, Origin::pass("gptq"));
        return 1;
    }

    double m_damping;
};

static const PassRegistrar gptqRegistrar{
    {.info = {.id = "gptq",
              .title = QL_TEXT("GPTQ"),
              .meaning =
                  QL_TEXT("Before: weights of MatMul and Gemm are rounded to the nearest grid point. After: they "
                          "are rounded channel by channel, and the following channels compensate for the error "
                          "at the output."),
              .params = {{.name = "damping",
                          .type = "float",
                          .fallback = 0.01,
                          .meaning =
                              QL_TEXT("Share of the mean squared input that is added to each channel; more is more "
                                      "robust with few samples."),
                          .min = 1e-6,
                          .max = 10}}},
     .traits = {.kind = PassKind::Quant,
                .needsData = true,
                .needs = {PassAspect::ParameterScales},
                .writes = {PassAspect::TrainedValues},
                .finishes = {PassAspect::ParameterScales}},
     .make = makePassOf<Gptq>}};

} // namespace ql
