#include "core/report/html_parts.h"

namespace ql::report::html {

static std::string legend()
{
    std::string html;
    for (int step = 0; step < 8; ++step) html += "<i class=e" + std::to_string(step) + "></i>";
    return "<span class=\"legend\"><span>0.001 %</span>" + html + "<span>100 %</span></span>";
}

static std::string stateMark(const std::string &state)
{
    return "<b class=\"s s-" + state + "\">" + state + "</b>";
}

std::string definitionSection(const Context &context)
{
    const std::string fp = "<i>fp</i>", q = "<i>q</i>", x = "<i>x</i>";
    const std::pair<Text, Text> terms[] = {
        {QL_TEXT("Noise (noise_ratio)"),
         QL_TEXT(
             "Mean over samples of Σ(%1 − %2)² ∕ Σ%1²: the power of the error relative to the power of the signal. 0 "
             "is perfect, 100 % means that the error is as strong as the signal. Rule of thumb: above 10 % at an "
             "output, accuracy usually suffers; the dashed line in the charts marks it.")
             .with(fp, q)},
        {QL_TEXT("SQNR (sqnr_db)"),
         QL_TEXT("Signal to quantization noise ratio, −10 log₁₀(noise), in decibels; higher is better. 10 dB is 10 % "
                 "noise, 20 dB is 1 %, 40 dB is 0.01 %. “exact” means no noise at all.")},
        {QL_TEXT("Cosine"),
         QL_TEXT(
             "Mean over samples of the cosine of the angle between %1 and %2 as vectors: 1 is the same direction. It "
             "is insensitive to errors of scale.")
             .with(fp, q)},
        {QL_TEXT("MSE, max |error|"),
         QL_TEXT("Mean over samples of the mean of (%1 − %2)², and the largest |%1 − %2| of any element: absolute, in "
                 "the units of the tensor.")
             .with(fp, q)},
        {QL_TEXT("Graphwise"),
         QL_TEXT("The whole model is quantized and the output of each quantized op is compared: the error accumulated "
                 "from the inputs up to this op. It shows where the error is.")},
        {QL_TEXT("Layerwise"),
         QL_TEXT("Only this one op is quantized, the others stay float, and the graph outputs are compared (the "
                 "worst one counts). It shows which op causes the error: candidates for another observer, per-channel "
                 "scales, equalization or float.")},
        {QL_TEXT("undefined"),
         QL_TEXT("NaN or infinity was involved (a signal without power, an overflow). See Problems for the cause.")},
        {QL_TEXT("Colour"), QL_TEXT("Eight steps on a logarithmic scale of noise: %1").with(legend())},
        {QL_TEXT("Scale, zero point"),
         QL_TEXT(
             "A value %1 is stored as clamp(round(%1 ∕ scale) + zero point, range). For a tensor with one scale per "
             "channel, the table shows smallest … largest and their number.")
             .with(x)},
        {QL_TEXT("States"),
         QL_TEXT("%1 quantizes with its own scale. %2 uses a scale derived from others (a bias). %3 is rounded by "
                 "another slot, its root: fused away, or already quantized. %4 parameter values are stored already "
                 "rounded. %5 is not quantized. %6 has no scale yet: calibration did not reach it.")
             .with(stateMark("active"), stateMark("passive"), stateMark("overlapped"), stateMark("baked"),
                   stateMark("fp32"), stateMark("initial"))},
        {QL_TEXT("Distributions"),
         QL_TEXT(
             "Density of the values on a logarithmic scale over five decades. Mean, standard deviation, skewness and "
             "excess kurtosis (0 for a normal distribution) are those of all values. Dashed lines are the clip "
             "limits; values outside are clipped.")}};
    std::string html =
        "<section id=\"definitions\">\n<h2>" + context.in(QL_TEXT("Definitions")) +
        "</h2>\n<div class=\"panel\">\n<p>" +
        context.in(QL_TEXT("Every measure compares the quantized model (%1) with the float model (%2) on "
                           "the same samples, sample by sample, over all elements of a tensor; nothing "
                           "is subsampled.")
                       .with(q, fp)) +
        "</p>\n<dl class=\"terms\">\n";
    for (const auto &[term, meaning] : terms)
        html += "<dt>" + context.in(term) + "</dt><dd>" + context.in(meaning) + "</dd>\n";
    return html + "</dl>\n<p class=\"dim\">" +
           context.in(QL_TEXT("Every number on this page is reproducible: model and recipe are identified by their "
                              "SHA-256, and the same recipe, model and data give the same numbers.")) +
           "</p>\n</div>\n</section>\n";
}

} // namespace ql::report::html
