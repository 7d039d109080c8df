// How well a language model predicts the next token of its own input, which needs no labels.
#include "core/base/error.h"
#include "core/metric/metric.h"

#include <ATen/ops/log_softmax.h>
#include <cmath>

namespace ql {

namespace {

class TokenMetric final : public OutputMetric
{
public:
    explicit TokenMetric(bool isPerplexity) : m_isPerplexity(isPerplexity) {}

    void add(const std::vector<at::Tensor> &outputs, const Feed &feed, const std::vector<std::string> &names) override
    {
        const at::Tensor *tokens = nullptr;
        for (const auto &[name, tensor] : feed)
            if (!tokens && tensor.dim() == 2 && !at::isFloatingType(tensor.scalar_type())) tokens = &tensor;
        const at::Tensor &output = outputs.at(0);
        if (!tokens || output.dim() != 3 || output.size(0) != tokens->size(0) || output.size(1) != tokens->size(1))
            throw Error(ErrorKind::BadData, QL_TEXT("the metric needs an input of tokens [samples, steps] and scores "
                                                    "[samples, steps, tokens] as the first output"));
        const at::Tensor ids = tokens->to(at::kLong).contiguous();
        const at::Tensor logs = at::log_softmax(output.to(at::kDouble), 2).contiguous();
        const std::int64_t steps = ids.size(1), count = logs.size(2);
        for (std::int64_t n = 0; n < ids.size(0); ++n)
            for (std::int64_t t = 0; t + 1 < steps; ++t) {
                const std::int64_t next = ids.data_ptr<std::int64_t>()[n * steps + t + 1];
                if (next < 0 || next >= count) continue;
                m_sum -= logs.data_ptr<double>()[(n * steps + t) * count + next];
                ++m_count;
            }
        m_samples += std::int64_t(names.size());
    }
    std::optional<double> value() const override
    {
        if (m_count == 0) return std::nullopt;
        const double mean = m_sum / double(m_count);
        return m_isPerplexity ? std::exp(mean) : mean;
    }
    std::int64_t samples() const override { return m_samples; }

private:
    bool m_isPerplexity;
    double m_sum = 0;
    std::int64_t m_count = 0, m_samples = 0;
};

MetricEntry tokenEntry(const char *id, const Text &title, const Text &meaning, bool isPerplexity)
{
    MetricEntry entry;
    entry.info = {.id = id, .title = title, .meaning = meaning};
    entry.isLoss = true;
    entry.range = {isPerplexity ? 1.0 : 0.0, std::numeric_limits<double>::infinity()};
    entry.needsLabels = false;
    entry.classAxis = lastAxisOf;
    entry.open = [isPerplexity](const MetricInput &) {
        return
            [isPerplexity]() -> std::unique_ptr<OutputMetric> { return std::make_unique<TokenMetric>(isPerplexity); };
    };
    return entry;
}

const MetricRegistrar lossRegistrar{
    "loss", tokenEntry("loss", QL_TEXT("Next-token loss"),
                       QL_TEXT("Mean of -log p of the next token of the input, in nats."), false)};
const MetricRegistrar perplexityRegistrar{
    "perplexity", tokenEntry("perplexity", QL_TEXT("Perplexity"),
                             QL_TEXT("Exponential of the mean of -log p of the next token of the input."), true)};

} // namespace

} // namespace ql
