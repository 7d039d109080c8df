// As constructor_throws.cpp, with what is not a std::exception, after a registration
#include <core/base/plugin.h>
#include <core/platform/dispatcher.h>

QL_PLUGIN("constructor_throws_number", "1", "Cannot be loaded")

const ql::DispatcherRegistrar dispatcher{
    "before", {.info = {.id = "before"}, .run = [](const ql::GraphSearch &, const ql::DispatchRequest &) {
                   return ql::Dispatch();
               }}};

static const struct Throws
{
    Throws() { throw 42; }
} throws;
