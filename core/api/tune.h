#pragma once

#include "core/api/json_pair.h"
#include "core/api/recipe.h"
#include "core/base/text.h"

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

/// The result of a search for a better recipe: "quantloupe-tune/1".
namespace ql::api {

inline constexpr const char *tuneSchema = "quantloupe-tune/1";

/// What a quantized model costs on its target, estimated from the graph.
struct TuneCost
{
    double int8Macs = 0;             ///< share of the multiplications whose operands have 8 bits or fewer
    double macBits = 0;              ///< mean bits of the wider operand of a multiplication; 32: all in float
    double weightBytes = 0;          ///< of all weights and biases
    std::optional<double> time = {}; ///< by the user's table of times (core/tune/cost_table.h); unset: none

    friend bool operator==(const TuneCost &, const TuneCost &) = default;
};

/// What was measured on one part of the data. Unset: not measured, undefined, or no noise at all (sqnr_db).
struct TuneScore
{
    std::optional<double> metric; ///< of the quantized model
    std::optional<double> fp32;   ///< of the float model
    std::optional<double> sqnrDb; ///< of the worst graph output
    /// Mean over the graph outputs; if goals are about outputs: of the worst of these.
    std::optional<double> noiseRatio;
    /// Of the class probabilities from those of float, in nats; unset if the metric does not choose classes.
    std::optional<double> divergence = {};
    /// Half of the 95 % interval of the metric's drop; only of top-1.
    std::optional<double> uncertainty = {};
    std::int64_t samples = 0;
    /// How many of them count for the metric; unset: all, or only some of the data was measured.
    std::optional<std::int64_t> labelled = {};
    std::map<std::string, std::optional<double>> goals = {}; ///< the entry that is farthest from meeting each
    /// Half of the 95 % interval of noiseRatio, by its spread over the samples; only where goals are about outputs.
    std::optional<double> noiseUncertainty = {};

    double noise() const; ///< noiseRatio; infinite if it is undefined
    /// What a search lowers: the divergence where the metric chooses classes, otherwise the noise.
    double error() const;

    friend bool operator==(const TuneScore &, const TuneScore &) = default;
};

/// A condition that the recipe should meet.
struct TuneGoal
{
    std::string expr;
    bool met = false;                ///< on both parts of the data
    std::optional<double> value;     ///< on the part that was searched
    std::optional<double> confirmed; ///< on the other part
};

/// A recipe that was tried.
struct TuneTrial
{
    std::int64_t id = 0;
    std::optional<std::int64_t> parent; ///< unset: the recipe that the search started with
    Text move;                          ///< what it changes in the parent's recipe
    std::string recipeHash;
    bool kept = false;            ///< the search went on from it
    std::optional<TuneCost> cost; ///< unset: the time did not suffice for quantizing it
    TuneScore search;
    std::optional<TuneScore> confirm; ///< of the best and of those on the front
    double seconds = 0;
};

/// A tensor whose rounding causes noise at the outputs, in the first recipe for which tensors were ranked.
struct TuneCause
{
    std::string op, tensor;
    double noiseRatio = 0; ///< that rounding this tensor alone causes
};

struct TuneReport
{
    std::vector<TuneGoal> goals;
    std::vector<std::string> locks; ///< GLOB=int8|float|keep, as given
    std::uint64_t seed = 0;         ///< of the split of the data
    double budget = 0;              ///< seconds
    Recipe best;
    std::int64_t bestTrial = 0;
    std::vector<TuneTrial> trials;
    std::vector<TuneCause> causes;   ///< the worst tensors first
    std::vector<std::int64_t> front; ///< trials of which none is both cheaper and better; the cheapest first
    std::vector<Text> notes;         ///< what bounds a goal that is not met, and remarks
    double seconds = 0;              ///< of this search, without an earlier one
    std::int64_t resumed = 0;        ///< measurements taken from the journal of an earlier search

    bool meetsAllGoals() const; ///< every goal is met
};

/// A line of a search's journal. The first line names what is searched; later ones are measurements.
struct TuneHeader
{
    std::string recipeHash, data; ///< of the first recipe, and of the split data
};
struct TuneRecord
{
    std::string recipeHash;
    std::string part; ///< of the data
    TuneCost cost;
    TuneScore score;
    double seconds = 0;
};

QL_HAS_JSON(TuneCost)
QL_HAS_JSON(TuneScore)
QL_HAS_JSON(TuneTrial)
QL_HAS_JSON(TuneReport)
QL_HAS_JSON(TuneHeader)
QL_HAS_JSON(TuneRecord)

} // namespace ql::api
