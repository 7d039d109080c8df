#include "core/report/fail_if.h"

#include "core/base/strings.h"
#include "core/report/report_format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace ql {

namespace {

struct Section
{
    std::vector<std::string> fields;
    bool named = false;  // has named entries: any, all and [name] apply
    bool isCost = false; // for goals only
};

} // namespace

static const std::map<std::string, Section> &sections()
{
    static const std::vector<std::string> measures{"noise_ratio", "sqnr_db", "cosine", "mse", "max_abs"};
    std::vector<std::string> ofOutputs = measures;
    ofOutputs.push_back("equal_share");
    static const std::map<std::string, Section> all{{"graphwise", {measures, true}},
                                                    {"output", {ofOutputs, true}},
                                                    {"layerwise", {measures, true}},
                                                    {"metric", {{"drop", "fp32", "quantized"}, true}},
                                                    {"problems", {{"error", "warning", "info", "total"}, false}},
                                                    {"seconds", {}},
                                                    {"peak_rss_mib", {}},
                                                    {"regression", {}},
                                                    {"int8", {{"macs"}, false, true}},
                                                    {"cost", {{"mac_bits", "weight_bytes", "time"}, false, true}}};
    return all;
}

/// Whether expressions for this use may name a section.
static bool isFor(FailIf::Use use, const std::string &name, const Section &section)
{
    if (use == FailIf::Use::Condition) return !section.isCost;
    return section.isCost || name == "output" || name == "metric";
}

static std::vector<std::string> sectionNames(FailIf::Use use)
{
    std::vector<std::string> names;
    for (const auto &[name, section] : sections())
        if (isFor(use, name, section)) names.push_back(name);
    return names;
}

static constexpr std::array<std::pair<const char *, FailIf::Operator>, 6> operators{
    {{"<=", FailIf::Operator::LessEqual},
     {">=", FailIf::Operator::GreaterEqual},
     {"==", FailIf::Operator::Equal},
     {"!=", FailIf::Operator::NotEqual},
     {"<", FailIf::Operator::Less},
     {">", FailIf::Operator::Greater}}};

static Error wrongExpression(const std::string &option, std::string_view expression, const Text &message,
                             const Text &remedy)
{
    return Error(ErrorKind::BadConfig, QL_TEXT("%1 '%2': %3").with(Text::option(option), expression, message))
        .withRemedy(remedy);
}

// "Did you mean 'x'? Known: a, b, c."
static Text known(const std::string &word, const std::vector<std::string> &words)
{
    Text nearest = suggestion(word, words);
    const auto longer = std::find_if(words.begin(), words.end(),
                                     [&](const std::string &w) { return !word.empty() && w.starts_with(word); });
    if (nearest.isEmpty() && longer != words.end()) // sqnr for sqnr_db
        nearest = QL_TEXT("Did you mean %1?").with("'" + *longer + "'");
    return Text::sentences({nearest, knownNames(words)});
}

static double parseNumber(std::string_view number,
                          const std::function<Error(const Text &message, const Text &remedy)> &wrong)
{
    const bool percent = number.ends_with('%');
    const std::string digits(trim(percent ? number.substr(0, number.size() - 1) : number));
    double value = 0.0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value)) {
        throw wrong(QL_TEXT("expected a number after the operator, got '%1'").with(std::string(number)),
                    QL_TEXT("Write it like 20, 1e-3 or 5%."));
    }
    return percent ? value / 100.0 : value;
}

