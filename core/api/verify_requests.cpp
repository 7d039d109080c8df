#include "core/api/verify_requests.h"

#include "core/api/recipe_fields.h"

namespace ql::api {

template <class Codec>
void fields(Codec &codec, Same<RuntimesRequest> auto &request)
{
    codec.member("python", request.python);
}

template <class Codec>
void fields(Codec &codec, Same<RuntimeInstallRequest> auto &request)
{
    codec.member("id", request.id);
}

template <class Codec>
void fields(Codec &codec, Same<VerifyRequest> auto &request)
{
    codec.member("recipe", request.recipe);
    codec.member("base", request.base);
    codec.member("file", request.file);
    codec.member("runtime", request.runtime);
    codec.member("options", request.options);
    codec.member("python", request.python);
    codec.member("command", request.command);
    codec.member("allow_commands", request.allowCommands);
    codec.member("intermediate", request.intermediate);
}

QL_JSON_PAIR(RuntimesRequest, "the request")
QL_JSON_PAIR(RuntimeInstallRequest, "the request")
QL_JSON_PAIR(VerifyRequest, "the request")

} // namespace ql::api
