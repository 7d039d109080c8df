#include "core/verify/python_runtime.h"

namespace ql {

namespace {

const RuntimeRegistrar openCv{
    "opencv",
    pythonRuntimeEntry(
        {.id = "opencv",
         .title = "OpenCV dnn",
         .module = "cv2",
         .meaning = QL_TEXT("OpenCV's dnn module on the CPU. It computes in float32 and rounds where an "
                            "ONNX file has quantize operations, or the JSON next to a Caffe net has scales."),
         .extensions = {".onnx", ".prototxt"},
         .packages = {"opencv-python-headless==4.11.*", "onnx", "numpy"}, // the last one that reads Caffe nets
         .scalesAside = {".prototxt"},
         .params = {{.name = "winograd",
                     .type = "bool",
                     .fallback = true,
                     .meaning = QL_TEXT("Compute 3x3 convolutions by Winograd's method.")},
                    {.name = "fusion", .type = "bool", .fallback = true, .meaning = QL_TEXT("Fuse layers.")}}})};

} // namespace

} // namespace ql
