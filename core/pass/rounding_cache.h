#pragma once

#include "core/quant/quant_plan.h"

#include <ATen/core/Tensor.h>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ql {

/// The weights that a process's last passes rounded, for the next one: an edit of one operation leaves those upstream
/// of it unchanged. Used by one run at a time.
struct RoundingCache
{
    static constexpr std::size_t most = 3; ///< entries: a search tries a few variants

    /// Weights on their grid, as stored, with its scales.
    struct Rounded
    {
        at::Tensor value;
        std::vector<float> scale;
        std::vector<std::int32_t> zeroPoint;
        at::Tensor bias = {}; ///< adjusted to absorb the mean error; undefined: unchanged
    };
    struct Entry
    {
        std::string key; ///< of the graph, the data, the device of programs and the parameters of the pass
        QuantPlan plan;  ///< as the pass found it
        /// By parameter; unset: it kept its rounding.
        std::map<VarId, std::optional<Rounded>> weights;
    };
    std::deque<Entry> entries; ///< the latest one first
};

} // namespace ql
