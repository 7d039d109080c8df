#pragma once

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <string>
#include <string_view>

namespace ql::onnx_io {

/// A data type of ONNX (TensorProto.DataType, IR 10) and how the engine holds it. Types that LibTorch lacks are widened
/// to the next type that represents all their values: uint16 to int32, uint32 and uint64 to int64 (float64 if a value
/// needs it), int4 and uint4 to 8 bits, the 8-bit floats to float32.
struct ElementType
{
    int code;              ///< TensorProto.DataType
    std::string_view name; ///< name in messages: "float32", "uint16"
    at::ScalarType stored; ///< Undefined for strings
    int bits;              ///< of one element in raw data; 0 for strings
    bool widened;          ///< held in another type
};

/// nullptr for a number that is not a data type.
const ElementType *findElementType(int code);
/// The code under which a tensor of this type is written. @throws Error (Internal) for a type that ONNX lacks.
int elementCode(at::ScalarType type);
/// The type of Cast's string attribute of opset 1 ("FLOAT") or of a user's name; 0 if there is none.
int elementCode(std::string_view name);

/// The raw data bytes of value, which has this type and is held in a wider one. Values outside the type are converted.
std::string rawBytes(const at::Tensor &value, const ElementType &type);
/// An 8-bit float code (17 to 20) as float. Source: ONNX, "Float stored in 8 bits".
float decodeSmallFloat(int code, std::uint8_t bits);

} // namespace ql::onnx_io
