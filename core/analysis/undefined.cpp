#include "core/analysis/undefined.h"

#include "core/analysis/error_measure.h"

#include <ATen/ops/isfinite.h>
#include <ATen/ops/sum.h>
#include <algorithm>
#include <deque>
#include <map>
#include <set>

namespace ql {

void reportUnset(const AnalysisContext &context, const std::vector<api::ErrorRow> &rows, const std::string &section,
                 bool hasOrigin)
{
    std::vector<const api::ErrorRow *> exact, undefined;
    for (const api::ErrorRow &row : rows) {
        if (!row.noiseRatio)
            undefined.push_back(&row);
        else if (row.isExact() && !row.op.empty()) // a graph input or constant has no error in any case
            exact.push_back(&row);
    }
    const auto &configs = context.model.plan.configs();
    if (std::none_of(configs.begin(), configs.end(),
                     [&](const auto &entry) { return context.model.plan.simulated(entry.first); }))
        exact.clear();
    const auto report = [&](const std::vector<const api::ErrorRow *> &found, api::Severity severity,
                            const Text &message, const Text &remedy) {
        if (found.empty()) return;
        const api::ErrorRow &first = *found.front();
        context.report({severity, first.op, first.variable.empty() ? first.output : first.variable,
                        message.with(found.size(), rows.size(), section), remedy});
    };
    report(exact, api::Severity::Info, QL_TEXT("%3: no error in %1 of %2 rows (infinite SQNR)"), {});
    if (hasOrigin)
        report(undefined, api::Severity::Info,
               QL_TEXT("%3: %1 of %2 rows cannot be measured because a quantized value is NaN or infinite"), {});
    else
        report(undefined, api::Severity::Warning,
               QL_TEXT("%3: %1 of %2 rows cannot be measured because float32 values are all zero, NaN or infinite"),
               QL_TEXT("Inspect the distribution of this tensor; check the calibration data."));
}

namespace {

/// Values that are NaN or infinite in each float output of each operation.
using BadCounts = std::map<Slot, std::int64_t>;

BadCounts countBad(const AnalysisContext &context, const Executor &executor, const QuantPlan *plan, const Feed &feed)
{
    const Graph &graph = context.model.graph;
    BadCounts counts;
    ProgramSpec spec;
    spec.plan = plan;
    for (const OpId id : graph.topological())
        for (std::size_t o = 0; o < graph.operation(id).outputs.size(); ++o) {
            const Slot slot = outputSlot(id, o);
            if (graph.operation(id).outputs[o] == noVar) continue;
            spec.probes.push_back({slot, ProbePoint::Quantized, [&counts, slot](const at::Tensor &value, std::size_t) {
                                       const at::Tensor numbers = numbersOf(value);
                                       if (!numbers.defined()) return;
                                       const std::int64_t good = at::isfinite(numbers).sum().item<std::int64_t>();
                                       counts[slot] = numbers.numel() - good;
                                   }});
        }
    executor.compile(spec).run(feed, context.job);
    return counts;
}

/// The nearest quantized operations at or upstream of start.
std::vector<OpId> quantizedBefore(const QuantModel &model, OpId start)
{
    std::vector<OpId> found;
    std::set<OpId> seen{start};
    std::deque<OpId> open{start};
    while (!open.empty()) {
        const OpId id = open.front();
        open.pop_front();
        if (model.isQuantized(id)) {
            found.push_back(id);
            continue;
        }
        for (const VarId input : model.graph.operation(id).inputs) {
            const OpId producer = input == noVar ? noOp : model.graph.variable(input).producer;
            if (producer != noOp && seen.insert(producer).second) open.push_back(producer);
        }
    }
    return found;
}

} // namespace

bool reportOrigin(const AnalysisContext &context, std::size_t batch)
{
    const Graph &graph = context.model.graph;
    const Executor executor(graph, context.exec);
    const Feed feed = context.data->batch(batch);
    const BadCounts original = countBad(context, executor, nullptr, feed);
    const BadCounts quantized = countBad(context, executor, &context.model.plan, feed);
    for (const OpId id : graph.topological())
        for (std::size_t o = 0; o < graph.operation(id).outputs.size(); ++o) {
            const auto before = original.find(outputSlot(id, o)), after = quantized.find(outputSlot(id, o));
            if (before == original.end() || after == quantized.end() || after->second <= before->second) continue;
            const Operation &op = graph.operation(id);
            const std::vector<OpId> causes = quantizedBefore(context.model, id);
            const Operation &cause = causes.empty() ? op : graph.operation(causes.front());
            context.report({api::Severity::Warning, cause.name, graph.variable(op.outputs[o]).name,
                            QL_TEXT("values that are NaN or infinite only when quantized: %1, starting at '%2' (%3)")
                                .with(after->second - before->second, op.name, op.type),
                            QL_TEXT("Keep '%1' in FP32, or give it more bits: its rounded value, often zero, has no "
                                    "defined result there.")
                                .with(cause.name)});
            return true;
        }
    return false;
}

} // namespace ql
