#include "core/api/recipe.h"

#include "core/api/data_words.h"
#include "core/api/recipe_fields.h"
#include "core/base/error.h"
#include "core/base/sha256.h"
#include "core/base/strings.h"

#include <algorithm>
#include <limits>

namespace ql::api {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr std::int64_t maxInt = std::numeric_limits<std::int64_t>::max();

std::vector<std::string> keysOf(const json &value)
{
    std::vector<std::string> keys;
    if (value.is_object())
        for (const auto &[key, member] : value.items()) keys.push_back(key);
    if (value.is_array())
        for (std::size_t i = 0; i < value.size(); ++i) {
            const json &entry = value[i];
            if (entry.is_object() && entry.contains("id"))
                keys.push_back(entry["id"].get<std::string>());
            else if (entry.is_object() && entry.contains("format"))
                keys.push_back(entry["format"].get<std::string>());
            else
                keys.push_back(std::to_string(i));
        }
    return keys;
}

[[noreturn]] void noSuchField(const std::string &path, const std::string &key, const json &at)
{
    const std::vector<std::string> known = keysOf(at);
    throw Error(ErrorKind::BadConfig,
                Text::sentences({QL_TEXT("the recipe has no field '%1'.").with(path), suggestion(key, known)}))
        .withRemedy(known.empty() ? Text() : knownNames(known));
}

json *elementOf(json &list, const std::string &key)
{
    const bool number = !key.empty() && key.size() < 7 &&
                        std::all_of(key.begin(), key.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (number && std::stoul(key) < list.size()) return &list[std::stoul(key)];
    for (json &entry : list)
        if (entry.is_object() && (entry.value("id", "") == key || entry.value("format", "") == key)) return &entry;
    return nullptr;
}

} // namespace

DataRequest dataFromJson(const JsonNode &node, DataRequest data)
{
    node.expectKeys({"path", "samples", "preprocess", "sampling", "seed"});
    if (const auto v = node.find("path")) data.path = v->string();
    if (const auto v = node.find("samples")) data.samples = v->integer(1, maxInt);
    if (const auto v = node.find("preprocess")) data.preprocess = v->string();
    if (const auto v = node.find("sampling"))
        data.sampling = v->choice({"even", "first"}) == "first" ? Sampling::First : Sampling::Even;
    if (const auto v = node.find("seed")) data.seed = v->integer(0, maxInt);
    return data;
}

json toJson(const DataRequest &data)
{
    return data;
}

const char *toString(Sampling sampling)
{
    return sampling == Sampling::First ? "first" : "even";
}

void to_json(json &written, const Sampling &sampling)
{
    written = toString(sampling);
}

void from_json(const json &written, Sampling &sampling)
{
    for (const Sampling known : {Sampling::Even, Sampling::First})
        if (written == toString(known)) {
            sampling = known;
            return;
        }
    JsonPlace{"sampling"}.failType("even or first", written.dump());
}

MetricRequest metricFromJson(const JsonNode &node)
{
    MetricRequest metric;
    if (node.value().is_string()) {
        metric.id = node.string();
        return metric;
    }
    node.expectKeys({"id", "labels", "params"});
    if (const auto v = node.find("id")) metric.id = v->string();
    if (const auto v = node.find("labels")) metric.labels = v->string();
    if (const auto v = node.find("params")) {
        if (!v->value().is_object()) v->fail(QL_TEXT("must be an object"));
        metric.params = v->value();
    }
    return metric;
}

json toJson(const MetricRequest &metric)
{
    return {{"id", metric.id}, {"labels", metric.labels}, {"params", metric.params}};
}

static CutPoints cutFromJson(const JsonNode &node)
{
    node.expectKeys({"inputs", "outputs", "before_unsupported"});
    CutPoints cut;
    if (const auto v = node.find("inputs")) cut.inputs = v->strings();
    if (const auto v = node.find("outputs")) cut.outputs = v->strings();
    if (const auto v = node.find("before_unsupported")) cut.beforeUnsupported = v->boolean();
    return cut;
}

json toJson(const CutPoints &cut)
{
    return {{"inputs", cut.inputs}, {"outputs", cut.outputs}, {"before_unsupported", cut.beforeUnsupported}};
}

static std::vector<PlatformFile> platformsFromJson(const JsonNode &list)
{
    std::vector<PlatformFile> files;
    for (const JsonNode &element : list.elements()) {
        files.push_back(platformFileFromJson(element));
        for (std::size_t i = 0; i + 1 < files.size(); ++i)
            if (files[i].id == files.back().id)
                element.at("id").fail(QL_TEXT("'%1' is listed twice").with(files.back().id));
    }
    return files;
}

/// Platforms that the recipe carries are known to its dispatch rules.
static std::vector<Rule> dispatchFromJson(const JsonNode &list, const Recipe &recipe)
{
    std::vector<std::string> carried;
    for (const PlatformFile &file : recipe.platforms) carried.push_back(file.id);
    return rulesFromJson(list, RuleKind::Dispatch, carried);
}

Recipe recipeFromJson(const JsonText &text)
{
    const JsonNode root(text);
    root.expectKeys({"$schema",     "format",     "plugins", "model",     "input_shapes",    "cut",
                     "calibration", "evaluation", "metric",  "platform",  "platform_params", "platforms",
                     "dispatcher",  "dispatch",   "passes",  "overrides", "analyses",        "exports",
                     "device",      "threads",    "runtime"});
    const std::string format = root.at("format").string();
    if (format != recipeFormat)
        root.at("format").fail(QL_TEXT("expected \"%1\", got \"%2\"").with(recipeFormat, format),
                               QL_TEXT("This recipe was made for another version of the program."));
    Recipe recipe;
    if (const auto v = root.find("plugins")) recipe.plugins = v->strings();
    const JsonNode model = root.at("model");
    model.expectKeys({"path", "weights", "sha256"});
    recipe.model = model.at("path").string();
    if (const auto v = model.find("weights")) recipe.weights = v->string();
    if (const auto v = model.find("sha256")) recipe.sha256 = v->string();
    if (const auto shapes = root.find("input_shapes"))
        for (const auto &[name, shape] : shapes->members())
            for (const JsonNode &size : shape.elements()) recipe.inputShapes[name].push_back(size.integer(-1, maxInt));
    if (const auto v = root.find("cut")) recipe.cut = cutFromJson(*v);
    if (const auto v = root.find("calibration")) recipe.calibration = dataFromJson(*v, recipe.calibration);
    if (const auto v = root.find("evaluation")) recipe.evaluation = dataFromJson(*v, recipe.evaluation);
    if (const auto v = root.find("metric")) recipe.metric = metricFromJson(*v);
    if (const auto v = root.find("runtime")) {
        v->expectKeys({"command"});
        recipe.runtimeCommand = v->at("command").strings();
    }
    if (const auto v = root.find("platforms")) recipe.platforms = platformsFromJson(*v);
    if (const auto v = root.find("platform")) recipe.platform = v->string();
    if (const auto v = root.find("platform_params")) {
        if (!v->isObject()) v->fail(QL_TEXT("must be an object"));
        recipe.platformParams = v->value();
    }
    if (const auto v = root.find("dispatcher")) recipe.dispatcher = v->string();
    if (const auto v = root.find("dispatch")) recipe.dispatch = dispatchFromJson(*v, recipe);
    if (const auto v = root.find("overrides")) recipe.overrides = rulesFromJson(*v, RuleKind::Override);
    if (const auto v = root.find("passes"); v && !v->value().is_null())
        recipe.passes = stepsFromJson(*v, StepKind::Pass);
    if (const auto v = root.find("analyses")) recipe.analyses = stepsFromJson(*v, StepKind::Analysis);
    if (const auto v = root.find("exports")) recipe.exports = stepsFromJson(*v, StepKind::Export);
    if (const auto v = root.find("device")) recipe.device = v->string();
    if (const auto v = root.find("threads")) recipe.threads = v->integer(0, 4096);
    return recipe;
}

json toJson(const Recipe &recipe)
{
    json carried = json::array();
    for (const PlatformFile &file : recipe.platforms) carried.push_back(toJson(file));
    return {{"format", recipeFormat},
            {"plugins", recipe.plugins},
            {"model", {{"path", recipe.model}, {"weights", recipe.weights}, {"sha256", recipe.sha256}}},
            {"input_shapes", recipe.inputShapes},
            {"cut", toJson(recipe.cut)},
            {"calibration", recipe.calibration},
            {"evaluation", recipe.evaluation},
            {"metric", toJson(recipe.metric)},
            {"runtime", {{"command", recipe.runtimeCommand}}},
            {"platform", recipe.platform},
            {"platform_params", recipe.platformParams},
            {"platforms", carried},
            {"dispatcher", recipe.dispatcher},
            {"dispatch", toJson(recipe.dispatch, RuleKind::Dispatch)},
            {"passes", recipe.passes ? toJson(*recipe.passes, StepKind::Pass) : json()},
            {"overrides", toJson(recipe.overrides, RuleKind::Override)},
            {"analyses", toJson(recipe.analyses, StepKind::Analysis)},
            {"exports", toJson(recipe.exports, StepKind::Export)},
            {"device", recipe.device},
            {"threads", recipe.threads}};
}

QL_JSON_PAIR(DataRequest, "the data")

void to_json(json &written, const Recipe &recipe)
{
    written = toJson(recipe);
}

void from_json(const json &written, Recipe &recipe)
{
    recipe = recipeFromJson(JsonText::wrap(written, "recipe"));
}

DataRequest evaluationData(const Recipe &recipe)
{
    DataRequest data = recipe.evaluation;
    if (!data.path.empty()) return data;
    data.path = recipe.calibration.path;
    if (data.preprocess.empty()) data.preprocess = recipe.calibration.preprocess;
    return data;
}

std::string recipeHash(const Recipe &recipe)
{
    return sha256(toJson(recipe).dump()); // keys are sorted
}

bool sameGraph(const Recipe &a, const Recipe &b)
{
    Recipe other = b;
    other.calibration = a.calibration;
    other.evaluation = a.evaluation;
    other.metric = a.metric;
    other.runtimeCommand = a.runtimeCommand;
    other.analyses = a.analyses;
    other.exports = a.exports;
    other.device = a.device;
    other.threads = a.threads;
    return a == other;
}

fs::path pathFrom(const fs::path &path, fs::path folder)
{
    if (!folder.has_filename()) folder = folder.parent_path(); // "/a/b/"
    constexpr int mostSteps = 3;                               // further up, the two paths are unrelated
    const fs::path relative = path.lexically_relative(folder);
    const auto steps = std::count(relative.begin(), relative.end(), "..");
    const auto depth = std::distance(folder.begin(), folder.end()) - 1; // below the root
    return relative.empty() || steps > mostSteps || steps >= depth ? path : relative;
}

Recipe movedTo(Recipe recipe, const fs::path &base, const fs::path &folder)
{
    const fs::path from = fs::absolute(base),
                   to = fs::absolute(folder.empty() ? fs::path(".") : folder).lexically_normal();
    const bool stays = (from / "").lexically_normal() == (to / "").lexically_normal();
    const auto move = [&](std::string &path) {
        if (path.empty() || isGenerated(path) || (stays && fs::path(path).is_relative())) return; // as written
        path = pathFrom((from / path).lexically_normal(), to).string();
    };
    for (std::string *path :
         {&recipe.model, &recipe.weights, &recipe.calibration.path, &recipe.evaluation.path, &recipe.metric.labels})
        move(*path);
    for (std::string &plugin : recipe.plugins) move(plugin);
    for (StepRequest &step : recipe.exports) move(step.path);
    return recipe;
}

Recipe withField(const Recipe &recipe, const std::string &path, const std::string &value)
{
    json document = toJson(recipe);
    json *at = &document;
    const std::vector<std::string> keys = split(path, '.');
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const std::string &key = keys[i];
        if (at->is_array()) {
            json *element = elementOf(*at, key);
            if (!element) noSuchField(path, key, *at);
            at = element;
            continue;
        }
        // Graph inputs, parameters and rules may get new keys; their owners check the names.
        const bool open = i > 0 && (keys[0] == "input_shapes" || keys[0] == "platform_params" ||
                                    keys[i - 1] == "params" || keys[0] == "overrides" || keys[0] == "dispatch");
        if (at->is_object() && !at->contains(key) && at->contains("params"))
            at = &(*at)["params"];
        else if (!at->is_object() || (!at->contains(key) && !open))
            noSuchField(path, key, *at);
        at = &(*at)[key];
    }
    const json parsed = json::parse(value, nullptr, false);
    if (parsed.is_discarded() && (at->is_array() || at->is_object()))
        throw Error(ErrorKind::BadConfig, QL_TEXT("--set %1: expected JSON, got '%2'").with(path, value))
            .withRemedy(
                QL_TEXT("Names and strings need double quotes: %1.").with(R"([{"op": "stem", "platform": "FP32"}])"));
    // A path or a name is text even if it resembles a number
    *at = parsed.is_discarded() || (at->is_string() && !parsed.is_string()) ? json(value) : parsed;
    return recipeFromJson(JsonText::wrap(std::move(document), "--set " + path));
}

} // namespace ql::api
