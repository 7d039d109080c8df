#include <core/base/plugin.h>
#include <core/platform/dispatcher.h>

QL_PLUGIN("empty_id", "1", "Registers something without an id")

const ql::DispatcherRegistrar dispatcher{"", {.info = {.id = ""}, .run = {}}};
