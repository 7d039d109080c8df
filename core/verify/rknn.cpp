#include "core/verify/python_runtime.h"

namespace ql {

namespace {

const RuntimeRegistrar rknn{
    "rknn",
    pythonRuntimeEntry({.id = "rknn",
                        .title = "RKNN toolkit (simulator)",
                        .module = "rknn",
                        .meaning = QL_TEXT("Rockchip's RKNN toolkit builds the file as it is quantized and runs it in "
                                           "its simulator of the NPU. For Linux on x86 and Arm."),
                        .extensions = {".onnx"},
                        .packages = {"rknn-toolkit2==2.*", "onnx", "numpy"},
                        .params = {{.name = "target",
                                    .type = "enum",
                                    .fallback = "rk3588",
                                    .meaning = QL_TEXT("The processor."),
                                    .choices = {"rk3588", "rk3576", "rk3568", "rk3566", "rk3562"}},
                                   {.name = "optimization_level",
                                    .type = "enum",
                                    .fallback = "2",
                                    .meaning = QL_TEXT("As in the configuration of the toolkit, whose default is 3. It "
                                                       "suggests 2 for files that are quantized: 3 gives the result of "
                                                       "an AveragePool the scale of its input, does not round a Conv "
                                                       "before an Add, and computes some Conv after Concat in "
                                                       "float16."),
                                    .choices = {"0", "1", "2", "3"}}}})};

} // namespace

} // namespace ql
