#include <core/base/plugin.h>

#include <cstdlib>

QL_PLUGIN("crashes", "1", "Ends the process while it is loaded")

static const int crash = (std::abort(), 0);
