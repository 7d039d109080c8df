#include "core/session/output_errors.h"

#include "core/analysis/analyser.h"
#include "core/analysis/metric.h"
#include "core/base/sha256.h"
#include "core/session/cache_entries.h"
#include "core/tune/data_part.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace ql {

std::string planKey(const RunState &state)
{
    const auto plan = std::find_if(state.stages.rbegin(), state.stages.rend(),
                                   [](const api::StageRow &stage) { return !stage.id.starts_with("analysis "); });
    return plan->key;
}

std::vector<api::OutputRow> outputErrors(const RunState &state, const QuantModel &model, const std::string &key,
                                         const JobContext &job, std::size_t most)
{
    const std::size_t all = state.evaluation->size();
    const bool isPart = most < all;
    const std::string own = sha256(key + "\noutputs so far\n" + state.evaluation->contentHash() + state.recipe.device +
                                   (isPart         ? std::to_string(most)
                                    : state.metric ? state.metric->key
                                                   : std::string()));
    if (auto known = recall<std::vector<api::OutputRow>>(state.options.cache, own)) return *known;
    AnalysisContext context(model);
    context.data = state.evaluation.get();
    context.batches = all;
    std::optional<DataPart> part;
    if (isPart) {
        std::vector<std::size_t> batches(most);
        for (std::size_t i = 0; i < most; ++i) batches[i] = i * all / most;
        part.emplace(state.evaluation, std::move(batches), std::vector<std::int64_t>(), 1);
        context.data = &*part;
        context.batches = most;
    } else {
        context.labels = state.evaluation->labels();
        context.metric = state.metric;
    }
    context.exec = state.exec();
    context.job = job;
    const std::vector<api::OutputRow> outputs = analyse("outputs", context, nlohmann::json::object()).outputs.value();
    remember(state.options.cache, own, outputs);
    return outputs;
}

} // namespace ql
