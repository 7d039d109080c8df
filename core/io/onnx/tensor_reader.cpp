#include "core/io/onnx/tensor_reader.h"

#include "core/base/error.h"
#include "core/io/onnx/element_type.h"
#include "core/io/onnx/limits.h"
#include "core/ir/graph.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/zeros.h>
#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <limits>
#include <memory>
#include <optional>
#include <sys/mman.h>
#include <unistd.h>

namespace ql::onnx_io {

namespace fs = std::filesystem;
static_assert(std::endian::native == std::endian::little, "raw data of ONNX is little-endian");

namespace {

constexpr std::int64_t mapFrom = std::int64_t(16) << 20; ///< smaller external tensors are read

constexpr std::size_t adoptFrom = 4096; // smaller blocks are copied into LibTorch's own allocation

/// dims as sizes and their product; empty if a dimension is negative or the product overflows.
std::optional<std::int64_t> elementCount(const google::protobuf::RepeatedField<std::int64_t> &dims)
{
    std::int64_t count = 1;
    std::int64_t nonZero = 1; // strides are computed from the sizes even if the tensor is empty
    for (const std::int64_t d : dims) {
        if (d < 0) return std::nullopt;
        if (d != 0 && nonZero > (std::int64_t(1) << 56) / d) return std::nullopt;
        nonZero *= d == 0 ? 1 : d;
        count *= d;
    }
    return count;
}

std::string dimsText(const google::protobuf::RepeatedField<std::int64_t> &dims)
{
    std::string out = "[";
    for (int i = 0; i < dims.size(); ++i) out += (i ? "," : "") + std::to_string(dims[i]);
    return out + "]";
}

at::Tensor emptyLike(at::ScalarType type, std::int64_t count)
{
    return at::empty({count}, at::TensorOptions().dtype(type));
}

/// The bytes as a tensor of the same element type, without a copy if that pays off.
at::Tensor adopt(std::string data, at::ScalarType type, std::int64_t count)
{
    if (type == at::ScalarType::Bool)
        for (char &byte : data) byte = byte != 0; // any other byte in a bool is undefined behaviour
    if (data.size() < adoptFrom) {
        at::Tensor out = emptyLike(type, count);
        if (!data.empty()) std::memcpy(out.data_ptr(), data.data(), data.size());
        return out;
    }
    auto holder = std::make_shared<std::string>(std::move(data));
    void *const bytes = holder->data();
    return at::from_blob(
        bytes, {count}, [holder](void *) mutable { holder.reset(); }, at::TensorOptions().dtype(type));
}

template <class From, class To>
void convert(const char *raw, To *out, std::int64_t count)
{
    for (std::int64_t i = 0; i < count; ++i) {
        From value;
        std::memcpy(&value, raw + std::size_t(i) * sizeof(From), sizeof(From));
        out[i] = static_cast<To>(value);
    }
}

/// Element i of packed 4-bit numbers, the low half of a byte first.
int nibble(const char *raw, std::int64_t i)
{
    const auto byte = static_cast<unsigned char>(raw[i / 2]);
    return i % 2 ? byte >> 4 : byte & 15;
}

/// Raw bytes of a type that LibTorch lacks. uint64 values from 2^63 on make the tensor a float64 one.
at::Tensor widen(const char *raw, const ElementType &type, std::int64_t count)
{
    at::Tensor out = emptyLike(type.stored, count);
    switch (type.code) {
    case 4: convert<std::uint16_t>(raw, out.data_ptr<std::int32_t>(), count); break;
    case 12: convert<std::uint32_t>(raw, out.data_ptr<std::int64_t>(), count); break;
    case 13:
        convert<std::uint64_t>(raw, out.data_ptr<std::int64_t>(), count);
        if (std::any_of(out.data_ptr<std::int64_t>(), out.data_ptr<std::int64_t>() + count,
                        [](std::int64_t value) { return value < 0; })) {
            out = emptyLike(at::ScalarType::Double, count);
            convert<std::uint64_t>(raw, out.data_ptr<double>(), count);
        }
        break;
    case 21:
        for (std::int64_t i = 0; i < count; ++i) out.data_ptr<std::uint8_t>()[i] = std::uint8_t(nibble(raw, i));
        break;
    case 22:
        for (std::int64_t i = 0; i < count; ++i) out.data_ptr<std::int8_t>()[i] = std::int8_t((nibble(raw, i) ^ 8) - 8);
        break;
    default:
        for (std::int64_t i = 0; i < count; ++i)
            out.data_ptr<float>()[i] = decodeSmallFloat(type.code, std::uint8_t(raw[i]));
    }
    return out;
}

template <class To, class Values>
at::Tensor copyTyped(const Values &values, at::ScalarType type)
{
    at::Tensor out = emptyLike(type, values.size());
    auto *const to = static_cast<To *>(out.data_ptr());
    for (int i = 0; i < values.size(); ++i) to[i] = static_cast<To>(values[i]);
    return out;
}

/// The file, mapped copy-on-write: pages are read on access, and dropped under memory pressure. Null if the system
/// cannot map it. The file must not shrink while the model is in use, as for a mapped program.
std::shared_ptr<char> mapFile(const fs::path &path, std::size_t size)
{
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return {};
    void *const bytes = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, file, 0);
    close(file);
    if (bytes == MAP_FAILED) return {};
    return {static_cast<char *>(bytes), [size](char *p) { munmap(p, size); }};
}

std::optional<std::int64_t> parseNumber(const std::string &text)
{
    std::int64_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
    return value;
}

} // namespace

