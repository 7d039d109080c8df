#pragma once

#include <ATen/core/Tensor.h>
#include <nlohmann/json.hpp>

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
    /// noise_ratio, sqnr_db, cosine, mse, max_abs, samples, elements (of one sample). Undefined or infinite: null.
    nlohmann::json toJson() const;

private:
    double m_noise = 0, m_cosine = 0, m_mse = 0, m_maxAbs = 0;
    std::int64_t m_samples = 0;
    std::int64_t m_elements = 0;
};

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

} // namespace ql
