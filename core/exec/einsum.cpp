// Einsum: LibTorch's has the same notation. Sources: ONNX Einsum-12; ONNX Runtime multiplies matrices (MLAS).
#include "core/exec/kernel.h"
#include "core/exec/runtime_kernels.h"

#include <ATen/ops/einsum.h>

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace ql {

namespace {

/// The size of each subscript; refuses results of hostile sizes. Ellipses are left to LibTorch.
void checkResult(const Operation &op, const std::string &equation, Inputs inputs)
{
    std::map<char, std::int64_t> sizes;
    const std::size_t arrow = equation.find("->");
    if (equation.find("...") != std::string::npos || arrow == std::string::npos) return;
    std::size_t term = 0;
    std::int64_t axis = 0;
    for (const char c : equation.substr(0, arrow)) {
        if (c == ',') {
            ++term;
            axis = 0;
        } else if (c != ' ' && term < inputs.size() && axis < inputs[term].dim()) {
            sizes[c] = inputs[term].size(axis++);
        }
    }
    std::vector<std::int64_t> shape;
    for (const char c : equation.substr(arrow + 2))
        if (sizes.contains(c)) shape.push_back(sizes[c]);
    checkElements(op, shape);
}

std::vector<at::Tensor> einsum(const KernelContext &context, Inputs inputs)
{
    const std::string equation = context.op.stringAttribute("equation", "");
    std::vector<at::Tensor> operands;
    for (std::size_t i = 0; i < inputs.size(); ++i) operands.push_back(requiredInput(context, inputs, i));
    if (operands.empty()) throw Error(ErrorKind::Kernel, QL_TEXT("Einsum: no input"), context.op.name);
    checkResult(context.op, equation, operands);
    // LibTorch sums int32 as int64
    return {at::einsum(equation, operands).to(operands.front().scalar_type())};
}

/// The subscripts of two operands and of the result, if they are a product of matrices that sums over one of them.
struct Product
{
    std::string samples, rows, columns, terms; ///< subscripts of both and the result; of one and the result; of both
    std::array<std::string, 3> parts;          ///< of the operands and the result, as in the equation
};

std::optional<Product> productOf(std::string equation)
{
    std::erase(equation, ' ');
    const std::size_t comma = equation.find(','), arrow = equation.find("->");
    if (comma == std::string::npos || arrow == std::string::npos || comma > arrow ||
        equation.find(',', comma + 1) != std::string::npos || equation.find('.') != std::string::npos)
        return std::nullopt;
    Product out;
    out.parts = {equation.substr(0, comma), equation.substr(comma + 1, arrow - comma - 1), equation.substr(arrow + 2)};
    const auto &[left, right, result] = out.parts;
    for (const std::string &part : out.parts)
        if (std::set<char>(part.begin(), part.end()).size() != part.size()) return std::nullopt;
    const auto has = [](const std::string &part, char c) { return part.find(c) != std::string::npos; };
    for (const char c : left) {
        if (has(right, c) || has(result, c))
            (!has(right, c) ? out.rows : has(result, c) ? out.samples : out.terms) += c;
        else
            return std::nullopt;
    }
    for (const char c : right)
        if (!has(left, c)) {
            if (!has(result, c)) return std::nullopt;
            out.columns += c;
        }
    const bool isWhole = result.size() == out.samples.size() + out.rows.size() + out.columns.size();
    if (out.terms.size() != 1 || !isWhole) return std::nullopt;
    return out;
}

/// x with the axes of its subscripts in the order of wanted.
at::Tensor ordered(const at::Tensor &x, const std::string &subscripts, const std::string &wanted)
{
    std::vector<std::int64_t> axes;
    for (const char c : wanted) axes.push_back(std::int64_t(subscripts.find(c)));
    return x.permute(axes);
}

std::vector<at::Tensor> einsumOfRuntime(const KernelContext &context, Inputs inputs)
{
    const auto product = productOf(context.op.stringAttribute("equation", ""));
    if (!product || inputs.size() != 2) return einsum(context, inputs);
    const at::Tensor &a = requiredInput(context, inputs, 0), &b = requiredInput(context, inputs, 1);
    const auto &[left, right, result] = product->parts;
    std::map<char, std::int64_t> sizes;
    bool fits = a.scalar_type() == at::kFloat && b.scalar_type() == at::kFloat && std::size_t(a.dim()) == left.size() &&
                std::size_t(b.dim()) == right.size();
    for (std::size_t i = 0; fits && i < left.size(); ++i) sizes[left[i]] = a.size(std::int64_t(i));
    for (std::size_t i = 0; fits && i < right.size(); ++i) // broadcasts are left to the general kernel
        fits = sizes.try_emplace(right[i], b.size(std::int64_t(i))).first->second == b.size(std::int64_t(i));
    if (!fits) return einsum(context, inputs);
    std::vector<std::int64_t> shape;
    const std::string all = product->samples + product->rows + product->columns;
    for (const char c : all) shape.push_back(sizes[c]);
    checkElements(context.op, shape);
    const auto count = [&](const std::string &subscripts) {
        std::int64_t elements = 1;
        for (const char c : subscripts) elements *= sizes[c];
        return elements;
    };
    const std::int64_t samples = count(product->samples), terms = count(product->terms);
    const auto y = runtimeMatMul(ordered(a, left, product->samples + product->rows + product->terms)
                                     .reshape({samples, count(product->rows), terms}),
                                 ordered(b, right, product->samples + product->terms + product->columns)
                                     .reshape({samples, terms, count(product->columns)}));
    if (!y) return einsum(context, inputs);
    return {ordered(y->reshape(shape), all, result).contiguous()};
}

const KernelRegistrar einsumRegistrar{
    {"Einsum"},
    {.run = einsum, .minOpset = 12, .family = "matrix", .onDevice = always, .asRuntime = einsumOfRuntime},
    {.shapes = {.inputs = allInputs}}};

} // namespace

} // namespace ql
