// Matrix products. float32 uses oneDNN's sgemm: Debian's LibTorch is linked to the reference BLAS.
#include "core/exec/matmul.h"

#include "core/exec/integer.h"
#include "core/exec/threads.h"

#include <ATen/ExpandUtils.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linalg_det.h>
#include <ATen/ops/linalg_inv_ex.h>
#include <ATen/ops/matmul.h>

#include <algorithm>
#include <optional>
#include <tuple>

#ifdef QL_WITH_DNNL
#include <dnnl.h>
#endif

namespace ql {

namespace {

/// Small products use one thread: waiting for others takes longer (a tagger with GRUs, next to other load: 2.1 ms per
/// pass with one thread, 23 with two). @returns the argument of a ThreadScope
[[maybe_unused]] int threadsWorth(std::int64_t multiplications)
{
    constexpr std::int64_t worthThreads = std::int64_t{1} << 19;
    return multiplications < worthThreads ? 1 : 0;
}

/// c = a * b + beta * c for float32 matrices, row-major: a [m, k] or, when transA, [k, m]; b [k, n] or [n, k]; c [m,
/// n], whose rows begin rowStride apart.
void multiply(const float *a, const float *b, float *c, std::int64_t m, std::int64_t n, std::int64_t k, bool transA,
              bool transB, float beta = 0, std::int64_t rowStride = 0)
{
#ifdef QL_WITH_DNNL
    const ThreadScope threads(threadsWorth(m * n * k));
    dnnl_sgemm(transA ? 'T' : 'N', transB ? 'T' : 'N', m, n, k, 1.f, a, transA ? m : k, b, transB ? k : n, beta, c,
               rowStride > 0 ? rowStride : n);
#else
    (void)a, (void)b, (void)c, (void)m, (void)n, (void)k, (void)transA, (void)transB, (void)beta, (void)rowStride;
#endif
}

bool useDnnl(const at::Tensor &a, const at::Tensor &b)
{
#ifdef QL_WITH_DNNL
    if (at::GradMode::is_enabled() && (a.requires_grad() || b.requires_grad())) return false; // has no gradient
    return a.is_cpu() && b.is_cpu() && a.scalar_type() == at::kFloat && b.scalar_type() == at::kFloat &&
           a.numel() > 0 && b.numel() > 0;
#else
    (void)a, (void)b;
    return false;
#endif
}

/// @throws IncompatibleInputs if the inner sizes differ, or leading sizes do not broadcast
void checkFits(at::IntArrayRef left, at::IntArrayRef right)
{
    if (left.empty() || right.empty()) throw IncompatibleInputs(QL_TEXT("a product needs at least one axis"));
    const std::int64_t inner = left.back(), other = right.size() == 1 ? right[0] : right[right.size() - 2];
    if (inner != other) throw IncompatibleInputs(QL_TEXT("the inner sizes %1 and %2 differ").with(inner, other));
    for (std::size_t i = 3; i <= std::min(left.size(), right.size()); ++i) {
        const std::int64_t l = left[left.size() - i], r = right[right.size() - i];
        if (l != r && l != 1 && r != 1)
            throw IncompatibleInputs(
                QL_TEXT("sizes %1 and %2 of axis %3 do not broadcast").with(l, r, -std::int64_t(i)));
    }
}

} // namespace

at::Tensor matrixProduct(const at::Tensor &left, const at::Tensor &right)
{
    checkFits(left.sizes(), right.sizes());
    if (!useDnnl(left, right) || left.dim() < 2 || right.dim() < 2) return at::matmul(left, right);
    const std::int64_t m = left.size(-2), k = left.size(-1), n = right.size(-1);
    if (right.dim() == 2) { // all rows of the batch at once
        std::vector<std::int64_t> shape(left.sizes().begin(), left.sizes().end());
        shape.back() = n;
        const at::Tensor a = left.contiguous();
        // A transposed weight is read in place
        const bool transposed = !right.is_contiguous() && right.transpose(0, 1).is_contiguous();
        const at::Tensor b = transposed ? right : right.contiguous();
        at::Tensor c = at::empty(shape, left.options().memory_format(at::MemoryFormat::Contiguous));
        multiply(a.data_ptr<float>(), b.data_ptr<float>(), c.data_ptr<float>(), a.numel() / k, n, k, false, transposed);
        return c;
    }
    std::vector<std::int64_t> batch;
    const std::int64_t rank = std::max(left.dim(), right.dim()) - 2;
    for (std::int64_t i = rank; i-- > 0;) {
        const std::int64_t l = i < left.dim() - 2 ? left.size(left.dim() - 3 - i) : 1;
        const std::int64_t r = i < right.dim() - 2 ? right.size(right.dim() - 3 - i) : 1;
        batch.push_back(std::max(l, r));
    }
    std::vector<std::int64_t> leftShape = batch, rightShape = batch, shape = batch;
    leftShape.insert(leftShape.end(), {m, k});
    rightShape.insert(rightShape.end(), {k, n});
    shape.insert(shape.end(), {m, n});
    const at::Tensor a = left.expand(leftShape).contiguous();
    const at::Tensor b = right.expand(rightShape).contiguous();
    at::Tensor c = at::empty(shape, left.options().memory_format(at::MemoryFormat::Contiguous));
    const std::int64_t count = c.numel() / (m * n);
    for (std::int64_t i = 0; i < count; ++i)
        multiply(a.data_ptr<float>() + i * m * k, b.data_ptr<float>() + i * k * n, c.data_ptr<float>() + i * m * n, m,
                 n, k, false, false);
    return c;
}

void addProduct(const at::Tensor &a, const at::Tensor &weight, const at::Tensor &c)
{
    if (!useDnnl(a, weight)) {
        at::Tensor sum = c;
        sum.addmm_(a, weight.transpose(0, 1));
        return;
    }
    const std::int64_t rows = c.size(0);
    multiply(a.data_ptr<float>(), weight.data_ptr<float>(), c.data_ptr<float>(), rows, c.size(1), a.size(1), false,
             true, 1, rows > 1 ? c.stride(0) : c.size(1));
}

namespace {

/// Refuses products whose result would be too large.
void checkProduct(const Operation &op, const at::Tensor &a, const at::Tensor &b)
{
    if (a.dim() < 2 || b.dim() < 2) return;
    std::vector<std::int64_t> shape{a.size(-2), b.size(-1)};
    for (std::int64_t i = 3; i <= std::max(a.dim(), b.dim()); ++i)
        shape.push_back(std::max(i <= a.dim() ? a.size(-i) : 1, i <= b.dim() ? b.size(-i) : 1));
    checkElements(op, shape, a.element_size());
}

std::vector<at::Tensor> matMul(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &a = requiredInput(context, inputs, 0);
    const at::Tensor &b = requiredInput(context, inputs, 1);
    checkProduct(context.op, a, b);
    return {matrixProduct(a, b)};
}

/// MatMul with a third input that is added; our own operator, created by the pass fuse_matmul_add.
std::vector<at::Tensor> biasedMatMul(const KernelContext &context, Inputs inputs)
{
    checkProduct(context.op, requiredInput(context, inputs, 0), requiredInput(context, inputs, 1));
    at::Tensor y = matrixProduct(inputs[0], inputs[1]);
    return {inputOr(inputs, 2).defined() ? y + inputs[2] : y};
}

/// alpha * A' * B' + beta * C
std::vector<at::Tensor> gemm(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    at::Tensor a = requiredInput(context, inputs, 0);
    at::Tensor b = requiredInput(context, inputs, 1);
    if (a.dim() != 2 || b.dim() != 2)
        throw Error(ErrorKind::Kernel, QL_TEXT("Gemm: expected matrices, got ranks %1 and %2").with(a.dim(), b.dim()),
                    op.name);
    const bool transA = op.intAttribute("transA", 0) != 0;
    const bool transB = op.intAttribute("transB", 0) != 0;
    const std::int64_t m = a.size(transA ? 1 : 0), k = a.size(transA ? 0 : 1), n = b.size(transB ? 0 : 1);
    if (b.size(transB ? 1 : 0) != k)
        throw Error(ErrorKind::Kernel, QL_TEXT("Gemm: inner sizes differ: %1 and %2").with(k, b.size(transB ? 1 : 0)),
                    op.name);
    at::Tensor y;
    checkElements(op, {m, n}, a.element_size());
    if (useDnnl(a, b)) {
        a = a.contiguous();
        b = b.contiguous();
        y = at::empty({m, n}, a.options());
        multiply(a.data_ptr<float>(), b.data_ptr<float>(), y.data_ptr<float>(), m, n, k, transA, transB);
    } else {
        y = at::matmul(transA ? a.transpose(0, 1) : a, transB ? b.transpose(0, 1) : b);
    }
    const double alpha = op.floatAttribute("alpha", 1);
    const double beta = op.floatAttribute("beta", 1);
    const at::ScalarType type = y.scalar_type();
    const auto scaled = [&](const at::Tensor &x, double by) { // integers, too, whose result is an integer
        if (by == 1) return x;
        return (at::isFloatingType(type) ? x : x.to(at::kDouble)) * by;
    };
    y = scaled(y, alpha);
    const at::Tensor c = inputOr(inputs, 2);
    if (c.defined() && beta != 0) y = y + scaled(c, beta);
    return {y.to(type)};
}

std::vector<at::Tensor> determinant(const KernelContext &context, Inputs inputs)
{
    return {at::linalg_det(requiredInput(context, inputs, 0))};
}

/// Of the last two axes; a singular matrix gives values that are not finite, as elsewhere.
std::vector<at::Tensor> inverse(const KernelContext &context, Inputs inputs)
{
    return {std::get<0>(at::linalg_inv_ex(requiredInput(context, inputs, 0)))};
}

const KernelRegistrar detKernel{{"Det"}, {.run = determinant, .minOpset = 11, .family = "matrix"}};
const KernelRegistrar inverseKernel{
    {"com.microsoft:Inverse"}, oftenUndefined({.run = inverse, .family = "matrix"}), {.shapes = sameAsInput0()}};

std::optional<std::vector<std::int64_t>> matMulSizes(const Operation &, Inputs inputs)
{
    if (!hasFloat(inputs, 1)) return std::nullopt;
    const at::Tensor &x = inputs[0], &second = inputs[1];
    if (x.dim() < 2 || second.dim() < 2 || x.size(-1) != second.size(-2)) return std::nullopt;
    std::vector<std::int64_t> shape = at::infer_size(x.sizes().slice(0, std::size_t(x.dim() - 2)),
                                                     second.sizes().slice(0, std::size_t(second.dim() - 2)));
    shape.push_back(x.size(-2));
    shape.push_back(second.size(-1));
    return shape;
}

const KernelRegistrar matMulKernel{
    {"MatMul"},
    {.run = matMul, .family = "matrix", .onDevice = always, .integerForm = integerProduct, .exactSums = sumsOfProducts},
    {.inputs = {{"A"}, {"B"}},
     .weights = WeightTraits{.axis = lastWeightAxis, .outputAxis = -1},
     .shapes = {.inputs = allInputs, .sizes = matMulSizes, .elementType = ElementTypeRule::OfInput0}}};
const KernelRegistrar biasedMatMulKernel{
    {"BiasedMatMul", "quantloupe:BiasedMatMul"},
    {.run = biasedMatMul, .family = "matrix", .onDevice = always, .exactSums = sumsOfProducts},
    {.inputs = {{"A"}, {"B"}, {"C"}}, .weights = WeightTraits{.bias = 2, .axis = lastWeightAxis, .outputAxis = -1}}};
std::optional<Attribute> impliedGemm(std::string_view name, const std::vector<Dim> *)
{
    if (name == "transA" || name == "transB") return std::int64_t(0);
    if (name == "alpha" || name == "beta") return 1.0f;
    return std::nullopt;
}

const KernelRegistrar gemmKernel{
    {"Gemm"},
    {.run = gemm, .family = "matrix", .onDevice = always, .integerForm = integerProduct, .exactSums = sumsOfProducts},
    {.inputs = {{"A"}, {"B"}, {"C"}},
     .weights = WeightTraits{.bias = 2,
                             .axis =
                                 [](const Operation &op, std::int64_t) {
                                     return std::optional<std::int64_t>(op.intAttribute("transB", 0) != 0 ? 0 : 1);
                                 },
                             .outputAxis = 1,
                             .isLayer = true,
                             .biasBroadcasts = true},
     .shapes = {.inputs = allInputs, .rank = RankRule::Two, .elementType = ElementTypeRule::OfInput0},
     .implied = impliedGemm}};

} // namespace

} // namespace ql
