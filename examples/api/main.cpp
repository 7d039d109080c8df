// api MODEL DATA.npz OUT.onnx: all examples, one after the other.
#include "examples.h"

#include <core/base/error.h>
#include <core/exec/runtime.h>

#include <cstdio>

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    const ql::Runtime runtime; // optional: faster allocation
    try {
        load(argv[1]);
        quantize(argv[1], argv[2]);
        settings(argv[1], argv[2]);
        run(argv[1], argv[2]);
        analyse(argv[1], argv[2]);
        exportModel(argv[1], argv[2], argv[3]);
        fakeQuantize();
        toInteger();
    } catch (const ql::Error &error) {
        std::fprintf(stderr, "%s\n", error.text().c_str());
        return 1;
    }
    return 0;
}
