#include "core/verify/python_runtime.h"

namespace ql {

namespace {

const RuntimeRegistrar ncnn{
    "ncnn",
    pythonRuntimeEntry(
        {.id = "ncnn",
         .title = "ncnn",
         .module = "ncnn",
         .meaning =
             QL_TEXT("Tencent's ncnn on the CPU. The ONNX file is converted with pnnx and gets the scales of the "
                     "table next to it, as ncnn2int8 does."),
         .extensions = {".onnx"},
         .packages = {"ncnn", "onnx", "numpy"},
         .bare = {"pnnx"},
         .scalesAside = {".onnx"},
         .params = {{.name = "packing",
                     .type = "bool",
                     .fallback = false,
                     .meaning = QL_TEXT("Use packed layouts, ncnn's default. On x86, packed depthwise layers multiply "
                                        "by an approximation of the reciprocal of their scales.")},
                    {.name = "fp16",
                     .type = "bool",
                     .fallback = false,
                     .meaning = QL_TEXT("Store the weights of float layers as float16, ncnn's default.")}}})};

} // namespace

} // namespace ql
