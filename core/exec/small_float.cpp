#include "core/exec/small_float.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/frexp.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/ldexp.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/round.h>
#include <ATen/ops/sign.h>
#include <ATen/ops/where.h>

#include <limits>

namespace ql {

namespace {

struct SmallFloat
{
    int mantissaBits, minExponent; ///< of a normal number
    float largest;
    bool hasInfinity, hasMinusZero;
};

SmallFloat formatOf(std::int64_t code)
{
    switch (code) {
    case 17: return {3, -6, 448, false, true};
    case 18: return {3, -7, 240, false, false};
    case 19: return {2, -14, 57344, true, true};
    default: return {2, -15, 57344, false, false};
    }
}

} // namespace

bool isSmallFloat(std::int64_t code)
{
    return code >= 17 && code <= 20;
}

at::Tensor roundedToSmallFloat(const at::Tensor &x, std::int64_t code, bool saturate)
{
    const SmallFloat format = formatOf(code);
    // A power of two times a number from 0.5 to 1: its exponent is one less
    const at::Tensor exponent = at::clamp(std::get<1>(at::frexp(x)) - 1, format.minExponent);
    const at::Tensor step = at::ldexp(at::ones_like(x), exponent - format.mantissaBits);
    at::Tensor y = at::round(x / step) * step;
    const at::Tensor isTooLarge = at::abs(y) > format.largest; // an infinity, too; NaN stays
    const float infinity = std::numeric_limits<float>::infinity();
    const at::Tensor beyond = saturate             ? at::sign(x) * format.largest
                              : format.hasInfinity ? at::sign(x) * infinity
                                                   : at::full_like(x, std::numeric_limits<float>::quiet_NaN());
    y = at::where(isTooLarge.logical_or(at::abs(x) == infinity), beyond, y);
    return format.hasMinusZero ? y : y + 0.0; // -0 + 0 is 0
}

} // namespace ql
