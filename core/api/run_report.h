#pragma once

#include "core/api/distribution.h"
#include "core/api/inspection.h"
#include "core/api/noise.h"
#include "core/api/problem.h"
#include "core/api/recipe.h"
#include "core/api/report.h"
#include "core/api/training.h"

/// The report of a run as a whole: "quantloupe-report/1".
namespace ql::api {

inline constexpr const char *reportSchema = "quantloupe-report/1";

/// The "schema" of a document; empty if it has none.
std::string schemaOf(const nlohmann::json &document);

/// The results of analyses: each sets its own members, the others stay unset.
struct Measures
{
    std::optional<std::vector<ErrorRow>> graphwise, layerwise;
    std::optional<std::vector<OutputRow>> outputs;
    std::optional<Ranges> ranges;
    std::optional<std::vector<DistributionRow>> statistics, parameters, variables;
    std::optional<std::vector<DetailRow>> details;
    std::optional<std::vector<NoiseRow>> noise; ///< the worst first
    std::optional<Explanation> explanation;

    /// Replaces the members that are set in other.
    void update(Measures other);
};

/// A row of "passes".
struct PassRow
{
    std::string id;
    int changed = 0; ///< slots or operations
    double seconds = 0;
    std::vector<TrainedBlock> blocks = {}; ///< of a pass that trains
};

/// A row of "stages".
struct StageRow
{
    std::string id;
    std::string key; ///< hash of everything it depends on
    bool cached = false;
    double seconds = 0;
};

/// A row of "exports".
struct ExportRow
{
    struct File
    {
        std::string path, sha256;
    };
    std::string format;
    std::vector<File> files;
    std::vector<Text> notes;
};

/// The report without its large lists.
struct ReportSummary
{
    Tool tool;
    ModelFacts model;
    std::string inputsKey; ///< of the content of files and definitions that results depend on
    Recipe recipe;         ///< complete
    Measures measures;     ///< after reading, graphwise, layerwise and outputs are set, even if empty
    std::vector<PassRow> passes;
    std::vector<StageRow> stages;
    std::vector<ExportRow> exports;
    std::vector<Problem> problems;
    double seconds = 0, peakRssMib = 0;
};

struct Report : ReportSummary
{
    std::vector<OperationRow> operations; ///< in execution order
    std::vector<ConfigRow> configs;       ///< of every slot that has one, in execution order
};

/// The small part of a report that is embedded in its HTML for scripts; never read.
struct EmbeddedReport
{
    const Report &report;
    std::string recipeHash;
};
void to_json(nlohmann::json &written, const EmbeddedReport &data);

QL_HAS_JSON(Measures)
QL_HAS_JSON(PassRow)
QL_HAS_JSON(ReportSummary)
QL_HAS_JSON(Report)

} // namespace ql::api
