// How well a language model predicts the next token of its own input, which needs no labels.
#include "core/base/error.h"
#include "core/metric/metric.h"

#include <ATen/ops/log_softmax.h>
#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace ql {

namespace {

/// Inputs of indices, one per step.
bool hasSteps(const at::Tensor &tensor)
{
    return tensor.dim() == 2 && !at::isFloatingType(tensor.scalar_type());
}

bool isCalled(const std::string &name, std::initializer_list<const char *> words)
{
    return std::any_of(words.begin(), words.end(), [&](const char *w) { return name.find(w) != std::string::npos; });
}

/// Language models often read a mask, positions and segments next to the tokens. nullptr: there are none
const at::Tensor *tokensIn(const Feed &feed)
{
    for (const auto &[name, tensor] : feed)
        if (hasSteps(tensor) && !isCalled(name, {"mask", "position", "segment", "type"})) return &tensor;
    return nullptr;
}

/// 0 where the input only fills up the sample. Undefined: there is none
at::Tensor maskIn(const Feed &feed, const at::Tensor &tokens)
{
    for (const auto &[name, tensor] : feed)
        if (hasSteps(tensor) && isCalled(name, {"mask"}) && tensor.sizes() == tokens.sizes())
            return tensor.to(at::kLong).contiguous();
    return {};
}

class TokenMetric final : public OutputMetric
{
public:
    explicit TokenMetric(bool isPerplexity) : m_isPerplexity(isPerplexity) {}

    void add(const std::vector<at::Tensor> &outputs, const Feed &feed, const std::vector<std::string> &names) override
    {
        const at::Tensor *const tokens = tokensIn(feed);
        const at::Tensor &output = outputs.at(0);
        if (!tokens || output.dim() != 3 || output.size(0) != tokens->size(0) || output.size(1) != tokens->size(1))
            throw Error(ErrorKind::BadData, QL_TEXT("the metric needs an input of tokens [samples, steps] and scores "
                                                    "[samples, steps, tokens] as the first output"));
        const at::Tensor ids = tokens->to(at::kLong).contiguous(), mask = maskIn(feed, *tokens);
        const at::Tensor logs = at::log_softmax(output.to(at::kDouble), 2).contiguous();
        const std::int64_t steps = ids.size(1), count = logs.size(2);
        for (std::int64_t n = 0; n < ids.size(0); ++n)
            for (std::int64_t t = 0; t + 1 < steps; ++t) {
                const std::int64_t next = ids.data_ptr<std::int64_t>()[n * steps + t + 1];
                const bool isPadding = mask.defined() && mask.data_ptr<std::int64_t>()[n * steps + t + 1] == 0;
                if (isPadding || next < 0 || next >= count) continue;
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
