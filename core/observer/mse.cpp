#include "core/observer/histogram_observer.h"
#include "core/observer/mse_search.h"

#include "core/base/error.h"

#include <cmath>

namespace ql {

/// PPQ's 2048, or the number of levels if larger.
static int defaultBins(const TensorQuantConfig &config)
{
    constexpr std::int64_t usual = 2048, most = std::int64_t{1} << 16;
    const std::int64_t levels = std::int64_t{config.quantMax} - config.quantMin + 1;
    return int(levels > most ? usual : std::max(usual, levels));
}

/// Selects the range with the smallest quantization error, estimated on the histogram. Symmetric configs are searched
/// as in PPQ, with all levels over |x|, so its scales are reproduced, although half of the levels would be the correct
/// model.
class Mse final : public HistogramObserver
{
public:
    explicit Mse(const TensorQuantConfig &config)
        : HistogramObserver(config, defaultBins(config)), m_levels(config.quantMax - config.quantMin + 1)
    {
        if (m_levels > bins())
            throw Error(ErrorKind::BadConfig,
                        QL_TEXT("observer 'mse' needs at least as many histogram bins as levels (%1), got %2")
                            .with(m_levels, bins()))
                .withRemedy(QL_TEXT("Raise histogram_bins, or use minmax or percentile for this many bits."));
    }

protected:
    ScaleZero search() const override
    {
        const double width = binWidth();
        // A range that starts above zero is not tried: zero must be representable. If all values are above zero, only
        // the range that covers more than the histogram is left. (As in PPQ.)
        int lastStart = 0;
        if (!m_config.symmetric) {
            if (min() > 0) lastStart = -8;
            while (lastStart >= 0 && lastStart + 8 < bins() && (lastStart + 8) * width + min() <= 0) lastStart += 8;
        }
        const MseCandidate best = bestMseCandidate(m_counts, int(m_levels), lastStart);
        if (m_config.symmetric) return solveRange(-best.end * width, best.end * width, m_config);
        return solveRange(best.start * width + min(), best.end * width + min(), m_config);
    }

private:
    std::int64_t m_levels;
};

static const ObserverRegistrar mseRegistrar{
    "mse",
    channelwiseEntry<Mse>(
        "mse", QL_TEXT("Mean squared error"),
        QL_TEXT("Searches the range with the smallest estimated rounding and clipping error. Reads the data twice."),
        {{.name = "histogram_bins",
          .type = "int",
          .fallback = 2048,
          .meaning = QL_TEXT("Bins of the histogram."),
          .min = 16,
          .max = 16384},
         minScaleParam()})};

} // namespace ql
