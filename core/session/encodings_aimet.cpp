// AIMET's encodings for QNN and SNPE: versions 0.6.1 (an object of lists by tensor), 1.0 (a list of objects) and 2.x
// (a list of objects with the fields of ONNX's QuantizeLinear).
// Codes of 0.6.1 and 1.0 are unsigned: value = scale * (code + offset). A symmetric tensor of n bits has the offset
// -2^(n-1), or one more if the lowest code is not used ("strict").
// LPBQ: the scales of the blocks of a channel are integers times the scale of the channel.
#include "core/base/error.h"
#include "core/session/encodings.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace ql {

using api::JsonNode;

namespace {

constexpr int mostBits = 32;
constexpr double leastScale = 1e-38, mostScale = 1e38;
constexpr double mostOffset = 4294967296.0;
constexpr int mostSize = std::numeric_limits<std::int32_t>::max();

/// "True" or true.
bool truth(const JsonNode &node)
{
    if (node.value().is_boolean()) return node.boolean();
    return node.choice({"True", "False", "true", "false"}).starts_with('T') || node.string() == "true";
}

/// bits and range; offset: of the first channel.
void setCodes(StoredGrid &grid, int bits, bool symmetric, std::int64_t offset)
{
    const std::int64_t half = std::int64_t(1) << (bits - 1);
    grid.bits = bits;
    grid.quantMin = 0;
    grid.quantMax = 2 * half - 1;
    if (!symmetric || (offset != -half && offset != 1 - half)) return;
    grid.quantMin = offset;
    grid.quantMax = half - 1;
}

/// The integer zero point of the codes. @throws Error if it is outside of them
std::int32_t zeroPointOf(const StoredGrid &grid, const JsonNode &node, double zero)
{
    const double most = std::min(double(grid.quantMax), double(mostSize));
    if (zero != std::floor(zero) || zero < double(grid.quantMin) || zero > most)
        node.fail(QL_TEXT("the zero point %1 is outside the codes %2 to %3")
                      .with(Text::number(zero), grid.quantMin, grid.quantMax));
    return std::int32_t(zero);
}

void addChannel(StoredGrid &grid, const JsonNode &scale, const JsonNode &node, double offset)
{
    grid.scale.push_back(float(scale.number(leastScale, mostScale)));
    grid.zeroPoint.push_back(zeroPointOf(grid, node, double(grid.quantMin) - offset));
}

/// As many scales as offsets.
void addChannels(StoredGrid &grid, const JsonNode &encoding, bool symmetric)
{
    const std::vector<JsonNode> scales = encoding.at("scale").elements(), offsets = encoding.at("offset").elements();
    if (scales.empty() || scales.size() != offsets.size())
        encoding.fail(
            QL_TEXT("must have as many scales as offsets, got %1 and %2").with(scales.size(), offsets.size()));
    setCodes(grid, grid.bits, symmetric, std::int64_t(offsets[0].number(-mostOffset, mostOffset)));
    for (std::size_t i = 0; i < scales.size(); ++i)
        addChannel(grid, scales[i], offsets[i], offsets[i].number(-mostOffset, mostOffset));
}

/// A number, or numbers in lists of lists, in their shape.
at::Tensor nested(const JsonNode &node, double least, double most)
{
    if (!node.value().is_array()) return at::scalar_tensor(node.number(least, most), at::TensorOptions(at::kDouble));
    const std::vector<JsonNode> elements = node.elements();
    if (elements.empty()) node.fail(QL_TEXT("must not be empty"));
    if (!elements[0].value().is_array()) {
        std::vector<double> numbers;
        for (const JsonNode &element : elements) numbers.push_back(element.number(least, most));
        return at::tensor(numbers, at::TensorOptions(at::kDouble));
    }
    std::vector<at::Tensor> rows;
    for (const JsonNode &element : elements) {
        rows.push_back(nested(element, least, most));
        if (rows.back().sizes() != rows[0].sizes())
            element.fail(QL_TEXT("must have as many entries as the lists around it"));
    }
    return at::stack(rows);
}

/// 0.6.1: one object per channel. PPQ writes neither type nor symmetry, and zero points instead of offsets: its offset
/// follows from the lowest value.
std::optional<StoredGrid> gridOf061(const JsonNode &channels)
{
    StoredGrid grid;
    for (const JsonNode &channel : channels.elements()) {
        const auto type = channel.find("dtype");
        if (type && type->string() == "float") return std::nullopt;
        const auto symmetric = channel.find("is_symmetric");
        const bool isPpq = !type && !symmetric;
        const JsonNode node = channel.at(isPpq ? "min" : "offset");
        const double lowest = node.number(-mostScale, mostScale);
        const double offset = isPpq ? std::round(lowest / channel.at("scale").number(leastScale, mostScale)) : lowest;
        if (std::abs(offset) > mostOffset) node.fail(QL_TEXT("is too far from zero for this scale"));
        if (grid.scale.empty())
            setCodes(grid, int(channel.at("bitwidth").integer(2, mostBits)), symmetric && truth(*symmetric),
                     std::int64_t(offset));
        addChannel(grid, channel.at("scale"), node, offset);
    }
    if (grid.scale.empty()) channels.fail(QL_TEXT("must have an encoding per tensor or per channel"));
    return grid;
}

/// Integers times the scales of their channels, which have one entry where they have a block each.
std::vector<float> productOf(const JsonNode &node, const at::Tensor &integers, const at::Tensor &channels)
{
    bool fits = integers.dim() == channels.dim();
    for (std::int64_t d = 0; fits && d < integers.dim(); ++d)
        fits = channels.size(d) == 1 || channels.size(d) == integers.size(d);
    if (!fits) node.fail(QL_TEXT("must have a scale per channel, and an integer per block of each"));
    const at::Tensor product = (integers * channels).to(at::kFloat).contiguous();
    return {product.data_ptr<float>(), product.data_ptr<float>() + product.numel()};
}

/// 1.0 with LPBQ: the blocks of one output channel after those of another.
void addBlocks(StoredGrid &grid, const JsonNode &encoding)
{
    const int bits = int(encoding.at("compressed_bw").integer(2, mostBits));
    setCodes(grid, bits, true, -(std::int64_t(1) << (bits - 1)));
    const at::Tensor channels = nested(encoding.at("scale"), leastScale, mostScale).reshape({-1, 1});
    const at::Tensor integers = nested(encoding.at("per_block_int_scale"), 1, mostSize);
    if (integers.numel() % channels.numel() != 0) encoding.fail(QL_TEXT("must have as many blocks in every channel"));
    grid.scale = productOf(encoding, integers.reshape({channels.numel(), -1}), channels);
    grid.zeroPoint.assign(grid.scale.size(), 0);
}

/// 1.0: lists of scales and offsets.
std::optional<StoredGrid> gridOf100(const JsonNode &encoding)
{
    if (encoding.at("dtype").string() == "FLOAT") return std::nullopt;
    StoredGrid grid;
    if (const auto block = encoding.find("block_size")) grid.groupSize = int(block->integer(1, mostSize));
    if (encoding.has("per_block_int_scale")) {
        addBlocks(grid, encoding);
        return grid;
    }
    grid.bits = int(encoding.at("bw").integer(2, mostBits));
    const auto symmetric = encoding.find("is_sym");
    addChannels(grid, encoding, symmetric && truth(*symmetric));
    return grid;
}

/// "int8" or "uint4" as codes.
void setCodesOfType(StoredGrid &grid, const JsonNode &type)
{
    const std::string name = type.string();
    const bool isUnsigned = name.starts_with('u');
    const std::string_view digits = std::string_view(name).substr(std::min(name.size(), isUnsigned ? 4ul : 3ul));
    int bits = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
    const bool isInteger = name.starts_with(isUnsigned ? "uint" : "int") && read.ec == std::errc() &&
                           read.ptr == digits.data() + digits.size() && bits >= 2 && bits <= mostBits;
    if (!isInteger)
        type.fail(QL_TEXT("only integers of 2 to 32 bits can be imported, such as int8 or uint16"),
                  QL_TEXT("Import the integer tensors only, or quantize the model again."));
    setCodes(grid, bits, !isUnsigned, -(std::int64_t(1) << (bits - 1)));
}

/// 2.x: of one tensor, per channel or in blocks.
StoredGrid gridOf2(const JsonNode &encoding)
{
    StoredGrid grid;
    setCodesOfType(grid, encoding.at("output_dtype"));
    if (const auto axis = encoding.find("axis")) grid.axis = int(axis->integer(-64, 64));
    if (const auto block = encoding.find("block_size")) grid.groupSize = int(block->integer(1, mostSize));
    const JsonNode node = encoding.has("per_block_int_scale") ? encoding : encoding.at("y_scale");
    at::Tensor integers, scales;
    if (!node.isObject()) {
        scales = nested(node, leastScale, mostScale);
        integers = at::ones_like(scales);
    } else if (node.has("per_block_int_scale")) { // 2.0
        scales = nested(node.at("per_channel_float_scale"), leastScale, mostScale);
        integers = nested(node.at("per_block_int_scale"), 1, mostSize);
    } else { // 2.1
        scales = nested(node.at("x_scale"), leastScale, mostScale);
        integers = nested(node.at("x"), 1, mostSize);
        std::vector<std::int64_t> shape(std::size_t(integers.dim()), 1);
        const JsonNode axis = node.at("axis");
        if (integers.dim() == 0) axis.fail(QL_TEXT("must be an axis of 'x'"));
        shape[std::size_t(axis.integer(0, integers.dim() - 1))] = scales.numel();
        scales = scales.reshape(shape);
    }
    grid.scale = productOf(node, integers, scales);
    grid.zeroPoint.assign(grid.scale.size(), 0);
    if (const auto zeros = encoding.find("y_zero_point")) {
        const at::Tensor each = nested(*zeros, -mostOffset, mostOffset).reshape({-1});
        if (each.numel() != std::int64_t(grid.scale.size()))
            zeros->fail(QL_TEXT("must have as many scales as zero points, got %1 and %2")
                            .with(grid.scale.size(), each.numel()));
        for (std::int64_t i = 0; i < each.numel(); ++i)
            grid.zeroPoint[std::size_t(i)] = zeroPointOf(grid, *zeros, each.data_ptr<double>()[i]);
    }
    return grid;
}

StoredEncodings readAimet(const EncodingsRequest &, const api::JsonText &text)
{
    StoredEncodings stored;
    stored.omitsBiases = true;
    const JsonNode root(text);
    if (const auto list = root.find("encodings"))
        for (const JsonNode &encoding : list->elements())
            stored.tensors.push_back({.variable = encoding.at("name").string(), .grid = gridOf2(encoding)});
    for (const char *part : {"activation_encodings", "param_encodings"}) {
        const auto list = root.find(part);
        if (!list) continue;
        if (list->isObject()) {
            for (const auto &[name, channels] : list->members())
                if (auto grid = gridOf061(channels)) stored.tensors.push_back({.variable = name, .grid = *grid});
            continue;
        }
        for (const JsonNode &encoding : list->elements())
            if (auto grid = gridOf100(encoding))
                stored.tensors.push_back({.variable = encoding.at("name").string(), .grid = *grid});
    }
    return stored;
}

const EncodingsRegistrar aimetEncodingsReader{
    "aimet",
    {.info = {.id = "aimet",
              .title = QL_TEXT("AIMET encodings"),
              .meaning = QL_TEXT("Versions 0.6.1, 1.0 and 2.x, next to a float model.")},
     .platform = "QNN_DSP_INT8",
     .matches =
         [](const std::filesystem::path &, const api::JsonText *text) {
             return text && (JsonNode(*text).has("activation_encodings") || JsonNode(*text).has("encodings"));
         },
     .read = readAimet}};

} // namespace
} // namespace ql
