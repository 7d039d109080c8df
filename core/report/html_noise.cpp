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
    return "<section id=noise><h2>Noise of each tensor <small>" + plural(lines.size(), "tensor") +
           "</small></h2><p class=made>The noise that rounding this tensor alone adds to the outputs. ≈ is estimated "
           "by one backward pass per sample, the others are measured.</p>" +
           foldedTable("table-noise", "wide", "<th>Tensor<th>Op<th>Role<th class=n>Noise", lines, 10, "tensor") +
           "</section>";
}

/// Operations from top to bottom, samples from left to right.
static std::string heatMap(const api::Explanation &explanation)
{
    const std::size_t height = explanation.operations.size(), width = explanation.samples.size();
    std::string svg = "<svg class=columns viewBox=\"0 0 " + std::to_string(width) + " " + std::to_string(height) +
                      "\" preserveAspectRatio=none role=img aria-label=\"noise of each operation and sample\" "
                      "style=height:" +
                      std::to_string(std::clamp<std::size_t>(height * 6, 60, 900)) + "px>";
    for (std::size_t y = 0; y < height; ++y) {
        const api::NoiseOrigin &row = explanation.operations[y];
        for (std::size_t x = 0; x < std::min(width, row.samples.size()); ++x)
            svg += "<rect class=e" + std::to_string(rampStep(row.samples[x])) + " x=" + std::to_string(x) +
                   " y=" + std::to_string(y) + " width=1 height=1><title>" + escape(row.op) + ", " +
                   escape(explanation.samples[x]) + ": " + noiseText(row.samples[x]) + "</title></rect>";
    }
    return "<h3>Noise of each operation (rows) and sample (columns)</h3>" + svg + "</svg>";
}

/// Of the samples with most noise: image, name, noise.
static std::string worstSamples(const api::Explanation &explanation)
{
    std::string html;
    for (const api::NoisySample &sample : explanation.worst) {
        html += "<figure>";
        if (!sample.image.empty())
            html += "<img alt=\"\" src=\"data:image/png;base64," + escape(sample.image, sample.image.size()) + "\">";
        html += "<figcaption>" + escape(sample.name) + "<br><b>" + noiseText(sample.noiseRatio) +
                "</b></figcaption></figure>";
    }
    return html.empty() ? html : "<h3>Samples with most noise at the outputs</h3><div class=samples>" + html + "</div>";
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
    for (const api::Confidence &row : explanation->outputs) {
        outputs += "<p>" + escape(row.variable) + ": SQNR between " + (row.sqnrLow ? decibelText(*row.sqnrLow) : "–") +
                   " and " + (row.sqnrHigh ? decibelText(*row.sqnrHigh) : "–") + " (95 %), worst sample " +
                   escape(row.worstSample) + (row.worstDb ? " with " + decibelText(*row.worstDb) : "");
        if (row.metricLow && row.metricHigh)
            outputs += "; accuracy changes by " + decimalText(100 * *row.metricLow, 1) + " to " +
                       decimalText(100 * *row.metricHigh, 1) + " points";
        const std::pair<const char *, std::optional<double>> kinds[] = {
            {"activations", row.activationsDb}, {"weights", row.weightsDb}, {"biases", row.biasesDb}};
        for (const auto &[kind, alone] : kinds)
            if (alone) outputs += std::string("; with only ") + kind + " rounded " + decibelText(*alone);
        outputs += "</p>";
    }
    return "<section id=explanation><h2>Origin of the noise <small>" + plural(lines.size(), "op") +
           "</small></h2><p class=made>Noise in the result of each operation of the quantized model: what its own "
           "rounding adds, and what comes in through each input. Measured on " +
           plural(explanation->samples.size(), "sample") + ".</p>" + outputs +
           foldedTable("table-explanation", "wide",
                       "<th>Op<th>Type<th class=n>Noise<th class=n>Added<th>Came in through", lines, 20, "op") +
           heatMap(*explanation) + worstSamples(*explanation) + "</section>";
}

} // namespace ql::report::html
