#pragma once

#include "core/api/message.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

namespace ql {

/// What the engine process is started with.
struct ServeOptions
{
    int input = 0;  ///< file descriptor that requests come from
    int output = 1; ///< file descriptor that answers go to; nothing else may write there
    bool cache = true;
    std::filesystem::path cacheFolder;         ///< empty: the default one
    std::function<nlohmann::json()> catalogue; ///< answers "catalogue"
};

/// Answers the requests of a window (core/api/message.h) until the input ends. Three threads: this one reads requests
/// and cancels; one runs what needs data (run, distribution, analysis, export), in order; one answers what is quick
/// (open, inspect, catalogue), so that the graph follows an edit while a run goes on.
///
/// Every method but "catalogue" takes params {"recipe": {...}, "base": folder of its relative paths} and
///   open, inspect: -> "quantloupe-inspection/1" with the completed "recipe" and "configs", whose "set_by" are places
///   in "set_by"; run: {"goal": "calibrate" | "analyse" | "all"} -> {"report", "recipe", "hash"}; sections as they
///   come, "configs" as {"rows", "schemes"}, which the report leaves out then, as it does "operations". "calibrate"
///     leaves out analyses and exports, "analyse" the exports;
///   analysis: {"id", "params"} -> the analyser's answer, and what it says as "problems";
///   distribution: {"op"} -> {"rows": statistics of its inputs and outputs, "parameters": those of its weights,
///     "details": pairs of values and spread of channels};
///   passes: -> {"passes": what each pass changed, and the output error after it} (passHistory);
///   preview: {"data": {path, samples, preprocess}, "sample"} -> a sample after each step (previewData);
///   export: {"format", "path", "params"} -> {"files", "notes", "problems"}; export_preview: the same without writing,
///     with the beginning of text files; report: {"path"} writes the HTML report.
/// "platform_check" {"text"} -> {"definition"} and "platform_save" {"text", "replaces": the own platform that it was
/// before, if any} -> {"file", "id", "catalogue"} read and keep a platform of the user, "platform_remove" {"id"} ->
/// {"id", "catalogue"} removes it and its file. The quantized model of the last run is kept: what is asked of the same
/// recipe does not run it again.
/// @returns the exit code: 0 when the input ended, 2 when the other side speaks another protocol.
int serve(const ServeOptions &options);

} // namespace ql
