#pragma once

#include "core/api/params.h"
#include "core/base/error.h"
#include "core/base/plugin.h"
#include "core/base/registry.h"
#include "core/quant/tensor_quant_config.h"
#include "gpu/kernels.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace ql {

/// A dense float32 tensor in memory order, for any logical layout: element i belongs to channel (i / channelStride) %
/// channels. Per tensor: channels == 1. data may be on another device: then only the kernels read it.
struct TensorView
{
    const float *data = nullptr;
    std::int64_t size = 0;
    std::int64_t channels = 1;
    std::int64_t channelStride = 1;
    const gpu::Kernels *kernels = &gpu::cpuKernels();
    gpu::Stream stream = nullptr;
};

/// @throws Error (Kernel) if rc, the return value of one of the view's kernels, is not 0.
void checkObserved(int rc);

/// Collects statistics of one slot's tensor batch by batch and returns scale and zero point. Memory does not grow with
/// the number of batches.
class Observer
{
public:
    virtual ~Observer() = default;
    /// How often the data must be shown: 1, or 2 for observers that need the range before the histogram.
    virtual int phases() const { return 1; }
    /// Called before the first batch: the number of batches per phase; 0: unknown.
    virtual void expectBatches(std::size_t) {}
    /// Whether observe() reads its data only through the kernels of the view, so that it may be on any device.
    virtual bool readsAnyDevice() const { return false; }
    /// One batch of the current phase. view.size may be 0 (ignored). NaN are ignored and counted.
    virtual void observe(const TensorView &view) = 0;
    /// After every phase except the last.
    virtual void nextPhase() {}
    /// @returns one scale per channel (or one). @throws Error (Numeric) if nothing usable was observed.
    struct Result
    {
        std::vector<float> scale;
        std::vector<std::int32_t> zeroPoint;
    };
    virtual Result result() const = 0;
    std::int64_t nanCount() const { return m_nanCount; }
    /// The smallest and the largest number of all batches, regardless of the observer's result; min > max if there was
    /// none or the observer only samples.
    float seenMin() const { return m_seenMin; }
    float seenMax() const { return m_seenMax; }

protected:
    void widenSeenRange(float min, float max)
    {
        m_seenMin = min < m_seenMin ? min : m_seenMin;
        m_seenMax = max > m_seenMax ? max : m_seenMax;
    }

    std::int64_t m_nanCount = 0;

private:
    float m_seenMin = std::numeric_limits<float>::infinity();
    float m_seenMax = -std::numeric_limits<float>::infinity();
};

/// An observer in the catalogue; info.params lists the parameters of TensorQuantConfig that it reads.
struct ObserverEntry
{
    static constexpr const char *kindName = "observer";
    api::CatalogueItem info;
    bool perChannel = false;       ///< supports one scale per channel
    bool channelByChannel = false; ///< through a separate observer for each of them; make never gets such a config
    bool asymmetric = true;
    bool integer = true;   ///< serves integer formats
    bool floating = false; ///< serves floating formats and codebooks
    std::function<std::unique_ptr<Observer>(const TensorQuantConfig &)> make;
};
using ObserverRegistrar = Registrar<ObserverEntry>;

/// @throws Error (BadConfig) for an unknown observer or one that does not support the config (kl per channel ...),
/// naming those that do.
std::unique_ptr<Observer> makeObserver(const TensorQuantConfig &config);

/// What call() returns, a call of the config's observer. @throws Error that names the observer if its code threw
/// something else
template <class Call>
auto callObserver(const TensorQuantConfig &config, const Call &call)
{
    try {
        return call();
    } catch (...) {
        throwNamed<ObserverEntry>(QL_TEXT("observer '%1'").with(config.observer), config.observer);
    }
}

/// The result of the config's observer. @throws Error that names the observer, which a plug-in may have registered:
/// (Internal) if the number of scales does not suit config, (Numeric) if one is not a positive number
Observer::Result resultOf(const Observer &observer, const TensorQuantConfig &config);

/// The number of phases of config's observer; 1 if it does not support the config: it observes nothing then, as a scale
/// is fixed or inherited. @throws Error (BadConfig) for an unknown observer.
int phasesOf(const TensorQuantConfig &config);

/// The axis that TensorView::channels must describe for config's observer: its channel axis, the axis along which
/// isotone compares values (the last by default), or none: channels is 1.
/// @throws Error (BadConfig) if isotone's axis is outside the tensor's rank.
std::optional<int> observedAxis(const TensorQuantConfig &config, int rank);

} // namespace ql
