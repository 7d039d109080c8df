#include "core/api/plugins.h"

#include "core/api/fields.h"
#include "core/api/problem_fields.h"

namespace ql::api {

template <class Codec>
void fields(Codec &codec, Same<PluginItem::Registration> auto &registration)
{
    codec.member("kind", registration.kind);
    codec.member("id", registration.id);
}

template <class Codec>
void fields(Codec &codec, Same<PluginItem> auto &item)
{
    codec.member("file", item.file);
    codec.member("name", item.name);
    codec.member("version", item.version);
    codec.member("meaning", item.meaning);
    codec.member("registers", item.registrations);
}

template <class Codec>
void fields(Codec &, Same<PluginsRequest> auto &)
{}

template <class Codec>
void fields(Codec &codec, Same<PluginList> auto &list)
{
    codec.member("plugins", list.plugins);
    codec.member("problems", list.problems);
}

template <class Codec>
void fields(Codec &codec, Same<ProgramItem> auto &item)
{
    codec.member("file", item.file);
    codec.text("what", item.what);
    codec.member("key", item.key);
    codec.member("allowed", item.allowed);
}

template <class Codec>
void fields(Codec &codec, Same<ProgramsRequest> auto &request)
{
    codec.member("recipe", request.recipe);
    codec.member("base", request.base);
}

template <class Codec>
void fields(Codec &codec, Same<ProgramList> auto &list)
{
    codec.member("programs", list.programs);
}

template <class Codec>
void fields(Codec &codec, Same<AllowRequest> auto &request)
{
    codec.member("file", request.file);
    codec.member("key", request.key);
}

template <class Codec>
void fields(Codec &codec, Same<Allowed> auto &answer)
{
    codec.member("file", answer.file);
}

QL_JSON_PAIR(PluginItem, "plug-in")
QL_JSON_PAIR(PluginsRequest, "request")
QL_JSON_PAIR(PluginList, "plug-ins")
QL_JSON_PAIR(ProgramsRequest, "request")
QL_JSON_PAIR(ProgramList, "programs")
QL_JSON_PAIR(AllowRequest, "request")
QL_JSON_PAIR(Allowed, "answer")

} // namespace ql::api
