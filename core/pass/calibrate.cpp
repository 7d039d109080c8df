// Before: activation (initial)        After: activation (active, with scale and zero point)
//
// Runs the calibration batches through the network and observes every input and output that waits for calibration.
// Weights are already quantized according to the plan, waiting activations are in float32. Those of few bits are in
// float32 as well: rounded to the nearest grid point, as they are at this place, they make activations too small, and
// ranges found with them cut off what weights that later passes train or round better produce. Two-phase observers (kl,
// mse) see the same numbers in both phases: no quantization is enabled in between. Slots that observe the same tensor
// in the same way share one observer. The source is repeated if it has fewer batches than steps. A tensor that is not
// float32, is empty, infinite or never computed leaves its config Off, with a problem.
//
// With the cache of the last calibrations (PassContext::cache), nothing upstream of the first operation that now
// computes differently, or is now observed in a new way, is recomputed: its observations are reused, and the batches
// start at a cached cut.
#include "core/base/error.h"
#include "core/exec/lanes.h"
#include "core/pass/calibration_cache.h"
#include "core/pass/slots.h"

#include <algorithm>
#include <list>
#include <map>
#include <optional>

namespace ql {

static const Origin calibrateOrigin = Origin::pass("calibrate");

namespace {

/// Equal observers with equal parameters on equal grids give the same result.
bool sameObservation(const TensorQuantConfig &a, const TensorQuantConfig &b)
{
    return a.sameScheme(b) && a.sameObserver(b);
}

struct SlotGroup
{
    CalibrationCache::Key tensor;
    std::vector<Slot> slots; ///< the first one is probed
    std::shared_ptr<Observation> observation;
    std::shared_ptr<const Observation> known; ///< of the cache; otherwise null
};

} // namespace

class Calibrate final : public Pass
{
public:
    explicit Calibrate(const nlohmann::json &params)
        : m_observer(params["observer"]), m_recalibrate(params["recalibrate"]),
          m_floatWeightsBelow(params["float_weights_below"])
    {
        if (const std::string over = params["percentile_over"]; over != "default")
            m_percentileOver = percentileOverFromString(over);
    }

    std::string_view id() const override { return "calibrate"; }

    int run(QuantModel &model, const PassContext &context) const override
    {
        std::list<SlotGroup> groups = makeGroups(model, context);
        if (groups.empty()) return 0;
        if (!context.calibration || context.calibration->size() == 0)
            throw Error(ErrorKind::BadData, context.calibration ? QL_TEXT("the calibration data contains no samples")
                                                                : QL_TEXT("calibration needs data, and none was given"))
                .withFix(Fix::ChooseData)
                .withRemedy(QL_TEXT("Give calibration data (%1).").with(Text::option("--calib")));
        const QuantPlan observed = observedPlan(model);
        CalibrationCache cache;
        // In integer arithmetic, layers that already have scales pass on codes, which are not cached
        const bool keeps = context.cache && model.plan.integerOps.empty();
        if (keeps) {
            if (context.cache->key != context.cacheKey) *context.cache = {}; // it will not be requested again
            cache.key = context.cacheKey;
            cache.plan = observed;
            cache.kept = KeptCuts(model.graph, context.calibrationSteps, keptActivations);
            resume(*context.cache, cache, model, groups);
        }
        const bool two = std::any_of(groups.begin(), groups.end(),
                                     [](const SlotGroup &g) { return !g.known && g.observation->phases() > 1; });
        const Executor executor(model.graph, context.exec);
        showBatches(executor, observed, groups, 1, cache.kept, context, context.job.part(0, two ? 0.5 : 1));
        if (two) {
            for (SlotGroup &group : groups)
                if (!group.known && group.observation->phases() > 1) group.observation->nextPhase();
            showBatches(executor, observed, groups, 2, cache.kept, context, context.job.part(0.5, 1));
        }
        for (SlotGroup &group : groups) {
            if (group.known) continue;
            group.known = std::move(group.observation);
            std::vector<KeptObservation> &kept = cache.observations[group.tensor];
            if (kept.size() == CalibrationCache::mostOfTensor) kept.erase(kept.begin());
            kept.push_back({*model.plan.find(group.slots[0]), group.known});
        }
        if (keeps) {
            cache.kept.finish();
            *context.cache = std::move(cache);
        }
        int changed = 0;
        for (const SlotGroup &group : groups) {
            // One report per tensor: its problem is the same for all of its slots.
            PassContext quiet = context;
            quiet.report = [](api::Problem) {};
            for (std::size_t i = 0; i < group.slots.size(); ++i)
                changed += group.known->finish(model, group.slots[i], calibrateOrigin, i == 0 ? context : quiet);
        }
        return changed;
    }

private:
    static std::size_t stepsOf(const PassContext &context)
    {
        return std::max<std::size_t>(context.calibrationSteps, 1);
    }

