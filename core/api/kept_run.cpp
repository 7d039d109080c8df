#include "core/api/kept_run.h"

#include "core/api/run_report_fields.h"

namespace ql::api {

template <class Codec>
void fields(Codec &codec, Same<KeptRun> auto &run)
{
    codec.constant("format", "quantloupe-run/2");
    codec.member("document", run.document);
    codec.member("recipe", run.recipe);
    codec.member("complete", run.complete);
    codec.member("hash", run.hash);
    codec.member("inputs_key", run.inputsKey);
    codec.member("graphwise", run.graphwise);
    codec.member("layerwise", run.layerwise);
    codec.member("outputs", run.outputs);
    codec.member("passes", run.passes);
    codec.member("problems", run.problems);
    codec.member("seconds", run.seconds);
    codec.member("peak_rss_mib", run.peakRssMib);
    codec.member("configs", run.configs);
}

template <class Codec>
void fields(Codec &codec, Same<KeptConfigs> auto &configs)
{
    codec.constant("format", "quantloupe-run-configs/1");
    codec.member("rows", configs.rows);
}

template <class Codec>
void fields(Codec &codec, Same<KeptNote> auto &note)
{
    codec.member("name", note.name);
    codec.member("note", note.note);
    codec.member("time", note.time);
}

template <class Codec>
void fields(Codec &codec, Same<KeptEvidence> auto &evidence)
{
    codec.constant("format", "quantloupe-run-problems/1");
    codec.member("problems", evidence.problems);
}

template <class Codec>
void fields(Codec &codec, Same<KeptRuns> auto &runs)
{
    codec.member("baseline_run", runs.baseline);
}

template <class Codec>
void fields(Codec &codec, Same<KeptEdit> auto &edit)
{
    codec.member("file", edit.file);
    codec.member("folder", edit.folder);
    codec.member("recipe", edit.recipe);
}

QL_JSON_PAIR(KeptRun, "the run")
QL_JSON_PAIR(KeptConfigs, "the configs")
QL_JSON_PAIR(KeptNote, "the note")
QL_JSON_PAIR(KeptEvidence, "the evidence")
QL_JSON_PAIR(KeptRuns, "the runs")
QL_JSON_PAIR(KeptEdit, "the edit")

} // namespace ql::api
