#include "core/base/strings.h"
#include "core/ir/graph.h"

#include <algorithm>

namespace ql {

bool TensorType::isStatic() const
{
    return shape && std::all_of(shape->begin(), shape->end(), [](const Dim &d) { return d.size >= 0; });
}

std::vector<std::int64_t> TensorType::sizes() const
{
    std::vector<std::int64_t> out;
    for (const Dim &d : shape.value()) out.push_back(d.size);
    return out;
}

std::size_t TensorType::bytes() const
{
    if (!isStatic() || dtype == at::ScalarType::Undefined) return 0;
    std::size_t bytes = c10::elementSize(dtype);
    for (const std::int64_t size : sizes()) bytes *= std::size_t(size);
    return bytes;
}

at::ScalarType dtypeOfOnnx(std::int64_t number)
{
    switch (number) {
    case 1: return at::kFloat;
    case 2: return at::kByte;
    case 3: return at::kChar;
    case 5: return at::kShort;
    case 6: return at::kInt;
    case 7: return at::kLong;
    case 9: return at::kBool;
    case 10: return at::kHalf;
    case 11: return at::kDouble;
    case 16: return at::kBFloat16;
    default: return at::ScalarType::Undefined;
    }
}

std::string dtypeName(at::ScalarType type)
{
    switch (type) {
    case at::ScalarType::Float: return "float32";
    case at::ScalarType::Double: return "float64";
    case at::ScalarType::Half: return "float16";
    case at::ScalarType::BFloat16: return "bfloat16";
    case at::ScalarType::Byte: return "uint8";
    case at::ScalarType::Char: return "int8";
    case at::ScalarType::Short: return "int16";
    case at::ScalarType::Int: return "int32";
    case at::ScalarType::Long: return "int64";
    case at::ScalarType::Bool: return "bool";
    default: return "unknown";
    }
}

std::string toString(const TensorType &type)
{
    if (!type.shape) return "unknown";
    if (type.shape->empty()) return "scalar";
    std::vector<std::string> parts;
    for (const Dim &d : *type.shape)
        parts.push_back(d.size >= 0 ? std::to_string(d.size) : d.symbol.empty() ? "?" : d.symbol);
    return join(parts, "x");
}

} // namespace ql
