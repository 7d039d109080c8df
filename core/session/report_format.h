#pragma once

#include "core/base/text.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What the readable forms of a report (HTML, terminal tables, comparison) share: rows of an error section, number
/// formats, and making names from a model safe to show. Plain data and text, no LibTorch.
namespace ql::report {

/// One entry of graphwise[], layerwise[] or outputs[]. A measure that the report has as null or not at all is empty.
struct ErrorRow
{
    std::string op, type, variable, output;
    std::optional<double> noiseRatio, sqnrDb, cosine, mse, maxAbs;
    std::optional<double> equalShare; ///< of an output of class indices or other integers, instead of the measures
    std::int64_t samples = 0, elements = 0;
    std::size_t order = 0; ///< position in the section: execution order

    /// No difference at all: the SQNR is infinite, which JSON writes as null.
    bool exact() const { return deviation() && *deviation() == 0.0; }
    /// The part that is wrong: noise over signal, or the share of integers that differ.
    std::optional<double> deviation() const { return equalShare ? std::optional(1 - *equalShare) : noiseRatio; }
    /// op, or the variable where an entry is about no op.
    const std::string &name() const { return op.empty() ? variable : op; }
};

/// The rows of an array of the report, in its order; entries that are no objects are skipped.
std::vector<ErrorRow> errorRows(const nlohmann::json &report, const char *section);
/// Undefined first (nothing is worse than NaN), then by falling deviation; equal rows stay in execution order.
std::vector<ErrorRow> worstFirst(std::vector<ErrorRow> rows);

/// Field of an object as text: strings as they are, numbers and booleans as JSON writes them, everything else empty.
std::string text(const nlohmann::json &object, const char *key);
/// Field of an object when it is a number.
std::optional<double> number(const nlohmann::json &object, const char *key);
/// Field of an object when it is a number, rounded towards zero and within ±2^53; else 0.
std::int64_t integerInRange(const nlohmann::json &object, const char *key);
/// Field of an object when it is an array or object, else an empty array.
const nlohmann::json &list(const nlohmann::json &object, const char *key);

/// A ratio as percentage with three significant digits: 0.129 -> "12.9 %".
std::string percentText(double ratio);
/// With a fixed number of decimals, without a locale.
std::string decimalText(double value, int decimals);
/// "8.9 dB" with one decimal.
std::string decibelText(double db);
/// SQNR of a row in words: "8.9 dB", "exact" without any noise, "undefined" when there is none; of integers "98 %
/// equal".
std::string sqnrText(const ErrorRow &row);
/// The metric of an output, when the evaluation data had labels.
struct Metric
{
    std::string name;
    std::optional<double> fp32, quantized;

    bool defined() const { return fp32 && quantized; }
    /// Shares of one (accuracies) as percentages, everything else as it is.
    std::string fp32Text() const;
    std::string quantizedText() const;
    /// "-15.2 points" or a plain difference, quantized minus float.
    std::string changeText() const;
    /// More than a point, or one part in a hundred of something that is no share: worth a look in either direction.
    bool changed() const;
};
/// From an entry of outputs[].
Metric metricOf(const nlohmann::json &output);

/// Groups of three digits parted by a narrow space.
std::string countText(std::int64_t count);
/// 53 ops, 1 op: number and noun, with s unless it is one.
std::string plural(std::size_t count, std::string_view noun);

/// Where a noise ratio lies on the common logarithmic scale from 1e-5 (0) to 1 (1), clamped; undefined is 1.
double logPosition(const std::optional<double> &noiseRatio);
/// Step 0..7 of the error ramp: eight equal parts of that scale.
int rampStep(const std::optional<double> &noiseRatio);
/// Above this part of the signal, noise at an output usually costs accuracy: the rule of thumb that reports mark.
inline constexpr double attentionRatio = 0.1;

/// UTF-8 that is safe to show: broken bytes become U+FFFD, control characters and direction overrides a visible \u{..}
/// (a name from a model must neither steer a terminal nor turn the text around it), and what is longer than limit
/// code points loses its middle.
std::string visibleText(std::string_view utf8, std::size_t limit = 240);
/// Cells that the text takes in a terminal: 2 for East Asian wide characters, 0 for combining marks.
std::size_t displayWidth(std::string_view utf8);
/// Filled up with spaces to width cells; never cut.
std::string padRight(std::string utf8, std::size_t width);
std::string padLeft(std::string utf8, std::size_t width);

} // namespace ql::report
