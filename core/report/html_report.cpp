#include "core/report/html_report.h"

#include "core/base/base64.h"
#include "core/base/resources.h"
#include "core/base/sha256.h"
#include "core/base/strings.h"
#include "core/report/html_parts.h"

#include <set>
#include <utility>

namespace ql::report::html {

using nlohmann::json;

std::string escape(std::string_view utf8, std::size_t limit)
{
    std::string out;
    for (const char c : visibleText(utf8, limit)) {
        switch (c) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        case '\'': out += "&#39;"; break;
        default: out += c;
        }
    }
    return out;
}

std::string code(std::string_view utf8)
{
    return "<code>" + escape(utf8) + "</code>";
}

static std::string fileName(const std::string &path)
{
    return path.substr(path.find_last_of("/\\") + 1);
}

/// Broken UTF-8 of a name or path becomes U+FFFD.
static std::string dumped(const json &value, int indent = -1, bool isAscii = false)
{
    return value.dump(indent, ' ', isAscii, json::error_handler_t::replace);
}

Context::Context(const api::Report &r, const Language *l)
    : report(r), language(l), modelName(fileName(r.model.path)), platform(r.recipe.platform),
      recipeHash(sha256(dumped(api::toJson(r.recipe))))
{
    std::size_t row = 0;
    for (const api::OperationRow &operation : report.operations) operationRows.emplace(operation.name, ++row);
    if (modelName.empty()) modelName = in(QL_TEXT("unnamed model"));
    for (const api::Problem &problem : report.problems) urgent += problem.severity != api::Severity::Info;
    std::set<std::int64_t> counts;
    const auto count = [&](const std::vector<ErrorRow> &rows) {
        for (const ErrorRow &error : rows)
            if (error.samples > 0) counts.insert(error.samples);
    };
    count(errorRows(report.measures.outputs));
    count(errorRows(report.measures.graphwise));
    count(errorRows(report.measures.layerwise));
    if (!counts.empty()) samples = counted(std::size_t(*counts.rbegin()), "sample");
    if (counts.size() > 1) samples = in(QL_TEXT("%1 to %2").with(countText(*counts.begin()), samples));

    std::string parts = samples;
    const auto add = [&](const std::string &part) { parts += (parts.empty() || part.empty() ? "" : " · ") + part; };
    add(samples.empty() ? "" : in(QL_TEXT("all elements")));
    add(escape(report.tool.device));
    add(in(QL_TEXT("recipe %1").with(escape(recipeHash.substr(0, 12)))));
    made = parts.empty() ? "" : "<span class=w>" + parts + "</span>";
}

std::string Context::opLink(const std::string &op) const
{
    const auto row = operationRows.find(op);
    if (row == operationRows.end()) return escape(op);
    return "<a href=#op-" + std::to_string(row->second) + ">" + escape(op) + "</a>";
}

std::string Context::opCode(const std::string &op) const
{
    return "<code>" + opLink(op) + "</code>";
}

std::string Context::counted(std::size_t count, std::string_view noun) const
{
    static const std::map<std::string_view, std::pair<Text, Text>> nouns{
        {"combination", {QL_TEXT("%1 combination"), QL_TEXT("%1 combinations")}},
        {"error", {QL_TEXT("%1 error"), QL_TEXT("%1 errors")}},
        {"op", {QL_TEXT("%1 op"), QL_TEXT("%1 ops")}},
        {"output", {QL_TEXT("%1 output"), QL_TEXT("%1 outputs")}},
        {"problem", {QL_TEXT("%1 problem"), QL_TEXT("%1 problems")}},
        {"sample", {QL_TEXT("%1 sample"), QL_TEXT("%1 samples")}},
        {"slot", {QL_TEXT("%1 slot"), QL_TEXT("%1 slots")}},
        {"tensor", {QL_TEXT("%1 tensor"), QL_TEXT("%1 tensors")}},
        {"warning", {QL_TEXT("%1 warning"), QL_TEXT("%1 warnings")}}};
    const auto &[one, several] = nouns.at(noun);
    return in((count == 1 ? one : several).with(countText(std::int64_t(count))));
}

std::string Context::th(const Text &title, const char *attributes) const
{
    return std::string("<th") + attributes + ">" + in(title);
}

static std::string recipeSection(const Context &context)
{
    // Layout is kept, hence no visibleText of the whole: JSON has no control characters except the line feeds of its
    // layout.
    std::string lines;
    for (const std::string &line : split(dumped(api::toJson(context.report.recipe), 2), '\n'))
        lines += escape(line, std::string_view::npos) + "\n";
    return "<section id=recipe><h2>" + context.in(QL_TEXT("Recipe")) + " <small>" +
           context.in(QL_TEXT("complete, with all defaults")) + "</small></h2><p class=made>" +
           context.in(
               QL_TEXT("Save it as a .quantloupe file and run it again: the same recipe, model and data give the "
                       "same numbers.")) +
           " SHA-256 " + escape(context.recipeHash) +
           "</p><div class=tools><button type=button data-copy=recipe-text>" + context.in(QL_TEXT("Copy recipe")) +
           "</button></div><pre id=recipe-text tabindex=0>" + lines + "</pre></section>";
}

