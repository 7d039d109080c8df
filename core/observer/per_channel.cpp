#include "core/observer/per_channel.h"

#include "core/base/error.h"

#include <utility>

namespace ql {

namespace {

class PerChannel final : public Observer
{
public:
    PerChannel(const TensorQuantConfig &config,
               std::function<std::unique_ptr<Observer>(const TensorQuantConfig &)> make)
        : m_config(config), m_make(std::move(make))
    {
        m_config.channelAxis.reset();
        m_phases = m_make(m_config)->phases();
    }

    int phases() const override { return m_phases; }
    void expectBatches(std::size_t count) override { m_expected = count; }

    void observe(const TensorView &view) override
    {
        if (view.size == 0) return;
        const auto channels = std::size_t(view.channels);
        if (m_parts.empty())
            for (std::size_t c = 0; c < channels; ++c) {
                m_parts.push_back(m_make(m_config));
                m_parts.back()->expectBatches(m_expected);
            }
        if (m_parts.size() != channels)
            throw Error(ErrorKind::Numeric, QL_TEXT("the channel axis had %1 entries in one batch and %2 in another")
                                                .with(m_parts.size(), channels));
        const std::int64_t stride = view.channelStride, step = stride * view.channels;
        std::vector<float> gathered;
        m_nanCount = 0;
        for (std::size_t c = 0; c < channels; ++c) {
            TensorView part{view.data + std::int64_t(c) * stride, view.size / view.channels};
            if (step != view.size) { // the channel's values are not contiguous
                gathered.clear();
                for (std::int64_t begin = std::int64_t(c) * stride; begin < view.size; begin += step)
                    gathered.insert(gathered.end(), view.data + begin, view.data + begin + stride);
                part.data = gathered.data();
            }
            m_parts[c]->observe(part);
            m_nanCount += m_parts[c]->nanCount();
            widenSeenRange(m_parts[c]->seenMin(), m_parts[c]->seenMax());
        }
    }

    void nextPhase() override
    {
        for (const auto &part : m_parts) part->nextPhase();
    }

    Result result() const override
    {
        if (m_parts.empty()) throw Error(ErrorKind::Numeric, QL_TEXT("no values were observed: the tensor was empty"));
        Result all;
        all.scale.resize(m_parts.size());
        all.zeroPoint.resize(m_parts.size());
        for (std::size_t c = 0; c < m_parts.size(); ++c) {
            const Result one = m_parts[c]->result();
            all.scale[c] = one.scale.at(0);
            all.zeroPoint[c] = one.zeroPoint.at(0);
        }
        return all;
    }

private:
    TensorQuantConfig m_config; ///< of one channel
    std::function<std::unique_ptr<Observer>(const TensorQuantConfig &)> m_make;
    int m_phases = 1;
    std::size_t m_expected = 0;
    std::vector<std::unique_ptr<Observer>> m_parts;
};

} // namespace

std::unique_ptr<Observer>
makePerChannel(const TensorQuantConfig &config,
               const std::function<std::unique_ptr<Observer>(const TensorQuantConfig &)> &make)
{
    return std::make_unique<PerChannel>(config, make);
}

} // namespace ql
