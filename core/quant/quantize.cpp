#include "core/quant/quantize.h"

#include "core/base/error.h"
#include "core/quant/device.h"
#include "core/quant/groups.h"
#include "gpu/fake_quant.h"

#include <ATen/ops/aminmax.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/le.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/tensor.h>
#include <c10/core/DeviceGuard.h>

#include <limits>
#include <tuple>

namespace ql {

static_assert(int(Rounding::HalfEven) == int(gpu::Rounding::HalfEven) &&
                  int(Rounding::Down) == int(gpu::Rounding::Down),
              "the kernels take our rounding by value");

namespace {

/// Channels of a dense tensor by memory order.
struct ChannelLayout
{
    std::int64_t channels = 1;
    std::int64_t stride = 1;
};

ChannelLayout channelLayout(const at::Tensor &x, const TensorQuantConfig &config, std::size_t scales)
{
    if (!config.isPerChannel()) {
        if (scales != 1)
            throw Error(ErrorKind::BadConfig, QL_TEXT("a per-tensor config has %1 scales, expected 1").with(scales));
        return {};
    }
    const int axis = *config.channelAxis;
    if (axis >= x.dim() || std::int64_t(scales) != x.size(axis))
        throw Error(ErrorKind::BadConfig, QL_TEXT("scale has %1 entries, axis %2 has %3")
                                              .with(scales, axis,
                                                    axis < x.dim() ? Text(std::to_string(x.size(axis)))
                                                                   : QL_TEXT("no size (rank %1)").with(x.dim())));
    // An axis with a single entry may have any stride: the whole tensor is that channel.
    return {x.size(axis), x.size(axis) == 1 ? x.numel() : x.stride(axis)};
}

void requireFloat(const at::Tensor &x)
{
    if (x.scalar_type() != at::kFloat)
        throw Error(ErrorKind::Kernel, QL_TEXT("quantization needs float32, got %1").with(dtypeName(x.scalar_type())));
}

at::Tensor dense(const at::Tensor &x)
{
    return x.is_non_overlapping_and_dense() ? x : x.contiguous();
}

/// Scale and zero point of a dynamic config from the data itself.
void dynamicScale(const at::Tensor &x, const TensorQuantConfig &config, std::vector<float> &scale,
                  std::vector<std::int32_t> &zeroPoint)
{
    at::Tensor min, max;
    if (config.isPerChannel())
        std::tie(min, max) =
            at::aminmax(x.transpose(0, *config.channelAxis).reshape({x.size(*config.channelAxis), -1}), 1);
    else
        std::tie(min, max) = at::aminmax(x);
    min = toHost(min.reshape({-1})).contiguous();
    max = toHost(max.reshape({-1})).contiguous();
    scale.clear();
    zeroPoint.clear();
    for (std::int64_t c = 0; c < min.numel(); ++c) {
        const ScaleZero solved = solveRange(min.data_ptr<float>()[c], max.data_ptr<float>()[c], config);
        scale.push_back(solved.scale);
        zeroPoint.push_back(solved.zeroPoint);
    }
    roundScales(scale, config);
}

/// x and y: dense, same layout, on one device.
void apply(const at::Tensor &x, at::Tensor &y, const TensorQuantConfig &config, const std::vector<float> &scale,
           const std::vector<std::int32_t> &zeroPoint)
{
    if (config.isGrouped()) {
        const at::Tensor rows = groupRows(x, config); // may be a view of x
        at::Tensor rounded = at::empty_like(rows);
        apply(rows, rounded, rowConfig(config), scale, zeroPoint);
        y.copy_(fromGroupRows(rounded, x.sizes(), config));
        return;
    }
    const ChannelLayout layout = channelLayout(x, config, scale.size());
    if (config.codebook != Codebook::None) {
        const at::Tensor scales = at::tensor(scale, at::TensorOptions(at::kFloat)).to(x.device());
        y.copy_(codebookQuant(x, scaleOfElements(scales, x.sizes(), config), config.codebook));
        return;
    }
    const c10::DeviceGuard guard(x.device());
    const auto [kernels, stream] = kernelsFor(x);
    const float *in = x.data_ptr<float>();
    float *out = y.data_ptr<float>();
    const std::int64_t n = x.numel();
    const auto rounding = gpu::Rounding(int(config.rounding));
    int rc = 0;
    if (config.isFloating()) {
        const gpu::FloatParams format{
            scale[0], config.exponentBits, config.mantissaBits(), float(config.quantMin), float(config.quantMax),
            rounding};
        if (config.isPerChannel())
            rc = kernels->fakeQuantFloatChannel(in, out, n, {scale.data(), layout.channels, layout.stride, format},
                                                stream);
        else
            rc = kernels->fakeQuantFloat(in, out, n, format, stream);
    } else if (config.isPerChannel()) {
        rc = kernels->fakeQuantChannel(in, out, n,
                                       {scale.data(), zeroPoint.data(), layout.channels, layout.stride,
                                        float(config.quantMin), float(config.quantMax), rounding},
                                       stream);
    } else {
        rc = kernels->fakeQuant(
            in, out, n, {scale[0], zeroPoint[0], float(config.quantMin), float(config.quantMax), rounding}, stream);
    }
    checkKernel(rc, "quantization");
}

/// The same with the scales of a dynamic config.
void applyDynamic(const at::Tensor &x, at::Tensor &y, const TensorQuantConfig &config)
{
    if (config.isGrouped()) {
        const at::Tensor rows = groupRows(x, config); // may be a view of x
        at::Tensor rounded = at::empty_like(rows);
        applyDynamic(rows, rounded, rowConfig(config));
        y.copy_(fromGroupRows(rounded, x.sizes(), config));
        return;
    }
    std::vector<float> scale;
    std::vector<std::int32_t> zeroPoint;
    dynamicScale(x, config, scale, zeroPoint);
    apply(x, y, config, scale, zeroPoint);
}

} // namespace

void fakeQuantInPlace(at::Tensor &x, const TensorQuantConfig &config, const std::vector<float> &scale,
                      const std::vector<std::int32_t> &zeroPoint)
{
    requireFloat(x);
    if (x.numel() == 0) return;
    if (config.dynamic)
        applyDynamic(x, x, config);
    else
        apply(x, x, config, scale, zeroPoint);
}

at::Tensor fakeQuant(const at::Tensor &x, const TensorQuantConfig &config, const std::vector<float> &scale,
                     const std::vector<std::int32_t> &zeroPoint)
{
    requireFloat(x);
    if (x.numel() == 0) return x;
    const at::Tensor in = dense(x);
    at::Tensor y = at::empty_like(in);
    if (config.dynamic)
        applyDynamic(in, y, config);
    else
        apply(in, y, config, scale, zeroPoint);
    return y;
}

FakeQuantGradient fakeQuantGradient(const at::Tensor &x, const at::Tensor &dy, const TensorQuantConfig &config,
                                    const std::vector<float> &scale, const std::vector<std::int32_t> &zeroPoint)
{
    requireFloat(x);
    FakeQuantGradient gradient{dy, std::vector<double>(scale.size(), 0.0)};
    if (x.numel() == 0 || config.dynamic) return gradient;
    const at::Tensor in = dense(x);
    if (config.isGrouped()) {
        gradient = fakeQuantGradient(groupRows(in, config), groupRows(dy, config), rowConfig(config), scale, zeroPoint);
        gradient.input = fromGroupRows(gradient.input, x.sizes(), config);
        return gradient;
    }
    if (config.isFloating()) {
        const at::Tensor largest = at::full_like(in, std::numeric_limits<double>::infinity());
        gradient.input = at::mul(dy, at::le(in.abs(), fakeQuant(largest, config, scale, zeroPoint)));
        return gradient;
    }
    const ChannelLayout layout = channelLayout(in, config, scale.size());
    const at::Tensor slope = dy.strides() == in.strides() ? dy : at::empty_like(in).copy_(dy);
    gradient.input = at::empty_like(in);
    const c10::DeviceGuard guard(in.device());
    const auto [kernels, stream] = kernelsFor(in);
    const float *from = in.data_ptr<float>(), *dyData = slope.data_ptr<float>();
    float *dx = gradient.input.data_ptr<float>();
    const float low = float(config.quantMin), high = float(config.quantMax);
    const auto rounding = gpu::Rounding(int(config.rounding));
    const int rc =
        config.isPerChannel()
            ? kernels->fakeQuantBackwardChannel(
                  from, dyData, dx, gradient.scale.data(), in.numel(),
                  {scale.data(), zeroPoint.data(), layout.channels, layout.stride, low, high, rounding}, stream)
            : kernels->fakeQuantBackward(from, dyData, dx, gradient.scale.data(), in.numel(),
                                         {scale[0], zeroPoint[0], low, high, rounding}, stream);
    checkKernel(rc, "gradient of quantization");
    return gradient;
}

at::Tensor fakeQuant(const at::Tensor &x, const QuantPlan &plan, Slot slot)
{
    const TensorQuantConfig *config = plan.find(slot);
    if (!config) throw Error(ErrorKind::BadConfig, QL_TEXT("the slot has no quantization config"));
    return fakeQuant(x, *config, plan.scale(slot), plan.zeroPoint(slot));
}

at::Tensor simulatedParameter(const Graph &graph, const QuantPlan &plan, Slot slot)
{
    const at::Tensor &value = plan.parameterValue(graph, variableOf(graph, slot));
    return plan.simulated(slot) && value.scalar_type() == at::kFloat ? fakeQuant(value, plan, slot) : value;
}

at::ScalarType integerContainer(const TensorQuantConfig &config)
{
    if (config.isFloating() || config.dynamic)
        throw Error(ErrorKind::BadConfig, QL_TEXT("only static linear configs have integer codes"));
    if (config.quantMin >= 0 && config.quantMax <= 255) return at::kByte;
    if (config.quantMin >= -128 && config.quantMax <= 127) return at::kChar;
    if (config.quantMin >= -32768 && config.quantMax <= 32767) return at::kShort;
    return at::kInt;
}

at::Tensor quantizeToInteger(const at::Tensor &x, const TensorQuantConfig &config, const std::vector<float> &scale,
                             const std::vector<std::int32_t> &zeroPoint)
{
    requireFloat(x);
    if (config.isGrouped())
        return fromGroupRows(quantizeToInteger(groupRows(x, config), rowConfig(config), scale, zeroPoint), x.sizes(),
                             config)
            .contiguous();
    const at::Tensor in = x.contiguous();
    at::Tensor codes = at::empty(in.sizes(), in.options().dtype(integerContainer(config)));
    if (in.numel() == 0) return codes;
    const ChannelLayout layout = channelLayout(in, config, scale.size());
    const auto rounding = gpu::Rounding(int(config.rounding));
    const gpu::LinearParams tensor{scale[0], zeroPoint[0], float(config.quantMin), float(config.quantMax), rounding};
    const gpu::LinearChannelParams channel{scale.data(),  zeroPoint.data(),       layout.channels,
                                           layout.stride, float(config.quantMin), float(config.quantMax),
                                           rounding};
    const auto run = [&](auto *out) {
        if (config.isPerChannel())
            gpu::quantizeChannelCpu(in.data_ptr<float>(), out, in.numel(), channel);
        else
            gpu::quantizeCpu(in.data_ptr<float>(), out, in.numel(), tensor);
    };
    switch (codes.scalar_type()) {
    case at::kByte: run(codes.data_ptr<std::uint8_t>()); break;
    case at::kChar: run(codes.data_ptr<std::int8_t>()); break;
    case at::kShort: run(codes.data_ptr<std::int16_t>()); break;
    default: run(codes.data_ptr<std::int32_t>()); break;
    }
    return codes;
}

} // namespace ql
