// quantloupe-cli: sets what the OpenMP runtime reads once, when it is loaded, then loads the command line.
//
// OpenMP's threads wait for each other by spinning for some milliseconds. On a machine that has other work that holds
// back the very thread waited for: a forward pass of MobileNetV2 beside two compilers took 700 ms instead of 14. A short
// spin bridges the gaps between the layers of a network, and leaves the processor to others after that.
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

int main(int argc, char **argv)
{
    if (!std::getenv("OMP_WAIT_POLICY")) ::setenv("GOMP_SPINCOUNT", "1000", 0);
    void *library = ::dlopen("libquantloupe-cli.so", RTLD_NOW | RTLD_GLOBAL);
    void *entry = library ? ::dlsym(library, "quantloupeCli") : nullptr;
    if (!entry) {
        std::fprintf(stderr, "internal error: %s. Install quantloupe again.\n", ::dlerror());
        return 3;
    }
    return reinterpret_cast<int (*)(int, char **)>(entry)(argc, argv);
}
