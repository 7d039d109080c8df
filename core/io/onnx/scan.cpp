#include "core/io/onnx/scan.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strings.h"
#include "core/io/onnx/limits.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace ql::onnx_io {

namespace {

struct Verdict
{
    Text what, remedy;
};

/// The kind of a file that is certainly not an ONNX model; by the magic numbers of formats that people mistake for one.
std::optional<Verdict> recognise(std::string_view bytes, const std::filesystem::path &file)
{
    const auto starts = [&](std::string_view magic) { return bytes.substr(0, magic.size()) == magic; };
    const auto at = [&](std::size_t offset, std::string_view magic) {
        return bytes.size() >= offset + magic.size() && bytes.substr(offset, magic.size()) == magic;
    };
    const Text exportHint = QL_TEXT("Export the network to ONNX and open that file.");
    const Text downloadHint = QL_TEXT("Download the file itself; the page's address is not the file's.");
    if (bytes.empty()) return Verdict{QL_TEXT("an empty file"), QL_TEXT("Copy or download it again.")};
    if (starts("version https://git-lfs"))
        return Verdict{QL_TEXT("a Git LFS pointer instead of the actual file"),
                       QL_TEXT("Run 'git lfs pull' in its repository, or download the real file.")};
    if (starts(std::string_view("PK\x03\x04", 4)))
        return Verdict{QL_TEXT("a zip archive (a PyTorch checkpoint, or a packed download)"),
                       QL_TEXT("Unpack it if it holds a model; a PyTorch checkpoint needs torch.onnx.export.")};
    if (starts("\x80\x02") || starts("\x80\x03") || starts("\x80\x04"))
        return Verdict{QL_TEXT("a Python pickle (an old PyTorch checkpoint)"),
                       QL_TEXT("Export it with torch.onnx.export.")};
    if (at(4, "TFL3"))
        return Verdict{QL_TEXT("a TensorFlow Lite model"), QL_TEXT("Convert it, for example with tf2onnx.")};
    if (at(4, "ORTM"))
        return Verdict{QL_TEXT("an ONNX Runtime (.ort) model"), QL_TEXT("Open the .onnx file that it was made from.")};
    if (starts("\x89HDF"))
        return Verdict{QL_TEXT("an HDF5 file (Keras)"), QL_TEXT("Convert it, for example with tf2onnx.")};
    if (starts("\x89PNG") || starts("\xff\xd8\xff") || starts("GIF8"))
        return Verdict{QL_TEXT("an image"), QL_TEXT("Open the model here; images are calibration data.")};
    if (starts("\x1f\x8b") || starts("BZh") ||
        starts("\xfd"
               "7zXZ") ||
        starts("\x28\xb5\x2f\xfd"))
        return Verdict{QL_TEXT("a compressed file"), QL_TEXT("Unpack it first.")};
    if (starts("\x93NUMPY"))
        return Verdict{QL_TEXT("a NumPy array"), QL_TEXT("Open the model here; arrays are calibration data.")};
    if (starts("7767517"))
        return Verdict{QL_TEXT("an NCNN parameter file"), QL_TEXT("Open the model that it was made from.")};
    if (starts("%PDF")) return Verdict{QL_TEXT("a PDF document"), downloadHint};
    if (at(4, std::string_view("\0\0\0\0{\"", 6)))
        return Verdict{QL_TEXT("a safetensors file (weights without a network)"), exportHint};
    std::string_view head = bytes.substr(0, 4096);
    while (!head.empty() && std::string_view(" \t\r\n").find(head.front()) != std::string_view::npos)
        head.remove_prefix(1);
    const std::string low = lower(head.substr(0, 64));
    if (low.starts_with("<!doctype html") || low.starts_with("<html"))
        return Verdict{QL_TEXT("a web page (HTML)"), downloadHint};
    if (low.starts_with("<?xml") || low.starts_with("<net")) return Verdict{QL_TEXT("an XML file"), exportHint};
    if (file.extension() == ".caffemodel" || file.extension() == ".prototxt")
        return Verdict{QL_TEXT("a Caffe model"), QL_TEXT("Open the .prototxt and give the .caffemodel as weights.")};
    bool isText = true;
    for (const char c : bytes.substr(0, 512)) {
        const auto u = static_cast<unsigned char>(c);
        if (u < 0x20 && c != '\t' && c != '\r' && c != '\n') isText = false;
    }
    if (isText) return Verdict{QL_TEXT("a text file"), exportHint};
    return std::nullopt;
}

/// The messages of onnx.proto that contain other messages.
enum class Kind {
    Model,
    Graph,
    Node,
    Attribute,
    Tensor,
    Sparse,
    Function,
    ValueInfo,
    Type,
    TensorType,
    Shape,
    External,
    Leaf
};

/// The content of a length-delimited field of a message: a message, or Leaf (strings, packed numbers, small messages).
Kind childKind(Kind parent, std::uint64_t field)
{
    switch (parent) {
    case Kind::Model: return field == 7 ? Kind::Graph : field == 25 ? Kind::Function : Kind::Leaf;
    case Kind::Graph:
        if (field == 1) return Kind::Node;
        if (field == 5) return Kind::Tensor;
        if (field >= 11 && field <= 13) return Kind::ValueInfo;
        return field == 15 ? Kind::Sparse : Kind::Leaf;
    case Kind::Node: return field == 5 ? Kind::Attribute : Kind::Leaf;
    case Kind::Attribute:
        if (field == 5 || field == 10) return Kind::Tensor;
        if (field == 6 || field == 11) return Kind::Graph;
        if (field == 14 || field == 15) return Kind::Type;
        return field == 22 || field == 23 ? Kind::Sparse : Kind::Leaf;
    case Kind::Sparse: return field == 1 || field == 2 ? Kind::Tensor : Kind::Leaf;
    case Kind::Function: return field == 7 ? Kind::Node : field == 11 ? Kind::Attribute : Kind::Leaf;
    case Kind::ValueInfo: return field == 2 ? Kind::Type : Kind::Leaf;
    // sequence, optional and map contain a type in a nested message: one level more, like TensorType and its shape.
    case Kind::Type:
        return field == 1 || field == 4 || field == 5 || field == 8 || field == 9 ? Kind::TensorType : Kind::Leaf;
    case Kind::TensorType: return field == 2 ? Kind::Shape : field == 1 ? Kind::Type : Kind::Leaf;
    case Kind::Tensor: return field == 13 ? Kind::External : Kind::Leaf;
    case Kind::Shape:
    case Kind::External:
    case Kind::Leaf: break;
    }
    return Kind::Leaf;
}

/// A file whose weights are skipped: pieces of it, as the scanner reaches them.
class FileBytes
{
public:
    explicit FileBytes(const std::filesystem::path &file)
    {
        checkRegularFile(file);
        m_size = std::size_t(std::filesystem::file_size(file));
        m_in.open(file, std::ios::binary);
        if (!m_in) throw cannotRead(file, errno);
    }

