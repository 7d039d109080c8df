#include "core/tune/kept_moves.h"

#include <algorithm>

namespace ql {

std::vector<KeptMoves::Part> KeptMoves::costlyParts() const
{
    std::vector<Part> found;
    for (std::size_t i = 0; i < m_moves.size(); ++i)
        for (std::size_t j = 0; j < m_moves[i].parts.size(); ++j)
            if (const Move &part = m_moves[i].parts[j]; part.macs > 0 && !part.isTakenBack) found.emplace_back(i, j);
    std::stable_sort(found.begin(), found.end(), [&](Part a, Part b) {
        return at(a).macs * at(b).noise > at(b).macs * at(a).noise; // no division by a noise of 0
    });
    return found;
}

KeptMoves KeptMoves::without(const std::vector<Part> &parts) const
{
    KeptMoves rest = *this;
    for (const auto &[move, part] : parts) rest.m_moves[move].parts[part].isTakenBack = true;
    return rest;
}

Text KeptMoves::textOf(const std::vector<Part> &parts) const
{
    std::vector<std::string> names;
    for (const Part &part : parts)
        for (const std::string &name : at(part).names)
            if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    constexpr std::size_t most = 6;
    return QL_TEXT("back from float32 or more bits: %1").with(Text::firstOf(names, most));
}

api::Recipe KeptMoves::appliedTo(api::Recipe start) const
{
    for (const Move &move : m_moves) {
        if (move.parts.empty()) start = withMove(std::move(start), move);
        for (const Move &part : move.parts)
            if (!part.isTakenBack) start = withMove(std::move(start), part);
    }
    return start;
}

void inHalves(const std::vector<KeptMoves::Part> &parts,
              const std::function<std::optional<bool>(const std::vector<KeptMoves::Part> &)> &attempt)
{
    constexpr int mostFailures = 3;
    std::size_t most = parts.size();
    int failures = 0;
    for (std::size_t at = 0; at < parts.size() && failures < mostFailures;) {
        const std::size_t count = std::min(most, (parts.size() - at + 1) / 2);
        const auto begin = parts.begin() + std::ptrdiff_t(at);
        const std::optional<bool> isKept = attempt({begin, begin + std::ptrdiff_t(count)});
        if (!isKept) return;
        if (*isKept || count == 1) at += count;
        if (*isKept) continue;
        if (count == 1) ++failures;
        most = std::max<std::size_t>(1, count / 2);
    }
}

} // namespace ql
