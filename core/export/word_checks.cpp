#include "core/export/exporter.h"
#include "core/platform/word_check.h"

namespace ql {

static const WordCheckRegistrar registrar{
    "exporter", {[](const api::JsonNode &node) { node.choice(Registry<ExporterEntry>::instance().ids()); }}};

} // namespace ql
