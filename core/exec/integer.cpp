// Layers in integer arithmetic on codes held as float32. Rounding: half to even, once, after the exact sum. Source:
// ONNX QLinearConv-10; ONNX Runtime's QLinearConv, QGemm, QLinearMatMul and QLinearGlobalAveragePool (sum of codes *
// (x scale / (y scale * count))).
#include "core/exec/integer.h"

#include "core/exec/convolution.h"
#include "core/exec/matmul.h"
#include "gpu/fake_quant.h"

#include <ATen/ops/addcmul.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/floor.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/nan_to_num.h>
#include <ATen/ops/round.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/sum.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ql {

namespace {

/// Same as gpu::requantizeCpu, by LibTorch, for codes on a device: round(x * factor), half to even, then clamp. Codes
/// have no -0.
at::Tensor requantizedOnDevice(const at::Tensor &x, const at::Tensor &factor, const CodeGrid &grid)
{
    return at::clamp(at::round(at::nan_to_num(x * factor, 0.0)) + 0., grid.lowest, grid.highest);
}

/// Weight and bias as float64 on the device of the last input.
struct ExactCopies
{
    at::Tensor weight, bias;

    void follow(const at::Tensor &x, const at::Tensor &hostWeight, const at::Tensor &hostBias)
    {
        if (weight.defined() && weight.device() == x.device()) return;
        weight = hostWeight.to(x.device(), at::kDouble);
        if (hostBias.defined()) bias = hostBias.to(x.device(), at::kDouble);
    }
};

at::Tensor dense(const at::Tensor &x)
{
    return x.is_non_overlapping_and_dense() ? x : x.contiguous();
}

/// Weights in parts of fewer bits: w = sum of factor * part, and each part's sums of products stay exact.
struct WeightPart
{
    at::Tensor codes;
    double factor;
};

/// rows: converts a part to the form of largestSum. Empty if even single bits are too much.
template <class Rows>
std::vector<WeightPart> splitWeights(const at::Tensor &codes, const CodeGrid &x, const Rows &rows)
{
    for (const double base : {256.0, 16.0, 4.0, 2.0}) { // 256: all in one part
        std::vector<WeightPart> parts;
        at::Tensor rest = codes;
        bool isExact = true, isLast = false;
        for (double factor = 1; isExact && !isLast; factor *= base) {
            isLast = rest.abs().max().item().toDouble() < base;
            const at::Tensor above = at::floor(rest / base);
            const at::Tensor part = isLast ? rest : rest - above * base;
            isExact = largestSum(rows(part), x, {}) <= exactIntegers;
            parts.push_back({part, factor});
            rest = above;
        }
        if (isExact) return parts;
    }
    return {};
}

/// The sums of one layer: Conv through oneDNN (float64 if it does not support the layer), matrices through sgemm.
class Products
{
public:
    virtual ~Products() = default;
    virtual at::Tensor run(const KernelContext &context, const at::Tensor &x) = 0;
};

class ConvolutionProducts final : public Products
{
public:
    ConvolutionProducts(const KernelContext &context, at::Tensor weight, at::Tensor bias)
        : m_weight(std::move(weight)), m_bias(std::move(bias))
    {
        if (context.op.type == "ConvTranspose") return;
        Operation op = context.op;
        op.inputs.resize(m_bias.defined() ? 3 : 2);
        std::vector<at::Tensor> constants{{}, m_weight};
        if (m_bias.defined()) constants.push_back(m_bias);
        m_kernel = prepareDnnlConvolution(KernelContext{op, context.graph, context.job}, constants, {});
    }

    at::Tensor run(const KernelContext &context, const at::Tensor &x) override
    {
        const std::vector<at::Tensor> inputs{x};
        if (!x.is_cpu()) { // exact with any algorithm: integers below 2^53
            m_there.follow(x, m_weight, m_bias);
            return convolve(context.op, x.to(at::kDouble), m_there.weight, m_there.bias).to(at::kFloat);
        }
        if (m_kernel) return m_kernel->run(context, inputs).at(0);
        // LibTorch may choose an algorithm that transforms its float32 input
        const at::Tensor bias = m_bias.defined() ? m_bias.to(at::kDouble) : at::Tensor();
        return convolve(context.op, x.to(at::kDouble), m_weight.to(at::kDouble), bias).to(at::kFloat);
    }

private:
    at::Tensor m_weight, m_bias;
    ExactCopies m_there;
    std::unique_ptr<PreparedKernel> m_kernel;
};

/// x [..., K] times weight [K, N].
class MatrixProducts final : public Products
{
public:
    MatrixProducts(at::Tensor weight, at::Tensor bias) : m_weight(std::move(weight)), m_bias(std::move(bias)) {}

