#include "core/session/kept_passes.h"

#include "core/io/native.h"
#include "core/session/cache_entries.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace ql {

using nlohmann::json;

static json packed(const QuantPlan &plan)
{
    return json::binary(json::to_cbor(planToJson(plan)));
}

/// @throws std::exception for anything that packed() does not write for such a graph
static QuantPlan unpacked(const json &plan, const Graph &graph)
{
    QuantPlan out = planFromJson(json::from_cbor(plan.get_binary()));
    out.verify(graph);
    return out;
}

std::optional<CachedPass> recallPass(const Graph &graph, StageCache *cache, const std::string &key)
{
    auto entry = recall<KeptPass>(cache, key);
    if (!entry) return std::nullopt;
    try {
        return CachedPass{unpacked(entry->plan, graph), entry->pass, std::move(entry->problems)};
    } catch (const std::exception &) {
        return std::nullopt; // damaged, or of another version: compute again
    }
}

void rememberPass(StageCache *cache, const std::string &key, const CachedPass &pass)
{
    if (cache) remember(cache, key, KeptPass{packed(pass.plan), pass.row, pass.problems});
}

UnfinishedTraining::UnfinishedTraining(StageCache *cache, const std::string &key, const Graph &graph)
    : m_cache(cache), m_key(key + " unfinished")
{
    auto entry = recall<KeptTraining>(cache, m_key);
    if (!entry) return;
    try {
        m_start = TrainingState{entry->next, unpacked(entry->plan, graph), unpacked(entry->best, graph), entry->result,
                                entry->ofBest};
        m_problems = std::move(entry->problems);
        m_isKept = true;
    } catch (const std::exception &) {
        m_start.reset(); // damaged, or of another version: from the start
    }
}

void UnfinishedTraining::keep(const TrainingState &state, const std::vector<api::Problem> &problems)
{
    constexpr int mostlyTraining = 20;
    const auto start = Clock::now();
    if (!m_cache || start - m_last < mostlyTraining * m_cost) return;
    remember(m_cache, m_key,
             KeptTraining{state.next, packed(state.plan), packed(state.best), state.result, state.ofBest, problems});
    m_isKept = true;
    m_last = Clock::now();
    m_cost = m_last - start;
}

void UnfinishedTraining::forget()
{
    if (m_cache && m_isKept) m_cache->put(m_key, {}); // gives the space back
}

} // namespace ql
