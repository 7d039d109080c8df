// Before: weights rounded to the nearest grid point        After: rounded one input channel after the other; the
// channels that follow compensate for the error at the output
//
// For a matrix with rows w and the mean H = E[x x^T] of its inputs, the error of a rounded row is (q - w) H (q - w)^T.
// Input channel i is rounded, and its error e, divided by the diagonal, times row i of the upper Cholesky factor of
// H^-1 is subtracted from the channels that are still to come. (Frantar et al., "GPTQ: Accurate Post-Training
// Quantization for Generative Pre-trained Transformers", 2023, algorithm 1.) Channels with large inputs come first,
// while many others can still compensate.
//
// Matrices are rounded in the order of execution, with the inputs x' of the network as rounded so far. w is replaced by
// the matrix that gives the float network's outputs for them, w E[x x'^T] E[x' x'^T]^-1, or by a mean of both: all of
// the correction suits the calibration samples better than others.
//
// Scales are first fitted to the weights with the squares of the inputs as weights: each is multiplied by the factor
// with the smallest error. After the last channel come rounds of refinement, none of which increases the error: the
// scale of each group becomes its least-squares solution for the codes, and each weight the grid point with the
// smallest error while all others stay. Scales that are fixed, per tensor or not float32 numbers stay.
//
// A Conv is the product of its weights with the patches of its input, of which those at evenly spread places count.
//
// With a bias b, the error has a part that is the same for all inputs: b can absorb it, w E[x] - q E[x'], so that
// the mean of each output is that of the float network, and roundings minimize the rest, (q - w) Cov[x'] (q - w)^T.
// Inputs after a Relu have large means: without this, much of the freedom of roundings is spent on them.
//
// Written are weights on their grid and biases (QuantPlan::parameterValues). A matrix keeps its old rounding if that
// has the smaller error. Conditions: MatMul, Gemm or Conv without groups and with at most 1536 weights per output
// channel, with constant weights that no other operation reads, with static scales per tensor, output channel or group
// of input channels, not baked.
//
// Measured on stories260k, INT4 in groups of 32, asymmetric: docs/formats.md.
#include "core/exec/prefix.h"
#include "core/ir/op_traits.h"
#include "core/pass/calibration_data.h"
#include "core/pass/format_tools.h"
#include "core/pass/input_products.h"
#include "core/pass/matrix_weights.h"
#include "core/pass/rounding_cache.h"
#include "core/pass/slots.h"
#include "core/quant/groups.h"
#include "core/quant/quantize.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/argsort.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/outer.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/where.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

namespace ql {

namespace {

constexpr std::int64_t channelsPerUpdate = 128; // section 3.3, step 2: the rest of the matrix is updated that often

/// One matrix while its channels are rounded. [outputs, inputs]
class ChannelRounding
{
public:
    /// weights: [outputs, inputs], float64. products: the mean of x x^T of the inputs, damped. @pre config outlives
    /// this
    ChannelRounding(const MatrixWeight &matrix, const at::Tensor &weights, const TensorQuantConfig &config,
                    const at::Tensor &products, bool keepScales)
        : m_matrix(matrix), m_config(config), m_products(products), m_weights(weights), m_rows(rowConfig(config))
    {
        m_group = config.isGrouped() ? config.groupSize : matrix.inputs;
        const auto groupsOf = [&](const auto &numbers) {
            const at::Tensor flat =
                at::tensor(std::vector<double>(numbers.begin(), numbers.end()), at::TensorOptions(at::kDouble));
            if (!config.isGrouped()) return flat.reshape({-1, 1}).expand({matrix.outputs, 1}).contiguous();
            return matrix.oriented(flat.reshape(groupShape(matrix.stored(weights).sizes(), config))).contiguous();
        };
        m_scales = groupsOf(config.scale);
        m_zeros = groupsOf(config.zeroPoint);
        m_fits =
            config.isPerChannel() && config.scaleFormat == ScaleFormat::Float32 && !config.powerOfTwo && !keepScales;
    }

    /// The matrix as stored, on the grid of scales().
    at::Tensor run(const at::Tensor &order, const at::Tensor &factor, int rounds, const JobContext &job)
    {
        if (m_fits) fitScales();
        compensate(order, factor, job);
        at::Tensor gradient = product(m_rounded - m_weights, m_products);
        for (int round = 0; round < rounds; ++round) {
            for (std::int64_t group = 0; m_fits && group < m_scales.size(1); ++group) refitScale(group, gradient);
            for (std::int64_t first = 0; first < m_weights.size(1); first += channelsPerUpdate) {
                job.checkpoint();
                roundAgain(first, std::min(first + channelsPerUpdate, m_weights.size(1)), gradient);
            }
        }
        const Observer::Result found = scales();
        return fakeQuant(m_matrix.stored(m_rounded.to(at::kFloat)), m_config, found.scale, found.zeroPoint);
    }

