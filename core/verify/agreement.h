#pragma once

#include "core/analysis/error_measure.h"
#include "core/api/verify.h"

#include <ATen/core/Tensor.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace ql {

/// The quantization step of each element of a tensor: one scale, or one per entry of an axis.
struct Steps
{
    std::vector<float> scale; ///< empty: not quantized
    std::int64_t axis = -1;

    bool isQuantized() const { return !scale.empty(); }
    float largest() const;
    /// Whether all elements are multiples of their step. @pre isQuantized()
    bool contain(const at::Tensor &tensor) const;
    /// Of element i of a contiguous tensor of this shape.
    class OfTensor
    {
    public:
        OfTensor(const Steps &steps, const at::Tensor &tensor);
        double operator[](std::int64_t i) const
        {
            return m_scale.size() == 1 ? m_scale[0] : m_scale[std::size_t(i / m_inner % std::int64_t(m_scale.size()))];
        }

    private:
        const std::vector<float> &m_scale;
        std::int64_t m_inner = 1;
    };
};

/// Whether two values, in steps, are the same code: float32 sums of scales differ in their last bits.
inline constexpr double sameCode = 1e-3;
/// Likewise, also of a large value, in steps: float32 keeps a code times its scale to 6e-8.
inline double sameCodeAt(double inSteps)
{
    return sameCode + 2e-7 * std::abs(inSteps);
}
/// Without a step, elements are compared with these parts of the largest magnitude.
inline constexpr double equalPart = 1e-6, tolerancePart = 1e-4;

/// Collects how a tensor of the runtime agrees with the simulator's and float's, batch by batch.
class Agreement
{
public:
    explicit Agreement(Steps steps) : m_steps(std::move(steps)) {}

    /// Tensors of the same number of elements. rows: as for ErrorMeasure::add.
    void add(const at::Tensor &runtime, const at::Tensor &simulator, const at::Tensor &floating, std::int64_t rows);
    /// The names are kept.
    void fill(api::TensorAgreement &row) const;

private:
    Steps m_steps;
    std::int64_t m_elements = 0, m_equal = 0, m_within = 0;
    double m_worst = 0;
    bool m_isInteger = false;
    ErrorMeasure m_runtimeSimulator, m_runtimeFloat, m_simulatorFloat;
};

} // namespace ql
