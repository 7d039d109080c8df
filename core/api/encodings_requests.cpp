#include "core/api/encodings_requests.h"

#include "core/api/problem_fields.h"
#include "core/api/recipe_fields.h"

namespace ql::api {

template <class Codec>
void fields(Codec &codec, Same<EncodingsImportRequest> auto &request)
{
    codec.member("recipe", request.recipe);
    codec.member("base", request.base);
    codec.member("file", request.file);
    codec.member("platform", request.platform);
}

template <class Codec>
void fields(Codec &codec, Same<EncodingsImported> auto &answer)
{
    codec.member("recipe", answer.recipe);
    codec.member("tensors", answer.tensors);
    codec.member("matched", answer.matched);
    codec.member("problems", answer.problems);
}

QL_JSON_PAIR(EncodingsImportRequest, "the request")
QL_JSON_PAIR(EncodingsImported, "the answer")

} // namespace ql::api
