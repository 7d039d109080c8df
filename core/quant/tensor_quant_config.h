#pragma once

#include "core/api/quant_words.h"
#include "core/base/ids.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ql {

using api::Codebook;
using api::ConfigField;
using api::configFieldFromString;
using api::PercentileOver;
using api::percentileOverFromString;
using api::QuantState;
using api::quantStateFromString;
using api::Rounding;
using api::roundingFromString;
using api::ScaleFormat;
using api::Visibility;

/// How one slot (input, parameter or output of an operation) is quantized.
/// Linear: q = clamp(round(x / scale) + zeroPoint, quantMin, quantMax), y = (q - zeroPoint) * scale.
/// Floating (exponentBits > 0): x / scale is rounded to a float with that many exponent and bits-exponentBits-1
/// mantissa bits. Codebook: x / scale becomes the nearest value of a table. scale and zeroPoint are this slot's own;
/// read the effective ones through QuantPlan::scale().
struct TensorQuantConfig
{
    int bits = 8;                   ///< 2..32; for floats sign + exponent + mantissa
    int exponentBits = 0;           ///< 0: linear; 1..8: floating
    std::int64_t quantMin = -128;   ///< inclusive
    std::int64_t quantMax = 127;    ///< inclusive
    bool symmetric = true;          ///< zero point is 0
    bool powerOfTwo = false;        ///< scale is a power of two
    bool dynamic = false;           ///< scale from each tensor at run time; the stored one is ignored
    std::optional<int> channelAxis; ///< set: one scale per entry of this axis (>= 0), or per group of entries
    int groupSize = 0;              ///< above 0: groups (core/quant/groups.h) of that many entries along channelAxis
    ScaleFormat scaleFormat = ScaleFormat::Float32;
    Codebook codebook = Codebook::None;
    Rounding rounding = Rounding::HalfEven;
    std::string observer = "percentile";
    // Parameters of observers; unset: the observer's default
    std::optional<double> percentile; ///< 0.5..1
    std::optional<PercentileOver> percentileOver;
    std::optional<double> minScale; ///< lower bound of the scale
    std::optional<int> histogramBins;
    std::optional<int> isotoneAxis;
    Visibility visibility = Visibility::WhenActive;
    QuantState state = QuantState::Initial;
    std::vector<float> scale;            ///< empty: none yet; 1 entry per tensor, one per channel or group
    std::vector<std::int32_t> zeroPoint; ///< as long as scale
    std::optional<Slot> parent;          ///< the slot whose scale this slot uses; unset: its own
    std::array<std::uint16_t, std::size_t(ConfigField::Count)> setBy{}; ///< index into QuantPlan::origins()

    /// Has no integer codes.
    bool isFloating() const { return exponentBits > 0 || codebook != Codebook::None; }
    /// Has more than one scale: per entry of an axis, or by group.
    bool isPerChannel() const { return channelAxis.has_value(); }
    bool isGrouped() const { return groupSize > 0; }
    int mantissaBits() const { return bits - exponentBits - 1; }
    /// Active or Passive: the executor applies it (a Baked parameter is applied at compile time).
    bool isApplied() const { return state == QuantState::Active || state == QuantState::Passive; }
    /// Same grid: everything that determines the integer codes, except scale and zero point. Observer, state and
    /// visibility are ignored.
    bool sameScheme(const TensorQuantConfig &other) const;
    bool sameObserver(const TensorQuantConfig &other) const; ///< and its parameters
    /// Bits 2..32, exponent bits 0..8 and < bits, range ordered and within that of the bits, symmetric for floats,
    /// observer usable. @throws Error (BadConfig) naming the field and its legal values.
    void validate() const;
    /// By field, in the order of declaration; for sets of configs. Scales are numbers.
    friend auto operator<=>(const TensorQuantConfig &, const TensorQuantConfig &) = default;
};

/// Scale and zero point that map [min, max] (widened to contain 0) to the config's integers; computed in double.
/// symmetric: scale = 2 max(|min|, |max|) / (quantMax - quantMin). Asymmetric: scale = (max - min) / (quantMax -
/// quantMin), zero point = quantMin + round_half_even(-min / scale), clamped. Power of two: scale = 2^ceil(log2
/// scale), the zero point of the rounded scale. Scales are at least config.minScale or 1e-8. (As in PPQ.) Scale format
/// E8M0: the power of two of that format; E4M3 depends on all scales of a tensor: roundScales().
struct ScaleZero
{
    float scale = 1;
    std::int32_t zeroPoint = 0;
};
ScaleZero solveRange(double min, double max, const TensorQuantConfig &config);
/// Rounds the scales of a tensor to config.scaleFormat (E4M3; others already are).
void roundScales(std::vector<float> &scale, const TensorQuantConfig &config);

} // namespace ql
