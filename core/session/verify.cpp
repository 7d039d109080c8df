#include "core/session/verify.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/scratch_folder.h"
#include "core/base/strings.h"
#include "core/exec/threads.h"
#include "core/export/exporter.h"
#include "core/io/model_file.h"
#include "core/pass/slots.h"
#include "core/session/cache.h"
#include "core/session/prepare.h"
#include "core/session/run_checks.h"
#include "core/verify/verify.h"

#include <ATen/ops/equal.h>

#include <algorithm>
#include <map>

namespace ql {

namespace {

/// How the elements of a parameter differ from those that the recipe exports; nothing if they do not, or if another
/// option of the format gave it another type.
std::optional<Text> difference(const std::string &name, const at::Tensor &expected, const at::Tensor &given)
{
    if (given.scalar_type() != expected.scalar_type() || given.sizes() != expected.sizes() ||
        at::equal(given, expected))
        return {};
    if (given.numel() == 1)
        return QL_TEXT("'%1' is %2 in the file and %3 in the recipe")
            .with(name, Text::number(given.item().toDouble(), 6), Text::number(expected.item().toDouble(), 6));
    return QL_TEXT("%2 of %3 elements of '%1' differ from the recipe's")
        .with(name, given.ne(expected).sum().item().toLong(), given.numel());
}

/// Parameters of the file that are not those of a file that the recipe exports in this format.
struct Differences
{
    std::string format;
    std::size_t all = 0;                 ///< parameters of the exported file
    std::vector<std::string> names;      ///< of those that are missing or differ
    std::map<std::string, Text> changed; ///< those with other elements
};

/// Nothing if the recipe exports no such file.
std::optional<Differences> differencesFrom(const RunState &state, const std::string &format,
                                           const ModelFileEntry &reader, const std::filesystem::path &file)
{
    const ScratchFolder scratch;
    const std::filesystem::path fresh = scratch.path() / file.filename();
    try {
        exportModel(format, state.model, fresh,
                    api::defaultParams(Registry<ExporterEntry>::instance().find(format)->info.params),
                    [](const api::Problem &) {});
    } catch (const Error &) {
        return {}; // the file has another format
    }
    const auto expected = reader.parameters(fresh), given = reader.parameters(file);
    Differences found{format, expected.size(), {}, {}};
    for (const auto &[name, value] : expected) {
        const auto other = given.find(name);
        if (other != given.end() && other->second.scalar_type() == value.scalar_type() &&
            at::equal(other->second, value))
            continue;
        found.names.push_back(name);
        if (other == given.end()) continue;
        if (const std::optional<Text> text = difference(name, value, other->second)) found.changed.emplace(name, *text);
    }
    return found;
}

/// The file was changed by hand, or exported from another recipe. The format is the one with the fewest differences
/// among those of the platform.
Differences changedParameters(const RunState &state, const std::filesystem::path &file)
{
    const std::string ending = lower(file.extension().string());
    const ModelFileEntry *reader = Registry<ModelFileEntry>::instance().find(ending);
    if (!reader) return {};
    std::optional<Differences> fewest;
    for (const std::string &id : state.platform().exporters) {
        const ExporterEntry *entry = Registry<ExporterEntry>::instance().find(id);
        if (!entry || entry->extensions.empty() || entry->extensions.front() != ending) continue;
        auto found = differencesFrom(state, id, *reader, file);
        if (!found || (fewest && fewest->names.size() <= found->names.size())) continue;
        fewest = std::move(found);
        if (fewest->names.empty()) break;
    }
    return fewest.value_or(Differences());
}

/// Tensors are rounded to static scales, and the simulator computes in floats between them.
bool roundsBetweenFloats(const QuantModel &model)
{
    if (!model.plan.integerOps.empty()) return false;
    const auto &configs = model.plan.configs();
    return std::any_of(configs.begin(), configs.end(), [&](const auto &entry) {
        const TensorQuantConfig *config = model.plan.simulated(entry.first);
        return config && !config->dynamic && !isParameterSlot(model.graph, entry.first);
    });
}

} // namespace

RuntimePlace runtimePlace(const std::filesystem::path &python)
{
    RuntimePlace place;
    // It is started in another folder; a name without a folder is searched in PATH
    place.python = python.has_parent_path() ? std::filesystem::absolute(python) : python;
    place.cache = StageCache::defaultFolder();
    return place;
}

std::vector<api::RuntimeItem> findRuntimes(const RuntimePlace &place, const JobContext &job)
{
    const auto &registry = Registry<RuntimeEntry>::instance();
    const std::vector<std::string> ids = registry.ids();
    std::vector<api::RuntimeItem> items;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        job.checkpoint(double(i) / double(ids.size()), QL_TEXT("search %1").with(ids[i]));
        items.push_back(registry.find(ids[i])->find(place, job));
    }
    return items;
}

