// Conv as ONNX Runtime computes it in float32, bit for bit: MLAS writes the windows of the input as columns and
// multiplies the weights by them (convolve.cpp, MlasConvExpandThenGemmSegmented). A single row of weights, as in a
// depthwise Conv, has another kernel (SgemmKernelM1Avx): products are rounded, four of them are added, then the sum of
// the four to the others. The bias is added at the end.
#include "core/exec/convolution.h"
#include "core/exec/runtime_kernels.h"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>

#include <vector>

namespace ql {

namespace {

/// Of one sample, with two spatial axes.
struct Windows
{
    std::int64_t height, width, rows, columns; ///< of the input, of the result
    std::int64_t kernelHeight, kernelWidth;
    ConvGeometry geometry;

    std::int64_t taps() const { return kernelHeight * kernelWidth; }
    std::int64_t count() const { return rows * columns; }

    /// x: a channel; out: [taps, count]
    void write(const float *x, float *out) const
    {
        for (std::int64_t tap = 0; tap < taps(); ++tap)
            for (std::int64_t row = 0; row < rows; ++row) {
                const std::int64_t y =
                    row * geometry.strides[0] - geometry.padBegin[0] + tap / kernelWidth * geometry.dilations[0];
                const std::int64_t left = tap % kernelWidth * geometry.dilations[1] - geometry.padBegin[1];
                for (std::int64_t column = 0; column < columns; ++column) {
                    const std::int64_t at = column * geometry.strides[1] + left;
                    *out++ = y < 0 || y >= height || at < 0 || at >= width ? 0 : x[y * width + at];
                }
            }
    }
};

/// The row of weights w times columns [terms, count].
void multiplyRow(const float *w, const float *columns, std::int64_t terms, std::int64_t count, float *out)
{
    for (std::int64_t first = 0; first < terms;) {
        const std::int64_t left = terms - first, some = left >= 4 ? 4 : left >= 2 ? 2 : 1;
        for (std::int64_t i = 0; i < count; ++i) {
            float sum = w[first] * columns[first * count + i];
            for (std::int64_t k = first + 1; k < first + some; ++k) sum += w[k] * columns[k * count + i];
            out[i] = first == 0 ? sum : out[i] + sum;
        }
        first += some;
    }
}

class RuntimeConvolution final : public PreparedKernel
{
public:
    std::vector<at::Tensor> run(const KernelContext &context, Inputs inputs) override
    {
        const at::Tensor &x = requiredInput(context, inputs, 0), &w = requiredInput(context, inputs, 1);
        const at::Tensor bias = inputs.size() > 2 ? inputs[2] : at::Tensor();
        const bool isKnown = x.dim() == 4 && w.dim() == 4 && x.numel() > 0 && x.device().is_cpu();
        const auto sums = isKnown ? sumsOf(context.op, x, w) : std::nullopt;
        if (!sums) return {convolve(context.op, x, w, bias)};
        return {bias.defined() ? *sums + bias.reshape({1, -1, 1, 1}) : *sums};
    }

private:
    static constexpr std::int64_t longestRow = 128; ///< then MLAS multiplies it in parts

    static std::optional<at::Tensor> sumsOf(const Operation &op, const at::Tensor &x, const at::Tensor &w)
    {
        Windows windows{x.size(2), x.size(3), 0, 0, w.size(2), w.size(3), convGeometry(op, x.sizes(), w.sizes())};
        const std::vector<std::int64_t> sizes = convOutputSizes(op, windows.geometry, x.sizes(), w.sizes());
        windows.rows = sizes[2];
        windows.columns = sizes[3];
        const std::int64_t groups = windows.geometry.group, outputs = w.size(0) / groups, channels = w.size(1);
        const std::int64_t terms = channels * windows.taps(), count = windows.count();
        if (outputs == 1 ? terms > longestRow : count < 2) return std::nullopt;
        const at::Tensor from = x.contiguous(), weight = w.contiguous().reshape({groups, outputs, terms});
        at::Tensor out = at::empty(sizes, from.options());
        const at::Tensor parts = out.view({x.size(0), groups, outputs, count});
        for (std::int64_t n = 0; n < x.size(0); ++n) {
            const float *sample = from.data_ptr<float>() + n * from.stride(0);
            if (outputs == 1) {
                multiplyRows(windows, sample, weight, parts[n].data_ptr<float>());
                continue;
            }
            for (std::int64_t g = 0; g < groups; ++g) {
                const auto product =
                    runtimeMatMul(weight[g].unsqueeze(0), columnsOf(windows, sample, g * channels, channels));
                if (!product) return std::nullopt;
                parts[n][g].copy_(product->squeeze(0));
            }
        }
        return out;
    }

    /// [1, channels * taps, count]
    static at::Tensor columnsOf(const Windows &windows, const float *sample, std::int64_t first, std::int64_t channels)
    {
        const std::int64_t terms = channels * windows.taps();
        at::Tensor columns = at::empty({1, terms, windows.count()}, at::TensorOptions(at::kFloat));
        float *to = columns.data_ptr<float>();
        at::parallel_for(0, channels, 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t c = begin; c < end; ++c)
                windows.write(sample + (first + c) * windows.height * windows.width,
                              to + c * windows.taps() * windows.count());
        });
        return columns;
    }

    /// Groups with one output channel each.
    static void multiplyRows(const Windows &windows, const float *sample, const at::Tensor &weight, float *out)
    {
        const std::int64_t terms = weight.size(2), channels = terms / windows.taps();
        at::parallel_for(0, weight.size(0), 1, [&](std::int64_t begin, std::int64_t end) {
            std::vector<float> columns(std::size_t(terms * windows.count()));
            for (std::int64_t g = begin; g < end; ++g) {
                for (std::int64_t c = 0; c < channels; ++c)
                    windows.write(sample + (g * channels + c) * windows.height * windows.width,
                                  columns.data() + c * windows.taps() * windows.count());
                multiplyRow(weight.data_ptr<float>() + g * terms, columns.data(), terms, windows.count(),
                            out + g * windows.count());
            }
        });
    }
};

} // namespace

std::shared_ptr<PreparedKernel> runtimeConvolution(const Operation &op)
{
    if (op.type != "Conv" || !op.domain.empty()) return nullptr;
    return std::make_shared<RuntimeConvolution>();
}

} // namespace ql
