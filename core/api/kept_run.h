#pragma once

#include "core/api/problem.h"
#include "core/api/recipe.h"
#include "core/api/run_report.h"

/// What a window keeps of runs on disk, and of edits until they are saved.
namespace ql::api {

/// A run without its configs, which are many.
struct KeptRun
{
    std::string document; ///< path of the recipe or model
    Recipe recipe;        ///< as the user had it
    Recipe complete;      ///< as run
    std::string hash;     ///< of what the recipe says that results depend on
    std::string inputsKey;
    std::vector<OutputRow> graphwise, layerwise, outputs;
    std::vector<PassRow> passes;
    std::vector<Problem> problems;
    double seconds = 0, peakRssMib = 0;
    std::size_t configs = 0; ///< how many rows KeptConfigs has
};

struct KeptConfigs
{
    std::vector<ConfigRow> rows;
};

/// What the user says of a run.
struct KeptNote
{
    std::string name, note;
    std::string time; ///< ISO 8601
};

/// What an analysis found after a run.
struct KeptEvidence
{
    std::vector<Problem> problems;
};

/// Of all runs of a document.
struct KeptRuns
{
    std::string baseline; ///< file of a run; empty: none
};

/// An edited recipe that is not saved.
struct KeptEdit
{
    std::string file, folder; ///< file: empty where it has none yet
    nlohmann::json recipe;    ///< as written: another version may have done so
};

QL_HAS_JSON(KeptRun)
QL_HAS_JSON(KeptConfigs)
QL_HAS_JSON(KeptNote)
QL_HAS_JSON(KeptEvidence)
QL_HAS_JSON(KeptRuns)
QL_HAS_JSON(KeptEdit)

} // namespace ql::api
