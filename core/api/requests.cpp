#include "core/api/requests.h"

#include "core/api/recipe_fields.h"
#include "core/api/run_report_fields.h"
#include "core/api/written_operation_fields.h"

namespace ql::api {

template <class Codec>
static void recipeFields(Codec &codec, auto &request)
{
    codec.member("recipe", request.recipe);
    codec.member("base", request.base);
}

template <class Codec>
void fields(Codec &, Same<CatalogueRequest> auto &)
{}

template <class Codec>
void fields(Codec &codec, Same<RecipeRequest> auto &request)
{
    recipeFields(codec, request);
}

template <class Codec>
void fields(Codec &codec, Same<PreviewRequest> auto &request)
{
    recipeFields(codec, request);
    codec.member("data", request.data);
    codec.member("sample", request.sample);
    codec.member("input", request.input);
}

template <class Codec>
void fields(Codec &codec, Same<PlatformCheckRequest> auto &request)
{
    codec.member("text", request.text);
}

template <class Codec>
void fields(Codec &codec, Same<PlatformChecked> auto &answer)
{
    codec.member("definition", answer.definition);
}

template <class Codec>
void fields(Codec &codec, Same<PlatformSaveRequest> auto &request)
{
    codec.member("text", request.text);
    codec.member("replaces", request.replaces);
}

template <class Codec>
void fields(Codec &codec, Same<PlatformSaved> auto &answer)
{
    codec.member("file", answer.file);
    codec.member("id", answer.id);
    codec.member("catalogue", answer.catalogue);
}

template <class Codec>
void fields(Codec &codec, Same<PlatformRemoveRequest> auto &request)
{
    codec.member("id", request.id);
}

template <class Codec>
void fields(Codec &codec, Same<PlatformRemoved> auto &answer)
{
    codec.member("id", answer.id);
    codec.member("catalogue", answer.catalogue);
}

template <class Codec>
void fields(Codec &codec, Same<DistributionRequest> auto &request)
{
    recipeFields(codec, request);
    codec.member("op", request.op);
}

template <class Codec>
void fields(Codec &codec, Same<Distributions> auto &answer)
{
    codec.member("op", answer.op);
    codec.member("rows", answer.rows);
    codec.member("parameters", answer.parameters);
    codec.member("details", answer.details);
}

template <class Codec>
static void exportFields(Codec &codec, auto &request)
{
    recipeFields(codec, request);
    codec.member("format", request.format);
    codec.member("path", request.path);
    codec.member("params", request.params);
}

template <class Codec>
void fields(Codec &codec, Same<ExportRequest> auto &request)
{
    exportFields(codec, request);
}

template <class Codec>
void fields(Codec &codec, Same<ExportPreviewRequest> auto &request)
{
    exportFields(codec, request);
}

template <class Codec>
void fields(Codec &codec, Same<Exported::File> auto &file)
{
    codec.member("path", file.path);
    codec.member("bytes", file.bytes);
}

template <class Codec>
void fields(Codec &codec, Same<ExportPreview::File> auto &file)
{
    codec.member("name", file.name);
    codec.member("bytes", file.bytes);
    codec.member("exists", file.exists);
    codec.optional("text", file.text);
}

template <class Codec>
static void exportedFields(Codec &codec, auto &answer)
{
    codec.member("format", answer.format);
    codec.member("files", answer.files);
    codec.texts("notes", answer.notes);
    codec.member("problems", answer.problems);
}

template <class Codec>
void fields(Codec &codec, Same<Exported> auto &answer)
{
    exportedFields(codec, answer);
}

template <class Codec>
void fields(Codec &codec, Same<ExportPreview> auto &answer)
{
    exportedFields(codec, answer);
    codec.member("operations", answer.operations);
}

template <class Codec>
void fields(Codec &codec, Same<RunRequest> auto &request)
{
    recipeFields(codec, request);
    codec.member("goal", request.goal);
}

template <class Codec>
void fields(Codec &codec, Same<RunPart> auto &part)
{
    codec.part("graph", part.graph);
    codec.part("configs", part.configs);
    codec.part("passes", part.passes);
    codec.part("measures", part.measures);
    codec.part("training", part.training);
}

template <class Codec>
void fields(Codec &codec, Same<RunAnswer> auto &answer)
{
    codec.member("report", answer.report);
    codec.member("recipe", answer.recipe);
}

template <class Codec>
void fields(Codec &codec, Same<AnalysisRequest> auto &request)
{
    recipeFields(codec, request);
    codec.member("id", request.id);
    codec.member("params", request.params);
}

template <class Codec>
void fields(Codec &codec, Same<AnalysisAnswer> auto &answer)
{
    codec.member("measures", answer.measures);
    codec.member("problems", answer.problems);
}

template <class Codec>
void fields(Codec &codec, Same<PassesRequest> auto &request)
{
    recipeFields(codec, request);
}

template <class Codec>
void fields(Codec &codec, Same<PassHistoryRow::ChangedSlot> auto &slot)
{
    codec.member("role", slot.role);
    codec.member("index", slot.index);
    codec.member("variable", slot.variable);
    codec.member("fields", slot.fields);
}

template <class Codec>
void fields(Codec &codec, Same<PassHistoryRow::ChangedOperation> auto &operation)
{
    codec.member("op", operation.op);
    codec.member("slots", operation.slots);
}

template <class Codec>
void fields(Codec &codec, Same<PassHistoryRow> auto &row)
{
    codec.member("id", row.id);
    codec.member("key", row.key);
    codec.member("changed", row.changed);
    codec.member("seconds", row.seconds);
    codec.member("operations", row.operations);
    codec.member("outputs", row.outputs);
}

template <class Codec>
void fields(Codec &codec, Same<PassHistory> auto &history)
{
    codec.member("passes", history.passes);
}

template <class Codec>
void fields(Codec &codec, Same<ReportRequest> auto &request)
{
    recipeFields(codec, request);
    codec.member("path", request.path);
    codec.optional("language", request.language);
}

void to_json(nlohmann::json &written, const Goal &goal)
{
    written = goal == Goal::Calibrate ? "calibrate" : goal == Goal::Analyse ? "analyse" : "all";
}

void from_json(const nlohmann::json &written, Goal &goal)
{
    for (const Goal known : {Goal::Calibrate, Goal::Analyse, Goal::All})
        if (nlohmann::json(known) == written) {
            goal = known;
            return;
        }
    JsonPlace{"goal"}.failType("calibrate, analyse or all", written.dump());
}

QL_JSON_PAIR(CatalogueRequest, "the request")
QL_JSON_PAIR(RecipeRequest, "the request")
QL_JSON_PAIR(PreviewRequest, "the request")
QL_JSON_PAIR(PlatformCheckRequest, "the request")
QL_JSON_PAIR(PlatformChecked, "the answer")
QL_JSON_PAIR(PlatformSaveRequest, "the request")
QL_JSON_PAIR(PlatformSaved, "the answer")
QL_JSON_PAIR(PlatformRemoveRequest, "the request")
QL_JSON_PAIR(PlatformRemoved, "the answer")
QL_JSON_PAIR(DistributionRequest, "the request")
QL_JSON_PAIR(Distributions, "the answer")
QL_JSON_PAIR(ExportRequest, "the request")
QL_JSON_PAIR(Exported, "the answer")
QL_JSON_PAIR(ExportPreviewRequest, "the request")
QL_JSON_PAIR(ExportPreview, "the answer")
QL_JSON_PAIR(RunRequest, "the request")
QL_JSON_PAIR(RunPart, "the part of the run")
QL_JSON_PAIR(RunAnswer, "the answer")
QL_JSON_PAIR(AnalysisRequest, "the request")
QL_JSON_PAIR(AnalysisAnswer, "the answer")
QL_JSON_PAIR(PassesRequest, "the request")
QL_JSON_PAIR(PassHistory, "the answer")
QL_JSON_PAIR(ReportRequest, "the request")

} // namespace ql::api
