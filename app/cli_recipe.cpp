#include "app/cli_recipe.h"

#include "core/analysis/analyser.h"
#include "core/api/data_words.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/plugin.h"
#include "core/base/strings.h"
#include "core/base/trust.h"
#include "core/export/exporter.h"
#include "core/io/preprocess.h"
#include "core/io/random_source.h"
#include "core/metric/metric.h"
#include "core/observer/observer.h"
#include "core/pass/pass.h"
#include "core/platform/recipe_platforms.h"
#include "core/session/plugins.h"
#include "core/session/preset.h"
#include "core/session/recipe_fields.h"
#include "core/session/recipe_files.h"
#include "core/session/run.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace ql::cli {

namespace fs = std::filesystem;

static constexpr const char *modelGroup = "Model";
static constexpr const char *targetGroup = "Target";
static constexpr const char *dataGroup = "Data";
static constexpr const char *resultGroup = "Results";

CLI::Validator htmlFile()
{
    return {[](const std::string &file) -> std::string {
                return lower(file).ends_with(".json") ? "the report is HTML; write JSON with --json " + file : "";
            },
            ""};
}

static bool isRecipeFile(const std::string &source)
{
    const std::string ending = lower(fs::path(source).extension().string());
    return ending == ".quantloupe" || ending == ".json";
}

CLI::Validator recipeFile()
{
    return {[](const std::string &file) -> std::string {
                std::error_code code;
                const bool isSpecial = fs::exists(file, code) && !fs::is_regular_file(file, code); // /dev/stdout
                if (file.empty() || file == "-" || isSpecial || isRecipeFile(file)) return {};
                return "recipes end in .quantloupe or .json; '" + file + "' could not be read as one again";
            },
            ""};
}

CLI::Validator integerInRange(std::int64_t low, std::int64_t high)
{
    return {[low, high](const std::string &text) -> std::string {
                std::int64_t value = 0;
                const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
                if (code == std::errc() && end == text.data() + text.size() && value >= low && value <= high) return {};
                return "expected an integer from " + std::to_string(low) +
                       (high == INT64_MAX ? " on" : " to " + std::to_string(high)) + ", got '" + text + "'";
            },
            ""};
}

CLI::Validator numberInRange(double low, double high)
{
    return {[low, high](const std::string &text) -> std::string {
                double value = 0;
                const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
                if (code == std::errc() && end == text.data() + text.size() && value >= low && value <= high) return {};
                return "expected a number from " + numberText(low) + " to " + numberText(high) + ", got '" + text + "'";
            },
            ""};
}

static CLI::Validator oneOf(const std::vector<std::string> &words)
{
    return {[words](const std::string &text) -> std::string {
                if (std::find(words.begin(), words.end(), text) != words.end()) return {};
                return "expected " + join(words, " or ") + ", got '" + text + "'";
            },
            ""};
}

static std::vector<std::string> namesIn(const std::string &list)
{
    std::vector<std::string> names;
    for (const std::string &part : split(list, ','))
        if (const std::string name(trim(part)); !name.empty()) names.push_back(name);
    return names;
}

static CLI::Validator someNames()
{
    return {[](const std::string &text) -> std::string {
                return namesIn(text).empty() ? "expected names of tensors, got '" + text + "'" : "";
            },
            ""};
}

void RecipeOptions::addSource(CLI::App &command)
{
    command.add_option("SOURCE", m_source, "A model (.onnx ...) or a recipe (.quantloupe)")->required();
    command.add_option("--weights", m_weights, "Weights file, for formats with separate weights")
        ->type_name("FILE")
        ->group(modelGroup);
    command
        .add_option("--input-shape", m_inputShapes,
                    "Fix an open input shape: data=1x3x224x224, ? keeps a dimension (repeatable)")
        ->type_name("NAME=SHAPE")
        ->allow_extra_args(false)
        ->group(modelGroup);
    command.add_option("--inputs", m_inputs, "Cut the model: start at these tensors instead of its inputs")
        ->check(someNames())
        ->type_name("a,b")
        ->group(modelGroup);
    command.add_option("--outputs", m_outputs, "Cut the model: end at these tensors instead of its outputs")
        ->check(someNames())
        ->type_name("a,b")
        ->group(modelGroup);
    command.add_flag("--cut-unsupported", m_cutUnsupported, "Cut the model before its first unsupported operations")
        ->group(modelGroup);
    addSettings(command);
}

