#include "core/verify/python_runtime.h"

namespace ql {

namespace {

const RuntimeRegistrar mnn{
    "mnn",
    pythonRuntimeEntry({.id = "mnn",
                        .title = "MNN",
                        .module = "MNN",
                        .meaning = QL_TEXT("Alibaba's MNN on the CPU. The ONNX file is converted with the scales of "
                                           "the JSON file next to it: MNN quantizes only convolutions."),
                        .extensions = {".onnx"},
                        .packages = {"MNN==3.*", "onnx", "numpy"},
                        .scalesAside = {".onnx"}})};

} // namespace

} // namespace ql
