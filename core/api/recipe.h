#pragma once

#include "core/api/json_text.h"
#include "core/api/rule.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ql::api {

inline constexpr const char *recipeFormat = "quantloupe-recipe/1";

/// Which samples are used where there are more than asked for.
enum class Sampling {
    Even, ///< drawn with a seed, one from each of as many equal parts of the data
    First ///< the first ones
};
const char *toString(Sampling sampling); ///< even, first

/// Where samples come from and how they are prepared.
struct DataRequest
{
    std::string path;         ///< empty: none (evaluation: the calibration data)
    std::int64_t samples = 0; ///< at most this many
    std::string preprocess;   ///< "rgb; resize 256 short; crop 224; ..."; empty: as it is
    Sampling sampling = Sampling::Even;
    std::int64_t seed = 0; ///< of Sampling::Even

    friend bool operator==(const DataRequest &, const DataRequest &) = default;
};

/// What is not given stays as in data. @throws Error (BadConfig) with line and path of what is wrong.
DataRequest dataFromJson(const JsonNode &node, DataRequest data);
nlohmann::json toJson(const DataRequest &data);

/// A pass, analysis or export with its parameters; what is not given has its default.
struct StepRequest
{
    std::string id;
    bool enabled = true; ///< passes only
    std::string path;    ///< exports only: the file to write
    nlohmann::json params = nlohmann::json::object();

    friend bool operator==(const StepRequest &, const StepRequest &) = default;
};

/// What a list of steps is, which decides how one is written. Pass: {"id", "enabled", "params"}; Analysis: {"id",
/// "params"}; both also as the id alone. Export: {"format", "path", "params"}.
enum class StepKind { Pass, Analysis, Export };
/// @throws Error (BadConfig) with line and path of what is wrong.
std::vector<StepRequest> stepsFromJson(const JsonNode &list, StepKind kind);
StepRequest stepFromJson(const JsonNode &node, StepKind kind);
nlohmann::json toJson(const std::vector<StepRequest> &steps, StepKind kind);
nlohmann::json toJson(const StepRequest &step, StepKind kind);

/// The document that the user edits and a run is a function of. Relative paths are relative to the recipe's own file.
struct Recipe
{
    std::string model;   ///< path of the model file
    std::string weights; ///< path of the weights, for formats that keep them apart
    std::string sha256;  ///< of the model file; when given, another file is refused
    std::map<std::string, std::vector<std::int64_t>> inputShapes; ///< by graph input, -1 keeps a dimension
    DataRequest calibration{"", 32, ""};
    DataRequest evaluation{"", 8, ""};
    std::string platform = "TRT_INT8";
    std::string dispatcher;                         ///< empty: the platform's
    std::vector<Rule> dispatch;                     ///< where operations run otherwise than the dispatcher says
    std::optional<std::vector<StepRequest>> passes; ///< unset: the platform's
    std::vector<Rule> overrides;                    ///< how tensors are quantized otherwise than the platform says
    std::vector<StepRequest> analyses{{"graphwise", true, "", nlohmann::json::object()},
                                      {"layerwise", true, "", nlohmann::json::object()}};
    std::vector<StepRequest> exports;
    std::string device = "cpu";
    std::int64_t threads = 0; ///< 0: OMP_NUM_THREADS where it is set, else as many as cores

    friend bool operator==(const Recipe &, const Recipe &) = default;
};

/// @throws Error (BadConfig) with file, line and path: unknown key (with the nearest known one), wrong type, value out
/// of range, another format version.
Recipe recipeFromJson(const JsonText &text);
/// Every field, defaults spelled out; reading it back gives an equal recipe.
nlohmann::json toJson(const Recipe &recipe);

/// What errors are measured on: recipe.evaluation, with path and, unless it has its own, preprocessing of the
/// calibration data when it names no path.
DataRequest evaluationData(const Recipe &recipe);

/// SHA-256 of toJson(): equal for recipes that mean the same, however their files are written.
std::string recipeHash(const Recipe &recipe);

/// An absolute path as it is written in a recipe of folder: relative to that, unless it takes more than three steps up
/// or goes through the root.
std::filesystem::path pathFrom(const std::filesystem::path &path, std::filesystem::path folder);
/// The recipe with the paths that are relative to base written for folder, as pathFrom() does.
Recipe movedTo(Recipe recipe, const std::filesystem::path &base, const std::filesystem::path &folder);

/// The recipe with one field changed. path: keys and list positions with dots ("calibration.samples",
/// "exports.0.path"); entries of passes, analyses and exports also by id, where a parameter may be named directly
/// ("passes.calibrate.observer"). value: JSON, or text that is no JSON as a string.
/// @throws Error (BadConfig) naming the nearest known key.
Recipe withField(const Recipe &recipe, const std::string &path, const std::string &value);

} // namespace ql::api
