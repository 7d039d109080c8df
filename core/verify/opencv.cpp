#include "core/verify/python_runtime.h"

namespace ql {

namespace {

const RuntimeRegistrar openCv{
    "opencv",
    pythonRuntimeEntry(
        {.id = "opencv",
         .title = "OpenCV dnn",
         .module = "cv2",
         .meaning = QL_TEXT("OpenCV's dnn module on the CPU. It runs the operations between quantize "
                            "and dequantize nodes in float32."),
         .extensions = {".onnx"},
         .packages = {"opencv-python-headless==4.*", "onnx", "numpy"},
         .params = {{.name = "winograd",
                     .type = "bool",
                     .fallback = true,
                     .meaning = QL_TEXT("Compute 3x3 convolutions by Winograd's method.")},
                    {.name = "fusion", .type = "bool", .fallback = true, .meaning = QL_TEXT("Fuse layers.")}}})};

} // namespace

} // namespace ql
