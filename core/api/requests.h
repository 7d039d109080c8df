#pragma once

#include "core/api/catalogue.h"
#include "core/api/distribution.h"
#include "core/api/inspection.h"
#include "core/api/preview.h"
#include "core/api/problem.h"
#include "core/api/recipe.h"
#include "core/api/run_report.h"
#include "core/api/written_operation.h"

/// The requests of a window and the answers of the engine, by method (methods.h).
namespace ql::api {

/// For the engine's catalogue.
struct CatalogueRequest
{};

/// About a recipe; base: folder of its relative paths.
struct RecipeRequest
{
    Recipe recipe;
    std::string base = ".";
};

struct PreviewRequest : RecipeRequest
{
    DataRequest data;       ///< path, samples, preprocessing: may differ from the recipe's own
    std::size_t sample = 0; ///< index of the sample, limited to the last one
    std::size_t input = 0;  ///< index of the graph input, limited to the last one
};

/// A platform as written by the user.
struct PlatformCheckRequest
{
    std::string text;
};
struct PlatformChecked
{
    PlatformDefinition definition; ///< nothing inherited
};

struct PlatformSaveRequest
{
    std::string text;
    std::string replaces; ///< previous id of the user platform; empty: it is new
};
struct PlatformSaved
{
    std::string file, id;
    Catalogue catalogue;
};

struct PlatformRemoveRequest
{
    std::string id;
};
struct PlatformRemoved
{
    std::string id;
    Catalogue catalogue;
};

struct DistributionRequest : RecipeRequest
{
    std::string op;
};
struct Distributions
{
    std::string op;
    std::vector<DistributionRow> rows;       ///< of its inputs and outputs, if there is data
    std::vector<DistributionRow> parameters; ///< of its weights, if there is no data
    std::vector<DetailRow> details;
};

struct ExportRequest : RecipeRequest
{
    std::string format, path;
    nlohmann::json params = nlohmann::json::object();
};
struct Exported
{
    struct File
    {
        std::string path;
        std::uintmax_t bytes = 0;
    };
    std::string format;
    std::vector<File> files;
    std::vector<Text> notes;
    std::vector<Problem> problems;
};

/// For a preview: nothing is written.
struct ExportPreviewRequest : ExportRequest
{};
struct ExportPreview
{
    struct File
    {
        std::string name;
        std::uintmax_t bytes = 0;
        bool exists = false;
        std::string text; ///< the beginning of a text file
    };
    std::string format;
    std::vector<File> files;
    std::vector<Text> notes;
    std::vector<Problem> problems;
    std::vector<WrittenOperation> operations = {}; ///< of the model in the file; empty if the format has none
};

/// The extent of a run.
enum class Goal {
    Calibrate, ///< no analyses and exports
    Analyse,   ///< no exports
    All
};

struct RunRequest : RecipeRequest
{
    Goal goal = Goal::All;
};
/// A part of a run's results, sent as soon as it is available; all other members are unset.
struct RunPart
{
    std::optional<Inspection> graph; ///< of the graph that is quantized
    std::optional<ShortConfigs> configs;
    std::optional<std::vector<PassRow>> passes;
    std::optional<Measures> measures; ///< of one analysis
    std::optional<TrainingEvent> training;
};
struct RunAnswer
{
    ReportSummary report; ///< operations and configs are sent as parts
    Recipe recipe;        ///< complete
};

struct AnalysisRequest : RecipeRequest
{
    std::string id;
    nlohmann::json params = nlohmann::json::object();
};
struct AnalysisAnswer
{
    Measures measures;
    std::vector<Problem> problems; ///< that follow from them
};

/// The passes of a recipe one by one.
struct PassesRequest : RecipeRequest
{};
/// The changes of a pass. The first row, with an empty id, is the configured model before any pass.
struct PassHistoryRow
{
    struct ChangedSlot
    {
        SlotRole role = SlotRole::Input;
        int index = 0;
        std::string variable;
        std::vector<std::string> fields; ///< of the config that changed; "values" of a parameter
    };
    struct ChangedOperation
    {
        std::string op;
        std::vector<ChangedSlot> slots;
    };
    std::string id, key; ///< key: of everything that the model depends on
    int changed = 0;
    double seconds = 0;
    std::vector<ChangedOperation> operations;
    std::optional<std::vector<OutputRow>> outputs; ///< with the model quantized so far; unset before that
};
struct PassHistory
{
    std::vector<PassHistoryRow> passes;
};

/// Writes the HTML report.
struct ReportRequest : RecipeRequest
{
    std::string path;
    std::string language; ///< a locale such as "zh_CN"; English if there is no translation
};

QL_HAS_JSON(CatalogueRequest)
QL_HAS_JSON(RecipeRequest)
QL_HAS_JSON(PreviewRequest)
QL_HAS_JSON(PlatformCheckRequest)
QL_HAS_JSON(PlatformChecked)
QL_HAS_JSON(PlatformSaveRequest)
QL_HAS_JSON(PlatformSaved)
QL_HAS_JSON(PlatformRemoveRequest)
QL_HAS_JSON(PlatformRemoved)
QL_HAS_JSON(DistributionRequest)
QL_HAS_JSON(Distributions)
QL_HAS_JSON(ExportRequest)
QL_HAS_JSON(Exported)
QL_HAS_JSON(ExportPreviewRequest)
QL_HAS_JSON(ExportPreview)
QL_HAS_JSON(Goal)
QL_HAS_JSON(RunRequest)
QL_HAS_JSON(RunPart)
QL_HAS_JSON(RunAnswer)
QL_HAS_JSON(AnalysisRequest)
QL_HAS_JSON(AnalysisAnswer)
QL_HAS_JSON(PassesRequest)
QL_HAS_JSON(PassHistory)
QL_HAS_JSON(ReportRequest)

} // namespace ql::api
