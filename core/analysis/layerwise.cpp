// Error at the graph outputs (measuredOutputs()), or at chosen tensors, with only one operation quantized, for each
// operation. A slot that inherits its scale from a neighbour (overlapped) counts for that neighbour, unless the
// parameter shared_scales is set. The float activations are computed once per batch; an operation's run starts from
// them and executes only what is downstream of it. Activations that do not fit into the memory budget together are
// recomputed for one group of operations after the other. With the cache of the last analysis, only operations that are
// now quantized differently are measured. With a limit of time, all operations are ranked by an estimate
// (core/analysis/slot_noise.h) first and measured from the top; those left over keep the estimate. Operations in
// quantized bodies of If, Loop and Scan are measured, too, each alone.
#include "core/analysis/analyser.h"
#include "core/analysis/error_measure.h"
#include "core/analysis/layerwise_cache.h"
#include "core/analysis/layerwise_estimates.h"
#include "core/analysis/only_operation.h"
#include "core/analysis/undefined.h"
#include "core/analysis/work_estimate.h"
#include "core/api/remedy_words.h"
#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/exec/lanes.h"
#include "core/exec/prefix.h"
#include "core/ir/op_traits.h"
#include "core/quant/networks.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

namespace ql {

namespace {

std::set<OpId> downstream(const Graph &graph, OpId start)
{
    std::set<OpId> seen{start};
    std::deque<OpId> open{start};
    while (!open.empty()) {
        const OpId id = open.front();
        open.pop_front();
        for (const OpId next : graph.consumers(id))
            if (seen.insert(next).second) open.push_back(next);
    }
    return seen;
}

/// The operations that one of the tensors depends on.
std::set<OpId> upstream(const Graph &graph, const std::vector<VarId> &tensors)
{
    std::set<OpId> seen;
    for (const VarId tensor : tensors) seen.insert(graph.variable(tensor).producer);
    const std::vector<OpId> order = graph.topological();
    for (auto id = order.rbegin(); id != order.rend(); ++id) {
        const std::vector<OpId> readers = graph.consumers(*id);
        if (std::any_of(readers.begin(), readers.end(), [&](OpId reader) { return seen.contains(reader); }))
            seen.insert(*id);
    }
    return seen;
}

/// One operation's part of the work: what its suffix reads and which outputs it reaches.
struct Suffix
{
    OpId op;
    std::optional<BodyOperation> inside; ///< only this operation in a body of op is quantized
    std::vector<VarId> feeds;            ///< float activations that enter the suffix
    std::vector<VarId> outputs;          ///< measured tensors that depend on op
    bool applied = false;                ///< at least one slot of op is quantized
    double work = 0;                     ///< of the operations that it runs
    std::map<VarId, ErrorMeasure> measures;
};

/// outputs: the tensors to measure at; reaching: upstream() of them.
Suffix suffixOf(const QuantModel &model, OpId id, const std::vector<VarId> &outputs, const std::set<OpId> &reaching,
                bool sharedScales)
{
    const Graph &graph = model.graph;
    Suffix suffix;
    suffix.op = id;
    suffix.applied = hasEffectAlone(model, graph.operation(id), sharedScales);
    std::set<OpId> inside = downstream(graph, id);
    std::erase_if(inside, [&](OpId member) { return !reaching.contains(member); });
    std::set<VarId> feeds;
    for (const OpId member : inside)
        for (const VarId input : graph.operation(member).inputs)
            if (input != noVar && !graph.isParameter(input)) {
                const OpId producer = graph.variable(input).producer;
                if (producer == noOp || !inside.contains(producer)) feeds.insert(input);
            }
    if (suffix.applied)
        for (const OpId member : inside) suffix.work += workOf(graph, graph.operation(member));
    suffix.feeds.assign(feeds.begin(), feeds.end());
    for (const VarId output : outputs) {
        const OpId producer = graph.variable(output).producer;
        if (producer != noOp && inside.contains(producer)) suffix.outputs.push_back(output);
    }
    return suffix;
}

/// Adjacent suffixes whose float activations are cached together.
struct Group
{
    std::size_t first = 0, last = 0; ///< suffixes [first, last)
    std::set<VarId> wanted;          ///< the tensors they read, and the outputs to compare with
    std::size_t bytes = 0;           ///< of one batch
    double work = 0;
};

/// As few groups as the budget allows, each with at least one suffix: a group costs a float pass over the data.
std::vector<Group> groupsOf(const Graph &graph, const std::vector<Suffix> &suffixes, std::size_t budget)
{
    std::vector<Group> groups;
    for (std::size_t s = 0; s < suffixes.size(); ++s) {
        std::set<VarId> needed(suffixes[s].outputs.begin(), suffixes[s].outputs.end());
        if (suffixes[s].applied) needed.insert(suffixes[s].feeds.begin(), suffixes[s].feeds.end());
        const auto added = [&](const Group &group) {
            std::size_t bytes = 0;
            for (const VarId id : needed)
                if (!group.wanted.contains(id)) bytes += graph.variable(id).type.bytes(); // 0 if types are incomplete
            return bytes;
        };
        if (groups.empty() || groups.back().bytes + added(groups.back()) > budget) groups.push_back({s, s, {}, 0, 0});
        Group &group = groups.back();
        group.bytes += added(group);
        group.wanted.insert(needed.begin(), needed.end());
        group.last = s + 1;
        group.work += suffixes[s].work;
    }
    return groups;
}

/// Float activations of one batch, and its number of samples.
struct Activations
{
    std::map<VarId, at::Tensor> values;
    std::int64_t samples = 1;
    std::size_t bytes = 0;
    double share = 1; ///< Lanes::share
};

/// Adds the results of a suffix, with its operation quantized, on the batches of chunk.
void measureSuffix(const AnalysisContext &context, const Executor &executor, Lanes &lanes, Suffix &suffix,
                   const std::vector<Activations> &chunk, bool sharedScales)
{
    if (!suffix.applied) { // nothing of it is quantized: identical by construction
        for (const Activations &batch : chunk)
            for (const VarId output : suffix.outputs) {
                const at::Tensor fp = numbersOf(batch.values.at(output));
                if (fp.defined()) suffix.measures[output].add(fp, fp, rowsOf(fp, batch.samples), batch.samples);
            }
        return;
    }
    const Measured measured = suffix.inside  ? withBodyOperation(context.model, *suffix.inside)
                              : sharedScales ? withSharedScales(context.model, context.model.graph.operation(suffix.op))
                                             : Measured{{suffix.op}, {}};
    ProgramSpec spec;
    spec.plan = suffix.inside || sharedScales ? &measured.plan : &context.model.plan;
    spec.onlyQuantized = &measured.operations;
    spec.feeds = suffix.feeds;
    spec.outputs = suffix.outputs;
    spec.onDevice = true;
    spec.minimalFiltering = true;
    const Program program = executor.compile(spec);
    lanes.run(0, chunk.size(), [&](std::size_t i) {
        const Activations &batch = chunk[i];
        lanes.admit(i, batch.share);
        std::vector<at::Tensor> values;
        for (const VarId feed : suffix.feeds) values.push_back(batch.values.at(feed));
        const std::vector<at::Tensor> outputs = program.run(values, context.job);
        lanes.inOrder(0, i, [&] {
            for (std::size_t o = 0; o < outputs.size(); ++o) {
                const at::Tensor fp = numbersOf(batch.values.at(suffix.outputs[o])), q = numbersOf(outputs[o]);
                if (fp.defined() && q.defined())
                    suffix.measures[suffix.outputs[o]].add(fp, q, rowsOf(fp, batch.samples), batch.samples);
            }
        });
    });
}

using Clock = std::chrono::steady_clock;

/// Measures the suffixes of one group over all batches. After the deadline it starts no other suffix.
/// @returns the end of those that were measured
std::size_t measure(const AnalysisContext &context, const Executor &executor, std::vector<Suffix> &suffixes,
                    const Group &group, std::size_t budget, bool sharedScales, Clock::time_point deadline,
                    const JobContext &job)
{
    const Graph &graph = context.model.graph;
    ProgramSpec everything;
    everything.onDevice = true;
    everything.minimalFiltering = true; // in the order of the suffixes
    everything.outputs.assign(group.wanted.begin(), group.wanted.end());
    const Program floatProgram = executor.compile(everything);
    const std::size_t batches = std::min(context.batches, context.data->size());
    const std::size_t fitting = std::max<std::size_t>(group.bytes > 0 ? budget / group.bytes : batches, 1);
    Lanes lanes(executor, std::min(batches, fitting));
    std::size_t last = group.last;
    for (std::size_t done = 0; done < batches;) {
        // As many batches together as fit into memory with their activations: each suffix is compiled once for all of
        // them.
        std::vector<Activations> chunk(batches - done);
        std::mutex mutex;
        std::size_t bytes = 0, end = std::min(batches, done + fitting); // [done, end): the batches that fit
        lanes.run(done, end, [&](std::size_t index) {
            {
                const std::lock_guard lock(mutex);
                if (index >= end) return;
            }
            job.checkpoint(double(done) / double(batches), QL_TEXT("layerwise error"));
            const Feed feed = context.data->batch(index);
            Activations &activations = chunk[index - done];
            activations.samples = samplesPerBatch(feed);
            activations.share = lanes.share(feed);
            activations.bytes = std::size_t(double(group.bytes) * activations.share); // by their types
            {
                const std::lock_guard lock(mutex);
                if (index > done && bytes + activations.bytes > budget) end = std::min(end, index);
                if (index >= end) return;
                bytes += activations.bytes;
            }
            lanes.admit(index, activations.share);
            const std::vector<at::Tensor> values = floatProgram.run(feed, context.job, context.data->name(index));
            std::size_t real = 0;
            for (std::size_t i = 0; i < values.size(); ++i) {
                activations.values.emplace(everything.outputs[i], values[i]);
                const at::Tensor numbers = numbersOf(values[i]); // a sequence has no nbytes()
                real += numbers.defined() ? numbers.nbytes() : 0;
            }
            const std::lock_guard lock(mutex);
            bytes += real - activations.bytes; // modulo 2^64: may be less
            activations.bytes = real;
        });
        chunk.resize(end - done);
        double work = 0;
        for (std::size_t s = group.first; s < last; ++s) {
            if (done == 0 && Clock::now() > deadline) last = s; // the same ones on every batch
            if (s == last) break;
            Suffix &suffix = suffixes[s];
            const double part = group.work > 0 ? work / group.work : 0;
            work += suffix.work;
            job.checkpoint((double(done) + double(chunk.size()) * part) / double(batches), QL_TEXT("layerwise error"),
                           graph.operation(suffix.op).name);
            measureSuffix(context, executor, lanes, suffix, chunk, sharedScales);
        }
        done += chunk.size();
    }
    return last;
}

/// Whether op, with only op quantized, computes the same in both plans: slots that are not rounded then may differ.
bool isMeasuredAlike(const Graph &graph, const QuantPlan &a, const QuantPlan &b, OpId id)
{
    if (!a.hasSameKernel(b, id)) return false;
    const std::vector<Slot> slots = slotsOf(graph.operation(id));
    return std::all_of(slots.begin(), slots.end(), [&](Slot slot) {
        const bool isParameter = !slot.output && graph.isParameter(graph.operation(id).inputs[std::size_t(slot.index)]);
        return (!isParameter && !isRoundedAlone(a, slot, false) && !isRoundedAlone(b, slot, false)) ||
               isQuantizedAlike(graph, a, b, slot);
    });
}

/// Results of the last analysis to reuse. With shared scales an operation's error depends on others.
LayerwiseCache reusable(const AnalysisContext &context, bool sharedScales)
{
    LayerwiseCache cache;
    if (!context.layerwise || sharedScales) return cache;
    const std::size_t batches = std::min(context.batches, context.data->size());
    cache.key = context.cacheKey + " " + std::to_string(batches);
    for (const VarId output : context.outputs) cache.key += " " + std::to_string(index(output));
    cache.plan = context.model.plan;
    LayerwiseCache &last = *context.layerwise; // kept in case this one is stopped
    if (last.key != cache.key) {
        last = {}; // it will not be requested again
        return cache;
    }
    for (const auto &[id, measures] : last.measures)
        if (isMeasuredAlike(context.model.graph, last.plan, cache.plan, id)) cache.measures.emplace(id, measures);
    return cache;
}

/// The tensors of the parameter "outputs"; empty: none are chosen. Of class indices their scores, as at graph outputs.
/// @throws Error (BadConfig) for a name that is not an activation
std::vector<VarId> chosenOutputs(const Graph &graph, const nlohmann::json &params)
{
    std::vector<VarId> chosen;
    for (const std::string &name : params.at("outputs").get<std::vector<std::string>>()) {
        const VarId id = graph.findVariable(name);
        const VarId measured = id == noVar || graph.variable(id).producer == noOp ? noVar : measuredAt(graph, id);
        if (measured == noVar) {
            std::vector<std::string> known;
            for (const VarId v : graph.variables())
                if (graph.variable(v).producer != noOp) known.push_back(graph.variable(v).name);
            const Text nearest = suggestion(name, known);
            const Text wrong =
                id == noVar ? QL_TEXT("analysis 'layerwise': no operation computes a tensor '%1'.").with(name)
                : graph.variable(id).producer == noOp
                    ? QL_TEXT("analysis 'layerwise': '%1' is an input or a parameter, not a result of an operation.")
                          .with(name)
                    : QL_TEXT("analysis 'layerwise': '%1' holds integers, whose error means nothing.").with(name);
            throw Error(ErrorKind::BadConfig, id == noVar ? Text::sentences({wrong, nearest}) : wrong)
                .withRemedy(tensorsHelp(known));
        }
        if (std::find(chosen.begin(), chosen.end(), measured) == chosen.end()) chosen.push_back(measured);
    }
    return chosen;
}

bool areAll(const nlohmann::json &params)
{
    return params.at("operations") != "computing" || params.at("seconds") > 0;
}

/// In execution order. reaching: upstream() of the tensors to measure at.
std::vector<OpId> measuredOperations(const QuantModel &model, const nlohmann::json &params,
                                     const std::set<OpId> &reaching)
{
    std::vector<OpId> operations;
    for (const OpId id : model.graph.topological()) {
        const Operation &op = model.graph.operation(id);
        if (!model.isQuantized(id) || !reaching.contains(id)) continue;
        if (areAll(params) || isComputing(op) || !weightsOfBodies(model.graph, op).empty()) operations.push_back(id);
    }
    return operations;
}

/// Those in quantized bodies of operations.
std::vector<BodyOperation> measuredInBodies(const QuantModel &model, const nlohmann::json &params,
                                            const std::vector<OpId> &operations)
{
    std::vector<BodyOperation> places;
    forEachQuantizedBody(model, [&](const BodyPath &path, const QuantModel &body) {
        if (std::find(operations.begin(), operations.end(), path.front().first) == operations.end()) return;
        for (const OpId id : body.graph.topological()) {
            const Operation &op = body.graph.operation(id);
            if ((areAll(params) || isComputing(op)) && hasEffectAlone(body, op, false)) places.emplace_back(path, id);
        }
    });
    return places;
}

/// From this many products on, report that other settings take less time: about a minute on two cores.
constexpr double costlyWork = 3e12;

/// Sets a parameter of this analysis.
api::Action setting(const char *id, const std::string &parameter, const nlohmann::json &value)
{
    const std::string field = "analyses.layerwise." + parameter;
    api::Action action;
    action.id = id;
    action.fields[field] = value;
    action.option = "--set " + field + "=" + (value.is_string() ? value.get<std::string>() : value.dump());
    return action;
}

void reportCost(const AnalysisContext &context, const std::vector<OpId> &operations, const nlohmann::json &params)
{
    if (operations.empty()) return;
    const Graph &graph = context.model.graph;
    const double passes = passesFrom(graph, {operations.begin(), operations.end()});
    const Text rounded = Text::number(std::round(passes), 4);
    const bool isCostly = params.at("seconds") == 0 && passes * double(context.batches) * workOf(graph) >= costlyWork;
    std::vector<api::Action> shorter;
    if (isCostly && context.batches > 1)
        shorter.push_back(setting(api::remedy::fewerSamples, "samples", std::max<std::size_t>(1, context.batches / 4)));
    if (isCostly && params.at("operations") != "computing")
        shorter.push_back(setting(api::remedy::fewerOperations, "operations", "computing"));
    // Reported before it starts
    const Text cost = QL_TEXT("layerwise errors (operations: %1, float passes: %2, batches: %3)")
                          .with(operations.size(), rounded, context.batches);
    context.job.checkpoint(
        0, shorter.empty() ? cost : QL_TEXT("%1 (shorter with %2)").with(cost, Text::option(shorter[0].option)));
    if (shorter.empty()) return;
    context.report(
        {.severity = api::Severity::Info,
         .message = QL_TEXT("Layerwise error is most of this run: measuring %1 operations takes as long as %2 passes "
                            "over %3 batches.")
                        .with(operations.size(), rounded, context.batches),
         .remedy =
             QL_TEXT("Try: fewer samples for it (often enough to rank operations), or no layerwise analysis until "
                     "the other settings are final."),
         .actions = std::move(shorter)});
}

void sortWorstFirst(std::vector<Suffix> &suffixes, const LayerwiseEstimates &estimates)
{
    std::stable_sort(suffixes.begin(), suffixes.end(), [&](const Suffix &a, const Suffix &b) {
        return estimates.of(a.op, a.inside).value_or(0) > estimates.of(b.op, b.inside).value_or(0);
    });
}

/// The row with the worst measure, by tensors of graph; nothing if there is none.
void addMeasured(std::vector<api::ErrorRow> &rows, api::ErrorRow row, const Graph &graph,
                 const std::map<VarId, ErrorMeasure> &measures)
{
    const auto noise = [](const ErrorMeasure &measure) { // undefined counts as worst
        const double ratio = measure.noiseRatio();
        return std::isnan(ratio) ? std::numeric_limits<double>::infinity() : ratio;
    };
    const auto worst = std::max_element(measures.begin(), measures.end(), [&](const auto &a, const auto &b) {
        return noise(a.second) < noise(b.second);
    });
    if (worst == measures.end()) return;
    row.output = graph.variable(worst->first).name;
    worst->second.fill(row);
    rows.push_back(std::move(row));
}

/// The limit of time leaves operations without any number.
void reportUnranked(const AnalysisContext &context, std::size_t left, std::size_t all)
{
    context.report(
        {.severity = api::Severity::Info,
         .message = QL_TEXT("layerwise: %1 of %2 operations were not measured within the limit of time. They "
                            "cannot be estimated, because an operation has no gradient.")
                        .with(left, all),
         .remedy = QL_TEXT("Give the analysis more time, or omit the limit.")});
}

/// nullptr: there is none.
template <class Map>
const typename Map::mapped_type *valueAt(const Map &map, const typename Map::key_type &key)
{
    const auto found = map.find(key);
    return found == map.end() ? nullptr : &found->second;
}

api::Measures layerwise(const AnalysisContext &given, const nlohmann::json &params)
{
    AnalysisContext context = given;
    context.batches = batchesOf(given, params);
    const Graph &graph = context.model.graph;
    context.outputs = chosenOutputs(graph, params);
    const std::vector<VarId> outputs = outputsOf(context);
    const std::set<OpId> reaching = upstream(graph, outputs);
    const Executor executor(graph, context.exec);
    const bool sharedScales = params.at("shared_scales");
    LayerwiseCache cache = reusable(context, sharedScales);
    const std::vector<OpId> operations = measuredOperations(context.model, params, reaching);
    reportCost(context, operations, params);
    const auto seconds = params.at("seconds").get<double>();
    const Clock::time_point deadline =
        seconds > 0 ? Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))
                    : Clock::time_point::max();
    const LayerwiseEstimates estimates = seconds > 0 ? estimatedErrors(context, operations) : LayerwiseEstimates();
    std::vector<Suffix> suffixes; // of those that are not cached
    for (const OpId id : operations) {
        if (cache.measures.contains(id)) continue;
        Suffix suffix = suffixOf(context.model, id, outputs, reaching, sharedScales);
        if (!suffix.outputs.empty()) suffixes.push_back(std::move(suffix));
    }
    const std::vector<BodyOperation> places = measuredInBodies(context.model, params, operations);
    for (const BodyOperation &place : places) {
        Suffix suffix = suffixOf(context.model, place.first.front().first, outputs, reaching, sharedScales);
        suffix.inside = place;
        if (!suffix.outputs.empty()) suffixes.push_back(std::move(suffix));
    }
    sortWorstFirst(suffixes, estimates);
    const std::size_t budget = context.memory > 0 ? context.memory : std::size_t(executor.freeMemory() / 2);
    const std::vector<Group> groups = groupsOf(graph, suffixes, budget);
    double all = 0, done = 0;
    for (const Group &group : groups) all += group.work;
    std::size_t measured = 0; // the first ones
    for (const Group &group : groups) {
        if (measured < group.first || Clock::now() > deadline) break;
        const double first = all > 0 ? done / all : 0;
        done += group.work;
        measured = measure(context, executor, suffixes, group, budget, sharedScales, deadline,
                           context.job.part(first, all > 0 ? done / all : 1));
    }

