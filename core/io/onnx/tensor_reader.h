#pragma once

#include "core/api/params.h"

#include <ATen/core/Tensor.h>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <onnx/onnx_pb.h>
#include <string>
#include <tuple>

namespace ql::onnx_io {

/// The place of a tensor, for messages.
struct TensorPlace
{
    std::string op;
    std::string variable;
};

/// Converts TensorProtos of one model file to tensors. Every size is checked against the bytes that actually exist
/// before memory is allocated; external data is read only from regular files below the model's folder.
class TensorReader
{
public:
    TensorReader(std::filesystem::path model, std::function<void(api::Problem)> report);

    /// Moves the raw bytes out of proto if takeData, instead of copying them.
    /// @throws Error (InvalidModel, Io) naming place and file.
    at::Tensor read(onnx::TensorProto &proto, const TensorPlace &place, bool takeData);
    /// The dense form. @throws Error like read; also if it would be larger than maxSparseBytes.
    at::Tensor readSparse(onnx::SparseTensorProto &proto, const TensorPlace &place);
    /// Strings have no tensor. @throws Error (InvalidModel) if proto does not contain strings of its shape.
    std::vector<std::string> readStrings(const onnx::TensorProto &proto, const TensorPlace &place) const;

private:
    struct ExternalFile
    {
        std::filesystem::path path;
        std::int64_t size = 0;
        std::shared_ptr<char> mapped; ///< all of a large file, mapped copy-on-write
        std::int64_t taken = 0;       ///< bytes read so far: overlapping ranges must not multiply the file
    };
    ExternalFile &externalFile(const std::string &location, const TensorPlace &place);
    /// Bytes of an external file: mapped if there are many of them, otherwise read.
    struct ExternalBytes
    {
        std::string read;
        std::shared_ptr<char> mapped; ///< keeps the mapping; points to the first byte
    };
    ExternalBytes externalBytes(const onnx::TensorProto &proto, std::int64_t bytes, const TensorPlace &place);
    struct Wanted;
    at::Tensor widened(const char *data, const Wanted &wanted);
    at::Tensor fromBytes(std::string data, const Wanted &wanted);
    at::Tensor fromExternal(ExternalBytes data, const Wanted &wanted);
    at::Tensor external(const onnx::TensorProto &proto, const Wanted &wanted);
    /// From the fields for values of one type.
    at::Tensor typed(const onnx::TensorProto &proto, const Wanted &wanted);
    /// From int32_data, used for all types of at most 32 bits: numbers by value, floats by bit pattern.
    at::Tensor small(const onnx::TensorProto &proto, const Wanted &wanted);
    void expectEntries(const onnx::TensorProto &proto, const Wanted &wanted, std::int64_t needed, int found,
                       const char *field) const;
    [[noreturn]] void fail(const TensorPlace &place, const Text &message, const Text &remedy) const;

    std::filesystem::path m_model;
    std::function<void(api::Problem)> m_report;
    std::map<std::string, ExternalFile> m_files;
    std::map<std::tuple<std::string, std::int64_t, std::int64_t, int>, at::Tensor> m_shared; ///< same range, same type
};

} // namespace ql::onnx_io
