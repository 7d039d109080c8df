#pragma once

#include "core/api/report.h"

/// The differences between two reports: "quantloupe-comparison/1".
namespace ql::api {

/// A member that differs; before or after is unset if the document does not have it.
struct ChangedField
{
    std::string path; ///< JSON pointer (RFC 6901)
    std::optional<nlohmann::json> before, after;
};

struct ComparedMetric
{
    std::string name;
    double fp32 = 0, quantized = 0;
};

/// One side of a row.
struct ComparedMeasures
{
    std::optional<double> noiseRatio, sqnrDb, cosine;
    std::optional<ComparedMetric> metric;
};

/// An operation or output in both reports, or in one of them.
struct ComparedRow
{
    std::string op, type, variable;
    std::optional<double> ratio;       ///< noise of b / noise of a; unset if undefined or infinite
    std::optional<std::string> onlyIn; ///< "a" or "b"; unset: in both
    std::optional<ComparedMeasures> a, b;
};

struct Comparison
{
    std::vector<ChangedField> context, recipe;
    std::vector<ComparedRow> outputs, graphwise, layerwise;
};

QL_HAS_JSON(Comparison)

} // namespace ql::api
