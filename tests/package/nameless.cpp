#include <core/base/plugin.h>

QL_PLUGIN(" ", "1", "Has no name")
