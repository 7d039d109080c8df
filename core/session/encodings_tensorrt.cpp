// TensorRT's implicit quantization: {"act_quant_info": {tensor: largest magnitude}}. Activations are int8, symmetric,
// with the scale magnitude / 127; TensorRT derives the scales of weights from their values.
#include "core/session/encodings.h"

namespace ql {

static StoredEncodings readTensorRt(const EncodingsRequest &, const api::JsonText &text)
{
    StoredEncodings stored;
    stored.omitsParameters = true;
    for (const auto &[name, magnitude] : api::JsonNode(text).at("act_quant_info").members()) {
        StoredGrid grid;
        grid.scale = {float(magnitude.number(1e-38, 1e38) / 127)};
        grid.zeroPoint = {0};
        stored.tensors.push_back({.variable = name, .grid = grid});
    }
    return stored;
}

static const EncodingsRegistrar tensorRtRanges{
    "trt_json",
    {.info = {.id = "trt_json",
              .title = QL_TEXT("TensorRT ranges"),
              .meaning = QL_TEXT("JSON with the dynamic range of each activation, next to a float model.")},
     .platform = "TRT_INT8",
     .matches = [](const std::filesystem::path &,
                   const api::JsonText *text) { return text && api::JsonNode(*text).has("act_quant_info"); },
     .read = readTensorRt}};

} // namespace ql
