#include "core/verify/local.h"

#include "core/exec/target_rounding.h"
#include "core/ir/op_traits.h"

#include <algorithm>
#include <cmath>

namespace ql {

namespace {

std::set<VarId> usableTensors(const LocalContext &context, std::size_t index)
{
    std::set<VarId> out;
    for (std::size_t i = 0; i < context.usable; ++i)
        if (i != index) out.insert(context.tensors[i].variable);
    return out;
}

} // namespace

double borderDistance(double inSteps)
{
    return std::abs(inSteps - std::floor(inSteps) - 0.5);
}

LocalProgram::LocalProgram(const LocalContext &context, std::size_t index, bool withRaw,
                           std::optional<Replaced> replaced)
    : m_context(context), m_index(index), m_replaced(std::move(replaced)), m_plan(context.model.plan)
{
    const AlignedTensor &tensor = context.tensors[index];
    const Graph &graph = context.model.graph;
    if (tensor.isInput(graph)) return;
    std::set<VarId> known = usableTensors(context, index);
    if (m_replaced) {
        m_plan.integerOps.clear(); // the values are not codes
        known.insert(m_replaced->variable);
    }
    m_segment = segmentOf(graph, tensor.variable, known);
    m_raw = std::make_shared<at::Tensor>();
    if (withRaw) {
        for (auto &[id, kernel] : m_plan.kernels)
            if (kernel.sums == TargetKernel::Sums::Mnn) kernel.sums = TargetKernel::Sums::Integer; // rounds its result
        const Operation &op = graph.operation(graph.variable(tensor.variable).producer);
        if (isLinearActivation(op) && op.hasInput(0)) // an integer layer rounds ahead of it
            m_plan.integerOps.erase(graph.variable(op.inputs[0]).producer);
    }
    roundFeeds();
    ProgramSpec spec;
    spec.plan = &m_plan;
    spec.feeds = m_segment.feeds;
    spec.outputs = {tensor.variable};
    if (withRaw && tensor.slot && tensor.slot->output)
        spec.probes.push_back({*tensor.slot, ProbePoint::Raw,
                               [raw = m_raw](const at::Tensor &value, std::size_t) { *raw = value.clone(); }});
    m_program = context.executor.compile(spec);
}

/// Values of the runtime are on the grid of their tensor already: rounding them again where they are read changes none,
/// but lets the simulator compute in integers as in the whole model.
void LocalProgram::roundFeeds()
{
    const Graph &graph = m_context.model.graph;
    if (m_replaced) // a hypothesis is read as it is
        for (const Use &use : graph.variable(m_replaced->variable).uses)
            if (const Slot slot = inputSlot(use.op, std::size_t(use.index)); m_plan.simulated(slot))
                m_plan.setState(slot, QuantState::Off, Origin());
    for (const AlignedTensor &tensor : m_context.tensors) {
        const auto &feeds = m_segment.feeds;
        if (!tensor.slot || std::find(feeds.begin(), feeds.end(), tensor.variable) == feeds.end()) continue;
        if (m_replaced && m_replaced->variable == tensor.variable) continue;
        for (const Use &use : graph.variable(tensor.variable).uses) {
            const Slot slot = inputSlot(use.op, std::size_t(use.index));
            const TensorQuantConfig *config = m_plan.find(slot);
            if (config && config->state == QuantState::Overlapped &&
                targetScale(graph, m_plan, slot) == tensor.steps.scale &&
                m_plan.zeroPoint(slot) == m_plan.zeroPoint(*tensor.slot))
                m_plan.setState(slot, QuantState::Passive, Origin());
        }
    }
}

at::Tensor LocalProgram::feedValue(std::size_t batch, VarId id) const
{
    if (m_replaced && m_replaced->variable == id) return m_replaced->value(batch);
    for (std::size_t i = 0; i < m_context.usable; ++i)
        if (m_context.tensors[i].variable == id) return m_context.values(batch, m_context.tensors[i]);
    return m_context.data.batch(batch).at(m_context.model.graph.variable(id).name);
}

at::Tensor LocalProgram::simulated(std::size_t batch) const
{
    const AlignedTensor &tensor = m_context.tensors[m_index];
    const Graph &graph = m_context.model.graph;
    if (!m_program)
        return roundedForTarget(m_context.data.batch(batch).at(graph.variable(tensor.variable).name), graph, m_plan,
                                *tensor.slot)
            .contiguous();
    std::vector<at::Tensor> feeds;
    for (const VarId id : m_program->feeds()) feeds.push_back(feedValue(batch, id).contiguous());
    const at::Tensor result = m_program->run(feeds, m_context.job, m_context.data.name(batch), batch).front();
    if (!tensor.isRoundedByReaders(graph)) return result.contiguous();
    *m_raw = result;
    return roundedForTarget(result, graph, m_plan, *tensor.slot).contiguous();
}

LocalValues LocalProgram::run(std::size_t batch) const
{
    const AlignedTensor &tensor = m_context.tensors[m_index];
    LocalValues out;
    out.simulator = simulated(batch);
    out.runtime = m_context.values(batch, tensor).reshape(out.simulator.sizes()).contiguous();
    if (!m_program)
        out.raw = m_context.data.batch(batch).at(m_context.model.graph.variable(tensor.variable).name);
    else
        out.raw = *m_raw;
    if (out.raw.defined()) out.raw = out.raw.contiguous();
    return out;
}

api::LocalAgreement localAgreement(const LocalContext &context, std::size_t index, const std::vector<at::Tensor> &whole)
{
    const AlignedTensor &tensor = context.tensors[index];
    api::LocalAgreement local;
    const LocalProgram program(context, index, false);
    std::optional<LocalProgram> withRaw;
    for (std::size_t batch = 0; batch < context.data.size(); ++batch) {
        LocalValues values = program.run(batch);
        const float *r = values.runtime.data_ptr<float>(), *s = values.simulator.data_ptr<float>();
        const float *w = whole.empty() ? s : whole[batch].data_ptr<float>();
        const std::int64_t count = values.simulator.numel();
        if (!tensor.steps.isQuantized()) {
            double largest = 0, apart = 0;
            for (std::int64_t i = 0; i < count; ++i) largest = std::max(largest, std::abs(double(s[i])));
            for (std::int64_t i = 0; i < count; ++i) {
                const double d = std::min(std::abs(double(r[i]) - s[i]), std::abs(double(r[i]) - w[i]));
                if (!(d <= tolerancePart * largest)) ++local.differing;
                apart = std::max(apart, d);
            }
            if (largest > 0) local.worstSteps = std::max(local.worstSteps, apart / largest);
            continue;
        }
        const Steps::OfTensor steps(tensor.steps, values.simulator);
        const auto differs = [&](std::int64_t i) {
            const double apart = std::min(std::abs(double(r[i]) - s[i]), std::abs(double(r[i]) - w[i])) / steps[i];
            return !(apart <= sameCodeAt(s[i] / steps[i]));
        };
        std::vector<std::int64_t> differing;
        for (std::int64_t i = 0; i < count; ++i)
            if (differs(i)) differing.push_back(i);
        local.differing += std::int64_t(differing.size());
        if (differing.empty()) continue;
        if (!withRaw) withRaw.emplace(context, index, true);
        const at::Tensor raw = withRaw->run(batch).raw;
        const float *before = raw.defined() ? raw.data_ptr<float>() : nullptr;
        for (const std::int64_t i : differing) {
            const double apart = std::abs(double(r[i]) - s[i]) / steps[i];
            local.worstSteps = std::max(local.worstSteps, apart);
            if (before && std::abs(apart - 1) <= sameCodeAt(s[i] / steps[i]) &&
                borderDistance(before[i] / steps[i]) <= tieDistance)
                ++local.ties;
        }
    }
    return local;
}

} // namespace ql