    std::size_t size() const { return m_size; }
    char operator[](std::size_t pos)
    {
        if (pos < m_start || pos >= m_start + m_piece.size()) read(pos);
        return m_piece[pos - m_start];
    }
    std::string substr(std::size_t pos, std::size_t length)
    {
        std::string text;
        for (std::size_t i = pos; i < std::min(m_size, pos + length); ++i) text += (*this)[i];
        return text;
    }

private:
    void read(std::size_t pos)
    {
        m_piece.resize(std::min(m_size - pos, std::size_t{1} << 13));
        m_in.seekg(std::streamoff(pos));
        m_in.read(m_piece.data(), std::streamsize(m_piece.size()));
        if (!m_in) throw Error(ErrorKind::Io, QL_TEXT("reading the file failed"));
        m_start = pos;
    }

    std::ifstream m_in;
    std::size_t m_size = 0, m_start = 0;
    std::string m_piece;
};

class Scanner
{
public:
    Scanner(FileBytes bytes, const std::filesystem::path &file) : m_bytes(std::move(bytes)), m_file(file) {}

    std::set<std::string> run()
    {
        walk(Kind::Model, 0, m_bytes.size(), 0, 0);
        if (m_hasGraph) return std::move(m_locations);
        if (!m_hasIrVersion) notOnnx();
        throw Error(ErrorKind::InvalidModel,
                    QL_TEXT("expected an ONNX model, but the file holds no graph (%1 bytes)").with(m_bytes.size()))
            .inFile(m_file.string())
            .withRemedy(QL_TEXT("The file may be truncated; copy or download it again."));
    }

private:
    [[noreturn]] void notOnnx() const
    {
        throw Error(ErrorKind::InvalidModel,
                    QL_TEXT("expected an ONNX model, but the file (%1 bytes) is not one").with(m_bytes.size()))
            .inFile(m_file.string())
            .withRemedy(QL_TEXT("Export the network to ONNX and open that file."));
    }