void RecipeOptions::addAgainst(CLI::App &command)
{
    command.add_option("--against", m_source, "The recipe (.quantloupe) that the file was exported from")
        ->type_name("RECIPE")
        ->required();
    addSettings(command);
}

void RecipeOptions::addSettings(CLI::App &command)
{
    command
        .add_option("--set", m_settings,
                    "Any field of the recipe: calibration.samples=64, passes.ID.NAME=VALUE and "
                    "passes.ID.enabled=true, see `passes` (repeatable)")
        ->type_name("PATH=VALUE")
        ->allow_extra_args(false)
        ->group(modelGroup);
    command.add_option("--plugin", m_plugins, "Load a plug-in, see `plugins` (repeatable)")
        ->type_name("FILE.so")
        ->allow_extra_args(false)
        ->group(modelGroup);
    command
        .add_flag("--allow-commands", m_allowCommands,
                  "Allow the recipe and its manifests to start programs and load plug-ins")
        ->group(modelGroup);
}

void RecipeOptions::addTarget(CLI::App &command)
{
    command
        .add_option(
            "--platform", m_platform,
            "Target, see `platforms` (default TRT_INT8); or your own, a platform file (docs/platform-format.md)")
        ->type_name("ID|FILE.json")
        ->group(targetGroup);
    command
        .add_option("--platform-param", m_platformParams,
                    "A parameter of the target: bits=4, see `platforms ID` (repeatable)")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false)
        ->group(targetGroup);
    command
        .add_option("--preset", m_preset,
                    "A preset pipeline, see `presets`: dsp, or with parameters beginner:calibration=kl,finetune=false")
        ->type_name("ID")
        ->group(targetGroup);
    command.add_option("--dispatcher", m_dispatcher, "How operations are assigned to the platform, see `dispatchers`")
        ->type_name("ID")
        ->group(targetGroup);
}

void RecipeOptions::addDevice(CLI::App &command)
{
    command.add_option("--device", m_device, "cpu, cuda or cuda:N (default cpu)")
        ->type_name("DEVICE")
        ->group(targetGroup);
    command
        .add_option("--threads", m_threads, "CPU threads (default 0: OMP_NUM_THREADS if set, otherwise one per core)")
        ->type_name("N")
        ->check(integerInRange(0, 4096))
        ->group(targetGroup);
}

void RecipeOptions::addData(CLI::App &command)
{
    command
        .add_option("--calib", m_calibration,
                    "Calibration data: .npz, .npy, a folder of images or arrays, a folder per input, a manifest, or "
                    "random:N,seed=1,range=-1..1 for a first look without data")
        ->type_name("PATH")
        ->group(dataGroup);
    command.add_option("--samples", m_samples, "Calibrate on N samples (default 32)")
        ->type_name("N")
        ->check(integerInRange(1))
        ->group(dataGroup);
    command
        .add_option(
            "--sampling", m_sampling,
            "If the data has more samples: even (default) draws them evenly over the data, first uses the first ones")
        ->type_name("even|first")
        ->check(oneOf({"even", "first"}))
        ->group(dataGroup);
    command.add_option("--seed", m_seed, "Seed for drawing samples (default 0)")
        ->type_name("N")
        ->check(integerInRange(0))
        ->group(dataGroup);
    command
        .add_option("--preprocess", m_preprocess,
                    "How images become inputs: \"rgb; resize 256 short; crop 224; scale 1/255; mean ...; std ...\", "
                    "see `preprocess`")
        ->type_name("SPEC")
        ->group(dataGroup);
    command.add_option("--observer", m_observer, "How activation ranges are chosen, see `observers`")
        ->type_name("ID")
        ->group(targetGroup);
}

