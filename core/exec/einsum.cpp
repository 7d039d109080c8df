// Einsum: LibTorch's has the same notation. Source: ONNX Einsum-12.
#include "core/exec/kernel.h"

#include <ATen/ops/einsum.h>

#include <map>

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

const KernelRegistrar einsumRegistrar{{"Einsum"},
                                      {.run = einsum, .minOpset = 12, .family = "matrix", .onDevice = always},
                                      {.shapes = {.inputs = allInputs}}};

} // namespace

} // namespace ql
