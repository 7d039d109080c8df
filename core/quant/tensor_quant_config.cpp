#include "core/quant/tensor_quant_config.h"

#include "core/base/error.h"
#include "core/base/strings.h"
#include "gpu/fake_quant_scalar.h"

#include <algorithm>
#include <cmath>

namespace ql {

bool TensorQuantConfig::sameScheme(const TensorQuantConfig &o) const
{
    return bits == o.bits && exponentBits == o.exponentBits && quantMin == o.quantMin && quantMax == o.quantMax &&
           symmetric == o.symmetric && powerOfTwo == o.powerOfTwo && dynamic == o.dynamic &&
           channelAxis == o.channelAxis && groupSize == o.groupSize && scaleFormat == o.scaleFormat &&
           codebook == o.codebook && rounding == o.rounding;
}

bool TensorQuantConfig::sameObserver(const TensorQuantConfig &o) const
{
    return lower(observer) == lower(o.observer) && percentile == o.percentile && percentileOver == o.percentileOver &&
           minScale == o.minScale && histogramBins == o.histogramBins && isotoneAxis == o.isotoneAxis;
}

void TensorQuantConfig::validate() const
{
    const auto fail = [](const Text &message) { throw Error(ErrorKind::BadConfig, message); };
    if (bits < 2 || bits > 32) fail(QL_TEXT("bits must be 2..32, got %1").with(bits));
    if (exponentBits < 0 || exponentBits > 8) fail(QL_TEXT("exponent_bits must be 0..8, got %1").with(exponentBits));
    if (exponentBits > 0 && mantissaBits() < 0)
        fail(QL_TEXT("a float of %1 bits cannot have %2 exponent bits").with(bits, exponentBits));
    if (quantMin >= quantMax) fail(QL_TEXT("quant_min %1 must be below quant_max %2").with(quantMin, quantMax));
    // Wide bias ranges never clip; published ones are up to one bit wider than their nominal width ("30 bits", -2^30
    // to 2^30). Codes beyond the container are an error.
    const int slack = bits > 16 && bits < 32 ? 1 : 0;
    constexpr std::int64_t widest = std::int64_t{1} << 33; // before taking the difference, which could overflow
    if (exponentBits == 0 &&
        (quantMin < -widest || quantMax > widest || quantMax - quantMin > (std::int64_t{1} << (bits + slack))))
        fail(QL_TEXT("range %1..%2 has more codes than %3 bits hold").with(quantMin, quantMax, bits));
    if (exponentBits > 0 && !symmetric) fail(QL_TEXT("floating-point formats are symmetric"));
    const bool isDynamicWhole = dynamic && groupSize == 0; // such formats are computed at run time only by group
    if (exponentBits > 0 && isDynamicWhole)
        fail(QL_TEXT("floating-point formats can be dynamic only with a scale per group"));
    if (codebook != Codebook::None && (exponentBits > 0 || bits != 4 || !symmetric || isDynamicWhole))
        fail(QL_TEXT("codebook %1 needs 4 bits, no exponent bits, and a symmetric config that is static or has a scale "
                     "per group")
                 .with(toString(codebook)));
    if (groupSize < 0 || groupSize == 1 || (groupSize > 0 && !channelAxis))
        fail(QL_TEXT("group_size must be 2 or more and needs a channel_axis, got %1").with(groupSize));
    if (scaleFormat == ScaleFormat::E8M0 && (!symmetric || isDynamicWhole))
        fail(QL_TEXT("scale_format e8m0 needs a symmetric config that is static or has a scale per group"));
    if (scaleFormat == ScaleFormat::E4M3 && (!channelAxis || powerOfTwo || isDynamicWhole))
        fail(QL_TEXT("scale_format e4m3 needs a scale per group, or a static one per channel, and no power_of_two"));
    if (channelAxis && *channelAxis < 0) fail(QL_TEXT("channel_axis must be 0 or more"));
    if (percentile && (*percentile < 0.5 || *percentile > 1)) fail(QL_TEXT("percentile must be 0.5..1"));
    if (!scale.empty() && scale.size() != zeroPoint.size()) fail(QL_TEXT("scale and zero_point differ in length"));
}

/// The exponent of the largest number of the format: 2 for E2M1, 8 for E4M3, 15 for E5M2, 6 for 8-bit integers, which
/// MXINT8 counts in 1/64.
static int largestExponent(const TensorQuantConfig &config)
{
    const int ofRange = std::ilogb(double(config.quantMax));
    return config.exponentBits > 0 ? std::min(1 << (config.exponentBits - 1), ofRange) : ofRange;
}

ScaleZero solveRange(double min, double max, const TensorQuantConfig &config)
{
    const double floor = config.minScale.value_or(1e-8);
    const double steps = double(config.quantMax - config.quantMin);
    min = std::min(min, 0.0);
    max = std::max(max, 0.0);
    if (config.scaleFormat == ScaleFormat::E8M0) {
        const double largest = std::max(max, -min);
        const int exponent = largest > 0 ? std::ilogb(largest) - largestExponent(config) : 0;
        return {float(std::exp2(std::clamp(exponent, -126, 127))), 0}; // 2^-127 is no normal float32
    }
    double scale = config.symmetric ? 2 * std::max(max, -min) / steps : (max - min) / steps;
    scale = std::max(scale, floor);
    if (config.powerOfTwo) scale = std::exp2(std::ceil(std::log2(scale)));
    ScaleZero result;
    result.scale = float(scale);
    if (!config.symmetric) {
        // nearbyint rounds half to even in the default rounding mode
        const double zero = double(config.quantMin) + std::nearbyint(-min / scale);
        result.zeroPoint = std::int32_t(std::clamp(zero, double(config.quantMin), double(config.quantMax)));
    }
    return result;
}

void roundScales(std::vector<float> &scale, const TensorQuantConfig &config)
{
    if (config.scaleFormat != ScaleFormat::E4M3 || scale.empty()) return;
    const float ofTensor = *std::max_element(scale.begin(), scale.end()) / 448;
    gpu::FloatParams format; // E4M3
    format.scale = ofTensor;
    const float least = std::exp2(-9.0F) * ofTensor;
    for (float &s : scale) s = std::max(gpu::fakeQuantFloatScalar(s, format), least);
}

} // namespace ql
