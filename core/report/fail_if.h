#pragma once

#include "core/api/run_report.h"
#include "core/api/tune.h"
#include "core/base/error.h"

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ql {

/// What is known about the metric of goals.
struct MetricValues
{
    double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
    bool isLoss = false;        ///< the smaller the better
    std::optional<double> fp32; ///< of the float model; unset: not measured yet
};

/// A condition over a report ("quantloupe-report/1") under which a run counts as failed, for CI systems:
///
///     output.sqnr_db<20                any graph output
///     output[logits].mse>1e-3          the output of that name, of a goal also any tensor; it may be a pattern (*, ?)
///     any.graphwise.noise_ratio>0.1    any op; "any." may be omitted
///     all.layerwise.cosine>=0.99       every op (and there is at least one)
///     metric.drop>0.01                 float minus quantized, of any metric; also fp32, quantized; metric[top1]
///     problems.error>0                 their number; also warning, info, total
///     seconds>60, peak_rss_mib>2048    of the whole run
///     regression>0.5%                  what any metric lost against the report of another run (the baseline); without
///                                      labels: the share of its SQNR that any output lost
///
/// The same expressions are goals of a search, where every entry must meet them; these also know what a model costs:
///
///     int8.macs>90%                    share of the multiplications in 8 bits or fewer
///     cost.mac_bits<10                 mean bits of a multiplication; cost.weight_bytes;
///                                      cost.time by the user's table of times
///
/// Operators: < <= > >= == !=. The number may end in % (5% is 0.05). Fields of output, graphwise and layerwise:
/// noise_ratio, sqnr_db, cosine, mse, max_abs. Spaces around the operator do not matter.
///
/// An undefined measure (null in the report) meets every condition: what cannot be measured must not pass. Without any
/// noise sqnr_db is infinite, which the report also writes as null; then noise_ratio is 0.
class FailIf
{
public:
    enum class Quantifier { Any, All };
    enum class Use { Condition, Goal };
    enum class Operator { Less, LessEqual, Greater, GreaterEqual, Equal, NotEqual };

    /// An entry that met the condition.
    struct Hit
    {
        std::string name;            ///< of the op, output or metric; empty for problems, seconds and memory
        std::optional<double> value; ///< empty if undefined
    };
    struct Result
    {
        bool held = false;
        std::vector<Hit> hits; ///< worst first; empty if the condition did not hold
        std::string message;   ///< one line with the value that met the condition, or the nearest one
    };

    /// @throws Error (BadConfig) that names the legal words and the nearest one.
    static FailIf parse(std::string_view expression, Use use = Use::Condition);
    /// @throws Error (BadConfig) if the report lacks what the condition needs: an analysis that was not run, a name
    /// that no op has, a metric without labels in the data.
    Result evaluate(const api::Report &report, const api::Report *baseline = nullptr) const;
    /// Of a goal: the entry that is farthest from meeting it. Unset: undefined, which does not meet it.
    std::optional<double> worstOf(const api::Report &report, const api::TuneCost &cost) const;
    bool isMetBy(const std::optional<double> &worst) const { return worst && holds(worst); }
    /// Of a goal: how far a value is from meeting it; negative: how far beyond it. Infinite if undefined.
    double shortBy(const std::optional<double> &value) const;
    /// Of a goal: whether it is about the error at this output (or inner tensor), or at any.
    bool isAboutOutput(const std::string &output) const;
    bool isAboutOutputs() const { return m_section == "output"; }
    /// About outputs of some name, which no output has.
    bool isAboutNoneOf(const std::vector<std::string> &outputs) const;
    /// Of a goal about outputs: what the value would be with so many times the noise. Those that do not follow from the
    /// noise (max_abs, equal_share) stay as they are. Of a goal about a metric, if that differs from its value in
    /// float, fp32, in proportion to the noise.
    double withNoise(double value, double times, const std::optional<double> &fp32 = {}) const;
    /// Of a goal about the cost.
    double valueIn(const api::TuneCost &cost) const;
    std::string shown(double value) const; ///< in percent if the limit is
    /// About the cost of a model, not about what was measured.
    bool isAboutCost() const { return m_section == "int8" || m_section == "cost"; }
    bool isAboutTime() const { return m_section == "cost" && m_field == "time"; }
    bool isAboutMetric() const { return m_section == "metric"; }
    /// Whether it needs a baseline.
    bool isAboutBaseline() const { return m_section == "regression"; }
    /// Of a goal that no recipe can meet: it names none of the tensors, or there is no table of times.
    /// @throws Error (BadConfig)
    void refuseMissing(const std::vector<std::string> &tensors, bool hasTimes) const;
    /// Of a goal that no recipe can meet, because its limit is beyond all values. @throws Error (BadConfig)
    void refuseImpossible(const MetricValues &metric) const;
    const std::string &text() const { return m_text; }
    /// The analysis that the condition needs ("graphwise", "layerwise"), or an empty string.
    std::string analysis() const;

private:
    std::pair<double, double> possibleRange(const MetricValues &metric) const; ///< of a goal's value
    /// For the hits.
    std::vector<Hit> candidates(const api::Report &report, const api::Report *baseline) const;
    std::vector<Hit> named(std::vector<Hit> candidates) const; ///< those that the expression names
    bool holds(const std::optional<double> &value) const;
    Error missing(const Text &message, const Text &remedy) const;

    std::string m_option; ///< that gave it, for messages
    std::string m_text;   ///< as written, trimmed
    Quantifier m_quantifier = Quantifier::Any;
    std::string m_section, m_name, m_field; ///< m_name: pattern, empty for all
    Operator m_operator = Operator::Less;
    double m_limit = 0.0;
};

} // namespace ql
