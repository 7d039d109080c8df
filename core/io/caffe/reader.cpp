// Source of the format: field numbers of protobuf messages in Caffe's files (core/io/caffe/net.proto).
#include "core/io/caffe/reader.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strings.h"
#include "core/base/utf8.h"
#include "core/io/caffe/limits.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <cmath>
#include <cstring>
#include <fstream>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/text_format.h>
#include <set>

namespace ql::caffe_io {

namespace fs = std::filesystem;

namespace {

const Text againRemedy = QL_TEXT("Copy or download the file again.");

std::string readBytes(const fs::path &file)
{
    std::error_code code;
    checkRegularFile(file);
    const auto size = fs::file_size(file, code);
    if (!code && size > std::uintmax_t(maxFileBytes))
        throw Error(ErrorKind::InvalidModel,
                    QL_TEXT("the file has %1 bytes, a Caffe file can have at most %2").with(size, maxFileBytes))
            .inFile(file.string())
            .withRemedy(QL_TEXT("Split the net."));
    std::ifstream in(file, std::ios::binary);
    std::string bytes(code ? 0 : std::size_t(size), '\0');
    in.read(bytes.data(), std::streamsize(bytes.size()));
    if (code || !in) throw Error(ErrorKind::Io, QL_TEXT("cannot read the file")).inFile(file.string());
    return bytes;
}

/// Other files that are found under these names.
void refuseOthers(std::string_view bytes, const fs::path &file)
{
    Text what, remedy = againRemedy;
    std::string_view head = bytes.substr(0, 512);
    while (!head.empty() && std::string_view(" \t\r\n").find(head.front()) != std::string_view::npos)
        head.remove_prefix(1);
    const std::string low = lower(head.substr(0, 64));
    if (bytes.empty()) what = QL_TEXT("an empty file");
    if (low.starts_with("version https://git-lfs")) {
        what = QL_TEXT("a Git LFS pointer");
        remedy = QL_TEXT("Run `git lfs pull` in the repository that the file comes from.");
    }
    if (low.starts_with("<!doctype html") || low.starts_with("<html")) {
        what = QL_TEXT("a web page (HTML)");
        remedy = QL_TEXT("Download the file itself, not the page that shows it.");
    }
    if (bytes.starts_with("\x89HDF")) {
        what = QL_TEXT("an HDF5 file");
        remedy = QL_TEXT("Save the weights as a .caffemodel (snapshot_format: BINARYPROTO).");
    }
    if (bytes.starts_with("PK\x03\x04") || bytes.starts_with("\x1f\x8b")) {
        what = QL_TEXT("a compressed file");
        remedy = QL_TEXT("Unpack it first.");
    }
    if (!what.isEmpty())
        throw Error(ErrorKind::InvalidModel, QL_TEXT("expected a Caffe file, found %1").with(what))
            .inFile(file.string())
            .withRemedy(remedy);
}

// ---- text

/// Refuses text with deeper nesting than the format, before a recursive parser reads it.
void checkDepth(std::string_view text, const fs::path &file)
{
    int depth = 0, line = 1;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\n') ++line;
        if (quote) {
            if (c == '\\') ++i;
            if (c == quote || c == '\n') quote = 0;
        } else if (c == '#') {
            i = std::min(text.find('\n', i), text.size()) - 1;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '{' || c == '<' || c == '[') {
            if (++depth > maxTextDepth)
                throw Error(ErrorKind::InvalidModel,
                            QL_TEXT("line %1: messages are nested more than %2 levels deep").with(line, maxTextDepth))
                    .inFile(file.string())
                    .withRemedy(QL_TEXT("The file is damaged; copy or export it again."));
        } else if (c == '}' || c == '>' || c == ']') {
            --depth;
        }
    }
}

/// Fields that only matter for training, databases or the choice of a library.
bool isHarmless(const std::string &field)
{
    static const std::set<std::string> names{"engine",
                                             "bias_filler",
                                             "filler",
                                             "blobs_lr",
                                             "weight_decay",
                                             "loss_weight",
                                             "lr_mult",
                                             "decay_mult",
                                             "share_mode",
                                             "blob_share_mode",
                                             "propagate_down",
                                             "loss_param",
                                             "accuracy_param",
                                             "force_backward",
                                             "debug_info",
                                             "moving_average_fraction",
                                             "stable_prod_grad",
                                             "save_output_param",
                                             "weight_filler",
                                             "std",
                                             "min",
                                             "max",
                                             "mean",
                                             "sparse",
                                             "variance_norm",
                                             "force_nd_im2col",
                                             "mean_file",
                                             "mean_value",
                                             "scale",
                                             "mirror",
                                             "source",
                                             "backend",
                                             "rand_skip",
                                             "shuffle",
                                             "prefetch",
                                             "root_folder",
                                             "data_filler",
                                             "diff",
                                             "python_param",
                                             "sigmoid_param",
                                             "tanh_param",
                                             "hdf5_data_param",
                                             "hdf5_output_param",
                                             "hinge_loss_param",
                                             "contrastive_loss_param",
                                             "infogain_loss_param",
                                             "window_data_param",
                                             "annotated_data_param",
                                             "multibox_loss_param",
                                             "detection_evaluate_param",
                                             "pad_out_h",
                                             "pad_out_w",
                                             "slope_filler",
                                             "scale_filler",
                                             "shift_filler",
                                             "decay",
                                             "moving_average",
                                             "momentum"};
    return names.contains(field);
}

class Collector final : public google::protobuf::io::ErrorCollector
{
public:
    void AddError(int line, int, const std::string &message) override
    {
        if (error.empty()) error = "line " + std::to_string(line + 1) + ": " + message;
    }
    void AddWarning(int line, int, const std::string &message) override
    {
        const std::size_t open = message.find("named \"");
        if (open == std::string::npos) return;
        const std::size_t from = open + 7;
        unknown.emplace(message.substr(from, message.find('"', from) - from), line + 1);
    }
    std::string error;
    std::map<std::string, int> unknown; ///< field -> its first line
};

void parseText(std::string_view text, const fs::path &file, format::NetParameter &net, const Report &report)
{
    if (std::int64_t(text.size()) > maxTextBytes)
        throw Error(ErrorKind::InvalidModel,
                    QL_TEXT("the text has %1 bytes, more than %2").with(text.size(), maxTextBytes))
            .inFile(file.string())
            .withRemedy(QL_TEXT("Save the weights in the binary form."));
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    checkDepth(text, file);
    Collector collector;
    google::protobuf::TextFormat::Parser parser;
    parser.RecordErrorsTo(&collector);
    parser.AllowUnknownField(true);
    parser.AllowPartialMessage(true);
    google::protobuf::io::ArrayInputStream in(text.data(), int(text.size()));
    if (!parser.Parse(&in, &net))
        throw Error(ErrorKind::InvalidModel,
                    QL_TEXT("the text of the net cannot be read: %1")
                        .with(collector.error.empty() ? QL_TEXT("it is damaged") : Text(collector.error)))
            .inFile(file.string())
            .withRemedy(QL_TEXT("Correct that line; the fields are those of Caffe's prototxt."));
    if (!report) return;
    for (const auto &[field, line] : collector.unknown)
        if (!isHarmless(field))
            report({.severity = api::Severity::Warning,
                    .message = QL_TEXT("line %1: the field '%2' is not known and was skipped").with(line, field),
                    .remedy = QL_TEXT("Check that the layer works as intended without it.")});
}

// ---- binary

/// Walks the fields of the outer messages, to distinguish a truncated file from another kind of file.
void checkBinary(std::string_view bytes, const fs::path &file)
{
    const auto damaged = [&](std::size_t at, const Text &what) {
        return Error(
                   ErrorKind::InvalidModel,
                   QL_TEXT("the Caffe file is truncated or damaged: %1 at byte %2 of %3").with(what, at, bytes.size()))
            .inFile(file.string())
            .withRemedy(againRemedy);
    };
    std::int64_t records = 0;
    const auto walk = [&](const auto &self, std::size_t pos, std::size_t end, int depth) -> void {
        const auto varint = [&]() {
            const std::size_t start = pos;
            std::uint64_t value = 0;
            for (int shift = 0; shift < 64; shift += 7) {
                if (pos >= end) throw damaged(start, QL_TEXT("truncated number"));
                const auto byte = static_cast<unsigned char>(bytes[pos++]);
                value |= std::uint64_t(byte & 0x7f) << shift;
                if (!(byte & 0x80)) return value;
            }
            throw damaged(start, QL_TEXT("number with too many bytes"));
        };
        while (pos < end) {
            const std::size_t start = pos;
            const std::uint64_t tag = varint();
            const std::uint64_t field = tag >> 3;
            std::uint64_t length = 0;
            if (field == 0 || field > 536870911) throw damaged(start, QL_TEXT("an invalid field"));
            switch (tag & 7) {
            case 0: varint(); continue;
            case 1: length = 8; break;
            case 2: length = varint(); break;
            case 5: length = 4; break;
            default: throw damaged(start, QL_TEXT("invalid field type"));
            }
            if (length > end - pos)
                throw damaged(start,
                              QL_TEXT("a field of %1 bytes does not fit in the remaining %2").with(length, end - pos));
            if (++records > maxRecords)
                throw Error(ErrorKind::InvalidModel,
                            QL_TEXT("the file has more than %1 layers, blobs and names").with(maxRecords))
                    .inFile(file.string())
                    .withRemedy(QL_TEXT("Split the net."));
            // Net -> layer(s) -> the first form's layer, blobs: enough to find where a file is truncated
            const bool isMessage = (tag & 7) == 2 && ((depth == 0 && (field == 2 || field == 100)) ||
                                                      (depth == 1 && (field == 6 || field == 7)));
            if (isMessage) self(self, pos, pos + std::size_t(length), depth + 1);
            pos += std::size_t(length);
        }
    };
    walk(walk, 0, bytes.size(), 0);
}

template <class Message>
void parseBinary(const std::string &bytes, const fs::path &file, Message &message)
{
    checkBinary(bytes, file);
    if (!message.ParsePartialFromArray(bytes.data(), int(bytes.size())))
        throw Error(ErrorKind::InvalidModel, QL_TEXT("the Caffe file is damaged: it cannot be parsed"))
            .inFile(file.string())
            .withRemedy(againRemedy);
}

// ---- blobs

Shape shapeOf(const format::BlobProto &blob, const fs::path &file, const std::string &layer)
{
    Shape shape;
    if (blob.has_shape()) {
        shape.assign(blob.shape().dim().begin(), blob.shape().dim().end());
    } else if (blob.has_num() || blob.has_channels() || blob.has_height() || blob.has_width()) {
        shape = {blob.num(), blob.channels(), blob.height(), blob.width()};
    } else {
        return {std::max({std::int64_t(blob.data_size()), std::int64_t(blob.double_data_size()), std::int64_t{0}})};
    }
    std::int64_t count = 1;
    bool good = std::int64_t(shape.size()) <= maxRank;
    for (const std::int64_t size : shape) {
        good = good && size >= 0 && (size == 0 || count <= maxFileBytes / size);
        if (good) count *= size;
    }
    if (!good)
        throw Error(ErrorKind::InvalidModel, QL_TEXT("a blob has the invalid shape %1").with(sizesText(shape)), layer)
            .inFile(file.string())
            .withRemedy(againRemedy);
    return shape;
}

/// The values of a blob as float32; undefined if it has none. The message's own values are released.
at::Tensor tensorOf(format::BlobProto &blob, const fs::path &file, const std::string &layer)
{
    const Shape shape = shapeOf(blob, file, layer);
    std::int64_t count = 1;
    for (const std::int64_t size : shape) count *= size;
    const auto from = [&](const void *data, std::int64_t held, at::ScalarType type) {
        if (held != count)
            throw Error(
                ErrorKind::InvalidModel,
                QL_TEXT("a blob of shape %1 needs %2 values, the file holds %3").with(sizesText(shape), count, held),
                layer)
                .inFile(file.string())
                .withRemedy(againRemedy);
        // The bytes of a message need not be aligned
        at::Tensor copy = at::empty(shape, at::TensorOptions(type));
        if (held > 0) std::memcpy(copy.data_ptr(), data, std::size_t(held) * copy.element_size());
        return copy.to(at::kFloat);
    };
    at::Tensor out;
    if (count == 0) return out;
    if (blob.data_size() > 0) {
        out = from(blob.data().data(), blob.data_size(), at::kFloat);
        google::protobuf::RepeatedField<float>().Swap(blob.mutable_data());
    } else if (blob.double_data_size() > 0) {
        out = from(blob.double_data().data(), blob.double_data_size(), at::kDouble);
        google::protobuf::RepeatedField<double>().Swap(blob.mutable_double_data());
    } else if (!blob.raw_data().empty()) {
        constexpr at::ScalarType types[] = {at::kDouble, at::kFloat, at::kHalf};
        const int kind = blob.raw_data_type();
        if (kind < 0 || kind > 2)
            throw Error(ErrorKind::InvalidModel,
                        QL_TEXT("a blob has values of type %1, expected 0 to 2 (double, float, half)").with(kind),
                        layer)
                .inFile(file.string());
        const std::size_t size = at::elementSize(types[kind]);
        out = from(blob.raw_data().data(), std::int64_t(blob.raw_data().size() / size), types[kind]);
        blob.clear_raw_data();
    } else {
        return out;
    }
    std::int64_t bad = 0;
    for (std::int64_t i = 0; i < count; ++i) bad += !std::isfinite(out.data_ptr<float>()[i]);
    if (bad > 0)
        throw Error(ErrorKind::InvalidModel, QL_TEXT("%1 of %2 values of a blob are NaN or infinite").with(bad, count),
                    layer)
            .inFile(file.string())
            .withRemedy(QL_TEXT("Training has diverged, or the file is damaged: use another checkpoint."));
    return out;
}

void makePrintable(format::NetParameter &net)
{
    const auto clean = [](auto &names) {
        for (std::string &name : names) name = printable(name);
    };
    net.set_name(printable(net.name()));
    clean(*net.mutable_input());
    for (format::LayerParameter &layer : *net.mutable_layer()) {
        layer.set_name(printable(layer.name()));
        layer.set_type(printable(layer.type()));
        clean(*layer.mutable_bottom());
        clean(*layer.mutable_top());
    }
}

} // namespace

