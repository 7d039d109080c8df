#pragma once

#include <string_view>

/// The requests of a window to the engine, and which of them wait for each other. Every method except those of
/// platforms and the catalogue takes {"recipe": {...}, "base": folder of its relative paths} and the parameters listed
/// in its comment.
namespace ql::api {

/// Requests of one lane are answered one after the other; lanes do not wait for each other.
enum class Lane {
    Quick, ///< reads files and definitions: the graph follows edits during other work
    Short, ///< about a model that is or will soon be quantized
    Long,  ///< computes over all data
};
inline constexpr int laneCount = 3;

struct Method
{
    std::string_view name;
    Lane lane;
};

namespace method {

/// -> the engine's catalogue: platforms, passes, observers, analyses, exporters, importers, with their parameters.
inline constexpr Method catalogue{"catalogue", Lane::Quick};
/// -> "quantloupe-inspection/1" with the completed "recipe" and "configs", whose "set_by" are indices into "set_by".
inline constexpr Method inspect{"inspect", Lane::Quick};
/// {"data": {path, samples, preprocess}, "sample", "input"} -> a sample after each step (previewData).
inline constexpr Method preview{"preview", Lane::Quick};
/// {"text"} -> {"definition"}: reads a platform of the user.
inline constexpr Method platformCheck{"platform_check", Lane::Quick};
/// {"text", "replaces": the user platform's previous id, if any} -> {"file", "id", "catalogue"}: saves it.
inline constexpr Method platformSave{"platform_save", Lane::Quick};
/// {"id"} -> {"id", "catalogue"}: removes a user platform and its file.
inline constexpr Method platformRemove{"platform_remove", Lane::Quick};
/// {"op"} -> {"rows": statistics of its inputs and outputs, "parameters": those of its weights, "details": pairs of
/// values and spread of channels}.
inline constexpr Method distribution{"distribution", Lane::Short};
/// {"format", "path", "params"} -> {"files", "notes", "problems"}.
inline constexpr Method exportFile{"export", Lane::Short};
/// Like export, without writing and with the beginning of text files.
inline constexpr Method exportPreview{"export_preview", Lane::Short};
/// {"goal": "calibrate", "analyse" or "all"} -> {"report", "recipe"}; "calibrate" skips analyses and exports, "analyse"
/// the exports. Sections as they become available: "graph" (an inspection), "configs" as {"rows", "schemes"}, "passes",
/// then the members of each analysis. The report omits "configs" and "operations".
inline constexpr Method run{"run", Lane::Long};
/// {"id", "params"} -> the analyser's result, and its reports as "problems".
inline constexpr Method analysis{"analysis", Lane::Long};
/// -> {"passes": the changes of each pass, and the output error after it} (passHistory).
inline constexpr Method passes{"passes", Lane::Long};
/// {"path"}: writes the HTML report. Answers like export.
inline constexpr Method report{"report", Lane::Long};

} // namespace method

} // namespace ql::api
