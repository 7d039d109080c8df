#include "core/io/npy.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strings.h"

#include <ATen/ops/empty.h>
#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <ostream>
#include <sys/stat.h>
#include <unistd.h>

namespace ql {

static_assert(std::endian::native == std::endian::little);

static constexpr std::int64_t largestRead = std::int64_t(1) << 31;
static constexpr std::string_view magic = "\x93NUMPY";

std::int64_t NpyHeader::elementCount() const
{
    std::int64_t count = 1;
    for (const std::int64_t size : shape) count *= size; // parseNpyHeader has excluded an overflow
    return count;
}

at::ScalarType NpyHeader::dtype() const
{
    switch (kind) {
    case 'b': return at::kBool;
    case 'f': return itemSize == 2 ? at::kHalf : itemSize == 4 ? at::kFloat : at::kDouble;
    case 'i': return itemSize == 1 ? at::kChar : itemSize == 2 ? at::kShort : itemSize == 4 ? at::kInt : at::kLong;
    default: return itemSize == 1 ? at::kByte : itemSize == 2 ? at::kInt : at::kLong;
    }
}

std::string NpyHeader::typeName() const
{
    if (kind == 'b') return "bool";
    return (kind == 'f' ? "float" : kind == 'i' ? "int" : "uint") + std::to_string(itemSize * 8);
}

namespace {

class FileReader final : public ByteReader
{
public:
    explicit FileReader(const std::filesystem::path &file) : m_name(file.string())
    {
        const auto fail = [&] {
            const int code = errno;
            if (m_fd >= 0) ::close(m_fd);
            throw cannotRead(m_name, code);
        };
        checkRegularFile(file); // a pipe without a writer would block us
        m_fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
        if (m_fd < 0) fail();
        struct stat status
        {};
        if (::fstat(m_fd, &status) != 0) fail();
        m_size = std::uint64_t(status.st_size);
    }
    ~FileReader() override { ::close(m_fd); }
    FileReader(const FileReader &) = delete;
    FileReader &operator=(const FileReader &) = delete;

    std::uint64_t size() const override { return m_size; }
    void read(std::uint64_t offset, std::size_t count, char *out) override
    {
        while (count > 0) {
            const ssize_t got = ::pread(m_fd, out, count, off_t(offset));
            if (got < 0 && errno == EINTR) continue;
            if (got < 0)
                throw Error(ErrorKind::Io, QL_TEXT("reading failed: %1").with(std::strerror(errno))).inFile(m_name);
            if (got == 0) throw Error(ErrorKind::BadData, QL_TEXT("unexpected end of file")).inFile(m_name);
            offset += std::uint64_t(got);
            count -= std::size_t(got);
            out += got;
        }
    }

private:
    std::string m_name;
    int m_fd = -1;
    std::uint64_t m_size = 0;
};

/// The header is a Python dictionary with three known keys; this parser supports just that.
class HeaderParser
{
public:
    HeaderParser(std::string_view text, const Text &where) : m_text(text), m_where(where) {}

