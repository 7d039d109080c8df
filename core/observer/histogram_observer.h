#pragma once

#include "core/observer/range.h"
#include "gpu/reduce.h"

#include <vector>

namespace ql {

/// Shared by kl and mse: the first phase finds the range, the second counts values in equal bins, of |x| from 0 for
/// symmetric configs and of x from the minimum for asymmetric ones. Bins are those of torch.histc: the maximum is
/// counted in the last one. (As in PPQ.)
class HistogramObserver : public Observer
{
public:
    HistogramObserver(const TensorQuantConfig &config, int defaultBins);

    int phases() const override { return 2; }
    bool readsAnyDevice() const override { return true; }
    void observe(const TensorView &view) override;
    void nextPhase() override;
    Result result() const override;

protected:
    /// Only called if the histogram has a positive width and at least one count.
    virtual ScaleZero search() const = 0;

    int bins() const { return m_bins; }
    /// Width of a bin; double because PPQ computes range / bins in double.
    double binWidth() const { return m_width; }
    double min() const { return m_range.min; }

    const TensorQuantConfig m_config;
    std::vector<std::int64_t> m_counts; ///< empty in the first phase

private:
    const int m_bins;
    gpu::MinMax m_range;
    double m_width = 0;
    bool m_counting = false;
};

} // namespace ql
