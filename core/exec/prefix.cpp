#include "core/exec/prefix.h"

#include "core/exec/kernel.h"
#include "core/ir/op_traits.h"

#include <ATen/ops/equal.h>
#include <algorithm>
#include <map>
#include <set>

namespace ql {

std::map<OpId, std::size_t> placesOf(const Graph &graph)
{
    std::map<OpId, std::size_t> places;
    for (const OpId id : graph.topological()) places.emplace(id, places.size());
    return places;
}

/// Whether a consumer of the tensor may be fused into the kernel that produces it.
static bool isFused(const Graph &graph, const Variable &variable)
{
    return std::any_of(variable.uses.begin(), variable.uses.end(), [&](const Use &use) {
        if (use.op == noOp) return false;
        const Operation &reader = graph.operation(use.op);
        return isLinearActivation(reader) || epilogueOf(reader, {});
    });
}

/// Up to 16 cuts, spread over the graph where few bytes are alive, with at most `bytes` together for one batch. There
/// are no cuts through tensors of unknown size, nor between a layer and a following activation, which may be fused.
/// Results that depend only on parameters are not included: programs fold them.
static std::vector<Cut> cutsOf(const Graph &graph, std::size_t bytes)
{
    constexpr std::size_t most = 16;
    const std::vector<OpId> order = graph.topological();
    const std::map<OpId, std::size_t> placeOf = placesOf(graph);
    struct Alive
    {
        std::size_t lastUse = 0, bytes = 0;
        bool isFused = false;
    };
    std::map<VarId, Alive> alive;
    const auto add = [&](VarId id) {
        const Variable &variable = graph.variable(id);
        Alive tensor{0, variable.type.bytes(), isFused(graph, variable)};
        for (const Use &use : variable.uses)
            if (use.op != noOp) tensor.lastUse = std::max(tensor.lastUse, placeOf.at(use.op));
        alive.emplace(id, tensor);
    };
    struct Best
    {
        Cut cut;
        std::size_t bytes = 0;
    };
    std::map<std::size_t, Best> windows; // the thinnest cut of each section of the graph
    std::set<VarId> constant;
    for (const VarId id : graph.inputs()) add(id);
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
        const Operation &op = graph.operation(order[i]);
        const bool isConstant = std::all_of(op.inputs.begin(), op.inputs.end(), [&](VarId id) {
            return id == noVar || graph.isParameter(id) || constant.contains(id);
        });
        for (const VarId id : op.outputs) {
            if (id == noVar) continue;
            if (isConstant)
                constant.insert(id);
            else
                add(id);
        }
        std::erase_if(alive, [&](const auto &entry) { return entry.second.lastUse <= i; });
        Best here{{i + 1, {}}, 0};
        bool isOpen = alive.empty();
        for (const auto &[id, tensor] : alive) {
            here.cut.alive.push_back(id);
            here.bytes += tensor.bytes;
            isOpen = isOpen || tensor.bytes == 0 || tensor.isFused;
        }
        if (isOpen) continue;
        Best &best = windows[i * most / order.size()];
        if (best.bytes == 0 || here.bytes <= best.bytes) best = std::move(here);
    }
    std::vector<Cut> cuts;
    for (auto &[window, best] : windows) {
        if (best.bytes > bytes) continue;
        bytes -= best.bytes;
        cuts.push_back(std::move(best.cut));
    }
    return cuts;
}

bool isQuantizedAlike(const Graph &graph, const QuantPlan &a, const QuantPlan &b, Slot slot)
{
    const TensorQuantConfig *one = a.find(slot), *other = b.find(slot);
    if (!one || !other) {
        if (one != other) return false;
    } else if (!one->sameScheme(*other) || one->state != other->state || !one->sameObserver(*other) ||
               one->parent != other->parent || a.scale(slot) != b.scale(slot) ||
               a.zeroPoint(slot) != b.zeroPoint(slot)) {
        return false;
    }
    const VarId input = slot.output ? noVar : graph.operation(slot.op).inputs[std::size_t(slot.index)];
    if (input == noVar || !graph.isParameter(input)) return true;
    const at::Tensor &value = a.parameterValue(graph, input), &otherValue = b.parameterValue(graph, input);
    return value.is_same(otherValue) || at::equal(value, otherValue);
}