// The small part of the report that scripts and people need from an attached file. '<' is written as \u003c, so that no
// "</script>" or "<!--" in a name can end or change the element.
static std::string embeddedData(const Context &context)
{
    api::EmbeddedReport data{context.report, context.recipeHash};
    std::string out;
    for (const char c : dumped(data, -1, true)) {
        if (c == '<')
            out += "\\u003c";
        else if (c == '>')
            out += "\\u003e";
        else if (c == '&')
            out += "\\u0026";
        else
            out += c;
    }
    return out;
}

// A hash in hexadecimal digits as base64, as required in content security policies.
static std::string base64OfHex(const std::string &hex)
{
    std::string bytes;
    for (std::size_t at = 0; at < hex.size(); at += 2) bytes += char(std::stoul(hex.substr(at, 2), nullptr, 16));
    return base64(bytes);
}

// Replaces {{name}} in one pass over the template: inserted text is not scanned again.
static std::string fill(std::string_view pattern, const std::map<std::string, std::string, std::less<>> &values)
{
    std::string out;
    while (true) {
        const std::size_t open = pattern.find("{{");
        out += pattern.substr(0, open);
        if (open == std::string_view::npos) return out;
        const std::size_t close = pattern.find("}}", open);
        out += values.at(std::string(pattern.substr(open + 2, close - open - 2)));
        pattern.remove_prefix(close + 2);
    }
}

static std::string navigation(const Context &context, const std::vector<std::pair<const char *, std::string>> &sections)
{
    static const std::map<std::string_view, Text> titles{{"problems", QL_TEXT("Problems")},
                                                         {"outputs", QL_TEXT("Outputs")},
                                                         {"graphwise", QL_TEXT("Graphwise")},
                                                         {"layerwise", QL_TEXT("Layerwise")},
                                                         {"noise", QL_TEXT("Noise")},
                                                         {"explanation", QL_TEXT("Origin")},
                                                         {"distributions", QL_TEXT("Distributions")},
                                                         {"configs", QL_TEXT("Configs")},
                                                         {"operations", QL_TEXT("Operations")},
                                                         {"run", QL_TEXT("Run")},
                                                         {"recipe", QL_TEXT("Recipe")}};
    std::string html;
    for (const auto &[id, body] : sections) {
        if (body.empty()) continue;
        html += std::string("<a href=#") + id + ">" + context.in(titles.at(id));
        if (const std::size_t count = context.report.problems.size(); id == std::string_view("problems") && count > 0) {
            html +=
                std::string(context.urgent ? " <b class=attention>" : " <b>") + countText(std::int64_t(count)) + "</b>";
        }
        html += "</a>";
    }
    return html + "<a href=#definitions>" + context.in(QL_TEXT("Definitions")) + "</a>";
}

/// What the script writes itself, as attributes.
static std::string scriptWords(const Context &context)
{
    std::string out;
    for (const auto &[name, word] :
         {std::pair("light", QL_TEXT("Light")), std::pair("dark", QL_TEXT("Dark")),
          std::pair("copied", QL_TEXT("Copied")), std::pair("failed", QL_TEXT("Copy failed"))})
        out += std::string(" data-word-") + name + "=\"" + context.in(word) + "\"";
    return out;
}

static std::string render(const api::Report &report, const Language *language)
{
    const Context context(report, language);
    const std::vector<std::pair<const char *, std::string>> sections{
        {"problems", problemSection(context)},
        {"outputs", outputsSection(context)},
        {"layerwise",
         errorSection(context, "layerwise", errorRows(report.measures.layerwise), QL_TEXT("Layerwise error"),
                      QL_TEXT("Which op causes the error: only this op is quantized; measured at the graph outputs."))},
        {"graphwise",
         errorSection(context, "graphwise", errorRows(report.measures.graphwise), QL_TEXT("Graphwise error"),
                      QL_TEXT("Where the error is: the whole model is quantized; measured at the output of each op."))},
        {"noise", noiseSection(context)},
        {"explanation", explanationSection(context)},
        {"distributions", distributionSection(context)},
        {"configs", configSection(context)},
        {"operations", operationSection(context)},
        {"run", runSection(context)},
        {"recipe", recipeSection(context)}};

    const std::string generator = "Quantloupe " + report.tool.version;
    std::string title = context.platform.empty()
                            ? context.modelName
                            : context.in(QL_TEXT("%1 on %2").with(context.modelName, context.platform));
    if (const auto outputs = worstFirst(errorRows(report.measures.outputs)); !outputs.empty())
        title += ": " + sqnrText(outputs.front(), language);
    std::string body;
    for (const auto &[id, section] : sections) body += section + "\n";
    body += definitionSection(context);

    const std::string script(resources::resource("report/report.js"));
    const std::map<std::string, std::string, std::less<>> values{
        {"script_hash", "sha256-" + base64OfHex(sha256(script))},
        {"language", context.in(QL_TEXT("en"))}, // the code of the language itself
        {"words", scriptWords(context)},
        {"top", context.in(QL_TEXT("Sections"))},
        {"generator", escape(generator)},
        {"title", escape(title) + " – Quantloupe"},
        {"style", std::string(resources::resource("report/report.css"))},
        {"header", header(context)},
        {"nav", navigation(context, sections)},
        {"sections", body},
        {"footer",
         context.in(
             QL_TEXT("Written by %1 from a report with schema %2.").with(escape(generator), code(api::reportSchema)))},
        {"data", embeddedData(context)},
        {"script", script}};
    return fill(resources::resource("report/report.html"), values);
}

} // namespace ql::report::html

namespace ql {

std::string htmlReport(const api::Report &report, const Language *language)
{
    return report::html::render(report, language);
}

} // namespace ql
