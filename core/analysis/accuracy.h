#pragma once

#include "core/base/text.h"

#include <ATen/core/Tensor.h>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ql {

/// Counts samples whose largest entry is at the label, or whose class index is the label.
class Accuracy
{
public:
    /// scores: [N, classes] or any shape with that many entries per sample; the first one belongs to labels[first].
    void add(const at::Tensor &scores, const std::vector<std::int64_t> &labels, std::size_t first);
    /// One class index for each sample, in any type.
    void addIndices(const at::Tensor &indices, const std::vector<std::int64_t> &labels, std::size_t first);

    std::int64_t total() const { return std::int64_t(m_isCorrect.size()); }
    /// Whether each labelled sample is right, in the order in which they were added.
    const std::vector<bool> &isCorrect() const { return m_isCorrect; }
    /// Fraction of correct samples; only if total() > 0.
    double value() const { return double(correct()) / double(total()); }
    /// Whether so many hits are consistent with entries unrelated to the labels: an output of features, labels in
    /// another order. Based on the probability of at least as many hits (Poisson, one class in total as the rate); with
    /// fewer than 10 classes, or with class indices, only "never right" counts.
    /// @returns the reason, or nothing
    Text noScoresReason() const;

private:
    std::int64_t correct() const { return std::count(m_isCorrect.begin(), m_isCorrect.end(), true); }

    std::vector<bool> m_isCorrect;
    std::int64_t m_largestLabel = -1;
    std::int64_t m_classes = 0; ///< 0: class indices, how many there are is not known
};

/// Half of the 95 % interval of the difference of two accuracies on the same samples; unset below two.
std::optional<double> uncertaintyOfDrop(const Accuracy &before, const Accuracy &after);

} // namespace ql
