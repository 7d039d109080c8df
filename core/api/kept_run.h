#pragma once

#include "core/api/problem.h"
#include "core/api/recipe.h"
#include "core/api/run_report.h"

/// The runs that a window stores on disk, and its edits that are not saved yet.
namespace ql::api {

/// A run without its configs, which are large.
struct KeptRun
{
    std::string document; ///< path of the recipe or model
    Recipe recipe;        ///< as the user had it
    Recipe complete;      ///< as run
    std::string hash;     ///< of the parts of the recipe that results depend on
    std::string inputsKey;
    std::vector<OutputRow> graphwise, layerwise, outputs;
    std::vector<PassRow> passes;
    std::vector<Problem> problems;
    double seconds = 0, peakRssMib = 0;
    std::size_t configs = 0; ///< number of rows in KeptConfigs
};

struct KeptConfigs
{
    std::vector<ConfigRow> rows;
};

/// The user's name and note for a run.
struct KeptNote
{
    std::string name, note;
    std::string time; ///< ISO 8601
};

/// The problems that an analysis found after a run.
struct KeptEvidence
{
    std::vector<Problem> problems;
};

/// Common to all runs of a document.
struct KeptRuns
{
    std::string baseline; ///< file of a run; empty: none
};

/// An edited recipe that is not saved.
struct KeptEdit
{
    std::string file, folder; ///< file: empty if never saved
    nlohmann::json recipe;    ///< not parsed: another version may have written it
};

QL_HAS_JSON(KeptRun)
QL_HAS_JSON(KeptConfigs)
QL_HAS_JSON(KeptNote)
QL_HAS_JSON(KeptEvidence)
QL_HAS_JSON(KeptRuns)
QL_HAS_JSON(KeptEdit)

} // namespace ql::api
