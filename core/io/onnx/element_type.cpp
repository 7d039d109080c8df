#include "core/io/onnx/element_type.h"

#include "core/base/error.h"
#include "core/base/strings.h"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>

namespace ql::onnx_io {

namespace {

using T = at::ScalarType;
constexpr std::array<ElementType, 22> types = {{
    {1, "float32", T::Float, 32, false},
    {2, "uint8", T::Byte, 8, false},
    {3, "int8", T::Char, 8, false},
    {4, "uint16", T::Int, 16, true},
    {5, "int16", T::Short, 16, false},
    {6, "int32", T::Int, 32, false},
    {7, "int64", T::Long, 64, false},
    {8, "string", T::Undefined, 0, false},
    {9, "bool", T::Bool, 8, false},
    {10, "float16", T::Half, 16, false},
    {11, "float64", T::Double, 64, false},
    {12, "uint32", T::Long, 32, true},
    {13, "uint64", T::Long, 64, true},
    {14, "complex64", T::ComplexFloat, 64, false},
    {15, "complex128", T::ComplexDouble, 128, false},
    {16, "bfloat16", T::BFloat16, 16, false},
    {17, "float8e4m3fn", T::Float, 8, true},
    {18, "float8e4m3fnuz", T::Float, 8, true},
    {19, "float8e5m2", T::Float, 8, true},
    {20, "float8e5m2fnuz", T::Float, 8, true},
    {21, "uint4", T::Byte, 4, true},
    {22, "int4", T::Char, 4, true},
}};

} // namespace

const ElementType *findElementType(int code)
{
    for (const ElementType &type : types)
        if (type.code == code) return &type;
    return nullptr;
}

int elementCode(at::ScalarType stored)
{
    for (const ElementType &type : types)
        if (type.stored == stored && !type.widened && stored != T::Undefined) return type.code;
    throw Error(ErrorKind::Internal, QL_TEXT("ONNX has no element type for this tensor"));
}

int elementCode(std::string_view name)
{
    const std::string wanted = lower(name);
    // ONNX's names for these two float types differ from everyone else's.
    if (wanted == "float") return 1;
    if (wanted == "double") return 11;
    for (const ElementType &type : types)
        if (type.name == wanted) return type.code;
    return 0;
}

float decodeSmallFloat(int code, std::uint8_t bits)
{
    struct Format
    {
        int exponentBits, mantissaBits, bias;
        bool zeroIsUnsigned; // "uz": 0x80 is the only NaN, there is no infinity and no -0
    };
    const Format f = code == 17   ? Format{4, 3, 7, false}
                     : code == 18 ? Format{4, 3, 8, true}
                     : code == 19 ? Format{5, 2, 15, false}
                                  : Format{5, 2, 16, true};
    const float nan = std::numeric_limits<float>::quiet_NaN();
    if (f.zeroIsUnsigned && bits == 0x80) return nan;
    const int exponent = (bits >> f.mantissaBits) & ((1 << f.exponentBits) - 1);
    const int mantissa = bits & ((1 << f.mantissaBits) - 1);
    const float sign = (bits & 0x80) ? -1.0f : 1.0f;
    if (code == 17 && (bits & 0x7f) == 0x7f) return nan;
    if (code == 19 && exponent == 31) return mantissa ? nan : sign * std::numeric_limits<float>::infinity();
    const float fraction = float(mantissa) / float(1 << f.mantissaBits);
    return sign * (exponent == 0 ? std::ldexp(fraction, 1 - f.bias) : std::ldexp(1.0f + fraction, exponent - f.bias));
}

template <class To>
static std::string convertedBytes(const at::Tensor &whole)
{
    std::string bytes(std::size_t(whole.numel()) * sizeof(To), '\0');
    for (std::int64_t i = 0; i < whole.numel(); ++i) {
        const To value = static_cast<To>(whole.data_ptr<std::int64_t>()[i]);
        std::memcpy(bytes.data() + std::size_t(i) * sizeof(To), &value, sizeof(To));
    }
    return bytes;
}

std::string rawBytes(const at::Tensor &value, const ElementType &type)
{
    if (type.stored == T::Float) { // for 8 bits: the code of each value, NaN for unused codes
        const at::Tensor real = value.to(at::kCPU, T::Float).contiguous();
        std::map<float, char> codes;
        char nan = 0x7f;
        for (int code = 0; code < 256; ++code) {
            const float decoded = decodeSmallFloat(type.code, std::uint8_t(code));
            if (std::isnan(decoded))
                nan = char(code);
            else
                codes.emplace(decoded, char(code));
        }
        std::string bytes;
        for (std::int64_t i = 0; i < real.numel(); ++i) {
            const float x = real.data_ptr<float>()[i];
            const auto it = std::isnan(x) ? codes.end() : codes.find(x);
            const bool isMinusZero = x == 0 && std::signbit(x) && std::signbit(decodeSmallFloat(type.code, 0x80));
            bytes.push_back(isMinusZero ? char(0x80) : it == codes.end() ? nan : it->second);
        }
        return bytes;
    }
    const at::Tensor whole = value.to(at::kCPU, T::Long).contiguous();
    switch (type.bits) {
    case 16: return convertedBytes<std::uint16_t>(whole);
    case 32: return convertedBytes<std::uint32_t>(whole);
    case 64: {
        if (value.scalar_type() != T::Double) return convertedBytes<std::uint64_t>(whole);
        std::string bytes(std::size_t(value.numel()) * 8, '\0'); // some types need it
        const at::Tensor real = value.to(at::kCPU).contiguous();
        for (std::int64_t i = 0; i < real.numel(); ++i) {
            const auto number = static_cast<std::uint64_t>(real.data_ptr<double>()[i]);
            std::memcpy(bytes.data() + std::size_t(i) * 8, &number, 8);
        }
        return bytes;
    }
    default: { // two 4-bit codes in a byte, the first one low
        std::string bytes(std::size_t(whole.numel() + 1) / 2, '\0');
        for (std::int64_t i = 0; i < whole.numel(); ++i)
            bytes[std::size_t(i / 2)] |= char((whole.data_ptr<std::int64_t>()[i] & 15) << (i % 2 * 4));
        return bytes;
    }
    }
}

} // namespace ql::onnx_io
