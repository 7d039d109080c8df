// The changes of every pass of a pipeline, and the model's output error after it.
#include "core/exec/threads.h"
#include "core/session/output_errors.h"
#include "core/session/prepare.h"

#include <algorithm>
#include <map>

namespace ql {

namespace {

/// Slots with their current scale, so that a follower of a changed root counts as changed, too.
struct Shown
{
    TensorQuantConfig config;
    std::vector<float> scale;
    std::vector<std::int32_t> zeroPoint;
};

using Slots = std::map<Slot, Shown>;

Slots shownSlots(const QuantPlan &plan)
{
    Slots slots;
    for (const auto &[slot, config] : plan.configs()) slots[slot] = {config, plan.scale(slot), plan.zeroPoint(slot)};
    return slots;
}

std::vector<std::string> changedFields(const Shown *before, const Shown &after)
{
    std::vector<std::string> fields;
    if (!before) return {"config"};
    const TensorQuantConfig &a = before->config, &b = after.config;
    const auto note = [&](bool isOther, const char *name) {
        if (isOther) fields.emplace_back(name);
    };
    note(a.bits != b.bits || a.exponentBits != b.exponentBits, "bits");
    note(a.quantMin != b.quantMin || a.quantMax != b.quantMax, "range");
    note(a.symmetric != b.symmetric, "symmetric");
    note(a.channelAxis != b.channelAxis || a.groupSize != b.groupSize, "granularity");
    note(a.observer != b.observer, "observer");
    note(a.state != b.state, "state");
    note(a.parent != b.parent, "shared");
    note(before->scale != after.scale || before->zeroPoint != after.zeroPoint, "scale");
    return fields;
}

/// Collects one row per pass as the stages run.
class History
{
public:
    History(RunState &state, const JobContext &job) : m_state(state), m_job(job) {}

    void take(const std::string &id, const std::string &key, const QuantModel &model)
    {
        const Slots slots = shownSlots(model.plan);
        api::PassHistoryRow row;
        row.id = id;
        row.key = key;
        std::map<OpId, std::size_t> places; // in row.operations
        const auto add = [&](OpId op, api::PassHistoryRow::ChangedSlot slot) {
            const auto [place, isNew] = places.try_emplace(op, row.operations.size());
            if (isNew) row.operations.push_back({model.graph.operation(op).name, {}});
            row.operations[place->second].slots.push_back(std::move(slot));
        };
        for (const auto &[slot, now] : slots) {
            const auto before = m_slots.find(slot);
            auto fields = changedFields(before == m_slots.end() ? nullptr : &before->second, now);
            if (fields.empty() || !model.graph.contains(slot.op)) continue;
            const VarId variable = variableOf(model.graph, slot);
            add(slot.op, {roleOf(model.graph, slot), slot.index,
                          variable == noVar ? std::string() : model.graph.variable(variable).name, std::move(fields)});
        }
        addValues(model, add);
        const bool isQuantized =
            std::any_of(slots.begin(), slots.end(), [](const auto &entry) { return !entry.second.scale.empty(); });
        if (isQuantized && m_state.evaluation) row.outputs = outputErrors(m_state, model, key, m_job);
        m_slots = slots;
        rows.push_back(std::move(row));
    }

    std::vector<api::PassHistoryRow> rows;

private:
    /// Parameters with other values: a float pass replaces them, a quantization pass stores its own next to the graph.
    template <class Add>
    void addValues(const QuantModel &model, const Add &add)
    {
        std::map<VarId, at::Tensor> values;
        for (const VarId id : model.graph.variables())
            if (model.graph.isParameter(id)) values[id] = model.plan.parameterValue(model.graph, id);
        for (const auto &[id, value] : values) {
            const auto before = m_values.find(id);
            if (rows.empty() || (before != m_values.end() && before->second.is_same(value))) continue;
            if (before != m_values.end() && before->second.sizes() == value.sizes() && before->second.equal(value))
                continue;
            for (const Use &use : model.graph.variable(id).uses)
                add(use.op, {api::SlotRole::Parameter, use.index, model.graph.variable(id).name, {"values"}});
        }
        m_values = std::move(values);
    }

    RunState &m_state;
    JobContext m_job;
    Slots m_slots;
    std::map<VarId, at::Tensor> m_values;
};

} // namespace

std::vector<api::PassHistoryRow> passHistory(const api::Recipe &recipe, const RunOptions &options,
                                             const JobContext &job)
{
    const ThreadScope threads(threadsFor(recipe.threads));
    RunState state = startRun(recipe, options);
    History history(state, job);
    state.options.passDone = [&](const std::string &id, const std::string &key, const QuantModel &model) {
        job.checkpoint(0.5, id.empty() ? QL_TEXT("passes") : Text(id));
        history.take(id, key, model);
    };
    importStages(state, job, true);
    dispatchStage(state);
    configureStages(state, job);
    quantizeStages(state, job);
    // Counts and times are those of the run itself
    for (api::PassHistoryRow &row : history.rows)
        for (const api::PassRow &pass : state.passes)
            if (pass.id == row.id) {
                row.changed = pass.changed;
                row.seconds = pass.seconds;
            }
    return history.rows;
}

} // namespace ql
