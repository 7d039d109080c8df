#include "core/api/tune.h"

#include "core/api/fields.h"

#include <algorithm>
#include <limits>

namespace ql::api {

double TuneScore::noise() const
{
    return noiseRatio.value_or(std::numeric_limits<double>::infinity());
}

double TuneScore::error() const
{
    return noiseRatio ? divergence.value_or(noise()) : noise();
}

bool TuneReport::meetsAllGoals() const
{
    return std::all_of(goals.begin(), goals.end(), [](const TuneGoal &goal) { return goal.met; });
}

template <class Codec>
void fields(Codec &codec, Same<TuneCost> auto &cost)
{
    codec.member("int8_macs", cost.int8Macs);
    codec.member("mac_bits", cost.macBits);
    codec.member("weight_bytes", cost.weightBytes);
    codec.optional("time", cost.time);
}

template <class Codec>
void fields(Codec &codec, Same<TuneScore> auto &score)
{
    codec.member("metric", score.metric);
    codec.member("fp32", score.fp32);
    codec.member("sqnr_db", score.sqnrDb);
    codec.member("noise_ratio", score.noiseRatio);
    codec.optional("noise_uncertainty", score.noiseUncertainty);
    codec.optional("divergence", score.divergence);
    codec.member("samples", score.samples);
    codec.optional("labelled", score.labelled);
    codec.optional("uncertainty", score.uncertainty);
    codec.optional("goals", score.goals);
}

template <class Codec>
void fields(Codec &codec, Same<TuneGoal> auto &goal)
{
    codec.member("expr", goal.expr);
    codec.member("met", goal.met);
    codec.member("value", goal.value);
    codec.member("confirmed", goal.confirmed);
}

template <class Codec>
void fields(Codec &codec, Same<TuneTrial> auto &trial)
{
    codec.member("id", trial.id);
    codec.member("parent", trial.parent);
    codec.text("move", trial.move);
    codec.member("recipe_hash", trial.recipeHash);
    codec.member("kept", trial.kept);
    codec.member("cost", trial.cost);
    codec.member("search", trial.search);
    codec.member("confirm", trial.confirm);
    codec.member("seconds", trial.seconds);
}

template <class Codec>
void fields(Codec &codec, Same<TuneCause> auto &cause)
{
    codec.member("op", cause.op);
    codec.member("tensor", cause.tensor);
    codec.member("noise_ratio", cause.noiseRatio);
}

template <class Codec>
void fields(Codec &codec, Same<TuneReport> auto &report)
{
    codec.constant("schema", tuneSchema);
    codec.member("goals", report.goals);
    codec.optional("locks", report.locks);
    codec.optional("seed", report.seed);
    codec.optional("budget", report.budget);
    codec.member("best", report.best);
    codec.member("best_trial", report.bestTrial);
    codec.member("trials", report.trials);
    codec.member("causes", report.causes);
    codec.member("front", report.front);
    codec.texts("notes", report.notes);
    codec.member("seconds", report.seconds);
    codec.member("resumed", report.resumed);
}

template <class Codec>
void fields(Codec &codec, Same<TuneHeader> auto &header)
{
    codec.constant("schema", tuneSchema);
    codec.member("recipe_hash", header.recipeHash);
    codec.member("data", header.data);
}

template <class Codec>
void fields(Codec &codec, Same<TuneRecord> auto &record)
{
    codec.member("recipe_hash", record.recipeHash);
    codec.member("part", record.part);
    codec.member("cost", record.cost);
    codec.member("score", record.score);
    codec.member("seconds", record.seconds);
}

QL_JSON_PAIR(TuneCost, "cost")
QL_JSON_PAIR(TuneScore, "score")
QL_JSON_PAIR(TuneTrial, "trial")
QL_JSON_PAIR(TuneReport, "search")
QL_JSON_PAIR(TuneHeader, "journal")
QL_JSON_PAIR(TuneRecord, "record")

} // namespace ql::api
