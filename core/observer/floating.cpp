#include "core/observer/range.h"

#include "core/base/error.h"
#include "gpu/fake_quant.h"

#include <algorithm>
#include <array>
#include <limits>

namespace ql {

namespace {

constexpr std::array<float, 7> candidates = {1 / 128.f, 1 / 32.f, 1 / 8.f, 1.f, 4.f, 16.f, 64.f};
constexpr std::int64_t samplesPerBatch = 4096;

} // namespace

/// Tries seven power-of-two scales and keeps the one with the smallest mean squared error of the float format; the
/// smaller scale on ties. Per tensor it uses 4096 values of each batch, drawn with replacement by PPQ's generator
/// (seed = 0x343FD seed + 0x269EC3 mod 2^32), so that a run is repeatable; per channel it uses all values. Only sums
/// are stored.
class Floating final : public Observer
{
public:
    explicit Floating(const TensorQuantConfig &config) : m_config(config)
    {
        m_format.exponentBits = config.exponentBits;
        m_format.mantissaBits = config.mantissaBits();
        m_format.quantMin = float(config.quantMin);
        m_format.quantMax = float(config.quantMax);
        m_format.rounding = gpu::Rounding(int(config.rounding));
    }

    bool readsAnyDevice() const override { return !m_config.isPerChannel(); }
    void observe(const TensorView &view) override
    {
        if (view.size == 0) return;
        const std::int64_t channels = m_config.isPerChannel() ? view.channels : 1;
        if (m_errors.empty()) m_errors.resize(std::size_t(channels));
        if (m_errors.size() != std::size_t(channels))
            throw Error(ErrorKind::Numeric, QL_TEXT("the channel axis had %1 entries in one batch and %2 in another")
                                                .with(m_errors.size(), channels));
        const bool sampled = !m_config.isPerChannel() && view.size > samplesPerBatch;
        const bool elsewhere = view.kernels != &gpu::cpuKernels();
        const std::int64_t size = sampled ? samplesPerBatch : view.size;
        if (sampled || elsewhere) {
            m_positions.resize(std::size_t(size));
            for (std::int64_t i = 0; i < size; ++i) {
                m_positions[std::size_t(i)] = sampled ? std::int64_t(m_seed) % view.size : i;
                if (sampled) m_seed = 0x343FDu * m_seed + 0x269EC3u;
            }
            m_values.resize(std::size_t(size));
            checkObserved(view.kernels->pick(view.data, m_positions.data(), size, m_values.data(), view.stream));
        }
        const float *values = sampled || elsewhere ? m_values.data() : view.data;
        for (std::int64_t begin = 0; begin < size; begin += samplesPerBatch)
            add(values, begin, std::min(size, begin + samplesPerBatch), channels, view.channelStride);
    }

    Result result() const override
    {
        Result result;
        for (const auto &errors : m_errors) {
            if (!errors.any)
                throw Error(ErrorKind::Numeric,
                            QL_TEXT("no values were observed: the tensor or one of its channels was all NaN"));
            const auto best = std::min_element(errors.sums.begin(), errors.sums.end()) - errors.sums.begin();
            result.scale.push_back(candidates[std::size_t(best)]);
            result.zeroPoint.push_back(0);
        }
        if (m_errors.empty()) throw Error(ErrorKind::Numeric, QL_TEXT("no values were observed: the tensor was empty"));
        return result;
    }

private:
    struct Errors
    {
        std::array<double, candidates.size()> sums{};
        bool any = false;
    };

    void add(const float *values, std::int64_t begin, std::int64_t end, std::int64_t channels, std::int64_t stride)
    {
        const std::int64_t n = end - begin;
        m_quantized.resize(std::size_t(n));
        for (std::size_t s = 0; s < candidates.size(); ++s) {
            m_format.scale = candidates[s];
            gpu::fakeQuantFloatCpu(values + begin, m_quantized.data(), n, m_format);
            for (std::int64_t i = 0; i < n; ++i) {
                const float value = values[begin + i];
                if (value != value) {
                    m_nanCount += s == 0;
                    continue;
                }
                Errors &errors = m_errors[channels == 1 ? 0 : std::size_t((begin + i) / stride % channels)];
                const double error = double(m_quantized[std::size_t(i)]) - double(value);
                errors.sums[s] += error * error;
                errors.any = true;
            }
        }
    }

    TensorQuantConfig m_config;
    gpu::FloatParams m_format;
    std::vector<Errors> m_errors;
    std::vector<std::int64_t> m_positions;
    std::vector<float> m_values, m_quantized;
    std::uint32_t m_seed = 10086;
};

static const ObserverRegistrar floatingRegistrar{
    "floating", [] {
        auto entry = observerEntry<Floating>(
            "floating", QL_TEXT("Floating-point search"),
            QL_TEXT("For float formats: the best of the scales 1/128, 1/32, 1/8, 1, 4, 16, 64 by mean squared error."),
            {});
        entry.perChannel = true;
        entry.integer = false;
        entry.floating = true;
        return entry;
    }()};

} // namespace ql