bool isText(std::string_view bytes)
{
    for (const char c : bytes.substr(0, 65536)) {
        const auto u = static_cast<unsigned char>(c);
        if ((u < 0x20 && c != '\t' && c != '\r' && c != '\n' && c != '\f') || u == 0x7f) return false;
    }
    return true;
}

format::NetParameter readDefinition(const fs::path &file, const Report &report)
{
    const std::string bytes = readBytes(file);
    refuseOthers(bytes, file);
    format::NetParameter net;
    if (isText(bytes))
        parseText(bytes, file, net, report);
    else
        parseBinary(bytes, file, net);
    try {
        std::int64_t names = 0;
        for (const auto &layer : net.layer()) names += layer.bottom_size() + layer.top_size();
        for (const auto &layer : net.layers()) names += layer.bottom_size() + layer.top_size();
        if (net.layer_size() + net.layers_size() > maxLayers || names > maxTops)
            throw Error(ErrorKind::InvalidModel,
                        QL_TEXT("the net has more than %1 layers or %2 bottoms and tops").with(maxLayers, maxTops))
                .withRemedy(QL_TEXT("Split the net."));
        upgrade(net);
        makePrintable(net);
    } catch (const Error &error) {
        throw Error(error).inFile(file.string());
    }
    return net;
}

