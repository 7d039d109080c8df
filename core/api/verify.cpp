#include "core/api/verify.h"

#include "core/api/catalogue.h"
#include "core/api/fields.h"

namespace ql::api {

template <class Codec>
void fields(Codec &codec, Same<RuntimeItem> auto &item)
{
    codec.member("id", item.id);
    codec.text("title", item.title);
    codec.text("meaning", item.meaning);
    codec.member("params", item.params);
    codec.member("formats", item.extensions);
    codec.list("packages", item.packages);
    codec.member("found", item.found);
    codec.optional("version", item.version);
    codec.optional("place", item.place);
    codec.optional("facts", item.facts);
    codec.optionalText("missing", item.missing);
}

template <class Codec>
void fields(Codec &codec, Same<RuntimeList> auto &list)
{
    codec.member("runtimes", list.runtimes);
}

template <class Codec>
void fields(Codec &codec, Same<UserCommand> auto &command)
{
    codec.member("command", command.command);
}

template <class Codec>
void fields(Codec &codec, Same<RuntimeJob> auto &job)
{
    codec.member("runtime", job.runtime);
    codec.member("model", job.model);
    codec.member("feeds", job.feeds);
    codec.member("results", job.results);
    codec.member("reply", job.reply);
    codec.member("outputs", job.outputs);
    codec.member("batches", job.batches);
    codec.member("options", job.options);
}

template <class Codec>
void fields(Codec &codec, Same<RuntimeReply> auto &reply)
{
    codec.member("version", reply.version);
    codec.member("facts", reply.facts);
    codec.member("outputs", reply.outputs);
}

template <class Codec>
void fields(Codec &codec, Same<RuntimeUsed> auto &runtime)
{
    codec.member("id", runtime.id);
    codec.member("version", runtime.version);
    codec.member("options", runtime.options);
    codec.member("facts", runtime.facts);
}

template <class Codec>
void fields(Codec &codec, Same<LocalAgreement> auto &local)
{
    codec.member("differing", local.differing);
    codec.member("ties", local.ties);
    codec.member("worst_steps", local.worstSteps);
}

template <class Codec>
void fields(Codec &codec, Same<TensorAgreement> auto &tensor)
{
    codec.member("name", tensor.name);
    codec.optional("op", tensor.op);
    codec.member("elements", tensor.elements);
    codec.member("equal", tensor.equal);
    codec.member("within_one_step", tensor.withinOneStep);
    codec.member("sqnr_db_runtime_simulator", tensor.sqnrRuntimeSimulator);
    codec.member("sqnr_db_runtime_float", tensor.sqnrRuntimeFloat);
    codec.member("sqnr_db_simulator_float", tensor.sqnrSimulatorFloat);
    codec.member("worst_steps", tensor.worstSteps);
    codec.part("step", tensor.step);
    codec.part("tolerance", tensor.tolerance);
    codec.part("local", tensor.local);
}

template <class Codec>
void fields(Codec &codec, Same<FirstDivergence> auto &divergence)
{
    codec.member("op", divergence.op);
    codec.member("tensor", divergence.tensor);
    codec.member("cause", divergence.cause);
    codec.text("evidence", divergence.evidence);
}

template <class Codec>
void fields(Codec &codec, Same<VerifyReport> auto &report)
{
    codec.constant("schema", "quantloupe-verify/1");
    codec.member("runtime", report.runtime);
    codec.member("file", report.file);
    codec.member("samples", report.samples);
    codec.member("within", report.within);
    codec.member("good", report.good);
    codec.member("outputs", report.outputs);
    codec.member("tensors", report.tensors);
    codec.member("first_divergence", report.firstDivergence);
    codec.member("how", report.how);
    codec.texts("notes", report.notes);
    codec.member("seconds", report.seconds);
}

QL_JSON_PAIR(RuntimeItem, "runtime")
QL_JSON_PAIR(RuntimeList, "runtimes")
QL_JSON_PAIR(UserCommand, "file")
QL_JSON_PAIR(RuntimeJob, "job")
QL_JSON_PAIR(RuntimeReply, "reply")
QL_JSON_PAIR(TensorAgreement, "tensor")
QL_JSON_PAIR(VerifyReport, "verification")

} // namespace ql::api
