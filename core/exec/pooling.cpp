// Pooling over the spatial axes of [N, C, spatial...]. Source: ONNX MaxPool, AveragePool, GlobalMaxPool,
// GlobalAveragePool, LpPool.
#include "core/exec/integer.h"
#include "core/exec/kernel.h"
#include "core/exec/runtime_kernels.h"

#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/avg_pool1d.h>
#include <ATen/ops/avg_pool2d.h>
#include <ATen/ops/avg_pool3d.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/max_pool1d.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/max_pool3d.h>
#include <ATen/ops/max_pool3d_with_indices.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/norm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <limits>

namespace ql {

namespace {

struct PoolGeometry
{
    std::vector<std::int64_t> kernel, strides, dilations, padBegin, padEnd;
    bool ceilMode = false;
};

/// Explicit or automatic padding resolved for one input; ceil mode becomes extra padding at the end, marked by
/// ceilExtra.
PoolGeometry poolGeometry(const Operation &op, const at::Tensor &x, std::vector<std::int64_t> &ceilExtra)
{
    if (x.dim() < 3)
        throw Error(ErrorKind::Kernel, QL_TEXT("%1: expected [N, C, spatial...], got rank %2").with(op.type, x.dim()),
                    op.name);
    const std::size_t spatial = std::size_t(x.dim()) - 2;
    PoolGeometry g;
    g.kernel = op.intsAttribute("kernel_shape");
    g.strides = op.intsAttribute("strides", std::vector<std::int64_t>(spatial, 1));
    g.dilations = op.intsAttribute("dilations", std::vector<std::int64_t>(spatial, 1));
    const std::vector<std::int64_t> pads = op.intsAttribute("pads", std::vector<std::int64_t>(2 * spatial, 0));
    if (g.kernel.size() != spatial || g.strides.size() != spatial || g.dilations.size() != spatial ||
        pads.size() != 2 * spatial)
        throw Error(ErrorKind::Kernel,
                    QL_TEXT("%1: kernel_shape, strides, dilations or pads do not match an input of rank %2")
                        .with(op.type, x.dim()),
                    op.name);
    g.padBegin.assign(pads.begin(), pads.begin() + std::ptrdiff_t(spatial));
    g.padEnd.assign(pads.begin() + std::ptrdiff_t(spatial), pads.end());
    g.ceilMode = op.intAttribute("ceil_mode", 0) != 0;
    const std::string autoPad = op.stringAttribute("auto_pad", "NOTSET");
    const bool same = autoPad == "SAME_UPPER" || autoPad == "SAME_LOWER";
    if (!same && autoPad != "VALID" && autoPad != "NOTSET" && !autoPad.empty())
        throw Error(
            ErrorKind::Kernel,
            QL_TEXT("%1: auto_pad is '%2', expected NOTSET, SAME_UPPER, SAME_LOWER or VALID").with(op.type, autoPad),
            op.name);
    ceilExtra.assign(spatial, 0);
    for (std::size_t i = 0; i < spatial; ++i) {
        if (g.kernel[i] < 1 || g.strides[i] < 1 || g.dilations[i] < 1)
            throw Error(ErrorKind::Kernel,
                        QL_TEXT("%1: kernel_shape, strides and dilations must be positive").with(op.type), op.name);
        const std::int64_t in = x.size(std::int64_t(i) + 2);
        const std::int64_t extent = g.dilations[i] * (g.kernel[i] - 1) + 1;
        if (autoPad == "VALID") g.padBegin[i] = g.padEnd[i] = 0;
        if (same) {
            const std::int64_t total =
                std::max<std::int64_t>(((in + g.strides[i] - 1) / g.strides[i] - 1) * g.strides[i] + extent - in, 0);
            g.padBegin[i] = autoPad == "SAME_UPPER" ? total / 2 : total - total / 2;
            g.padEnd[i] = total - g.padBegin[i];
        }
        const std::int64_t room = in + g.padBegin[i] + g.padEnd[i] - extent;
        if (room <= -g.strides[i])
            throw Error(ErrorKind::Kernel,
                        QL_TEXT("%1: the kernel does not fit into axis %2 of size %3").with(op.type, i + 2, in),
                        op.name);
        if (room < 0) {
            ceilExtra[i] = -room; // one window, by ONNX's formula in ceil mode, and in ONNX Runtime always
        } else if (g.ceilMode && room % g.strides[i] != 0) {
            const std::int64_t last = (room / g.strides[i] + 1) * g.strides[i]; // start of the extra window
            if (last < in + g.padBegin[i])
                ceilExtra[i] = g.strides[i] - room % g.strides[i]; // windows may not start in the padding
        }
    }
    return g;
}

std::vector<std::int64_t> torchPads(const std::vector<std::int64_t> &begin, const std::vector<std::int64_t> &end)
{
    std::vector<std::int64_t> pads;
    for (std::size_t i = begin.size(); i-- > 0;) {
        pads.push_back(begin[i]);
        pads.push_back(end[i]);
    }
    return pads;
}

bool halfOfKernelAtMost(const PoolGeometry &g)
{
    for (std::size_t i = 0; i < g.kernel.size(); ++i)
        if (g.padBegin[i] * 2 > g.kernel[i]) return false; // LibTorch's own limit
    return true;
}

void checkPadded(const Operation &op, const at::Tensor &x, const std::vector<std::int64_t> &begin,
                 const std::vector<std::int64_t> &end)
{
    std::vector<std::int64_t> shape = x.sizes().vec();
    for (std::size_t i = 0; i < begin.size(); ++i) shape[i + 2] += begin[i] + end[i];
    checkElements(op, shape, x.element_size());
}

/// MaxPool with its second output: the position of each maximum in the whole unpadded input of the given sizes,
/// spatial axes in row-major order or, with storage_order, in column-major order.
std::vector<at::Tensor> withIndices(const Operation &op, const at::Tensor &x, const PoolGeometry &g,
                                    const std::vector<std::int64_t> &moved, const std::vector<std::int64_t> &sizes,
                                    at::ScalarType type)
{
    // One and two spatial axes are three with leading ones
    const std::size_t missing = 3 - std::min<std::size_t>(g.kernel.size(), 3);
    const auto three = [&](std::vector<std::int64_t> v, std::int64_t fill) {
        v.insert(v.begin(), missing, fill);
        return v;
    };
    at::Tensor volume = x;
    for (std::size_t i = 0; i < missing; ++i) volume = volume.unsqueeze(2);
    auto [values, index] = at::max_pool3d_with_indices(volume, three(g.kernel, 1), three(g.strides, 1),
                                                       three(g.padBegin, 0), three(g.dilations, 1));
    // Position in the padded plane -> coordinates -> position in the input
    const std::size_t rank = g.kernel.size();
    std::vector<at::Tensor> coordinate(rank);
    at::Tensor rest = index;
    for (std::size_t i = rank; i-- > 0;) {
        const std::int64_t size = x.size(std::int64_t(i) + 2);
        coordinate[i] = rest % size - moved[i];
        rest = rest.div(size, "floor");
    }
    const bool columns = op.intAttribute("storage_order", 0) != 0;
    at::Tensor position = at::zeros_like(index);
    std::int64_t plane = 1;
    for (std::size_t k = 0; k < rank; ++k) {
        const std::size_t i = columns ? rank - 1 - k : k;
        position = position * sizes[i + 2] + coordinate[i];
        plane *= sizes[i + 2];
    }
    for (std::size_t i = 0; i < missing; ++i) {
        values = values.squeeze(2);
        position = position.squeeze(2);
    }
    const at::Tensor planes = at::arange(sizes[0] * sizes[1], position.options()) * plane;
    std::vector<std::int64_t> shape(sizes.size(), 1);
    shape[0] = sizes[0];
    shape[1] = sizes[1];
    return {values.to(type), position + planes.reshape(shape)};
}

/// If it saves comparisons: the maxima of the rows of each window, then of these. A 13 x 13 window with stride 1 takes
/// 26 comparisons instead of 169.
at::Tensor maxPool2d(const at::Tensor &x, const PoolGeometry &g)
{
    const auto &k = g.kernel, &s = g.strides, &p = g.padBegin, &d = g.dilations;
    const auto windows = [&](std::size_t i) {
        return (x.size(std::int64_t(i) + 2) + 2 * p[i] - d[i] * (k[i] - 1) - 1) / s[i] + 1;
    };
    const std::int64_t rows = windows(0), columns = windows(1), direct = rows * columns * k[0] * k[1];
    const std::int64_t apart = x.size(2) * columns * k[1] + rows * columns * k[0];
    if (2 * apart > direct) return at::max_pool2d(x, k, s, p, d); // a second pass over memory has its cost
    const at::Tensor ofRows = at::max_pool2d(x, {1, k[1]}, {1, s[1]}, {0, p[1]}, {1, d[1]});
    return at::max_pool2d(ofRows, {k[0], 1}, {s[0], 1}, {p[0], 0}, {d[0], 1});
}

std::vector<at::Tensor> maxPool(const KernelContext &context, Inputs inputs)
{
    at::Tensor x = requiredInput(context, inputs, 0);
    const bool wantsIndices = context.op.outputs.size() > 1 && context.op.outputs[1] != noVar;
    const std::vector<std::int64_t> sizes = x.sizes().vec();
    std::vector<std::int64_t> extra;
    PoolGeometry g = poolGeometry(context.op, x, extra);
    const at::ScalarType type = x.scalar_type();
    if (!at::isFloatingType(type)) x = x.to(at::kFloat); // int8 and uint8 are exact in float32
    std::vector<std::int64_t> end = g.padEnd;
    std::vector<std::int64_t> moved(end.size(), 0); // how far padding shifts the positions of x
    for (std::size_t i = 0; i < end.size(); ++i) end[i] += extra[i];
    if (end != g.padBegin || !halfOfKernelAtMost(g)) {
        checkPadded(context.op, x, g.padBegin, end);
        x = at::constant_pad_nd(x, torchPads(g.padBegin, end), -std::numeric_limits<double>::infinity());
        moved = g.padBegin;
        g.padBegin.assign(end.size(), 0);
    }
    if (wantsIndices) return withIndices(context.op, x, g, moved, sizes, type);
    at::Tensor y;
    if (g.kernel.size() == 1)
        y = at::max_pool1d(x, g.kernel, g.strides, g.padBegin, g.dilations);
    else if (g.kernel.size() == 2)
        y = maxPool2d(x, g);
    else // more are refused
        y = at::max_pool3d(x, g.kernel, g.strides, g.padBegin, g.dilations);
    return {y.to(type)};
}

/// com.microsoft NhwcMaxPool-1: MaxPool with the channels on the last axis.
std::vector<at::Tensor> maxPoolChannelsLast(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    if (x.dim() < 3)
        throw Error(ErrorKind::Kernel,
                    QL_TEXT("%1: expected [N, spatial..., C], got rank %2").with(context.op.type, x.dim()),
                    context.op.name);
    const at::Tensor channelsFirst = x.movedim(-1, 1).contiguous();
    return {maxPool(context, {&channelsFirst, 1})[0].movedim(1, -1).contiguous()};
}

/// The sum over each window, any number of axes, with dilations: one strided view per position in the window.
at::Tensor windowSum(const at::Tensor &x, const PoolGeometry &g)
{
    std::vector<std::int64_t> place(g.kernel.size(), 0);
    at::Tensor sum;
    while (true) {
        at::Tensor part = x;
        for (std::size_t i = 0; i < place.size(); ++i) {
            const auto axis = std::int64_t(i) + 2;
            const std::int64_t count = (x.size(axis) - g.dilations[i] * (g.kernel[i] - 1) - 1) / g.strides[i] + 1;
            const std::int64_t start = place[i] * g.dilations[i];
            part = part.slice(axis, start, start + (count - 1) * g.strides[i] + 1, g.strides[i]);
        }
        sum = sum.defined() ? sum + part : part;
        std::size_t i = 0;
        while (i < place.size() && ++place[i] == g.kernel[i]) place[i++] = 0;
        if (i == place.size()) return sum;
    }
}

at::Tensor averageOf(const at::Tensor &x, const PoolGeometry &g)
{
    const bool dilated = std::any_of(g.dilations.begin(), g.dilations.end(), [](std::int64_t d) { return d != 1; });
    if (dilated || g.kernel.size() > 3) {
        double count = 1;
        for (const std::int64_t k : g.kernel) count *= double(k);
        return windowSum(x, g) / count;
    }
    const std::vector<std::int64_t> none(g.kernel.size(), 0);
    if (g.kernel.size() == 1) return at::avg_pool1d(x, g.kernel, g.strides, none, false, true);
    if (g.kernel.size() == 2) return at::avg_pool2d(x, g.kernel, g.strides, none, false, true);
    return at::avg_pool3d(x, g.kernel, g.strides, none, false, true);
}

std::vector<at::Tensor> averagePool(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    std::vector<std::int64_t> extra;
    const PoolGeometry g = poolGeometry(context.op, x, extra);
    const bool includePad = context.op.intAttribute("count_include_pad", 0) != 0;
    std::vector<std::int64_t> end = g.padEnd;
    bool padded = false;
    bool anyExtra = false;
    for (std::size_t i = 0; i < end.size(); ++i) {
        end[i] += extra[i];
        padded = padded || g.padBegin[i] != 0 || end[i] != 0;
        anyExtra = anyExtra || extra[i] != 0;
    }
    if (!padded) return {averageOf(x, g)};
    checkPadded(context.op, x, g.padBegin, end);
    // Average over the padded tensor, then correct the divisor: windows count real elements, or also the declared
    // padding, but never the padding of ceil mode.
    const at::Tensor sum = averageOf(at::constant_pad_nd(x, torchPads(g.padBegin, end), 0), g);
    if (includePad && !anyExtra) return {sum};
    std::vector<std::int64_t> shape(x.sizes().begin(), x.sizes().end());
    shape[0] = shape[1] = 1;
    at::Tensor counted = at::ones(shape, x.options());
    const std::vector<std::int64_t> zero(end.size(), 0);
    if (includePad)
        counted = at::constant_pad_nd(at::constant_pad_nd(counted, torchPads(g.padBegin, g.padEnd), 1),
                                      torchPads(zero, extra), 0);
    else
        counted = at::constant_pad_nd(counted, torchPads(g.padBegin, end), 0);
    return {sum / averageOf(counted, g)};
}

std::vector<std::int64_t> spatialAxes(const KernelContext &context, const at::Tensor &x)
{
    if (x.dim() < 3)
        throw Error(ErrorKind::Kernel,
                    QL_TEXT("%1: expected [N, C, spatial...], got rank %2").with(context.op.type, x.dim()),
                    context.op.name);
    std::vector<std::int64_t> axes;
    for (std::int64_t i = 2; i < x.dim(); ++i) axes.push_back(i);
    return axes;
}

std::vector<at::Tensor> globalAverage(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    return {at::mean(x, spatialAxes(context, x), true)};
}

std::vector<at::Tensor> globalAverageOfRuntime(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    spatialAxes(context, x); // or an error
    if (x.scalar_type() != at::kFloat || x.numel() == 0) return globalAverage(context, inputs);
    return {runtimeGlobalMean(x)};
}

std::vector<at::Tensor> globalMax(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    return {at::amax(x, spatialAxes(context, x), true)};
}

/// (sum of |x|^p over the window)^(1/p); padding counts as 0.
std::vector<at::Tensor> lpPool(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const double p = double(context.op.intAttribute("p", 2));
    std::vector<std::int64_t> extra;
    const PoolGeometry g = poolGeometry(context.op, x, extra);
    std::vector<std::int64_t> end = g.padEnd;
    for (std::size_t i = 0; i < end.size(); ++i) end[i] += extra[i];
    checkPadded(context.op, x, g.padBegin, end);
    const at::Tensor padded = at::constant_pad_nd(x, torchPads(g.padBegin, end), 0);
    return {windowSum(padded.abs().pow(p), g).pow(1 / p)};
}

std::vector<at::Tensor> globalLpPool(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    return {at::norm(x, context.op.intAttribute("p", 2), spatialAxes(context, x), true)};
}

Text maxPoolRefusal(const Operation &op)
{
    const std::size_t axes = op.intsAttribute("kernel_shape").size();
    return axes > 3 ? QL_TEXT("%1 spatial axes are not implemented").with(axes) : Text();
}

const KernelRegistrar lpPoolKernel{
    {"LpPool"}, {.run = lpPool, .minOpset = 2, .family = "pooling", .onDevice = always}, {.shapes = typeOfInput0()}};
const KernelRegistrar globalLpKernel{{"GlobalLpPool"},
                                     {.run = globalLpPool, .minOpset = 2, .family = "pooling", .onDevice = always}};
const KernelRegistrar maxPoolKernel{{"MaxPool"},
                                    {.run = maxPool,
                                     .family = "pooling",
                                     .limits = "one to three spatial axes",
                                     .refusal = maxPoolRefusal,
                                     .onDevice = always},
                                    {.channels = ChannelUse::Carries,
                                     .isPassive = true,
                                     .keepsGrid = true,
                                     .isHomogeneous = true,
                                     .shapes = typeOfInput0()}};
const KernelRegistrar channelsLastKernel{
    {"com.microsoft:NhwcMaxPool"},
    {.run = maxPoolChannelsLast,
     .family = "pooling",
     .limits = "one to three spatial axes",
     .refusal = maxPoolRefusal,
     .onDevice = always},
    {.isPassive = true, .keepsGrid = true, .handlesCodes = true, .shapes = typeOfInput0()}};
const KernelRegistrar averagePoolKernel{{"AveragePool"},
                                        {.run = averagePool,
                                         .family = "pooling",
                                         .onDevice = always,
                                         .integerForm = integerAverage,
                                         .openvinoRoundsResult = true},
                                        {.alignment = Alignment::Pooling,
                                         .channels = ChannelUse::Carries,
                                         .isHomogeneous = true,
                                         .isLinear = always,
                                         .shapes = typeOfInput0()}};
const KernelRegistrar globalAverageKernel{{"GlobalAveragePool"},
                                          {.run = globalAverage,
                                           .family = "pooling",
                                           .onDevice = always,
                                           .integerForm = integerGlobalAverage,
                                           .asRuntime = globalAverageOfRuntime,
                                           .openvinoRoundsResult = true},
                                          {.alignment = Alignment::Pooling,
                                           .channels = ChannelUse::Carries,
                                           .isHomogeneous = true,
                                           .isLinear = always,
                                           .shapes = typeOfInput0()}};
const KernelRegistrar globalMaxKernel{
    {"GlobalMaxPool"},
    {.run = globalMax, .family = "pooling", .onDevice = always, .openvinoRoundsResult = true},
    {.channels = ChannelUse::Carries, .isPassive = true, .isHomogeneous = true, .shapes = typeOfInput0()}};

} // namespace

} // namespace ql