std::size_t commonPrefix(const Graph &graph, const QuantPlan &a, const QuantPlan &b)
{
    const auto isSame = [&](OpId id) {
        const std::vector<Slot> slots = slotsOf(graph.operation(id));
        return a.hasSameKernel(b, id) &&
               std::all_of(slots.begin(), slots.end(), [&](Slot slot) { return isQuantizedAlike(graph, a, b, slot); });
    };
    const std::vector<OpId> order = graph.topological();
    const auto first = std::find_if_not(order.begin(), order.end(), isSame);
    return std::size_t(first - order.begin());
}

KeptCuts::KeptCuts(const Graph &graph, std::size_t batches, std::size_t bytes)
    : cuts(cutsOf(graph, bytes / std::max<std::size_t>(batches, 1))), values(cuts.size()), limit(bytes)
{}

void KeptCuts::finish()
{
    known = std::size_t(std::find_if(values.begin(), values.end(), [](const auto &v) { return v.empty(); }) -
                        values.begin());
}

void KeptCuts::resume(const KeptCuts &last, std::size_t same)
{
    if (last.cuts != cuts) return;
    for (std::size_t c = 0; c < last.known && cuts[c].position <= same; ++c) {
        values[c] = last.values[c];
        start = cuts[c].position;
        known = c + 1;
    }
}

ResumedProgram::ResumedProgram(const Executor &executor, ProgramSpec spec, KeptCuts &kept, bool keeps)
    : m_graph(executor.graph()), m_kept(kept), m_keeps(keeps)
{
    if (kept.known > 0) m_feeds = kept.cuts[kept.known - 1].alive;
    const std::map<OpId, std::size_t> placeOf = placesOf(m_graph);
    const auto isComputed = [&](VarId id) {
        const auto place = placeOf.find(m_graph.variable(id).producer);
        return place != placeOf.end() && place->second >= kept.start;
    };
    spec.feeds = m_feeds;
    for (const VarId id : m_graph.outputs())
        if (kept.start == 0 || isComputed(id)) spec.outputs.push_back(id);
    m_outputs = spec.outputs.size();
    for (std::size_t c = kept.known; keeps && c < kept.cuts.size(); ++c)
        for (const VarId id : kept.cuts[c].alive)
            if (isComputed(id) && m_outputOf.emplace(id, spec.outputs.size()).second) spec.outputs.push_back(id);
    m_program = std::make_unique<Program>(executor.compile(spec));
}

std::vector<at::Tensor> ResumedProgram::run(std::size_t batch, const std::function<Feed()> &feed, const JobContext &job,
                                            const std::string &name)
{
    std::map<VarId, at::Tensor> fed;
    std::vector<at::Tensor> results;
    if (m_kept.start > 0) {
        const std::vector<at::Tensor> &values = m_kept.values[m_kept.known - 1].at(batch);
        for (std::size_t v = 0; v < values.size(); ++v) fed[m_feeds[v]] = values[v];
        std::vector<at::Tensor> feeds;
        for (const VarId id : m_program->feeds()) feeds.push_back(fed.at(id));
        results = m_program->run(feeds, job, name, batch);
    } else {
        const Feed given = feed();
        for (const VarId id : m_graph.inputs())
            if (const auto value = given.find(m_graph.variable(id).name); value != given.end()) fed[id] = value->second;
        results = m_program->run(given, job, name, batch);
    }
    const std::lock_guard lock(m_mutex);
    for (std::size_t c = m_kept.known; m_keeps && c < m_kept.cuts.size(); ++c) {
        if (m_kept.values[c].size() <= batch) m_kept.values[c].resize(batch + 1);
        std::vector<at::Tensor> &values = m_kept.values[c][batch];
        for (const VarId id : m_kept.cuts[c].alive) {
            const auto computed = m_outputOf.find(id);
            values.push_back(computed == m_outputOf.end() ? fed.at(id) : results[computed->second]);
            m_bytes += values.back().storage().nbytes();
        }
    }
    if (m_bytes > 2 * m_kept.limit) { // larger than the first batch; views hold more than their types suggest
        m_keeps = false;
        for (std::size_t c = m_kept.known; c < m_kept.cuts.size(); ++c) m_kept.values[c].clear();
    }
    results.resize(m_outputs);
    return results;
}

} // namespace ql
