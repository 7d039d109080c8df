#include <core/base/plugin.h>
#include <core/platform/dispatcher.h>

QL_PLUGIN("registered_twice", "1", "Registers an id of the engine")

const ql::DispatcherRegistrar newOne{"twice_new", {.info = {.id = "twice_new"}, .run = {}}};
const ql::DispatcherRegistrar known{"allin", {.info = {.id = "allin"}, .run = {}}};
const ql::PlatformRegistrar platform{"TRT_INT8", "{}"};
