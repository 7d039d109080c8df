#include "core/api/params.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <algorithm>

namespace ql::api {

using nlohmann::json;

static bool hasType(const json &value, const std::string &type)
{
    if (type == "bool") return value.is_boolean();
    if (type == "int") return value.is_number_integer();
    if (type == "float") return value.is_number();
    if (type == "string" || type == "enum" || type == "observer") return value.is_string();
    if (type == "strings")
        return value.is_array() && std::all_of(value.begin(), value.end(), [](const json &v) { return v.is_string(); });
    return false;
}

static void check(const ParamSpec &spec, const json &value, const std::string &what)
{
    const auto fail = [&](const std::string &message) {
        throw Error(ErrorKind::BadConfig, what + ": parameter '" + spec.name + "' " + message).withRemedy(spec.meaning);
    };
    if (value.is_null() && spec.fallback.is_null()) return;
    if (!hasType(value, spec.type)) {
        const std::string written = spec.type == "enum" || spec.type == "observer" ? "string" : spec.type; // in JSON
        fail("must be of type " + written + ", got " + value.dump());
    }
    if (!spec.min.is_null() && value.get<double>() < spec.min.get<double>())
        fail("must be at least " + spec.min.dump() + ", got " + value.dump());
    if (!spec.max.is_null() && value.get<double>() > spec.max.get<double>())
        fail("must be at most " + spec.max.dump() + ", got " + value.dump());
    if (spec.type == "enum" &&
        std::find(spec.choices.begin(), spec.choices.end(), value.get<std::string>()) == spec.choices.end())
        fail("must be one of " + join(spec.choices, ", ") + "; got " + value.dump() + "." +
             didYouMean(value.get<std::string>(), spec.choices));
}

json completeParams(const std::vector<ParamSpec> &specs, const json &given, const std::string &what)
{
    if (!given.is_null() && !given.is_object())
        throw Error(ErrorKind::BadConfig, what + ": parameters must be a JSON object");
    std::vector<std::string> names;
    json out = json::object();
    for (const ParamSpec &spec : specs) {
        names.push_back(spec.name);
        out[spec.name] = spec.fallback;
    }
    if (given.is_null()) return out;
    for (const auto &entry : given.items()) {
        const std::string &name = entry.key();
        const json &value = entry.value();
        const auto spec = std::find_if(specs.begin(), specs.end(), [&](const ParamSpec &s) { return s.name == name; });
        if (spec == specs.end())
            throw Error(ErrorKind::BadConfig, what + " has no parameter '" + name + "'." + didYouMean(name, names))
                .withRemedy(names.empty() ? "It takes no parameters." : "Known: " + join(names, ", ") + ".");
        check(*spec, value, what);
        out[name] = value;
    }
    return out;
}

json toJson(const ParamSpec &spec)
{
    json out = {{"name", spec.name}, {"type", spec.type}, {"default", spec.fallback}, {"meaning", spec.meaning}};
    if (!spec.unit.empty()) out["unit"] = spec.unit;
    if (!spec.min.is_null()) out["min"] = spec.min;
    if (!spec.max.is_null()) out["max"] = spec.max;
    if (!spec.choices.empty()) out["choices"] = spec.choices;
    return out;
}

json toJson(const CatalogueItem &item)
{
    json params = json::array();
    for (const ParamSpec &spec : item.params) params.push_back(toJson(spec));
    return {{"id", item.id}, {"title", item.title}, {"meaning", item.meaning}, {"params", params}};
}

json toJson(const Problem &problem)
{
    return {{"severity", problem.severity},
            {"op", problem.op},
            {"variable", problem.variable},
            {"message", problem.message},
            {"remedy", problem.remedy}};
}

} // namespace ql::api
