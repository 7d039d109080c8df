// The library's description; the other files register one thing each.
#include <core/base/plugin.h>

QL_PLUGIN("examples", "1.0", "One example of everything that a plug-in can add")
