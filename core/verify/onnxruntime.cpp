#include "core/verify/python_runtime.h"

namespace ql {

namespace {

const RuntimeRegistrar onnxRuntime{
    "onnxruntime",
    pythonRuntimeEntry(
        {.id = "onnxruntime",
         .title = "ONNX Runtime",
         .module = "onnxruntime",
         .meaning =
             QL_TEXT("The CPU execution provider of ONNX Runtime. If it optimizes, it fuses quantized layers and "
                     "computes them in integers."),
         .extensions = {".onnx"},
         .packages = {"onnxruntime==1.31.*", "numpy"},
         .params = {{.name = "optimizations",
                     .type = "enum",
                     .fallback = automaticOption,
                     .meaning = QL_TEXT("The optimizer's level; off: the file's operations one by one. auto: off for "
                                        "platforms that compute in floats between rounded tensors, which integer "
                                        "kernels do not; otherwise all."),
                     .choices = {automaticOption, "all", "extended", "basic", "off"}},
                    {.name = "fuse_qdq",
                     .type = "bool",
                     .fallback = true,
                     .meaning = QL_TEXT("Replace operations between quantize and dequantize nodes by integer ones; "
                                        "off: session.disable_quant_qdq.")},
                    {.name = "precise_sums",
                     .type = "bool",
                     .fallback = false,
                     .meaning = QL_TEXT("Set session.x64quantprecision: on x86 processors without VNNI, sums of two "
                                        "products with signed weights saturate otherwise.")}},
         .automatic = {.floats = "off", .otherwise = "all"}})};

} // namespace

} // namespace ql