FailIf FailIf::parse(std::string_view expression, Use use)
{
    FailIf out;
    const std::string_view all = trim(expression);
    out.m_option = use == Use::Goal ? "--goal" : "--fail-if";
    out.m_text = all;
    const auto wrong = [&](const Text &message, const Text &remedy) { return out.missing(message, remedy); };

    // The number contains no operator, but a name may: search from the right, and prefer operators of two characters.
    const std::size_t last = all.find_last_of("<>=!");
    if (last == std::string_view::npos) {
        throw wrong(QL_TEXT("expected WHAT OPERATOR NUMBER, got no operator"),
                    QL_TEXT("Write it like output.sqnr_db<20; operators are < <= > >= == !=."));
    }
    const std::size_t first =
        last > 0 && std::string_view("<>=!").find(all[last - 1]) != std::string_view::npos ? last - 1 : last;
    const std::string_view symbol = all.substr(first, last - first + 1);
    const auto op =
        std::find_if(operators.begin(), operators.end(), [&](const auto &entry) { return entry.first == symbol; });
    if (op == operators.end()) {
        throw wrong(QL_TEXT("unknown operator '%1'").with(std::string(symbol)),
                    QL_TEXT("Operators are < <= > >= == !=."));
    }
    out.m_operator = op->second;
    out.m_limit = parseNumber(trim(all.substr(last + 1)), wrong);

    std::string_view what = trim(all.substr(0, first));
    if (what.starts_with("any.") || what.starts_with("all.")) {
        out.m_quantifier = what[1] == 'n' ? Quantifier::Any : Quantifier::All;
        what.remove_prefix(4);
    }
    const std::size_t open = what.find_first_of(".[");
    out.m_section = trim(what.substr(0, open));
    if (out.m_section == "outputs" || out.m_section == "metrics" || out.m_section == "problem") { // as in the report
        out.m_section = out.m_section == "problem" ? "problems" : out.m_section.substr(0, out.m_section.size() - 1);
    }
    const auto section = sections().find(out.m_section);
    if (section == sections().end() || !isFor(use, section->first, section->second)) {
        throw wrong(section == sections().end() ? QL_TEXT("unknown word '%1'").with(out.m_section)
                    : use == Use::Goal          ? QL_TEXT("'%1' cannot be a goal").with(out.m_section)
                                                : QL_TEXT("'%1' is known only as a goal of `tune`").with(out.m_section),
                    known(out.m_section, sectionNames(use)));
    }
    std::string_view rest = open == std::string_view::npos ? std::string_view() : what.substr(open);
    if (rest.starts_with('[')) {
        const std::size_t close = rest.rfind(']'); // names may contain brackets
        if (close == std::string_view::npos)
            throw wrong(QL_TEXT("the name has no closing ]"), QL_TEXT("Write it like output[logits].mse>1e-3."));
        out.m_name = rest.substr(1, close - 1);
        rest.remove_prefix(close + 1);
        if (out.m_name.empty())
            throw wrong(QL_TEXT("the name is empty"), QL_TEXT("Omit the brackets to test all of them."));
    }
    if (!section->second.named && (!out.m_name.empty() || out.m_quantifier == Quantifier::All)) {
        throw wrong(QL_TEXT("'%1' is a single number: it takes no names and no 'all'").with(out.m_section),
                    QL_TEXT("Write it like %1%2>0.")
                        .with(out.m_section, section->second.fields.empty() ? Text() : QL_TEXT(".error")));
    }
    rest = trim(rest);
    if (!rest.empty() && rest.front() != '.') {
        throw wrong(QL_TEXT("expected a field like .noise_ratio, got '%1'").with(std::string(rest)),
                    QL_TEXT("Write it like output[logits].mse>1e-3."));
    }
    out.m_field = rest.empty() ? std::string() : std::string(trim(rest.substr(1)));
    const std::vector<std::string> &fields = section->second.fields;
    if (fields.empty() && !out.m_field.empty()) {
        throw wrong(QL_TEXT("'%1' has no fields").with(out.m_section), QL_TEXT("Write %1>60.").with(out.m_section));
    }
    if (!fields.empty() && std::find(fields.begin(), fields.end(), out.m_field) == fields.end()) {
        throw wrong(out.m_field.empty() ? QL_TEXT("'%1' needs a field").with(out.m_section)
                                        : QL_TEXT("'%1' has no field '%2'").with(out.m_section, out.m_field),
                    known(out.m_field, fields));
    }
    return out;
}

std::string FailIf::analysis() const
{
    return m_section == "graphwise" || m_section == "layerwise" ? m_section : std::string();
}

