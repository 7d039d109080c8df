#include "core/api/run_report_fields.h"

#include <utility>

namespace ql::api {

std::string schemaOf(const nlohmann::json &document)
{
    const auto schema = document.is_object() ? document.find("schema") : document.end();
    return schema != document.end() && schema->is_string() ? schema->get<std::string>() : std::string();
}

void Measures::update(Measures other)
{
    const auto take = [](auto &own, auto &&others) {
        if (others) own = std::move(others);
    };
    take(graphwise, std::move(other.graphwise));
    take(layerwise, std::move(other.layerwise));
    take(outputs, std::move(other.outputs));
    take(ranges, std::move(other.ranges));
    take(statistics, std::move(other.statistics));
    take(parameters, std::move(other.parameters));
    take(variables, std::move(other.variables));
    take(details, std::move(other.details));
    take(noise, std::move(other.noise));
    take(explanation, std::move(other.explanation));
}

void to_json(nlohmann::json &written, const EmbeddedReport &data)
{
    const Report &report = data.report;
    written = nlohmann::json::object();
    FieldWriter codec(written);
    codec.constant("schema", reportSchema);
    codec.member("tool", report.tool);
    codec.member("model", report.model);
    codec.member("recipe", report.recipe);
    codec.member("recipe_hash", data.recipeHash);
    codec.member("outputs", orEmpty(report.measures.outputs));
    codec.member("problems", report.problems);
    codec.member("exports", report.exports);
    codec.member("seconds", report.seconds);
    codec.member("peak_rss_mib", report.peakRssMib);
}

QL_JSON_PAIR(Measures, "the measures")
QL_JSON_PAIR(PassRow, "a row of passes")
QL_JSON_PAIR(ReportSummary, "the report")
QL_JSON_PAIR(Report, "the report")

} // namespace ql::api