    /// The plan of the network that is observed.
    QuantPlan observedPlan(const QuantModel &model) const
    {
        QuantPlan plan = model.plan;
        for (const auto &[slot, config] : model.plan.configs())
            if (isParameterSlot(model.graph, slot) && config.state == QuantState::Active &&
                config.bits < m_floatWeightsBelow)
                plan.setState(slot, QuantState::Off, calibrateOrigin);
        return plan;
    }

    std::list<SlotGroup> makeGroups(QuantModel &model, const PassContext &context) const
    {
        const Graph &graph = model.graph;
        std::vector<Slot> slots;
        for (const auto &[slot, config] : model.plan.configs()) {
            if (isParameterSlot(graph, slot) || context.fixedScales.contains(slot)) continue;
            if (config.dynamic && config.isGrouped()) continue; // no two tensors have the same number of groups
            const bool again = m_recalibrate && config.state == QuantState::Active && !config.parent;
            if (config.state == QuantState::Initial || again) slots.push_back(slot);
        }
        std::list<SlotGroup> groups;
        std::map<std::pair<VarId, bool>, std::vector<SlotGroup *>> byTensor;
        for (const Slot slot : slots) {
            TensorQuantConfig &config = *model.plan.find(slot);
            if (config.state == QuantState::Active) model.plan.setState(slot, QuantState::Initial, calibrateOrigin);
            if (!m_observer.empty() && config.observer != m_observer) {
                config.observer = m_observer;
                model.plan.mark(config, ConfigField::Observer, calibrateOrigin);
            }
            if (m_percentileOver && config.percentileOver != m_percentileOver) {
                config.percentileOver = m_percentileOver;
                model.plan.mark(config, ConfigField::Observer, calibrateOrigin);
            }
            const VarId id = variableOf(graph, slot);
            if (id == noVar) { // an omitted input
                model.plan.setState(slot, QuantState::Off, calibrateOrigin);
                continue;
            }
            // A consumer sees the tensor after the producer's own quantization, if that is on.
            const Variable &variable = graph.variable(id);
            bool quantizedBefore = false;
            if (!slot.output && variable.producer != noOp)
                quantizedBefore =
                    model.plan.simulated(outputSlot(variable.producer, std::size_t(variable.producerIndex)));
            std::vector<SlotGroup *> &known = byTensor[{id, quantizedBefore}];
            const auto same = std::find_if(known.begin(), known.end(), [&](const SlotGroup *group) {
                return sameObservation(*model.plan.find(group->slots[0]), config);
            });
            if (same != known.end()) {
                (*same)->slots.push_back(slot);
                continue;
            }
            try {
                groups.push_back(
                    {{id, quantizedBefore}, {slot}, std::make_shared<Observation>(config, stepsOf(context)), nullptr});
            } catch (Error &error) {
                error.op = graph.operation(slot.op).name;
                error.variable = variable.name;
                throw;
            }
            known.push_back(&groups.back());
        }
        return groups;
    }

    /// Number of operations at the start of the topological order that compute the same in both plans. Slots that wait
    /// for calibration compute nothing: how they are observed does not matter.
    static std::size_t equalPrefix(const Graph &graph, const QuantPlan &a, const QuantPlan &b)
    {
        const auto isAlike = [&](Slot slot) {
            return (!isParameterSlot(graph, slot) && !a.simulated(slot) && !b.simulated(slot)) ||
                   isQuantizedAlike(graph, a, b, slot);
        };
        const std::vector<OpId> order = graph.topological();
        const auto first = std::find_if_not(order.begin(), order.end(), [&](OpId id) {
            const std::vector<Slot> slots = slotsOf(graph.operation(id));
            return std::all_of(slots.begin(), slots.end(), isAlike);
        });
        return std::size_t(first - order.begin());
    }