    [[noreturn]] void damaged(std::size_t offset, const Text &what) const
    {
        if (!m_hasIrVersion) notOnnx();
        throw Error(
            ErrorKind::InvalidModel,
            QL_TEXT("the ONNX file is truncated or damaged: %1 at byte %2 of %3").with(what, offset, m_bytes.size()))
            .inFile(m_file.string())
            .withRemedy(QL_TEXT("Copy or download it again, or export the model again."));
    }

    std::uint64_t varint(std::size_t &pos, std::size_t end)
    {
        const std::size_t start = pos;
        std::uint64_t value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (pos >= end) damaged(start, QL_TEXT("truncated number"));
            const auto byte = static_cast<unsigned char>(m_bytes[pos++]);
            value |= std::uint64_t(byte & 0x7f) << shift;
            if (!(byte & 0x80)) return value;
        }
        damaged(start, QL_TEXT("number with too many bytes"));
    }

    // depth counts all messages (protobuf refuses more than 100), graphs only graphs.
    void walk(Kind kind, std::size_t pos, std::size_t end, int depth, int graphs)
    {
        if (kind == Kind::Graph && ++graphs > maxGraphDepth)
            throw Error(
                ErrorKind::InvalidModel,
                QL_TEXT("graphs are nested more than %1 levels deep (bodies of If, Loop or Scan)").with(maxGraphDepth))
                .inFile(m_file.string())
                .withRemedy(QL_TEXT("Flatten the control flow when exporting."));
        if (depth > 90) damaged(pos, QL_TEXT("messages nested too deeply"));
        bool isLocation = false; // of an entry of external_data: key 1 comes before value 2
        while (pos < end) {
            const std::size_t start = pos;
            const std::uint64_t tag = varint(pos, end);
            const std::uint64_t field = tag >> 3;
            if (field == 0 || field > 536870911) damaged(start, QL_TEXT("an invalid field"));
            std::uint64_t length = 0;
            switch (tag & 7) {
            case 0:
                varint(pos, end);
                if (kind == Kind::Model && field == 1) m_hasIrVersion = true;
                continue;
            case 1: length = 8; break;
            case 5: length = 4; break;
            case 2: length = varint(pos, end); break;
            default: damaged(start, QL_TEXT("invalid field type"));
            }
            if (length > end - pos)
                damaged(start, QL_TEXT("a field of %1 bytes does not fit in the remaining %2").with(length, end - pos));
            const std::size_t next = pos + std::size_t(length);
            if ((tag & 7) == 2) {
                if (++m_records > maxRecords)
                    throw Error(
                        ErrorKind::InvalidModel,
                        QL_TEXT("the model has more than %1 nodes, attributes, tensors and names").with(maxRecords))
                        .inFile(m_file.string())
                        .withRemedy(QL_TEXT("Split the model."));
                const Kind child = childKind(kind, field);
                const auto text = [&] { return m_bytes.substr(pos, std::size_t(length)); };
                if (kind == Kind::External && field == 1) isLocation = text() == "location";
                if (kind == Kind::External && field == 2 && isLocation) m_locations.emplace(text());
                if (child == Kind::Graph) m_hasGraph = true;
                if (child != Kind::Leaf) walk(child, pos, next, depth + 1, graphs);
            }
            pos = next;
        }
    }

    FileBytes m_bytes;
    const std::filesystem::path &m_file;
    std::set<std::string> m_locations;
    std::int64_t m_records = 0;
    bool m_hasGraph = false;
    bool m_hasIrVersion = false;
};

} // namespace

std::set<std::string> checkModelFile(const std::filesystem::path &file)
{
    FileBytes bytes(file);
    const std::size_t size = bytes.size();
    if (const auto verdict = recognise(bytes.substr(0, 4096), file))
        throw Error(ErrorKind::InvalidModel, QL_TEXT("expected an ONNX model, found %1").with(verdict->what))
            .inFile(file.string())
            .withRemedy(verdict->remedy);
    if (size > std::size_t(maxModelBytes))
        throw Error(ErrorKind::InvalidModel,
                    QL_TEXT("the file has %1 bytes, an ONNX file can have at most %2").with(size, maxModelBytes))
            .inFile(file.string())
            .withRemedy(QL_TEXT("Save the model with external data."));
    return Scanner(std::move(bytes), file).run();
}

} // namespace ql::onnx_io
