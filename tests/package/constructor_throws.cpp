// A static constructor that throws while the plug-in is loaded
#include <core/base/plugin.h>

#include <stdexcept>

QL_PLUGIN("constructor_throws", "1", "Cannot be loaded")

static const struct Throws
{
    Throws() { throw std::runtime_error("this constructor is out of order"); }
} throws;
