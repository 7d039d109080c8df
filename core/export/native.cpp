// The quantized graph with all configs in our own format, which reads back to an equal plan (core/io/native.h).
#include "core/io/native.h"
#include "core/base/file.h"
#include "core/export/exporter.h"

#include <ostream>

namespace ql {

static ExportResult writeNative(const ExportRequest &request)
{
    writeFileAtomically(request.target, [&](std::ostream &out) { writeModel(out, request.model); });
    ExportResult result;
    result.files.push_back(request.target);
    return result;
}

static const ExporterRegistrar nativeRegistrar{
    "native",
    {.info = {.id = "native",
              .title = QL_TEXT("Quantloupe native"),
              .meaning = QL_TEXT("Graph, dispatch and every quantization config, for reading back into Quantloupe."),
              .params = {uncalibratedParam()}},
     .extensions = {".qln"},
     .isForAllPlatforms = true,
     .keepsDynamicGroups = true,
     .run = writeNative}};

} // namespace ql