bool FailIf::holds(const std::optional<double> &value) const
{
    if (!value) return true;
    // 0.705 - 0.695 is a drop of 1 %, whatever its last bits are
    constexpr double rounding = 1e-12;
    const bool isEqual =
        *value == m_limit || std::abs(*value - m_limit) <= rounding * std::min(std::abs(*value), std::abs(m_limit));
    switch (m_operator) {
    case Operator::Less: return !isEqual && *value < m_limit;
    case Operator::LessEqual: return isEqual || *value < m_limit;
    case Operator::Greater: return !isEqual && *value > m_limit;
    case Operator::GreaterEqual: return isEqual || *value > m_limit;
    case Operator::Equal: return isEqual;
    case Operator::NotEqual: return !isEqual;
    }
    return true;
}

Error FailIf::missing(const Text &message, const Text &remedy) const
{
    return wrongExpression(m_option, m_text, message, remedy);
}

/// The measures by the names that conditions and the report's JSON have for them.
static const std::map<std::string, std::optional<double> report::ErrorRow::*> &measureFields()
{
    using Row = report::ErrorRow;
    static const std::map<std::string, std::optional<double> Row::*> fields{
        {"noise_ratio", &Row::noiseRatio}, {"sqnr_db", &Row::sqnrDb},
        {"cosine", &Row::cosine},          {"mse", &Row::mse},
        {"max_abs", &Row::maxAbs},         {"equal_share", &Row::equalShare}};
    return fields;
}

// A measure of an entry of output, graphwise or layerwise.
static std::optional<double> measureOf(const report::ErrorRow &row, const std::string &field)
{
    if (const auto value = row.*measureFields().at(field)) return value;
    if (!row.noiseRatio || *row.noiseRatio != 0.0) return std::nullopt;
    // No noise at all. sqnr_db is infinite; the cosine is undefined only if there is no signal either, and then equal.
    if (field == "sqnr_db") return std::numeric_limits<double>::infinity();
    if (field == "cosine") return 1.0;
    return std::nullopt;
}

static std::vector<report::ErrorRow> sectionOf(const api::Measures &measures, const std::string &section)
{
    if (section == "output") return report::errorRows(measures.outputs);
    return report::errorRows(section == "graphwise" ? measures.graphwise : measures.layerwise);
}

static std::vector<FailIf::Hit> measured(const api::Report &report, const std::string &section,
                                         const std::string &field)
{
    std::vector<FailIf::Hit> out;
    for (const report::ErrorRow &row : sectionOf(report.measures, section)) {
        // An integer output has a fraction of equal elements instead of the measures
        if (row.equalShare.has_value() != (field == "equal_share")) continue;
        out.push_back({section == "output" ? row.variable : row.op, measureOf(row, field)});
    }
    return out;
}

static std::vector<FailIf::Hit> metrics(const api::Report &report, const std::string &field)
{
    std::vector<FailIf::Hit> out;
    for (const report::ErrorRow &row : report::errorRows(report.measures.outputs)) {
        if (!row.metric) continue;
        const api::Metric &metric = *row.metric;
        out.push_back({metric.name, field == "fp32"        ? metric.fp32
                                    : field == "quantized" ? metric.quantized
                                                           : metric.drop()});
    }
    return out;
}

static double problemCount(const api::Report &report, const std::string &field)
{
    const std::vector<api::Problem> &problems = report.problems;
    if (field == "total") return double(problems.size());
    const api::Severity severity = api::severityFromString(field);
    return double(
        std::count_if(problems.begin(), problems.end(), [&](const api::Problem &p) { return p.severity == severity; }));
}

/// As the expression writes numbers: 0.02 is 2% for one that ends in a percent sign.
static std::string valueText(const std::optional<double> &value, bool isPercent)
{
    if (!value) return "undefined";
    return isPercent ? numberText(100 * *value, 6) + "%" : numberText(*value, 6);
}

