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

/// "2x3x4", "scalar" for rank 0.
std::string shapeText(const Shape &shape);

/// name with control characters and bytes that are not UTF-8 written as \xNN, so that it can be shown and written to
/// JSON.
std::string printable(const std::string &name);

/// Whether bytes look like protobuf's text form (no control characters).
bool isText(std::string_view bytes);

/// The definition of a net, from its text form or the binary one. Layers of both older forms are rewritten to the
/// current one (field `layer`). Fields that the reader does not know are reported, except those of training.
/// @throws Error (InvalidModel, Io) naming file and line
format::NetParameter readDefinition(const std::filesystem::path &file, const Report &report);

/// Tensors by layer name; a name that stands twice in the file has its blobs one after the other.
class Weights
{
public:
    Weights() = default;
    /// Text or binary, any of the three forms. Values are float32; half precision and double are converted.
    /// @throws Error (InvalidModel, Io): truncated (saying where), no Caffe file, sizes that do not fit the data
    explicit Weights(const std::filesystem::path &file);
    /// The blobs that stand in a definition itself, which is left without them.
    Weights(const std::filesystem::path &file, format::NetParameter &net);

    const std::filesystem::path &file() const { return m_file; }
    bool isEmpty() const { return m_layers.empty(); }
    /// The blobs of the next layer of that name, nullptr when there is none (left). A blob without data is undefined.
    const std::vector<at::Tensor> *take(const std::string &layer);
    std::vector<std::string> names() const;

private:
    void add(const std::string &layer, google::protobuf::RepeatedPtrField<format::BlobProto> &blobs);

    std::filesystem::path m_file;
    std::map<std::string, std::deque<std::vector<at::Tensor>>> m_layers;
    std::map<std::string, std::size_t> m_taken;
};

/// Rewrites fields `layers` (types as numbers, or the message in it of the first form) as fields `layer`.
/// @throws Error (InvalidModel) for a net that has both, UnsupportedOp for a type of the first form that is not known
void upgrade(format::NetParameter &net);

} // namespace ql::caffe_io