    NpyHeader parse()
    {
        NpyHeader header;
        bool haveType = false, haveOrder = false, haveShape = false;
        expect('{');
        while (!accept('}')) {
            const std::string key = string();
            expect(':');
            if (key == "descr") {
                type(header);
                haveType = true;
            } else if (key == "fortran_order") {
                header.fortranOrder = boolean();
                haveOrder = true;
            } else if (key == "shape") {
                shape(header);
                haveShape = true;
            } else {
                fail(QL_TEXT("unknown key '%1'").with(key));
            }
            if (!accept(',')) {
                expect('}');
                break;
            }
        }
        if (!haveType || !haveOrder || !haveShape) fail(QL_TEXT("expected the keys descr, fortran_order and shape"));
        return header;
    }

private:
    [[noreturn]] void fail(const Text &why) const
    {
        throw Error(ErrorKind::BadData, QL_TEXT("%1: damaged array header: %2").with(m_where, why))
            .withRemedy(QL_TEXT("The file is damaged: write it again."));
    }
    void blanks()
    {
        while (m_at < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[m_at]))) ++m_at;
    }
    bool accept(char c)
    {
        blanks();
        if (m_at >= m_text.size() || m_text[m_at] != c) return false;
        ++m_at;
        return true;
    }
    void expect(char c)
    {
        if (!accept(c)) fail(QL_TEXT("expected '%1' at byte %2").with(std::string(1, c), m_at));
    }
    std::string string()
    {
        blanks();
        if (m_at >= m_text.size() || (m_text[m_at] != '\'' && m_text[m_at] != '"'))
            fail(QL_TEXT("expected a quoted string"));
        const char quote = m_text[m_at++];
        const std::size_t end = m_text.find(quote, m_at);
        if (end == std::string_view::npos) fail(QL_TEXT("a quote is not closed"));
        std::string out(m_text.substr(m_at, end - m_at));
        m_at = end + 1;
        return out;
    }
    bool boolean()
    {
        blanks();
        for (const std::string_view word : {"True", "False"})
            if (m_text.substr(m_at, word.size()) == word) {
                m_at += word.size();
                return word == "True";
            }
        fail(QL_TEXT("fortran_order is neither True nor False"));
    }
    void type(NpyHeader &header)
    {
        blanks();
        if (m_at < m_text.size() && m_text[m_at] == '[')
            throw Error(ErrorKind::BadData,
                        QL_TEXT("%1: expected an array of numbers, got records with fields").with(m_where))
                .withRemedy(QL_TEXT("Save each field as a separate array."));
        const std::string text = string();
        const std::string_view body = std::string_view(text).substr(text.empty() ? 0 : 1);
        if (text.empty() || std::string_view("<>=|").find(text[0]) == std::string_view::npos || body.empty())
            fail(QL_TEXT("element type '%1'").with(text));
        header.bigEndian = text[0] == '>';
        header.kind = body[0];
        const std::string_view digits = body.substr(1);
        header.itemSize = digits == "1" ? 1 : digits == "2" ? 2 : digits == "4" ? 4 : digits == "8" ? 8 : 0;
        const bool known = (header.kind == 'b' && header.itemSize == 1) ||
                           ((header.kind == 'i' || header.kind == 'u') && header.itemSize > 0) ||
                           (header.kind == 'f' && header.itemSize > 1);
        if (!known)
            throw Error(ErrorKind::BadData,
                        QL_TEXT("%1: expected an array of numbers, got element type '%2'").with(m_where, text))
                .withRemedy(QL_TEXT("Save it as bool, int8 to int64, uint8 to uint64, float16, float32 or float64 "
                                    "(array.astype(...))."));
    }
    void shape(NpyHeader &header)
    {
        expect('(');
        while (!accept(')')) {
            blanks();
            std::int64_t value = 0;
            std::size_t digits = 0;
            while (m_at < m_text.size() && std::isdigit(static_cast<unsigned char>(m_text[m_at]))) {
                if (++digits > 18) fail(QL_TEXT("a dimension is too large"));
                value = value * 10 + (m_text[m_at++] - '0');
            }
            if (digits == 0) fail(QL_TEXT("a dimension is not a number"));
            if (m_at < m_text.size() && m_text[m_at] == 'L') ++m_at; // written by Python 2
            header.shape.push_back(value);
            if (header.shape.size() > 32) fail(QL_TEXT("more than 32 dimensions"));
            if (!accept(',')) {
                expect(')');
                break;
            }
        }
        std::int64_t bytes = 8; // maximum, of an element
        for (const std::int64_t size : header.shape)
            if (size > 0 && bytes > std::numeric_limits<std::int64_t>::max() / size)
                fail(QL_TEXT("the size %1 does not fit in memory").with(sizesText(header.shape)));
            else if (size > 0)
                bytes *= size;
    }

    std::string_view m_text;
    const Text &m_where;
    std::size_t m_at = 0;
};

void swapBytes(char *data, std::size_t count, int itemSize)
{
    if (itemSize == 1) return;
    for (std::size_t i = 0; i < count; ++i) std::reverse(data + i * itemSize, data + (i + 1) * itemSize);
}