TensorReader::TensorReader(fs::path model, std::function<void(api::Problem)> report)
    : m_model(std::move(model)), m_report(std::move(report))
{}

void TensorReader::fail(const TensorPlace &place, const Text &message, const Text &remedy) const
{
    throw Error(ErrorKind::InvalidModel, message, place.op, place.variable).inFile(m_model.string()).withRemedy(remedy);
}

TensorReader::ExternalFile &TensorReader::externalFile(const std::string &location, const TensorPlace &place)
{
    const auto known = m_files.find(location);
    if (known != m_files.end()) return known->second;
    if (location.empty())
        fail(place, QL_TEXT("the tensor's data is in another file, but no file is specified"),
             QL_TEXT("Export the model again."));
    const fs::path relative(location);
    bool climbs = relative.is_absolute() || location.find('\0') != std::string::npos;
    for (const fs::path &part : relative) climbs = climbs || part == "..";
    const Text below = QL_TEXT("Put the data file next to the model; nothing outside the model's folder is read.");
    if (climbs)
        fail(place, QL_TEXT("external data must be inside the model's folder, found '%1'").with(location), below);

    std::error_code code;
    const fs::path folder = fs::canonical(m_model.has_parent_path() ? m_model.parent_path() : fs::path("."), code);
    const fs::path target = code ? fs::path() : fs::canonical(folder / relative, code);
    if (code)
        fail(place, QL_TEXT("the external data file '%1' cannot be found: %2").with(location, code.message()),
             QL_TEXT("Copy it next to the model."));
    // A link inside the folder may point anywhere: compare its target.
    const fs::path inside = target.lexically_relative(folder);
    if (inside.empty() || *inside.begin() == "..")
        fail(place,
             QL_TEXT("external data must be inside the model's folder, '%1' resolves to %2")
                 .with(location, target.string()),
             below);
    if (!fs::is_regular_file(target, code))
        fail(place, QL_TEXT("external data '%1' is not a regular file").with(location),
             QL_TEXT("Copy the data file next to the model."));
    const auto size = fs::file_size(target, code);
    if (code) fail(place, QL_TEXT("the size of '%1' cannot be read: %2").with(location, code.message()), {});
    return m_files.emplace(location, ExternalFile{target, std::int64_t(size), {}, 0}).first->second;
}

