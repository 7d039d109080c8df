#include "core/observer/histogram_observer.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>

namespace ql {

namespace {

/// Selects the clipping limit whose quantized histogram diverges least (Kullback-Leibler, base 10) from the clipped
/// one. counts: bins of |x|; levels: 2^(bits - 1). The lowest 0.2 % of the bins count as one value, so that the peak
/// of zeros after a Relu does not dominate. Candidates without mass have no divergence and are skipped.
/// @returns how many bins are kept, a multiple of levels. (As in PPQ.)
int bestBinCount(const std::vector<std::int64_t> &counts, int levels)
{
    const int bins = int(counts.size());
    std::vector<double> h(counts.begin(), counts.end());
    const int nearZero = int(bins * 0.002);
    std::fill_n(h.begin(), nearZero, 0.0);
    h[std::size_t(nearZero)] = 1;

    // tail[i]: sum of h from i on
    std::vector<double> tail(h.size() + 1, 0.0);
    for (int i = bins - 1; i >= 0; --i) tail[std::size_t(i)] = tail[std::size_t(i) + 1] + h[std::size_t(i)];
    const double total = tail[0];

    int best = bins / levels * levels;
    double bestDivergence = std::numeric_limits<double>::infinity();
    std::vector<double> q(h.size());
    for (int kept = levels; kept <= bins; kept += levels) {
        const int group = kept / levels;
        double sum = 0; // equals the sum of h over the kept bins: a group's mean is spread over its occupied bins
        for (int level = 0; level < levels; ++level) {
            double mass = 0;
            int occupied = 0;
            for (int i = level * group; i < (level + 1) * group; ++i) {
                mass += h[std::size_t(i)];
                occupied += h[std::size_t(i)] > 0;
            }
            const double mean = mass / std::max(occupied, 1);
            for (int i = level * group; i < (level + 1) * group; ++i)
                q[std::size_t(i)] = h[std::size_t(i)] > 0 ? mean : 0;
            sum += mass;
        }
        if (!(sum > 0)) continue;
        double divergence = 0;
        for (int i = 0; i < kept; ++i) {
            double p = h[std::size_t(i)];
            if (i == kept - 1) p += tail[std::size_t(kept)];
            if (p <= 0) continue;
            p /= total;
            divergence += p * (std::log10(p + 1e-30) - std::log10(q[std::size_t(i)] / sum + 1e-30));
        }
        if (divergence < bestDivergence) {
            bestDivergence = divergence;
            best = kept;
        }
    }
    return best;
}

} // namespace

/// Clips where the quantized histogram loses the least information about the original one. Symmetric.
class Kl final : public HistogramObserver
{
public:
    explicit Kl(const TensorQuantConfig &config)
        : HistogramObserver(config, 4096), m_levels(1 << std::clamp(config.bits - 1, 1, 30))
    {
        if (m_levels > bins())
            throw Error(
                ErrorKind::BadConfig,
                QL_TEXT("observer 'kl' needs at least 2^(bits-1) = %1 histogram bins, got %2").with(m_levels, bins()))
                .withRemedy(QL_TEXT("Raise histogram_bins, or use minmax or percentile for this many bits."));
    }

protected:
    ScaleZero search() const override
    {
        const int kept = bestBinCount(m_counts, m_levels);
        double scale = std::max(double(kept) * binWidth() / m_levels, m_config.minScale.value_or(1e-8));
        // Rounded to the nearest power of two, half up, where range observers round up: the limit is an optimum, not a
        // bound.
        if (m_config.powerOfTwo) {
            scale = std::exp2(std::floor(std::log2(scale) + 0.5));
            if (scale < m_config.minScale.value_or(1e-8)) scale *= 2;
        }
        return {float(scale), 0};
    }

private:
    int m_levels;
};

static const ObserverRegistrar klRegistrar{"kl", [] {
                                               auto entry = channelwiseEntry<Kl>(
                                                   "kl", QL_TEXT("Kullback-Leibler divergence"),
                                                   QL_TEXT("Clips where the quantized histogram differs least from the "
                                                           "float one. Symmetric; reads the data twice."),
                                                   {{.name = "histogram_bins",
                                                     .type = "int",
                                                     .fallback = 4096,
                                                     .meaning = QL_TEXT("Bins of the histogram of |x|."),
                                                     .min = 128,
                                                     .max = 1 << 20},
                                                    minScaleParam()});
                                               entry.asymmetric = false;
                                               return entry;
                                           }()};

} // namespace ql
