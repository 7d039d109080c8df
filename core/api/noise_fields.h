#pragma once

#include "core/api/noise.h"
#include "core/api/report_fields.h"

namespace ql::api {

template <class Codec>
void fields(Codec &codec, Same<NoisePart> auto &part)
{
    codec.member("op", part.op);
    codec.member("noise_ratio", part.noiseRatio);
}

template <class Codec>
void fields(Codec &codec, Same<NoiseRow> auto &row)
{
    fields(codec, row.slot);
    codec.member("variable", row.variable);
    codec.member("noise_ratio", row.noiseRatio);
    codec.member("estimated", row.isEstimated);
    codec.list("operations", row.parts);
}

template <class Codec>
void fields(Codec &codec, Same<NoiseEdge> auto &edge)
{
    codec.member("from", edge.from);
    codec.member("variable", edge.variable);
    codec.member("noise_ratio", edge.noiseRatio);
}

template <class Codec>
void fields(Codec &codec, Same<NoiseOrigin> auto &row)
{
    codec.member("op", row.op);
    codec.member("type", row.type);
    codec.member("variable", row.variable);
    codec.member("noise_ratio", row.noiseRatio);
    codec.member("added", row.added);
    codec.member("inputs", row.inputs);
    codec.member("samples", row.samples);
}

template <class Codec>
void fields(Codec &codec, Same<Confidence> auto &row)
{
    codec.member("variable", row.variable);
    codec.member("sqnr_low", row.sqnrLow);
    codec.member("sqnr_high", row.sqnrHigh);
    codec.member("worst_db", row.worstDb);
    codec.member("worst_sample", row.worstSample);
    codec.member("metric_low", row.metricLow);
    codec.member("metric_high", row.metricHigh);
    codec.member("activations_db", row.activationsDb);
    codec.member("weights_db", row.weightsDb);
    codec.member("biases_db", row.biasesDb);
}

template <class Codec>
void fields(Codec &codec, Same<NoisySample> auto &sample)
{
    codec.member("name", sample.name);
    codec.member("index", sample.index);
    codec.member("noise_ratio", sample.noiseRatio);
    codec.member("image", sample.image);
}

template <class Codec>
void fields(Codec &codec, Same<Explanation> auto &explanation)
{
    codec.member("samples", explanation.samples);
    codec.member("operations", explanation.operations);
    codec.member("outputs", explanation.outputs);
    codec.member("worst", explanation.worst);
}

} // namespace ql::api
