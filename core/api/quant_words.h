#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// Words that rules, configs and reports have in common, in the spelling of files.
namespace ql::api {

/// Rounding of value / scale to an integer. Values as in the files that we write; formulas in gpu/fake_quant_scalar.h.
enum class Rounding : std::int8_t {
    HalfEven,
    HalfUp,
    HalfDown,
    HalfTowardsZero,
    HalfAwayFromZero,
    ToNearInt,
    Up,
    Down
};
const std::vector<std::string> &roundingWords();
const char *toString(Rounding rounding); ///< "half_even" ... as in platform files and reports
/// @throws Error (BadConfig) naming the nearest known word.
Rounding roundingFromString(const std::string &text);

/// State of a config. Initial: waits for calibration. Active: has its own scale and is applied. Passive: applied with
/// a scale derived from others (a parent slot, or bias = weight scale x input scale); unresolved while it has no
/// scale. Overlapped: not applied, the parent quantizes this tensor. Baked: a parameter whose value counts as already
/// rounded (applied when the program is compiled, frozen). Off: deliberately left in float32.
enum class QuantState : std::int8_t { Initial, Active, Passive, Overlapped, Baked, Off };
const char *toString(QuantState state); ///< initial, active, passive, overlapped, baked, fp32
QuantState quantStateFromString(const std::string &text);

/// Whether exporters write a config: if it is applied, always (even if overlapped), or never.
enum class Visibility : std::int8_t { WhenActive, Always, Internal };
const char *toString(Visibility visibility); ///< when_active, always, internal
Visibility visibilityFromString(const std::string &text);

/// The values over which a percentile is computed: those of all calibration batches together, or of each batch,
/// averaged.
enum class PercentileOver : std::int8_t { Samples, Batches };
const char *toString(PercentileOver over); ///< samples, batches
PercentileOver percentileOverFromString(const std::string &text);

} // namespace ql::api
