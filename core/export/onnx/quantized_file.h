#pragma once

#include "core/export/exporter.h"

namespace ql {

/// Writes graph, which has the scales of request.model, to request.target, as writeOnnx() does. The metadata of the
/// file names the platform of most quantized operations, for which `import-encodings` reads it again.
/// @throws Error as writeOnnx() does
std::vector<std::filesystem::path> writeQuantizedOnnx(const Graph &graph, const ExportRequest &request);

} // namespace ql
