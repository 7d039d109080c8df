#pragma once

#include "core/verify/local.h"

namespace ql {

/// A hypothesis is proven if it explains this share of the differing elements.
inline constexpr double provenShare = 0.95;

/// How many elements that differ from the plain simulation are as a hypothesis computes them.
struct Explained
{
    std::int64_t differing = 0, explained = 0, otherwise = 0; ///< otherwise: equal elements that it changes

    double share() const { return differing ? double(explained) / double(differing) : 0; }
    bool isProof() const { return share() >= provenShare && otherwise <= differing / 10; }
};

/// hypothesis: computes the tensor of a batch. @pre the tensor is quantized
Explained explainedBy(const LocalContext &context, std::size_t index,
                      const std::function<at::Tensor(std::size_t batch)> &hypothesis);
inline Explained explainedBy(const LocalContext &context, std::size_t index, const LocalProgram &hypothesis)
{
    return explainedBy(context, index, [&](std::size_t batch) { return hypothesis.simulated(batch); });
}

} // namespace ql
