#include "core/tune/data_part.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace ql {

DataPart::DataPart(std::shared_ptr<const BatchSource> source, std::vector<std::size_t> batches,
                   const std::vector<std::int64_t> &labels, std::size_t batchSize)
    : m_source(std::move(source)), m_batches(std::move(batches))
{
    if (labels.empty()) return;
    for (const std::size_t batch : m_batches)
        for (std::size_t i = batch * batchSize; i < (batch + 1) * batchSize; ++i) m_labels.push_back(labels.at(i));
}

std::pair<std::vector<std::size_t>, std::vector<std::size_t>> splitInHalves(std::size_t count, std::uint64_t seed)
{
    std::vector<std::size_t> all(count);
    std::iota(all.begin(), all.end(), std::size_t(0));
    std::mt19937_64 random(seed);
    // std::shuffle differs between standard libraries
    for (std::size_t i = count; i > 1; --i) std::swap(all[i - 1], all[random() % i]);
    const auto middle = all.begin() + std::ptrdiff_t((count + 1) / 2);
    std::vector<std::size_t> first(all.begin(), middle), second(middle, all.end());
    std::sort(first.begin(), first.end());
    std::sort(second.begin(), second.end());
    return {std::move(first), std::move(second)};
}

} // namespace ql