/// By how much each metric is lower than in the baseline; without metrics, the share of its SQNR that each output lost.
/// missingMetrics: those of the baseline that the report lacks, with their outputs.
static std::vector<FailIf::Hit> regressions(const api::Report &report, const api::Report &baseline,
                                            std::set<std::pair<std::string, std::string>> &missingMetrics)
{
    std::vector<FailIf::Hit> ofMetrics, ofOutputs;
    const std::vector<report::ErrorRow> rows = report::errorRows(report.measures.outputs),
                                        old = report::errorRows(baseline.measures.outputs);
    for (const report::ErrorRow &before : old) // also of an output that is gone
        if (before.metric && std::none_of(rows.begin(), rows.end(), [&](const report::ErrorRow &row) {
                return row.variable == before.variable && row.metric && row.metric->name == before.metric->name;
            }))
            missingMetrics.emplace(before.metric->name, before.variable);
    for (const report::ErrorRow &row : rows)
        for (const report::ErrorRow &before : old) {
            if (row.variable != before.variable) continue;
            if (row.metric && before.metric && row.metric->name == before.metric->name)
                ofMetrics.push_back({row.metric->name, (row.metric->isLoss ? -1 : 1) *
                                                           (before.metric->quantized - row.metric->quantized)});
            if (row.equalShare && before.equalShare) { // of integers, which have no SQNR
                ofOutputs.push_back({row.variable, *before.equalShare - *row.equalShare});
                continue;
            }
            const auto now = measureOf(row, "sqnr_db"), then = measureOf(before, "sqnr_db");
            if (now && std::isinf(*now)) // exact: nothing can be lost
                ofOutputs.push_back({row.variable, 0.0});
            else if (then && std::isinf(*then))
                ofOutputs.push_back({row.variable, 1.0});
            else
                ofOutputs.push_back(
                    {row.variable, now && then && *then > 0 ? std::optional((*then - *now) / *then) : std::nullopt});
        }
    return ofMetrics.empty() ? ofOutputs : ofMetrics;
}

std::vector<FailIf::Hit> FailIf::candidates(const api::Report &report, const api::Report *baseline) const
{
    std::vector<Hit> candidates;
    if (m_section == "regression") {
        if (!baseline)
            throw missing(QL_TEXT("there is no report to compare with"),
                          QL_TEXT("Give the report of an earlier run with %1.").with(Text::option("--baseline FILE")));
        std::set<std::pair<std::string, std::string>> missingMetrics;
        candidates = regressions(report, *baseline, missingMetrics);
        if (candidates.empty())
            throw missing(QL_TEXT("the baseline has no output in common with this run"),
                          QL_TEXT("Give the report of a run of the same model that measured its outputs."));
        if (!missingMetrics.empty())
            throw missing(QL_TEXT("the baseline has the metric %1 of output '%2', but this run does not")
                              .with(missingMetrics.begin()->first, missingMetrics.begin()->second),
                          QL_TEXT("Give %1 and %2 as for the baseline, and check the reported problems.")
                              .with(Text::option("--metric"), Text::option("--labels")));
    } else if (m_section == "problems") {
        candidates.push_back({"", problemCount(report, m_field)});
    } else if (m_section == "seconds") {
        candidates.push_back({"", report.seconds});
    } else if (m_section == "peak_rss_mib") {
        candidates.push_back({"", report.peakRssMib});
    } else if (m_section == "metric") {
        candidates = metrics(report, m_field);
        if (candidates.empty()) {
            throw missing(
                QL_TEXT("the report has no metric: the evaluation data has no labels, or they do not match the output"),
                QL_TEXT("Add labels to the data and outputs to --analyse, check the reported problems, or test "
                        "output.sqnr_db instead."));
        }
    } else {
        const bool ofOutputs = m_section == "output";
        const api::Measures &measures = report.measures;
        const bool isMeasured = ofOutputs                  ? measures.outputs && !measures.outputs->empty()
                                : m_section == "graphwise" ? measures.graphwise.has_value()
                                                           : measures.layerwise.has_value();
        if (!isMeasured) {
            throw missing(QL_TEXT("the report has no %1 errors").with(m_section),
                          ofOutputs ? QL_TEXT("Give evaluation data, and add outputs to --analyse.")
                                    : QL_TEXT("Add %1 to --analyse.").with(m_section));
        }
        candidates = measured(report, m_section, m_field);
        if (candidates.empty() && ofOutputs)
            throw missing(QL_TEXT("no output has the field %1").with(m_field),
                          m_field == "equal_share"
                              ? QL_TEXT("Only integer outputs have it; test output.sqnr_db instead.")
                              : QL_TEXT("They hold integers; test output.equal_share instead."));
    }
    return candidates;
}

