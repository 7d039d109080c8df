#pragma once

#include "core/api/run_report.h"
#include "core/session/cache.h"
#include "core/train/trainer.h"

#include <exception>
#include <optional>
#include <string>
#include <vector>

/// The entries of the stage cache, as CBOR.
namespace ql {

/// Of an analysis.
struct KeptAnalysis
{
    api::Measures result;
    std::vector<api::Problem> problems;
};

/// Of a quantization pass: the plan after it, its row of the report, and its problems.
struct KeptPass
{
    nlohmann::json plan; ///< a binary value, the CBOR of planToJson(): a tree of a large plan takes long to copy
    api::PassRow pass;
    std::vector<api::Problem> problems;
};

/// Of a training pass that was stopped: TrainingState, with plans like those of KeptPass, and its problems so far.
struct KeptTraining
{
    std::size_t next = 0;
    nlohmann::json plan, best;
    TrainingResult result, ofBest;
    std::vector<api::Problem> problems;
};

/// Known facts about the values of some data.
struct KeptValues
{
    std::size_t examined = 0; ///< batches
    std::vector<api::Problem> problems;
};

QL_HAS_JSON(KeptAnalysis)
QL_HAS_JSON(KeptPass)
QL_HAS_JSON(TrainingResult)
QL_HAS_JSON(KeptTraining)
QL_HAS_JSON(KeptValues)

/// @param cache may be null. @returns nothing for an entry that is damaged or of another version
template <class Entry>
std::optional<Entry> recall(StageCache *cache, const std::string &key)
{
    const auto bytes = cache ? cache->get(key) : std::nullopt;
    if (!bytes) return std::nullopt;
    try {
        return nlohmann::json::from_cbor(*bytes).get<Entry>();
    } catch (const std::exception &) {
        return std::nullopt;
    }
}

template <class Entry>
void remember(StageCache *cache, const std::string &key, const Entry &entry)
{
    if (!cache) return;
    std::string bytes;
    nlohmann::json::to_cbor(entry, nlohmann::detail::output_adapter<char>(bytes));
    cache->put(key, bytes);
}

} // namespace ql