api::RuntimeItem installRuntime(const std::string &id, const RuntimePlace &place, const JobContext &job)
{
    const RuntimeEntry &entry = Registry<RuntimeEntry>::instance().at(id, QL_TEXT("runtime"));
    if (!entry.install)
        throw Error(ErrorKind::BadConfig, QL_TEXT("the runtime '%1' cannot be installed from here").with(id));
    entry.install(place, job);
    const api::RuntimeItem item = entry.find(place, job);
    if (!item.found)
        throw Error(ErrorKind::Io,
                    QL_TEXT("the runtime '%1' was installed, but does not start: %2").with(id, item.missing));
    return item;
}

api::VerifyReport verifyExport(const api::Recipe &recipe, const VerifyRequest &request, const RunOptions &options,
                               const JobContext &job)
{
    const bool isRecipes = request.place.command.empty() && !recipe.runtimeCommand.empty() &&
                           (request.runtime.empty() || request.runtime == commandRuntime);
    const std::string id = !request.runtime.empty() ? request.runtime : isRecipes ? commandRuntime : "onnxruntime";
    const RuntimeEntry &runtime = Registry<RuntimeEntry>::instance().at(id, QL_TEXT("runtime"));
    nlohmann::json runtimeOptions =
        api::completeParams(runtime.info.params, request.options, QL_TEXT("runtime '%1'").with(id));
    checkRegularFile(request.file);
    const std::string ending = lower(request.file.extension().string());
    const auto &extensions = runtime.extensions;
    if (!extensions.empty() && std::find(extensions.begin(), extensions.end(), ending) == extensions.end())
        throw Error(ErrorKind::BadConfig, QL_TEXT("the runtime '%1' does not run '%2' files").with(id, ending))
            .inFile(request.file.string())
            .withRemedy(
                QL_TEXT("It runs: %1. `quantloupe-cli runtimes` lists the others.").with(Text::list(extensions)));
    RuntimePlace place = request.place;
    if (isRecipes) {
        if (options.recipeFile.empty() && !place.allowCommands) // there is no file that could be remembered
            throw Error(
                ErrorKind::BadConfig,
                QL_TEXT("the recipe starts a program: %1").with(Text::list(recipe.runtimeCommand, Text::Join::Space)))
                .withFix(Fix::AllowPrograms)
                .withRemedy(QL_TEXT("If you trust it, allow it with %1.").with(Text::option("--allow-commands")));
        place.command =
            options.recipeFile.empty() ? options.base / "recipe" : std::filesystem::path(options.recipeFile);
        place.words = recipe.runtimeCommand;
    }
    const api::RuntimeItem found = runtime.find(place, job.part(0, 0.02));
    if (found.limitReached)
        throw Error(ErrorKind::BadConfig, QL_TEXT("the time limit of %1 s was reached before '%2' had started: %3")
                                              .with(Text::number(place.limits.seconds), id, found.missing))
            .withRemedy(QL_TEXT("Allow more time with %1.").with(Text::option("--time-limit")));
    if (!found.found)
        throw Error(ErrorKind::BadConfig, QL_TEXT("the runtime '%1' was not found (%2)").with(id, found.missing))
            .withRemedy(runtime.install ? QL_TEXT("Run `quantloupe-cli runtimes install %1`, or name an interpreter "
                                                  "that has it with %2 or QUANTLOUPE_PYTHON.")
                                              .with(id, Text::option("--python FILE"))
                                        : Text());
    if (place.python.empty()) place.python = found.place;

    const ThreadScope threads(threadsFor(recipe.threads));
    RunState state = startRun(recipe, options);
    importStages(state, job.part(0.02, 0.05), true);
    refuseUnsupported(state.model.graph);
    if (!state.evaluation)
        throw Error(ErrorKind::BadConfig, QL_TEXT("the recipe names no data: there is nothing to run"))
            .withRemedy(QL_TEXT("Give it calibration or evaluation data."));
    dispatchStage(state);
    configureStages(state, job.part(0.05, 0.1));
    quantizeStages(state, job.part(0.1, 0.3));
    for (nlohmann::json &value : runtimeOptions)
        if (value == automaticOption)
            value = roundsBetweenFloats(state.model) ? runtime.automatic.floats : runtime.automatic.otherwise;
    const Differences differences = changedParameters(state, request.file);
    const VerifyInput input{.model = state.model,
                            .data = *state.evaluation,
                            .exec = state.exec(),
                            .runtime = runtime,
                            .place = place,
                            .options = runtimeOptions,
                            .file = request.file,
                            .within = request.within,
                            .intermediate = request.intermediate,
                            .changedParameters = differences.changed};
    api::VerifyReport report = verifyFile(input, job.part(0.3, 1));
    if (constexpr std::size_t most = 5; !differences.names.empty())
        report.notes.insert(report.notes.begin(),
                            QL_TEXT("The file is not the one that the recipe exports as '%1': %2 of %3 parameters are "
                                    "missing or differ, such as %4.")
                                .with(differences.format, differences.names.size(), differences.all,
                                      Text::firstOf(differences.names, most)));
    return report;
}

} // namespace ql
