#include "core/api/quant_words.h"

#include "core/api/word_json.h"
#include "core/base/strings.h"

namespace ql::api {

static const std::vector<std::string> stateWords = {"initial", "active", "passive", "overlapped", "baked", "fp32"};
static const std::vector<std::string> visibilityWords = {"when_active", "always", "internal"};
static const std::vector<std::string> percentileOverWords = {"samples", "batches"};

const std::vector<std::string> &slotRoleWords()
{
    static const std::vector<std::string> words = {"input", "activation", "parameter", "weight", "bias", "output"};
    return words;
}

const char *toString(SlotRole role)
{
    return slotRoleWords()[std::size_t(role)].c_str();
}

SlotRole slotRoleFromString(const std::string &text)
{
    return SlotRole(wordIndex(slotRoleWords(), text, "role"));
}

QL_JSON_OF_WORDS(SlotRole, slotRoleFromString)

const std::vector<std::string> &roundingWords()
{
    static const std::vector<std::string> words = {
        "half_even", "half_up", "half_down", "half_towards_zero", "half_away_from_zero", "to_near_int", "up", "down"};
    return words;
}

const char *toString(Rounding rounding)
{
    return roundingWords()[std::size_t(rounding)].c_str();
}

Rounding roundingFromString(const std::string &text)
{
    return Rounding(wordIndex(roundingWords(), text, "rounding"));
}

QL_JSON_OF_WORDS(Rounding, roundingFromString)

const std::vector<std::string> &configFieldWords()
{
    static const std::vector<std::string> words = {"bits",         "exponent_bits", "range",   "symmetric",
                                                   "power_of_two", "channel_axis",  "dynamic", "rounding",
                                                   "observer",     "state",         "scale",   "visibility"};
    return words;
}

const char *toString(ConfigField field)
{
    return configFieldWords()[std::size_t(field)].c_str();
}

ConfigField configFieldFromString(const std::string &text)
{
    return ConfigField(wordIndex(configFieldWords(), text, "field"));
}

const char *toString(QuantState state)
{
    return stateWords[std::size_t(state)].c_str();
}

QuantState quantStateFromString(const std::string &text)
{
    return QuantState(wordIndex(stateWords, text, "state"));
}

QL_JSON_OF_WORDS(QuantState, quantStateFromString)

const char *toString(Visibility visibility)
{
    return visibilityWords[std::size_t(visibility)].c_str();
}

Visibility visibilityFromString(const std::string &text)
{
    return Visibility(wordIndex(visibilityWords, text, "visibility"));
}

const char *toString(PercentileOver over)
{
    return percentileOverWords[std::size_t(over)].c_str();
}

PercentileOver percentileOverFromString(const std::string &text)
{
    return PercentileOver(wordIndex(percentileOverWords, text, "percentile_over"));
}

QL_JSON_OF_WORDS(PercentileOver, percentileOverFromString)

const std::vector<std::string> &scaleFormatWords()
{
    static const std::vector<std::string> words = {"float32", "e8m0", "e4m3"};
    return words;
}

const char *toString(ScaleFormat format)
{
    return scaleFormatWords()[std::size_t(format)].c_str();
}

ScaleFormat scaleFormatFromString(const std::string &text)
{
    return ScaleFormat(wordIndex(scaleFormatWords(), text, "scale_format"));
}

QL_JSON_OF_WORDS(ScaleFormat, scaleFormatFromString)

const std::vector<std::string> &codebookWords()
{
    static const std::vector<std::string> words = {"none", "nf4"};
    return words;
}

const char *toString(Codebook codebook)
{
    return codebookWords()[std::size_t(codebook)].c_str();
}

Codebook codebookFromString(const std::string &text)
{
    return Codebook(wordIndex(codebookWords(), text, "codebook"));
}

QL_JSON_OF_WORDS(Codebook, codebookFromString)

} // namespace ql::api
