// Any bytes as an ONNX model: a verified graph or an Error, never a crash, never an error that blames ourselves.
#include "core/base/error.h"
#include "core/io/onnx/import.h"
#include "tests/fuzz/scratch_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    static const ql::fuzz::ScratchFile file(".onnx");
    try {
        ql::importOnnx(file.write(data, size)).verify();
    } catch (const ql::Error &error) {
        if (error.kind == ql::ErrorKind::Internal) throw;
    }
    return 0;
}