    at::Tensor run(const KernelContext &, const at::Tensor &x) override
    {
        if (!x.is_cpu()) {
            m_there.follow(x, m_weight, m_bias);
            const at::Tensor sum = at::matmul(x.to(at::kDouble), m_there.weight);
            return (m_bias.defined() ? sum + m_there.bias : sum).to(at::kFloat);
        }
        const at::Tensor y = matrixProduct(x, m_weight);
        return m_bias.defined() ? y + m_bias : y;
    }

private:
    at::Tensor m_weight, m_bias;
    ExactCopies m_there;
};

class IntegerKernel final : public PreparedKernel
{
public:
    struct Part
    {
        std::unique_ptr<Products> products;
        double factor;
    };

    /// bias: added after the sum; empty if a part adds it. channelAxis: of the result.
    IntegerKernel(std::vector<Part> parts, std::vector<double> bias, const IntegerLayer &layer,
                  std::int64_t channelAxis)
        : m_parts(std::move(parts)), m_bias(std::move(bias)), m_layer(layer), m_channelAxis(channelAxis)
    {
        for (const float scale : layer.weightScale) {
            m_steps.push_back(layer.input.scale * scale);
            m_factors.push_back(layer.input.scale * scale / layer.output.scale);
        }
        m_layer.weight = m_layer.bias = at::Tensor();
    }

    std::vector<at::Tensor> run(const KernelContext &context, Inputs inputs) override
    {
        at::Tensor y = dense(sums(context, requiredInput(context, inputs, 0)));
        std::vector<at::Tensor> out(m_layer.wantsSums ? 2 : 1);
        if (m_layer.wantsSums) out[1] = at::mul(y, alongChannels(m_steps, y));
        if (!y.is_cpu()) {
            out[0] = requantizedOnDevice(y, alongChannels(m_factors, y), m_layer.output);
            return out;
        }
        gpu::RequantizeParams p;
        p.factor = m_factors.data();
        p.channels = std::int64_t(m_factors.size());
        if (p.channels > 1) p.channelStride = y.stride(axisOf(y));
        p.lo = m_layer.output.lowest;
        p.hi = m_layer.output.highest;
        gpu::requantizeCpu(y.data_ptr<float>(), y.data_ptr<float>(), y.numel(), p);
        out[0] = std::move(y);
        return out;
    }

private:
    std::int64_t axisOf(const at::Tensor &y) const
    {
        return m_channelAxis < 0 ? m_channelAxis + y.dim() : m_channelAxis;
    }

    template <class Number>
    at::Tensor alongChannels(const std::vector<Number> &numbers, const at::Tensor &y) const
    {
        std::vector<std::int64_t> shape(std::size_t(y.dim()), 1);
        if (numbers.size() > 1) shape[std::size_t(axisOf(y))] = -1;
        const at::ScalarType type = std::is_same_v<Number, float> ? at::kFloat : at::kDouble;
        at::Tensor out = at::empty({std::int64_t(numbers.size())}, at::TensorOptions(type));
        std::copy(numbers.begin(), numbers.end(), out.data_ptr<Number>());
        return (y.is_cpu() ? out : out.to(y.device())).reshape(shape);
    }

    at::Tensor sums(const KernelContext &context, const at::Tensor &x)
    {
        if (m_parts.size() == 1 && m_bias.empty()) return m_parts[0].products->run(context, x);
        at::Tensor total;
        for (Part &part : m_parts) {
            const at::Tensor sum = part.products->run(context, x).to(at::kDouble) * part.factor;
            total = total.defined() ? total + sum : sum;
        }
        if (!m_bias.empty()) total = total + alongChannels(m_bias, total);
        return total.to(at::kFloat); // as the target converts its int32
    }

