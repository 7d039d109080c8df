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
static std::string outputSentence(const Context &context, const std::vector<ErrorRow> &outputs)
{
    if (outputs.empty()) return context.in(QL_TEXT("Output errors were not measured."));
    const ErrorRow worst = worstFirst(outputs).front();
    const std::string where = code(worst.variable.empty() ? worst.output : worst.variable);
    if (worst.exact())
        return context.in(outputs.size() > 1 ? QL_TEXT("Quantization does not change the outputs.")
                                             : QL_TEXT("Quantization does not change the output."));
    const Text which = outputs.size() > 1 ? QL_TEXT("At the worst of %1 outputs, %2,").with(outputs.size(), where)
                                          : QL_TEXT("At the output %1").with(where);
    if (worst.equalShare)
        return context.in(
            QL_TEXT("%1 %2 of the integers match the float result.").with(which, percentText(*worst.equalShare)));
    if (!worst.noiseRatio) return context.in(QL_TEXT("%1 the error is undefined: see Problems.").with(which));
    const std::string decibels = worst.sqnrDb ? " (" + decibelText(*worst.sqnrDb) + ")" : "";
    const Text sentence =
        needsAttention(worst)
            ? QL_TEXT("%1 quantization noise is %2 of the signal%3: above 10 %, accuracy usually suffers.")
            : QL_TEXT("%1 quantization noise is %2 of the signal%3.");
    return context.in(sentence.with(which, percentText(*worst.noiseRatio), decibels));
}

// The cause: the worst ops of the layerwise analysis, if they matter.
static std::string causeSentence(const Context &context)
{
    const std::vector<ErrorRow> rows = worstFirst(errorRows(context.report.measures.layerwise));
    if (rows.empty() || rows.front().exact()) return {};
    const auto part = [&](const ErrorRow &row) {
        return context.opCode(row.op) + " (" + escape(row.type) + ", " + (row.isEstimated ? "≈ " : "") +
               (row.noiseRatio ? percentText(*row.noiseRatio) : context.in(QL_TEXT("undefined"))) + ")";
    };
    const std::size_t count = std::min<std::size_t>(3, rows.size());
    std::vector<Text> parts;
    for (std::size_t i = 0; i < count && (i == 0 || !rows[i].exact()); ++i) parts.push_back(part(rows[i]));
    static const Text sentences[] = {QL_TEXT("Quantizing only %1 adds the most noise to the outputs."),
                                     QL_TEXT("Quantizing only %1 adds the most noise to the outputs; next %2."),
                                     QL_TEXT("Quantizing only %1 adds the most noise to the outputs; next %2 and %3.")};
    const Text &sentence = sentences[parts.size() - 1];
    return "<p>" + context.in(sentence.withArguments(std::move(parts))) + "</p>";
}

// The most important result for users, if the data has labels.
static std::string metricSentence(const Context &context)
{
    std::string out;
    for (const ErrorRow &row : errorRows(context.report.measures.outputs))
        if (const auto &metric = row.metric)
            out += "<p>" +
                   context.in(QL_TEXT("%1: %2 float, %3 quantized (%4).")
                                  .with(escape(metric->name), fp32Text(*metric), quantizedText(*metric),
                                        changeText(*metric, context.language))) +
                   "</p>";
    return out;
}

static std::string verdict(const Context &context, const std::vector<ErrorRow> &outputs)
{
    const std::size_t errors = countSeverity(context.report, api::Severity::Error);
    const bool attention = errors > 0 || std::any_of(outputs.begin(), outputs.end(), [](const ErrorRow &row) {
                               return needsAttention(row) || hasChanged(row.metric);
                           });
    std::string html = "<div class=\"panel verdict" + std::string(attention ? " attention" : "") + "\">" +
                       metricSentence(context) + "<p>" + outputSentence(context, outputs) + "</p>";
    html += causeSentence(context);
    if (errors)
        html += "<p>" +
                context.in(QL_TEXT("The run reports %1: check these first.")
                               .with("<a href=#problems>" + context.counted(errors, "error") + "</a>")) +
                "</p>";
    return html + "</div>";
}

static std::string cards(const Context &context, const std::vector<ErrorRow> &outputs)
{
    const api::Report &report = context.report;
    std::string html = "<div class=cards>";
    if (!outputs.empty()) {
        const ErrorRow worst = worstFirst(outputs).front();
        const Text name = outputs.size() > 1 ? QL_TEXT("worst output") : QL_TEXT("output");
        const std::string pill =
            "<i class=\"pill " +
            (worst.deviation() ? "e" + std::to_string(rampStep(worst.deviation())) : std::string("en")) + "\"></i>";
        html += card(
            pill + sqnrText(worst, context.language),
            context.in((worst.equalShare ? QL_TEXT("equal integers at the %1") : QL_TEXT("SQNR at the %1")).with(name)),
            "outputs", needsAttention(worst));
        if (!worst.equalShare)
            html += card(worst.noiseRatio ? percentText(*worst.noiseRatio) : context.in(QL_TEXT("undefined")),
                         context.in(QL_TEXT("noise at the %1").with(name)), "outputs", needsAttention(worst));
        if (worst.cosine)
            html += card(numberText(*worst.cosine, 5), context.in(QL_TEXT("cosine at the %1").with(name)), "outputs");
    }
    for (const ErrorRow &row : outputs)
        if (const auto &metric = row.metric)
            html += card(fp32Text(*metric) + " → " + quantizedText(*metric),
                         context.in(QL_TEXT("%1, float → quantized: %2")
                                        .with(escape(metric->name), changeText(*metric, context.language))),
                         "outputs", hasChanged(metric));
    if (const auto &operations = report.operations; !operations.empty()) {
        const auto quantized =
            std::count_if(operations.begin(), operations.end(), [](const auto &op) { return op.quantized; });
        html +=
            card(context.in(QL_TEXT("%1 of %2").with(countText(quantized), countText(std::int64_t(operations.size())))),
                 context.in(QL_TEXT("ops are quantized")), "operations");
    }
    const std::size_t errors = countSeverity(report, api::Severity::Error);
    const std::size_t warnings = countSeverity(report, api::Severity::Warning);
    const std::size_t all = report.problems.size();
    std::vector<Text> kinds{all == 1 ? QL_TEXT("problem") : QL_TEXT("problems")};
    if (errors) kinds.push_back(context.counted(errors, "error"));
    if (warnings) kinds.push_back(context.counted(warnings, "warning"));
    html +=
        card(countText(std::int64_t(all)), context.in(Text::list(std::move(kinds))), "problems", context.urgent > 0);
    return html + "</div>";
}

