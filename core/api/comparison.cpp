#include "core/api/comparison.h"

#include "core/api/fields.h"

namespace ql::api {

template <class Codec>
void fields(Codec &codec, Same<ChangedField> auto &field)
{
    codec.member("path", field.path);
    codec.part("before", field.before);
    codec.part("after", field.after);
}

template <class Codec>
void fields(Codec &codec, Same<ComparedMetric> auto &metric)
{
    codec.member("name", metric.name);
    codec.member("fp32", metric.fp32);
    codec.member("quantized", metric.quantized);
}

template <class Codec>
void fields(Codec &codec, Same<ComparedMeasures> auto &measures)
{
    codec.member("noise_ratio", measures.noiseRatio);
    codec.member("sqnr_db", measures.sqnrDb);
    codec.member("cosine", measures.cosine);
    codec.part("metric", measures.metric);
}

template <class Codec>
void fields(Codec &codec, Same<ComparedRow> auto &row)
{
    codec.member("op", row.op);
    codec.member("type", row.type);
    codec.member("variable", row.variable);
    codec.member("ratio", row.ratio);
    codec.member("only_in", row.onlyIn);
    codec.member("a", row.a);
    codec.member("b", row.b);
}

template <class Codec>
void fields(Codec &codec, Same<Comparison> auto &comparison)
{
    codec.constant("schema", "quantloupe-comparison/1");
    codec.member("context", comparison.context);
    codec.member("recipe", comparison.recipe);
    codec.member("outputs", comparison.outputs);
    codec.member("graphwise", comparison.graphwise);
    codec.member("layerwise", comparison.layerwise);
}

QL_JSON_PAIR(Comparison, "the comparison")

} // namespace ql::api