    std::vector<Part> m_parts;
    std::vector<double> m_bias;
    IntegerLayer m_layer;
    std::int64_t m_channelAxis;
    std::vector<float> m_steps, m_factors;
};

/// The values of a layer from exact sums, not rounded.
class SumsKernel final : public PreparedKernel
{
public:
    /// channelAxis: of the result
    SumsKernel(std::vector<std::unique_ptr<Products>> parts, const ExactSums &sums, std::int64_t channelAxis)
        : m_parts(std::move(parts)), m_steps(sums.steps), m_bias(sums.bias), m_channelAxis(channelAxis),
          m_addsLater(sums.addsLater)
    {}

    std::vector<at::Tensor> run(const KernelContext &context, Inputs inputs) override
    {
        const at::Tensor &x = requiredInput(context, inputs, 0);
        at::Tensor sum = m_parts[0]->run(context, x);
        for (std::size_t i = 1; i < m_parts.size(); ++i) sum = sum + m_parts[i]->run(context, x); // rounded once
        std::vector<std::int64_t> shape(std::size_t(sum.dim()), 1);
        if (m_steps.size() > 1) shape[std::size_t(m_channelAxis < 0 ? m_channelAxis + sum.dim() : m_channelAxis)] = -1;
        at::Tensor steps = at::empty({std::int64_t(m_steps.size())}, at::TensorOptions(at::kFloat));
        std::copy(m_steps.begin(), m_steps.end(), steps.data_ptr<float>());
        steps = steps.to(sum.device()).reshape(shape);
        if (!m_bias.defined()) return {at::mul(sum, steps)};
        std::vector<std::int64_t> channels(std::size_t(sum.dim()), 1);
        channels[std::size_t(m_channelAxis < 0 ? m_channelAxis + sum.dim() : m_channelAxis)] = -1;
        if (m_addsLater) return {at::mul(sum, steps).add_(m_bias.to(sum.device()).reshape(channels))};
        const at::Tensor bias = m_bias.to(sum.device(), at::kDouble).reshape(channels);
        return {at::addcmul(bias, sum.to(at::kDouble), steps.to(at::kDouble)).to(at::kFloat)}; // as if fused
    }

private:
    std::vector<std::unique_ptr<Products>> m_parts;
    std::vector<float> m_steps;
    at::Tensor m_bias;
    std::int64_t m_channelAxis;
    bool m_addsLater;
};

/// MatMul of two tensors that are computed at run time, or with a constant that is not one matrix.
class ProductOfTwo final : public PreparedKernel
{
public:
    /// codes: of a constant second operand, whose grid is layer.second
    explicit ProductOfTwo(const IntegerLayer &layer, at::Tensor codes = {}) : m_layer(layer), m_codes(std::move(codes))
    {}

    std::vector<at::Tensor> run(const KernelContext &context, Inputs inputs) override
    {
        const at::Tensor &a = requiredInput(context, inputs, 0);
        const at::Tensor b = m_codes.defined() ? m_codes.to(a.device()) : requiredInput(context, inputs, 1);
        const auto largest = [](const CodeGrid &grid) { return std::max(-grid.lowest, grid.highest); };
        const double sum = double(a.size(-1)) * largest(m_layer.input) * largest(*m_layer.second);
        const bool isExact = sum <= exactIntegers && a.is_cpu();
        const at::Tensor y =
            dense(isExact ? matrixProduct(a, b) : at::matmul(a.to(at::kDouble), b.to(at::kDouble)).to(at::kFloat));
        const float step = m_layer.input.scale * m_layer.second->scale, factor = step / m_layer.output.scale;
        std::vector<at::Tensor> out{requantizedOnDevice(y, at::scalar_tensor(factor, y.options()), m_layer.output)};
        if (m_layer.wantsSums) out.push_back(at::mul(y, step));
        return out;
    }

private:
    IntegerLayer m_layer;
    at::Tensor m_codes;
};

class IntegerAverage final : public PreparedKernel
{
public:
    explicit IntegerAverage(const IntegerLayer &layer) : m_layer(layer) {}