template <class From, class To>
void widen(const char *from, at::Tensor &to, const Text &where)
{
    To *out = to.data_ptr<To>();
    for (std::int64_t i = 0; i < to.numel(); ++i) {
        From value;
        std::memcpy(&value, from + std::size_t(i) * sizeof(From), sizeof(From));
        if constexpr (sizeof(From) == sizeof(To))
            if (value > From(std::numeric_limits<To>::max()))
                throw Error(ErrorKind::BadData,
                            QL_TEXT("%1: the value %2 does not fit in a signed 64-bit integer").with(where, value));
        out[i] = To(value);
    }
}

} // namespace

std::unique_ptr<ByteReader> openFile(const std::filesystem::path &file)
{
    return std::make_unique<FileReader>(file);
}

/// @returns length of magic, version and length field, and the length of the following header text
static std::pair<std::size_t, std::size_t> headerExtent(std::string_view start, const Text &where)
{
    if (start.size() < 12 || start.substr(0, magic.size()) != magic)
        throw Error(ErrorKind::BadData,
                    QL_TEXT("%1: expected a NumPy array (.npy), but it does not start like one").with(where))
            .withRemedy(QL_TEXT("Write it with numpy.save or numpy.savez."));
    const auto byte = [&](std::size_t i) { return std::size_t(static_cast<unsigned char>(start[i])); };
    const std::size_t version = byte(6);
    if (version < 1 || version > 3)
        throw Error(ErrorKind::BadData,
                    QL_TEXT("%1: expected NumPy format version 1, 2 or 3, got %2").with(where, version));
    if (version == 1) return {10, byte(8) | byte(9) << 8};
    return {12, byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24};
}

NpyHeader parseNpyHeader(std::string_view start, const Text &where)
{
    const auto [before, length] = headerExtent(start, where);
    if (start.size() < before + length)
        throw Error(ErrorKind::BadData, QL_TEXT("%1: the array header is cut off").with(where));
    NpyHeader header = HeaderParser(start.substr(before, length), where).parse();
    header.dataOffset = before + length;
    return header;
}

NpyArray::NpyArray(std::unique_ptr<ByteReader> bytes, Text where) : m_bytes(std::move(bytes)), m_where(std::move(where))
{
    const std::uint64_t size = m_bytes->size();
    std::string start(std::size_t(std::min<std::uint64_t>(size, 12)), '\0');
    m_bytes->read(0, start.size(), start.data());
    const auto [before, length] = headerExtent(start, m_where);
    if (length > 65536 || before + length > size)
        throw Error(ErrorKind::BadData, QL_TEXT("%1: the array header is cut off or invalid").with(m_where))
            .withRemedy(QL_TEXT("The file is damaged: write it again."));
    start.resize(before + length);
    m_bytes->read(0, start.size(), start.data());
    m_header = parseNpyHeader(start, m_where);
    const std::uint64_t have = size - m_header.dataOffset;
    if (std::uint64_t(m_header.byteCount()) > have)
        throw Error(ErrorKind::BadData,
                    QL_TEXT("%1: the header says %2 %3 = %4 bytes, but %5 follow")
                        .with(m_where, sizesText(m_header.shape), m_header.typeName(), m_header.byteCount(), have))
            .withRemedy(QL_TEXT("The file is truncated or damaged: write it again."));
}

at::Tensor NpyArray::decode(std::uint64_t offset, const std::vector<std::int64_t> &shape)
{
    std::int64_t count = 1;
    for (const std::int64_t size : shape) count *= size;
    const std::int64_t bytes = count * m_header.itemSize;
    if (bytes > largestRead)
        throw Error(
            ErrorKind::BadData,
            QL_TEXT("%1: %2 %3 is more than 2 GiB in one piece").with(m_where, sizesText(shape), m_header.typeName()));
    at::Tensor out = at::empty(shape, at::TensorOptions(m_header.dtype()));
    const auto source = m_header.dataOffset + offset;
    const bool same = m_header.kind != 'u' || m_header.itemSize == 1;
    if (same) {
        if (bytes == 0) return out;
        auto *data = static_cast<char *>(out.data_ptr());
        m_bytes->read(source, std::size_t(bytes), data);
        if (m_header.bigEndian) swapBytes(data, std::size_t(count), m_header.itemSize);
        if (m_header.kind == 'b') // any byte other than 0 counts as true
            std::transform(data, data + bytes, data, [](char c) { return char(c != 0); });
        return out;
    }
    std::string raw(std::size_t(bytes), '\0');
    m_bytes->read(source, raw.size(), raw.data());
    if (m_header.bigEndian) swapBytes(raw.data(), std::size_t(count), m_header.itemSize);
    if (m_header.itemSize == 2) widen<std::uint16_t, std::int32_t>(raw.data(), out, m_where);
    if (m_header.itemSize == 4) widen<std::uint32_t, std::int64_t>(raw.data(), out, m_where);
    if (m_header.itemSize == 8) widen<std::uint64_t, std::int64_t>(raw.data(), out, m_where);
    return out;
}

