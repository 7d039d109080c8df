#pragma once

#include <string_view>

/// The requests of a window to the engine, as structs of requests.h, and which of them wait for each other.
namespace ql::api {

/// Requests of one lane are answered one after the other; lanes do not wait for each other.
enum class Lane {
    Quick, ///< reads files and definitions: the graph follows edits during other work
    Short, ///< about a model that is or will soon be quantized
    Long,  ///< computes over all data
    Search ///< for minutes: runs and analyses do not wait for it
};
inline constexpr int laneCount = 4;

struct Method
{
    std::string_view name;
    Lane lane;
};

/// With the structs of request and answer.
template <class RequestType, class AnswerType>
struct MethodOf : Method
{
    using Request = RequestType;
    using Answer = AnswerType;
};

struct CatalogueRequest;
struct Catalogue;
struct RecipeRequest;
struct Inspection;
struct PreviewRequest;
struct Preview;
struct PlatformCheckRequest;
struct PlatformChecked;
struct PlatformSaveRequest;
struct PlatformSaved;
struct PlatformRemoveRequest;
struct PlatformRemoved;
struct DistributionRequest;
struct Distributions;
struct ExportRequest;
struct Exported;
struct ExportPreviewRequest;
struct ExportPreview;
struct RunRequest;
struct RunAnswer;
struct AnalysisRequest;
struct AnalysisAnswer;
struct PassesRequest;
struct PassHistory;
struct ReportRequest;
struct PluginsRequest;
struct PluginList;
struct ProgramsRequest;
struct ProgramList;
struct AllowRequest;
struct Allowed;

namespace method {

/// The engine's catalogue: platforms, passes, observers, analyses, exporters, importers, with their parameters.
inline constexpr MethodOf<CatalogueRequest, Catalogue> catalogue{{"catalogue", Lane::Quick}};
/// With the completed recipe and the first configs.
inline constexpr MethodOf<RecipeRequest, Inspection> inspect{{"inspect", Lane::Quick}};
/// One sample after each step of its preprocessing.
inline constexpr MethodOf<PreviewRequest, Preview> preview{{"preview", Lane::Quick}};
/// Reads a platform of the user.
inline constexpr MethodOf<PlatformCheckRequest, PlatformChecked> platformCheck{{"platform_check", Lane::Quick}};
/// Saves a user platform in a file of the user's folder, where every engine reads it.
inline constexpr MethodOf<PlatformSaveRequest, PlatformSaved> platformSave{{"platform_save", Lane::Quick}};
/// Removes a user platform and its file.
inline constexpr MethodOf<PlatformRemoveRequest, PlatformRemoved> platformRemove{{"platform_remove", Lane::Quick}};
/// The distributions of the tensors of one operation.
inline constexpr MethodOf<DistributionRequest, Distributions> distribution{{"distribution", Lane::Short}};
/// Writes the files of a format.
inline constexpr MethodOf<ExportRequest, Exported> exportFile{{"export", Lane::Short}};
/// Like export, but without writing, and with the beginning of text files.
inline constexpr MethodOf<ExportPreviewRequest, ExportPreview> exportPreview{{"export_preview", Lane::Short}};
/// Sections as they become available: RunPart.
inline constexpr MethodOf<RunRequest, RunAnswer> run{{"run", Lane::Long}};
/// One analysis, and the problems it finds.
inline constexpr MethodOf<AnalysisRequest, AnalysisAnswer> analysis{{"analysis", Lane::Long}};
/// The changes of each pass, and the output error after it.
inline constexpr MethodOf<PassesRequest, PassHistory> passes{{"passes", Lane::Long}};
/// Writes the HTML report.
inline constexpr MethodOf<ReportRequest, Exported> report{{"report", Lane::Long}};
/// The loaded plug-ins.
inline constexpr MethodOf<PluginsRequest, PluginList> plugins{{"plugins", Lane::Quick}};
/// The programs that the recipe starts.
inline constexpr MethodOf<ProgramsRequest, ProgramList> programs{{"programs", Lane::Quick}};
/// The user agrees to one of them.
inline constexpr MethodOf<AllowRequest, Allowed> allow{{"allow", Lane::Quick}};

} // namespace method

} // namespace ql::api
