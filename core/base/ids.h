#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace ql {

/// Identity of an operation inside one Graph: stable under edits and copies, never reused. Not a position.
enum class OpId : std::int32_t {};
/// Identity of a variable (tensor) inside one Graph, like OpId.
enum class VarId : std::int32_t {};

inline constexpr OpId noOp{-1};
/// An omitted optional input, or "no variable".
inline constexpr VarId noVar{-1};

constexpr std::int32_t index(OpId id)
{
    return static_cast<std::int32_t>(id);
}
constexpr std::int32_t index(VarId id)
{
    return static_cast<std::int32_t>(id);
}

/// One input or output of an operation, which has a quantization config.
struct Slot
{
    OpId op = noOp;
    bool output = false;
    std::int32_t index = 0;

    friend auto operator<=>(const Slot &, const Slot &) = default;
};

inline Slot inputSlot(OpId op, std::size_t index)
{
    return {op, false, static_cast<std::int32_t>(index)};
}
inline Slot outputSlot(OpId op, std::size_t index = 0)
{
    return {op, true, static_cast<std::int32_t>(index)};
}

} // namespace ql

template <>
struct std::hash<ql::Slot>
{
    std::size_t operator()(const ql::Slot &slot) const noexcept
    {
        return (std::size_t(ql::index(slot.op)) * 2 + (slot.output ? 1 : 0)) * 1000003 + std::size_t(slot.index);
    }
};
