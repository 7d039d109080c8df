#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <vector>

namespace ql {

/// The smallest number of insertions, deletions and substitutions that turn sequence a into b. (Levenshtein, "Binary
/// codes capable of correcting deletions, insertions, and reversals", 1966)
template <class Sequence, class Equal = std::equal_to<>>
std::size_t editDistance(const Sequence &a, const Sequence &b, const Equal &isEqual = {})
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t next = std::min({row[j] + 1, row[j + 1] + 1, diagonal + (isEqual(a[i], b[j]) ? 0 : 1)});
            diagonal = row[j + 1];
            row[j + 1] = next;
        }
    }
    return row.back();
}

} // namespace ql
