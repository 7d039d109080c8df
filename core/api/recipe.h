#pragma once

#include "core/api/json_pair.h"
#include "core/api/json_text.h"
#include "core/api/platform.h"
#include "core/api/rule.h"
#include "core/api/step.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ql::api {

inline constexpr const char *recipeFormat = "quantloupe-recipe/1";

/// Which samples are used if there are more than requested.
enum class Sampling {
    Even, ///< drawn with a seed, one from each of as many equal parts of the data
    First ///< the first ones
};
const char *toString(Sampling sampling); ///< even, first
QL_HAS_JSON(Sampling)

/// The source of samples and their preprocessing.
struct DataRequest
{
    std::string path;         ///< empty: none (evaluation: the calibration data)
    std::int64_t samples = 0; ///< maximum number
    std::string preprocess;   ///< "rgb; resize 256 short; crop 224; ..."; empty: unchanged
    Sampling sampling = Sampling::Even;
    std::int64_t seed = 0;   ///< of Sampling::Even
    bool isExplicit = false; ///< the user asked for this number now, although it is the default; not in the document

    friend bool operator==(const DataRequest &, const DataRequest &) = default;
};

/// How the outputs are judged by the labels of the evaluation data (core/metric/metric.h).
struct MetricRequest
{
    std::string id;     ///< of a built-in metric; empty: top-1, if the data has classes
    std::string labels; ///< path: a file or folder, depending on the metric; empty: it needs none
    nlohmann::json params = nlohmann::json::object();

    friend bool operator==(const MetricRequest &, const MetricRequest &) = default;
};
/// @throws Error (BadConfig) with line and path of the mistake.
MetricRequest metricFromJson(const JsonNode &node);
nlohmann::json toJson(const MetricRequest &metric);

/// Omitted members stay as in data. @throws Error (BadConfig) with line and path of the mistake.
DataRequest dataFromJson(const JsonNode &node, DataRequest data);
nlohmann::json toJson(const DataRequest &data);

/// Where the network is cut before anything else is done with it: the operations before its inputs and after its
/// outputs are left out.
struct CutPoints
{
    std::vector<std::string> inputs;  ///< tensors that become graph inputs; empty: the model's
    std::vector<std::string> outputs; ///< tensors that become the graph outputs; empty: the model's
    bool beforeUnsupported = false;   ///< end before the first operations that cannot be executed

    bool empty() const { return inputs.empty() && outputs.empty() && !beforeUnsupported; }
    friend bool operator==(const CutPoints &, const CutPoints &) = default;
};
nlohmann::json toJson(const CutPoints &cut);

/// The document that the user edits and that determines a run. Relative paths are relative to the recipe's own file.
struct Recipe
{
    std::vector<std::string> plugins; ///< paths of shared libraries, loaded first (core/base/plugin.h)
    std::string model;                ///< path of the model file
    std::string weights;              ///< path of the weights, for formats with a separate weights file
    std::string sha256;               ///< of the model file; if given, a file with another hash is refused
    std::map<std::string, std::vector<std::int64_t>> inputShapes; ///< by graph input, -1 keeps a dimension
    CutPoints cut;
    DataRequest calibration{"", 32, ""};
    DataRequest evaluation{"", 8, ""};
    MetricRequest metric;
    std::vector<std::string> runtimeCommand; ///< a program of the user that runs exported files (verify); empty: none
    std::string platform = "TRT_INT8";
    nlohmann::json platformParams = nlohmann::json::object(); ///< of the platform; omitted ones have their defaults
    std::vector<PlatformFile> platforms; ///< definitions that the recipe carries, for machines without their files
    std::string dispatcher;              ///< empty: the platform's
    std::vector<Rule> dispatch;          ///< operations that run on another platform than the dispatcher chooses
    std::optional<std::vector<StepRequest>> passes; ///< unset: the platform's
    std::vector<Rule> overrides; ///< tensors that are quantized differently from the platform's rules
    std::vector<StepRequest> analyses{{"graphwise", true, "", nlohmann::json::object()},
                                      {"layerwise", true, "", nlohmann::json::object()}};
    std::vector<StepRequest> exports;
    std::string device = "cpu";
    std::int64_t threads = 0; ///< 0: OMP_NUM_THREADS if set, otherwise one per core

    friend bool operator==(const Recipe &, const Recipe &) = default;
};

/// @throws Error (BadConfig) with file, line and path: unknown key (with the nearest known one), wrong type, value out
/// of range, another format version.
Recipe recipeFromJson(const JsonText &text);
/// Every field, with all defaults; reading it back gives an equal recipe.
nlohmann::json toJson(const Recipe &recipe);
QL_HAS_JSON(DataRequest)
QL_HAS_JSON(Recipe)

/// The evaluation data: recipe.evaluation; if it has no path, with path and, unless it has its own, preprocessing of
/// the calibration data.
DataRequest evaluationData(const Recipe &recipe);

/// SHA-256 of toJson(): equal for equivalent recipes, however their files are written.
std::string recipeHash(const Recipe &recipe);

/// Whether both give the same graph, with the same dispatch and configs before calibration, for the same data. Assumes
/// that a field matters unless it is known not to: the data, analyses, exports, the metric, device and threads.
bool sameGraph(const Recipe &a, const Recipe &b);

/// An absolute path as written in a recipe in folder: relative to it, unless it takes more than three steps up or goes
/// through the root.
std::filesystem::path pathFrom(const std::filesystem::path &path, std::filesystem::path folder);
/// The recipe with the paths that are relative to base rewritten for folder, as by pathFrom().
Recipe movedTo(Recipe recipe, const std::filesystem::path &base, const std::filesystem::path &folder);

/// The recipe with one field changed. path: keys and list positions with dots ("calibration.samples",
/// "exports.0.path"); entries of passes, analyses and exports also by id, where a parameter may be named directly
/// ("passes.calibrate.observer"). value: JSON, or other text as a string.
/// @throws Error (BadConfig) naming the nearest known key.
Recipe withField(const Recipe &recipe, const std::string &path, const std::string &value);

} // namespace ql::api