std::string header(const Context &context)
{
    const api::Report &report = context.report;
    const std::vector<ErrorRow> outputs = errorRows(report.measures.outputs);
    std::string html =
        "<div class=brand><svg viewBox=\"0 0 24 24\" aria-hidden=true><circle cx=10 cy=10 r=7 fill=none "
        "stroke=currentColor stroke-width=2.4 />"
        "<path d=\"M15.5 15.5 21 21\" stroke=currentColor stroke-width=3 stroke-linecap=round /><path "
        "d=\"M7 12V10H9V8H11V11H13V9\" fill=none "
        "stroke=currentColor stroke-width=1.4 /></svg><span>" +
        context.in(QL_TEXT("Quantloupe report")) + "</span><button type=button id=theme class=needs-js aria-label=\"" +
        context.in(QL_TEXT("Switch between light and dark")) + "\">" + context.in(QL_TEXT("Dark")) + "</button></div>";
    html += "<h1>" + escape(context.modelName);
    if (!context.platform.empty())
        html += " <span class=on>" + context.in(QL_TEXT("on")) + "</span> " + escape(context.platform);
    html += "</h1><p class=facts>";
    const auto fact = [&](const std::string &value) {
        if (!value.empty()) html += "<span>" + value + "</span>";
    };
    fact(context.samples.empty() ? std::string() : context.in(QL_TEXT("%1 evaluated").with(context.samples)));
    fact(escape(report.tool.device));
    fact(context.in(
        (report.tool.threads == 1 ? QL_TEXT("%1 thread") : QL_TEXT("%1 threads")).with(report.tool.threads)));
    fact("Quantloupe " + escape(report.tool.version));
    fact(context.in(QL_TEXT("model %1").with(code(report.model.sha256.substr(0, 12)))));
    fact(context.in(QL_TEXT("recipe %1").with(code(context.recipeHash.substr(0, 12)))));
    return html + "</p>" + verdict(context, outputs) + cards(context, outputs);
}

static Text severityName(api::Severity severity)
{
    switch (severity) {
    case api::Severity::Error: return QL_TEXT("error");
    case api::Severity::Warning: return QL_TEXT("warning");
    case api::Severity::Info: return QL_TEXT("info");
    }
    return {};
}

static std::string problemItem(const Context &context, const api::Problem &problem)
{
    static constexpr std::array<const char *, 3> marks{"■", "▲", "●"};
    const std::string severity = toString(problem.severity);
    std::string html = "<div class=\"problem " + severity + "\"><span class=mark aria-hidden=true>" +
                       marks[std::size_t(problem.severity)] + "</span><div><p class=where><span class=severity>" +
                       context.in(severityName(problem.severity)) + "</span>";
    if (!problem.op.empty()) html += " · " + context.in(QL_TEXT("op %1").with(context.opCode(problem.op)));
    if (!problem.variable.empty()) html += " · " + context.in(QL_TEXT("tensor %1").with(code(problem.variable)));
    html += "</p><p>" + escape(context.in(problem.message), messageLimit) + "</p>";
    if (const std::string remedy = context.in(problem.remedy); !remedy.empty())
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
    std::string html = "<section id=problems><h2>" + context.in(QL_TEXT("Problems")) + " <small>" +
                       countText(std::int64_t(problems.size())) + "</small></h2>";
    if (problems.empty()) {
        const api::Measures &measures = context.report.measures;
        const auto isMeasured = [](const auto &rows) { return rows && !rows->empty(); };
        const Text none = api::noProblemsText({.outputs = isMeasured(measures.outputs),
                                               .graphwise = isMeasured(measures.graphwise),
                                               .layerwise = isMeasured(measures.layerwise),
                                               .ranges = measures.ranges.has_value()});
        return html + "<div class=panel><p class=none>" + escape(context.in(none)) + "</p></div></section>";
    }
    std::string first, rest;
    for (std::size_t i = 0; i < problems.size(); ++i) (i < shown ? first : rest) += problemItem(context, *problems[i]);
    if (rest.empty()) return html + "<div class=problems>" + first + "</div></section>";
    return html + "<div class=fold><input type=checkbox id=all-problems><div class=problems>" + first +
           "</div><div class=\"more problems\">" + rest + "</div><label for=all-problems><span class=a>" +
           context.in(QL_TEXT("Show all %1").with(context.counted(problems.size(), "problem"))) +
           "</span><span class=b>" + context.in(QL_TEXT("Show only the first %1").with(shown)) +
           "</span></label></div></section>";
}

} // namespace ql::report::html
