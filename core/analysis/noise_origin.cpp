#include "core/analysis/noise_origin.h"

#include "core/quant/device.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

namespace ql {

static ExecOptions hostOptions(const AnalysisContext &context)
{
    ExecOptions options = context.exec;
    options.device = "cpu";
    return options;
}

NoiseOrigins::NoiseOrigins(const AnalysisContext &context, const QuantModel &model, BodyPath path,
                           const std::map<std::pair<BodyPath, OpId>, std::string> &names)
    : m_context(context), m_model(model), m_graph(model.graph), m_path(std::move(path)), m_names(names),
      m_executor(m_graph, hostOptions(context)), m_feeds(m_graph.inputs())
{
    for (const OpId id : m_graph.topological())
        if (model.isQuantized(id)) addOperation(id);
    if (!m_path.empty())
        for (const VarId id : m_graph.variables()) {
            const Variable &variable = m_graph.variable(id);
            if (variable.producer == noOp && !variable.isParameter() && !m_graph.isGraphInput(id) &&
                !variable.uses.empty())
                m_feeds.push_back(id); // captured
        }
    for (const auto &[owner, bodies] : model.plan.bodies)
        for (const auto &[attribute, body] : bodies) {
            BodyPath inner = m_path;
            inner.emplace_back(owner, attribute);
            m_bodies[{owner, attribute}] = std::make_unique<NoiseOrigins>(context, *body, std::move(inner), names);
        }
}

void NoiseOrigins::addOperation(OpId id)
{
    const Operation &op = m_graph.operation(id);
    Explained explained;
    explained.op = id;
    for (const VarId output : op.outputs)
        if (output != noVar && explained.output == noVar) explained.output = output;
    if (explained.output == noVar) return;
    for (const VarId input : op.inputs)
        if (input != noVar && !m_graph.isParameter(input) &&
            std::find(explained.inputs.begin(), explained.inputs.end(), input) == explained.inputs.end())
            explained.inputs.push_back(input);
    if (explained.inputs.empty()) return;
    explained.through.resize(explained.inputs.size());
    m_operations.push_back(std::move(explained));
}

/// Observes every tensor that an operation reads or writes, as its readers get it, and what reaches bodies.
void NoiseOrigins::compile(Network &network, const QuantPlan *plan)
{
    constexpr std::size_t mostRuns = 64; // of a body, per batch
    ProgramSpec spec;
    spec.plan = plan;
    if (!m_path.empty()) spec.feeds = m_feeds;
    std::set<VarId> wanted;
    for (const Explained &explained : m_operations) {
        wanted.insert(explained.output);
        wanted.insert(explained.inputs.begin(), explained.inputs.end());
    }
    for (const VarId id : wanted) {
        const OpId producer = m_graph.variable(id).producer;
        if (producer == noOp) continue;
        const std::vector<VarId> &outputs = m_graph.operation(producer).outputs;
        const auto place = std::size_t(std::find(outputs.begin(), outputs.end(), id) - outputs.begin());
        spec.probes.push_back({outputSlot(producer, place), ProbePoint::Quantized,
                               [&network, id](const at::Tensor &t, std::size_t) { network.values[id] = t.clone(); }});
    }
    if (!m_bodies.empty())
        spec.bodyProbe = [this, &network](OpId op, const std::string &body, const Feed &values) {
            if (!m_bodies.contains({op, body}) || network.runs[{op, body}].size() == mostRuns) return;
            Feed &kept = network.runs[{op, body}].emplace_back();
            for (const auto &[name, value] : values)
                kept.emplace(name, value.scalar_type() == at::ScalarType::Undefined ? value : value.clone());
        };
    network.program.emplace(m_executor.compile(spec));
}

std::vector<at::Tensor> NoiseOrigins::run(Network &network, const Feed &feed, std::size_t batch) const
{
    network.values.clear();
    network.runs.clear();
    std::vector<at::Tensor> values;
    for (const VarId id : m_feeds)
        if (const auto given = feed.find(m_graph.variable(id).name); given != feed.end())
            network.values[id] = given->second;
    if (m_path.empty()) return network.program->run(feed, m_context.job, m_context.data->name(batch), batch);
    for (const VarId id : network.program->feeds()) values.push_back(network.values.at(id));
    return network.program->run(values, m_context.job, {}, batch);
}

NoiseOrigins::Outputs NoiseOrigins::run(const Feed &floating, const Feed &rounded, std::int64_t samples,
                                        std::size_t batch)
{
    if (!m_floating.program) {
        compile(m_floating, nullptr);
        compile(m_rounded, &m_model.plan);
    }
    Outputs outputs{run(m_floating, floating, batch), run(m_rounded, rounded, batch)};
    for (Explained &explained : m_operations) explain(explained, samples);
    for (const auto &[name, body] : m_bodies) {
        const std::vector<Feed> &float32 = m_floating.runs[name], &quantized = m_rounded.runs[name];
        for (std::size_t k = 0; k < std::min(float32.size(), quantized.size()); ++k)
            body->run(float32[k], quantized[k], samples, batch);
    }
    return outputs;
}

NoiseOrigins::Outputs NoiseOrigins::addBatch(const Feed &feed, std::size_t batch)
{
    const std::int64_t samples = samplesPerBatch(feed);
    Outputs outputs = run(feed, feed, samples, batch);
    finishBatch(samples);
    return outputs;
}

/// Samples in which a body did not run have no number.
void NoiseOrigins::finishBatch(std::int64_t samples)
{
    for (Explained &explained : m_operations) {
        explained.batch.resize(std::size_t(samples));
        for (const ErrorMeasure &one : explained.batch)
            explained.samples.push_back(one.empty() ? std::nullopt : ifFinite(one.noiseRatio()));
        explained.batch.clear();
    }
    for (const auto &[name, body] : m_bodies) body->finishBatch(samples);
}

/// Nothing if a value that the program reads is missing.
std::optional<at::Tensor> NoiseOrigins::alone(const Program &program,
                                              const std::function<const Values &(VarId)> &from) const
{
    std::vector<at::Tensor> feeds;
    for (const VarId feed : program.feeds()) {
        const Values &values = from(feed);
        const auto value = values.find(feed);
        if (value == values.end()) return std::nullopt;
        feeds.push_back(value->second);
    }
    return program.run(feeds, m_context.job).at(0);
}

void NoiseOrigins::compile(Explained &explained) const
{
    ProgramSpec spec;
    spec.feeds = explained.inputs;
    spec.outputs = {explained.output};
    explained.floating.emplace(m_executor.compile(spec));
    const std::set<OpId> only{explained.op};
    spec.plan = &m_model.plan;
    spec.onlyQuantized = &only;
    explained.rounding.emplace(m_executor.compile(spec));
}

void NoiseOrigins::explain(Explained &explained, std::int64_t samples)
{
    const Values &original = m_floating.values, &rounded = m_rounded.values;
    const auto fp = original.find(explained.output), q = rounded.find(explained.output);
    if (fp == original.end() || q == rounded.end() || !at::isFloatingType(fp->second.scalar_type())) return;
    if (fp->second.sizes() != q->second.sizes()) return; // of a body that ran with others
    if (!explained.floating) compile(explained);
    const std::int64_t rows = rowsOf(fp->second, samples);
    explained.all.add(fp->second, q->second, rows);
    explained.batch.resize(std::size_t(samples));
    for (std::int64_t s = 0; s < samples; ++s) { // of a tensor without samples: the same for each
        ErrorMeasure &one = explained.batch[std::size_t(s)];
        if (rows == samples)
            one.add(fp->second.narrow(0, s, 1), q->second.narrow(0, s, 1), 1);
        else
            one.add(fp->second, q->second, 1);
    }
    const auto add = [&](ErrorMeasure &measure, const std::optional<at::Tensor> &other) {
        if (other && other->sizes() == fp->second.sizes()) measure.add(fp->second, *other, rows);
    };
    add(explained.added, alone(*explained.rounding, [&](VarId) -> const Values & { return original; }));
    for (std::size_t i = 0; i < explained.inputs.size(); ++i)
        add(explained.through[i], alone(*explained.floating, [&](VarId id) -> const Values & {
                return id == explained.inputs[i] ? rounded : original;
            }));
}

void NoiseOrigins::addRows(std::vector<api::NoiseOrigin> &rows) const
{
    const auto nameOf = [&](OpId id) { return m_path.empty() ? m_graph.operation(id).name : m_names.at({m_path, id}); };
    for (const OpId id : m_graph.topological()) {
        const auto explained = std::find_if(m_operations.begin(), m_operations.end(),
                                            [&](const Explained &e) { return e.op == id && !e.all.empty(); });
        if (explained != m_operations.end()) {
            api::NoiseOrigin &row = rows.emplace_back();
            row.op = nameOf(id);
            row.type = m_graph.operation(id).type;
            row.variable = m_graph.variable(explained->output).name;
            row.noiseRatio = ifFinite(explained->all.noiseRatio());
            if (!explained->added.empty()) row.added = ifFinite(explained->added.noiseRatio());
            for (std::size_t i = 0; i < explained->inputs.size(); ++i) {
                const Variable &input = m_graph.variable(explained->inputs[i]);
                api::NoiseEdge &edge = row.inputs.emplace_back();
                edge.variable = input.name;
                if (input.producer != noOp) edge.from = nameOf(input.producer);
                if (!explained->through[i].empty()) edge.noiseRatio = ifFinite(explained->through[i].noiseRatio());
            }
            row.samples = explained->samples;
        }
        for (const auto &[name, body] : m_bodies)
            if (name.first == id) body->addRows(rows);
    }
}

} // namespace ql
