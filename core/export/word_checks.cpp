#include "core/api/word_check.h"
#include "core/export/exporter.h"

namespace ql {

static const api::WordCheckRegistrar registrar{
    "exporter", {[](const api::JsonNode &node) { node.choice(Registry<ExporterEntry>::instance().ids()); }}};

} // namespace ql