    std::map<BodyOperation, std::map<VarId, ErrorMeasure>> inBodies;
    for (std::size_t s = 0; s < measured; ++s)
        (suffixes[s].inside ? inBodies[*suffixes[s].inside] : cache.measures[suffixes[s].op]) =
            std::move(suffixes[s].measures);

    std::vector<api::ErrorRow> rows;
    const auto add = [&](api::ErrorRow row, const std::map<VarId, ErrorMeasure> *measures, OpId id,
                         const std::optional<BodyOperation> &inside) {
        if (measures)
            addMeasured(rows, std::move(row), graph, *measures);
        else if (!estimates.empty())
            rows.push_back(estimatedRow(std::move(row), graph, outputs, estimates.of(id, inside).value_or(0)));
    };
    for (const OpId id : operations) add(layerwiseRow(graph, id), valueAt(cache.measures, id), id, std::nullopt);
    for (const Network &network : bodyNetworks(context.model))
        for (const OpId id : network.graph().topological()) {
            const BodyOperation place{network.path, id};
            if (std::find(places.begin(), places.end(), place) == places.end()) continue;
            api::ErrorRow row = layerwiseRow(network.graph(), id);
            row.op = network.nameOf(id);
            add(std::move(row), valueAt(inBodies, place), network.path.front().first, place);
        }
    if (measured < suffixes.size() && estimates.empty())
        reportUnranked(context, suffixes.size() - measured, suffixes.size());
    reportUnset(context, rows, "layerwise");
    if (!cache.key.empty()) *context.layerwise = std::move(cache);
    api::Measures result;
    result.layerwise = std::move(rows);
    return result;
}

