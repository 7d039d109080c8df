#include "core/session/fail_if.h"

#include "core/base/strings.h"
#include "core/session/report_format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>

namespace ql {

using nlohmann::json;

namespace {

struct Section
{
    std::vector<std::string> fields;
    bool named = false; // has named entries: any, all and [name] apply
};

// A value tested by a condition: its name, and nothing if it is undefined.
struct Candidate
{
    std::string name;
    std::optional<double> value;
};

} // namespace

static const std::map<std::string, Section> &sections()
{
    static const std::vector<std::string> measures{"noise_ratio", "sqnr_db", "cosine", "mse", "max_abs"};
    std::vector<std::string> ofOutputs = measures;
    ofOutputs.push_back("equal_share");
    static const std::map<std::string, Section> all{{"output", {ofOutputs, true}},
                                                    {"graphwise", {measures, true}},
                                                    {"layerwise", {measures, true}},
                                                    {"metric", {{"drop", "fp32", "quantized"}, true}},
                                                    {"problems", {{"error", "warning", "info", "total"}, false}},
                                                    {"seconds", {}},
                                                    {"peak_rss_mib", {}}};
    return all;
}

static std::vector<std::string> sectionNames()
{
    std::vector<std::string> names;
    for (const auto &[name, section] : sections()) names.push_back(name);
    return names;
}

static constexpr std::array<std::pair<const char *, FailIf::Operator>, 6> operators{
    {{"<=", FailIf::Operator::LessEqual},
     {">=", FailIf::Operator::GreaterEqual},
     {"==", FailIf::Operator::Equal},
     {"!=", FailIf::Operator::NotEqual},
     {"<", FailIf::Operator::Less},
     {">", FailIf::Operator::Greater}}};

static Error wrong(std::string_view expression, const Text &message, const Text &remedy)
{
    return Error(ErrorKind::BadConfig, QL_TEXT("--fail-if '%1': %2").with(expression, message)).withRemedy(remedy);
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

static double parseNumber(std::string_view expression, std::string_view number)
{
    const bool percent = number.ends_with('%');
    const std::string digits(trim(percent ? number.substr(0, number.size() - 1) : number));
    double value = 0.0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value)) {
        throw wrong(expression, QL_TEXT("expected a number after the operator, got '%1'").with(std::string(number)),
                    QL_TEXT("Write it like 20, 1e-3 or 5%."));
    }
    return percent ? value / 100.0 : value;
}

