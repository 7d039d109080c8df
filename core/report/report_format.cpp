#include "core/report/report_format.h"

#include "core/base/utf8.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace ql::report {

template <class Row>
static std::vector<ErrorRow> rowsOf(const std::optional<std::vector<Row>> &section)
{
    std::vector<ErrorRow> rows;
    if (!section) return rows;
    for (const Row &entry : *section) {
        ErrorRow row;
        static_cast<Row &>(row) = entry;
        row.order = rows.size();
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<ErrorRow> errorRows(const std::optional<std::vector<api::ErrorRow>> &section)
{
    return rowsOf(section);
}

std::vector<ErrorRow> errorRows(const std::optional<std::vector<api::OutputRow>> &section)
{
    return rowsOf(section);
}

std::vector<ErrorRow> worstFirst(std::vector<ErrorRow> rows)
{
    std::stable_sort(rows.begin(), rows.end(), [](const ErrorRow &a, const ErrorRow &b) {
        const auto x = a.deviation(), y = b.deviation();
        if (!x || !y) return !x && y.has_value();
        return *x > *y;
    });
    return rows;
}

std::string percentText(double ratio)
{
    return numberText(ratio * 100.0, 3) + " %";
}

std::string decimalText(double value, int decimals)
{
    if (!std::isfinite(value)) return numberText(value);
    std::array<char, 400> buffer; // a double has up to 309 digits before the point
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, decimals);
    const std::string text(buffer.data(), end.ptr);
    const bool isZero = text.find_first_of("123456789") == std::string::npos;
    return isZero && text.front() == '-' ? text.substr(1) : text; // -0.04 is "0.0", not "-0.0"
}

std::string decibelText(double db)
{
    return decimalText(db, 1) + " dB";
}

std::string sqnrText(const ErrorRow &row, const Language *language)
{
    if (row.sqnrDb) return decibelText(*row.sqnrDb);
    if (row.equalShare) return QL_TEXT("%1 equal").with(percentText(*row.equalShare)).in(language);
    return (row.exact() ? QL_TEXT("exact") : QL_TEXT("undefined")).in(language);
}

bool isShare(const api::Metric &metric)
{
    const auto within = [](double value) { return value >= 0.0 && value <= 1.0; };
    const bool isRate = !metric.isLoss || metric.name == "cer" || metric.name == "wer";
    return isRate && within(metric.fp32) && within(metric.quantized);
}

static std::string metricText(const api::Metric &metric, double value)
{
    return isShare(metric) ? decimalText(100.0 * value, 2) + " %" : numberText(value, 5);
}

std::string fp32Text(const api::Metric &metric)
{
    return metricText(metric, metric.fp32);
}

std::string quantizedText(const api::Metric &metric)
{
    return metricText(metric, metric.quantized);
}

std::string changeText(const api::Metric &metric, const Language *language)
{
    const double change = metric.quantized - metric.fp32;
    const std::string sign = change > 0.0 ? "+" : "";
    if (!isShare(metric)) return sign + numberText(change);
    const bool isUncertain = metric.uncertainty.value_or(0.0) > 0.0;
    const std::string points = sign + decimalText(100.0 * change, 2) +
                               (isUncertain ? " ± " + decimalText(100.0 * *metric.uncertainty, 2) : "");
    return QL_TEXT("%1 points").with(points).in(language);
}

bool hasChanged(const std::optional<api::Metric> &metric)
{
    if (!metric) return false;
    const double least = isShare(*metric) ? 0.01 : 0.01 * std::abs(metric->fp32);
    return std::abs(metric->quantized - metric->fp32) > std::max(least, metric->uncertainty.value_or(0.0));
}

std::string countText(std::int64_t count)
{
    std::string digits = std::to_string(count);
    const std::size_t first = count < 0 ? 1 : 0;
    for (std::size_t at = digits.size(); at > first + 3;) digits.insert(at -= 3, "\u202f");
    return digits;
}

std::string plural(std::size_t count, std::string_view noun)
{
    return countText(std::int64_t(count)) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

double logPosition(const std::optional<double> &noiseRatio)
{
    if (!noiseRatio || std::isnan(*noiseRatio)) return 1.0;
    if (*noiseRatio <= 0.0) return 0.0;
    return std::clamp(std::log10(*noiseRatio) / 5.0 + 1.0, 0.0, 1.0);
}

int rampStep(const std::optional<double> &noiseRatio)
{
    return std::min(7, int(logPosition(noiseRatio) * 8.0));
}

static void appendUtf8(std::string &out, char32_t code)
{
    if (code < 0x80) {
        out += char(code);
    } else if (code < 0x800) {
        out += char(0xc0 | (code >> 6));
        out += char(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        out += char(0xe0 | (code >> 12));
        out += char(0x80 | ((code >> 6) & 0x3f));
        out += char(0x80 | (code & 0x3f));
    } else {
        out += char(0xf0 | (code >> 18));
        out += char(0x80 | ((code >> 12) & 0x3f));
        out += char(0x80 | ((code >> 6) & 0x3f));
        out += char(0x80 | (code & 0x3f));
    }
}

// Control characters, zero-width characters, line separators, changes of text direction and noncharacters, which XML
// forbids.
static bool isInvisible(char32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xad || code == 0x61c ||
           (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2060 && code <= 0x206f) || code == 0xfeff || (code >= 0xfff9 && code <= 0xfffb) ||
           (code & 0xfffe) == 0xfffe || (code >= 0xe0000 && code <= 0xe0fff);
}

std::string visibleText(std::string_view utf8, std::size_t limit)
{
    // No code point is longer than 4 bytes: the ends suffice to find the first and the last ones of a huge name.
    std::vector<std::string> cells;
    std::size_t at = 0;
    const auto read = [&](std::size_t until, std::size_t most) {
        while (at < until && cells.size() < most) {
            const char32_t code = nextCodePoint(utf8, at).value_or(U'\ufffd');
            std::string cell;
            if (isInvisible(code)) {
                std::array<char, 16> hex;
                const auto end = std::to_chars(hex.data(), hex.data() + hex.size(), std::uint32_t(code), 16);
                cell = "\\u{" + std::string(hex.data(), end.ptr) + "}";
            } else {
                appendUtf8(cell, code);
            }
            cells.push_back(std::move(cell));
        }
    };
    limit = std::min(limit, utf8.size()); // no more code points than bytes
    read(utf8.size(), limit + 1);
    std::string out;
    if (cells.size() <= limit) {
        for (const std::string &cell : cells) out += cell;
        return out;
    }
    const std::size_t head = limit * 2 / 3;
    const std::size_t tail = limit - head - 1;
    for (std::size_t i = 0; i < head; ++i) out += cells[i];
    out += "…";
    at = std::max(at, utf8.size() - std::min(utf8.size(), tail * 4 + 4));
    while (at < utf8.size() && (static_cast<unsigned char>(utf8[at]) & 0xc0u) == 0x80u) ++at; // not inside a code point
    cells.erase(cells.begin(), cells.end() - std::ptrdiff_t(std::min(cells.size(), tail)));
    read(utf8.size(), std::string_view::npos);
    for (std::size_t i = cells.size() - std::min(cells.size(), tail); i < cells.size(); ++i) out += cells[i];
    return out;
}

std::size_t displayWidth(std::string_view utf8)
{
    std::size_t width = 0;
    for (std::size_t at = 0; at < utf8.size();) {
        const char32_t c = nextCodePoint(utf8, at).value_or(U'\ufffd');
        if ((c >= 0x300 && c < 0x370) || (c >= 0xfe00 && c <= 0xfe0f)) continue; // combining marks, variation selectors
        const bool wide = (c >= 0x1100 && c <= 0x115f) || (c >= 0x2e80 && c <= 0xa4cf) ||
                          (c >= 0xac00 && c <= 0xd7a3) || (c >= 0xf900 && c <= 0xfaff) ||
                          (c >= 0xfe30 && c <= 0xfe6f) || (c >= 0xff00 && c <= 0xff60) ||
                          (c >= 0x1f300 && c <= 0x1faff) || (c >= 0x20000 && c <= 0x3fffd);
        width += wide ? 2 : 1;
    }
    return width;
}

std::string padRight(std::string utf8, std::size_t width)
{
    const std::size_t now = displayWidth(utf8);
    if (now < width) utf8.append(width - now, ' ');
    return utf8;
}

std::string padLeft(std::string utf8, std::size_t width)
{
    const std::size_t now = displayWidth(utf8);
    if (now < width) utf8.insert(0, width - now, ' ');
    return utf8;
}

} // namespace ql::report
