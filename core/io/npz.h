#pragma once

#include "core/io/npy.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ql {

/// A part of a file; without a length: all of it.
struct ByteRange
{
    std::uint64_t start = 0, length = 0;
};

/// A .npz file open for reading: named arrays, stored or deflated, read entry by entry. Arrays keep the file open and
/// may outlive this object. Not thread-safe, nor are two arrays of one file.
class NpzFile
{
public:
    /// range: of the archive in the file. @throws Error (Io, BadData) for a file that is not a zip archive
    explicit NpzFile(const std::filesystem::path &file, const ByteRange &range = {});
    ~NpzFile();
    NpzFile(const NpzFile &) = delete;
    NpzFile &operator=(const NpzFile &) = delete;

    /// Names without ".npy", in the order of the file.
    const std::vector<std::string> &names() const { return m_names; }
    bool contains(const std::string &name) const;
    /// @throws Error (BadData) for an unknown name (with the nearest one) or a damaged array
    std::unique_ptr<NpyArray> array(const std::string &name) const;

private:
    struct Archive;
    std::shared_ptr<Archive> m_archive;
    std::string m_file;
    std::vector<std::string> m_names;
};

/// Writes tensors as a .npz file that numpy.load reads: stored, in this order, the same bytes for the same tensors.
void writeNpz(std::ostream &out, const std::vector<std::pair<std::string, at::Tensor>> &arrays);

} // namespace ql
