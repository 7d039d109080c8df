#include "core/quant/groups.h"

#include "core/base/error.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/bucketize.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/signbit.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/where.h>

#include <algorithm>
#include <cmath>

namespace ql {

namespace {

/// A tensor seen as [before, entries, after] around the axis of its groups.
struct GroupAxis
{
    std::int64_t before = 1, entries = 0, after = 1, groups = 0;
};

GroupAxis groupAxis(at::IntArrayRef sizes, const TensorQuantConfig &config)
{
    const auto axis = std::size_t(config.channelAxis.value_or(0));
    if (!config.isGrouped() || axis >= sizes.size())
        throw Error(ErrorKind::BadConfig, QL_TEXT("groups along axis %1, but the tensor has %2 axes")
                                              .with(config.channelAxis.value_or(-1), sizes.size()));
    GroupAxis found;
    for (std::size_t i = 0; i < axis; ++i) found.before *= sizes[i];
    for (std::size_t i = axis + 1; i < sizes.size(); ++i) found.after *= sizes[i];
    found.entries = sizes[axis];
    found.groups = (found.entries + config.groupSize - 1) / config.groupSize;
    return found;
}

} // namespace

std::vector<std::int64_t> groupShape(at::IntArrayRef sizes, const TensorQuantConfig &config)
{
    const GroupAxis axis = groupAxis(sizes, config);
    std::vector<std::int64_t> shape = sizes.vec();
    shape[std::size_t(*config.channelAxis)] = axis.groups;
    return shape;
}

std::size_t groupCount(at::IntArrayRef sizes, const TensorQuantConfig &config)
{
    const GroupAxis axis = groupAxis(sizes, config);
    return std::size_t(axis.before * axis.groups * axis.after);
}

at::Tensor groupRows(const at::Tensor &x, const TensorQuantConfig &config)
{
    const GroupAxis axis = groupAxis(x.sizes(), config);
    at::Tensor blocks = x.reshape({axis.before, axis.entries, axis.after});
    if (const std::int64_t missing = axis.groups * config.groupSize - axis.entries; missing > 0)
        blocks = at::cat({blocks, blocks.narrow(1, axis.entries - 1, 1).expand({axis.before, missing, axis.after})}, 1);
    return blocks.reshape({axis.before, axis.groups, config.groupSize, axis.after})
        .permute({0, 1, 3, 2})
        .contiguous()
        .reshape({-1, config.groupSize});
}

at::Tensor fromGroupRows(const at::Tensor &rows, at::IntArrayRef sizes, const TensorQuantConfig &config)
{
    const GroupAxis axis = groupAxis(sizes, config);
    return rows.reshape({axis.before, axis.groups, axis.after, config.groupSize})
        .permute({0, 1, 3, 2})
        .reshape({axis.before, axis.groups * config.groupSize, axis.after})
        .narrow(1, 0, axis.entries)
        .reshape(sizes);
}

TensorQuantConfig rowConfig(const TensorQuantConfig &config)
{
    TensorQuantConfig rows = config;
    rows.groupSize = 0;
    rows.channelAxis = 0;
    return rows;
}

at::Tensor scaleOfElements(const at::Tensor &scale, at::IntArrayRef sizes, const TensorQuantConfig &config)
{
    if (config.isGrouped())
        return fromGroupRows(scale.reshape({-1, 1}).expand({scale.numel(), config.groupSize}), sizes, config);
    if (!config.isPerChannel()) return scale.reshape({});
    std::vector<std::int64_t> shape(sizes.size(), 1);
    shape.at(std::size_t(*config.channelAxis)) = scale.numel();
    return scale.reshape(shape);
}

const std::vector<float> &codebookValues(Codebook)
{
    // The values of QLoRA, appendix E
    static const std::vector<float> nf4 = {-1.0F,
                                           -0.6961928009986877F,
                                           -0.5250730514526367F,
                                           -0.39491748809814453F,
                                           -0.28444138169288635F,
                                           -0.18477343022823334F,
                                           -0.09105003625154495F,
                                           0.0F,
                                           0.07958029955625534F,
                                           0.16093020141124725F,
                                           0.24611230194568634F,
                                           0.33791524171829224F,
                                           0.44070982933044434F,
                                           0.5626170039176941F,
                                           0.7229568362236023F,
                                           1.0F};
    return nf4;
}

at::Tensor codebookQuant(const at::Tensor &x, const at::Tensor &scale, Codebook codebook)
{
    const at::Tensor values = at::tensor(codebookValues(codebook), at::TensorOptions(at::kFloat)).to(x.device());
    const at::Tensor limits = (values.narrow(0, 0, values.numel() - 1) + values.narrow(0, 1, values.numel() - 1)) / 2;
    const at::Tensor u = x / scale;
    const at::Tensor y = values.index_select(0, at::bucketize(u, limits).reshape({-1})).reshape(x.sizes()) * scale;
    return at::where(x.isnan(), x, y);
}

std::vector<float> codeValues(const TensorQuantConfig &config)
{
    if (config.codebook != Codebook::None) return codebookValues(config.codebook);
    const int mantissa = config.mantissaBits(), bias = (1 << (config.exponentBits - 1)) - 1;
    const int half = 1 << (config.bits - 1);
    std::vector<float> values;
    for (int code = 0; code < 2 * half; ++code) {
        const int exponent = (code % half) >> mantissa;
        const float fraction = std::ldexp(float(code & ((1 << mantissa) - 1)), -mantissa);
        const float magnitude =
            exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, exponent - bias);
        values.push_back(code < half ? std::min(magnitude, float(config.quantMax))
                                     : std::max(-magnitude, float(config.quantMin)));
    }
    return values;
}

at::Tensor unpackedCodes(const at::Tensor &bytes, std::int64_t bits)
{
    std::vector<at::Tensor> parts;
    const at::Tensor wide = bytes.to(at::kInt);
    for (std::int64_t shift = 0; shift < 8; shift += bits)
        parts.push_back(wide.div(std::int64_t{1} << shift, "floor") % (std::int64_t{1} << bits));
    return at::stack(parts, -1).flatten(-2);
}

at::Tensor codesOfValues(const at::Tensor &values, const TensorQuantConfig &config)
{
    const at::Tensor table = at::tensor(codeValues(config), at::TensorOptions(at::kFloat));
    const auto indexIn = [](const at::Tensor &ascending, const at::Tensor &x) {
        return at::bucketize(x, ascending).clamp_max(ascending.numel() - 1);
    };
    if (config.codebook != Codebook::None) return indexIn(table, values).to(at::kByte);
    const std::int64_t half = table.numel() / 2;
    const at::Tensor negative = indexIn(-table.narrow(0, half, half), -values) + half;
    return at::where(at::signbit(values), negative, indexIn(table.narrow(0, 0, half), values)).to(at::kByte);
}

} // namespace ql
