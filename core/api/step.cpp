#include "core/api/step.h"

namespace ql::api {

using nlohmann::json;

StepRequest stepFromJson(const JsonNode &node, StepKind kind)
{
    StepRequest step;
    if (node.value().is_string() && kind != StepKind::Export) {
        step.id = node.string();
        if (step.id.empty()) node.fail(QL_TEXT("must not be empty"));
        return step;
    }
    if (kind == StepKind::Pass) node.expectKeys({"id", "enabled", "params"});
    if (kind == StepKind::Analysis) node.expectKeys({"id", "params"});
    if (kind == StepKind::Export) node.expectKeys({"format", "path", "params"});
    const JsonNode id = node.at(kind == StepKind::Export ? "format" : "id");
    step.id = id.string();
    if (step.id.empty()) id.fail(QL_TEXT("must not be empty"));
    if (const auto v = node.find("enabled")) step.enabled = v->boolean();
    if (kind == StepKind::Export) step.path = node.at("path").string();
    if (const auto v = node.find("params")) {
        if (!v->value().is_object()) v->fail(QL_TEXT("must be an object"));
        step.params = v->value();
    }
    return step;
}

std::optional<JsonNode> placeOfParams(const JsonNode &step)
{
    return step.isObject() ? step.find("params") : std::nullopt;
}

std::vector<StepRequest> stepsFromJson(const JsonNode &list, StepKind kind)
{
    std::vector<StepRequest> steps;
    for (const JsonNode &element : list.elements()) steps.push_back(stepFromJson(element, kind));
    return steps;
}

json toJson(const StepRequest &step, StepKind kind)
{
    json entry = {{kind == StepKind::Export ? "format" : "id", step.id}, {"params", step.params}};
    if (kind == StepKind::Pass) entry["enabled"] = step.enabled;
    if (kind == StepKind::Export) entry["path"] = step.path;
    return entry;
}

json toJson(const std::vector<StepRequest> &steps, StepKind kind)
{
    json list = json::array();
    for (const StepRequest &step : steps) list.push_back(toJson(step, kind));
    return list;
}

} // namespace ql::api
