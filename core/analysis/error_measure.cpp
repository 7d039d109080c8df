#include "core/analysis/error_measure.h"

#include "core/exec/opaque.h"
#include "core/ir/op_traits.h"
#include "core/quant/device.h"
#include "core/quant/error_sums.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/sum.h>
#include <algorithm>
#include <cmath>
#include <limits>

namespace ql {

std::optional<double> ifFinite(double value)
{
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::int64_t samplesPerBatch(const std::map<std::string, at::Tensor> &feed)
{
    std::int64_t samples = -1;
    for (const auto &[name, tensor] : feed) {
        const std::int64_t leading = tensor.dim() > 0 ? tensor.size(0) : 1;
        if (samples >= 0 && leading != samples) return 1;
        samples = leading;
    }
    return std::max<std::int64_t>(samples, 1);
}

void ErrorMeasure::add(const at::Tensor &fp, const at::Tensor &q, std::int64_t rows, std::int64_t samples)
{
    if (fp.sizes() != q.sizes() || fp.numel() == 0) return;
    m_elements = fp.numel() / rows;
    for (const gpu::ErrorSums &s : errorSums(fp, q, rows)) {
        const double noise = ql::noiseRatio(s);
        m_noise += noise;
        m_noiseSquares += noise * noise;
        const double norms = std::sqrt(s.squaredA) * std::sqrt(s.squaredB);
        if (std::isnan(norms))
            m_cosine = norms; // NaN in the data: undefined, not a bad value
        else
            m_cosine += norms > 0 ? s.product / norms : s.squaredA == s.squaredB ? 1 : 0;
        m_mse += s.squaredDiff / double(m_elements);
        m_maxAbs = std::isnan(s.squaredDiff) || std::isnan(m_maxAbs) ? std::numeric_limits<double>::quiet_NaN()
                                                                     : std::max(m_maxAbs, s.maxDiff);
        ++m_rows;
    }
    m_samples += samples > 0 ? samples : rows;
}

std::optional<double> ErrorMeasure::noiseUncertainty() const
{
    constexpr double normal = 1.96; // standard errors
    if (m_rows < 2) return std::nullopt;
    const double count = double(m_rows), mean = m_noise / count;
    return ifFinite(normal * std::sqrt(std::max(0.0, m_noiseSquares / count - mean * mean) / (count - 1)));
}

void ErrorMeasure::fill(api::ErrorRow &row) const
{
    const double n = double(std::max<std::int64_t>(m_rows, 1));
    const double noise = m_noise / n;
    row.noiseRatio = ifFinite(noise);
    row.sqnrDb = ifFinite(-10 * std::log10(noise)); // infinite if there is no noise
    row.cosine = ifFinite(m_cosine / n);
    row.mse = ifFinite(m_mse / n);
    row.maxAbs = ifFinite(m_maxAbs);
    row.samples = m_samples;
    row.elements = m_elements;
}

void EqualMeasure::add(const at::Tensor &fp, const at::Tensor &q, std::int64_t samples)
{
    const auto isPlain = [](const at::Tensor &value) {
        return value.defined() && !isSequence(value) && !isStrings(value) && !isNone(value);
    };
    if (!isPlain(fp) || !isPlain(q)) return;
    m_samples += samples;
    m_all += std::max(fp.numel(), q.numel());
    if (fp.sizes() == q.sizes() && fp.numel() > 0) m_equal += at::eq(toHost(fp), toHost(q)).sum().item<std::int64_t>();
}

void EqualMeasure::fill(api::OutputRow &row) const
{
    row.equalShare = m_all > 0 ? double(m_equal) / double(m_all) : 1.0;
    row.samples = m_samples;
    row.elements = m_all / std::max<std::int64_t>(m_samples, 1);
}

/// Whether the operator of id produces numbers of entries there.
static bool isIndexOutput(const Graph &graph, VarId id)
{
    const Variable &variable = graph.variable(id);
    const std::vector<SlotTraits> &outputs = traitsOf(graph.operation(variable.producer)).outputs;
    const auto at = std::size_t(variable.producerIndex);
    return at < outputs.size() && outputs[at].isIndex;
}

bool holdsIndices(const Graph &graph, VarId id)
{
    const auto isInteger = [](at::ScalarType type) {
        return type != at::ScalarType::Undefined && c10::isIntegralType(type, true);
    };
    for (;;) {
        const Variable &variable = graph.variable(id);
        if (isInteger(variable.type.dtype)) return true;
        if (variable.producer == noOp) return false;
        if (isIndexOutput(graph, id)) return true;
        const Operation &op = graph.operation(variable.producer);
        const bool carries = convertsTypes(op) || isPassive(op);
        if (!carries || !op.hasInput(0)) return false;
        id = op.inputs[0];
    }
}

/// The tensor that the indices in id were chosen from by its values; noVar: none.
static VarId scoresOf(const Graph &graph, VarId id)
{
    while (graph.variable(id).producer != noOp) {
        const Operation &op = graph.operation(graph.variable(id).producer);
        const bool chooses = traitsOf(op).valuesFlow && isIndexOutput(graph, id); // ArgMax, TopK
        if (!op.hasInput(0) || !(chooses || convertsTypes(op) || isPassive(op))) return noVar;
        id = op.inputs[0];
        if (chooses) return holdsIndices(graph, id) ? noVar : id;
    }
    return noVar;
}

VarId measuredAt(const Graph &graph, VarId id)
{
    return holdsIndices(graph, id) ? scoresOf(graph, id) : id;
}

std::vector<VarId> measuredOutputs(const Graph &graph)
{
    std::vector<VarId> measured;
    for (const VarId output : graph.outputs()) {
        const VarId id = measuredAt(graph, output);
        if (id != noVar && std::find(measured.begin(), measured.end(), id) == measured.end()) measured.push_back(id);
    }
    return measured;
}

at::Tensor numbersOf(const at::Tensor &value)
{
    if (!value.defined()) return {};
    if (!isSequence(value)) return at::isFloatingType(value.scalar_type()) ? value : at::Tensor();
    std::vector<at::Tensor> flat;
    for (const at::Tensor &item : sequenceOf(value))
        if (const at::Tensor numbers = numbersOf(item); numbers.defined())
            flat.push_back(numbers.to(at::kFloat).flatten());
    return flat.empty() ? at::Tensor() : at::cat(flat).unsqueeze(0);
}

} // namespace ql
