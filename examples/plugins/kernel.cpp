// An operator that ONNX does not have, with all that the engine needs to know about it.
#include <core/exec/kernel.h>

using namespace ql;

namespace {

std::vector<at::Tensor> cube(const KernelContext &, Inputs inputs)
{
    return {inputs[0] * inputs[0] * inputs[0]};
}

const KernelRegistrar kernelRegistrar{
    {"com.example:Cube"},
    {.run = cube, .family = "example", .onDevice = always}, // LibTorch functions only: runs on any device
    {.activation = Activation::Other,
     .shapes = {.inputs = allInputs, .rank = RankRule::OfInput0, .elementType = ElementTypeRule::OfInput0}}};

} // namespace
