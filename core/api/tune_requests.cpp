#include "core/api/tune_requests.h"

#include "core/api/recipe_fields.h"

namespace ql::api {

template <class Codec>
void fields(Codec &codec, Same<TuneRequest> auto &request)
{
    codec.member("recipe", request.recipe);
    codec.member("base", request.base);
    codec.member("goals", request.goals);
    codec.member("locks", request.locks);
    codec.member("seconds", request.seconds);
    codec.member("trials", request.trials);
    codec.member("resume", request.resume);
    codec.member("metric", request.metric);
    codec.member("allow_commands", request.allowCommands);
}

template <class Codec>
void fields(Codec &codec, Same<TuneStep> auto &step)
{
    codec.member("trial", step.trial);
    codec.member("recipe", step.recipe);
    codec.member("front", step.front);
}

QL_JSON_PAIR(TuneRequest, "the request")
QL_JSON_PAIR(TuneStep, "the part of the search")

} // namespace ql::api
