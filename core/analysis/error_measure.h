#pragma once

#include "core/api/report.h"
#include "core/ir/graph.h"

#include <ATen/core/Tensor.h>
#include <map>
#include <optional>
#include <string>

namespace ql {

/// Error of a quantized tensor against its float32 original, over all elements, averaged over samples:
/// noise_ratio = sum((fp - q)^2) / sum(fp^2), sqnr_db = -10 log10 noise_ratio, cosine = fp.q / (|fp| |q|),
/// mse = mean((fp - q)^2), max_abs = max |fp - q| over everything. Source: the report's definition of measures.
class ErrorMeasure
{
public:
    /// fp, q: float tensors of one shape, any layout. rows: samples along axis 0 that count one by one; 1 takes the
    /// whole tensor as one sample. Other types and shapes are ignored and make the measure undefined.
    void add(const at::Tensor &fp, const at::Tensor &q, std::int64_t rows);
    bool empty() const { return m_samples == 0; }
    std::int64_t samples() const { return m_samples; }
    double noiseRatio() const { return m_samples ? m_noise / double(m_samples) : 0; }
    /// Writes the measures; the names in row stay. Undefined or infinite ones become unset.
    void fill(api::ErrorRow &row) const;

private:
    double m_noise = 0, m_cosine = 0, m_mse = 0, m_maxAbs = 0;
    std::int64_t m_samples = 0;
    std::int64_t m_elements = 0;
};

/// How many elements of two integer tensors are equal: for class indices and counts, whose differences mean nothing.
class EqualMeasure
{
public:
    /// Tensors of different shapes (a different number of found boxes, say) have no equal elements. rows: as for
    /// ErrorMeasure.
    void add(const at::Tensor &fp, const at::Tensor &q, std::int64_t rows);
    bool isEmpty() const { return m_samples == 0; }
    /// Writes equal_share, samples and elements.
    void fill(api::OutputRow &row) const;

private:
    std::int64_t m_equal = 0, m_all = 0, m_samples = 0;
};

/// Whether the numbers of a tensor are indices or counts: an integer or boolean, or what moving values and casts make
/// of one (ArgMax, TopK).
bool holdsIndices(const Graph &graph, VarId id);

/// Leading sizes of the fed tensors when they agree, else 1: how many samples a batch holds.
std::int64_t samplesPerBatch(const std::map<std::string, at::Tensor> &feed);
/// What can be compared of a value: a float tensor itself; the float tensors of a sequence, flattened behind each
/// other; undefined for everything else.
at::Tensor numbersOf(const at::Tensor &value);
/// rows for ErrorMeasure::add: the batch's samples when the tensor's leading axis has that many entries, else 1.
inline std::int64_t rowsOf(const at::Tensor &tensor, std::int64_t samples)
{
    return tensor.dim() > 0 && tensor.size(0) == samples ? samples : 1;
}

/// A number, or null when it is not finite.
nlohmann::json finiteOrNull(double value);
/// Unset when it is not finite.
std::optional<double> ifFinite(double value);

} // namespace ql
