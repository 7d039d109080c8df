#include "gpu/fake_quant.h"

#include "gpu/fake_quant_scalar.h"
#include "gpu/map_cpu.h"

namespace ql::gpu {

namespace {

Channels channelsOf(const LinearChannelParams &p)
{
    return {p.scale, p.zeroPoint, p.channels, p.channelStride};
}

/// Body for withTensorMap and withChannelMap: floats in, floats out.
auto over(const float *x, float *y, std::int64_t n)
{
    return [=](const auto &map) {
        forBlocks(n, kBlock, [&](std::int64_t begin, std::int64_t end) { map(x + begin, y + begin, begin, end); });
    };
}

} // namespace

void fakeQuantCpu(const float *x, float *y, std::int64_t n, const LinearParams &p)
{
    withRounding(p.rounding, [&](auto tag) {
        const LinearFakeQuant<decltype(tag)::value> op{p.quantMin, p.quantMax};
        withTensorMap(op, p.scale, float(p.zeroPoint), over(x, y, n));
    });
}

void fakeQuantChannelCpu(const float *x, float *y, std::int64_t n, const LinearChannelParams &p)
{
    withRounding(p.rounding, [&](auto tag) {
        const LinearFakeQuant<decltype(tag)::value> op{p.quantMin, p.quantMax};
        withChannelMap(op, channelsOf(p), over(x, y, n));
    });
}

void fakeQuantFloatCpu(const float *x, float *y, std::int64_t n, const FloatParams &p)
{
    withRounding(p.rounding, [&](auto tag) {
        withTensorMap(FloatFakeQuant<decltype(tag)::value>{makeFloatGrid(p)}, p.scale, 0.f, over(x, y, n));
    });
}

void fakeQuantFloatChannelCpu(const float *x, float *y, std::int64_t n, const FloatChannelParams &p)
{
    withRounding(p.format.rounding, [&](auto tag) {
        const FloatFakeQuant<decltype(tag)::value> op{makeFloatGrid(p.format)};
        withChannelMap(op, Channels{p.scale, nullptr, p.channels, p.channelStride}, over(x, y, n));
    });
}

void requantizeCpu(const float *x, float *y, std::int64_t n, const RequantizeParams &p)
{
    withChannelMap(Requantize{p.lo, p.hi}, Channels{p.factor, nullptr, p.channels, p.channelStride}, over(x, y, n));
}

} // namespace ql::gpu
