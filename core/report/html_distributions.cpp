#include "core/report/html_parts.h"

#include <algorithm>
#include <cmath>

namespace ql::report::html {

// Number of plots per list of the report, and of those initially visible. A distribution is about 5 kB of SVG.
static constexpr std::size_t drawn = 24, shown = 6;
// Plotted decades of density below the maximum.
static constexpr double decades = 5.0;

namespace {

struct Histogram
{
    double min = 0.0, max = 0.0;
    std::vector<double> counts;
    double total = 0.0;

    bool empty() const { return counts.empty() || !(total > 0.0); }
    // All values equal: a bin without width is drawn as a line.
    double binWidth() const { return (max - min) / double(counts.size()); }
};

struct Range
{
    double min = 0.0, max = 0.0;
};

} // namespace

static Histogram histogramOf(const api::Histogram &entry)
{
    Histogram out;
    if (!entry.min || !entry.max || !(*entry.max >= *entry.min) || !std::isfinite(*entry.max - *entry.min)) return out;
    out.min = *entry.min;
    out.max = *entry.max;
    for (const std::int64_t count : entry.counts) {
        out.counts.push_back(double(std::max<std::int64_t>(0, count)));
        out.total += out.counts.back();
    }
    return out;
}

static double peakDensity(const Histogram &h, const Range &range)
{
    if (h.empty()) return 0.0;
    const double width = h.binWidth() > 0.0 ? h.binWidth() : (range.max - range.min) / 200.0;
    return *std::max_element(h.counts.begin(), h.counts.end()) / h.total / width;
}

// Outline of a histogram as an SVG path in a box of 200 x 100: x linear over range, y the logarithm of the density.
static std::string outline(const Histogram &h, const Range &range, double peak, const char *cssClass)
{
    if (h.empty() || !(peak > 0.0)) return {};
    const double scale = 200.0 / (range.max - range.min);
    double width = h.binWidth();
    double from = h.min;
    if (!(width > 0.0)) {
        width = (range.max - range.min) / 200.0;
        from -= width / 2.0;
    }
    std::string path = "M" + decimalText((from - range.min) * scale, 1) + " 100";
    double last = -1.0;
    for (std::size_t i = 0; i < h.counts.size(); ++i) {
        const double density = h.counts[i] / h.total / width;
        const double height = density > 0.0 ? std::clamp(1.0 + std::log10(density / peak) / decades, 0.01, 1.0) : 0.0;
        if (height != last)
            path += "H" + decimalText((from + double(i) * width - range.min) * scale, 1) + "V" +
                    decimalText(100.0 - 100.0 * height, 1);
        last = height;
    }
    path += "H" + decimalText((from + double(h.counts.size()) * width - range.min) * scale, 1) + "V100";
    return std::string("<path class=") + cssClass + " d=\"" + path + "\"/>";
}

static Range rangeOf(const Histogram &a, const Histogram &b)
{
    Range range{a.empty() ? b.min : a.min, a.empty() ? b.max : a.max};
    if (!b.empty()) range = {std::min(range.min, b.min), std::max(range.max, b.max)};
    if (!(range.max > range.min)) {
        const double room = std::max(std::abs(range.min) * 0.01, 1e-6);
        range = {range.min - room, range.max + room};
    }
    return range;
}

static std::string axis(const Range &range)
{
    return "<div class=x><span>" + numberText(range.min, 3) + "</span><span>" + numberText(range.max, 3) +
           "</span></div>";
}

static std::string limitLine(double at, const Range &range)
{
    if (at < range.min || at > range.max) return {};
    const std::string x = decimalText((at - range.min) / (range.max - range.min) * 200.0, 1);
    return "<path class=limit d=\"M" + x + " 0V100\"/>";
}

// The representable range of a slot's config with one scale: the clip limits.
static std::optional<Range> limitsOf(const api::QuantScheme &scheme)
{
    if (scheme.scale.size() != 1) return std::nullopt;
    const double zero = scheme.zeroPoint.size() == 1 ? scheme.zeroPoint[0] : 0.0;
    const double step = scheme.scale[0];
    return Range{(double(scheme.quantMin) - zero) * step, (double(scheme.quantMax) - zero) * step};
}

// The fraction outside the limits, estimated from bins: a bin counts in proportion to its part outside.
static double clippedShare(const Histogram &h, const Range &limits)
{
    if (h.empty()) return 0.0;
    double outside = 0.0;
    for (std::size_t i = 0; i < h.counts.size(); ++i) {
        const double from = h.min + double(i) * h.binWidth();
        const double to = from + h.binWidth();
        const double inside = std::clamp(std::min(to, limits.max) - std::max(from, limits.min), 0.0, h.binWidth());
        if (h.binWidth() > 0.0)
            outside += h.counts[i] * (1.0 - inside / h.binWidth());
        else if (from < limits.min || from > limits.max)
            outside += h.counts[i];
    }
    return outside / h.total;
}

static std::string statisticsTable(const Context &context, const api::DistributionRow &entry)
{
    std::string html = "<div class=scroll><table><thead><tr><th>" + context.thNumber(QL_TEXT("Mean")) +
                       context.thNumber(QL_TEXT("Std")) + context.thNumber(QL_TEXT("Min")) +
                       context.thNumber(QL_TEXT("Max")) + context.thNumber(QL_TEXT("Skewness")) +
                       context.thNumber(QL_TEXT("Kurtosis")) + "<tbody>";
    for (const auto &[group, name] :
         {std::pair{&entry.original, QL_TEXT("Float")}, std::pair{&entry.quantized, QL_TEXT("Quantized")},
          std::pair{&entry.noise, QL_TEXT("Noise")}}) {
        html += "<tr><td>" + context.in(name);
        for (const auto &value : {group->mean, group->std, group->min, group->max, group->skewness, group->kurtosis})
            html += "<td class=n>" + (value ? numberText(*value, 3) : std::string("–"));
    }
    return html + "</table></div>";
}

static std::string figure(const Context &context, const api::DistributionRow &entry, const api::QuantScheme *scheme)
{
    const Histogram floats = histogramOf(entry.original.histogram);
    const Histogram quantized = histogramOf(entry.quantized.histogram);
    const Histogram noise = histogramOf(entry.noise.histogram);
    const auto &ratio = entry.noiseRatio;

    std::string html = "<figure><figcaption><b>" + escape(entry.variable) + "</b><br><span class=dim>";
    html += context.in(QL_TEXT("%1 of %2")
                           .with(std::string(toString(entry.role)) + " " + std::to_string(entry.index),
                                 "</span><code>" + context.opLink(entry.op) + "</code><span class=dim>"));
    if (!quantized.empty() || ratio) {
        html +=
            " · " + context.in(QL_TEXT("noise %1")
                                   .with("</span><span class=w><i class=\"pill " +
                                         (ratio ? "e" + std::to_string(rampStep(ratio)) : std::string("en")) +
                                         "\"></i>" + (ratio ? percentText(*ratio) : context.in(QL_TEXT("undefined"))) +
                                         "</span><span class=dim>"));
    }
    std::optional<Range> limits;
    if (scheme) limits = limitsOf(*scheme);
    // Limits slightly outside of the values are worth showing (unused range), far ones would squeeze the histogram.
    Range range = rangeOf(floats, quantized);
    bool limitsShown = false;
    if (limits) {
        const double room = 0.3 * (range.max - range.min);
        const Range values = range;
        if (limits->min >= values.min - room) range.min = std::min(range.min, limits->min);
        if (limits->max <= values.max + room) range.max = std::max(range.max, limits->max);
        limitsShown = limits->min >= range.min || limits->max <= range.max;
        html += " · " + context.in(QL_TEXT("step %1 · range %2 … %3")
                                       .with(numberText(scheme->scale[0]), numberText(limits->min, 3),
                                             numberText(limits->max, 3)));
        if (const double clipped = clippedShare(floats, *limits); clipped > 1e-9) // below it: rounding
            html += " · " + context.in(QL_TEXT("≈ %1 clipped").with(percentText(clipped)));
    }
    html += "</span></figcaption><div class=pair><div class=hist>";
    if (floats.empty() && quantized.empty()) {
        html += "<p class=none>" + context.in(QL_TEXT("The report contains no histogram.")) + "</p>";
    } else {
        const double peak = std::max(peakDensity(floats, range), peakDensity(quantized, range));
        html += "<svg viewBox=\"0 0 200 100\" preserveAspectRatio=none role=img aria-label=\"" +
                context.in(QL_TEXT("distribution of float and quantized values")) + "\">" +
                outline(floats, range, peak, "float") + outline(quantized, range, peak, "quantized");
        if (limits) html += limitLine(limits->min, range) + limitLine(limits->max, range);
        html += "</svg>" + axis(range) + "<div class=key><i class=kf></i>" + context.in(QL_TEXT("float")) +
                (quantized.empty() ? "" : "<i class=kq></i>" + context.in(QL_TEXT("quantized"))) +
                (limitsShown ? "<i class=kl></i>" + context.in(QL_TEXT("clip limits")) : "") + "</div>";
    }
    html += "</div><div class=hist>";
    if (!noise.empty()) {
        const Range noiseRange = rangeOf(noise, {});
        html += "<svg viewBox=\"0 0 200 100\" preserveAspectRatio=none role=img aria-label=\"" +
                context.in(QL_TEXT("distribution of the noise")) + "\">" +
                outline(noise, noiseRange, peakDensity(noise, noiseRange), "noise") + "</svg>" + axis(noiseRange) +
                "<div class=key><i class=kn></i>" + context.in(QL_TEXT("noise = quantized − float")) + "</div>";
    }
    return html + "</div></div>" + statisticsTable(context, entry) + "</figure>";
}

static std::string figureList(const Context &context, const char *section, const Text &title,
                              const std::optional<std::vector<api::DistributionRow>> &entries)
{
    if (!entries || entries->empty()) return {};
    std::map<api::SlotName, const api::QuantScheme *> schemes;
    for (const api::ConfigRow &config : context.report.configs) {
        // Overlapped and fp32 slots do not quantize: limits would be drawn although nothing is clipped there.
        using api::QuantState;
        const QuantState state = config.scheme.state;
        if (state == QuantState::Overlapped || state == QuantState::Off || state == QuantState::Initial) continue;
        schemes.emplace(config.slot, &config.scheme);
    }
    std::vector<const api::DistributionRow *> order;
    for (const api::DistributionRow &entry : *entries) order.push_back(&entry);
    // Worst first; an undefined ratio is worse than any
    std::stable_sort(order.begin(), order.end(), [&](const auto *a, const auto *b) {
        return a->noiseRatio.value_or(HUGE_VAL) > b->noiseRatio.value_or(HUGE_VAL);
    });

    const Text tensors = context.counted(order.size(), "tensor");
    std::string html =
        "<h3>" + context.in(title) + " <small>" +
        context.in(order.size() > drawn ? QL_TEXT("%1, the %2 with the most noise are plotted").with(tensors, drawn)
                                        : tensors) +
        "</small></h3>";
    const std::size_t count = std::min(order.size(), drawn);
    std::string first, rest;
    for (std::size_t i = 0; i < count; ++i) {
        const api::DistributionRow &entry = *order[i];
        const auto scheme = schemes.find({entry.op, entry.role, entry.index});
        (i < shown ? first : rest) += figure(context, entry, scheme == schemes.end() ? nullptr : scheme->second);
    }
    const std::string id = std::string("fold-") + section;
    if (rest.empty()) return html + "<div class=figures>" + first + "</div>";
    return html + "<div class=fold><input type=checkbox id=" + id + "><div class=figures>" + first +
           "</div><div class=\"more figures\">" + rest + "</div><label for=" + id + "><span class=a>" +
           context.in(QL_TEXT("Show %1 more").with(count - shown)) + "</span><span class=b>" +
           context.in(QL_TEXT("Show only the worst")) + "</span></label></div>";
}

std::string distributionSection(const Context &context)
{
    const api::Measures &measures = context.report.measures;
    const std::string body =
        figureList(context, "statistics", QL_TEXT("Inputs and outputs of quantized ops"), measures.statistics) +
        figureList(context, "parameters", QL_TEXT("Parameters"), measures.parameters) +
        figureList(context, "variables", QL_TEXT("Variables"), measures.variables);
    if (body.empty()) return {};
    return "<section id=distributions><h2>" + context.in(QL_TEXT("Distributions")) + "</h2><p class=made>" +
           context.made + "</p>" + body + "</section>";
}

} // namespace ql::report::html
