#include <core/base/plugin.h>
#include <core/platform/dispatcher.h>

QL_PLUGIN("throws", "1", "Throws, or ends the process, while it works")

static ql::Dispatch fail(const ql::GraphSearch &, const ql::DispatchRequest &)
{
    throw std::runtime_error("this dispatcher is out of order");
}

const ql::DispatcherRegistrar dispatcher{"throws", {.info = {.id = "throws"}, .run = fail}};
