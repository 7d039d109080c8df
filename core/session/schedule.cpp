#include "core/session/schedule.h"

#include "core/analysis/analyser.h"
#include "core/base/plugin.h"
#include "core/pass/pass.h"
#include "core/session/recipe_fields.h"
#include "core/session/tried_remedies.h"

#include <numeric>

namespace ql {

/// Import, format, first configs.
static constexpr double preparedPart = 0.1;

Schedule::Schedule(const RunState &state)
{
    constexpr double passesOfObservation = 2;
    const double samples = state.calibration ? double(state.calibration->size()) : 0;
    for (const api::StepRequest &step : *state.recipe.passes)
        if (step.enabled && passTraits(step.id).needsData) m_calibration += passesOfObservation * samples;
    const double evaluated = state.evaluation ? double(state.evaluation->size()) : 0;
    m_passes = m_calibration;
    const api::StepRequest *trials = remedyTrials(state.recipe);
    for (const api::StepRequest &step : state.recipe.analyses) {
        const AnalyserEntry &entry = Registry<AnalyserEntry>::instance().at(step.id, QL_TEXT("analysis"));
        try {
            m_analyses.push_back(evaluated * entry.passes(state.model, step.params));
        } catch (...) {
            throwNamed<AnalyserEntry>(QL_TEXT("analysis '%1'").with(step.id), step.id);
        }
        if (&step != trials) m_passes += m_analyses.back();
    }
    const bool measuresOutputs = !state.recipe.analyses.empty() && !requestOf(state.recipe, "graphwise");
    m_rest = (measuresOutputs ? 2 * evaluated : 0) + (state.options.distributions ? 4 * evaluated : 0) +
             0.05 * (m_calibration + std::accumulate(m_analyses.begin(), m_analyses.end(), 1.0));
}

JobContext Schedule::analysis(const JobContext &job, std::size_t index) const
{
    const double before =
        std::accumulate(m_analyses.begin(), m_analyses.begin() + std::ptrdiff_t(index), m_calibration);
    return part(job, before, before + m_analyses[index]);
}

JobContext Schedule::rest(const JobContext &job, double from, double to) const
{
    const double before = all() - m_rest;
    return part(job, before + from * m_rest, before + to * m_rest);
}

double Schedule::all() const
{
    return std::accumulate(m_analyses.begin(), m_analyses.end(), m_calibration + m_rest);
}

JobContext Schedule::part(const JobContext &job, double from, double to) const
{
    return job.part(preparedPart + (1 - preparedPart) * from / all(), preparedPart + (1 - preparedPart) * to / all());
}

} // namespace ql
