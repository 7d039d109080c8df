#include "core/exec/runtime_kernels.h"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/sqrt.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace ql {

namespace {

constexpr std::int64_t lanes = 4; ///< numbers of an SSE2 vector
constexpr std::int64_t grain = 32768;

/// Column sums as MLAS multiplies a row of ones by a matrix: four rows, later two or one, are added to each other, and
/// then to the result.
void sumByFours(const float *x, float *y, std::int64_t rows, std::int64_t columns)
{
    for (std::int64_t first = 0; first < rows;) {
        const std::int64_t left = rows - first, count = left >= 4 ? 4 : left >= 2 ? 2 : 1;
        const float *row = x + first * columns;
        for (std::int64_t i = 0; i < columns; ++i) {
            float part = row[i];
            for (std::int64_t k = 1; k < count; ++k) part += row[k * columns + i];
            y[i] = first == 0 ? part : y[i] + part;
        }
        first += count;
    }
}

/// Column sums, row after row.
void sumInOrder(const float *x, float *y, std::int64_t rows, std::int64_t columns)
{
    std::copy_n(x, columns, y);
    for (std::int64_t row = 1; row < rows; ++row)
        for (std::int64_t i = 0; i < columns; ++i) y[i] += x[row * columns + i];
}

/// The sizes of runs of axes that are all kept or all reduced, in turn.
struct Runs
{
    std::vector<std::int64_t> sizes;
    bool startsReduced = false;

    Runs(at::IntArrayRef shape, const std::vector<bool> &isReduced)
    {
        for (std::size_t i = 0; i < shape.size(); ++i) {
            if (i == 0) startsReduced = isReduced[i];
            if (i > 0 && isReduced[i] == isReduced[i - 1])
                sizes.back() *= shape[i];
            else
                sizes.push_back(shape[i]);
        }
    }
};

/// x in plain order: numbers of one element of the result along the last axis.
void sumRows(const float *x, float *y, std::int64_t rows, std::int64_t length)
{
    at::parallel_for(0, rows, std::max<std::int64_t>(1, grain / length), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row) y[row] = runtimeRowSum(x + row * length, length, row * length);
    });
}

} // namespace

float runtimeRowSum(const float *x, std::int64_t length, std::int64_t start)
{
    const std::int64_t before = std::min(length, (lanes - start % lanes) % lanes);
    const std::int64_t vectors = (length - before) / lanes;
    float sum = x[0];
    if (vectors == 0) {
        for (std::int64_t i = 1; i < length; ++i) sum += x[i];
        return sum;
    }
    const float *vector = x + before;
    std::array<float, lanes> even, odd;
    const auto add = [&](std::array<float, lanes> &to, std::int64_t index) {
        for (std::int64_t i = 0; i < lanes; ++i) to[std::size_t(i)] += vector[index * lanes + i];
    };
    std::copy_n(vector, lanes, even.begin());
    if (vectors > 1) {
        std::copy_n(vector + lanes, lanes, odd.begin());
        for (std::int64_t i = 2; i + 1 < vectors; i += 2) {
            add(even, i);
            add(odd, i + 1);
        }
        for (std::size_t i = 0; i < even.size(); ++i) even[i] += odd[i];
        if (vectors % 2 != 0) add(even, vectors - 1);
    }
    sum = (even[0] + even[2]) + (even[1] + even[3]);
    for (std::int64_t i = 0; i < before; ++i) sum += x[i];
    for (std::int64_t i = before + vectors * lanes; i < length; ++i) sum += x[i];
    return sum;
}

