#include <core/base/plugin.h>

QL_PLUGIN("throws", "2", "Has the name of another one")
