// PPQ's config JSON next to a float model: "configs" by operation and tensor, each with the number ("hash") of the
// config whose scale it uses ("dominator"), and the "values" of scales by these numbers.
#include "core/base/error.h"
#include "core/session/encodings.h"

#include <algorithm>

namespace ql {

using api::JsonNode;

namespace {

constexpr std::int64_t anyNumber = INT64_MAX;

/// One number, or one per channel.
std::vector<double> numbers(const JsonNode &node)
{
    constexpr double most = 1e38;
    if (node.value().is_number()) return {node.number(-most, most)};
    std::vector<double> values;
    for (const JsonNode &element : node.elements()) values.push_back(element.number(-most, most));
    return values;
}

bool roundsInState(const std::string &state)
{
    static const std::vector<std::string> states = {"ACTIVATED", "PASSIVE", "BAKED", "PASSIVE_BAKED"};
    return std::find(states.begin(), states.end(), state) != states.end();
}

std::optional<StoredGrid> gridOfConfig(const JsonNode &config, const JsonNode &values)
{
    if (!roundsInState(config.at("state").string())) return std::nullopt;
    StoredGrid grid;
    grid.bits = int(config.at("bit_width").integer(2, 32));
    grid.quantMin = config.at("quant_min").integer(INT32_MIN, INT32_MAX);
    grid.quantMax = config.at("quant_max").integer(grid.quantMin + 1, std::int64_t(1) << 32);
    const JsonNode policy = config.at("policy");
    const auto isFloating = policy.find("FLOATING");
    if (isFloating && isFloating->boolean())
        isFloating->fail(QL_TEXT("floating-point formats cannot be imported"),
                         QL_TEXT("Import the integer tensors only, or quantize the model again."));
    const auto isDynamic = policy.find("DYNAMIC");
    grid.dynamic = isDynamic && isDynamic->boolean();
    if (grid.dynamic) return grid;
    const JsonNode value = values.at(std::to_string(config.at("dominator").integer(-anyNumber, anyNumber)));
    for (const double scale : numbers(value.at("scale"))) {
        if (!(float(scale) > 0)) value.at("scale").fail(QL_TEXT("must be positive"));
        grid.scale.push_back(float(scale));
    }
    for (const double zero : numbers(value.at("zero_point"))) grid.zeroPoint.push_back(std::int32_t(zero));
    if (grid.scale.empty() || grid.scale.size() != grid.zeroPoint.size())
        value.fail(QL_TEXT("must have as many scales as zero points, got %1 and %2")
                       .with(grid.scale.size(), grid.zeroPoint.size()));
    return grid;
}

StoredEncodings readPpqConfig(const EncodingsRequest &, const api::JsonText &text)
{
    StoredEncodings stored;
    const JsonNode root(text);
    const JsonNode values = root.at("values");
    for (const auto &[op, configs] : root.at("configs").members())
        for (const auto &[tensor, config] : configs.members())
            if (auto grid = gridOfConfig(config, values))
                stored.tensors.push_back({.variable = tensor, .op = op, .grid = *grid});
    return stored;
}

const EncodingsRegistrar ppqConfigReader{
    "ppq_json",
    {.info = {.id = "ppq_json",
              .title = QL_TEXT("PPQ configuration"),
              .meaning = QL_TEXT("PPQ's JSON of every config and scale, next to a float model.")},
     .platform = "PPL_CUDA_INT8",
     .matches =
         [](const std::filesystem::path &, const api::JsonText *text) {
             return text && JsonNode(*text).has("configs") && JsonNode(*text).has("dispatchings");
         },
     .read = readPpqConfig}};

} // namespace
} // namespace ql
