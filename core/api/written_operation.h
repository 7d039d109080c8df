#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ql::api {

/// A tensor as an exported model stores or passes it on.
struct WrittenTensor
{
    std::string name, type;  ///< type of the codes if it is quantized: "int8", "float8e4m3fn"
    std::int64_t scales = 0; ///< 0: not quantized; 1: one for the tensor; otherwise one per channel
};

/// An operation of an exported model. Nodes that quantize and dequantize its tensors are part of it.
struct WrittenOperation
{
    std::string name, type;
    std::vector<WrittenTensor> inputs, outputs;
};

} // namespace ql::api
