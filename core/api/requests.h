#pragma once

#include "core/api/catalogue.h"
#include "core/api/distribution.h"
#include "core/api/inspection.h"
#include "core/api/preview.h"
#include "core/api/problem.h"
#include "core/api/recipe.h"
#include "core/api/run_report.h"

/// What a window asks and the engine answers, by method (methods.h).
namespace ql::api {

/// About what the engine has.
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
    DataRequest data;       ///< path, samples, preprocessing: need not be the recipe's own
    std::size_t sample = 0; ///< number of the sample; beyond the last one it is the last one
    std::size_t input = 0;  ///< of the graph's inputs; beyond the last one it is the last one
};

/// A platform as the user has written it.
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
    std::string replaces; ///< id of the own platform that it was before; empty: it is new
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
    std::vector<DistributionRow> rows;       ///< of its inputs and outputs, where there are data
    std::vector<DistributionRow> parameters; ///< of its weights, where there are none
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

/// Without writing.
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
};

/// How far a run goes.
enum class Goal {
    Calibrate, ///< no analyses and exports
    Analyse,   ///< no exports
    All
};

struct RunRequest : RecipeRequest
{
    Goal goal = Goal::All;
};
/// What a run has found so far, as it comes: what is set.
struct RunPart
{
    std::optional<Inspection> graph; ///< of the graph that is quantized
    std::optional<ShortConfigs> configs;
    std::optional<std::vector<PassRow>> passes;
    std::optional<Measures> measures; ///< of one analysis
};
struct RunAnswer
{
    ReportSummary report; ///< operations and configs came as parts
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
/// What a pass did. The first row, with an empty id, is the configured model before any of them.
struct PassHistoryRow
{
    struct ChangedSlot
    {
        std::string role;
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
    std::optional<std::vector<OutputRow>> outputs; ///< with what is quantized so far; unset while nothing is
};
struct PassHistory
{
    std::vector<PassHistoryRow> passes;
};

/// Writes the HTML report.
struct ReportRequest : RecipeRequest
{
    std::string path;
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
