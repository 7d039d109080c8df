#include "core/api/no_problems.h"
#include "core/report/html_parts.h"

#include <algorithm>
#include <array>

namespace ql::report::html {

static std::string card(const std::string &value, const std::string &label, const std::string &target,
                        bool attention = false)
{
    return "<a class=\"card" + std::string(attention ? " attention" : "") + "\" href=#" + target + "><b>" + value +
           "</b><span>" + label + "</span></a>";
}

static bool needsAttention(const ErrorRow &row)
{
    return !row.deviation() || *row.deviation() > attentionRatio;
}

static std::size_t countSeverity(const api::Report &report, api::Severity severity)
{
    return std::size_t(std::count_if(report.problems.begin(), report.problems.end(),
                                     [&](const api::Problem &p) { return p.severity == severity; }));
}

// The effect on the outputs, in one sentence.
static std::string outputSentence(const std::vector<ErrorRow> &outputs)
{
    if (outputs.empty()) return "Output errors were not measured.";
    const ErrorRow worst = worstFirst(outputs).front();
    const std::string where = code(worst.variable.empty() ? worst.output : worst.variable);
    const std::string which = outputs.size() > 1
                                  ? "At the worst of " + std::to_string(outputs.size()) + " outputs, " + where + ", "
                                  : "At the output " + where + " ";
    if (worst.exact())
        return "Quantization does not change the " + std::string(outputs.size() > 1 ? "outputs" : "output") + ".";
    if (worst.equalShare) return which + percentText(*worst.equalShare) + " of the integers match the float result.";
    if (!worst.noiseRatio) return which + "the error is undefined: see Problems.";
    std::string out = which + "quantization noise is " + percentText(*worst.noiseRatio) + " of the signal";
    if (worst.sqnrDb) out += " (" + decibelText(*worst.sqnrDb) + ")";
    return out + (needsAttention(worst) ? ": above 10 %, accuracy usually suffers." : ".");
}

// The cause: the worst ops of the layerwise analysis, if they matter.
static std::string causeSentence(const Context &context)
{
    const std::vector<ErrorRow> rows = worstFirst(errorRows(context.report.measures.layerwise));
    if (rows.empty() || rows.front().exact()) return {};
    const auto part = [&](const ErrorRow &row) {
        return context.opCode(row.op) + " (" + escape(row.type) + ", " + (row.isEstimated ? "≈ " : "") +
               (row.noiseRatio ? percentText(*row.noiseRatio) : "undefined") + ")";
    };
    std::string out = "<p>Quantizing only " + part(rows[0]) + " adds the most noise to the outputs";
    for (std::size_t i = 1; i < std::min<std::size_t>(3, rows.size()) && !rows[i].exact(); ++i) {
        out += (i == 1 ? "; next " : " and ") + part(rows[i]);
    }
    return out + ".</p>";
}

// The most important result for users, if the data has labels.
static std::string metricSentence(const Context &context)
{
    std::string out;
    for (const ErrorRow &row : errorRows(context.report.measures.outputs))
        if (const auto &metric = row.metric)
            out += "<p>" + escape(metric->name) + ": " + fp32Text(*metric) + " float, " + quantizedText(*metric) +
                   " quantized (" + changeText(*metric) + ").</p>";
    return out;
}

static std::string verdict(const Context &context, const std::vector<ErrorRow> &outputs)
{
    const std::size_t errors = countSeverity(context.report, api::Severity::Error);
    const bool attention = errors > 0 || std::any_of(outputs.begin(), outputs.end(), [](const ErrorRow &row) {
                               return needsAttention(row) || hasChanged(row.metric);
                           });
    std::string html = "<div class=\"panel verdict" + std::string(attention ? " attention" : "") + "\">" +
                       metricSentence(context) + "<p>" + outputSentence(outputs) + "</p>";
    html += causeSentence(context);
    if (errors)
        html += "<p>The run reports <a href=#problems>" + plural(errors, "error") + "</a>: check these first.</p>";
    return html + "</div>";
}

static std::string cards(const Context &context, const std::vector<ErrorRow> &outputs)
{
    const api::Report &report = context.report;
    std::string html = "<div class=cards>";
    if (!outputs.empty()) {
        const ErrorRow worst = worstFirst(outputs).front();
        const std::string name = outputs.size() > 1 ? "worst output" : "output";
        const std::string pill =
            "<i class=\"pill " +
            (worst.deviation() ? "e" + std::to_string(rampStep(worst.deviation())) : std::string("en")) + "\"></i>";
        html += card(pill + sqnrText(worst), (worst.equalShare ? "equal integers at the " : "SQNR at the ") + name,
                     "outputs", needsAttention(worst));
        if (!worst.equalShare)
            html += card(worst.noiseRatio ? percentText(*worst.noiseRatio) : "undefined", "noise at the " + name,
                         "outputs", needsAttention(worst));
        if (worst.cosine) html += card(numberText(*worst.cosine, 5), "cosine at the " + name, "outputs");
    }
    for (const ErrorRow &row : outputs)
        if (const auto &metric = row.metric)
            html += card(fp32Text(*metric) + " → " + quantizedText(*metric),
                         escape(metric->name) + ", float → quantized: " + changeText(*metric), "outputs",
                         hasChanged(metric));
    if (const auto &operations = report.operations; !operations.empty()) {
        const auto quantized =
            std::count_if(operations.begin(), operations.end(), [](const auto &op) { return op.quantized; });
        html += card(countText(quantized) + " of " + countText(std::int64_t(operations.size())), "ops are quantized",
                     "operations");
    }
    const std::size_t errors = countSeverity(report, api::Severity::Error);
    const std::size_t warnings = countSeverity(report, api::Severity::Warning);
    const std::size_t all = report.problems.size();
    std::string kinds = all == 1 ? "problem" : "problems";
    if (errors) kinds += ", " + plural(errors, "error");
    if (warnings) kinds += ", " + plural(warnings, "warning");
    html += card(countText(std::int64_t(all)), kinds, "problems", context.urgent > 0);
    return html + "</div>";
}

std::string header(const Context &context)
{
    const api::Report &report = context.report;
    const std::vector<ErrorRow> outputs = errorRows(report.measures.outputs);
    std::string html = "<div class=brand><svg viewBox=\"0 0 24 24\" aria-hidden=true><circle cx=10 cy=10 r=7 fill=none "
                       "stroke=currentColor stroke-width=2.4 />"
                       "<path d=\"M15.5 15.5 21 21\" stroke=currentColor stroke-width=3 stroke-linecap=round /><path "
                       "d=\"M7 12V10H9V8H11V11H13V9\" fill=none "
                       "stroke=currentColor stroke-width=1.4 /></svg><span>Quantloupe report</span><button type=button "
                       "id=theme class=needs-js "
                       "aria-label=\"Switch between light and dark\">Dark</button></div>";
    html += "<h1>" + escape(context.modelName);
    if (!context.platform.empty()) html += " <span class=on>on</span> " + escape(context.platform);
    html += "</h1><p class=facts>";
    const auto fact = [&](const std::string &value) {
        if (!value.empty()) html += "<span>" + value + "</span>";
    };
    fact(context.samples.empty() ? std::string() : context.samples + " evaluated");
    fact(escape(report.tool.device));
    fact(std::to_string(report.tool.threads) + (report.tool.threads == 1 ? " thread" : " threads"));
    fact("Quantloupe " + escape(report.tool.version));
    fact("model " + code(report.model.sha256.substr(0, 12)));
    fact("recipe " + code(context.recipeHash.substr(0, 12)));
    return html + "</p>" + verdict(context, outputs) + cards(context, outputs);
}

static std::string problemItem(const Context &context, const api::Problem &problem)
{
    static constexpr std::array<const char *, 3> marks{"■", "▲", "●"};
    const std::string severity = toString(problem.severity);
    std::string html = "<div class=\"problem " + severity + "\"><span class=mark aria-hidden=true>" +
                       marks[std::size_t(problem.severity)] + "</span><div><p class=where><span class=severity>" +
                       severity + "</span>";
    if (!problem.op.empty()) html += " · op " + context.opCode(problem.op);
    if (!problem.variable.empty()) html += " · tensor " + code(problem.variable);
    html += "</p><p>" + escape(problem.message.english(), messageLimit) + "</p>";
    if (const std::string remedy = problem.remedy.english(); !remedy.empty())
        html += "<p class=remedy>" + escape(remedy, messageLimit) + "</p>";
    for (const api::Action &action : problem.actions)
        if (!action.option.empty()) html += "<p class=remedy>" + code(action.option) + "</p>";
    return html + "</div></div>";
}

std::string problemSection(const Context &context)
{
    static constexpr std::size_t shown = 20;
    std::vector<const api::Problem *> problems;
    for (const api::Problem &problem : context.report.problems) problems.push_back(&problem);
    std::stable_sort(problems.begin(), problems.end(),
                     [](const api::Problem *a, const api::Problem *b) { return a->severity < b->severity; });
    std::string html =
        "<section id=problems><h2>Problems <small>" + countText(std::int64_t(problems.size())) + "</small></h2>";
    if (problems.empty()) {
        const api::Measures &measures = context.report.measures;
        const auto isMeasured = [](const auto &rows) { return rows && !rows->empty(); };
        const Text none = api::noProblemsText({.outputs = isMeasured(measures.outputs),
                                               .graphwise = isMeasured(measures.graphwise),
                                               .layerwise = isMeasured(measures.layerwise),
                                               .ranges = measures.ranges.has_value()});
        return html + "<div class=panel><p class=none>" + escape(none.english()) + "</p></div></section>";
    }
    std::string first, rest;
    for (std::size_t i = 0; i < problems.size(); ++i) (i < shown ? first : rest) += problemItem(context, *problems[i]);
    if (rest.empty()) return html + "<div class=problems>" + first + "</div></section>";
    return html + "<div class=fold><input type=checkbox id=all-problems><div class=problems>" + first +
           "</div><div class=\"more problems\">" + rest + "</div><label for=all-problems><span class=a>Show all " +
           plural(problems.size(), "problem") + "</span><span class=b>Show only the first " + std::to_string(shown) +
           " only</span></label></div></section>";
}

} // namespace ql::report::html
