#include "core/session/cache_entries.h"

#include "core/api/run_report_fields.h"

namespace ql {

using api::JsonPlace;
using api::readValue;
using api::Same;
using api::writtenValue;

template <class Codec>
void fields(Codec &codec, Same<KeptAnalysis> auto &entry)
{
    codec.member("result", entry.result);
    codec.member("problems", entry.problems);
}

template <class Codec>
void fields(Codec &codec, Same<KeptPass> auto &entry)
{
    codec.member("plan", entry.plan);
    codec.member("pass", entry.pass);
    codec.member("problems", entry.problems);
}

template <class Codec>
void fields(Codec &codec, Same<TrainingResult> auto &result)
{
    codec.member("changed", result.changed);
    codec.member("held_out", result.heldOut);
    codec.member("blocks", result.blocks);
    codec.member("undone", result.undone);
    codec.member("before", result.before);
    codec.member("after", result.after);
}

template <class Codec>
void fields(Codec &codec, Same<KeptTraining> auto &entry)
{
    codec.member("next", entry.next);
    codec.member("plan", entry.plan);
    codec.member("best", entry.best);
    codec.member("result", entry.result);
    codec.member("of_best", entry.ofBest);
    codec.member("problems", entry.problems);
}

template <class Codec>
void fields(Codec &codec, Same<KeptValues> auto &entry)
{
    codec.member("examined", entry.examined);
    codec.member("problems", entry.problems);
}

QL_JSON_PAIR(KeptAnalysis, "an entry of the cache")
QL_JSON_PAIR(KeptPass, "an entry of the cache")
QL_JSON_PAIR(TrainingResult, "an entry of the cache")
QL_JSON_PAIR(KeptTraining, "an entry of the cache")
QL_JSON_PAIR(KeptValues, "an entry of the cache")

} // namespace ql
