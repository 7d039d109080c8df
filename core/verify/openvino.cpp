#include "core/verify/python_runtime.h"

namespace ql {

namespace {

const RuntimeRegistrar openVino{
    "openvino",
    pythonRuntimeEntry(
        {.id = "openvino",
         .title = "OpenVINO",
         .module = "openvino",
         .meaning = QL_TEXT("The CPU plug-in of OpenVINO. Its default for float operations on recent processors is "
                            "bfloat16; here it is float32 unless an option says otherwise."),
         .extensions = {".onnx"},
         .packages = {"openvino==2026.4.*", "numpy"},
         .params = {{.name = "precision",
                     .type = "enum",
                     .fallback = "f32",
                     .meaning = QL_TEXT("INFERENCE_PRECISION_HINT; default: the plug-in's own choice."),
                     .choices = {"f32", "bf16", "default"}}}})};

} // namespace

} // namespace ql
