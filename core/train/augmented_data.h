#pragma once

#include "core/exec/executor.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ql {

/// The first `count` batches of a source, followed by variants of the `varied` ones among them. A variant is mirrored
/// at random and moved by up to an eighth of its size; edges are repeated. All inputs that are images change: those
/// with four axes, of which the last two span the image, or with at most 4 channels in the last axis the two before it.
/// Equal for a seed.
class AugmentedData final : public BatchSource
{
public:
    /// data outlives it.
    AugmentedData(const BatchSource &data, std::size_t count, std::vector<std::size_t> varied, int variants,
                  std::uint64_t seed)
        : m_data(data), m_count(count), m_varied(std::move(varied)), m_variants(variants), m_seed(seed)
    {}

    std::size_t size() const override { return m_count + m_varied.size() * std::size_t(m_variants); }
    /// @throws Error (BadConfig) for a variant if no input is an image
    Feed batch(std::size_t index) const override;
    std::string name(std::size_t index) const override { return m_data.name(original(index)); }

private:
    std::size_t original(std::size_t index) const
    {
        return index < m_count ? index : m_varied[(index - m_count) % m_varied.size()];
    }

    const BatchSource &m_data;
    const std::size_t m_count;
    const std::vector<std::size_t> m_varied;
    const int m_variants;
    const std::uint64_t m_seed;
};

} // namespace ql
