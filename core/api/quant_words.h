#pragma once

#include "core/api/json_pair.h"

#include <cstdint>
#include <string>
#include <vector>

/// Words that rules, configs and reports have in common, in the spelling of files.
namespace ql::api {

/// What a slot is to its operation. Input (or Activation, the same): an input without a constant value; Parameter: one
/// with. So it is in reports, too. Weight: input 1 of a computing operation, constant or not. Bias: its input 2 (not of
/// Attention). A slot can have several roles: a Conv's constant weight is Weight and Parameter.
enum class SlotRole : std::int8_t { Input, Activation, Parameter, Weight, Bias, Output };
const std::vector<std::string> &slotRoleWords();
const char *toString(SlotRole role); ///< "input" ... as in files
/// @throws Error (BadConfig) naming the nearest known word.
SlotRole slotRoleFromString(const std::string &text);
QL_HAS_JSON(SlotRole)

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
QL_HAS_JSON(Rounding)

/// Fields of a config whose origin is recorded.
enum class ConfigField : std::int8_t {
    Bits,
    ExponentBits,
    Range,
    Symmetry,
    PowerOfTwo,
    Granularity,
    Dynamic,
    Rounding,
    Observer,
    State,
    Scale,
    Visibility,
    Count
};
const std::vector<std::string> &configFieldWords();
const char *toString(ConfigField field); ///< as reports and recipes call it
/// @throws Error (BadConfig) naming the nearest known word.
ConfigField configFieldFromString(const std::string &text);

/// State of a config. Initial: waits for calibration. Active: has its own scale and is applied. Passive: applied with
/// a scale derived from others (a parent slot, or bias = weight scale x input scale); unresolved while it has no
/// scale. Overlapped: not applied, the parent quantizes this tensor. Baked: a parameter whose value counts as already
/// rounded (applied when the program is compiled, frozen). Off: deliberately left in float32.
enum class QuantState : std::int8_t { Initial, Active, Passive, Overlapped, Baked, Off };
const char *toString(QuantState state); ///< initial, active, passive, overlapped, baked, fp32
QuantState quantStateFromString(const std::string &text);
QL_HAS_JSON(QuantState)

/// Whether exporters write a config: if it is applied, always (even if overlapped), or never.
enum class Visibility : std::int8_t { WhenActive, Always, Internal };
const char *toString(Visibility visibility); ///< when_active, always, internal
Visibility visibilityFromString(const std::string &text);

/// The values over which a percentile is computed: those of all calibration batches together, or of each batch,
/// averaged.
enum class PercentileOver : std::int8_t { Samples, Batches };
const char *toString(PercentileOver over); ///< samples, batches
PercentileOver percentileOverFromString(const std::string &text);
QL_HAS_JSON(PercentileOver)

/// How scales are stored, which limits their values. Float32: any. E8M0: powers of two by the rule of the OCP
/// Microscaling Formats (MX) Specification v1.0, section 6.3: 2^(floor(log2 largest) - exponent of the largest
/// element). E4M3: FP8 times one float32 scale per tensor, its largest scale / 448 (NVFP4).
enum class ScaleFormat : std::int8_t { Float32, E8M0, E4M3 };
const std::vector<std::string> &scaleFormatWords();
const char *toString(ScaleFormat format); ///< float32, e8m0, e4m3
ScaleFormat scaleFormatFromString(const std::string &text);
QL_HAS_JSON(ScaleFormat)

/// The table of values that the codes of a format without a formula represent. NF4: NormalFloat of 4 bits, -1..1
/// (Dettmers et al., "QLoRA", 2023, appendix E).
enum class Codebook : std::int8_t { None, Nf4 };
const std::vector<std::string> &codebookWords();
const char *toString(Codebook codebook); ///< none, nf4
Codebook codebookFromString(const std::string &text);
QL_HAS_JSON(Codebook)

} // namespace ql::api
