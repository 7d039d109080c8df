#pragma once

#include "core/api/params.h"
#include "core/io/caffe/net.pb.h"

#include <ATen/core/Tensor.h>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ql::caffe_io {

namespace format = quantloupe::caffe_format;
using Report = std::function<void(api::Problem)>;
using Shape = std::vector<std::int64_t>;

/// Whether bytes look like protobuf's text form (no control characters).
bool isText(std::string_view bytes);

/// The definition of a net, in text or binary form. Layers of both older forms are rewritten to the current one (field
/// `layer`). Unknown fields are reported, except those for training.
/// @throws Error (InvalidModel, Io) naming file and line
format::NetParameter readDefinition(const std::filesystem::path &file, const Report &report);

/// Tensors by layer name; a name that occurs twice in the file has its blobs one after the other.
class Weights
{
public:
    Weights() = default;
    /// Text or binary, any of the three forms. Values are float32; half precision and double are converted.
    /// @throws Error (InvalidModel, Io): truncated (with the position), not a Caffe file, sizes that do not match the
    /// data
    explicit Weights(const std::filesystem::path &file);
    /// Moves the blobs out of a definition.
    Weights(const std::filesystem::path &file, format::NetParameter &net);

    const std::filesystem::path &file() const { return m_file; }
    bool isEmpty() const { return m_layers.empty(); }
    /// The blobs of the next layer of that name, nullptr if there is none (left). A blob without data is undefined.
    const std::vector<at::Tensor> *take(const std::string &layer);
    std::vector<std::string> names() const;

private:
    void add(const std::string &layer, google::protobuf::RepeatedPtrField<format::BlobProto> &blobs);

    std::filesystem::path m_file;
    std::map<std::string, std::deque<std::vector<at::Tensor>>> m_layers;
    std::map<std::string, std::size_t> m_taken;
};

/// Rewrites fields `layers` (types as numbers, or the nested message of the first form) as fields `layer`.
/// @throws Error (InvalidModel) for a net that has both, UnsupportedOp for an unknown type of the first form
void upgrade(format::NetParameter &net);

} // namespace ql::caffe_io
