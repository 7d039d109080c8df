#pragma once

#include "core/api/run_report.h"

#include <string>
#include <vector>

namespace ql {

/// The outcome of a --fail-if condition.
struct CheckOutcome
{
    std::string condition;
    bool held = false;    ///< the run counts as failed
    std::string message;  ///< one line with the value
    bool isError = false; ///< it could not be checked, which counts as failed
};

/// What a comparison with the baseline should say first: it is of another model, or of another version of its file; or
/// its metric is of another number of samples. Empty if none of this holds.
std::string noteOnBaseline(const api::Report &report, const api::Report &baseline);
/// A JUnit file with a test case for each condition, for CI systems: <testsuites><testsuite><testcase>. Without
/// conditions there is one case, the run itself.
std::string junitReport(const std::vector<CheckOutcome> &outcomes, const api::Report &report);
/// A few lines of Markdown for a pull request: conditions, outputs and metrics, with those of a baseline if there is
/// one, and the first problems.
std::string markdownSummary(const std::vector<CheckOutcome> &outcomes, const api::Report &report,
                            const api::Report *baseline);

} // namespace ql
