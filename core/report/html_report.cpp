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

Context::Context(const api::Report &r)
    : report(r), modelName(fileName(r.model.path)), platform(r.recipe.platform),
      recipeHash(sha256(dumped(api::toJson(r.recipe))))
{
    std::size_t row = 0;
    for (const api::OperationRow &operation : report.operations) operationRows.emplace(operation.name, ++row);
    if (modelName.empty()) modelName = "unnamed model";
    for (const api::Problem &problem : report.problems) urgent += problem.severity != api::Severity::Info;
    std::set<std::int64_t> counts;
    const auto count = [&](const std::vector<ErrorRow> &rows) {
        for (const ErrorRow &error : rows)
            if (error.samples > 0) counts.insert(error.samples);
    };
    count(errorRows(report.measures.outputs));
    count(errorRows(report.measures.graphwise));
    count(errorRows(report.measures.layerwise));
    if (!counts.empty()) samples = plural(std::size_t(*counts.rbegin()), "sample");
    if (counts.size() > 1) samples = countText(*counts.begin()) + " to " + samples;

    std::string parts = samples;
    const auto add = [&](const std::string &part) { parts += (parts.empty() || part.empty() ? "" : " · ") + part; };
    add(samples.empty() ? "" : "all elements");
    add(escape(report.tool.device));
    add("recipe " + escape(recipeHash.substr(0, 12)));
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

static std::string recipeSection(const Context &context)
{
    // Layout is kept, hence no visibleText of the whole: JSON has no control characters except the line feeds of its
    // layout.
    std::string lines;
    for (const std::string &line : split(dumped(api::toJson(context.report.recipe), 2), '\n'))
        lines += escape(line, std::string_view::npos) + "\n";
    return "<section id=recipe><h2>Recipe <small>complete, with all defaults</small></h2><p class=made>Save it as a "
           ".quantloupe file and run it again: the same recipe, model and data give the same numbers. SHA-256 " +
           escape(context.recipeHash) +
           "</p><div class=tools><button type=button data-copy=recipe-text>Copy recipe</button></div><pre "
           "id=recipe-text tabindex=0>" +
           lines + "</pre></section>";
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
    static const std::map<std::string_view, const char *> titles{{"problems", "Problems"},
                                                                 {"outputs", "Outputs"},
                                                                 {"graphwise", "Graphwise"},
                                                                 {"layerwise", "Layerwise"},
                                                                 {"noise", "Noise"},
                                                                 {"explanation", "Origin"},
                                                                 {"distributions", "Distributions"},
                                                                 {"configs", "Configs"},
                                                                 {"operations", "Operations"},
                                                                 {"run", "Run"},
                                                                 {"recipe", "Recipe"}};
    std::string html;
    for (const auto &[id, body] : sections) {
        if (body.empty()) continue;
        html += std::string("<a href=#") + id + ">" + titles.at(id);
        if (const std::size_t count = context.report.problems.size(); id == std::string_view("problems") && count > 0) {
            html +=
                std::string(context.urgent ? " <b class=attention>" : " <b>") + countText(std::int64_t(count)) + "</b>";
        }
        html += "</a>";
    }
    return html + "<a href=#definitions>Definitions</a>";
}

static std::string legend()
{
    std::string html;
    for (int step = 0; step < 8; ++step) html += "<i class=e" + std::to_string(step) + "></i>";
    return html;
}

static std::string render(const api::Report &report)
{
    const Context context(report);
    const std::vector<std::pair<const char *, std::string>> sections{
        {"problems", problemSection(context)},
        {"outputs", outputsSection(context)},
        {"layerwise",
         errorSection(context, "layerwise", errorRows(report.measures.layerwise), "Layerwise error",
                      "Which op causes the error: only this op is quantized; measured at the graph outputs.")},
        {"graphwise",
         errorSection(context, "graphwise", errorRows(report.measures.graphwise), "Graphwise error",
                      "Where the error is: the whole model is quantized; measured at the output of each op.")},
        {"noise", noiseSection(context)},
        {"explanation", explanationSection(context)},
        {"distributions", distributionSection(context)},
        {"configs", configSection(context)},
        {"operations", operationSection(context)},
        {"run", runSection(context)},
        {"recipe", recipeSection(context)}};

    const std::string generator = "Quantloupe " + report.tool.version;
    std::string title = context.modelName + (context.platform.empty() ? "" : " on " + context.platform);
    if (const auto outputs = worstFirst(errorRows(report.measures.outputs)); !outputs.empty())
        title += ": " + sqnrText(outputs.front());
    std::string body;
    for (const auto &[id, section] : sections) body += section + "\n";

    const std::string script(resources::resource("report/report.js"));
    const std::map<std::string, std::string, std::less<>> values{
        {"script_hash", "sha256-" + base64OfHex(sha256(script))},
        {"generator", escape(generator)},
        {"title", escape(title) + " – Quantloupe"},
        {"style", std::string(resources::resource("report/report.css"))},
        {"header", header(context)},
        {"nav", navigation(context, sections)},
        {"sections", body},
        {"legend", legend()},
        {"footer", "Written by " + escape(generator) + " from a report with schema " + code(api::reportSchema) + "."},
        {"data", embeddedData(context)},
        {"script", script}};
    return fill(resources::resource("report/report.html"), values);
}

} // namespace ql::report::html

namespace ql {

std::string htmlReport(const api::Report &report)
{
    return report::html::render(report);
}

} // namespace ql