std::vector<FailIf::Hit> FailIf::named(std::vector<Hit> candidates) const
{
    if (!m_name.empty()) {
        std::vector<std::string> names;
        for (const Hit &candidate : candidates) names.push_back(candidate.name);
        // A name is first taken literally: op names may contain pattern characters.
        const bool literal = std::find(names.begin(), names.end(), m_name) != names.end();
        std::erase_if(candidates,
                      [&](const Hit &c) { return literal ? c.name != m_name : !globMatch(m_name, c.name); });
        if (candidates.empty()) {
            const Text nearest = suggestion(m_name, names);
            throw missing(QL_TEXT("no %1 is named '%2'").with(m_section, m_name),
                          nearest.isEmpty()
                              ? QL_TEXT("There are %1; the report lists them under %2.").with(names.size(), m_section)
                              : nearest);
        }
    }
    return candidates;
}

double FailIf::valueIn(const api::TuneCost &cost) const
{
    if (m_section == "int8") return cost.int8Macs;
    if (m_field == "time" && !cost.time)
        throw missing(QL_TEXT("there is no table of times"),
                      QL_TEXT("Give the times of operations with %1.").with(Text::option("--times FILE.json")));
    if (m_field == "time") return *cost.time;
    return m_field == "mac_bits" ? cost.macBits : cost.weightBytes;
}

std::string FailIf::shown(double value) const
{
    return valueText(value, m_text.ends_with('%'));
}

std::optional<double> FailIf::worstOf(const api::Report &report, const api::TuneCost &cost) const
{
    if (isAboutCost()) return valueIn(cost);
    const std::vector<Hit> entries = named(candidates(report, nullptr));
    const auto worst = std::max_element(entries.begin(), entries.end(), [&](const Hit &a, const Hit &b) {
        return shortBy(a.value) < shortBy(b.value);
    });
    return worst == entries.end() ? std::nullopt : worst->value;
}

double FailIf::shortBy(const std::optional<double> &value) const
{
    if (!value) return std::numeric_limits<double>::infinity();
    const double distance = std::abs(*value - m_limit);
    return holds(value) ? -distance : distance;
}

bool FailIf::isAboutOutput(const std::string &output) const
{
    return m_section == "output" && (m_name.empty() || m_name == output || globMatch(m_name, output));
}

double FailIf::withNoise(double value, double times, const std::optional<double> &fp32) const
{
    if (m_field == "drop") return value * times;
    if (m_field == "quantized" && fp32) return *fp32 + (value - *fp32) * times;
    if (m_field == "sqnr_db") return value - 10 * std::log10(times);
    if (m_field == "cosine") return 1 - (1 - value) * times; // nearly: 1 - cosine is half of a small noise ratio
    return m_field == "noise_ratio" || m_field == "mse" ? value * times : value;
}

std::pair<double, double> FailIf::possibleRange(const MetricValues &metric) const
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (m_section == "int8" || m_field == "equal_share") return {0, 1};
    if (m_field == "cosine") return {-1, 1};
    if (m_section == "metric") {
        const double low = metric.fp32.value_or(metric.least), high = metric.fp32.value_or(metric.most);
        if (m_field == "fp32") return {low, high};
        if (m_field == "quantized") return {metric.least, metric.most};
        return metric.isLoss ? std::pair(metric.least - high, metric.most - low)
                             : std::pair(low - metric.most, high - metric.least);
    }
    return {m_field == "sqnr_db" ? -infinity : 0, infinity};
}

