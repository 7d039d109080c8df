#pragma once

#include "core/api/problem.h"
#include "core/api/run_report.h"
#include "core/ir/graph.h"
#include "core/quant/quant_plan.h"
#include "core/session/cache.h"
#include "core/train/trainer.h"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// Results of quantization passes in the stage cache.
namespace ql {

struct CachedPass
{
    QuantPlan plan;
    api::PassRow row;
    std::vector<api::Problem> problems;
};

/// @param cache may be null. @returns nothing for an entry that does not fit the graph
std::optional<CachedPass> recallPass(const Graph &graph, StageCache *cache, const std::string &key);
/// @param cache may be null
void rememberPass(StageCache *cache, const std::string &key, const CachedPass &pass);

/// What a training pass has reached between its blocks: a run that is stopped continues there when it is repeated.
class UnfinishedTraining
{
public:
    /// @param cache may be null. @param key of the pass
    UnfinishedTraining(StageCache *cache, const std::string &key, const Graph &graph);
    /// Of an earlier run; nullptr: none.
    const TrainingState *start() const { return m_start ? &*m_start : nullptr; }
    /// Of the pass in that run.
    const std::vector<api::Problem> &problems() const { return m_problems; }
    /// Writes a state, unless that would take more than a small part of the time of training.
    void keep(const TrainingState &state, const std::vector<api::Problem> &problems);
    /// The pass has ended.
    void forget();

private:
    using Clock = std::chrono::steady_clock;

    StageCache *m_cache;
    std::string m_key;
    std::optional<TrainingState> m_start;
    std::vector<api::Problem> m_problems;
    bool m_isKept = false;
    Clock::time_point m_last = Clock::now();
    Clock::duration m_cost{0};
};

} // namespace ql
