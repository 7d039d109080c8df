#include "core/observer/range.h"

#include "core/base/error.h"

namespace ql {

/// Scale 1 for any data: for float formats that cover the range of the network without scaling.
class Constant final : public Observer
{
public:
    explicit Constant(const TensorQuantConfig &config) : m_config(config) {}

    bool readsAnyDevice() const override { return true; }
    void observe(const TensorView &view) override
    {
        if (view.size > 0) m_channels = m_config.isPerChannel() ? view.channels : 1;
    }

    Result result() const override
    {
        if (m_channels == 0) throw Error(ErrorKind::Numeric, QL_TEXT("no values were observed: the tensor was empty"));
        return {std::vector<float>(std::size_t(m_channels), 1.f),
                std::vector<std::int32_t>(std::size_t(m_channels), 0)};
    }

private:
    TensorQuantConfig m_config;
    std::int64_t m_channels = 0;
};

static const ObserverRegistrar constantRegistrar{
    "constant", [] {
        auto entry =
            observerEntry<Constant>("constant", QL_TEXT("Constant"), QL_TEXT("Scale 1 for float formats."), {});
        entry.perChannel = true;
        entry.integer = false;
        entry.floating = true;
        return entry;
    }()};

} // namespace ql
