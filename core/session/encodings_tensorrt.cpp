// TensorRT's implicit quantization: {"act_quant_info": {tensor: largest magnitude}}. Activations are int8, symmetric,
// with the scale magnitude / 127; TensorRT derives the scales of weights from their values. A calibration cache has the
// scales of the same tensors: after a line such as TRT-8601-EntropyCalibration2, lines "tensor: 3c010a14", the bits of
// a float32 in hexadecimal digits.
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strings.h"
#include "core/session/encodings.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <sstream>

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

static float scaleOfBits(std::string_view digits)
{
    std::uint32_t bits = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), bits, 16);
    float scale = 0;
    std::memcpy(&scale, &bits, sizeof scale);
    const bool isNumber = read.ec == std::errc() && read.ptr == digits.data() + digits.size() && digits.size() == 8;
    return isNumber && std::isfinite(scale) ? scale : 0;
}

static StoredEncodings readCalibrationCache(const EncodingsRequest &request, const api::JsonText &)
{
    StoredEncodings stored;
    stored.omitsParameters = true;
    std::istringstream lines(readFile(request.file));
    std::string line;
    std::getline(lines, line);
    for (int number = 2; std::getline(lines, line); ++number) {
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
        if (line.empty()) continue;
        const std::size_t colon = line.rfind(": ");
        StoredGrid grid;
        grid.scale = {colon == std::string::npos ? 0 : scaleOfBits(std::string_view(line).substr(colon + 2))};
        grid.zeroPoint = {0};
        if (!(grid.scale[0] > 0))
            throw Error(ErrorKind::BadConfig,
                        QL_TEXT("line %1: expected \"tensor: 3c010a14\", the bits of a positive scale in hexadecimal "
                                "digits")
                            .with(number))
                .inFile(request.file.string())
                .withRemedy(QL_TEXT("The file is damaged or was changed: calibrate again."));
        stored.tensors.push_back({.variable = line.substr(0, colon), .grid = grid});
    }
    return stored;
}

static const EncodingsRegistrar tensorRtCache{
    "trt_cache",
    {.info = {.id = "trt_cache",
              .title = QL_TEXT("TensorRT calibration cache"),
              .meaning =
                  QL_TEXT("Text with the scale of each activation, as TensorRT's calibrators write it, next to a "
                          "float model.")},
     .platform = "TRT_INT8",
     .matches = [](const std::filesystem::path &file,
                   const api::JsonText *text) { return !text && lower(file.extension().string()) != ".onnx"; },
     .read = readCalibrationCache}};

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
