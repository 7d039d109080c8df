#include "core/observer/range.h"

#include "gpu/tails.h"

#include <limits>

namespace ql {

/// Cuts off the outermost values of each batch: with n values sorted ascending as v, high = v[min(trunc(n p), n - 1)]
/// and low = v[max(trunc(n (1 - p)), 0)], and the range is the mean of these over batches, every batch counting the
/// same. Below 1 / (1 - p) values (10,000 by default) that is each batch's minimum and maximum. (Reference: observers,
/// percentile, as computed on the CPU.)
class Percentile final : public Observer
{
public:
    explicit Percentile(const TensorQuantConfig &config)
        : m_config(config), m_percentile(config.percentile.value_or(0.9999))
    {}

    bool readsAnyDevice() const override { return true; }
    void observe(const TensorView &view) override
    {
        gpu::Tails tails;
        checkObserved(view.kernels->tails(view.data, view.size, m_percentile, &tails, view.stream));
        m_nanCount += tails.nanCount;
        if (tails.nanCount == view.size) return;
        saw(tails.min, tails.max);
        m_low += tails.low;
        m_high += tails.high;
        ++m_batches;
    }

    Result result() const override
    {
        constexpr double none = std::numeric_limits<double>::infinity();
        // The mean is rounded to float32 as the reference's is, before the range becomes a scale.
        const double low = m_batches ? double(float(m_low / double(m_batches))) : none;
        const double high = m_batches ? double(float(m_high / double(m_batches))) : -none;
        const ScaleZero solved = solveObserved(low, high, m_config);
        return {{solved.scale}, {solved.zeroPoint}};
    }

private:
    TensorQuantConfig m_config;
    double m_percentile;
    double m_low = 0, m_high = 0; ///< sums over batches
    std::int64_t m_batches = 0;
};

static const ObserverRegistrar percentileRegistrar{
    "percentile", observerEntry<Percentile>(
                      "percentile", "Percentile",
                      "Ignores the outermost values of each batch and averages the remaining range over batches.",
                      {{.name = "percentile",
                        .type = "float",
                        .fallback = 0.9999,
                        .meaning = "Share of the values that stays below the upper limit and above the lower one.",
                        .min = 0.5,
                        .max = 1},
                       minScaleParam()})};

} // namespace ql
