#include <core/base/plugin.h>
#include <core/exec/kernel.h>
#include <core/pass/pass.h>
#include <core/platform/dispatcher.h>

QL_PLUGIN("no_function", "1", "Registers entries without their functions")

const ql::DispatcherRegistrar dispatcher{"no_run", {.info = {.id = "no_run"}, .run = {}}};
const ql::PassRegistrar pass{{.info = {.id = "no_make"}}};
const ql::KernelRegistrar kernel{{"com.example:NoRun"}, {.run = {}, .family = "test"}};