    std::vector<at::Tensor> run(const KernelContext &context, Inputs inputs) override
    {
        const at::Tensor &x = requiredInput(context, inputs, 0);
        if (x.dim() < 3)
            throw Error(ErrorKind::Kernel,
                        QL_TEXT("%1: expected [N, C, spatial...], got rank %2").with(context.op.type, x.dim()),
                        context.op.name);
        std::vector<std::int64_t> axes;
        std::int64_t count = 1;
        for (std::int64_t i = 2; i < x.dim(); ++i) {
            axes.push_back(i);
            count *= x.size(i);
        }
        const bool small = double(count) * 255 <= exactIntegers;
        at::Tensor y = dense(at::sum(small ? x : x.to(at::kDouble), axes, true).to(at::kFloat));
        std::vector<at::Tensor> out(m_layer.wantsSums ? 2 : 1);
        if (m_layer.wantsSums) out[1] = at::mul(y, m_layer.input.scale / float(count));
        const float factor = m_layer.input.scale / (m_layer.output.scale * float(count));
        if (!y.is_cpu()) {
            out[0] = requantizedOnDevice(y, at::scalar_tensor(factor, y.options()), m_layer.output);
            return out;
        }
        const gpu::RequantizeParams p{&factor, 1, 1, m_layer.output.lowest, m_layer.output.highest};
        gpu::requantizeCpu(y.data_ptr<float>(), y.data_ptr<float>(), y.numel(), p);
        out[0] = std::move(y);
        return out;
    }

private:
    IntegerLayer m_layer;
};

/// AveragePool over two spatial axes as ONNX Runtime computes it: values in float32, summed row by row, divided by
/// their number, then round(mean / scale + zero point) with the zero point of unsigned codes.
class AveragePool final : public PreparedKernel
{
public:
    AveragePool(const Operation &op, const IntegerLayer &layer)
        : m_layer(layer), m_kernel(op.intsAttribute("kernel_shape")), m_strides(op.intsAttribute("strides", {1, 1})),
          m_pads(op.intsAttribute("pads", {0, 0, 0, 0})), m_countsPadding(op.intAttribute("count_include_pad", 0) != 0)
    {}
    Text hostReason() const override { return QL_TEXT("its integer arithmetic follows the order of the CPU kernel"); }

    static bool isPossible(const Operation &op, const IntegerLayer &layer)
    {
        const auto all = [&](const char *key, std::size_t count, std::int64_t least) {
            const auto values = op.intsAttribute(key, std::vector<std::int64_t>(count, least));
            return values.size() == count &&
                   std::all_of(values.begin(), values.end(), [&](std::int64_t v) { return v >= least; });
        };
        const std::string autoPad = op.stringAttribute("auto_pad", "NOTSET");
        return op.hasAttribute("kernel_shape") && all("kernel_shape", 2, 1) && all("strides", 2, 1) &&
               all("pads", 4, 0) && op.intsAttribute("dilations", {1, 1}) == std::vector<std::int64_t>{1, 1} &&
               (autoPad == "NOTSET" || autoPad == "VALID") && op.intAttribute("ceil_mode", 0) == 0 &&
               layer.outputCodes == 256;
    }

