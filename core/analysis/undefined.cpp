#include "core/analysis/undefined.h"

#include "core/analysis/error_measure.h"

#include <ATen/ops/isfinite.h>
#include <ATen/ops/sum.h>
#include <deque>
#include <map>
#include <set>

namespace ql {

void reportNulls(const AnalysisContext &context, const nlohmann::json &rows, const std::string &section)
{
    std::vector<const nlohmann::json *> exact, undefined;
    for (const nlohmann::json &row : rows) {
        if (row["noise_ratio"].is_null())
            undefined.push_back(&row);
        else if (row["sqnr_db"].is_null())
            exact.push_back(&row);
    }
    const auto tell = [&](const std::vector<const nlohmann::json *> &found, const char *severity,
                          const std::string &what, const std::string &remedy) {
        if (found.empty()) return;
        const nlohmann::json &first = *found.front();
        context.report(
            {severity, first.value("op", ""), first.value("variable", first.value("output", "")),
             std::to_string(found.size()) + " of " + std::to_string(rows.size()) + " rows of " + section + what,
             remedy});
    };
    tell(exact, "info", " have no error at all: their SQNR is infinite", "");
    tell(undefined, "warning", " could not be measured: float32 is all zero there, or a value is NaN or infinite",
         "Look at the distribution of this tensor; check the calibration data.");
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

/// The nearest quantized operations at or in front of start.
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

void reportOrigin(const AnalysisContext &context, std::size_t batch)
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
            context.report({"warning", cause.name, graph.variable(op.outputs[o]).name,
                            std::to_string(after->second - before->second) +
                                " value(s) are NaN or infinite only when quantized; they begin at '" + op.name + "' (" +
                                op.type + ")",
                            "Keep '" + cause.name +
                                "' in FP32, or give it more bits: what it was rounded to, often zero, has no result "
                                "there."});
            return;
        }
}

} // namespace ql
