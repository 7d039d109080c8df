#pragma once

#include "core/api/report.h"
#include "core/ir/graph.h"

#include <ATen/core/Tensor.h>
#include <map>
#include <optional>
#include <string>

namespace ql {

/// Error of a quantized tensor against its float32 original, over all elements, averaged over samples: noise_ratio =
/// sum((fp - q)^2) / sum(fp^2), sqnr_db = -10 log10 noise_ratio, cosine = fp.q / (|fp| |q|), mse = mean((fp - q)^2),
/// max_abs = max |fp - q| over everything. Source: the report's definition of measures.
class ErrorMeasure
{
public:
    /// fp, q: float tensors with the same shape, any layout. rows: samples along axis 0, measured separately; 1
    /// measures the whole tensor, for example of a batch along another axis. samples: of the batch, for the report; 0:
    /// rows. Other types and shapes are ignored and make the measure undefined.
    void add(const at::Tensor &fp, const at::Tensor &q, std::int64_t rows, std::int64_t samples = 0);
    bool empty() const { return m_rows == 0; }
    std::int64_t samples() const { return m_samples; }
    double noiseRatio() const { return m_rows ? m_noise / double(m_rows) : 0; }
    /// Half of the 95 % interval of noiseRatio(), by its spread over the rows; unset below two rows.
    std::optional<double> noiseUncertainty() const;
    /// Writes the measures; the names in row are kept. Undefined or infinite ones become unset.
    void fill(api::ErrorRow &row) const;

private:
    double m_noise = 0, m_noiseSquares = 0, m_cosine = 0, m_mse = 0, m_maxAbs = 0;
    std::int64_t m_rows = 0, m_samples = 0;
    std::int64_t m_elements = 0;
};

/// Fraction of equal elements of two integer tensors: for class indices and counts, whose differences are meaningless.
class EqualMeasure
{
public:
    /// Tensors of different shapes (such as different numbers of detected boxes) have no equal elements. samples: of
    /// the batch.
    void add(const at::Tensor &fp, const at::Tensor &q, std::int64_t samples);
    bool isEmpty() const { return m_samples == 0; }
    /// Writes equal_share, samples and elements.
    void fill(api::OutputRow &row) const;

private:
    std::int64_t m_equal = 0, m_all = 0, m_samples = 0;
};

/// Whether the numbers of a tensor are indices or counts: an integer or boolean tensor, or one derived from it by
/// moving values and casts (ArgMax, TopK).
bool holdsIndices(const Graph &graph, VarId id);
/// Where the error of a tensor is measured: there; for indices at the scores that they were chosen from; noVar:
/// nowhere.
VarId measuredAt(const Graph &graph, VarId id);
/// Where errors at the graph outputs are measured: an output itself; for indices the scores that ArgMax, ArgMin or TopK
/// chose from, since the difference of two indices means nothing; not at all where these are not found.
std::vector<VarId> measuredOutputs(const Graph &graph);

/// Number of samples in a batch: the leading size of the fed tensors if they agree, otherwise 1.
std::int64_t samplesPerBatch(const std::map<std::string, at::Tensor> &feed);
/// The part of a value that can be compared: a float tensor itself; the float tensors of a sequence, flattened and
/// concatenated; undefined for everything else.
at::Tensor numbersOf(const at::Tensor &value);
/// rows for ErrorMeasure::add: the batch's samples if the tensor's leading axis has that many entries, otherwise 1.
inline std::int64_t rowsOf(const at::Tensor &tensor, std::int64_t samples)
{
    return tensor.dim() > 0 && tensor.size(0) == samples ? samples : 1;
}

/// Unset if it is not finite.
std::optional<double> ifFinite(double value);

} // namespace ql
