#include "core/api/params.h"

#include "core/api/text_json.h"
#include "core/base/error.h"
#include "core/base/strings.h"

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

static void check(const ParamSpec &spec, const json &value, const Text &what)
{
    const auto fail = [&](const Text &message) {
        const bool isFromFile = spec.meaning.kind() == Text::Kind::Verbatim; // built-in platforms: with a translation
        throw Error(ErrorKind::BadConfig, message)
            .withRemedy(isFromFile ? Text::ofTemplate(spec.meaning.source().c_str()) : spec.meaning);
    };
    if (value.is_null() && spec.fallback.is_null()) return;
    if (!hasType(value, spec.type)) {
        const std::string written = spec.type == "enum" || spec.type == "observer" ? "string" : spec.type; // in JSON
        fail(QL_TEXT("%1: parameter '%2' must be of type %3, got %4").with(what, spec.name, written, value.dump()));
    }
    if (!spec.min.is_null() && value.get<double>() < spec.min.get<double>())
        fail(QL_TEXT("%1: parameter '%2' must be at least %3, got %4")
                 .with(what, spec.name, spec.min.dump(), value.dump()));
    if (!spec.max.is_null() && value.get<double>() > spec.max.get<double>())
        fail(QL_TEXT("%1: parameter '%2' must be at most %3, got %4")
                 .with(what, spec.name, spec.max.dump(), value.dump()));
    if (spec.type == "enum" &&
        std::find(spec.choices.begin(), spec.choices.end(), value.get<std::string>()) == spec.choices.end())
        fail(Text::sentences({QL_TEXT("%1: parameter '%2' must be one of %3; got %4.")
                                  .with(what, spec.name, Text::list(spec.choices, Text::Join::Or), value.dump()),
                              suggestion(value.get<std::string>(), spec.choices)}));
}

bool isLegal(const ParamSpec &spec, const json &value)
{
    if (value == spec.fallback) return true;
    try {
        check(spec, value, {});
    } catch (const Error &) {
        return false;
    }
    // Of an observer, a catalogue knows the choices
    return spec.choices.empty() || !value.is_string() ||
           std::find(spec.choices.begin(), spec.choices.end(), value.get<std::string>()) != spec.choices.end();
}

json completeParams(const std::vector<ParamSpec> &specs, const json &given, const Text &what)
{
    if (!given.is_null() && !given.is_object())
        throw Error(ErrorKind::BadConfig, QL_TEXT("%1: parameters must be a JSON object").with(what));
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
            throw Error(ErrorKind::BadConfig, Text::sentences({QL_TEXT("%1 has no parameter '%2'.").with(what, name),
                                                               suggestion(name, names)}))
                .withRemedy(names.empty() ? QL_TEXT("It has no parameters.") : knownNames(names));
        check(*spec, value, what);
        out[name] = value;
    }
    return out;
}

json paramOf(const json &given, const ParamSpec &spec)
{
    const auto it = given.find(spec.name);
    return it == given.end() ? spec.fallback : *it;
}

json defaultParams(const std::vector<ParamSpec> &specs)
{
    json values = json::object();
    for (const ParamSpec &spec : specs) values[spec.name] = spec.fallback;
    return values;
}

bool hasParam(const CatalogueItem &item, std::string_view name)
{
    return std::any_of(item.params.begin(), item.params.end(),
                       [&](const ParamSpec &param) { return param.name == name; });
}

nlohmann::json paramFromText(const std::string &text, const std::string &type)
{
    if (type == "strings") return text.empty() ? nlohmann::json::array() : nlohmann::json(split(text, '+'));
    if (type == "string" || type == "enum") return text;
    const nlohmann::json parsed = nlohmann::json::parse(text, nullptr, false);
    return parsed.is_discarded() ? nlohmann::json(text) : parsed;
}

} // namespace ql::api