    Observer::Result scales() const
    {
        const auto flat = [&](const at::Tensor &groups) {
            return (m_config.isGrouped() ? m_matrix.stored(groups) : groups.contiguous()).reshape({-1});
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
    std::int64_t sizeOf(std::int64_t group) const { return std::min(m_group, m_weights.size(1) - group * m_group); }

    /// The factor of each scale that gives the smallest error if inputs were independent.
    void fitScales()
    {
        const at::Tensor squares = m_products.diagonal();
        for (std::int64_t group = 0; group < m_scales.size(1); ++group) {
            const at::Tensor w = m_weights.narrow(1, group * m_group, sizeOf(group));
            const at::Tensor importance = squares.narrow(0, group * m_group, sizeOf(group));
            const at::Tensor first = m_scales.select(1, group).clone();
            at::Tensor smallest;
            for (int percent = 100; percent > 50; percent -= 2) {
                const at::Tensor scale = asFloats(first * (percent / 100.0));
                const at::Tensor error = ((rounded(w, scale, group) - w).square() * importance).sum(1);
                if (!smallest.defined()) {
                    smallest = error;
                    continue;
                }
                const at::Tensor isBetter = error < smallest;
                m_scales.select(1, group).copy_(at::where(isBetter, scale, m_scales.select(1, group)));
                smallest = at::where(isBetter, error, smallest);
            }
        }
    }

    /// Algorithm 1 on the channels in this order.
    void compensate(const at::Tensor &order, const at::Tensor &factor, const JobContext &job)
    {
        at::Tensor open = at::index_select(m_weights, 1, order);
        const std::int64_t channels = open.size(1), *channel = order.data_ptr<std::int64_t>();
        m_rounded = at::empty_like(m_weights);
        for (std::int64_t first = 0; first < channels; first += channelsPerUpdate) {
            job.checkpoint();
            const std::int64_t last = std::min(first + channelsPerUpdate, channels);
            std::vector<at::Tensor> errors;
            for (std::int64_t i = first; i < last; ++i) {
                const at::Tensor w = open.select(1, i), q = rounded(w, channel[i]);
                m_rounded.select(1, channel[i]).copy_(q);
                errors.push_back((w - q) / factor[i][i]);
                if (i + 1 < last)
                    open.narrow(1, i + 1, last - i - 1) -=
                        at::outer(errors.back(), factor[i].narrow(0, i + 1, last - i - 1));
            }
            if (last < channels)
                open.narrow(1, last, channels - last) -= product(
                    at::stack(errors, 1), factor.narrow(0, first, last - first).narrow(1, last, channels - last));
        }
    }

    /// The scales of the group with the smallest error for its codes. gradient: (q - w) H, kept up to date.
    void refitScale(std::int64_t group, at::Tensor &gradient)
    {
        const std::int64_t first = group * m_group, size = sizeOf(group);
        const at::Tensor rows = m_products.narrow(0, first, size);
        const at::Tensor now = m_scales.select(1, group);
        at::Tensor q = m_rounded.narrow(1, first, size);
        const at::Tensor codes = q / now.unsqueeze(1);
        const at::Tensor slope = (codes * gradient.narrow(1, first, size)).sum(1);
        const at::Tensor curve = (product(codes, rows.narrow(1, first, size)) * codes).sum(1);
        const at::Tensor wanted = asFloats(now - slope / curve);
        const at::Tensor scale = at::where((curve > 0).logical_and(wanted > 0), wanted, now);
        const at::Tensor change = codes * (scale - now).unsqueeze(1);
        gradient += product(change, rows);
        q += change;
        m_scales.select(1, group).copy_(scale);
    }

    /// Each of the channels first .. last - 1 to the grid point with the smallest error while all others stay.
    void roundAgain(std::int64_t first, std::int64_t last, at::Tensor &gradient)
    {
        const at::Tensor inner = m_products.narrow(0, first, last - first).narrow(1, first, last - first);
        at::Tensor slope = gradient.narrow(1, first, last - first).clone();
        const at::Tensor before = m_rounded.narrow(1, first, last - first).clone();
        for (std::int64_t i = first; i < last; ++i) {
            const at::Tensor q = m_rounded.select(1, i).clone();
            const at::Tensor wanted = rounded(q - slope.select(1, i - first) / inner[i - first][i - first], i);
            slope += at::outer(wanted - q, inner[i - first]);
            m_rounded.select(1, i).copy_(wanted);
        }
        gradient +=
            product(m_rounded.narrow(1, first, last - first) - before, m_products.narrow(0, first, last - first));
    }

    static at::Tensor asFloats(const at::Tensor &scale) { return scale.to(at::kFloat).to(at::kDouble); }

    /// Weights of a group on its grid, with these scales.
    at::Tensor rounded(const at::Tensor &w, const at::Tensor &scale, std::int64_t group) const
    {
        const at::Tensor s = scale.contiguous(), zero = m_zeros.select(1, group).contiguous();
        const double *scales = s.data_ptr<double>(), *zeros = zero.data_ptr<double>();
        return fakeQuant(w.to(at::kFloat).contiguous(), m_rows, std::vector<float>(scales, scales + s.numel()),
                         std::vector<std::int32_t>(zeros, zeros + zero.numel()))
            .to(at::kDouble);
    }
    at::Tensor rounded(const at::Tensor &w, std::int64_t channel) const
    {
        const std::int64_t group = channel / m_group;
        return rounded(w.reshape({-1, 1}), m_scales.select(1, group), group).reshape({-1});
    }

    const MatrixWeight m_matrix;
    const TensorQuantConfig &m_config;
    const at::Tensor m_products, m_weights; ///< float64
    at::Tensor m_scales, m_zeros;           ///< float64, [outputs, groups]
    at::Tensor m_rounded;                   ///< float64
    TensorQuantConfig m_rows;
    std::int64_t m_group = 1; ///< channels per scale
    bool m_fits = false;      ///< scales may change
};

/// What the cache knows, and what a pass finds.
class RoundedWeights
{
public:
    /// cache: nullptr: none
    RoundedWeights(const RoundingCache *cache, std::string key, const QuantModel &model) : m_key(std::move(key))
    {
        if (!cache || !model.plan.integerOps.empty()) return; // codes pass from layer to layer
        m_plan = model.plan;
        const std::map<OpId, std::size_t> placeOf = placesOf(model.graph);
        std::size_t most = 0;
        for (const RoundingCache::Entry &entry : cache->entries) {
            if (entry.key != m_key) continue;
            const std::size_t same = commonPrefix(model.graph, entry.plan, *m_plan);
            if (same <= most) continue;
            most = same;
            found.clear();
            for (const auto &[weight, rounded] : entry.weights)
                if (placeOf.at(model.graph.variable(weight).uses.front().op) < same) found[weight] = rounded;
        }
    }

    bool knows(const MatrixGroup &group) const
    {
        return std::all_of(group.matrices.begin(), group.matrices.end(),
                           [&](const MatrixWeight &matrix) { return found.contains(matrix.weight); });
    }
    void keep(RoundingCache *cache)
    {
        if (!m_plan) return;
        cache->entries.push_front({m_key, std::move(*m_plan), std::move(found)});
        if (cache->entries.size() > RoundingCache::most) cache->entries.pop_back();
    }

    std::map<VarId, std::optional<RoundingCache::Rounded>> found;

private:
    std::string m_key;
    std::optional<QuantPlan> m_plan; ///< as the pass found it; unset: nothing is kept
};

} // namespace

class Gptq final : public Pass
{
public:
    explicit Gptq(const nlohmann::json &params)
        : m_damping(params["damping"]), m_correction(params["correction"]), m_rounds(params["rounds"]),
          m_biases(params["biases"])
    {}

