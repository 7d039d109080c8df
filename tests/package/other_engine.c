/* Nothing of it may run. */
#include <stdlib.h>

const char quantloupePluginAbi[] = "quantloupe-plugin:quantloupe 0.0.1, gcc 4";

__attribute__((constructor)) static void run(void)
{
    abort();
}
