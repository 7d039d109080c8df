#pragma once

#include "core/api/fields.h"
#include "core/api/report.h"

namespace ql::api {

template <class Codec>
void fields(Codec &codec, Same<SlotName> auto &slot)
{
    codec.member("op", slot.op);
    codec.member("role", slot.role);
    codec.member("index", slot.index);
}

/// An origin with the fields of a config that it set.
struct FieldsOrigin
{
    Origin origin;
    std::vector<std::string> names;

    friend bool operator==(const FieldsOrigin &, const FieldsOrigin &) = default;
};

template <class Codec>
void fields(Codec &codec, Same<Origin> auto &origin)
{
    std::string kind = toString(origin.kind);
    codec.member("kind", kind);
    if constexpr (std::same_as<Codec, FieldReader>) origin.kind = originKindFromString(kind);
    codec.optional("id", origin.id);
    codec.optional("index", origin.index, -1);
    codec.optional("name", origin.name);
}

template <class Codec>
void fields(Codec &codec, Same<FieldsOrigin> auto &entry)
{
    fields(codec, entry.origin);
    codec.member("fields", entry.names);
}

/// "set_by" names the setter of each field in English, for readers of reports; "origins" has the same as data.
inline void setByFields(FieldWriter &codec, const std::map<std::string, Origin> &setBy)
{
    std::map<std::string, std::string> words;
    for (const auto &[field, origin] : setBy) words[field] = origin.text().english();
    codec.member("set_by", words);
    codec.optional("origins", originsToJson(setBy), nlohmann::json::array());
}

/// Reports of early versions have no origins. @throws Error (BadData) for an unknown field, and for fields of "set_by"
/// that are not those of "origins"
void setByFields(FieldReader &codec, std::map<std::string, Origin> &setBy);

/// In reports, visibility is the number of its word.
inline void visibilityField(FieldWriter &codec, Visibility visibility)
{
    codec.member("visibility", int(visibility));
}

inline void visibilityField(FieldReader &codec, Visibility &visibility)
{
    int number = 0;
    codec.member("visibility", number);
    constexpr int last = int(Visibility::Internal);
    if (number < 0 || number > last)
        codec.fail("visibility", QL_TEXT("must be from %1 to %2, got %3").with(0, last, number));
    visibility = Visibility(number);
}

template <class Codec>
void fields(Codec &codec, Same<QuantScheme> auto &scheme)
{
    codec.member("state", scheme.state);
    codec.member("bits", scheme.bits);
    codec.member("exponent_bits", scheme.exponentBits);
    codec.member("quant_min", scheme.quantMin);
    codec.member("quant_max", scheme.quantMax);
    codec.member("symmetric", scheme.symmetric);
    codec.member("power_of_two", scheme.powerOfTwo);
    codec.member("dynamic", scheme.dynamic);
    codec.member("channel_axis", scheme.channelAxis);
    codec.optional("group_size", scheme.groupSize, 0);
    codec.optional("scale_format", scheme.scaleFormat);
    codec.optional("codebook", scheme.codebook);
    codec.member("rounding", scheme.rounding);
    codec.member("observer", scheme.observer);
    codec.member("percentile", scheme.percentile);
    codec.member("percentile_over", scheme.percentileOver);
    codec.member("min_scale", scheme.minScale);
    codec.member("histogram_bins", scheme.histogramBins);
    codec.member("isotone_axis", scheme.isotoneAxis);
    visibilityField(codec, scheme.visibility);
    codec.member("scale", scheme.scale);
    codec.member("zero_point", scheme.zeroPoint);
    setByFields(codec, scheme.setBy);
}

template <class Codec>
void slotFields(Codec &codec, auto &row)
{
    fields(codec, row.slot);
    codec.member("variable", row.variable);
    codec.optional("quantizable", row.quantizable, true);
    codec.optional("output_channel_axis", row.outputChannelAxis);
    codec.member("root", row.root);
}

template <class Codec>
void fields(Codec &codec, Same<ConfigRow> auto &row)
{
    slotFields(codec, row);
    fields(codec, row.scheme);
}

template <class Codec>
void fields(Codec &codec, Same<ShortConfigRow> auto &row)
{
    slotFields(codec, row);
    codec.member("scheme", row.scheme);
}

template <class Codec>
void measureFields(Codec &codec, auto &row)
{
    codec.optional("op", row.op); // a graph output without producer has none
    codec.optional("type", row.type);
    codec.optional("variable", row.variable);
    codec.member("noise_ratio", row.noiseRatio);
    codec.member("sqnr_db", row.sqnrDb);
    codec.member("cosine", row.cosine);
    codec.member("mse", row.mse);
    codec.member("max_abs", row.maxAbs);
    codec.member("samples", row.samples);
    codec.member("elements", row.elements);
}

template <class Codec>
void fields(Codec &codec, Same<ErrorRow> auto &row)
{
    measureFields(codec, row);
    codec.optional("output", row.output);
    codec.optional("estimated", row.isEstimated);
}

template <class Codec>
void fields(Codec &codec, Same<Metric> auto &metric)
{
    codec.member("name", metric.name);
    codec.member("fp32", metric.fp32);
    codec.member("quantized", metric.quantized);
    codec.member("samples", metric.samples);
    codec.optional("loss", metric.isLoss);
    codec.optional("uncertainty", metric.uncertainty);
}

template <class Codec>
void fields(Codec &codec, Same<OutputRow> auto &row)
{
    measureFields(codec, row);
    codec.optional("metric", row.metric);
    codec.optional("equal_share", row.equalShare);
}

template <class Codec>
void channelFields(Codec &codec, auto &channels)
{
    codec.member("axis", channels.axis);
    codec.member("min", channels.min);
    codec.member("max", channels.max);
}

template <class Codec>
void fields(Codec &codec, Same<ChannelRanges> auto &channels)
{
    channelFields(codec, channels);
}

template <class Codec>
void fields(Codec &codec, Same<FeatureRanges> auto &channels)
{
    channelFields(codec, channels);
    codec.member("learned", channels.learned);
}

template <class Codec>
void fields(Codec &codec, Same<WeightRow> auto &row)
{
    codec.member("op", row.op);
    codec.member("variable", row.variable);
    codec.member("channels", row.channels);
}

template <class Codec>
void fields(Codec &codec, Same<RangeRow> auto &row)
{
    codec.member("op", row.op);
    codec.member("variable", row.variable);
    codec.member("role", row.role);
    codec.member("min", row.min);
    codec.member("max", row.max);
    codec.member("elements", row.elements);
    codec.member("not_finite", row.notFinite);
    codec.member("clipped", row.clipped);
    codec.member("samples", row.samples);
    codec.optional("clip", row.clip);
    codec.optional("channels", row.channels);
}

template <class Codec>
void fields(Codec &codec, Same<OperandRow> auto &row)
{
    codec.member("variable", row.variable);
    codec.member("min", row.min);
    codec.member("max", row.max);
}

template <class Codec>
void fields(Codec &codec, Same<JoinRow> auto &row)
{
    codec.member("op", row.op);
    codec.member("type", row.type);
    codec.member("inputs", row.inputs);
    codec.member("one_scale", row.oneScale);
}

template <class Codec>
void fields(Codec &codec, Same<Ranges> auto &ranges)
{
    codec.member("tensors", ranges.tensors);
    codec.member("joins", ranges.joins);
}

} // namespace ql::api
