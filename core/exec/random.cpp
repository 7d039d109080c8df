// Random numbers. The same operation gives the same numbers in every run: its seed is its attribute seed, or derived
// from its name. Other runtimes draw other numbers. Source: ONNX RandomNormal-1, RandomUniform-1, Bernoulli-15,
// Multinomial-7.
#include "core/exec/kernel.h"

#include <ATen/ops/cumsum.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/softmax.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

namespace ql {

namespace {

std::mt19937_64 generatorOf(const Operation &op)
{
    if (op.hasAttribute("seed"))
        return std::mt19937_64(std::bit_cast<std::uint32_t>(float(op.floatAttribute("seed", 0))));
    std::uint64_t hash = 14695981039346656037ull; // FNV-1a: the same on every machine, unlike std::hash
    for (const char c : op.name) hash = (hash ^ std::uint64_t(static_cast<unsigned char>(c))) * 1099511628211ull;
    return std::mt19937_64(hash);
}

/// In [0, 1), 53 bits.
double uniform(std::mt19937_64 &generator)
{
    return double(generator() >> 11) * 0x1p-53;
}

double normal(std::mt19937_64 &generator)
{
    const double radius = std::sqrt(-2 * std::log(1 - uniform(generator))); // Box-Muller
    return radius * std::cos(2 * 3.14159265358979323846 * uniform(generator));
}

template <class Draw>
at::Tensor drawn(const Operation &op, at::IntArrayRef shape, at::ScalarType type, Draw &&draw)
{
    checkElements(op, shape, 8);
    at::Tensor y = at::empty(shape, at::TensorOptions(at::kDouble));
    std::mt19937_64 generator = generatorOf(op);
    for (std::int64_t i = 0; i < y.numel(); ++i) y.data_ptr<double>()[i] = draw(generator, i);
    return y.to(type);
}

/// RandomNormal, RandomUniform (attribute shape) and their Like forms (shape and type of the input).
std::vector<at::Tensor> random(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const at::Tensor like = inputOr(inputs, 0);
    const std::vector<std::int64_t> shape = like.defined() ? like.sizes().vec() : op.intsAttribute("shape");
    const at::ScalarType type = op.hasAttribute("dtype") ? typeOfOnnxCode(op.intAttribute("dtype", 1), op)
                                : like.defined() && like.is_floating_point() ? like.scalar_type()
                                                                             : at::kFloat;
    if (op.type.starts_with("RandomNormal")) {
        const double mean = op.floatAttribute("mean", 0), scale = op.floatAttribute("scale", 1);
        return {drawn(op, shape, type, [=](auto &g, std::int64_t) { return mean + scale * normal(g); })};
    }
    const double low = op.floatAttribute("low", 0), high = op.floatAttribute("high", 1);
    return {drawn(op, shape, type, [=](auto &g, std::int64_t) { return low + (high - low) * uniform(g); })};
}

/// 1 with the probability given by the input.
std::vector<at::Tensor> bernoulli(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const at::Tensor p = x.to(at::kDouble).contiguous();
    const at::ScalarType type =
        op.hasAttribute("dtype") ? typeOfOnnxCode(op.intAttribute("dtype", 1), op) : x.scalar_type();
    const double *chance = p.data_ptr<double>();
    return {drawn(op, x.sizes(), type, [=](auto &g, std::int64_t i) { return uniform(g) < chance[i] ? 1.0 : 0.0; })};
}

/// [N, classes] unnormalized logarithms of probabilities -> [N, sample_size] classes.
std::vector<at::Tensor> multinomial(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const at::Tensor &x = requiredInput(context, inputs, 0);
    if (x.dim() != 2 || x.size(1) < 1)
        throw Error(ErrorKind::Kernel, QL_TEXT("Multinomial: expected [N, classes]"), op.name);
    const std::int64_t samples = op.intAttribute("sample_size", 1), classes = x.size(1);
    const at::Tensor sums = at::cumsum(at::softmax(x.to(at::kDouble), 1), 1).contiguous();
    const double *row = sums.data_ptr<double>();
    return {
        drawn(op, {x.size(0), samples}, typeOfOnnxCode(op.intAttribute("dtype", 6), op), [=](auto &g, std::int64_t i) {
            const double *first = row + i / samples * classes;
            return double(
                std::min<std::int64_t>(std::upper_bound(first, first + classes, uniform(g)) - first, classes - 1));
        })};
}

const KernelRegistrar numbers{{"RandomNormal", "RandomUniform", "RandomNormalLike", "RandomUniformLike"},
                              {.run = random, .family = "random", .takesShortFloats = true, .isRandom = true}};
const KernelRegistrar bernoulliKernel{
    {"Bernoulli"}, {.run = bernoulli, .minOpset = 15, .family = "random", .takesShortFloats = true, .isRandom = true}};
const KernelRegistrar multinomialKernel{
    {"Multinomial"},
    {.run = multinomial, .minOpset = 7, .family = "random", .takesShortFloats = true, .isRandom = true}};

} // namespace

} // namespace ql
