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
                     .choices = {"f32", "bf16", "default"}},
                    {.name = "dynamic_quantization",
                     .type = "enum",
                     .fallback = "off",
                     .meaning = QL_TEXT("DYNAMIC_QUANTIZATION_GROUP_SIZE: off sets it to 0; default: the plug-in's own "
                                        "choice, which rounds float inputs of matrix products again, in groups."),
                     .choices = {"off", "default"}}}})};

} // namespace

} // namespace ql
