#include "core/io/sample_picture.h"

#include "gpu/reduce.h"

#include <algorithm>

namespace ql {

Range rangeOf(const at::Tensor &x)
{
    const float *data = x.data_ptr<float>();
    gpu::MinMax all;
    gpu::minMaxCpu(data, x.numel(), &all);
    if (std::isfinite(all.min) && std::isfinite(all.max)) return {all.min, all.max};
    Range range;
    for (std::int64_t i = 0; i < x.numel(); ++i) {
        if (!std::isfinite(data[i])) continue;
        range.min = std::min(range.min, double(data[i]));
        range.max = std::max(range.max, double(data[i]));
    }
    return range;
}

std::int64_t imageAxis(const at::Tensor &sample)
{
    const auto isColour = [](std::int64_t size) { return size == 1 || size == 3; };
    if (sample.dim() != 3) return -1;
    if (isColour(sample.size(0)) && sample.size(1) > 3) return 0;
    if (isColour(sample.size(2)) && sample.size(0) > 3) return 2;
    return -1;
}

std::optional<Image> pictureOf(const at::Tensor &sample, int side)
{
    at::Tensor x = sample.to(at::kFloat).contiguous();
    if (x.dim() == 4 && x.size(0) == 1) x = x[0]; // an image with a batch axis
    const std::int64_t axis = imageAxis(x);
    const Range range = rangeOf(x);
    if (axis < 0 || !(range.min <= range.max)) return std::nullopt;
    if (axis == 2) x = x.permute({2, 0, 1}).contiguous();
    const std::int64_t channels = x.size(0), height = x.size(1), width = x.size(2);
    const double shrink = std::max(1.0, double(std::max(height, width)) / double(side));
    Image image;
    image.width = std::max(1, int(double(width) / shrink));
    image.height = std::max(1, int(double(height) / shrink));
    image.bytes.resize(image.size());
    double low = 0, high = 255;
    if (range.min < -1e-3 || range.max > 255.5) {
        low = range.min;
        high = range.max;
    } else if (range.max <= 1.0001) {
        high = 1;
    }
    if (!(low < high)) high = low + 1;
    const float *data = x.data_ptr<float>();
    auto pixel = image.bytes.begin();
    for (int row = 0; row < image.height; ++row)
        for (int column = 0; column < image.width; ++column)
            for (std::int64_t c = 0; c < 3; ++c) {
                const std::int64_t y = std::min(height - 1, std::int64_t((double(row) + 0.5) * shrink));
                const std::int64_t z = std::min(width - 1, std::int64_t((double(column) + 0.5) * shrink));
                const double value = data[((channels == 3 ? c : 0) * height + y) * width + z];
                const double level = std::isfinite(value) ? (value - low) / (high - low) : 0;
                *pixel++ = std::uint8_t(std::lround(std::clamp(level, 0.0, 1.0) * 255));
            }
    return image;
}

} // namespace ql