bool FailIf::isAboutNoneOf(const std::vector<std::string> &outputs) const
{
    return isAboutOutputs() &&
           std::none_of(outputs.begin(), outputs.end(), [&](const std::string &name) { return isAboutOutput(name); });
}

void FailIf::refuseMissing(const std::vector<std::string> &tensors, bool hasTimes) const
{
    if (isAboutNoneOf(tensors))
        throw missing(QL_TEXT("no output or inner tensor of the model is named '%1'").with(m_name),
                      known(m_name, tensors));
    if (isAboutCost() && m_field == "time" && !hasTimes) valueIn(api::TuneCost());
}

void FailIf::refuseImpossible(const MetricValues &metric) const
{
    const auto [low, high] = possibleRange(metric);
    const bool isStrict = m_operator == Operator::Less || m_operator == Operator::Greater;
    const bool wantsLess = m_operator == Operator::Less || m_operator == Operator::LessEqual,
               wantsMore = m_operator == Operator::Greater || m_operator == Operator::GreaterEqual,
               isEqual = m_operator == Operator::Equal;
    const std::string what = m_section + "." + m_field;
    const bool isPercent = m_text.ends_with('%');
    const auto withFloat = [&](const Text &text) {
        if (m_field != "drop" || !metric.fp32) return text;
        return QL_TEXT("%1, because the metric is %2 in float32").with(text, valueText(metric.fp32, isPercent));
    };
    if ((wantsMore || isEqual) && (m_limit > high || (isStrict && m_limit == high)))
        throw missing(
            withFloat(QL_TEXT("no recipe can meet it: %1 is at most %2").with(what, valueText(high, isPercent))),
            QL_TEXT("Choose a lower limit."));
    if ((wantsLess || isEqual) && (m_limit < low || (isStrict && m_limit == low)))
        throw missing(
            withFloat(QL_TEXT("no recipe can meet it: %1 is at least %2").with(what, valueText(low, isPercent))),
            QL_TEXT("Choose a higher limit."));
}

FailIf::Result FailIf::evaluate(const api::Report &report, const api::Report *baseline) const
{
    std::vector<Hit> candidates = named(this->candidates(report, baseline));
    const std::string what = m_section + (m_field.empty() ? "" : "." + m_field);
    // Worst in the sense of the condition: undefined, then the farthest beyond the limit.
    const bool lowIsBad = m_operator == Operator::Less || m_operator == Operator::LessEqual;
    std::stable_sort(candidates.begin(), candidates.end(), [&](const Hit &a, const Hit &b) {
        if (!a.value || !b.value) return !a.value && b.value.has_value();
        return lowIsBad ? *a.value < *b.value : *a.value > *b.value;
    });
    Result result;
    for (const Hit &candidate : candidates) {
        if (holds(candidate.value)) result.hits.push_back({candidate.name, candidate.value});
    }
    result.held = m_quantifier == Quantifier::Any ? !result.hits.empty()
                                                  : !candidates.empty() && result.hits.size() == candidates.size();

    if (candidates.empty()) {
        result.message = m_text + " does not hold: the report has no " + m_section + " entries";
        return result;
    }
    // Shows the first value that met it; if it did not hold, the nearest one, or for "all" one that failed it.
    const auto failing =
        std::find_if(candidates.begin(), candidates.end(), [&](const Hit &c) { return !holds(c.value); });
    const Hit &shown = !result.held && m_quantifier == Quantifier::All ? *failing : candidates.front();
    const std::string name = result.held ? result.hits.front().name : shown.name;
    result.message = m_text + (result.held ? " holds: " : " does not hold: ") + what +
                     (name.empty() ? "" : " of '" + report::visibleText(name) + "'") + " is " +
                     valueText(result.held ? result.hits.front().value : shown.value, m_text.ends_with('%'));
    if (result.held && candidates.size() > 1) {
        result.message += " (" + std::to_string(result.hits.size()) + " of " + std::to_string(candidates.size()) + ")";
    }
    if (!result.held) result.hits.clear();
    return result;
}

} // namespace ql
