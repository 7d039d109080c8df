#include "core/api/report.h"

#include "core/api/fields.h"

namespace ql::api {

template <class Codec>
void fields(Codec &codec, Same<SlotName> auto &slot)
{
    codec.member("op", slot.op);
    codec.member("role", slot.role);
    codec.member("index", slot.index);
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
    codec.member("rounding", scheme.rounding);
    codec.member("observer", scheme.observer);
    codec.member("percentile", scheme.percentile);
    codec.member("percentile_over", scheme.percentileOver);
    codec.member("min_scale", scheme.minScale);
    codec.member("histogram_bins", scheme.histogramBins);
    codec.member("isotone_axis", scheme.isotoneAxis);
    codec.member("visibility", scheme.visibility);
    codec.member("scale", scheme.scale);
    codec.member("zero_point", scheme.zeroPoint);
    codec.member("set_by", scheme.setBy);
}

template <class Codec>
static void slotFields(Codec &codec, auto &row)
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
static void measureFields(Codec &codec, auto &row)
{
    codec.optional("op", row.op); // a graph output that nothing computes has none
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
}

template <class Codec>
void fields(Codec &codec, Same<Metric> auto &metric)
{
    codec.member("name", metric.name);
    codec.member("fp32", metric.fp32);
    codec.member("quantized", metric.quantized);
    codec.member("samples", metric.samples);
}

template <class Codec>
void fields(Codec &codec, Same<OutputRow> auto &row)
{
    measureFields(codec, row);
    codec.optional("metric", row.metric);
    codec.optional("equal_share", row.equalShare);
}

template <class Codec>
static void channelFields(Codec &codec, auto &channels)
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

QL_JSON_PAIR(ConfigRow, "a row of configs")
QL_JSON_PAIR(ShortConfigRow, "a row of configs")
QL_JSON_PAIR(QuantScheme, "a scheme")
QL_JSON_PAIR(ErrorRow, "a row of errors")
QL_JSON_PAIR(OutputRow, "a row of outputs")
QL_JSON_PAIR(ChannelRanges, "channels")
QL_JSON_PAIR(WeightRow, "a row of parameters")
QL_JSON_PAIR(Ranges, "ranges")

} // namespace ql::api
