// A platform: the text of a platform file (docs/platform-format.md).
#include <core/platform/definition.h>

namespace {

const ql::PlatformRegistrar platformRegistrar{"EXAMPLE_INT8", R"({
    "id": "EXAMPLE_INT8",
    "title": "Example",
    "description": "ONNX Runtime with the dispatcher and the observer of the example plug-in.",
    "extends": "ONNXRUNTIME",
    "dispatcher": "example_keep_ends"
})"};

} // namespace