void RecipeOptions::addEvaluation(CLI::App &command)
{
    command.add_option("--eval", m_evaluation, "Data for measuring errors (default: the calibration data)")
        ->type_name("PATH")
        ->group(dataGroup);
    command.add_option("--eval-samples", m_evaluationSamples, "Measure on N samples (default 8)")
        ->type_name("N")
        ->check(integerInRange(1))
        ->group(dataGroup);
    command
        .add_option("--metric", m_metric,
                    "How outputs are judged: ap50, ap, miou, topk, cer, wer, loss, perplexity, with parameters as "
                    "in ap50:head=yolox (default: top-1, if the data has classes); for tune also a JSON file "
                    "{\"command\": [...]}: a program that reads {outputs} (.npz) and {samples} (a name per line) and "
                    "prints a number, the larger the better")
        ->type_name("ID|FILE.json")
        ->group(dataGroup);
    command
        .add_option(
            "--labels", m_labels,
            "Labels of the evaluation data for --metric: a COCO json file or a folder of YOLO text files (ap50, "
            "ap), a folder of masks (miou), a text file with a line per sample (topk, cer, wer)")
        ->type_name("PATH")
        ->group(dataGroup);
}

std::string RecipeOptions::metricFile() const
{
    return m_metric.ends_with(".json") ? m_metric : std::string();
}

void RecipeOptions::addResults(CLI::App &command)
{
    addEvaluation(command);
    command
        .add_option("--analyse,--analyze", m_analyses,
                    "Comma-separated: graphwise, layerwise, remedies, statistics, parameters, ranges, outputs, see "
                    "`analyses`, with parameters as in layerwise:seconds=30:outputs=a+b; or none: only quantize and "
                    "export (default graphwise,layerwise)")
        ->type_name("LIST")
        ->group(resultGroup);
    command.add_option("--export", m_exports, "Write the quantized model, see `exporters` (repeatable)")
        ->type_name("FORMAT:PATH")
        ->allow_extra_args(false)
        ->group(resultGroup);
    command
        .add_flag("--export-uncalibrated", m_exportUncalibrated,
                  "Export even if tensors are not calibrated; they stay in float32")
        ->group(resultGroup);
    command
        .add_flag("--export-fixed-shapes", m_exportFixedShapes,
                  "Write the sizes of --input-shape into exported models, which keep open sizes otherwise")
        ->group(resultGroup);
    command
        .add_flag("--export-foreign-operators", m_exportForeign,
                  "Export operators that ONNX does not have, for runtimes with a plug-in")
        ->group(resultGroup);
}

std::string RecipeOptions::absolute(const std::string &path, const LoadedRecipe &loaded) const
{
    // Paths of a recipe start from its folder, those of the command line from the current one.
    return loaded.fromRecipe && !api::isGenerated(path) ? fs::absolute(path).lexically_normal().string() : path;
}

namespace {

Error badOption(const std::string &option, const std::string &value, const std::string &form)
{
    return Error(ErrorKind::BadConfig, option + ": expected " + form + ", got '" + value + "'");
}

/// ID, or with parameters ID:NAME=VALUE:NAME=VALUE; several texts as one value: A+B.
template <typename Entry>
api::StepRequest stepOf(const char *option, const std::string &text)
{
    const std::vector<std::string> parts = split(text, ':');
    api::StepRequest step;
    step.id = std::string(trim(parts.front()));
    const Entry *entry = Registry<Entry>::instance().find(step.id);
    const std::vector<api::ParamSpec> specs = entry ? entry->info.params : std::vector<api::ParamSpec>();
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const std::size_t equals = parts[i].find('=');
        if (equals == std::string::npos || equals == 0)
            throw badOption(option, text, "ID:NAME=VALUE such as layerwise:seconds=30");
        const std::string name(trim(parts[i].substr(0, equals)));
        const auto spec = std::find_if(specs.begin(), specs.end(), [&](const auto &s) { return s.name == name; });
        std::string value = parts[i].substr(equals + 1);
        const bool areTexts = spec != specs.end() && spec->type == "strings";
        while (areTexts && i + 1 < parts.size() && parts[i + 1].find('=') == std::string::npos)
            value += ":" + parts[++i]; // of a name
        if (step.params.contains(name)) throw badOption(option, text, "one value of '" + name + "'");
        step.params[name] = api::paramFromText(std::string(trim(value)), areTexts ? spec->type : "");
    }
    return step;
}

