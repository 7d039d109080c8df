#include "core/report/ci_report.h"

#include "core/report/report_format.h"

#include <algorithm>
#include <filesystem>

namespace ql {

namespace {

std::string modelName(const api::Report &report)
{
    return std::filesystem::path(report.model.path).filename().string();
}

/// visibleText() has made control characters visible, which XML forbids.
std::string xmlText(const std::string &text)
{
    std::string out;
    for (const char c : report::visibleText(text, 2000)) switch (c) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        default: out += c;
        }
    return out;
}

/// Inside a cell of a table.
std::string markdownText(const std::string &text)
{
    std::string out;
    for (const char c : report::visibleText(text, 200)) {
        if (std::string_view("\\`*_{}[]<>#|").find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return out;
}

const report::ErrorRow *rowOf(const std::vector<report::ErrorRow> &rows, const std::string &variable)
{
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const auto &r) { return r.variable == variable; });
    return row == rows.end() ? nullptr : &*row;
}

} // namespace

std::string noteOnBaseline(const api::Report &report, const api::Report &baseline)
{
    const std::string name = modelName(report), before = modelName(baseline);
    if (report.model.sha256 != baseline.model.sha256)
        return name == before ? "the model file " + report::visibleText(name) + " has changed since the baseline"
                              : "the baseline is of another model: " + report::visibleText(before) + ", not " +
                                    report::visibleText(name);
    const auto old = report::errorRows(baseline.measures.outputs);
    for (const report::ErrorRow &row : report::errorRows(report.measures.outputs)) {
        const report::ErrorRow *same = rowOf(old, row.variable);
        if (same && row.metric && same->metric && row.metric->samples != same->metric->samples)
            return "the baseline has " + report::visibleText(row.metric->name) + " of " +
                   std::to_string(same->metric->samples) + " samples, this run of " +
                   std::to_string(row.metric->samples);
    }
    return {};
}

std::string junitReport(const std::vector<CheckOutcome> &outcomes, const api::Report &report)
{
    const auto errors = std::count_if(outcomes.begin(), outcomes.end(), [](const auto &o) { return o.isError; });
    const auto failures =
        std::count_if(outcomes.begin(), outcomes.end(), [](const auto &o) { return o.held && !o.isError; });
    const std::string counts = "tests=\"" + std::to_string(std::max<std::size_t>(outcomes.size(), 1)) +
                               "\" failures=\"" + std::to_string(failures) + "\" errors=\"" + std::to_string(errors) +
                               "\" time=\"" + report::decimalText(report.seconds, 3) + "\"";
    const std::string suite = xmlText(modelName(report) + " on " + report.recipe.platform);
    std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites " + counts + ">\n  <testsuite name=\"" +
                      suite + "\" " + counts + ">\n";
    const auto add = [&](const std::string &name, const std::string &message, const char *element) {
        out += "    <testcase classname=\"" + suite + "\" name=\"" + xmlText(name) + "\" time=\"0\">";
        out += element ? "<" + std::string(element) + " message=\"" + xmlText(message) + "\"/>"
                       : "<system-out>" + xmlText(message) + "</system-out>";
        out += "</testcase>\n";
    };
    for (const CheckOutcome &outcome : outcomes)
        add(outcome.condition, outcome.message, outcome.isError ? "error" : outcome.held ? "failure" : nullptr);
    if (outcomes.empty()) add("run", "the model was quantized and measured", nullptr);
    return out + "  </testsuite>\n</testsuites>\n";
}

std::string markdownSummary(const std::vector<CheckOutcome> &outcomes, const api::Report &report,
                            const api::Report *baseline)
{
    const bool hasFailed =
        std::any_of(outcomes.begin(), outcomes.end(), [](const auto &o) { return o.held || o.isError; });
    std::string out = "### " + markdownText(modelName(report)) + " on " + markdownText(report.recipe.platform) + ": " +
                      (hasFailed ? "failed" : "passed") + "\n\n";
    if (const std::string other = baseline ? noteOnBaseline(report, *baseline) : ""; !other.empty())
        out += "Note: " + markdownText(other) + ".\n\n";
    if (!outcomes.empty()) {
        out += "| check | result |\n|---|---|\n";
        for (const CheckOutcome &outcome : outcomes)
            out += "| " + markdownText(outcome.condition) + " | " +
                   (outcome.isError ? "**not checked**: "
                    : outcome.held  ? "**failed**: "
                                    : "passed: ") +
                   markdownText(outcome.message) + " |\n";
        out += "\n";
    }
    const auto rows = report::errorRows(report.measures.outputs);
    const auto before = baseline ? report::errorRows(baseline->measures.outputs) : std::vector<report::ErrorRow>();
    if (!rows.empty()) {
        out += baseline ? "| output | SQNR | baseline | metric | float | quantized | baseline |\n"
                          "|---|---|---|---|---|---|---|\n"
                        : "| output | SQNR | metric | float | quantized |\n|---|---|---|---|---|\n";
        for (const report::ErrorRow &row : rows) {
            const report::ErrorRow *old = rowOf(before, row.variable);
            out += "| " + markdownText(row.variable) + " | " + report::sqnrText(row) + " | ";
            if (baseline) out += (old ? report::sqnrText(*old) : "-") + " | ";
            out += row.metric ? markdownText(row.metric->name) + " | " + report::fp32Text(*row.metric) + " | " +
                                    report::quantizedText(*row.metric) + " (" + report::changeText(*row.metric) + ") |"
                              : "- | - | - |";
            if (baseline) out += " " + (old && old->metric ? report::quantizedText(*old->metric) : "-") + " |";
            out += "\n";
        }
        out += "\n";
    }
    constexpr std::size_t most = 5;
    std::size_t shown = 0, all = 0;
    for (const api::Problem &problem : report.problems) {
        if (problem.severity == api::Severity::Info) continue;
        ++all;
        if (shown == most) continue;
        ++shown;
        out += std::string("* ") + toString(problem.severity) + ": " +
               (problem.op.empty() ? "" : markdownText(problem.op) + ": ") + markdownText(problem.message.english()) +
               "\n";
    }
    if (all > shown) out += "* and " + std::to_string(all - shown) + " more\n";
    return out;
}

} // namespace ql
