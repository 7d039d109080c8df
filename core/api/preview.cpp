#include "core/api/preview.h"

#include "core/api/problem_fields.h"

namespace ql::api {

template <class Codec>
void fields(Codec &codec, Same<Picture> auto &picture)
{
    codec.member("width", picture.width);
    codec.member("height", picture.height);
    codec.member("rgb", picture.rgb);
}

template <class Codec>
void fields(Codec &codec, Same<ChannelValues> auto &values)
{
    codec.member("mean", values.mean);
    codec.member("std", values.std);
    codec.member("min", values.min);
    codec.member("max", values.max);
    codec.member("counts", values.counts);
}

template <class Codec>
void fields(Codec &codec, Same<SampleValues> auto &values)
{
    codec.member("shape", values.shape);
    codec.member("type", values.type);
    codec.member("min", values.min);
    codec.member("max", values.max);
    codec.member("not_finite", values.notFinite);
    codec.member("channels", values.channels);
    codec.part("picture", values.picture);
}

template <class Codec>
void fields(Codec &codec, Same<PreviewStage> auto &stage)
{
    codec.member("step", stage.step);
    codec.part("values", stage.values);
    codec.text("error", stage.error);
    codec.text("remedy", stage.remedy);
}

template <class Codec>
void fields(Codec &codec, Same<PreviewInput> auto &input)
{
    codec.member("name", input.name);
    codec.member("type", input.type);
    codec.member("shape", input.shape);
}

template <class Codec>
void fields(Codec &codec, Same<Preview> auto &preview)
{
    codec.member("samples", preview.samples);
    codec.member("sample", preview.sample);
    codec.member("name", preview.name);
    codec.member("names", preview.names);
    codec.member("input", preview.input);
    codec.member("stages", preview.stages);
    codec.member("hash", preview.hash);
    codec.member("problems", preview.problems);
}

QL_JSON_PAIR(Preview, "the preview")

} // namespace ql::api
