#pragma once

#include "core/api/distribution.h"
#include "core/api/report_fields.h"

namespace ql::api {

template <class Codec>
void fields(Codec &codec, Same<Histogram> auto &histogram)
{
    codec.member("min", histogram.min);
    codec.member("max", histogram.max);
    codec.member("counts", histogram.counts);
}

template <class Codec>
void fields(Codec &codec, Same<Levels> auto &levels)
{
    codec.member("values", levels.values);
    codec.member("counts", levels.counts);
}

template <class Codec>
void fields(Codec &codec, Same<Distribution> auto &distribution)
{
    codec.member("mean", distribution.mean);
    codec.member("std", distribution.std);
    codec.member("skewness", distribution.skewness);
    codec.member("kurtosis", distribution.kurtosis);
    codec.member("min", distribution.min);
    codec.member("max", distribution.max);
    codec.member("histogram", distribution.histogram);
    codec.part("zeros", distribution.zeros);
    codec.part("levels", distribution.levels);
}

template <class Codec>
void fields(Codec &codec, Same<DistributionRow> auto &row)
{
    codec.member("op", row.op);
    codec.member("type", row.type);
    codec.member("variable", row.variable);
    codec.member("role", row.role);
    codec.member("index", row.index);
    codec.member("float", row.original);
    codec.member("quantized", row.quantized);
    codec.member("noise", row.noise);
    codec.member("noise_ratio", row.noiseRatio);
    codec.part("samples", row.samples);
    codec.part("channels", row.channels);
}

template <class Codec>
void fields(Codec &codec, Same<ValuePairs> auto &pairs)
{
    codec.member("float", pairs.original);
    codec.member("quantized", pairs.quantized);
}

template <class Codec>
void fields(Codec &codec, Same<ChannelSpread> auto &spread)
{
    codec.member("axis", spread.axis);
    codec.member("min", spread.min);
    codec.member("q1", spread.q1);
    codec.member("median", spread.median);
    codec.member("q3", spread.q3);
    codec.member("max", spread.max);
}

template <class Codec>
void fields(Codec &codec, Same<DetailRow> auto &row)
{
    codec.member("op", row.op);
    codec.member("variable", row.variable);
    codec.member("role", row.role);
    codec.member("index", row.index);
    codec.member("pairs", row.pairs);
    codec.part("channels", row.channels);
}

} // namespace ql::api
