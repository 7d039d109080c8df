#include "core/verify/python_runtime.h"

namespace ql {

namespace {

const RuntimeRegistrar aimet{
    "aimet",
    pythonRuntimeEntry(
        {.id = "aimet",
         .title = "AIMET",
         .module = "aimet_onnx",
         .meaning = QL_TEXT("Qualcomm's AIMET simulates the float ONNX file with the encodings "
                            "next to it, as QNN reads them; for lack of QNN itself."),
         .extensions = {".onnx"},
         .packages = {"aimet-onnx==2.*", "onnx", "numpy"},
         .scalesAside = {".onnx"},
         .params = {{.name = "constraints",
                     .type = "bool",
                     .fallback = false,
                     .meaning = QL_TEXT("Give the input and the result of AveragePool, Concat, Relu, Resize and some "
                                        "others one scale, as QNN's HTP does, whatever the file says.")}}})};

} // namespace

} // namespace ql
