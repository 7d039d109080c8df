#pragma once

#include "core/base/text.h"

#include <ATen/core/Tensor.h>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ql {

/// The header of a NumPy array file (format versions 1, 2 and 3).
struct NpyHeader
{
    char kind = 'f';  ///< 'b' bool, 'i' signed, 'u' unsigned, 'f' float
    int itemSize = 4; ///< bytes of an element
    bool bigEndian = false;
    bool fortranOrder = false;
    std::vector<std::int64_t> shape; ///< empty: a scalar
    std::size_t dataOffset = 0;      ///< bytes before the first element

    std::int64_t elementCount() const;
    std::int64_t byteCount() const { return elementCount() * itemSize; }
    /// Element type of the resulting tensors: uint16 becomes int32, uint32 and uint64 become int64.
    at::ScalarType dtype() const;
    /// NumPy's spelling: "float32", "uint16" ...
    std::string typeName() const;
};

/// Bytes of an array that are not read until they are needed (file, member of an archive).
class ByteReader
{
public:
    virtual ~ByteReader() = default;
    virtual std::uint64_t size() const = 0;
    /// Fills out with count bytes from offset. Not thread-safe. @throws Error (BadData) if there are fewer.
    virtual void read(std::uint64_t offset, std::size_t count, char *out) = 0;
};

/// Reads a plain file. @throws Error (Io)
std::unique_ptr<ByteReader> openFile(const std::filesystem::path &file);

/// start: at least the first bytes of the file up to the end of the header. where identifies the array in messages.
/// @throws Error (BadData) if it is not an array of numbers, or sizes overflow
NpyHeader parseNpyHeader(std::string_view start, const Text &where);

/// One array, read entry by entry: only requested entries use memory. Not thread-safe.
class NpyArray
{
public:
    /// where identifies the array in messages ("data.npz: array 'x'").
    /// @throws Error (BadData) if header and size of the bytes disagree
    NpyArray(std::unique_ptr<ByteReader> bytes, Text where);

    const NpyHeader &header() const { return m_header; }
    const std::vector<std::int64_t> &shape() const { return m_header.shape; }
    /// Entry k of the leading axis, shape[1:]. @pre rank >= 1, 0 <= k < shape[0]
    at::Tensor entry(std::int64_t k);
    /// The whole array. @throws Error (BadData) if it is larger than 2 GiB
    at::Tensor all();

private:
    at::Tensor decode(std::uint64_t offset, const std::vector<std::int64_t> &shape);

    std::unique_ptr<ByteReader> m_bytes;
    Text m_where;
    NpyHeader m_header;
    at::Tensor m_whole; // Fortran order: entries are not contiguous, so the array is read once
};

/// The array of a .npy file. @throws Error (Io, BadData)
at::Tensor readNpy(const std::filesystem::path &file);

/// The bytes before the elements of a C-contiguous tensor in a .npy file (version 1).
/// @throws Error (Internal) for element types that NumPy does not have
std::string npyHeaderFor(const at::Tensor &tensor);
/// Writes tensor, any layout, in C order. half stays half; bfloat16 is written as float32.
void writeNpy(std::ostream &out, const at::Tensor &tensor);

} // namespace ql
