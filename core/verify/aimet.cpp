#include "core/verify/python_runtime.h"

namespace ql {

namespace {

const RuntimeRegistrar aimet{
    "aimet", pythonRuntimeEntry({.id = "aimet",
                                 .title = "AIMET",
                                 .module = "aimet_onnx",
                                 .meaning = QL_TEXT("Qualcomm's AIMET simulates the float ONNX file with the encodings "
                                                    "next to it, as QNN reads them; for lack of QNN itself."),
                                 .extensions = {".onnx"},
                                 .packages = {"aimet-onnx==2.*", "onnx", "numpy"},
                                 .scalesAside = {".onnx"}})};

} // namespace

} // namespace ql
