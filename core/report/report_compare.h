#pragma once

#include "core/api/comparison.h"
#include "core/api/run_report.h"
#include "core/report/report_format.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace ql {

/// A value that differs between two JSON documents; empty if a document does not have it.
struct FieldChange
{
    std::string path; ///< JSON pointer (RFC 6901) into the second document; into the first if the second lacks it
    std::optional<nlohmann::json> before, after;
    std::string setting = {}; ///< of a recipe: the path for --set

    const std::string &place() const { return setting.empty() ? path : setting; }
};

/// One op or output in both reports, or in one of them.
struct ErrorChange
{
    std::string op, type, variable;
    std::optional<report::ErrorRow> a = {}, b = {};

    /// Deviation of b divided by that of a: below 1 is better. 1 if both have no noise, infinite if only a has none.
    /// Empty if it is in only one report or a measure is undefined.
    std::optional<double> ratio() const;
    /// The size of the change in either direction: |log ratio|, infinite between zero or undefined and anything else.
    double magnitude() const;
};

struct ReportComparison
{
    std::vector<FieldChange> context; ///< differences besides the recipe: model, tool, device
    std::vector<FieldChange> recipe;
    /// Entries in both reports first, by descending magnitude; then others.
    std::vector<ErrorChange> outputs, graphwise, layerwise;
    bool sameRecipe() const { return recipe.empty(); }
};

/// Differences between two JSON documents, member by member. Arrays of objects with an id (also "name", "pass" or
/// "format") are aligned by it, so an inserted pass is one difference.
std::vector<FieldChange> differences(const nlohmann::json &before, const nlohmann::json &after);

/// @throws Error (BadData) if the document is not a report
api::Report reportFromJson(const nlohmann::json &document);
/// Compares two reports: the recipe first, then the errors op by op.
ReportComparison compareReports(const api::Report &a, const api::Report &b);

/// Aligned tables for a terminal; of each list the `most` most changed entries. Names are made safe to print.
std::string toText(const ReportComparison &comparison, std::size_t most = 20, const Language *language = nullptr);
/// "quantloupe-comparison/1".
api::Comparison comparisonRows(const ReportComparison &comparison);

} // namespace ql
