#pragma once

#include "core/api/distribution_fields.h"
#include "core/api/inspection_fields.h"
#include "core/api/noise_fields.h"
#include "core/api/run_report.h"
#include "core/api/training_fields.h"

namespace ql::api {

template <class Codec>
void fields(Codec &codec, Same<Measures> auto &measures)
{
    codec.part("graphwise", measures.graphwise);
    codec.part("layerwise", measures.layerwise);
    codec.part("outputs", measures.outputs);
    codec.part("ranges", measures.ranges);
    codec.part("statistics", measures.statistics);
    codec.part("parameters", measures.parameters);
    codec.part("variables", measures.variables);
    codec.part("details", measures.details);
    codec.part("noise", measures.noise);
    codec.part("explanation", measures.explanation);
}

template <class Codec>
void fields(Codec &codec, Same<PassRow> auto &row)
{
    codec.member("id", row.id);
    codec.member("changed", row.changed);
    codec.member("seconds", row.seconds);
    codec.list("blocks", row.blocks);
}

template <class Codec>
void fields(Codec &codec, Same<StageRow> auto &row)
{
    codec.member("id", row.id);
    codec.member("key", row.key);
    codec.member("cached", row.cached);
    codec.member("seconds", row.seconds);
}

template <class Codec>
void fields(Codec &codec, Same<ExportRow::File> auto &file)
{
    codec.member("path", file.path);
    codec.member("sha256", file.sha256);
}

template <class Codec>
void fields(Codec &codec, Same<ExportRow> auto &row)
{
    codec.member("format", row.format);
    codec.member("files", row.files);
    codec.texts("notes", row.notes);
}

/// A report always has these, even if nothing was measured.
template <class T>
std::vector<T> &orEmpty(std::optional<std::vector<T>> &rows)
{
    return rows ? *rows : rows.emplace();
}
template <class T>
std::vector<T> orEmpty(const std::optional<std::vector<T>> &rows)
{
    return rows ? *rows : std::vector<T>();
}

template <class Codec>
void summaryFields(Codec &codec, auto &report)
{
    auto &measures = report.measures;
    codec.constant("schema", reportSchema);
    codec.member("tool", report.tool);
    codec.member("model", report.model);
    codec.member("inputs_key", report.inputsKey);
    codec.member("recipe", report.recipe);
    codec.member("graphwise", orEmpty(measures.graphwise));
    codec.member("layerwise", orEmpty(measures.layerwise));
    codec.member("outputs", orEmpty(measures.outputs));
    codec.part("ranges", measures.ranges);
    codec.part("statistics", measures.statistics);
    codec.part("parameters", measures.parameters);
    codec.part("variables", measures.variables);
    codec.part("details", measures.details);
    codec.part("noise", measures.noise);
    codec.part("explanation", measures.explanation);
    codec.member("passes", report.passes);
    codec.member("stages", report.stages);
    codec.member("exports", report.exports);
    codec.member("problems", report.problems);
    codec.member("seconds", report.seconds);
    codec.member("peak_rss_mib", report.peakRssMib);
}

template <class Codec>
void fields(Codec &codec, Same<ReportSummary> auto &report)
{
    summaryFields(codec, report);
}

template <class Codec>
void fields(Codec &codec, Same<Report> auto &report)
{
    summaryFields(codec, report);
    codec.member("operations", report.operations);
    codec.member("configs", report.configs);
}

} // namespace ql::api