Weights::Weights(const fs::path &file) : m_file(file)
{
    const std::string bytes = readBytes(file);
    refuseOthers(bytes, file);
    if (isText(bytes)) {
        format::NetParameter net;
        parseText(bytes, file, net, {});
        for (auto &layer : *net.mutable_layers())
            if (layer.has_layer())
                add(layer.layer().name(), *layer.mutable_layer()->mutable_blobs());
            else
                add(layer.name(), *layer.mutable_blobs());
        for (auto &layer : *net.mutable_layer()) add(layer.name(), *layer.mutable_blobs());
    } else {
        format::WeightFile weights;
        parseBinary(bytes, file, weights);
        for (auto &layer : *weights.mutable_layers())
            if (layer.has_layer())
                add(layer.layer().name(), *layer.mutable_layer()->mutable_blobs());
            else
                add(layer.name(), *layer.mutable_blobs());
        for (auto &layer : *weights.mutable_layer()) add(layer.name(), *layer.mutable_blobs());
        if (weights.layers_size() == 0 && weights.layer_size() == 0)
            throw Error(
                ErrorKind::InvalidModel,
                QL_TEXT("expected Caffe weights, but the file (%1 bytes) contains no layers").with(bytes.size()))
                .inFile(file.string())
                .withRemedy(QL_TEXT("Give the .caffemodel of the net."));
    }
}

Weights::Weights(const fs::path &file, format::NetParameter &net)
{
    for (auto &layer : *net.mutable_layer()) {
        if (layer.blobs_size() > 0) m_file = file;
        add(layer.name(), *layer.mutable_blobs());
        layer.clear_blobs();
    }
}

void Weights::add(const std::string &layer, google::protobuf::RepeatedPtrField<format::BlobProto> &blobs)
{
    if (blobs.empty()) return;
    std::vector<at::Tensor> tensors;
    for (format::BlobProto &blob : blobs) tensors.push_back(tensorOf(blob, m_file, printable(layer)));
    m_layers[printable(layer)].push_back(std::move(tensors));
}

const std::vector<at::Tensor> *Weights::take(const std::string &layer)
{
    const auto it = m_layers.find(layer);
    if (it == m_layers.end()) return nullptr;
    std::size_t &taken = m_taken[layer];
    return taken < it->second.size() ? &it->second[taken++] : nullptr;
}

std::vector<std::string> Weights::names() const
{
    std::vector<std::string> out;
    for (const auto &[name, blobs] : m_layers) out.push_back(name);
    return out;
}

} // namespace ql::caffe_io