    std::vector<at::Tensor> run(const KernelContext &context, Inputs inputs) override
    {
        const Operation &op = context.op;
        const at::Tensor codes = requiredInput(context, inputs, 0);
        if (codes.dim() != 4)
            throw Error(ErrorKind::Kernel, QL_TEXT("%1: expected [N, C, H, W], got rank %2").with(op.type, codes.dim()),
                        op.name);
        const at::Tensor x = valuesOfCodes(codes, m_layer.input).contiguous(at::MemoryFormat::ChannelsLast);
        const std::int64_t height = x.size(2), width = x.size(3), channels = x.size(1);
        const std::int64_t outHeight = (height + m_pads[0] + m_pads[2] - m_kernel[0]) / m_strides[0] + 1;
        const std::int64_t outWidth = (width + m_pads[1] + m_pads[3] - m_kernel[1]) / m_strides[1] + 1;
        if (height + m_pads[0] + m_pads[2] < m_kernel[0] || width + m_pads[1] + m_pads[3] < m_kernel[1])
            throw Error(ErrorKind::Kernel, QL_TEXT("%1: the kernel does not fit into the input").with(op.type),
                        op.name);
        checkElements(op, {x.size(0), channels, outHeight, outWidth});
        const auto options = x.options().memory_format(at::MemoryFormat::ChannelsLast);
        const at::Tensor mean = at::empty({x.size(0), channels, outHeight, outWidth}, options);
        const float *from = x.data_ptr<float>();
        float *to = mean.data_ptr<float>();
        for (std::int64_t n = 0; n < x.size(0); ++n)
            for (std::int64_t row = 0; row < outHeight; ++row)
                for (std::int64_t column = 0; column < outWidth; ++column, to += channels)
                    window(from + n * height * width * channels, to, row * m_strides[0] - m_pads[0],
                           column * m_strides[1] - m_pads[1], height, width, channels);
        const float zero = m_layer.outputZero;
        at::Tensor y = at::clamp(at::round(mean / m_layer.output.scale + zero) - zero + 0., m_layer.output.lowest,
                                 m_layer.output.highest);
        std::vector<at::Tensor> out{std::move(y)};
        if (m_layer.wantsSums) out.push_back(mean);
        return out;
    }

private:
    /// Mean of one window of x [height, width, channels] that starts at (top, left), for all channels.
    void window(const float *x, float *mean, std::int64_t top, std::int64_t left, std::int64_t height,
                std::int64_t width, std::int64_t channels) const
    {
        const std::int64_t bottom = std::min(top + m_kernel[0], height), right = std::min(left + m_kernel[1], width);
        top = std::max<std::int64_t>(top, 0);
        left = std::max<std::int64_t>(left, 0);
        std::fill(mean, mean + channels, 0.f);
        for (std::int64_t h = top; h < bottom; ++h)
            for (std::int64_t w = left; w < right; ++w) {
                const float *row = x + (h * width + w) * channels;
                for (std::int64_t c = 0; c < channels; ++c) mean[c] += row[c];
            }
        const std::int64_t count = m_countsPadding ? m_kernel[0] * m_kernel[1] : (bottom - top) * (right - left);
        for (std::int64_t c = 0; c < channels; ++c) mean[c] /= float(count);
    }

    IntegerLayer m_layer;
    std::vector<std::int64_t> m_kernel, m_strides, m_pads;
    bool m_countsPadding;
};

/// Bias codes, in steps of input scale * weight scale. False if one is beyond int32 or the sizes do not match.
bool biasCodes(const IntegerLayer &layer, std::int64_t channels, std::vector<double> &codes)
{
    if (!layer.bias.defined()) return true;
    if (layer.bias.scalar_type() != at::kFloat || layer.bias.numel() != channels) return false;
    const at::Tensor bias = layer.bias.contiguous();
    for (std::int64_t c = 0; c < channels; ++c) {
        const float step = layer.input.scale * layer.weightScale[layer.weightScale.size() > 1 ? std::size_t(c) : 0];
        codes.push_back(std::nearbyint(double(bias.data_ptr<float>()[c]) / double(step)));
        if (!(std::abs(codes.back()) <= double(std::numeric_limits<std::int32_t>::max()))) return false;
    }
    return true;
}

/// A convolution or a product with a matrix. channelAxis: of the weight.
std::unique_ptr<PreparedKernel> productKernel(const KernelContext &context, const IntegerLayer &layer,
                                              std::int64_t channelAxis, bool isConvolution)
{
    const at::Tensor &weight = layer.weight;
    at::Tensor codes = weightCodes(weight, layer.weightScale, channelAxis);
    std::vector<double> bias;
    if (!codes.defined() || !biasCodes(layer, weight.size(channelAxis), bias)) return nullptr;
    if (!isConvolution && channelAxis == 0) codes = codes.transpose(0, 1);
    const auto rows = [&](const at::Tensor &w) { return isConvolution ? w : w.transpose(0, 1); };
    const std::vector<WeightPart> weightParts = splitWeights(codes, layer.input, rows);
    if (weightParts.empty()) return nullptr;
    at::Tensor added; // the bias is inside the only part if the whole sum stays exact
    if (!bias.empty() && weightParts.size() == 1 && largestSum(rows(codes), layer.input, bias) <= exactIntegers) {
        added = at::empty({std::int64_t(bias.size())}, weight.options());
        std::copy(bias.begin(), bias.end(), added.data_ptr<float>());
        bias.clear();
    }
    std::vector<IntegerKernel::Part> parts;
    for (const WeightPart &part : weightParts) {
        std::unique_ptr<Products> products;
        if (isConvolution)
            products = std::make_unique<ConvolutionProducts>(context, part.codes, added);
        else
            products = std::make_unique<MatrixProducts>(part.codes, added);
        parts.push_back({std::move(products), part.factor});
    }
    return std::make_unique<IntegerKernel>(std::move(parts), std::move(bias), layer, isConvolution ? 1 : -1);
}

bool isFloatWeight(const at::Tensor &weight)
{
    return weight.defined() && weight.scalar_type() == at::kFloat && weight.numel() > 0;
}

/// MatMul with a constant vector, or with one matrix per entry of a batch.
std::unique_ptr<PreparedKernel> productWithConstant(const IntegerLayer &layer)
{
    if (layer.weightScale.size() != 1 || layer.bias.defined() || layer.weight.dim() == 0) return nullptr;
    const at::Tensor codes = weightCodes(layer.weight, layer.weightScale, 0);
    if (!codes.defined()) return nullptr;
    IntegerLayer both = layer;
    both.weight = at::Tensor();
    both.second = CodeGrid{.scale = layer.weightScale[0], .lowest = -128, .highest = 127};
    return std::make_unique<ProductOfTwo>(both, codes);
}

} // namespace

