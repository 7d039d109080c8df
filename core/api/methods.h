#pragma once

#include <string_view>

/// What a window can ask the engine, and which requests wait for each other. Every method but those of platforms and
/// the catalogue takes {"recipe": {...}, "base": folder of its relative paths} and what its comment lists.
namespace ql::api {

/// Requests of one lane are answered one after the other, and no lane waits for another one.
enum class Lane {
    Quick, ///< reads files and definitions: the graph follows an edit while everything else goes on
    Short, ///< about a model that is quantized already, or soon is
    Long,  ///< computes over all data
};
inline constexpr int laneCount = 3;

struct Method
{
    std::string_view name;
    Lane lane;
};

namespace method {

/// -> what the engine has: platforms, passes, observers, analyses, exporters, importers, with their parameters.
inline constexpr Method catalogue{"catalogue", Lane::Quick};
/// -> "quantloupe-inspection/1" with the completed "recipe" and "configs", whose "set_by" are places in "set_by".
inline constexpr Method inspect{"inspect", Lane::Quick};
/// {"data": {path, samples, preprocess}, "sample", "input"} -> a sample after each step (previewData).
inline constexpr Method preview{"preview", Lane::Quick};
/// {"text"} -> {"definition"}: reads a platform of the user.
inline constexpr Method platformCheck{"platform_check", Lane::Quick};
/// {"text", "replaces": the own platform that it was before, if any} -> {"file", "id", "catalogue"}: keeps it.
inline constexpr Method platformSave{"platform_save", Lane::Quick};
/// {"id"} -> {"id", "catalogue"}: removes an own platform and its file.
inline constexpr Method platformRemove{"platform_remove", Lane::Quick};
/// {"op"} -> {"rows": statistics of its inputs and outputs, "parameters": those of its weights, "details": pairs of
/// values and spread of channels}.
inline constexpr Method distribution{"distribution", Lane::Short};
/// {"format", "path", "params"} -> {"files", "notes", "problems"}.
inline constexpr Method exportFile{"export", Lane::Short};
/// As export, without writing and with the beginning of text files.
inline constexpr Method exportPreview{"export_preview", Lane::Short};
/// {"goal": "calibrate" | "analyse" | "all"} -> {"report", "recipe"}; "calibrate" leaves out analyses and exports,
/// "analyse" the exports. Sections as they come: "graph" (an inspection), "configs" as {"rows", "schemes"}, "passes",
/// then the members of each analysis. The report leaves out "configs" and "operations".
inline constexpr Method run{"run", Lane::Long};
/// {"id", "params"} -> the analyser's answer, and what it reports as "problems".
inline constexpr Method analysis{"analysis", Lane::Long};
/// -> {"passes": what each pass changed, and the output error after it} (passHistory).
inline constexpr Method passes{"passes", Lane::Long};
/// {"path"}: writes the HTML report. Answers like export.
inline constexpr Method report{"report", Lane::Long};

} // namespace method

} // namespace ql::api