/// @returns the name of the input
std::string addInputShape(api::Recipe &recipe, const std::string &text)
{
    const std::string form = "NAME=SHAPE such as data=1x3x224x224 (? keeps a dimension)";
    const std::size_t equals = text.rfind('='); // names may contain one
    if (equals == std::string::npos || equals == 0) throw badOption("--input-shape", text, form);
    std::vector<std::int64_t> shape;
    const std::string sizes = text.substr(equals + 1);
    for (const std::string &part : split(sizes, sizes.find(',') == std::string::npos ? 'x' : ',')) {
        if (part == "?" || part == "-1") {
            shape.push_back(-1);
            continue;
        }
        std::int64_t size = 0;
        const auto [end, code] = std::from_chars(part.data(), part.data() + part.size(), size);
        if (code != std::errc() || end != part.data() + part.size() || size < 0)
            throw badOption("--input-shape", text, form);
        shape.push_back(size);
    }
    const std::string name = text.substr(0, equals);
    recipe.inputShapes[name] = shape;
    return name;
}

/// Checks every id and parameter of the file once, while line numbers are known.
void checkSteps(const api::JsonNode &root)
{
    const auto check = [&](const char *key, const char *idKey, const char *what, const auto &registry) {
        const auto list = root.find(key);
        if (!list || list->value().is_null()) return;
        for (const api::JsonNode &node : list->elements()) {
            const api::JsonNode id = node.isObject() ? node.at(idKey) : node;
            const auto params = api::placeOfParams(node);
            const api::JsonNode *place = &id; // of the error
            try {
                const auto &entry = registry.at(id.string(), what);
                if (!params) continue;
                place = &*params;
                api::completeParams(entry.info.params, params->value(), what + (" '" + id.string() + "'"));
            } catch (const Error &error) {
                if (!error.file.empty()) throw;
                place->fail(error.message, error.remedy);
            }
        }
    };
    check("passes", "id", "pass", Registry<PassEntry>::instance());
    check("analyses", "id", "analysis", Registry<AnalyserEntry>::instance());
    check("exports", "format", "export format", Registry<ExporterEntry>::instance());
}

} // namespace

std::vector<fs::path> LoadedRecipe::inputs() const
{
    std::vector<fs::path> out = filesRead(recipe, base);
    if (!file.empty()) out.emplace_back(file);
    return out;
}

void RecipeOptions::useCutPoints(api::Recipe &recipe) const
{
    if (!m_inputs.empty()) recipe.cut.inputs = namesIn(m_inputs);
    if (!m_outputs.empty()) recipe.cut.outputs = namesIn(m_outputs);
    if (m_cutUnsupported) recipe.cut.beforeUnsupported = true;
}

void RecipeOptions::usePlatform(api::Recipe &recipe) const
{
    if (lower(fs::path(m_platform).extension().string()) == ".json")
        usePlatformFile(recipe, m_platform);
    else if (!m_platform.empty())
        recipe.platform = m_platform;
    if (!m_platform.empty()) recipe.platformParams = nlohmann::json::object(); // those of another platform
    std::set<std::string> given;
    for (const std::string &text : m_platformParams) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0)
            throw badOption("--platform-param", text, "NAME=VALUE such as bits=4");
        const std::string name = text.substr(0, equals), value = text.substr(equals + 1);
        if (!given.insert(name).second) throw badOption("--platform-param", text, "one value of '" + name + "'");
        const auto parsed = nlohmann::json::parse(value, nullptr, false);
        recipe.platformParams[name] = parsed.is_discarded() ? nlohmann::json(value) : parsed;
    }
}

void RecipeOptions::useMetric(api::Recipe &recipe, const LoadedRecipe &loaded) const
{
    if (!m_metric.empty() && metricFile().empty()) {
        const api::StepRequest step = stepOf<MetricEntry>("--metric", m_metric);
        recipe.metric.id = step.id;
        recipe.metric.params = step.params;
    }
    if (!m_labels.empty()) recipe.metric.labels = absolute(m_labels, loaded);
}

static void setCount(api::DataRequest &data, const std::optional<std::int64_t> &count)
{
    if (count) data.samples = *count;
    data.isExplicit = count.has_value();
}

