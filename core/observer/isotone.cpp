#include "core/observer/range.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace ql {

/// Keeps the largest entry of a row (of class scores, for example) distinguishable from the second largest. Each row
/// gives an interval of scales that do: at least l2 / (top - 0.51), so that the second does not saturate, and at most
/// 2 (l1 - l2), so that they do not round to the same code; top is the number of codes above zero. The result is the
/// smallest scale that is in as many intervals as possible. Rows run along the isotone axis, which the view presents
/// as its channels.
///
/// Up to 2^18 interval ends are stored exactly. Beyond that, the ends are counted on a grid of 2^-12 relative distance
/// (lower ends rounded up, upper ends down), so memory is bounded and the scale is off by 0.03 % at most. (As in PPQ,
/// except that rows run along any axis, and a negative runner-up counts as below every winner, not by its magnitude.)
class Isotone final : public Observer
{
public:
    explicit Isotone(const TensorQuantConfig &config) : m_config(config) {}

    void observe(const TensorView &view) override
    {
        if (view.size == 0) return;
        const std::int64_t row = view.channels, stride = view.channelStride;
        for (std::int64_t outer = 0; outer + row * stride <= view.size; outer += row * stride)
            for (std::int64_t inner = 0; inner < stride; ++inner) addRow(view.data + outer + inner, row, stride);
    }

    Result result() const override
    {
        const std::int32_t zeroPoint = m_config.symmetric ? 0 : std::int32_t(m_config.quantMin);
        if (m_ends.empty()) {
            const ScaleZero solved =
                m_any ? solveObserved(std::min(m_lastLargest, 0.f), std::max(m_lastLargest, 0.f), m_config)
                      : solveObserved(1, -1, m_config);
            return {{solved.scale}, {solved.zeroPoint}};
        }
        std::int64_t running = 0, most = 0;
        float scale = 0;
        for (const auto &[end, count] : m_ends) {
            running += end.second ? count : -count;
            if (end.second && running > most) {
                most = running;
                scale = end.first;
            }
        }
        scale = std::max(scale, float(m_config.minScale.value_or(1e-8)));
        if (m_config.powerOfTwo) scale = float(std::exp2(std::ceil(std::log2(double(scale)))));
        return {{scale}, {zeroPoint}};
    }

private:
    void addRow(const float *x, std::int64_t count, std::int64_t stride)
    {
        constexpr float none = -std::numeric_limits<float>::infinity();
        float l1 = none, l2 = none, least = std::numeric_limits<float>::infinity();
        for (std::int64_t i = 0; i < count; ++i) {
            const float value = x[i * stride];
            if (value != value) {
                ++m_nanCount;
                continue;
            }
            least = std::min(least, value);
            if (value > l1) {
                l2 = l1;
                l1 = value;
            } else if (value > l2)
                l2 = value;
        }
        if (l1 == none) return;
        widenSeenRange(least, l1);
        m_any = true;
        m_lastLargest = l1;
        if (l2 == none || l1 == std::numeric_limits<float>::infinity()) return;
        const double top = double(m_config.quantMax) - (m_config.symmetric ? 0.0 : double(m_config.quantMin));
        const float lower = std::max(float(double(l2) / (top - 0.51)), 0.f);
        const float upper = 2 * (l1 - std::max(l2, 0.f));
        if (!(upper > lower) || !(l1 > 0)) return;
        add(lower, true, 1);
        add(upper, false, 1);
        if (!m_coarse && m_ends.size() > exactEnds) coarsen();
    }

    void add(float value, bool isLower, std::int64_t count)
    {
        if (m_coarse) {
            constexpr std::uint32_t dropped = (1u << 11) - 1; // of 23 mantissa bits; values are not negative
            std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
            if (isLower && (bits & dropped)) bits += dropped + 1;
            value = std::bit_cast<float>(bits & ~dropped);
        }
        m_ends[{value, isLower}] += count;
    }

    void coarsen()
    {
        m_coarse = true;
        const auto exact = std::exchange(m_ends, {});
        for (const auto &[end, count] : exact) add(end.first, end.second, count);
    }

    static constexpr std::size_t exactEnds = std::size_t(1) << 18;

    TensorQuantConfig m_config;
    std::map<std::pair<float, bool>, std::int64_t> m_ends; ///< (value, is a lower end); upper ends first on ties
    bool m_coarse = false;
    bool m_any = false;
    float m_lastLargest = 0;
};

static const ObserverRegistrar isotoneRegistrar{
    "isotone", observerEntry<Isotone>(
                   "isotone", QL_TEXT("Order-preserving"),
                   QL_TEXT("Keeps the largest value along an axis distinguishable from the second largest, for class "
                           "scores where only the winner matters."),
                   {{.name = "isotone_axis",
                     .type = "int",
                     .fallback = -1,
                     .meaning = QL_TEXT("The axis along which values compete."),
                     .min = -8,
                     .max = 7},
                    minScaleParam()})};

} // namespace ql
