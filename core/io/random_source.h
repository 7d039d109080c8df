#pragma once

#include "core/io/sample_source.h"
#include "core/ir/graph.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ql {

/// Distribution of generated values. Range: uniform from low to high, inclusive for integers. Normal: low is the mean,
/// high the standard deviation.
struct RandomValues
{
    enum class Kind { Default, Range, Normal };
    Kind kind = Kind::Default; ///< floats: normal, 0 and 1; integers: indices that the graph allows, otherwise 0 and 1
    double low = 0, high = 1;
};

/// "random:32,seed=1,range=-1..1,ids.range=0..99": how many samples, and their values.
struct RandomData
{
    std::optional<std::size_t> samples; ///< unset: as many as are requested
    std::uint64_t seed = 0;
    RandomValues values;                              ///< of all inputs
    std::map<std::string, RandomValues> valuesByName; ///< of single inputs instead

    /// @throws Error (BadConfig) with the part that is wrong and the form
    static RandomData parse(const std::string &text);
};

/// Samples in the shape of the inputs; the same text gives the same values. wanted: if the text names no number.
/// @throws Error (BadConfig, BadData) for a text that cannot be parsed, names an unknown input, or an input of unknown
/// shape or type
std::unique_ptr<SampleSource> openRandom(const std::string &text, const std::vector<DataInput> &inputs,
                                         std::size_t wanted);

/// If the values of an integer input are used as indices: how many entries they select from. Followed through
/// operations that only move or convert values.
std::optional<std::int64_t> indexedEntries(const Graph &graph, VarId input);

} // namespace ql
