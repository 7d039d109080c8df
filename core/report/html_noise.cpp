#include "core/report/html_parts.h"

#include <algorithm>

namespace ql::report::html {

static std::string noiseText(const std::optional<double> &ratio)
{
    return ratio ? percentText(*ratio) : std::string("–");
}

std::string noiseSection(const Context &context)
{
    const auto &rows = context.report.measures.noise;
    if (!rows || rows->empty()) return {};
    std::vector<std::string> lines;
    for (const api::NoiseRow &row : *rows)
        lines.push_back("<tr><td>" + escape(row.variable) + "<td>" + context.opLink(row.slot.op) + "<td>" +
                        toString(row.slot.role) + "<td>" + (row.isEstimated ? "≈ " : "") + noiseText(row.noiseRatio));
    const std::string head = context.th(QL_TEXT("Tensor")) + context.th(QL_TEXT("Op")) + context.th(QL_TEXT("Role")) +
                             context.thNumber(QL_TEXT("Noise"));
    return "<section id=noise><h2>" + context.in(QL_TEXT("Noise of each tensor")) + " <small>" +
           context.counted(lines.size(), "tensor") + "</small></h2><p class=made>" +
           context.in(QL_TEXT("The noise that rounding this tensor alone adds to the outputs. ≈ is estimated by one "
                              "backward pass per sample, the others are measured.")) +
           "</p>" + foldedTable(context, "table-noise", "wide", head, lines, 10, "tensor") + "</section>";
}

/// Operations from top to bottom, samples from left to right.
static std::string heatMap(const Context &context, const api::Explanation &explanation)
{
    const std::size_t height = explanation.operations.size(), width = explanation.samples.size();
    std::string svg = "<svg class=columns viewBox=\"0 0 " + std::to_string(width) + " " + std::to_string(height) +
                      "\" preserveAspectRatio=none role=img aria-label=\"" +
                      context.in(QL_TEXT("noise of each operation and sample")) +
                      "\" style=height:" + std::to_string(std::clamp<std::size_t>(height * 6, 60, 900)) + "px>";
    for (std::size_t y = 0; y < height; ++y) {
        const api::NoiseOrigin &row = explanation.operations[y];
        for (std::size_t x = 0; x < std::min(width, row.samples.size()); ++x)
            svg += "<rect class=e" + std::to_string(rampStep(row.samples[x])) + " x=" + std::to_string(x) +
                   " y=" + std::to_string(y) + " width=1 height=1><title>" + escape(row.op) + ", " +
                   escape(explanation.samples[x]) + ": " + noiseText(row.samples[x]) + "</title></rect>";
    }
    return "<h3>" + context.in(QL_TEXT("Noise of each operation (rows) and sample (columns)")) + "</h3>" + svg +
           "</svg>";
}

/// Of the samples with most noise: image, name, noise.
static std::string worstSamples(const Context &context, const api::Explanation &explanation)
{
    std::string html;
    for (const api::NoisySample &sample : explanation.worst) {
        html += "<figure>";
        if (!sample.image.empty())
            html += "<img alt=\"\" src=\"data:image/png;base64," + escape(sample.image, sample.image.size()) + "\">";
        html += "<figcaption>" + escape(sample.name) + "<br><b>" + noiseText(sample.noiseRatio) +
                "</b></figcaption></figure>";
    }
    return html.empty() ? html
                        : "<h3>" + context.in(QL_TEXT("Samples with most noise at the outputs")) +
                              "</h3><div class=samples>" + html + "</div>";
}

/// How sure the SQNR of an output is, and what it is with only a part rounded.
static Text confidenceText(const api::Confidence &row)
{
    const auto decibels = [](const std::optional<double> &db) { return db ? decibelText(*db) : std::string("–"); };
    const Text worst = row.worstDb ? QL_TEXT("%1 with %2").with(escape(row.worstSample), decibelText(*row.worstDb))
                                   : Text(escape(row.worstSample));
    std::vector<Text> parts{QL_TEXT("%1: SQNR between %2 and %3 (95 %), worst sample %4")
                                .with(escape(row.variable), decibels(row.sqnrLow), decibels(row.sqnrHigh), worst)};
    if (row.metricLow && row.metricHigh)
        parts.push_back(QL_TEXT("accuracy changes by %1 to %2 points")
                            .with(decimalText(100 * *row.metricLow, 1), decimalText(100 * *row.metricHigh, 1)));
    if (row.activationsDb)
        parts.push_back(QL_TEXT("with only activations rounded %1").with(decibelText(*row.activationsDb)));
    if (row.weightsDb) parts.push_back(QL_TEXT("with only weights rounded %1").with(decibelText(*row.weightsDb)));
    if (row.biasesDb) parts.push_back(QL_TEXT("with only biases rounded %1").with(decibelText(*row.biasesDb)));
    return Text::list(std::move(parts), Text::Join::Semicolon);
}

std::string explanationSection(const Context &context)
{
    const auto &explanation = context.report.measures.explanation;
    if (!explanation || explanation->operations.empty()) return {};
    std::vector<std::string> lines;
    for (const api::NoiseOrigin &row : explanation->operations) {
        std::string inputs;
        for (const api::NoiseEdge &edge : row.inputs)
            inputs += (inputs.empty() ? "" : ", ") + escape(edge.from.empty() ? edge.variable : edge.from) + ": " +
                      noiseText(edge.noiseRatio);
        lines.push_back("<tr><td>" + context.opLink(row.op) + "<td>" + escape(row.type) + "<td>" +
                        noiseText(row.noiseRatio) + "<td>" + noiseText(row.added) + "<td>" + inputs);
    }
    std::string outputs;
    for (const api::Confidence &row : explanation->outputs) outputs += "<p>" + context.in(confidenceText(row)) + "</p>";
    const std::string head = context.th(QL_TEXT("Op")) + context.th(QL_TEXT("Type")) +
                             context.thNumber(QL_TEXT("Noise")) + context.thNumber(QL_TEXT("Added")) +
                             context.th(QL_TEXT("Came in through"));
    return "<section id=explanation><h2>" + context.in(QL_TEXT("Origin of the noise")) + " <small>" +
           context.counted(lines.size(), "op") + "</small></h2><p class=made>" +
           context.in(QL_TEXT("Noise in the result of each operation of the quantized model: what its own rounding "
                              "adds, and what comes in through each input. Measured on %1.")
                          .with(context.counted(explanation->samples.size(), "sample"))) +
           "</p>" + outputs + foldedTable(context, "table-explanation", "wide", head, lines, 20, "op") +
           heatMap(context, *explanation) + worstSamples(context, *explanation) + "</section>";
}

} // namespace ql::report::html
