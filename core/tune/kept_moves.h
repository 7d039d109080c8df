#pragma once

#include "core/api/recipe.h"
#include "core/tune/move.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace ql {

/// The moves that a search kept. Of those to float32 or 16 bits, parts can be taken back.
class KeptMoves
{
public:
    /// Number of the move, and of its part.
    using Part = std::pair<std::size_t, std::size_t>;

    void add(Move move) { m_moves.push_back(std::move(move)); }
    /// Parts that take multiplications out of 8 bits and were not taken back: those with most of them for the noise
    /// that they remove first.
    std::vector<Part> costlyParts() const;
    KeptMoves without(const std::vector<Part> &parts) const;
    /// What taking these parts back does.
    Text textOf(const std::vector<Part> &parts) const;
    api::Recipe appliedTo(api::Recipe start) const;

private:
    const Move &at(Part part) const { return m_moves[part.first].parts[part.second]; }

    std::vector<Move> m_moves;
};

/// Tries to take parts back, half of those that are left at a time; after a failure half as many, and after several
/// with a single one no more. attempt: whether they are taken back; unset: it ends.
void inHalves(const std::vector<KeptMoves::Part> &parts,
              const std::function<std::optional<bool>(const std::vector<KeptMoves::Part> &)> &attempt);

} // namespace ql
