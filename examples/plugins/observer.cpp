// An observer: the mean of the ranges of the batches.
#include <core/observer/range.h>

#include <algorithm>
#include <limits>

using namespace ql;

namespace {

class MeanRange final : public Observer
{
public:
    explicit MeanRange(const TensorQuantConfig &config) : m_config(config) {}
    void observe(const TensorView &view) override
    {
        if (view.size == 0) return;
        const auto [low, high] = std::minmax_element(view.data, view.data + view.size);
        widenSeenRange(*low, *high);
        m_low += *low;
        m_high += *high;
        ++m_batches;
    }
    Result result() const override
    {
        constexpr double none = std::numeric_limits<double>::infinity();
        const ScaleZero solved = m_batches == 0 ? solveObserved(none, -none, m_config)
                                                : solveObserved(m_low / m_batches, m_high / m_batches, m_config);
        return {{solved.scale}, {solved.zeroPoint}};
    }

private:
    TensorQuantConfig m_config;
    double m_low = 0, m_high = 0;
    int m_batches = 0;
};

const ObserverRegistrar observerRegistrar{
    "example_mean_range",
    observerEntry<MeanRange>("example_mean_range", "Mean range", "The mean of the ranges of all batches.", {})};

} // namespace
