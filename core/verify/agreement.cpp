#include "core/verify/agreement.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ql {

float Steps::largest() const
{
    return scale.empty() ? 0 : *std::max_element(scale.begin(), scale.end());
}

bool Steps::contain(const at::Tensor &tensor) const
{
    const at::Tensor values = tensor.to(at::kFloat).contiguous();
    const float *v = values.data_ptr<float>();
    const OfTensor steps(*this, values);
    for (std::int64_t i = 0; i < values.numel(); ++i) {
        const double inSteps = v[i] / steps[i];
        if (!(std::abs(inSteps - std::round(inSteps)) <= sameCodeAt(inSteps))) return false;
    }
    return true;
}

Steps::OfTensor::OfTensor(const Steps &steps, const at::Tensor &tensor) : m_scale(steps.scale)
{
    if (m_scale.size() < 2) return;
    const std::int64_t axis = steps.axis < 0 ? steps.axis + tensor.dim() : steps.axis;
    for (std::int64_t d = axis + 1; d < tensor.dim(); ++d) m_inner *= tensor.size(d);
}

namespace {

/// NaN equals NaN; anything else that is not finite differs without bound unless it is the same.
double distance(double a, double b)
{
    if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
    const double d = std::abs(a - b);
    return std::isnan(d) ? std::numeric_limits<double>::infinity() : d;
}

std::optional<double> decibels(const ErrorMeasure &measure)
{
    api::ErrorRow row;
    measure.fill(row);
    return row.sqnrDb;
}

} // namespace

void Agreement::add(const at::Tensor &runtime, const at::Tensor &simulator, const at::Tensor &floating,
                    std::int64_t rows)
{
    m_isInteger = !simulator.is_floating_point();
    const at::Tensor s = simulator.to(at::kDouble).contiguous(), r = runtime.to(at::kDouble).contiguous();
    const double *sp = s.data_ptr<double>(), *rp = r.data_ptr<double>();
    const std::int64_t count = s.numel();
    m_elements += count;
    if (m_steps.isQuantized()) {
        const Steps::OfTensor steps(m_steps, s);
        for (std::int64_t i = 0; i < count; ++i) {
            const double apart = distance(sp[i], rp[i]) / steps[i];
            const double same = sameCodeAt(sp[i] / steps[i]);
            m_equal += apart <= same;
            m_within += apart <= 1 + same;
            m_worst = std::max(m_worst, apart);
        }
    } else {
        double largest = 0;
        for (std::int64_t i = 0; i < count; ++i)
            if (std::isfinite(sp[i])) largest = std::max(largest, std::abs(sp[i]));
        for (std::int64_t i = 0; i < count; ++i) {
            const double apart = distance(sp[i], rp[i]);
            m_equal += apart <= (m_isInteger ? 0 : equalPart * largest);
            m_within += apart <= (m_isInteger ? 0 : tolerancePart * largest);
        }
    }
    if (m_isInteger) return;
    const at::Tensor r32 = runtime.reshape(simulator.sizes()).to(at::kFloat);
    m_runtimeSimulator.add(simulator, r32, rows);
    if (!floating.defined() || floating.sizes() != simulator.sizes()) return;
    m_runtimeFloat.add(floating, r32, rows);
    m_simulatorFloat.add(floating, simulator, rows);
}

void Agreement::fill(api::TensorAgreement &row) const
{
    row.elements = m_elements;
    row.equal = m_elements ? double(m_equal) / double(m_elements) : 1;
    row.withinOneStep = m_elements ? double(m_within) / double(m_elements) : 1;
    if (m_steps.isQuantized()) {
        row.step = m_steps.largest();
        row.worstSteps = ifFinite(m_worst);
    } else if (!m_isInteger) {
        row.tolerance = tolerancePart;
    }
    row.sqnrRuntimeSimulator = decibels(m_runtimeSimulator);
    row.sqnrRuntimeFloat = decibels(m_runtimeFloat);
    row.sqnrSimulatorFloat = decibels(m_simulatorFloat);
}

} // namespace ql
