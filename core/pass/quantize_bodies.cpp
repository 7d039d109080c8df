// Before: If(c, w) { Conv(x, w) }, with w rounded        After: the body computes as {Q -> Conv(x, w) -> Q}
//
// Bodies of quantized operations (If, Loop, Scan) are quantized as separate networks: with the recipe's passes,
// calibrated on what reaches them while the float network runs on the calibration data. A body becomes an entry of
// QuantPlan::bodies. Captured weights and activations that the network rounds keep its scales. Conditions: a weight
// that they capture is rounded, and the body has run on the calibration data. Of many runs (loops), mostRuns are kept,
// evenly spread.
#include "core/ir/subgraphs.h"
#include "core/pass/pass.h"

#include <algorithm>

namespace ql {

namespace {

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

/// The results of a body that its next run reads.
std::vector<VarId> statesOf(const Operation &op, const Graph &body)
{
    std::size_t first = 0, count = 0;
    if (op.type == "Loop") { // condition, states, scan outputs
        first = 1;
        count = formalInputCount(op) - std::min<std::size_t>(formalInputCount(op), 2);
    } else if (op.type == "Scan") {
        const std::size_t lengths = op.opset < 9 ? 1 : 0;
        const auto sequences = std::size_t(op.intAttribute("num_scan_inputs", 0));
        count = formalInputCount(op) - std::min(formalInputCount(op), lengths + sequences);
    }
    std::vector<VarId> states;
    for (std::size_t i = first; i < std::min(first + count, body.outputs().size()); ++i)
        states.push_back(body.outputs()[i]);
    return states;
}

class QuantizeBodies final : public Pass
{
public:
    std::string_view id() const override { return "quantize_bodies"; }

    int run(QuantModel &model, const PassContext &context) const override
    {
        std::vector<OpId> ids = model.graph.operations();
        std::erase_if(ids, [&](OpId id) {
            if (bodies(model.graph.operation(id)).empty()) return true;
            const std::vector<Slot> slots = model.plan.slotsOf(id);
            return std::none_of(slots.begin(), slots.end(), [&](Slot slot) { return model.plan.simulated(slot); });
        });
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
                changed += quantize(model, id, name, **body, reached->second, own);
            }
        return changed;
    }

private:
    static int quantize(QuantModel &model, OpId id, const std::string &name, const Graph &body,
                        const RecordedRuns &runs, const PassContext &context)
    {
        const Operation &op = model.graph.operation(id);
        QuantModel inner;
        inner.graph = body;
        inner.graph.opsets = model.graph.opsets;
        const std::vector<VarId> formal = body.inputs();
        std::vector<VarId> inputs = formal;
        BodyRequest request{model.platformOf(id), Origin::pass("quantize_bodies"), statesOf(op, body), {}, {}};
        const std::vector<std::string> names = captureNames(op);
        const std::vector<std::size_t> weights = weightsOfBodies(model.graph, op);
        for (std::size_t k = 0; k < names.size(); ++k) {
            const VarId captured = capturedTensor(body, names[k]);
            if (captured == noVar) continue;
            const std::size_t input = formalInputCount(op) + k;
            const VarId outer = op.inputs[input];
            if (model.graph.isParameter(outer)) {
                inner.graph.setValue(captured, model.graph.variable(outer).value);
                if (const auto own = model.plan.parameterValues.find(outer); own != model.plan.parameterValues.end())
                    inner.plan.parameterValues.emplace(captured, own->second);
            } else {
                inputs.push_back(captured);
            }
            if (const auto rounded = roundedBy(model, inputSlot(id, input)))
                request.rounded.emplace(captured, *rounded);
            else if (std::find(weights.begin(), weights.end(), input) != weights.end())
                request.unrounded.push_back(captured);
        }
        inner.graph.setInputs(std::move(inputs));
        traceBody(inner.graph, runs, context);
        PassContext own = context;
        own.calibration = &runs;
        own.calibrationSteps = runs.size();
        own.cache = nullptr;
        own.rounding = nullptr;
        own.cacheKey.clear();
        const auto values = inner.plan.parameterValues;
        context.quantizeBody(inner, request, own);
        inner.plan.parameterValues.insert(values.begin(), values.end());
        inner.graph.setInputs(formal);
        int changed = 0;
        for (const auto &[slot, config] : inner.plan.configs()) changed += inner.plan.simulated(slot) != nullptr;
        if (changed > 0) model.plan.bodies[id][name] = std::make_shared<const QuantModel>(std::move(inner));
        return changed;
    }

    /// The config, with its scale, of the slot that rounds what is read at slot; nothing if it is not rounded.
    static std::optional<TensorQuantConfig> roundedBy(const QuantModel &model, Slot slot)
    {
        const Variable &variable = model.graph.variable(variableOf(model.graph, slot));
        if (!variable.isParameter()) {
            if (variable.producer == noOp) return std::nullopt;
            slot = outputSlot(variable.producer, std::size_t(variable.producerIndex));
        }
        const TensorQuantConfig *config = model.plan.simulated(slot);
        if (!config || config->dynamic) return std::nullopt;
        TensorQuantConfig rounded = *config;
        rounded.scale = model.plan.scale(slot);
        rounded.zeroPoint = model.plan.zeroPoint(slot);
        return rounded;
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
} // namespace ql