    std::string_view id() const override { return "gptq"; }

    int run(QuantModel &model, const PassContext &context) const override
    {
        const std::vector<MatrixGroup> groups = roundedGroups(model, m_biases);
        if (groups.empty()) return 0;
        requireCalibration(context, QL_TEXT("GPTQ"));
        RoundedWeights weights(context.rounding, keyOf(context), model);
        std::optional<InputSweep> sweep;
        int changed = 0;
        for (std::size_t i = 0; i < groups.size(); ++i) {
            const JobContext job = context.job.part(0.02 + 0.98 * double(i) / double(groups.size()),
                                                    0.02 + 0.98 * double(i + 1) / double(groups.size()));
            job.checkpoint(0, QL_TEXT("GPTQ"));
            if (!weights.knows(groups[i])) {
                if (!sweep) sweep.emplace(model.graph, context);
                const bool isCentered = m_biases && biasOf(model, groups[i].matrices[0]) != noVar;
                const auto inputs = sweep->next(groups[i], isCentered, model.plan, m_damping, m_correction, job);
                if (!inputs) continue;
                for (const MatrixWeight &matrix : groups[i].matrices)
                    weights.found[matrix.weight] = round(model, matrix, *inputs, context);
            }
            for (const MatrixWeight &matrix : groups[i].matrices) {
                const std::optional<RoundingCache::Rounded> &rounded = weights.found.at(matrix.weight);
                if (!rounded) continue;
                model.plan.parameterValues[matrix.weight] = rounded->value;
                if (rounded->bias.defined()) model.plan.parameterValues[biasOf(model, matrix)] = rounded->bias;
                model.plan.setScale(inputSlot(matrix.op, 1), rounded->scale, rounded->zeroPoint, QuantState::Active,
                                    Origin::pass("gptq"));
                ++changed;
            }
        }
        weights.keep(context.rounding);
        return changed;
    }

private:
    /// The bias that can absorb the mean error of a matrix, or noVar.
    static VarId biasOf(const QuantModel &model, const MatrixWeight &matrix)
    {
        const Graph &graph = model.graph;
        const Operation &op = graph.operation(matrix.op);
        const auto &weights = traitsOf(op).weights;
        if (!weights || weights->bias < 0 || !op.hasInput(std::size_t(weights->bias))) return noVar;
        const VarId id = op.inputs[std::size_t(weights->bias)];
        const TensorQuantConfig *config = model.plan.find(inputSlot(matrix.op, std::size_t(weights->bias)));
        if (!graph.isParameter(id) || !isOwnedByOneSlot(graph, id) || op.floatAttribute("beta", 1) == 0 ||
            (config && config->state == QuantState::Baked))
            return noVar;
        const at::Tensor &value = graph.variable(id).value;
        return value.scalar_type() == at::kFloat && value.dim() == 1 && value.numel() == matrix.outputs ? id : noVar;
    }