const AnalyserRegistrar layerwiseRegistrar{
    "layerwise",
    {.info =
         {.id = "layerwise",
          .title = QL_TEXT("Layerwise error"),
          .meaning = QL_TEXT(
              "Error at the graph outputs with only one operation quantized: shows the cost of each operation alone. "
              "For class indices, the error is measured at the scores. A scale inherited from a neighbour counts as "
              "the neighbour's error."),
          .params = {{.name = "operations",
                      .type = "enum",
                      .fallback = "computing",
                      .meaning =
                          QL_TEXT("computing: operations with weights, where most of the error starts, are measured, "
                                  "the others are estimated; all: every quantized operation is measured, at several "
                                  "times the cost."),
                      .choices = {"computing", "all"}},
                     {.name = "shared_scales",
                      .type = "bool",
                      .fallback = false,
                      .meaning = QL_TEXT(
                          "Also quantize with the scales that an operation inherits from a neighbour: its inputs, and "
                          "the output of the activation that it is fused with.")},
                     {.name = "outputs",
                      .type = "strings",
                      .fallback = nlohmann::json::array(),
                      .meaning = QL_TEXT("Names of the tensors to measure the error at; operations that do not reach "
                                         "them are left out. Empty: the graph outputs.")},
                     {.name = "samples",
                      .type = "int",
                      .fallback = 0,
                      .meaning = QL_TEXT("Number of evaluation samples to use; 0: all of them."),
                      .min = 0},
                     {.name = "seconds",
                      .type = "float",
                      .fallback = 0.0,
                      .meaning = QL_TEXT("With a limit, every quantized operation is ranked by an estimate first and "
                                         "measured from the top; those left over keep the estimate. 0: no limit."),
                      .unit = "s",
                      .min = 0}}},
     .run = layerwise,
     .passes = [](const QuantModel &model, const nlohmann::json &params) {
         std::vector<VarId> outputs = chosenOutputs(model.graph, params);
         if (outputs.empty()) outputs = measuredOutputs(model.graph);
         const std::vector<OpId> operations = measuredOperations(model, params, upstream(model.graph, outputs));
         return 1 + passesFrom(model.graph, {operations.begin(), operations.end()});
     }}};

} // namespace

} // namespace ql
