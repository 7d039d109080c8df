#include "core/report/html_parts.h"

#include <algorithm>

namespace ql::report::html {

static constexpr std::size_t shownErrors = 30;

static std::string cell(const std::optional<double> &value, int digits = 4)
{
    return "<td>" + (value ? numberText(*value, digits) : std::string("–"));
}

// The text is rounded and the table is sorted by it: infinities and undefined values have separate keys.
static std::string noiseCell(const Context &context, const ErrorRow &row)
{
    if (row.equalShare) return "<td>–";
    if (row.noiseRatio && row.isEstimated) return "<td>≈ " + percentText(*row.noiseRatio);
    return row.noiseRatio ? "<td>" + percentText(*row.noiseRatio)
                          : "<td data-v=1e999>" + context.in(QL_TEXT("undefined"));
}

static std::string sqnrCell(const Context &context, const ErrorRow &row)
{
    if (row.equalShare) return "<td>–";
    if (row.sqnrDb) return "<td>" + decibelText(*row.sqnrDb);
    return (row.exact() ? "<td data-v=1e999>" : "<td data-v=-1e999>") + sqnrText(row, context.language);
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
    return html + noiseCell(context, row) + sqnrCell(context, row) + cell(row.cosine, 6) + cell(row.mse) +
           cell(row.maxAbs);
}

static std::string summary(const Context &context, const ErrorRow &row)
{
    const Text ratio =
        row.noiseRatio ? Text((row.isEstimated ? "≈ " : "") + percentText(*row.noiseRatio)) : QL_TEXT("undefined");
    std::vector<Text> parts{QL_TEXT("noise %1").with(ratio), sqnrText(row, context.language)};
    if (row.cosine) parts.push_back(QL_TEXT("cosine %1").with(numberText(*row.cosine, 6)));
    return std::to_string(row.order + 1) + ". " + escape(row.op) + " (" + escape(row.type) +
           "): " + context.in(Text::list(std::move(parts)));
}

// All ops in execution order, one column each: where along the model the error arises.
static std::string columns(const Context &context, const std::vector<ErrorRow> &rows, const std::string &table,
                           const Text &title)
{
    const bool dense = rows.size() > 400; // columns of a pixel or two: no gap, no outline
    std::string svg = "<svg class=\"columns" + std::string(dense ? " dense" : "") + "\" viewBox=\"0 0 " +
                      std::to_string(std::max<std::size_t>(rows.size(), 16)) +
                      " 100\" preserveAspectRatio=none role=img aria-label=\"" +
                      context.in(QL_TEXT("%1, operations in execution order").with(title)) + "\">";
    for (const ErrorRow &row : rows) {
        const double height = row.exact() ? 0.0 : std::max(0.7, 100.0 * logPosition(row.noiseRatio));
        svg += "<rect class=" + rampClass(row) + " x=" + std::to_string(row.order) +
               " y=" + numberText(100.0 - height, 3) + (dense ? " width=1" : " width=.86") +
               " height=" + numberText(height, 3) + "><title>" + summary(context, row) + "</title></rect>";
    }
    std::size_t above = 0;
    for (const ErrorRow &row : rows) above += !row.noiseRatio || *row.noiseRatio > attentionRatio;
    return "<div class=chart data-table=" + table +
           "><div class=ticks aria-hidden=true><span>100 %</span><span>10 %</span><span>1 %</span><span>0.1 %</span>"
           "<span>0.01 %</span><span>0.001 %</span></div><div class=plot>" +
           svg + "</svg></div><div class=under>" +
           context.in(QL_TEXT("operations in execution order · %1 above 10 %").with(context.counted(above, "op"))) +
           "</div></div>";
}

// Why an analysis has no rows.
static Text emptyText(const api::Report &report, const std::string &section)
{
    const auto &analyses = report.recipe.analyses;
    if (std::none_of(analyses.begin(), analyses.end(), [&](const auto &step) { return step.id == section; }))
        return QL_TEXT("Not measured: the analysis %1 was not requested (%2).")
            .with(code(section), code("--analyse layerwise,graphwise"));
    if (std::any_of(report.operations.begin(), report.operations.end(), [](const auto &op) { return op.quantized; }))
        return QL_TEXT("Nothing could be measured.");
    return QL_TEXT("No op is quantized: nothing to compare.");
}

/// Of the columns after the noise.
static std::string measureHeads(const Context &context)
{
    return "<th class=n>SQNR" + context.thNumber(QL_TEXT("Cosine")) + "<th class=n>MSE" +
           context.thNumber(QL_TEXT("Max |error|"));
}

std::string errorSection(const Context &context, const char *section, const std::vector<ErrorRow> &rows,
                         const Text &title, const Text &meaning)
{
    const std::string id = section;
    std::string html = "<section id=" + id + "><h2>" + context.in(title);
    if (rows.empty())
        return html + "</h2><p class=made>" + context.in(meaning) + "</p><p class=none>" +
               context.in(emptyText(context.report, id)) + "</p></section>";
    html += " <small>" + context.counted(rows.size(), "op") + "</small></h2><p class=made>" + context.in(meaning);
    html += " " + context.made + "</p>" + columns(context, rows, "table-" + id, title);

    html += tableTools(context, "table-" + id, QL_TEXT("Search op or type"),
                       "<span class=group data-table=table-" + id +
                           "><button type=button data-order=error aria-pressed=true>" +
                           context.in(QL_TEXT("sorted by error")) +
                           "</button><button type=button data-order=execution aria-pressed=false>" +
                           context.in(QL_TEXT("execution order")) + "</button></span>");
    std::vector<std::string> lines;
    for (const ErrorRow &row : worstFirst(rows)) lines.push_back(barRow(context, row));
    const std::string head =
        "<th class=\"n up\">#" + context.th(QL_TEXT("Op")) + context.th(QL_TEXT("Type")) +
        "<th class=bar><span class=scale aria-label=\"" + context.in(QL_TEXT("noise, logarithmic")) +
        "\"><span>0.001 %</span><span></span><span>0.1 %</span><span></span><span>10 %</span><span></span></span>" +
        context.th(QL_TEXT("Noise"), " class=n aria-sort=descending") + measureHeads(context);
    return html + foldedTable(context, "table-" + id, "bars", head, lines, shownErrors, "op") + "</section>";
}

static std::string metricCell(const Context &context, const std::optional<api::Metric> &metric)
{
    if (!metric) return "<td>–";
    return "<td>" + escape(metric->name) + " " + fp32Text(*metric) + " → " + quantizedText(*metric) + " (" +
           changeText(*metric, context.language) + ")";
}

std::string outputsSection(const Context &context)
{
    const std::vector<ErrorRow> rows = errorRows(context.report.measures.outputs);
    std::string html = "<section id=outputs><h2>" + context.in(QL_TEXT("Outputs")) + " <small>" +
                       context.in(QL_TEXT("of the fully quantized model")) + "</small></h2>";
    if (rows.empty())
        return html + "<p class=none>" + context.in(QL_TEXT("The report contains no output errors.")) +
               "</p></section>";
    html += "<p class=made>" + context.made + "</p>";
    std::vector<std::string> lines;
    for (const ErrorRow &row : rows) {
        std::string line =
            "<tr><td>" + escape(row.variable.empty() ? row.output : row.variable) + noiseCell(context, row);
        line += sqnrCell(context, row) + cell(row.cosine, 6) + cell(row.mse) + cell(row.maxAbs);
        line += "<td>" + (row.equalShare ? percentText(*row.equalShare) : std::string("–"));
        line += "<td>" + countText(row.samples) + "<td>" + countText(row.elements) + metricCell(context, row.metric);
        lines.push_back(std::move(line));
    }
    const std::string head = context.th(QL_TEXT("Output")) + context.thNumber(QL_TEXT("Noise")) +
                             measureHeads(context) + context.thNumber(QL_TEXT("Equal integers")) +
                             context.thNumber(QL_TEXT("Samples")) + context.thNumber(QL_TEXT("Elements")) +
                             context.th(QL_TEXT("Metric, float → quantized"));
    return html + foldedTable(context, "table-outputs", "wide", head, lines, shownErrors, "output") + "</section>";
}

} // namespace ql::report::html
