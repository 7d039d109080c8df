#include "core/tune/front.h"

#include <algorithm>
#include <limits>

namespace ql {

std::vector<std::int64_t> paretoFront(const std::vector<api::TuneTrial> &trials)
{
    std::vector<const api::TuneTrial *> sorted;
    for (const api::TuneTrial &trial : trials)
        if (trial.cost) sorted.push_back(&trial);
    const auto error = [](const api::TuneTrial &trial) { return trial.search.error(); };
    std::stable_sort(sorted.begin(), sorted.end(), [&](const api::TuneTrial *a, const api::TuneTrial *b) {
        const auto cost = [](const api::TuneCost &c) { return c.time.value_or(c.macBits); };
        if (cost(*a->cost) != cost(*b->cost)) return cost(*a->cost) < cost(*b->cost);
        return error(*a) < error(*b);
    });
    std::vector<std::int64_t> front;
    double best = std::numeric_limits<double>::infinity();
    for (const api::TuneTrial *trial : sorted) {
        if (!(error(*trial) < best)) continue;
        best = error(*trial);
        front.push_back(trial->id);
    }
    return front;
}

} // namespace ql
