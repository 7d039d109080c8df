#include "core/report/table_text.h"

#include <algorithm>
#include <cmath>

namespace ql {

using report::ErrorRow;

static constexpr std::size_t barCells = 25; // five per decade

// In eighths of a cell: U+2588 is a full block, U+258F to U+2589 are one to seven eighths.
static std::string bar(const ErrorRow &row)
{
    if (!row.deviation()) return std::string(barCells, '?');
    if (row.exact()) return std::string(barCells, ' ');
    const auto eighths =
        std::size_t(std::max(1.0, std::round(report::logPosition(row.deviation()) * double(barCells) * 8.0)));
    std::string out;
    for (std::size_t i = 0; i < eighths / 8; ++i) out += "█";
    static constexpr const char *parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    return report::padRight(out + parts[eighths % 8], barCells);
}

/// The title with the number of samples.
static Text headingOf(const Text &title, const std::vector<ErrorRow> &section)
{
    std::int64_t samples = 0; // used for the measurement; estimates name none
    for (const ErrorRow &row : section) samples = std::max(samples, row.samples);
    const Text measured = samples == 0   ? title
                          : samples == 1 ? QL_TEXT("%1, 1 sample").with(title)
                                         : QL_TEXT("%1, %2 samples").with(title, samples);
    const auto isEstimated = [](const ErrorRow &row) { return row.isEstimated; };
    const bool hasEstimates = std::any_of(section.begin(), section.end(), isEstimated);
    return hasEstimates ? QL_TEXT("%1 (~ estimated)").with(measured) : measured;
}

std::string errorTable(const Text &title, const std::vector<ErrorRow> &section, std::size_t most,
                       const Language *language)
{
    if (section.empty()) return {};
    const std::vector<ErrorRow> rows = report::worstFirst(section);
    const std::size_t count = most == 0 ? rows.size() : std::min(most, rows.size());
    std::vector<std::string> names, types, noises, sqnrs;
    std::size_t nameWidth = 0, typeWidth = 0, noiseWidth = 0, sqnrWidth = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const ErrorRow &row = rows[i];
        names.push_back(report::visibleText(row.name(), 56));
        types.push_back(row.type.empty() ? "" : "  " + report::visibleText(row.type, 24));
        noises.push_back((row.isEstimated ? "~" : "") +
                         (row.deviation() ? report::percentText(*row.deviation()) : QL_TEXT("undefined").in(language)));
        sqnrs.push_back(report::sqnrText(row, language));
        nameWidth = std::max(nameWidth, report::displayWidth(names.back()));
        typeWidth = std::max(typeWidth, report::displayWidth(types.back()));
        noiseWidth = std::max(noiseWidth, report::displayWidth(noises.back()));
        sqnrWidth = std::max(sqnrWidth, report::displayWidth(sqnrs.back()));
    }
    const std::string heading = headingOf(title, section).in(language);
    const std::size_t titleWidth = report::displayWidth(heading); // over both
    nameWidth = std::max(nameWidth, titleWidth - std::min(titleWidth, typeWidth));
    std::string out = report::padRight(heading, nameWidth + typeWidth) + " |" +
                      report::padRight("0.001 %   0.1 %    10 %", barCells) + "|\n";
    for (std::size_t i = 0; i < count; ++i) {
        out += report::padRight(names[i], nameWidth) + report::padRight(types[i], typeWidth) + " |" + bar(rows[i]) +
               "| " + report::padLeft(noises[i], noiseWidth) + "  " + report::padLeft(sqnrs[i], sqnrWidth) + "\n";
    }
    if (count < rows.size())
        out += QL_TEXT("… and %1 more with less noise").with(rows.size() - count).in(language) + "\n";
    return out;
}

} // namespace ql