    /// Reuses the observations of the last calibrations upstream of the first difference.
    static void resume(const CalibrationCache &last, CalibrationCache &cache, const QuantModel &model,
                       std::list<SlotGroup> &groups)
    {
        if (last.key != cache.key) return;
        const std::map<OpId, std::size_t> placeOf = placesOf(model.graph);
        const std::size_t same = equalPrefix(model.graph, last.plan, cache.plan);
        std::size_t start = same;
        for (SlotGroup &group : groups) {
            const std::size_t place = placeOf.at(group.slots[0].op);
            const auto of = last.observations.find(group.tensor);
            if (place < same && of != last.observations.end()) {
                cache.observations[group.tensor] = of->second;
                const auto found = std::find_if(of->second.begin(), of->second.end(), [&](const KeptObservation &kept) {
                    return sameObservation(kept.config, *model.plan.find(group.slots[0]));
                });
                if (found != of->second.end()) group.known = found->observation;
            }
            if (!group.known) start = std::min(start, place);
        }
        cache.kept.resume(last.kept, start);
    }

    static void showBatches(const Executor &executor, const QuantPlan &plan, std::list<SlotGroup> &groups, int phase,
                            KeptCuts &kept, const PassContext &context, const JobContext &job)
    {
        ProgramSpec spec;
        spec.plan = &plan;
        spec.onDevice = true;
        if (std::all_of(groups.begin(), groups.end(), [](const SlotGroup &g) { return g.known != nullptr; })) return;
        const std::size_t steps = stepsOf(context);
        Lanes lanes(executor, steps);
        for (SlotGroup &group : groups) {
            if (group.known || group.observation->phases() < phase) continue;
            spec.probes.push_back({group.slots[0], ProbePoint::Raw,
                                   [&group, &lanes, place = spec.probes.size()](const at::Tensor &t, std::size_t step) {
                                       lanes.inOrder(place, step, [&] { group.observation->observe(t); });
                                   }});
        }
        ResumedProgram program(executor, std::move(spec), kept, phase == 1);
        lanes.prepare(program.program());
        lanes.run(0, steps, [&](std::size_t step) {
            job.checkpoint(double(step) / double(steps),
                           phase == 1 ? QL_TEXT("calibration") : QL_TEXT("calibration, histograms"));
            const std::size_t index = step % context.calibration->size();
            program.run(
                step,
                [&] {
                    Feed feed = context.calibration->batch(index);
                    lanes.admit(step, lanes.share(feed));
                    return feed;
                },
                job, context.calibration->name(index));
        });
    }

    std::string m_observer;
    bool m_recalibrate;
    int m_floatWeightsBelow;                        ///< bits
    std::optional<PercentileOver> m_percentileOver; ///< unset: as set in each config
};

static const PassRegistrar calibrateRegistrar{
    {.info =
         {.id = "calibrate",
          .title = QL_TEXT("Calibration"),
          .meaning = QL_TEXT("Before: activations have no scale. After: each has the scale that its observer derived "
                             "from the calibration data."),
          .params =
              {{.name = "observer",
                .type = "observer",
                .fallback = "",
                .meaning = QL_TEXT("Observer for all activations; empty: the platform's choice for each.")},
               {.name = "recalibrate",
                .type = "bool",
                .fallback = false,
                .meaning = QL_TEXT("Also observe activations that already have a scale.")},
               {.name = "float_weights_below",
                .type = "int",
                .fallback = 8,
                .meaning = QL_TEXT("Activations are observed with weights of fewer bits in float, since passes that "
                                   "train or round them bring activations back to their float ranges. 0: with all "
                                   "weights rounded."),
                .min = 0,
                .max = 33},
               {.name = "percentile_over",
                .type = "enum",
                .fallback = "default",
                .meaning = QL_TEXT(
                    "How the percentile is computed: over all calibration batches together (samples), or per batch and "
                    "then averaged (batches). default: as set by the platform and overrides, otherwise samples."),
                .choices = {"default", "samples", "batches"}}}},
     .traits = {.kind = PassKind::Quant, .needsData = true, .writes = {PassAspect::ActivationScales}},
     .make = makePassOf<Calibrate>}};

} // namespace ql