    /// The bias of the float network plus what makes the mean of the output the same with these weights.
    static at::Tensor adjustedBias(const QuantModel &model, const MatrixWeight &matrix, const at::Tensor &rounded,
                                   const GroupInputs &inputs)
    {
        const Operation &op = model.graph.operation(matrix.op);
        const auto meanOf = [&](const at::Tensor &weights, const at::Tensor &input) {
            return (weights.to(at::kDouble) * input).sum(1);
        };
        const at::Tensor value = model.graph.variable(matrix.weight).value.contiguous();
        const at::Tensor exact =
            matrix.oriented(value.dim() > 2 ? value.reshape({matrix.outputs, matrix.inputs}) : value);
        const at::Tensor shift = meanOf(exact, inputs.exactMean) - meanOf(matrix.oriented(rounded), inputs.mean);
        const double factor = op.floatAttribute("alpha", 1) / op.floatAttribute("beta", 1); // of Gemm
        const at::Tensor &bias = model.graph.variable(biasOf(model, matrix)).value;
        return (bias.to(at::kDouble) + shift * factor).to(at::kFloat);
    }

    /// In execution order. Convolutions that read the same tensor see other patches of it. isSplit: matrices with and
    /// without a bias are not in one group.
    static std::vector<MatrixGroup> roundedGroups(const QuantModel &model, bool isSplit)
    {
        constexpr std::int64_t mostInputs = 1536; // their cube is the time of the factors, which nothing interrupts
        std::vector<MatrixGroup> groups;
        std::vector<MatrixGroup> products = quantizedGroups(model);
        for (std::size_t i = 0, count = isSplit ? products.size() : 0; i < count; ++i) {
            MatrixGroup other = products[i];
            const auto hasBias = [&](const MatrixWeight &matrix) { return biasOf(model, matrix) != noVar; };
            std::erase_if(products[i].matrices, std::not_fn(hasBias));
            std::erase_if(other.matrices, hasBias);
            if (products[i].matrices.empty()) products[i].matrices.swap(other.matrices);
            if (!other.matrices.empty()) products.push_back(std::move(other));
        }
        for (const OpId id : model.graph.topological()) {
            for (const MatrixGroup &group : products)
                if (group.matrices[0].op == id) groups.push_back(group);
            const auto patches = patchWeight(model.graph, id);
            if (patches && patches->inputs <= mostInputs && isQuantized(model.plan, *patches))
                groups.push_back({patches->input, {*patches}});
        }
        return groups;
    }

