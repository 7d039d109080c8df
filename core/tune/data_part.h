#pragma once

#include "core/exec/executor.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ql {

/// Some batches of a source, and the labels of their samples.
class DataPart final : public BatchSource
{
public:
    /// labels: of all samples of the source, in order; empty: there are none. batchSize: samples per batch.
    DataPart(std::shared_ptr<const BatchSource> source, std::vector<std::size_t> batches,
             const std::vector<std::int64_t> &labels, std::size_t batchSize);

    std::size_t size() const override { return m_batches.size(); }
    Feed batch(std::size_t index) const override { return m_source->batch(m_batches.at(index)); }
    std::string name(std::size_t index) const override { return m_source->name(m_batches.at(index)); }
    const std::vector<std::int64_t> &labels() const { return m_labels; }
    const std::vector<std::size_t> &batches() const { return m_batches; }

private:
    std::shared_ptr<const BatchSource> m_source;
    std::vector<std::size_t> m_batches;
    std::vector<std::int64_t> m_labels;
};

/// Numbers 0 to count - 1 in two halves, drawn with a seed, each in ascending order; the first one is larger if count
/// is odd.
std::pair<std::vector<std::size_t>, std::vector<std::size_t>> splitInHalves(std::size_t count, std::uint64_t seed);

} // namespace ql