FailIf FailIf::parse(std::string_view expression)
{
    FailIf out;
    const std::string_view all = trim(expression);
    out.m_text = all;

    // The number contains no operator, but a name may: search from the right, and prefer operators of two characters.
    const std::size_t last = all.find_last_of("<>=!");
    if (last == std::string_view::npos) {
        throw wrong(all, QL_TEXT("expected WHAT OPERATOR NUMBER, got no operator"),
                    QL_TEXT("Write it like output.sqnr_db<20; operators are < <= > >= == !=."));
    }
    const std::size_t first =
        last > 0 && std::string_view("<>=!").find(all[last - 1]) != std::string_view::npos ? last - 1 : last;
    const std::string_view symbol = all.substr(first, last - first + 1);
    const auto op =
        std::find_if(operators.begin(), operators.end(), [&](const auto &entry) { return entry.first == symbol; });
    if (op == operators.end()) {
        throw wrong(all, QL_TEXT("unknown operator '%1'").with(std::string(symbol)),
                    QL_TEXT("Operators are < <= > >= == !=."));
    }
    out.m_operator = op->second;
    out.m_limit = parseNumber(all, trim(all.substr(last + 1)));

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
    if (section == sections().end()) {
        throw wrong(all, QL_TEXT("unknown word '%1'").with(out.m_section), known(out.m_section, sectionNames()));
    }
    std::string_view rest = open == std::string_view::npos ? std::string_view() : what.substr(open);
    if (rest.starts_with('[')) {
        const std::size_t close = rest.rfind(']'); // names may contain brackets
        if (close == std::string_view::npos)
            throw wrong(all, QL_TEXT("the name has no closing ]"), QL_TEXT("Write it like output[logits].mse>1e-3."));
        out.m_name = rest.substr(1, close - 1);
        rest.remove_prefix(close + 1);
        if (out.m_name.empty())
            throw wrong(all, QL_TEXT("the name is empty"), QL_TEXT("Omit the brackets to test all of them."));
    }
    if (!section->second.named && (!out.m_name.empty() || out.m_quantifier == Quantifier::All)) {
        throw wrong(all, QL_TEXT("'%1' is a single number: it takes no names and no 'all'").with(out.m_section),
                    QL_TEXT("Write it like %1%2>0.")
                        .with(out.m_section, section->second.fields.empty() ? Text() : QL_TEXT(".error")));
    }
    rest = trim(rest);
    if (!rest.empty() && rest.front() != '.') {
        throw wrong(all, QL_TEXT("expected a field like .noise_ratio, got '%1'").with(std::string(rest)),
                    QL_TEXT("Write it like output[logits].mse>1e-3."));
    }
    out.m_field = rest.empty() ? std::string() : std::string(trim(rest.substr(1)));
    const std::vector<std::string> &fields = section->second.fields;
    if (fields.empty() && !out.m_field.empty()) {
        throw wrong(all, QL_TEXT("'%1' has no fields").with(out.m_section),
                    QL_TEXT("Write %1>60.").with(out.m_section));
    }
    if (!fields.empty() && std::find(fields.begin(), fields.end(), out.m_field) == fields.end()) {
        throw wrong(all,
                    out.m_field.empty() ? QL_TEXT("'%1' needs a field").with(out.m_section)
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
    switch (m_operator) {
    case Operator::Less: return *value < m_limit;
    case Operator::LessEqual: return *value <= m_limit;
    case Operator::Greater: return *value > m_limit;
    case Operator::GreaterEqual: return *value >= m_limit;
    case Operator::Equal: return *value == m_limit;
    case Operator::NotEqual: return *value != m_limit;
    }
    return true;
}

Error FailIf::missing(const Text &message, const Text &remedy) const
{
    return wrong(m_text, message, remedy);
}

// A measure of an entry of output, graphwise or layerwise.
static std::optional<double> measureOf(const json &entry, const std::string &field)
{
    const auto value = report::number(entry, field.c_str());
    if (value) return value;
    const auto noise = report::number(entry, "noise_ratio");
    if (!noise || *noise != 0.0) return std::nullopt;
    // No noise at all. sqnr_db is infinite; the cosine is undefined only if there is no signal either, and then equal.
    if (field == "sqnr_db") return std::numeric_limits<double>::infinity();
    if (field == "cosine") return 1.0;
    return std::nullopt;
}

static std::vector<Candidate> measured(const json &report, const std::string &section, const std::string &field)
{
    std::vector<Candidate> out;
    for (const json &entry : report::list(report, section == "output" ? "outputs" : section.c_str())) {
        // An integer output has a fraction of equal elements instead of the measures
        if (entry.contains("equal_share") != (field == "equal_share")) continue;
        const std::string op = section == "output" ? report::text(entry, "variable") : report::text(entry, "op");
        out.push_back({op, measureOf(entry, field)});
    }
    return out;
}

static std::vector<Candidate> metrics(const json &report, const std::string &field)
{
    std::vector<Candidate> out;
    for (const json &entry : report::list(report, "outputs")) {
        if (!report::list(entry, "metric").is_object()) continue;
        const report::Metric metric = report::metricOf(entry);
        std::optional<double> value = field == "fp32" ? metric.fp32 : metric.quantized;
        if (field == "drop")
            value = metric.defined() ? std::optional<double>(*metric.fp32 - *metric.quantized) : std::nullopt;
        out.push_back({metric.name, value});
    }
    return out;
}

static double problemCount(const json &report, const std::string &severity)
{
    const json &problems = report::list(report, "problems");
    if (severity == "total") return double(problems.size());
    return double(std::count_if(problems.begin(), problems.end(),
                                [&](const json &p) { return report::text(p, "severity") == severity; }));
}

static std::string valueText(const std::optional<double> &value)
{
    return value ? numberText(*value, 6) : "undefined";
}

FailIf::Result FailIf::evaluate(const json &report) const
{
    std::vector<Candidate> candidates;
    const std::string what = m_section + (m_field.empty() ? "" : "." + m_field);
    if (m_section == "problems") {
        if (!report.contains("problems"))
            throw missing(QL_TEXT("the report has no problems[]"), QL_TEXT("Give a report of this program."));
        candidates.push_back({"", problemCount(report, m_field)});
    } else if (m_section == "seconds" || m_section == "peak_rss_mib") {
        if (!report.contains(m_section))
            throw missing(QL_TEXT("the report has no %1").with(m_section), QL_TEXT("Give a report of this program."));
        candidates.push_back({"", report::number(report, m_section.c_str())});
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
        if (ofOutputs ? report::list(report, "outputs").empty() : !report.contains(m_section)) {
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
    if (!m_name.empty()) {
        std::vector<std::string> names;
        for (const Candidate &candidate : candidates) names.push_back(candidate.name);
        // A name is first taken literally: op names may contain pattern characters.
        const bool literal = std::find(names.begin(), names.end(), m_name) != names.end();
        std::erase_if(candidates,
                      [&](const Candidate &c) { return literal ? c.name != m_name : !globMatch(m_name, c.name); });
        if (candidates.empty()) {
            const Text nearest = suggestion(m_name, names);
            throw missing(QL_TEXT("no %1 is named '%2'").with(m_section, m_name),
                          nearest.isEmpty()
                              ? QL_TEXT("There are %1; the report lists them under %2.").with(names.size(), m_section)
                              : nearest);
        }
    }

    // Worst in the sense of the condition: undefined, then the farthest beyond the limit.
    const bool lowIsBad = m_operator == Operator::Less || m_operator == Operator::LessEqual;
    std::stable_sort(candidates.begin(), candidates.end(), [&](const Candidate &a, const Candidate &b) {
        if (!a.value || !b.value) return !a.value && b.value.has_value();
        return lowIsBad ? *a.value < *b.value : *a.value > *b.value;
    });
    Result result;
    for (const Candidate &candidate : candidates) {
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
        std::find_if(candidates.begin(), candidates.end(), [&](const Candidate &c) { return !holds(c.value); });
    const Candidate &shown = !result.held && m_quantifier == Quantifier::All ? *failing : candidates.front();
    const std::string name = result.held ? result.hits.front().name : shown.name;
    result.message = m_text + (result.held ? " holds: " : " does not hold: ") + what +
                     (name.empty() ? "" : " of '" + report::visibleText(name) + "'") + " is " +
                     valueText(result.held ? result.hits.front().value : shown.value);
    if (result.held && candidates.size() > 1) {
        result.message += " (" + std::to_string(result.hits.size()) + " of " + std::to_string(candidates.size()) + ")";
    }
    if (!result.held) result.hits.clear();
    return result;
}

} // namespace ql
