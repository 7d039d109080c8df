#include "core/observer/histogram_observer.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ql {

HistogramObserver::HistogramObserver(const TensorQuantConfig &config, int defaultBins)
    : m_config(config), m_bins(std::max(1, config.histogramBins.value_or(defaultBins)))
{}

void HistogramObserver::observe(const TensorView &view)
{
    if (!m_counting) {
        m_range.nanCount = 0;
        checkObserved(view.kernels->minMax(view.data, view.size, &m_range, view.stream));
        m_nanCount += m_range.nanCount;
        widenSeenRange(m_range.min, m_range.max);
        return;
    }
    if (!(m_width > 0)) return;
    if (m_config.symmetric)
        checkObserved(view.kernels->histogramAbs(view.data, view.size, float(m_width * bins()), bins(), m_counts.data(),
                                                 view.stream));
    else
        checkObserved(view.kernels->histogram(view.data, view.size, m_range.min, m_range.max, bins(), m_counts.data(),
                                              view.stream));
}

void HistogramObserver::nextPhase()
{
    const double min = m_range.min, max = m_range.max;
    m_counting = true;
    m_counts.assign(std::size_t(m_bins), 0);
    if (min > max || !std::isfinite(min) || !std::isfinite(max)) return; // reported by result()
    const double range = m_config.symmetric ? std::max(std::abs(min), std::abs(max)) : max - min;
    m_width = range / bins();
}

Observer::Result HistogramObserver::result() const
{
    if (!m_counting)
        throw Error(ErrorKind::Internal, QL_TEXT("a two-phase observer was queried after its first phase"));
    ScaleZero solved = solveObserved(m_range.min, m_range.max, m_config);
    // A constant tensor has no histogram; only its range counts. The same for a range below float32's normals.
    if (m_width > 0 && std::accumulate(m_counts.begin(), m_counts.end(), std::int64_t{0}) > 0) solved = search();
    return {{solved.scale}, {solved.zeroPoint}};
}

} // namespace ql
