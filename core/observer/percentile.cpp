#include "core/observer/range.h"

#include "gpu/tail_store.h"
#include "gpu/tails.h"
#include "gpu/tails_order.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ql {

namespace {

/// Values at each end that are stored exactly. Beyond that, they are counted on a grid (gpu/tail_store.h).
constexpr std::int64_t exactValues = 1 << 14;

/// How many values of an end can determine a percentile of `total` values: those beyond it, and room for batches that
/// turn out to be larger than the first ones.
std::int64_t valuesToKeep(double total, double percentile)
{
    constexpr std::int64_t spare = 256;
    return std::int64_t(1.25 * std::ceil(total * (1 - percentile))) + spare;
}

} // namespace

/// Clips the outermost values: with n values sorted ascending as v, high = v[min(trunc(n p), n - 1)] and low =
/// v[max(trunc(n (1 - p)), 0)].
///
/// Over samples, v are the values of all batches. The outermost ones are stored, so the result is exact up to 16,384
/// of them: with the default percentile, 130 million values of a tensor. Beyond that, or with a lower percentile, the
/// limits are off by 0.05 % at most. If a batch has more than a quarter more values than earlier batches, a limit may
/// be wider than requested.
///
/// Over batches, v are the values of one batch, and the range is the mean of these limits, every batch counting the
/// same. Below 1 / (1 - p) values (10,000 by default) this averages each batch's minimum and maximum, and clips values
/// beyond. (As PPQ computes percentiles on the CPU.)
class Percentile final : public Observer
{
public:
    explicit Percentile(const TensorQuantConfig &config)
        : m_config(config), m_percentile(config.percentile.value_or(0.9999)), m_store(1, 1, exactValues)
    {}

    void expectBatches(std::size_t count) override { m_expected = std::int64_t(count); }
    bool readsAnyDevice() const override { return true; }
    void observe(const TensorView &view) override
    {
        if (view.size == 0) return;
        if (isOverSamples())
            observeSamples(view);
        else
            observeBatch(view);
    }

    Result result() const override
    {
        constexpr double none = std::numeric_limits<double>::infinity();
        double low = none, high = -none;
        if (isOverSamples() && m_store.size() > 0) {
            const std::int64_t count = m_store.size();
            const float min = seenMin(), max = seenMax();
            low = std::clamp(0.f - m_store.low.at(gpu::lowIndex(count, m_percentile)), min, max);
            high = std::clamp(m_store.high.at(count - 1 - gpu::highIndex(count, m_percentile)), min, max);
        } else if (m_batches > 0) {
            // The mean is rounded to float32 as in PPQ, before the range becomes a scale.
            low = double(float(m_low / double(m_batches)));
            high = double(float(m_high / double(m_batches)));
        }
        const ScaleZero solved = solveObserved(low, high, m_config);
        return {{solved.scale}, {solved.zeroPoint}};
    }

private:
    /// One batch gives the same result both ways, and is faster without storing values.
    bool isOverSamples() const
    {
        return m_expected != 1 && m_config.percentileOver.value_or(PercentileOver::Samples) == PercentileOver::Samples;
    }

    void observeSamples(const TensorView &view)
    {
        const std::int64_t left = std::max<std::int64_t>(m_expected - m_batches, 1); // including this one
        const double total = double(m_store.seen) + double(left) * double(view.size);
        m_store.low.keepAtLeast(valuesToKeep(total, m_percentile));
        m_store.high.keepAtLeast(valuesToKeep(total, m_percentile));
        checkObserved(view.kernels->addTails(view.data, view.size, &m_store, view.stream));
        m_nanCount = m_store.range.nanCount;
        widenSeenRange(m_store.range.min + 0.f, m_store.range.max + 0.f);
        ++m_batches;
    }

    void observeBatch(const TensorView &view)
    {
        gpu::Tails tails;
        checkObserved(view.kernels->tails(view.data, view.size, m_percentile, &tails, view.stream));
        m_nanCount += tails.nanCount;
        if (tails.nanCount == view.size) return;
        widenSeenRange(tails.min, tails.max);
        m_low += tails.low;
        m_high += tails.high;
        ++m_batches;
    }

    TensorQuantConfig m_config;
    double m_percentile;
    std::int64_t m_expected = 0, m_batches = 0;
    gpu::TailStore m_store;       ///< over samples
    double m_low = 0, m_high = 0; ///< over batches: sums
};

static const ObserverRegistrar percentileRegistrar{
    "percentile",
    channelwiseEntry<Percentile>(
        "percentile", QL_TEXT("Percentile"), QL_TEXT("Ignores the outermost values."),
        {{.name = "percentile",
          .type = "float",
          .fallback = 0.9999,
          .meaning = QL_TEXT("Fraction of the values inside each limit."),
          .min = 0.5,
          .max = 1},
         {.name = "percentile_over",
          .type = "enum",
          .fallback = "samples",
          .meaning = QL_TEXT("How the percentile is computed: over all calibration batches together (samples), or per "
                             "batch and then averaged (batches)."),
          .choices = {"samples", "batches"}},
         minScaleParam()})};

} // namespace ql
