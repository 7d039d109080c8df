// Any bytes as a Caffe net: the definition, and after a line of %%%% the weights. A verified graph or an Error.
#include "core/base/error.h"
#include "core/io/caffe/import.h"
#include "tests/fuzz/scratch_file.h"

#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    static const ql::fuzz::ScratchFile net(".prototxt"), weights("-weights.caffemodel");
    constexpr std::string_view mark = "\n%%%%\n";
    const std::string_view bytes(reinterpret_cast<const char *>(data), size);
    const std::size_t at = bytes.find(mark);
    ql::ImportRequest request;
    request.file = net.write(data, std::min(at, size));
    if (at != std::string_view::npos) {
        const std::string_view rest = bytes.substr(at + mark.size());
        request.weights = weights.write(rest.data(), rest.size());
    }
    try {
        ql::importCaffe(request).verify();
    } catch (const ql::Error &error) {
        if (error.kind == ql::ErrorKind::Internal) throw;
    }
    return 0;
}