TensorReader::ExternalBytes TensorReader::externalBytes(const onnx::TensorProto &proto, std::int64_t bytes,
                                                        const TensorPlace &place)
{
    std::string location;
    std::int64_t offset = 0;
    std::optional<std::int64_t> length;
    for (const onnx::StringStringEntryProto &entry : proto.external_data()) {
        if (entry.key() == "location") location = entry.value();
        if (entry.key() != "offset" && entry.key() != "length") continue;
        const auto value = parseNumber(entry.value());
        if (!value)
            fail(place,
                 QL_TEXT("%1 of the external data must be a number >= 0, found '%2'").with(entry.key(), entry.value()),
                 QL_TEXT("Export the model again."));
        if (entry.key() == "offset")
            offset = *value;
        else
            length = value;
    }
    ExternalFile &file = externalFile(location, place);
    if (length && *length != bytes)
        fail(place,
             QL_TEXT("type and shape %1 need %2 bytes, external data '%3' has a length of %4")
                 .with(dimsText(proto.dims()), bytes, location, *length),
             QL_TEXT("Export the model again."));
    if (offset > file.size || bytes > file.size - offset)
        fail(place,
             QL_TEXT("%1 bytes at offset %2 are expected in '%3', which has %4 bytes")
                 .with(bytes, offset, location, file.size),
             QL_TEXT("Copy the data file again; it belongs to another model or is truncated."));
    // Valid files refer to each byte once (or to the same range again, which is shared).
    if (file.taken > 2 * file.size + (std::int64_t(64) << 20))
        fail(place, QL_TEXT("the tensors together claim more than twice the size of '%1'").with(location),
             QL_TEXT("Export the model again."));
    file.taken += bytes;
    if (bytes >= mapFrom) {
        if (!file.mapped) file.mapped = mapFile(file.path, std::size_t(file.size));
        if (file.mapped) return {{}, std::shared_ptr<char>(file.mapped, file.mapped.get() + offset)};
    }
    std::string data(std::size_t(bytes), '\0');
    std::ifstream in(file.path, std::ios::binary);
    in.seekg(offset);
    in.read(data.data(), bytes);
    if (!in)
        throw Error(ErrorKind::Io, QL_TEXT("cannot read external data"), place.op, place.variable)
            .inFile(file.path.string());
    return {std::move(data), {}};
}

static const Text exportAgain = QL_TEXT("The file is damaged; export the model again.");

/// A tensor as described by its proto.
struct TensorReader::Wanted
{
    const ElementType &type;
    std::int64_t count, bytes;
    const TensorPlace &place;
};

at::Tensor TensorReader::widened(const char *data, const Wanted &wanted)
{
    at::Tensor out = widen(data, wanted.type, wanted.count);
    m_report(
        {.severity = api::Severity::Info,
         .op = wanted.place.op,
         .variable = wanted.place.variable,
         .message =
             QL_TEXT("type %1 is stored as %2").with(std::string(wanted.type.name), dtypeName(out.scalar_type()))});
    return out;
}

at::Tensor TensorReader::fromBytes(std::string data, const Wanted &wanted)
{
    return wanted.type.widened ? widened(data.data(), wanted)
                               : adopt(std::move(data), wanted.type.stored, wanted.count);
}

at::Tensor TensorReader::fromExternal(ExternalBytes data, const Wanted &wanted)
{
    if (!data.mapped) return fromBytes(std::move(data.read), wanted);
    if (wanted.type.widened) return widened(data.mapped.get(), wanted);
    const at::ScalarType stored = wanted.type.stored;
    const bool asItIs =
        stored != at::ScalarType::Bool && std::uintptr_t(data.mapped.get()) % c10::elementSize(stored) == 0;
    if (!asItIs) return fromBytes(std::string(data.mapped.get(), std::size_t(wanted.bytes)), wanted);
    void *const first = data.mapped.get();
    return at::from_blob(
        first, {wanted.count}, [holder = std::move(data.mapped)](void *) mutable { holder.reset(); },
        at::TensorOptions().dtype(stored));
}

at::Tensor TensorReader::external(const onnx::TensorProto &proto, const Wanted &wanted)
{
    std::string location, offset = "0";
    for (const onnx::StringStringEntryProto &entry : proto.external_data()) {
        if (entry.key() == "location") location = entry.value();
        if (entry.key() == "offset") offset = entry.value();
    }
    const auto key = std::make_tuple(location, parseNumber(offset).value_or(-1), wanted.bytes, wanted.type.code);
    const auto known = m_shared.find(key);
    if (known != m_shared.end()) return known->second;
    const at::Tensor flat = fromExternal(externalBytes(proto, wanted.bytes, wanted.place), wanted);
    m_shared.emplace(key, flat);
    return flat;
}

