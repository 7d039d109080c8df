#include <core/base/plugin.h>

#undef QL_HEADERS
#define QL_HEADERS "000000000000"

QL_PLUGIN("other_headers", "1", "Compiled with other headers of the same version")