std::unique_ptr<PreparedKernel> integerConvolution(const KernelContext &context, const IntegerLayer &layer)
{
    if (!isFloatWeight(layer.weight) || layer.weight.dim() < 3 || layer.weight.dim() > 5) return nullptr;
    return productKernel(context, layer, 0, true);
}

std::unique_ptr<PreparedKernel> integerProduct(const KernelContext &context, const IntegerLayer &layer)
{
    const Operation &op = context.op;
    if (layer.second) return op.type == "MatMul" ? std::make_unique<ProductOfTwo>(layer) : nullptr;
    if (!isFloatWeight(layer.weight)) return nullptr;
    if (op.type == "MatMul" && layer.weight.dim() != 2) return productWithConstant(layer);
    if (layer.weight.dim() != 2) return nullptr;
    if (op.intAttribute("transA", 0) != 0 || op.floatAttribute("alpha", 1) != 1 || op.floatAttribute("beta", 1) != 1)
        return nullptr;
    return productKernel(context, layer, op.intAttribute("transB", 0) != 0 ? 0 : 1, false);
}

std::unique_ptr<PreparedKernel> sumsOfConvolution(const KernelContext &context, const ExactSums &sums)
{
    std::vector<std::unique_ptr<Products>> parts;
    for (const ExactSums::Part &part : sums.parts)
        parts.push_back(std::make_unique<ConvolutionProducts>(context, part.weight, part.bias));
    return std::make_unique<SumsKernel>(std::move(parts), sums, 1);
}

std::unique_ptr<PreparedKernel> sumsOfProducts(const KernelContext &context, const ExactSums &sums)
{
    const bool isTransposed = context.op.intAttribute("transB", 0) != 0;
    std::vector<std::unique_ptr<Products>> parts;
    for (const ExactSums::Part &part : sums.parts)
        parts.push_back(
            std::make_unique<MatrixProducts>(isTransposed ? part.weight.transpose(0, 1) : part.weight, part.bias));
    return std::make_unique<SumsKernel>(std::move(parts), sums, -1);
}

std::unique_ptr<PreparedKernel> integerGlobalAverage(const KernelContext &, const IntegerLayer &layer)
{
    return std::make_unique<IntegerAverage>(layer);
}

std::unique_ptr<PreparedKernel> integerAverage(const KernelContext &context, const IntegerLayer &layer)
{
    if (!AveragePool::isPossible(context.op, layer)) return nullptr;
    return std::make_unique<AveragePool>(context.op, layer);
}

at::Tensor centredCodes(const at::Tensor &values, const CodeGrid &grid)
{
    const at::Tensor x = dense(values);
    // values / scale is an integer up to three roundings: the product with 1 / scale rounds to the same one
    const float factor = 1.f / grid.scale;
    if (!x.is_cpu()) return requantizedOnDevice(x, at::scalar_tensor(factor, x.options()), grid);
    at::Tensor codes = at::empty_like(x);
    const gpu::RequantizeParams p{&factor, 1, 1, grid.lowest, grid.highest};
    gpu::requantizeCpu(x.data_ptr<float>(), codes.data_ptr<float>(), x.numel(), p);
    return codes;
}

at::Tensor valuesOfCodes(const at::Tensor &codes, const CodeGrid &grid)
{
    return at::mul(codes, grid.scale);
}

} // namespace ql
