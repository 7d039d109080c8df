#include "core/analysis/tensor_pairs.h"

#include "core/analysis/body_errors.h"
#include "core/exec/lanes.h"

#include <ATen/Parallel.h>
#include <ATen/ops/clone.h>

#include <algorithm>
#include <utility>

namespace ql {

namespace {

bool isPair(const at::Tensor &floating, const at::Tensor &quantized)
{
    return floating.defined() && quantized.defined() && floating.scalar_type() == at::kFloat &&
           quantized.scalar_type() == at::kFloat && floating.sizes() == quantized.sizes();
}

std::size_t batchesOf(const AnalysisContext &context)
{
    return std::min(context.batches, context.data->size());
}

/// Batch by batch through both networks; nothing is stored.
void streamPairs(const AnalysisContext &context, const std::vector<BodySlot> &slots, const Text &what,
                 const TensorPairVisitor &visit)
{
    const Executor executor(context.model.graph, context.exec);
    const std::size_t batches = batchesOf(context);
    std::map<Slot, at::Tensor> original;
    std::int64_t samples = 1;
    ProgramSpec floating, quantized;
    quantized.plan = &context.model.plan;
    std::vector<BodySlot> inBodies;
    for (const BodySlot &place : slots) {
        if (!place.path.empty()) {
            inBodies.push_back(place);
            continue;
        }
        const Slot slot = place.slot;
        floating.probes.push_back(
            {slot, ProbePoint::Quantized, [&original, slot](const at::Tensor &t, std::size_t) { original[slot] = t; }});
        quantized.probes.push_back({slot, ProbePoint::Quantized, [&, slot](const at::Tensor &t, std::size_t) {
                                        const auto it = original.find(slot);
                                        if (it == original.end() || !isPair(it->second, t)) return;
                                        visit({{}, slot}, it->second, t, samples);
                                        original.erase(it);
                                    }});
    }
    BodyPairs bodies(std::move(inBodies), batches);
    bodies.probe(floating, quantized);
    const Program floatProgram = executor.compile(floating), quantProgram = executor.compile(quantized);
    for (std::size_t i = 0; i < batches; ++i) {
        context.job.checkpoint(double(i) / double(batches), what);
        const Feed feed = context.data->batch(i);
        samples = samplesPerBatch(feed);
        floatProgram.run(feed, context.job, context.data->name(i), i);
        quantProgram.run(feed, context.job, context.data->name(i), i);
        bodies.take(i, [&](const BodySlot &place, const at::Tensor &fp, const at::Tensor &q) {
            if (isPair(fp, q)) visit(place, fp, q, samples);
        });
    }
}

/// Both tensors of the slots for all batches, by the types of the graph; 0 where a size is not known.
std::size_t bytesOf(const AnalysisContext &context, const std::vector<Slot> &slots)
{
    std::size_t bytes = 0;
    for (const Slot slot : slots) {
        const std::size_t one = context.model.graph.variable(variableOf(context.model.graph, slot)).type.bytes();
        if (one == 0) return 0;
        bytes += 2 * one * batchesOf(context);
    }
    return bytes;
}

/// Computes the probed tensors of one network: from the graph inputs, storing all cuts, or from the last stored cut
/// upstream of them and no further than needed.
class PairProgram
{
public:
    PairProgram(const Executor &executor, ProgramSpec spec, KeptCuts &cuts, bool fills, std::size_t place, VarId last)
        : m_cuts(cuts)
    {
        if (fills) {
            m_all = std::make_unique<ResumedProgram>(executor, std::move(spec), cuts, true);
            return;
        }
        while (m_known < cuts.known && cuts.cuts[m_known].position <= place) ++m_known;
        if (m_known > 0) spec.feeds = cuts.cuts[m_known - 1].alive;
        spec.outputs = {last};
        m_tail = std::make_unique<Program>(executor.compile(spec));
    }
    const Program &program() const { return m_all ? m_all->program() : *m_tail; }
    bool needsData() const { return m_known == 0; }
    void run(std::size_t batch, const Feed &feed, const JobContext &job, const std::string &name) const
    {
        if (m_all) {
            m_all->run(
                batch, [&] { return feed; }, job, name);
        } else if (m_known == 0) {
            m_tail->run(feed, job, name, batch);
        } else {
            const std::vector<VarId> &alive = m_cuts.cuts[m_known - 1].alive;
            std::vector<at::Tensor> fed;
            for (const VarId id : m_tail->feeds())
                fed.push_back(m_cuts.values[m_known - 1][batch]
                                           [std::size_t(std::find(alive.begin(), alive.end(), id) - alive.begin())]);
            m_tail->run(fed, job, name, batch);
        }
    }

private:
    KeptCuts &m_cuts;
    std::size_t m_known = 0;
    std::unique_ptr<ResumedProgram> m_all;
    std::unique_ptr<Program> m_tail;
};

void begin(const AnalysisContext &context, TensorPairCache &cache)
{
    if (cache.key == context.cacheKey && cache.executor) return;
    cache = {};
    cache.key = context.cacheKey;
    cache.executor = std::make_unique<Executor>(context.model.graph, context.exec);
    cache.samples.resize(batchesOf(context), 1);
    // Integer arithmetic passes codes from layer to layer, which are not cached
    if (context.model.plan.integerOps.empty())
        cache.floating = cache.quantized = KeptCuts(context.model.graph, batchesOf(context), keptActivations / 2);
    cache.isFilled = cache.floating.cuts.empty();
}

/// Fills cache.tensors for these slots.
void collect(const AnalysisContext &context, const std::vector<Slot> &slots, const Text &what, TensorPairCache &cache)
{
    const Graph &graph = context.model.graph;
    const std::size_t batches = batchesOf(context);
    const std::map<OpId, std::size_t> placeOf = placesOf(graph);
    Slot first = slots.front(), last = slots.front();
    for (const Slot slot : slots) {
        if (placeOf.at(slot.op) < placeOf.at(first.op)) first = slot;
        if (placeOf.at(slot.op) > placeOf.at(last.op)) last = slot;
    }
    cache.tensors.clear();
    ProgramSpec floating, quantized;
    quantized.plan = &context.model.plan;
    std::map<Slot, std::vector<TensorPairCache::Pair>> found;
    for (const Slot slot : slots) {
        auto &pairs = found[slot];
        pairs.resize(batches);
        // A copy: the next batch may be computed in the same memory
        const auto take = [&pairs](at::Tensor TensorPairCache::Pair::*which) {
            return [&pairs, which](const at::Tensor &t, std::size_t batch) {
                if (t.scalar_type() == at::kFloat) pairs[batch].*which = at::clone(t);
            };
        };
        floating.probes.push_back({slot, ProbePoint::Quantized, take(&TensorPairCache::Pair::first)});
        quantized.probes.push_back({slot, ProbePoint::Quantized, take(&TensorPairCache::Pair::second)});
    }
    const std::vector<VarId> &outputs = graph.operation(last.op).outputs;
    const VarId end = *std::find_if(outputs.begin(), outputs.end(), [](VarId id) { return id != noVar; });
    const std::size_t place = placeOf.at(first.op);
    const bool fills = !cache.isFilled;
    if (fills) // again after a cancelled one
        for (KeptCuts *cuts : {&cache.floating, &cache.quantized}) cuts->values.assign(cuts->cuts.size(), {});
    const PairProgram floatProgram(*cache.executor, std::move(floating), cache.floating, fills, place, end);
    const PairProgram quantProgram(*cache.executor, std::move(quantized), cache.quantized, fills, place, end);
    Lanes lanes(*cache.executor, batches);
    lanes.prepare(floatProgram.program());
    lanes.prepare(quantProgram.program());
    lanes.run(0, batches, [&](std::size_t i) {
        context.job.checkpoint(double(i) / double(batches), what);
        const Feed feed = floatProgram.needsData() || quantProgram.needsData() ? context.data->batch(i) : Feed{};
        if (!feed.empty()) {
            cache.samples[i] = samplesPerBatch(feed);
            lanes.admit(i, 2 * lanes.share(feed));
        }
        floatProgram.run(i, feed, context.job, context.data->name(i));
        quantProgram.run(i, feed, context.job, context.data->name(i));
    });
    if (fills) {
        cache.floating.finish();
        cache.quantized.finish();
        cache.isFilled = true;
    }
    cache.tensors = std::move(found);
}

} // namespace

void forEachTensorPair(const AnalysisContext &context, const std::vector<BodySlot> &places, const Text &what,
                       const TensorPairVisitor &visit)
{
    if (places.empty()) return;
    std::vector<Slot> slots; // of the graph
    for (const BodySlot &place : places)
        if (place.path.empty()) slots.push_back(place.slot);
    const std::size_t bytes = context.pairs && slots.size() == places.size() ? bytesOf(context, slots) : 0;
    if (bytes == 0 || bytes > TensorPairCache::maxPairBytes) return streamPairs(context, places, what, visit);
    TensorPairCache &cache = *context.pairs;
    begin(context, cache);
    if (std::any_of(slots.begin(), slots.end(), [&](Slot slot) { return !cache.tensors.contains(slot); }))
        collect(context, slots, what, cache);
    at::parallel_for(0, std::int64_t(slots.size()), 1, [&](std::int64_t from, std::int64_t to) {
        for (std::int64_t s = from; s < to; ++s) {
            const Slot slot = slots[std::size_t(s)];
            const std::vector<TensorPairCache::Pair> &pairs = cache.tensors.at(slot);
            for (std::size_t i = 0; i < pairs.size(); ++i)
                if (isPair(pairs[i].first, pairs[i].second))
                    visit({{}, slot}, pairs[i].first, pairs[i].second, cache.samples[i]);
        }
    });
}

} // namespace ql