at::Tensor runtimeSum(const at::Tensor &x, const std::vector<std::int64_t> &axes, bool keep)
{
    std::vector<bool> isReduced(std::size_t(x.dim()));
    for (const std::int64_t axis : axes) isReduced[std::size_t(axis)] = true;
    std::vector<std::int64_t> shape;
    for (std::int64_t i = 0; i < x.dim(); ++i) {
        const bool isKept = !isReduced[std::size_t(i)];
        if (isKept || keep) shape.push_back(isKept ? x.size(i) : 1);
    }
    const Runs runs(x.sizes(), isReduced);
    const std::vector<std::int64_t> &sizes = runs.sizes;
    at::Tensor y = at::empty(shape, x.options());
    const at::Tensor plain = x.contiguous();
    const float *in = plain.data_ptr<float>();
    float *out = y.data_ptr<float>();
    // Kernels for several kept parts run in parallel, if there are at least two and not fewer than threads
    const bool isMiddle = sizes.size() == 3 && sizes[runs.startsReduced ? 1 : 0] >= 2;
    if (!runs.startsReduced && sizes.size() == 2) {
        sumRows(in, out, sizes[0], sizes[1]);
    } else if (runs.startsReduced && sizes.size() == 1) {
        sumRows(in, out, 1, sizes[0]);
    } else if (!runs.startsReduced && isMiddle) {
        const std::int64_t rows = sizes[1], columns = sizes[2];
        at::parallel_for(0, sizes[0], std::max<std::int64_t>(1, grain / (rows * columns)),
                         [&](std::int64_t begin, std::int64_t end) {
                             for (std::int64_t i = begin; i < end; ++i)
                                 sumByFours(in + i * rows * columns, out + i * columns, rows, columns);
                         });
    } else if (runs.startsReduced && isMiddle) {
        std::vector<float> parts(std::size_t(sizes[0] * sizes[1]));
        sumRows(in, parts.data(), sizes[0] * sizes[1], sizes[2]);
        sumInOrder(parts.data(), out, sizes[0], sizes[1]);
    } else {
        std::vector<std::int64_t> order = axes;
        std::sort(order.begin(), order.end());
        for (std::int64_t i = 0; i < x.dim(); ++i)
            if (!isReduced[std::size_t(i)]) order.push_back(i);
        const at::Tensor rows = plain.permute(order).contiguous();
        sumInOrder(rows.data_ptr<float>(), out, x.numel() / y.numel(), y.numel());
    }
    return y;
}

at::Tensor runtimeGlobalMean(const at::Tensor &x)
{
    const at::Tensor plain = x.contiguous();
    std::vector<std::int64_t> shape(std::size_t(x.dim()), 1);
    std::copy_n(x.sizes().begin(), 2, shape.begin());
    at::Tensor y = at::empty(shape, x.options());
    const std::int64_t rows = y.numel(), length = x.numel() / rows;
    const float *in = plain.data_ptr<float>();
    float *out = y.data_ptr<float>();
    at::parallel_for(0, rows, std::max<std::int64_t>(1, grain / length), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row) {
            const float *values = in + row * length;
            std::array<float, lanes> parts{};
            std::int64_t i = 0;
            for (; i + lanes <= length; i += lanes)
                for (std::int64_t lane = 0; lane < lanes; ++lane) parts[std::size_t(lane)] += values[i + lane];
            float sum = (parts[0] + parts[2]) + (parts[1] + parts[3]);
            for (; i < length; ++i) sum += values[i];
            out[row] = sum / float(length);
        }
    });
    return y;
}

at::Tensor runtimeNorm(const at::Tensor &x, const std::vector<std::int64_t> &axes, bool keep)
{
    std::vector<std::int64_t> order = axes, shape;
    std::sort(order.begin(), order.end());
    for (std::int64_t i = 0; i < x.dim(); ++i) {
        const bool isKept = std::find(axes.begin(), axes.end(), i) == axes.end();
        if (isKept || keep) shape.push_back(isKept ? x.size(i) : 1);
        if (isKept) order.push_back(i);
    }
    at::Tensor y = at::empty(shape, x.options());
    const at::Tensor squares = (x * x).permute(order).contiguous();
    sumInOrder(squares.data_ptr<float>(), y.data_ptr<float>(), x.numel() / y.numel(), y.numel());
    return y.sqrt_();
}

} // namespace ql
