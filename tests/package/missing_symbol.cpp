#include <core/base/plugin.h>

QL_PLUGIN("missing_symbol", "1", "Needs a function that nobody has")

extern "C" int quantloupeNoSuchFunction();
int needed = quantloupeNoSuchFunction();
