#include "core/train/augmented_data.h"

#include "core/base/error.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/index_select.h>

#include <random>

namespace ql {

/// The axis of the image's rows; its columns are the next one. 0: not an image
static std::int64_t rowAxis(const at::Tensor &x)
{
    if (x.dim() != 4 || x.size(2) < 2) return 0;
    constexpr std::int64_t mostColors = 4;
    if (x.size(3) <= mostColors && x.size(1) > mostColors) return 1;
    return x.size(3) < 2 ? 0 : 2;
}

/// Moved by `offset` entries; entries from outside repeat the edge.
static at::Tensor moved(const at::Tensor &x, std::int64_t axis, std::int64_t offset, bool isMirrored)
{
    const std::int64_t size = x.size(axis);
    at::Tensor from = at::arange(size, at::TensorOptions(at::kLong)).add_(offset).clamp_(0, size - 1);
    if (isMirrored) from.neg_().add_(size - 1);
    return at::index_select(x, axis, from);
}

Feed AugmentedData::batch(std::size_t index) const
{
    Feed feed = m_data.batch(original(index));
    if (index < m_count) return feed;
    std::mt19937_64 random(m_seed * 0x9E3779B97F4A7C15u + index);
    const bool isMirrored = random() % 2 == 1;
    const std::uint64_t down = random(), right = random();
    bool hasImage = false;
    for (auto &[name, tensor] : feed) {
        const std::int64_t rows = rowAxis(tensor);
        if (rows == 0) continue;
        hasImage = true;
        const auto offset = [&](std::int64_t axis, std::uint64_t number) {
            const std::int64_t most = tensor.size(axis) / 8;
            return std::int64_t(number % std::uint64_t(2 * most + 1)) - most;
        };
        tensor = moved(moved(tensor, rows, offset(rows, down), false), rows + 1, offset(rows + 1, right), isMirrored);
    }
    if (!hasImage)
        throw Error(ErrorKind::BadConfig,
                    QL_TEXT("no input of the network is an image (four axes), so there are no variants of it; train "
                            "with the parameter augment = 0"));
    return feed;
}

} // namespace ql
