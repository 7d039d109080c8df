#include "core/io/model_file.h"

#include <ATen/TensorOperators.h>

namespace ql {

at::Tensor valuesOfCodes(const at::Tensor &codes, const FileTensor &tensor)
{
    at::Tensor scale = tensor.scale, zeroPoint = tensor.zeroPoint;
    if (scale.numel() > 1 && codes.dim() > 0) {
        std::vector<std::int64_t> shape(std::size_t(codes.dim()), 1);
        shape[std::size_t(tensor.axis < 0 ? tensor.axis + codes.dim() : tensor.axis)] = scale.numel();
        scale = scale.reshape(shape);
        if (zeroPoint.defined()) zeroPoint = zeroPoint.reshape(shape);
    }
    at::Tensor centred = codes.to(at::kInt);
    if (zeroPoint.defined()) centred = centred - zeroPoint.to(at::kInt);
    return centred.to(at::kFloat) * scale.to(at::kFloat);
}

} // namespace ql
