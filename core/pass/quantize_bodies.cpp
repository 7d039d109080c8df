// Before: If(c, w) { Conv(x, w) }, with w rounded        After: the body computes as {Q -> Conv(x, w) -> Q}
//
// Bodies of quantized operations (If, Loop, Scan) are quantized as separate networks: with the recipe's passes,
// calibrated on what reaches them while the float network runs on the calibration data. A body becomes an entry of
// QuantPlan::bodies. Captured weights and activations that the network rounds keep its scales. Conditions: a weight
// that they capture is rounded, and the body has run on the calibration data. Of many runs (loops), mostRuns are kept,
// evenly spread.
#include "core/ir/subgraphs.h"
#include "core/pass/body_model.h"

#include <algorithm>

namespace ql {

namespace {

const char *const quantizeBodiesId = "quantize_bodies";

using SharedGraph = std::shared_ptr<const Graph>;

/// What reached a body.
class RecordedRuns final : public BatchSource
{
public:
    std::size_t size() const override { return m_runs.size(); }
    Feed batch(std::size_t index) const override { return m_runs.at(index); }
    std::string name(std::size_t index) const override { return "run " + std::to_string(index); }

    /// Keeps every run at first; if there are too many, every second, every fourth ...
    void add(const Feed &values)
    {
        if (m_count++ % m_stride != 0) return;
        if (m_runs.size() == mostRuns) {
            for (std::size_t i = 1; i < mostRuns / 2; ++i) m_runs[i] = std::move(m_runs[2 * i]);
            m_runs.resize(mostRuns / 2);
            m_stride *= 2;
            if ((m_count - 1) % m_stride != 0) return;
        }
        Feed &kept = m_runs.emplace_back();
        for (const auto &[name, value] : values)
            kept.emplace(name, value.scalar_type() == at::ScalarType::Undefined ? value : value.clone());
    }

private:
    static constexpr std::size_t mostRuns = 64;
    std::vector<Feed> m_runs;
    std::size_t m_count = 0, m_stride = 1;
};

using BodyName = std::pair<OpId, std::string>;

std::map<BodyName, RecordedRuns> recordRuns(const Graph &graph, const PassContext &context)
{
    std::map<BodyName, RecordedRuns> runs;
    ProgramSpec spec;
    spec.bodyProbe = [&](OpId op, const std::string &body, const Feed &values) { runs[{op, body}].add(values); };
    const Executor executor(graph, context.exec);
    const Program program = executor.compile(spec);
    const std::size_t batches = std::min(context.calibrationSteps, context.calibration->size());
    for (std::size_t i = 0; i < batches; ++i) {
        context.job.checkpoint(0.5 * double(i) / double(batches), QL_TEXT("values that reach bodies"));
        program.run(context.calibration->batch(i), context.job, context.calibration->name(i));
    }
    return runs;
}

/// Types of tensors in the first and the last run; sizes that differ stay open.
void traceBody(Graph &body, const RecordedRuns &runs, const PassContext &context)
{
    const Executor executor(body, context.exec);
    auto types = executor.traceTypes(runs.batch(0), context.job);
    const auto others = executor.traceTypes(runs.batch(runs.size() - 1), context.job);
    for (auto &[id, type] : types) {
        const auto other = others.find(id);
        if (other == others.end()) continue;
        const auto &last = other->second.shape;
        if (!type.shape || !last || type.shape->size() != last->size())
            type.shape.reset();
        else
            for (std::size_t i = 0; i < last->size(); ++i)
                if ((*type.shape)[i].size != (*last)[i].size) (*type.shape)[i] = {};
        body.edit(id).type = type;
    }
}

class QuantizeBodies final : public Pass
{
public:
    std::string_view id() const override { return quantizeBodiesId; }

    int run(QuantModel &model, const PassContext &context) const override
    {
        const std::vector<OpId> ids = quantizedWithBodies(model);
        if (ids.empty() || !context.calibration || context.calibration->size() == 0) return 0;
        const auto runs = recordRuns(model.graph, context);
        PassContext own = context; // of one body
        int changed = 0;
        std::size_t done = 0;
        for (const OpId id : ids)
            for (const auto &[name, value] : model.graph.operation(id).attributes) {
                const SharedGraph *body = std::get_if<SharedGraph>(&value);
                if (!body || !*body) continue;
                const auto reached = runs.find({id, name});
                if (reached == runs.end()) {
                    context.report({.severity = api::Severity::Info,
                                    .op = model.graph.operation(id).name,
                                    .message = QL_TEXT("The body '%1' does not run on the calibration data: only its "
                                                       "weights are quantized.")
                                                   .with(name),
                                    .remedy = QL_TEXT("Add samples for which it runs.")});
                    continue;
                }
                const double from = double(done++) / double(runs.size()), to = double(done) / double(runs.size());
                own.job = context.job.part(0.5 + 0.5 * from, 0.5 + 0.5 * to);
                BodyModel inner = bodyModel(model, context.path, id, name, Origin::pass(quantizeBodiesId));
                traceBody(inner.model.graph, reached->second, own);
                own.calibration = &reached->second;
                own.calibrationSteps = reached->second.size();
                changed += quantizeBodyModel(model, id, name, std::move(inner), own);
            }
        return changed;
    }
};

const PassRegistrar quantizeBodiesRegistrar{
    {.info = {.id = "quantize_bodies",
              .title = QL_TEXT("Bodies"),
              .meaning = QL_TEXT("Before: only the weights of bodies of If, Loop and Scan are quantized. After: their "
                                 "activations, too, calibrated on the values that reach each body.")},
     .traits = {.kind = PassKind::Quant, .needsData = true, .isOptional = true, .needs = {PassAspect::ParameterScales}},
     .make = makePassOf<QuantizeBodies>}};

} // namespace

std::string quantizeBodiesPassId()
{
    return quantizeBodiesId;
}

} // namespace ql
