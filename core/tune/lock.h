#pragma once

#include "core/ir/graph.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ql {

/// What a search may do with some operations. Int8: they stay on the platform, quantized; Float: they run in float32;
/// Keep: nothing about them changes.
enum class LockKind { Int8, Float, Keep };
struct Lock
{
    std::string pattern; ///< shell pattern on the operation's name; of one in a body, too
    LockKind kind = LockKind::Keep;
};
/// GLOB=int8|float|keep. @throws Error (BadConfig)
Lock parseLock(std::string_view text);

/// The locks of a search; later ones win.
class Locks
{
public:
    Locks() = default;
    /// @throws Error (BadConfig) if one matches no operation of graph, with the nearest name
    Locks(std::vector<Lock> locks, const Graph &graph);

    /// Whether how op is quantized may change.
    bool mayChange(const std::string &op) const;
    /// Whether op may be sent to float32.
    bool mayBeFloat(const std::string &op) const;
    bool keepsAny() const;
    bool isEmpty() const { return m_locks.empty(); }
    /// That holds for op; nullptr: none. An operation with bodies must not change, or move to float32, if one in them
    /// must not.
    const Lock *find(const std::string &op) const;

private:
    std::vector<Lock> m_locks;
    std::map<std::string, std::vector<std::string>> m_inBodies; ///< by the operation with bodies: names (namesOfBodies)
};

} // namespace ql
