#pragma once

#include "core/api/report.h"
#include "core/base/text.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Shared by the readable forms of a report (HTML, terminal tables, comparison): rows of an error section, number
/// formats, and making names from a model safe to show. Plain data and text, no LibTorch.
namespace ql::report {

/// One entry of graphwise[], layerwise[] or outputs[].
struct ErrorRow : api::OutputRow
{
    std::size_t order = 0; ///< position in the section: execution order

    /// The deviation: noise / signal, or the fraction of differing integers.
    std::optional<double> deviation() const { return equalShare ? std::optional(1 - *equalShare) : noiseRatio; }
    /// No difference at all: the SQNR is infinite, which JSON writes as null.
    bool exact() const { return deviation() && *deviation() == 0.0; }
    /// op, or the variable if the entry has no op.
    const std::string &name() const { return op.empty() ? variable : op; }
};

/// A section of the report, in its order.
std::vector<ErrorRow> errorRows(const std::optional<std::vector<api::ErrorRow>> &section);
std::vector<ErrorRow> errorRows(const std::optional<std::vector<api::OutputRow>> &section);
/// Undefined first (nothing is worse than NaN), then by descending deviation; equal rows stay in execution order.
std::vector<ErrorRow> worstFirst(std::vector<ErrorRow> rows);

/// A ratio as percentage with three significant digits: 0.129 -> "12.9 %".
std::string percentText(double ratio);
/// With a fixed number of decimals, without a locale.
std::string decimalText(double value, int decimals);
/// "8.9 dB" with one decimal.
std::string decibelText(double db);
/// SQNR of a row in words: "8.9 dB", "exact" without any noise, "undefined" if there is none; for integers "98 %
/// equal".
std::string sqnrText(const ErrorRow &row, const Language *language = nullptr);
// The metric of an output: fractions (accuracies) as percentages, everything else unchanged.
std::string fp32Text(const api::Metric &metric);
std::string quantizedText(const api::Metric &metric);
/// Whether its values are fractions from 0 to 1, written as percentages.
bool isShare(const api::Metric &metric);
/// "-15.20 ± 3.10 points" with its 95 % interval, or a plain difference, quantized minus float.
std::string changeText(const api::Metric &metric, const Language *language = nullptr);
/// More than a point, or one part in a hundred of other metrics, and more than its uncertainty: worth attention in
/// either direction.
bool hasChanged(const std::optional<api::Metric> &metric);

/// Groups of three digits separated by a narrow space.
std::string countText(std::int64_t count);
/// 53 ops, 1 op: number and noun, with s unless it is one.
std::string plural(std::size_t count, std::string_view noun);

/// Position of a noise ratio on the common logarithmic scale from 1e-5 (0) to 1 (1), clamped; undefined is 1.
double logPosition(const std::optional<double> &noiseRatio);
/// Step 0..7 of the error ramp: eight equal parts of that scale.
int rampStep(const std::optional<double> &noiseRatio);
/// Above this noise / signal at an output, accuracy usually suffers: the rule of thumb marked in reports.
inline constexpr double attentionRatio = 0.1;

/// UTF-8 that is safe to show: invalid bytes become U+FFFD, control characters and direction overrides a visible \u{..}
/// (a name from a model must neither control a terminal nor reverse the text around it), and text longer than limit
/// code points loses its middle.
std::string visibleText(std::string_view utf8, std::size_t limit = 240);
/// Width of the text in terminal cells: 2 for East Asian wide characters, 0 for combining marks.
std::size_t displayWidth(std::string_view utf8);
/// Padded with spaces to width cells; never truncated.
std::string padRight(std::string utf8, std::size_t width);
std::string padLeft(std::string utf8, std::size_t width);

} // namespace ql::report
