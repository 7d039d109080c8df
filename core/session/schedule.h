#pragma once

#include "core/base/job.h"
#include "core/session/prepare.h"

#include <cstddef>
#include <vector>

namespace ql {

/// The ends of a run's parts, 0..1: by their estimated number of float passes, so that the remaining time can be
/// derived from the finished part.
class Schedule
{
public:
    explicit Schedule(const RunState &state);

    JobContext calibration(const JobContext &job) const { return part(job, 0, m_calibration); }
    JobContext analysis(const JobContext &job, std::size_t index) const;
    /// Outputs without graphwise errors, distributions, exports.
    JobContext rest(const JobContext &job, double from, double to) const;
    /// Float passes over one batch that the recipe asks for. What a run adds to that (the ranking of tensors, trials of
    /// remedies) is bounded by shares of it: by an estimate and not by a clock, so that equal recipes give equal
    /// reports.
    double passes() const { return m_passes; }

private:
    double all() const;
    JobContext part(const JobContext &job, double from, double to) const;

    double m_calibration = 0, m_rest = 0, m_passes = 0;
    std::vector<double> m_analyses;
};

} // namespace ql
