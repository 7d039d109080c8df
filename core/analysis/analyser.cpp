#include "core/analysis/analyser.h"

#include "core/analysis/error_measure.h"
#include "core/base/plugin.h"
#include "core/base/strings.h"

#include <algorithm>

namespace ql {

api::Measures analyse(const std::string &id, const AnalysisContext &context, const nlohmann::json &params)
{
    const AnalyserEntry &entry = Registry<AnalyserEntry>::instance().at(id, QL_TEXT("analysis"));
    const nlohmann::json complete = api::completeParams(entry.info.params, params, QL_TEXT("analysis '%1'").with(id));
    if (entry.needsData && (!context.data || context.data->size() == 0))
        throw Error(ErrorKind::BadData, QL_TEXT("analysis '%1' needs evaluation data and there is none").with(id))
            .withFix(Fix::ChooseData)
            .withRemedy(QL_TEXT("Give data with %1 or %2.").with(Text::option("--eval"), Text::option("--calib")));
    try {
        return entry.run(context, complete);
    } catch (...) {
        throwNamed<AnalyserEntry>(QL_TEXT("analysis '%1'").with(id), id);
    }
}

std::size_t batchesOf(const AnalysisContext &context, const nlohmann::json &params)
{
    const std::size_t all = std::min(context.batches, context.data->size());
    const auto samples = params.at("samples").get<std::int64_t>();
    if (samples == 0 || all == 0) return all;
    const std::int64_t ofBatch = samplesPerBatch(context.data->batch(0));
    return std::min(all, std::size_t((samples + ofBatch - 1) / ofBatch));
}

Text tensorsHelp(const std::vector<std::string> &names)
{
    constexpr std::size_t most = 8;
    const Text first = Text::list(
        std::vector<std::string>(names.begin(), names.begin() + std::ptrdiff_t(std::min(most, names.size()))));
    if (names.size() <= most) return QL_TEXT("Its tensors: %1.").with(first);
    return QL_TEXT("Its tensors: %1, and %2 more: `quantloupe-cli inspect MODEL --json -` lists them.")
        .with(first, names.size() - most);
}

std::vector<VarId> outputsOf(const AnalysisContext &context)
{
    return context.outputs.empty() ? measuredOutputs(context.model.graph) : context.outputs;
}

std::vector<std::string> sampleNames(const BatchSource &data, std::size_t batch)
{
    std::vector<std::string> names;
    for (const std::string &name : split(data.name(batch), ',')) names.emplace_back(trim(name));
    return names;
}

nlohmann::json paramsOfOperations(const std::vector<std::string> &operations, bool isFine)
{
    nlohmann::json params;
    params["operations"] = operations;
    if (isFine) params["fine"] = true;
    return params;
}

} // namespace ql