void TensorReader::expectEntries(const onnx::TensorProto &proto, const Wanted &wanted, std::int64_t needed, int found,
                                 const char *field) const
{
    if (needed != found)
        fail(wanted.place,
             QL_TEXT("shape %1 needs %2 entries in %3, the file has %4")
                 .with(dimsText(proto.dims()), needed, field, found),
             exportAgain);
}

at::Tensor TensorReader::typed(const onnx::TensorProto &proto, const Wanted &wanted)
{
    const ElementType &type = wanted.type;
    const std::int64_t count = wanted.count;
    const auto expect = [&](std::int64_t needed, int found, const char *field) {
        expectEntries(proto, wanted, needed, found, field);
    };
    const auto copied = [&](const void *data) {
        at::Tensor flat = at::empty({count}, at::TensorOptions().dtype(type.stored));
        if (count > 0) std::memcpy(flat.data_ptr(), data, std::size_t(wanted.bytes));
        return flat;
    };
    switch (type.code) {
    case onnx::TensorProto::FLOAT:
        expect(count, proto.float_data_size(), "float_data");
        return copyTyped<float>(proto.float_data(), type.stored);
    case onnx::TensorProto::COMPLEX64:
        expect(count * 2, proto.float_data_size(), "float_data");
        return copied(proto.float_data().data());
    case onnx::TensorProto::COMPLEX128:
        expect(count * 2, proto.double_data_size(), "double_data");
        return copied(proto.double_data().data());
    case onnx::TensorProto::DOUBLE:
        expect(count, proto.double_data_size(), "double_data");
        return copyTyped<double>(proto.double_data(), type.stored);
    case onnx::TensorProto::INT64:
        expect(count, proto.int64_data_size(), "int64_data");
        return copyTyped<std::int64_t>(proto.int64_data(), type.stored);
    case onnx::TensorProto::UINT32:
    case onnx::TensorProto::UINT64: {
        expect(count, proto.uint64_data_size(), "uint64_data");
        std::string data;
        for (const std::uint64_t value : proto.uint64_data())
            data.append(reinterpret_cast<const char *>(&value), type.code == onnx::TensorProto::UINT32 ? 4 : 8);
        return fromBytes(std::move(data), wanted);
    }
    default: return small(proto, wanted);
    }
}

at::Tensor TensorReader::small(const onnx::TensorProto &proto, const Wanted &wanted)
{
    const ElementType &type = wanted.type;
    const auto &values = proto.int32_data();
    expectEntries(proto, wanted, type.bits == 4 ? wanted.bytes : wanted.count, proto.int32_data_size(), "int32_data");
    const auto range = [&](std::int64_t low, std::int64_t high) {
        for (const std::int32_t value : values)
            if (value < low || value > high)
                fail(wanted.place, QL_TEXT("value %1 does not fit in %2").with(value, std::string(type.name)),
                     exportAgain);
    };
    switch (type.code) {
    case onnx::TensorProto::INT32: return copyTyped<std::int32_t>(values, type.stored);
    case onnx::TensorProto::INT16: range(-32768, 32767); return copyTyped<std::int16_t>(values, type.stored);
    case onnx::TensorProto::INT8: range(-128, 127); return copyTyped<std::int8_t>(values, type.stored);
    case onnx::TensorProto::UINT8: range(0, 255); return copyTyped<std::uint8_t>(values, type.stored);
    case onnx::TensorProto::BOOL: return copyTyped<bool>(values, type.stored);
    case onnx::TensorProto::FLOAT16:
    case onnx::TensorProto::BFLOAT16: range(0, 65535); return copyTyped<std::uint16_t>(values, type.stored);
    default: {
        range(type.bits == 16 ? 0 : -128, type.bits == 16 ? 65535 : 255);
        std::string data;
        for (const std::int32_t value : values)
            data.append(reinterpret_cast<const char *>(&value), type.bits == 16 ? 2 : 1);
        return fromBytes(std::move(data), wanted);
    }
    }
}

