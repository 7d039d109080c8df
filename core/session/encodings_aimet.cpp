// AIMET's encodings, versions 0.6.1 (an object of lists by tensor) and 1.0 (a list of objects), for QNN and SNPE.
// Codes are unsigned there: value = scale * (code + offset). A symmetric tensor of n bits has the offset -2^(n-1), or
// one more if the lowest code is not used ("strict").
#include "core/base/error.h"
#include "core/session/encodings.h"

namespace ql {

using api::JsonNode;

namespace {

constexpr int mostBits = 32;

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

void addChannel(StoredGrid &grid, const JsonNode &scale, const JsonNode &offset)
{
    constexpr double least = 1e-38;
    grid.scale.push_back(float(scale.number(least, 1e38)));
    const auto first = std::int64_t(offset.number(-4294967296.0, 4294967296.0));
    grid.zeroPoint.push_back(std::int32_t((grid.quantMin < 0 ? grid.quantMin : 0) - first));
}

/// 0.6.1: one object per channel.
std::optional<StoredGrid> gridOf061(const JsonNode &channels)
{
    StoredGrid grid;
    for (const JsonNode &channel : channels.elements()) {
        const auto type = channel.find("dtype");
        if (type && type->string() == "float") return std::nullopt;
        const JsonNode offset = channel.at("offset");
        if (grid.scale.empty())
            setCodes(grid, int(channel.at("bitwidth").integer(2, mostBits)), truth(channel.at("is_symmetric")),
                     std::int64_t(offset.number(-4294967296.0, 4294967296.0)));
        addChannel(grid, channel.at("scale"), offset);
    }
    if (grid.scale.empty()) channels.fail(QL_TEXT("must have an encoding per tensor or per channel"));
    return grid;
}

/// 1.0: lists of scales and offsets.
std::optional<StoredGrid> gridOf100(const JsonNode &encoding)
{
    if (encoding.at("dtype").string() == "FLOAT") return std::nullopt;
    const std::vector<JsonNode> scales = encoding.at("scale").elements(), offsets = encoding.at("offset").elements();
    if (scales.empty() || scales.size() != offsets.size())
        encoding.fail(
            QL_TEXT("must have as many scales as offsets, got %1 and %2").with(scales.size(), offsets.size()));
    const auto symmetric = encoding.find("is_sym");
    StoredGrid grid;
    setCodes(grid, int(encoding.at("bw").integer(2, mostBits)), symmetric && truth(*symmetric),
             std::int64_t(offsets[0].number(-4294967296.0, 4294967296.0)));
    for (std::size_t i = 0; i < scales.size(); ++i) addChannel(grid, scales[i], offsets[i]);
    return grid;
}

StoredEncodings readAimet(const EncodingsRequest &, const api::JsonText &text)
{
    StoredEncodings stored;
    stored.omitsBiases = true;
    const JsonNode root(text);
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
              .meaning = QL_TEXT("Versions 0.6.1 and 1.0, next to a float model.")},
     .platform = "QNN_DSP_INT8",
     .matches = [](const std::filesystem::path &,
                   const api::JsonText *text) { return text && JsonNode(*text).has("activation_encodings"); },
     .read = readAimet}};

} // namespace
} // namespace ql
