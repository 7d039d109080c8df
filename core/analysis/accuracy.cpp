#include "core/analysis/accuracy.h"

#include <ATen/ops/argmax.h>
#include <algorithm>
#include <cmath>

namespace ql {

void Accuracy::add(const at::Tensor &scores, const std::vector<std::int64_t> &labels, std::size_t first)
{
    const at::Tensor rows = scores.reshape({scores.size(0), -1});
    m_classes = rows.size(1);
    addIndices(at::argmax(rows, 1), labels, first);
}

void Accuracy::addIndices(const at::Tensor &indices, const std::vector<std::int64_t> &labels, std::size_t first)
{
    const at::Tensor best = indices.to(at::kLong).contiguous();
    for (std::int64_t i = 0; i < best.numel() && first + std::size_t(i) < labels.size(); ++i) {
        const std::int64_t label = labels[first + std::size_t(i)];
        if (label < 0) continue; // this sample has no label
        m_largestLabel = std::max(m_largestLabel, label);
        m_isCorrect.push_back(best.data_ptr<std::int64_t>()[i] == label);
    }
}

Text Accuracy::noScoresReason() const
{
    const std::int64_t right = correct();
    if (m_classes == 0)
        return right == 0 && total() >= 8 ? QL_TEXT("no class index matches its label in %1 samples").with(total())
                                          : Text();
    if (m_largestLabel >= m_classes)
        return QL_TEXT("there is a label %1, the output has %2 entries").with(m_largestLabel, m_classes);
    const Text said = QL_TEXT("the largest entry matches the label in %1 of %2 samples, no more than chance among "
                              "%3 entries")
                          .with(right, total(), m_classes);
    if (m_classes < 10) return right == 0 && total() >= 8 ? said : Text();
    const double rate = double(total()) / double(m_classes);
    double fewer = 0, term = std::exp(-rate);
    for (std::int64_t k = 0; k < right; ++k) {
        fewer += term;
        term *= rate / double(k + 1);
    }
    const bool enough = right > 0 || total() >= 4; // 3 photos that are all wrong prove nothing
    return enough && 1 - fewer > 0.01 ? said : Text();
}

std::optional<double> uncertaintyOfDrop(const Accuracy &before, const Accuracy &after)
{
    constexpr double normal = 1.96; // standard errors
    const std::vector<bool> &was = before.isCorrect(), &is = after.isCorrect();
    if (was.size() < 2 || was.size() != is.size()) return std::nullopt;
    double sum = 0, changed = 0;
    for (std::size_t i = 0; i < was.size(); ++i) {
        sum += int(is[i]) - int(was[i]);
        changed += is[i] != was[i];
    }
    const double count = double(was.size()), mean = sum / count;
    return normal * std::sqrt(std::max(0.0, changed / count - mean * mean) / (count - 1));
}

} // namespace ql