    std::string keyOf(const PassContext &context) const
    {
        std::string key = context.cacheKey + " " + std::to_string(context.calibrationSteps) + " " +
                          nlohmann::json({m_damping, m_correction, m_rounds, m_biases}).dump();
        for (const Slot slot : context.fixedScales)
            key += " " + std::to_string(index(slot.op)) + (slot.output ? "o" : "i") + std::to_string(slot.index);
        return key;
    }

    /// Nothing if the old rounding is better, or the weights have no scales that could be used.
    std::optional<RoundingCache::Rounded> round(const QuantModel &model, const MatrixWeight &matrix,
                                                const GroupInputs &inputs, const PassContext &context) const
    {
        const Slot slot = inputSlot(matrix.op, 1);
        const TensorQuantConfig *const config = model.plan.find(slot);
        if (!config || config->state != QuantState::Active || config->dynamic || config->parent ||
            config->scale.empty())
            return std::nullopt;
        // The axis of groups, or that of the output channels
        const int axis = config->channelAxis.value_or(0), inputAxis = matrix.isTransposed ? 1 : 0;
        if (config->isPerChannel() && (axis == inputAxis) != config->isGrouped()) return std::nullopt;
        const at::Tensor stored = model.plan.parameterValue(model.graph, matrix.weight).contiguous();
        if (stored.dim() > 2 && config->isGrouped()) return std::nullopt;
        const at::Tensor value = stored.dim() > 2 ? stored.reshape({matrix.outputs, matrix.inputs}) : stored;
        const at::Tensor target = product(matrix.oriented(value).to(at::kDouble), inputs.target);
        ChannelRounding rounding(matrix, target, *config, inputs.damped, context.fixedScales.contains(slot));
        const at::Tensor rounded = rounding.run(inputs.order, inputs.factor, m_rounds, context.job);
        const at::Tensor before = fakeQuant(value, *config, config->scale, config->zeroPoint);
        const auto errorOf = [&](const at::Tensor &codes) {
            const at::Tensor change = matrix.oriented(codes).to(at::kDouble) - target;
            return (product(change, inputs.products) * change).sum().item().toDouble();
        };
        if (!(errorOf(rounded) < errorOf(before))) return std::nullopt;
        const Observer::Result scales = rounding.scales();
        const bool isAdjusted = m_biases && biasOf(model, matrix) != noVar;
        return RoundingCache::Rounded{rounded.reshape(stored.sizes()), scales.scale, scales.zeroPoint,
                                      isAdjusted ? adjustedBias(model, matrix, rounded, inputs) : at::Tensor()};
    }

    double m_damping, m_correction;
    int m_rounds;
    bool m_biases;
};

static const PassRegistrar gptqRegistrar{
    {.info =
         {.id = "gptq",
          .title = QL_TEXT("GPTQ"),
          .meaning =
              QL_TEXT("Before: weights of Conv, MatMul and Gemm are rounded to the nearest grid point. After: they "
                      "are rounded channel by channel, and the following channels compensate for the error "
                      "at the output."),
          .params = {{.name = "damping",
                      .type = "float",
                      .fallback = 0.01,
                      .meaning = QL_TEXT("Share of the mean squared input that is added to each channel; more is more "
                                         "robust with few samples."),
                      .min = 1e-6,
                      .max = 10},
                     {.name = "correction",
                      .type = "float",
                      .fallback = 0.5,
                      .meaning = QL_TEXT("Share of the error of earlier layers that each matrix corrects. A larger "
                                         "share fits the calibration samples better and other samples worse."),
                      .min = 0,
                      .max = 1},
                     {.name = "rounds",
                      .type = "int",
                      .fallback = 4,
                      .meaning = QL_TEXT(
                          "Number of times scales and weights are refitted, one at a time with all others fixed."),
                      .min = 0,
                      .max = 100},
                     {.name = "biases",
                      .type = "bool",
                      .fallback = true,
                      .meaning = QL_TEXT("Also adjust biases: the mean of each output stays that of the float "
                                         "network, and roundings only have to keep what differs between inputs.")}}},
     .traits = {.kind = PassKind::Quant,
                .needsData = true,
                .needs = {PassAspect::ParameterScales},
                .writes = {PassAspect::TrainedValues},
                .finishes = {PassAspect::ParameterScales}},
     .make = makePassOf<Gptq>}};

} // namespace ql
