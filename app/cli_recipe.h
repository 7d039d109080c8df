#pragma once

#include "core/api/recipe.h"
#include "core/base/error.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ql::cli {

/// A file for HTML: refuses one named .json, which is for --json.
CLI::Validator htmlFile();
/// A file that SOURCE recognizes as a recipe, or "-".
CLI::Validator recipeFile();
/// Values from low to high, with a readable message; CLI11's own checks print the limits of the type, and in the help.
CLI::Validator integerInRange(std::int64_t low, std::int64_t high = INT64_MAX);
CLI::Validator numberInRange(double low, double high);

/// A recipe and the folder that its relative paths start from.
struct LoadedRecipe
{
    api::Recipe recipe;
    std::filesystem::path base = ".";
    bool fromRecipe = false;         ///< SOURCE was a recipe, not a model
    std::string file;                ///< the recipe's; empty when SOURCE was a model
    std::vector<api::Problem> notes; ///< on the options

    /// All files that are read: the recipe, the model with its files, data. A folder includes its contents.
    std::vector<std::filesystem::path> inputs() const;
};

/// The options that create or change a recipe. The command line overrides the recipe file.
class RecipeOptions
{
public:
    void addSource(CLI::App &command);     ///< SOURCE, --weights, --input-shape, --inputs, --outputs, --set ...
    void addAgainst(CLI::App &command);    ///< --against RECIPE, --set
    void addTarget(CLI::App &command);     ///< --platform, --platform-param, --preset, --dispatcher
    void addDevice(CLI::App &command);     ///< --device, --threads
    void addData(CLI::App &command);       ///< --calib, --samples, --sampling, --seed, --preprocess, --observer
    void addEvaluation(CLI::App &command); ///< --eval, --eval-samples
    void addResults(CLI::App &command);    ///< those, --analyse, --export

    /// @throws Error (BadConfig, Io) naming the option or the place in the recipe
    LoadedRecipe load() const;
    /// --preprocess as given on the command line; empty if omitted.
    const std::string &givenPreprocess() const { return m_preprocess; }
    /// --allow-commands: files that the user names may start programs.
    /// --metric FILE.json: a program of the user; empty: none.
    std::string metricFile() const;

private:
    void usePlatform(api::Recipe &recipe) const;
    void useMetric(api::Recipe &recipe, const LoadedRecipe &loaded) const;
    void useCutPoints(api::Recipe &recipe) const;
    void addSettings(CLI::App &command);
    std::string absolute(const std::string &path, const LoadedRecipe &loaded) const;

    std::string m_source, m_weights, m_platform, m_dispatcher, m_observer, m_calibration, m_evaluation, m_preprocess,
        m_device, m_metric, m_labels, m_sampling, m_preset, m_inputs, m_outputs;
    std::optional<std::string> m_analyses;
    std::optional<std::int64_t> m_samples, m_evaluationSamples, m_threads, m_seed;
    std::vector<std::string> m_inputShapes, m_settings, m_exports, m_platformParams, m_plugins;
    bool m_allowCommands = false, m_exportUncalibrated = false, m_exportFixedShapes = false, m_exportForeign = false,
         m_cutUnsupported = false;
};

/// Runs work; an error about an operation or tensor that names no file gets the model's.
template <class Work>
auto aboutModel(const LoadedRecipe &loaded, Work &&work)
{
    try {
        return work();
    } catch (Error &error) {
        if (error.file.empty() && !(error.op.empty() && error.variable.empty()))
            error.file = (loaded.base / loaded.recipe.model).lexically_normal().string();
        throw;
    }
}

} // namespace ql::cli
