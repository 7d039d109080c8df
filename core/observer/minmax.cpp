#include "core/observer/range.h"

#include "core/base/error.h"
#include "gpu/reduce.h"

#include <limits>

namespace ql {

/// The smallest and the largest value of all batches, per tensor or per channel.
class Minmax final : public Observer
{
public:
    explicit Minmax(const TensorQuantConfig &config) : m_config(config) {}

    bool readsAnyDevice() const override { return true; }
    void observe(const TensorView &view) override
    {
        if (view.size == 0) return;
        if (!m_config.isPerChannel()) {
            m_range.nanCount = 0;
            checkObserved(view.kernels->minMax(view.data, view.size, &m_range, view.stream));
            m_nanCount += m_range.nanCount;
            widenSeenRange(m_range.min, m_range.max);
            return;
        }
        if (m_mins.empty()) {
            m_mins.assign(std::size_t(view.channels), std::numeric_limits<float>::infinity());
            m_maxs.assign(std::size_t(view.channels), -std::numeric_limits<float>::infinity());
        }
        if (m_mins.size() != std::size_t(view.channels))
            throw Error(ErrorKind::Numeric, QL_TEXT("the channel axis had %1 entries in one batch and %2 in another")
                                                .with(m_mins.size(), view.channels));
        checkObserved(view.kernels->minMaxChannel(view.data, view.size, view.channels, view.channelStride,
                                                  m_mins.data(), m_maxs.data(), &m_nanCount, view.stream));
        for (std::size_t c = 0; c < m_mins.size(); ++c) widenSeenRange(m_mins[c], m_maxs[c]);
    }

    Result result() const override
    {
        Result result;
        const auto add = [&](const ScaleZero &solved) {
            result.scale.push_back(solved.scale);
            result.zeroPoint.push_back(solved.zeroPoint);
        };
        if (!m_config.isPerChannel() || m_mins.empty())
            add(solveObserved(m_range.min, m_range.max, m_config));
        else
            for (std::size_t c = 0; c < m_mins.size(); ++c) add(solveObserved(m_mins[c], m_maxs[c], m_config));
        return result;
    }

private:
    TensorQuantConfig m_config;
    gpu::MinMax m_range;
    std::vector<float> m_mins, m_maxs; ///< per channel
};

static const ObserverRegistrar minmaxRegistrar{
    "minmax", [] {
        auto entry = observerEntry<Minmax>("minmax", QL_TEXT("Minimum and maximum"),
                                           QL_TEXT("The range is the smallest and the largest value seen, so nothing "
                                                   "saturates; one outlier widens every step."),
                                           {minScaleParam()});
        entry.perChannel = true;
        entry.floating = true;
        return entry;
    }()};

} // namespace ql
