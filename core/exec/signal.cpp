// Spectra. Transforms are computed as products with the matrix of cosines and sines in float64: exact for every
// length, and frames are short. Source: ONNX DFT-20, STFT-17, HannWindow-17, HammingWindow-17, BlackmanWindow-17,
// MelWeightMatrix-17.
#include "core/exec/kernel.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/cos.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/sin.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>

#include <cmath>

namespace ql {

namespace {

constexpr double pi = 3.14159265358979323846;

/// x [..., n, 1 or 2] (real, or real and imaginary) -> [..., bins, 2]. n is truncated or zero-padded to length.
at::Tensor transform(const Operation &op, const at::Tensor &x, std::int64_t length, bool inverse, bool onesided)
{
    if (x.size(-1) != 1 && x.size(-1) != 2)
        throw Error(ErrorKind::Kernel,
                    QL_TEXT("%1: the last axis must hold 1 or 2 numbers (real, imaginary)").with(op.type), op.name);
    if (length < 1 || length > 16384)
        throw Error(
            ErrorKind::UnsupportedOp,
            QL_TEXT("%1: transforms of length %2 are not implemented, the limit is 16384").with(op.type, length),
            op.name);
    at::Tensor signal = x.to(at::kDouble);
    if (signal.size(-2) > length) signal = signal.narrow(-2, 0, length);
    if (signal.size(-2) < length) signal = at::constant_pad_nd(signal, {0, 0, 0, length - signal.size(-2)}, 0);
    const std::int64_t bins = onesided ? length / 2 + 1 : length;
    const at::TensorOptions options(at::kLong);
    // The angle is reduced modulo a full turn as an integer: no digits are lost for large products
    const at::Tensor turn = at::arange(length, options).unsqueeze(1) * at::arange(bins, options).unsqueeze(0) % length;
    const at::Tensor angle = turn.to(at::kDouble) * ((inverse ? 2 : -2) * pi / double(length));
    const at::Tensor cosine = at::cos(angle), sine = at::sin(angle);
    const at::Tensor real = signal.select(-1, 0).unsqueeze(-2);
    at::Tensor re = at::matmul(real, cosine), im = at::matmul(real, sine);
    if (signal.size(-1) == 2) {
        const at::Tensor imaginary = signal.select(-1, 1).unsqueeze(-2);
        re = re - at::matmul(imaginary, sine);
        im = im + at::matmul(imaginary, cosine);
    }
    at::Tensor y = at::stack({re.squeeze(-2), im.squeeze(-2)}, -1);
    if (inverse) y = y / double(length);
    return y.to(x.scalar_type());
}

/// Inputs: signal, length, (from 20 on) axis. The axis is an attribute before.
std::vector<at::Tensor> dft(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const at::Tensor length = inputOr(inputs, 1);
    const at::Tensor axisInput = inputOr(inputs, 2);
    const std::int64_t wanted = axisInput.defined() ? toInts(axisInput).at(0)
                                : op.opset >= 20    ? -2
                                                    : op.intAttribute("axis", 1);
    const std::int64_t axis = normalizeAxis(wanted, x.dim(), op);
    if (axis == x.dim() - 1)
        throw Error(ErrorKind::Kernel, QL_TEXT("DFT: the axis must not be the component axis (real, imaginary)"),
                    op.name);
    const bool onesided = op.intAttribute("onesided", 0) != 0, inverse = op.intAttribute("inverse", 0) != 0;
    const at::Tensor along = x.transpose(axis, -2);
    if (inverse && onesided) { // of a real signal: the omitted bins are the mirrored, conjugate ones
        const std::int64_t bins = x.size(axis);
        const std::int64_t n = length.defined() ? toInts(length).at(0) : 2 * (bins - 1);
        if (x.size(-1) != 2 || n < 1 || n / 2 + 1 > bins)
            throw Error(ErrorKind::Kernel,
                        QL_TEXT("DFT: the inverse of a one-sided spectrum for length %1 needs %2 complex bins, got %3")
                            .with(n, n / 2 + 1, bins),
                        op.name);
        const at::Tensor mirror = along.narrow(-2, 1, (n - 1) / 2).flip({-2});
        const at::Tensor conjugate = at::stack({mirror.select(-1, 0), mirror.select(-1, 1).neg()}, -1);
        const at::Tensor full = at::cat({along.narrow(-2, 0, n / 2 + 1), conjugate}, -2);
        return {transform(op, full, n, true, false).narrow(-1, 0, 1).transpose(axis, -2)};
    }
    const std::int64_t n = length.defined() ? toInts(length).at(0) : x.size(axis);
    return {transform(op, along, n, inverse, onesided).transpose(axis, -2)};
}

/// signal [N, length, 1 or 2] -> [N, frames, bins, 2]
std::vector<at::Tensor> stft(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    at::Tensor x = requiredInput(context, inputs, 0);
    if (x.dim() == 2) x = x.unsqueeze(-1);
    const std::int64_t step = toInts(requiredInput(context, inputs, 1)).at(0);
    const at::Tensor window = inputOr(inputs, 2);
    const at::Tensor given = inputOr(inputs, 3);
    const std::int64_t length = given.defined() ? toInts(given).at(0) : window.defined() ? window.numel() : 0;
    if (x.dim() != 3 || step < 1 || length < 1 || length > x.size(1) || (window.defined() && window.numel() != length))
        throw Error(ErrorKind::Kernel, QL_TEXT("STFT: signal, frame_step, window and frame_length are incompatible"),
                    op.name);
    at::Tensor frames = x.unfold(1, length, step).transpose(-1, -2); // [N, frames, length, components]
    checkElements(op, frames.sizes(), 8);
    if (window.defined()) frames = frames * window.reshape({length, 1});
    return {transform(op, frames, length, false, op.intAttribute("onesided", 1) != 0)};
}

/// a0 - a1 cos(2 pi n / N) + a2 cos(4 pi n / N); N: size, or size - 1 when not periodic.
std::vector<at::Tensor> window(const KernelContext &context, Inputs inputs, double a0, double a1, double a2)
{
    const Operation &op = context.op;
    const std::int64_t size = toInts(requiredInput(context, inputs, 0)).at(0);
    checkElements(op, {size}, 32);
    const double period = double(op.intAttribute("periodic", 1) != 0 ? size : size - 1);
    const at::Tensor n = at::arange(size, at::TensorOptions(at::kDouble)) * (2 * pi / period);
    return {
        (at::cos(n) * -a1 + at::cos(n * 2) * a2 + a0).to(typeOfOnnxCode(op.intAttribute("output_datatype", 1), op))};
}

KernelEntry windowEntry(double a0, double a1, double a2)
{
    return {.run = [=](const KernelContext &context, Inputs inputs) { return window(context, inputs, a0, a1, a2); },
            .minOpset = 17,
            .family = "signal"};
}

/// Triangles on the mel scale: [bins of the spectrum, mel bins].
std::vector<at::Tensor> melWeights(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const auto number = [&](std::size_t i) { return requiredInput(context, inputs, i).item().toDouble(); };
    const auto mels = std::int64_t(number(0)), length = std::int64_t(number(1));
    const double rate = number(2);
    if (mels < 1 || length < 1 || rate <= 0)
        throw Error(ErrorKind::Kernel, QL_TEXT("MelWeightMatrix: the sizes must be positive"), op.name);
    const std::int64_t bins = length / 2 + 1;
    checkElements(op, {bins, mels}, 12); // float64, then what is asked for
    const auto mel = [](double hertz) { return 2595 * std::log10(1 + hertz / 700); };
    const double low = mel(number(3)), step = (mel(number(4)) - low) / double(mels + 2);
    std::vector<std::int64_t> edges;
    for (std::int64_t i = 0; i < mels + 2; ++i) {
        const double hertz = 700 * (std::pow(10, (double(i) * step + low) / 2595) - 1);
        edges.push_back(std::int64_t(std::floor(double(length + 1) * hertz / rate)));
    }
    at::Tensor y = at::zeros({bins, mels}, at::TensorOptions(at::kDouble));
    const auto set = [&](std::int64_t bin, std::int64_t i, double value) {
        if (bin >= 0 && bin < bins) y.data_ptr<double>()[bin * mels + i] = value;
    };
    for (std::int64_t i = 0; i < mels; ++i) {
        const std::int64_t begin = edges[std::size_t(i)], centre = edges[std::size_t(i) + 1],
                           end = edges[std::size_t(i) + 2];
        if (centre == begin)
            set(centre, i, 1);
        else
            for (std::int64_t k = begin; k <= centre; ++k) set(k, i, double(k - begin) / double(centre - begin));
        for (std::int64_t k = centre; k < end; ++k)
            if (end > centre) set(k, i, double(end - k) / double(end - centre));
    }
    return {y.to(typeOfOnnxCode(op.intAttribute("output_datatype", 1), op))};
}

const KernelRegistrar dftKernel{{"DFT"},
                                {.run = dft, .minOpset = 17, .family = "signal", .limits = "lengths up to 16384"}};
const KernelRegistrar stftKernel{
    {"STFT"}, {.run = stft, .minOpset = 17, .family = "signal", .limits = "frames of up to 16384 values"}};
const KernelRegistrar hann{{"HannWindow"}, windowEntry(0.5, 0.5, 0)};
const KernelRegistrar hamming{{"HammingWindow"}, windowEntry(25.0 / 46, 21.0 / 46, 0)};
const KernelRegistrar blackman{{"BlackmanWindow"}, windowEntry(0.42, 0.5, 0.08)};
const KernelRegistrar melKernel{{"MelWeightMatrix"}, {.run = melWeights, .minOpset = 17, .family = "signal"}};

} // namespace

} // namespace ql
