// A float model and PPQ's config JSON.
#include "core/export/onnx/side_files.h"
#include "core/export/ppq_config.h"

namespace ql {

static ExportResult writePpqJson(const ExportRequest &request)
{
    return writeModelWith(request, [&](FileSet &files) { files.addJson(".json", ppqConfig(request.model)); });
}

static const ExporterRegistrar ppqJson{
    "ppq_json",
    {.info = {.id = "ppq_json",
              .title = QL_TEXT("PPQ configuration"),
              .meaning =
                  QL_TEXT("ONNX model with rounded parameters and PPQ's JSON of every config, dispatch and scale."),
              .params = modelParams()},
     .extensions = {".onnx"},
     .beside = {".json"},
     .isForAllPlatforms = true,
     .run = writePpqJson}};

} // namespace ql