LoadedRecipe RecipeOptions::load() const
{
    LoadedRecipe loaded;
    loaded.fromRecipe = isRecipeFile(m_source);
    api::Recipe &recipe = loaded.recipe;
    if (m_allowCommands) allowPrograms();
    for (const std::string &plugin : m_plugins) loadPlugin(plugin);
    if (loaded.fromRecipe) {
        const api::JsonText text = api::JsonText::parse(readFile(m_source), m_source);
        loaded.file = m_source;
        loaded.base = fs::path(m_source).parent_path();
        if (loaded.base.empty()) loaded.base = ".";
        useRecipePlugins(api::JsonNode(text).value(), loaded.base); // the rest is checked against what they register
        recipe = api::recipeFromJson(text);
        checkSteps(api::JsonNode(text));
        std::erase_if(recipe.plugins, [&](const std::string &file) { return hasMovedPlugin(loaded.base / file); });
    } else {
        recipe.model = m_source;
    }
    for (const std::string &plugin : m_plugins) recipe.plugins.push_back(absolute(plugin, loaded));
    if (!m_weights.empty()) recipe.weights = absolute(m_weights, loaded);
    std::set<std::string> shaped;
    for (const std::string &shape : m_inputShapes)
        if (!shaped.insert(addInputShape(recipe, shape)).second)
            throw badOption("--input-shape", shape, "one shape per input");
    useCutPoints(recipe);
    usePlatform(recipe);
    if (!m_preset.empty())
        applyPresetText(recipe, m_preset, [&](const api::Problem &problem) { loaded.notes.push_back(problem); });
    if (!m_dispatcher.empty()) recipe.dispatcher = m_dispatcher;
    if (!m_calibration.empty()) recipe.calibration.path = absolute(m_calibration, loaded);
    if (api::isGenerated(m_calibration))
        recipe.calibration.samples = std::int64_t(RandomData::parse(m_calibration).samples.value_or(32));
    setCount(recipe.calibration, m_samples);
    if (!m_evaluation.empty()) recipe.evaluation.path = absolute(m_evaluation, loaded);
    setCount(recipe.evaluation, m_evaluationSamples);
    useMetric(recipe, loaded);
    if (!m_preprocess.empty()) recipe.calibration.preprocess = recipe.evaluation.preprocess = m_preprocess;
    for (api::DataRequest *data : {&recipe.calibration, &recipe.evaluation}) {
        if (!m_sampling.empty()) data->sampling = m_sampling == "first" ? api::Sampling::First : api::Sampling::Even;
        if (m_seed) data->seed = *m_seed;
    }
    for (const api::DataRequest *data : {&recipe.calibration, &recipe.evaluation}) Preprocess{data->preprocess};
    if (!m_device.empty()) recipe.device = m_device;
    if (m_threads) recipe.threads = *m_threads;
    if (m_analyses) {
        recipe.analyses.clear();
        for (const std::string &id : split(*m_analyses, ','))
            if (const std::string name(trim(id)); !name.empty() && name != "none")
                recipe.analyses.push_back(stepOf<AnalyserEntry>("--analyse", name));
    }
    if (!m_observer.empty()) {
        Registry<ObserverEntry>::instance().at(m_observer, QL_TEXT("observer"));
        setRecipeField(recipe, "passes." + passThatWrites(PassAspect::ActivationScales) + ".observer", m_observer);
    }
    for (const std::string &text : m_settings) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0)
            throw badOption("--set", text, "PATH=VALUE such as calibration.samples=64");
        setRecipeField(recipe, text.substr(0, equals), text.substr(equals + 1));
    }
    // After --set, so that exports=[] removes the recipe's own files but not these
    for (const std::string &text : m_exports) {
        const std::size_t colon = text.find(':');
        if (colon == std::string::npos || colon == 0 || colon + 1 == text.size())
            throw badOption("--export", text, "FORMAT:PATH such as onnx_qdq:model_int8.onnx");
        api::StepRequest step;
        step.id = text.substr(0, colon);
        step.path = absolute(text.substr(colon + 1), loaded);
        recipe.exports.push_back(step);
    }
    for (api::StepRequest &step : recipe.exports) {
        const ExporterEntry *entry = Registry<ExporterEntry>::instance().find(step.id);
        for (const auto &[isSet, param] : {std::pair{m_exportUncalibrated, "uncalibrated"},
                                           {m_exportFixedShapes, "fixed_shapes"},
                                           {m_exportForeign, "foreign_operators"}})
            if (isSet && entry && api::hasParam(entry->info, param)) step.params[param] = true;
    }
    return loaded;
}

} // namespace ql::cli
