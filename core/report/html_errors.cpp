#include "core/report/html_parts.h"

#include <algorithm>

namespace ql::report::html {

static constexpr std::size_t shownErrors = 30;

static std::string cell(const std::optional<double> &value, int digits = 4)
{
    return "<td>" + (value ? numberText(*value, digits) : std::string("–"));
}

// The text is rounded and the table is sorted by it: infinities and undefined values have separate keys.
static std::string noiseCell(const ErrorRow &row)
{
    if (row.equalShare) return "<td>–";
    if (row.noiseRatio && row.isEstimated) return "<td>≈ " + percentText(*row.noiseRatio);
    return row.noiseRatio ? "<td>" + percentText(*row.noiseRatio) : std::string("<td data-v=1e999>undefined");
}

static std::string sqnrCell(const ErrorRow &row)
{
    if (row.equalShare) return "<td>–";
    if (row.sqnrDb) return "<td>" + decibelText(*row.sqnrDb);
    return row.exact() ? "<td data-v=1e999>exact" : "<td data-v=-1e999>undefined";
}

static std::string rampClass(const ErrorRow &row)
{
    return row.noiseRatio ? "e" + std::to_string(rampStep(row.noiseRatio)) : "en";
}

// One row of the sorted bars; closing tags that are optional in HTML5 are omitted, a report has thousands of these.
static std::string barRow(const Context &context, const ErrorRow &row)
{
    std::string html = "<tr><td>" + std::to_string(row.order + 1) + "<td>" + context.opLink(row.op);
    html += "<td>" + escape(row.type) + "<td class=bar>";
    if (!row.exact()) {
        html += "<i class=" + rampClass(row) + " style=width:" + numberText(100.0 * logPosition(row.noiseRatio), 3) +
                "%></i>";
    }
    return html + noiseCell(row) + sqnrCell(row) + cell(row.cosine, 6) + cell(row.mse) + cell(row.maxAbs);
}

static std::string summary(const ErrorRow &row)
{
    std::string out = std::to_string(row.order + 1) + ". " + escape(row.op) + " (" + escape(row.type) + "): noise " +
                      (row.isEstimated ? "≈ " : "");
    out += row.noiseRatio ? percentText(*row.noiseRatio) : "undefined";
    out += ", " + sqnrText(row);
    if (row.cosine) out += ", cosine " + numberText(*row.cosine, 6);
    return out;
}

// All ops in execution order, one column each: where along the model the error arises.
static std::string columns(const std::vector<ErrorRow> &rows, const std::string &table, const char *title)
{
    const bool dense = rows.size() > 400; // columns of a pixel or two: no gap, no outline
    std::string svg = "<svg class=\"columns" + std::string(dense ? " dense" : "") + "\" viewBox=\"0 0 " +
                      std::to_string(std::max<std::size_t>(rows.size(), 16)) +
                      " 100\" preserveAspectRatio=none role=img aria-label=\"" + title +
                      ", operations in execution order\">";
    for (const ErrorRow &row : rows) {
        const double height = row.exact() ? 0.0 : std::max(0.7, 100.0 * logPosition(row.noiseRatio));
        svg += "<rect class=" + rampClass(row) + " x=" + std::to_string(row.order) +
               " y=" + numberText(100.0 - height, 3) + (dense ? " width=1" : " width=.86") +
               " height=" + numberText(height, 3) + "><title>" + summary(row) + "</title></rect>";
    }
    std::size_t above = 0;
    for (const ErrorRow &row : rows) above += !row.noiseRatio || *row.noiseRatio > attentionRatio;
    return "<div class=chart data-table=" + table +
           "><div class=ticks aria-hidden=true><span>100 %</span><span>10 %</span><span>1 %</span><span>0.1 %</span>"
           "<span>0.01 %</span><span>0.001 %</span></div><div class=plot>" +
           svg + "</svg></div><div class=under>operations in execution order · " + plural(above, "op") +
           " above 10&nbsp;%</div></div>";
}

// Why an analysis has no rows.
static std::string emptyText(const api::Report &report, const std::string &section)
{
    const auto &analyses = report.recipe.analyses;
    if (std::none_of(analyses.begin(), analyses.end(), [&](const auto &step) { return step.id == section; }))
        return "Not measured: the analysis " + code(section) + " was not requested (" +
               code("--analyse layerwise,graphwise") + ").";
    if (std::any_of(report.operations.begin(), report.operations.end(), [](const auto &op) { return op.quantized; }))
        return "Nothing could be measured.";
    return "No op is quantized: nothing to compare.";
}

std::string errorSection(const Context &context, const char *section, const std::vector<ErrorRow> &rows,
                         const char *title, const char *meaning)
{
    const std::string id = section;
    std::string html = "<section id=" + id + "><h2>" + title;
    if (rows.empty())
        return html + "</h2><p class=made>" + meaning + "</p><p class=none>" + emptyText(context.report, id) +
               "</p></section>";
    html += " <small>" + plural(rows.size(), "op") + "</small></h2><p class=made>" + meaning;
    html += " " + context.made + "</p>" + columns(rows, "table-" + id, title);

    html +=
        tableTools("table-" + id, "Search op or type",
                   "<span class=group data-table=table-" + id +
                       "><button type=button data-order=error aria-pressed=true>sorted by error</button>"
                       "<button type=button data-order=execution aria-pressed=false>execution order</button></span>");
    std::vector<std::string> lines;
    for (const ErrorRow &row : worstFirst(rows)) lines.push_back(barRow(context, row));
    const std::string head =
        "<th class=\"n up\">#<th>Op<th>Type<th class=bar><span class=scale aria-label=\"noise, "
        "logarithmic\"><span>0.001 %</span>"
        "<span></span><span>0.1 %</span><span></span><span>10 %</span><span></span></span>"
        "<th class=n aria-sort=descending>Noise<th class=n>SQNR<th class=n>Cosine<th class=n>MSE<th class=n>Max "
        "|error|";
    return html + foldedTable("table-" + id, "bars", head, lines, shownErrors, "op") + "</section>";
}

static std::string metricCell(const std::optional<api::Metric> &metric)
{
    if (!metric) return "<td>–";
    return "<td>" + escape(metric->name) + " " + fp32Text(*metric) + " → " + quantizedText(*metric) + " (" +
           changeText(*metric) + ")";
}

std::string outputsSection(const Context &context)
{
    const std::vector<ErrorRow> rows = errorRows(context.report.measures.outputs);
    std::string html = "<section id=outputs><h2>Outputs <small>of the fully quantized model</small></h2>";
    if (rows.empty()) return html + "<p class=none>The report contains no output errors.</p></section>";
    html += "<p class=made>" + context.made + "</p>";
    std::vector<std::string> lines;
    for (const ErrorRow &row : rows) {
        std::string line = "<tr><td>" + escape(row.variable.empty() ? row.output : row.variable) + noiseCell(row);
        line += sqnrCell(row) + cell(row.cosine, 6) + cell(row.mse) + cell(row.maxAbs);
        line += "<td>" + (row.equalShare ? percentText(*row.equalShare) : std::string("–"));
        line += "<td>" + countText(row.samples) + "<td>" + countText(row.elements) + metricCell(row.metric);
        lines.push_back(std::move(line));
    }
    const std::string head =
        "<th>Output<th class=n>Noise<th class=n>SQNR<th class=n>Cosine<th class=n>MSE<th class=n>Max |error|"
        "<th class=n>Equal integers<th class=n>Samples<th class=n>Elements<th>Metric, float → quantized";
    return html + foldedTable("table-outputs", "wide", head, lines, shownErrors, "output") + "</section>";
}

} // namespace ql::report::html