at::Tensor NpyArray::all()
{
    if (m_whole.defined()) return m_whole;
    if (!m_header.fortranOrder || m_header.shape.size() < 2) return decode(0, m_header.shape);
    // Fortran order is C order of the reversed shape.
    const std::vector<std::int64_t> reversed(m_header.shape.rbegin(), m_header.shape.rend());
    std::vector<std::int64_t> order(reversed.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = std::int64_t(order.size() - 1 - i);
    m_whole = decode(0, reversed).permute(order).contiguous();
    return m_whole;
}

at::Tensor NpyArray::entry(std::int64_t k)
{
    if (m_header.fortranOrder && m_header.shape.size() > 1) return all().select(0, k);
    const std::vector<std::int64_t> shape(m_header.shape.begin() + 1, m_header.shape.end());
    std::int64_t stride = m_header.itemSize;
    for (const std::int64_t size : shape) stride *= size;
    return decode(std::uint64_t(k * stride), shape);
}

at::Tensor readNpy(const std::filesystem::path &file)
{
    try {
        return NpyArray(openFile(file), file.filename().string()).all();
    } catch (Error &error) {
        throw Error(error).inFile(file.string());
    }
}

static at::Tensor writable(const at::Tensor &tensor)
{
    const at::Tensor source = tensor.scalar_type() == at::kBFloat16 ? tensor.to(at::kFloat) : tensor;
    return source.to(at::kCPU).contiguous();
}

std::string npyHeaderFor(const at::Tensor &tensor)
{
    static const std::vector<std::pair<at::ScalarType, const char *>> types{
        {at::kBool, "|b1"}, {at::kChar, "|i1"}, {at::kByte, "|u1"},  {at::kShort, "<i2"},  {at::kInt, "<i4"},
        {at::kLong, "<i8"}, {at::kHalf, "<f2"}, {at::kFloat, "<f4"}, {at::kDouble, "<f8"}, {at::kBFloat16, "<f4"}};
    const auto type = std::find_if(types.begin(), types.end(),
                                   [&](const auto &entry) { return entry.first == tensor.scalar_type(); });
    if (type == types.end()) throw Error(ErrorKind::Internal, QL_TEXT("no NumPy type for this tensor"));
    std::string shape;
    for (const std::int64_t size : tensor.sizes()) shape += std::to_string(size) + ", ";
    if (tensor.dim() > 1) shape.resize(shape.size() - 2);
    if (tensor.dim() == 1) shape.pop_back();
    std::string text =
        std::string("{'descr': '") + type->second + "', 'fortran_order': False, 'shape': (" + shape + "), }";
    // The data starts at a multiple of 64 bytes; the text ends with a newline.
    const std::size_t before = 10;
    text.append(63 - (before + text.size()) % 64, ' ');
    text += '\n';
    std::string out(magic);
    out += {'\1', '\0', char(text.size() & 0xff), char(text.size() >> 8)};
    return out + text;
}

void writeNpy(std::ostream &out, const at::Tensor &tensor)
{
    const at::Tensor source = writable(tensor);
    const std::string header = npyHeaderFor(source);
    out.write(header.data(), std::streamsize(header.size()));
    out.write(static_cast<const char *>(source.data_ptr()), std::streamsize(source.numel() * source.element_size()));
}

} // namespace ql
