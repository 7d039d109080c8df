#pragma once

#include "core/session/report_format.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace ql {

/// A value that differs between two JSON documents; empty where the document has none.
struct FieldChange
{
    std::string path; ///< JSON pointer (RFC 6901) into the second document, into the first where the second has none
    std::optional<nlohmann::json> before, after;
    std::string setting = {}; ///< of a recipe: the path as --set takes it

    const std::string &place() const { return setting.empty() ? path : setting; }
};

/// One op or output in both reports, or in one of them.
struct ErrorChange
{
    std::string op, type, variable;
    std::optional<report::ErrorRow> a = {}, b = {};
    report::Metric metricA = {}, metricB = {}; ///< of outputs, when the data has labels

    /// Deviation of b by that of a: below 1 is better. 1 when both are without noise, infinite when only a is. Empty
    /// when it is in one report alone or a measure is undefined.
    std::optional<double> ratio() const;
    /// How much it changed in either direction: |log ratio|, infinite between zero or undefined and anything else.
    double magnitude() const;
};

struct ReportComparison
{
    std::vector<FieldChange> context; ///< what made the numbers beside the recipe: model, tool, device
    std::vector<FieldChange> recipe;
    std::vector<ErrorChange> outputs, graphwise, layerwise; ///< in both first, by falling magnitude; then in one alone
    bool sameRecipe() const { return recipe.empty(); }
};

/// What differs between two JSON documents, object member by object member. Arrays whose elements are objects with an
/// id (also "name", "pass" or "format") are aligned by it, so that a pass put in between is one difference.
std::vector<FieldChange> differences(const nlohmann::json &before, const nlohmann::json &after);

/// @throws Error (BadData) when the document is no report
void requireReport(const nlohmann::json &report);
/// Compares two reports: the recipe first, then the errors op by op. @throws Error (BadData) when one is no report.
ReportComparison compareReports(const nlohmann::json &a, const nlohmann::json &b);

/// Aligned tables for a terminal; of each list the `most` most changed entries. Names are made safe to print.
std::string toText(const ReportComparison &comparison, std::size_t most = 20);
/// {"schema": "quantloupe-comparison/1", "context": [{path, before, after}], "recipe": [...],
/// "outputs" | "graphwise" | "layerwise": [{op, type, variable, ratio, only_in, a: {noise_ratio, sqnr_db, cosine},
/// b}]}. An absent before or after is left out, an undefined or infinite number is null.
nlohmann::json toJson(const ReportComparison &comparison);

} // namespace ql
