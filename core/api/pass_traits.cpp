#include "core/api/pass_traits.h"

#include "core/base/error.h"

#include <algorithm>
#include <array>

namespace ql::api {

using nlohmann::json;

static constexpr std::array kinds{PassKind::Format, PassKind::Float, PassKind::Quant};
static constexpr std::array aspects{
    PassAspect::ComputedWeights, PassAspect::ChannelRanges, PassAspect::ParameterScales, PassAspect::ActivationScales,
    PassAspect::SharedScales,    PassAspect::DerivedScales, PassAspect::BiasValues,      PassAspect::RoundedBiases};

const char *toString(PassKind kind)
{
    switch (kind) {
    case PassKind::Format: return "format";
    case PassKind::Float: return "float";
    case PassKind::Quant: return "quant";
    }
    return "";
}

const char *toString(PassAspect aspect)
{
    switch (aspect) {
    case PassAspect::ComputedWeights: return "computed_weights";
    case PassAspect::ChannelRanges: return "channel_ranges";
    case PassAspect::ParameterScales: return "parameter_scales";
    case PassAspect::ActivationScales: return "activation_scales";
    case PassAspect::SharedScales: return "shared_scales";
    case PassAspect::DerivedScales: return "derived_scales";
    case PassAspect::BiasValues: return "bias_values";
    case PassAspect::RoundedBiases: return "rounded_biases";
    }
    return "";
}

bool PassTraits::doesWrite(PassAspect aspect) const
{
    return std::find(writes.begin(), writes.end(), aspect) != writes.end();
}

bool PassTraits::startsRounding() const
{
    return doesWrite(PassAspect::ParameterScales) || doesWrite(PassAspect::ActivationScales);
}

std::string passThatWrites(PassAspect aspect, const PassCatalogue &passes)
{
    const auto it =
        std::find_if(passes.begin(), passes.end(), [&](const auto &pass) { return pass.second.doesWrite(aspect); });
    return it == passes.end() ? std::string() : it->first;
}

static json words(const std::vector<PassAspect> &list)
{
    json out = json::array();
    for (const PassAspect aspect : list) out.push_back(toString(aspect));
    return out;
}

json toJson(const PassTraits &traits)
{
    return {{"kind", toString(traits.kind)},  {"needs_data", traits.needsData},     {"needs", words(traits.needs)},
            {"writes", words(traits.writes)}, {"finishes", words(traits.finishes)}, {"joins", words(traits.joins)}};
}

template <class Enum, std::size_t n>
static Enum fromWord(const json &word, const std::array<Enum, n> &known)
{
    const auto it = std::find_if(known.begin(), known.end(), [&](Enum value) { return word == toString(value); });
    if (it == known.end())
        throw Error(ErrorKind::BadConfig, QL_TEXT("unknown word %1 in a pass's description").with(word.dump()));
    return *it;
}

PassTraits passTraitsFromJson(const json &entry)
{
    const auto member = [&](const char *key) -> const json & {
        const auto it = entry.is_object() ? entry.find(key) : entry.end();
        if (it == entry.end()) throw Error(ErrorKind::BadConfig, QL_TEXT("a pass's description has no '%1'").with(key));
        return *it;
    };
    const auto list = [&](const char *key) {
        std::vector<PassAspect> out;
        for (const json &word : member(key)) out.push_back(fromWord(word, aspects));
        return out;
    };
    return {.kind = fromWord(member("kind"), kinds),
            .needsData = member("needs_data") == json(true),
            .needs = list("needs"),
            .writes = list("writes"),
            .finishes = list("finishes"),
            .joins = list("joins")};
}

PassCatalogue passCatalogueFromJson(const json &passes)
{
    PassCatalogue out;
    for (const json &entry : passes) out.emplace(entry.at("id").get<std::string>(), passTraitsFromJson(entry));
    return out;
}

} // namespace ql::api
