#include "core/api/pass_traits.h"

#include "core/api/word_json.h"
#include "core/base/strings.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace ql::api {

using nlohmann::json;

static constexpr std::array kinds{PassKind::Format, PassKind::Float, PassKind::Quant};
static constexpr std::array aspects{
    PassAspect::ComputedWeights,  PassAspect::ChannelRanges, PassAspect::ParameterScales,
    PassAspect::ActivationScales, PassAspect::SharedScales,  PassAspect::DerivedScales,
    PassAspect::BiasValues,       PassAspect::TrainedValues, PassAspect::RoundedBiases};

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
    case PassAspect::TrainedValues: return "trained_values";
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

template <class Enum, std::size_t n>
static Enum fromWord(const std::string &word, const std::array<Enum, n> &known, const char *what)
{
    std::vector<std::string> words;
    for (const Enum value : known) words.push_back(toString(value));
    return known[wordIndex(words, word, what)];
}

static PassKind passKindFromString(const std::string &text)
{
    return fromWord(text, kinds, "kind of pass");
}

static PassAspect passAspectFromString(const std::string &text)
{
    return fromWord(text, aspects, "aspect of a pass");
}

QL_JSON_OF_WORDS(PassKind, passKindFromString)
QL_JSON_OF_WORDS(PassAspect, passAspectFromString)

} // namespace ql::api