at::Tensor TensorReader::read(onnx::TensorProto &proto, const TensorPlace &place, bool takeData)
{
    const ElementType *const type = findElementType(proto.data_type());
    if (!type)
        fail(place, QL_TEXT("data type number %1 is unknown").with(proto.data_type()),
             QL_TEXT("Export the model with opset 21 or older."));
    if (type->code == onnx::TensorProto::STRING)
        fail(place, QL_TEXT("the computation uses a tensor of strings"),
             QL_TEXT("Computing with strings is not supported; cut the model where they are used."));
    if (proto.has_segment())
        fail(place, QL_TEXT("tensors in segments are not supported"), QL_TEXT("Export the model again."));
    const auto count = elementCount(proto.dims());
    if (!count) fail(place, QL_TEXT("the dimensions %1 are invalid").with(dimsText(proto.dims())), exportAgain);
    const std::int64_t bytes = type->bits == 4 ? (*count + 1) / 2 : *count * (type->bits / 8);
    const std::vector<std::int64_t> sizes(proto.dims().begin(), proto.dims().end());
    const Wanted wanted{*type, *count, bytes, place};
    if (proto.data_location() == onnx::TensorProto::EXTERNAL) return external(proto, wanted).view(sizes);
    if (!proto.has_raw_data()) return typed(proto, wanted).view(sizes);
    if (std::int64_t(proto.raw_data().size()) != bytes)
        fail(place,
             QL_TEXT("type %1 and shape %2 need %3 bytes, the file has %4")
                 .with(std::string(type->name), dimsText(proto.dims()), bytes, proto.raw_data().size()),
             exportAgain);
    if (takeData) return fromBytes(std::move(*proto.mutable_raw_data()), wanted).view(sizes);
    return fromBytes(proto.raw_data(), wanted).view(sizes);
}

at::Tensor TensorReader::readSparse(onnx::SparseTensorProto &proto, const TensorPlace &place)
{
    const auto count = elementCount(proto.dims());
    if (!count)
        fail(place, QL_TEXT("the dimensions of the sparse tensor are invalid"), QL_TEXT("Export the model again."));
    const at::Tensor values = read(*proto.mutable_values(), place, false);
    const at::Tensor indices = read(*proto.mutable_indices(), place, false);
    const std::size_t itemSize = values.element_size();
    if (*count > maxSparseBytes / std::int64_t(itemSize))
        fail(place, QL_TEXT("the sparse tensor has %1 elements, too many to store densely").with(*count),
             QL_TEXT("Export the model with dense weights."));
    const std::vector<std::int64_t> sizes(proto.dims().begin(), proto.dims().end());
    const std::int64_t rank = std::int64_t(sizes.size());
    const bool linear = indices.dim() == 1;
    if (values.dim() != 1 || indices.scalar_type() != at::ScalarType::Long || rank == 0 ||
        !(linear || (indices.dim() == 2 && indices.size(1) == rank)) || indices.size(0) != values.size(0))
        fail(place, QL_TEXT("values and indices of the sparse tensor do not match"),
             QL_TEXT("Export the model again."));
    const auto *const index = indices.data_ptr<std::int64_t>();
    at::Tensor out = at::zeros(sizes, values.options());
    for (std::int64_t i = 0; i < values.size(0); ++i) {
        std::int64_t at = 0;
        bool good = true;
        if (linear) {
            at = index[i];
            good = at >= 0 && at < *count;
        } else {
            for (std::int64_t d = 0; d < rank && good; ++d) {
                const std::int64_t x = index[i * rank + d];
                good = x >= 0 && x < sizes[std::size_t(d)];
                at = at * sizes[std::size_t(d)] + x;
            }
        }
        if (!good)
            fail(place, QL_TEXT("an index of the sparse tensor is outside its shape"),
                 QL_TEXT("Export the model again."));
        std::memcpy(static_cast<char *>(out.data_ptr()) + std::size_t(at) * itemSize,
                    static_cast<const char *>(values.data_ptr()) + std::size_t(i) * itemSize, itemSize);
    }
    return out;
}

std::vector<std::string> TensorReader::readStrings(const onnx::TensorProto &proto, const TensorPlace &place) const
{
    const auto count = elementCount(proto.dims());
    if (!count || *count != proto.string_data_size())
        fail(place,
             QL_TEXT("shape %1 does not match the %2 strings of the tensor")
                 .with(dimsText(proto.dims()), proto.string_data_size()),
             QL_TEXT("Export the model again."));
    return {proto.string_data().begin(), proto.string_data().end()};
}

} // namespace ql::onnx_io
