#pragma once

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace ql::test {

/// Damages files in reproducible ways: the same seed and bytes give the same damage on every machine. text() describes
/// it.
class Mutation
{
public:
    explicit Mutation(std::uint64_t seed) : m_state(seed * 0x9E3779B97F4A7C15u + 1) {}

    /// SplitMix64 (Steele, Lea, Flood 2014), reduced by modulo: the same on every standard library.
    std::uint64_t next()
    {
        std::uint64_t z = m_state += 0x9E3779B97F4A7C15u;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }
    std::size_t below(std::size_t n) { return n == 0 ? 0 : std::size_t(next() % n); }
    bool chance(unsigned percent) { return below(100) < percent; }
    const std::string &text() const { return m_text; }

    /// Bytes of any format: flips, truncation, chunks swapped, removed or repeated, and numbers replaced.
    std::string bytes(std::string data)
    {
        const std::size_t rounds = 1 + below(3);
        for (std::size_t i = 0; i < rounds && !data.empty(); ++i) {
            switch (below(8)) {
            case 0: truncate(data); break;
            case 1: swapChunks(data); break;
            case 2: eraseChunk(data); break;
            case 3: repeatChunk(data); break;
            case 4:
            case 5: number(data); break;
            default: flip(data); break;
            }
        }
        return data;
    }

    /// An ONNX file: some as bytes, some in the numbers that frame its messages, most as a well-formed model with
    /// fields changed, which reaches the code after the parser.
    std::string onnxModel(const std::string &data)
    {
        const std::size_t kind = below(100);
        if (kind < 20) return bytes(data);
        if (kind < 40) return frames(data);
        onnx::ModelProto model;
        if (!model.ParseFromString(data)) return bytes(data);
        for (std::size_t rounds = chance(70) ? 1 : 3; rounds > 0; --rounds) field(model);
        return model.SerializeAsString();
    }

    /// A JSON value with a few of its members changed, removed, repeated or exchanged.
    void json(nlohmann::json &value)
    {
        const std::size_t rounds = 1 + below(3);
        for (std::size_t i = 0; i < rounds; ++i) member(value);
    }

private:
    void say(const std::string &what) { m_text += (m_text.empty() ? "" : "; ") + what; }

    void flip(std::string &data)
    {
        const std::size_t count = 1 + below(8);
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t at = below(data.size());
            data[at] = char(data[at] ^ char(1u << below(8)));
            say("flip at " + std::to_string(at));
        }
    }
    void truncate(std::string &data)
    {
        data.resize(below(data.size()));
        say("truncate to " + std::to_string(data.size()));
    }
    std::pair<std::size_t, std::size_t> chunk(const std::string &data)
    {
        const std::size_t size = 1 + below(std::min<std::size_t>(data.size(), chance(50) ? 16 : 1024));
        return {below(data.size() - size + 1), size};
    }
    void swapChunks(std::string &data)
    {
        const auto [from, size] = chunk(data);
        const std::size_t to = below(data.size() - size + 1);
        const std::string one = data.substr(from, size), other = data.substr(to, size);
        data.replace(from, size, other);
        data.replace(to, size, one);
        say("swap " + std::to_string(size) + " bytes at " + std::to_string(from) + " and " + std::to_string(to));
    }
    void eraseChunk(std::string &data)
    {
        const auto [from, size] = chunk(data);
        data.erase(from, size);
        say("erase " + std::to_string(size) + " bytes at " + std::to_string(from));
    }
    void repeatChunk(std::string &data)
    {
        const auto [from, size] = chunk(data);
        data.insert(from, std::string(data, from, size));
        say("repeat " + std::to_string(size) + " bytes at " + std::to_string(from));
    }
    std::int64_t interesting()
    {
        static constexpr std::int64_t values[] = {0,
                                                  1,
                                                  -1,
                                                  2,
                                                  3,
                                                  7,
                                                  16,
                                                  127,
                                                  255,
                                                  256,
                                                  32767,
                                                  65535,
                                                  100000,
                                                  0x7fffffff,
                                                  -1000,
                                                  std::int64_t(1) << 31,
                                                  -7,
                                                  1000000,
                                                  -2147483648LL,
                                                  std::int64_t(1) << 33,
                                                  INT64_MAX,
                                                  INT64_MIN,
                                                  std::int64_t(1) << 40,
                                                  INT64_MAX - 1};
        return values[below(std::size(values))];
    }
    double interestingReal()
    {
        static constexpr double values[] = {0.0,
                                            -0.0,
                                            1.0,
                                            -1.0,
                                            0.5,
                                            1e-30,
                                            1e30,
                                            -1e30,
                                            1e-45,
                                            1e38,
                                            3.5,
                                            1e300,
                                            12345,
                                            -0.1,
                                            std::numeric_limits<double>::infinity(),
                                            std::numeric_limits<double>::quiet_NaN()};
        return values[below(std::size(values))];
    }
    /// 1, 2, 4 or 8 bytes overwritten by a number that programs get wrong.
    void number(std::string &data)
    {
        const std::size_t size = std::min(std::size_t(1) << below(4), data.size());
        const std::size_t at = below(data.size() - size + 1);
        const std::int64_t value = interesting();
        std::array<char, 8> raw{};
        std::memcpy(raw.data(), &value, sizeof value);
        if (chance(30)) std::reverse(raw.begin(), raw.begin() + std::ptrdiff_t(size));
        data.replace(at, size, raw.data(), size);
        say("write " + std::to_string(value) + " into " + std::to_string(size) + " bytes at " + std::to_string(at));
    }

    // ---- protobuf

    static bool varint(const std::string &data, std::size_t &at, std::uint64_t &value)
    {
        value = 0;
        for (int shift = 0; shift < 64 && at < data.size(); shift += 7) {
            const auto byte = static_cast<unsigned char>(data[at++]);
            value |= std::uint64_t(byte & 0x7f) << shift;
            if (!(byte & 0x80)) return true;
        }
        return false;
    }
    static std::string varintBytes(std::uint64_t value)
    {
        std::string out;
        do {
            out.push_back(char((value & 0x7f) | (value > 0x7f ? 0x80 : 0)));
            value >>= 7;
        } while (value);
        return out;
    }
    struct Frame
    {
        std::size_t at, size; ///< of a tag or a length
    };
    /// Tags and lengths, also of what only looks like a message inside: that is a mutation, too.
    static void findFrames(const std::string &data, std::size_t at, std::size_t end, int depth, std::vector<Frame> &out)
    {
        const std::size_t before = out.size();
        while (at < end && out.size() < 200000) {
            const std::size_t tagAt = at;
            std::uint64_t tag = 0, length = 0;
            if (!varint(data, at, tag) || (tag >> 3) == 0 || (tag >> 3) > 64) break;
            out.push_back({tagAt, at - tagAt});
            const std::size_t valueAt = at;
            if ((tag & 7) == 0 && varint(data, at, length)) {
                out.push_back({valueAt, at - valueAt});
                continue;
            }
            if ((tag & 7) == 5) {
                at += 4;
                continue;
            }
            if ((tag & 7) != 2 || !varint(data, at, length) || length > end - at) break;
            out.push_back({valueAt, at - valueAt});
            // Weights are not searched: they would drown the rest.
            if (depth < 12 && length < 65536) findFrames(data, at, at + length, depth + 1, out);
            at += std::size_t(length);
        }
        if (at != end && depth > 0) out.resize(before); // no message after all
    }
    std::string frames(std::string data)
    {
        const std::size_t rounds = 1 + below(3);
        for (std::size_t i = 0; i < rounds; ++i) {
            std::vector<Frame> found;
            findFrames(data, 0, data.size(), 0, found);
            if (found.empty()) return bytes(data);
            // The beginning of a model is its nodes; after them come tensors, whose names and sizes are few.
            const Frame frame = found[below(found.size())];
            std::size_t at = frame.at;
            std::uint64_t value = 0;
            varint(data, at, value);
            switch (below(4)) {
            case 0: value += 1 + below(4); break;
            case 1: value -= std::min<std::uint64_t>(value, 1 + below(4)); break;
            case 2: value ^= std::uint64_t(1) << below(40); break;
            default: value = std::uint64_t(interesting()); break;
            }
            data.replace(frame.at, frame.size, varintBytes(value));
            say("number at " + std::to_string(frame.at) + " becomes " + std::to_string(value));
        }
        return data;
    }

    using Message = google::protobuf::Message;
    using Field = google::protobuf::FieldDescriptor;

    /// A message inside model, chosen evenly over the levels rather than over all messages (which are mostly tensors).
    Message *choose(Message *message)
    {
        for (int depth = 0; depth < 12; ++depth) {
            const auto *reflection = message->GetReflection();
            std::vector<const Field *> fields;
            reflection->ListFields(*message, &fields);
            std::erase_if(fields, [](const Field *f) { return f->cpp_type() != Field::CPPTYPE_MESSAGE; });
            const std::string &type = message->GetDescriptor()->name();
            const bool isFrame = type == "ModelProto" || type == "GraphProto"; // whose own fields are few
            if (fields.empty() || (!isFrame && chance(25))) return message;
            const Field *field = fields[below(fields.size())];
            if (isFrame && chance(70))
                for (const Field *f : fields)
                    if (f->name() == "graph" || f->name() == "node") field = f;
            if (!field->is_repeated()) {
                message = reflection->MutableMessage(message, field);
                continue;
            }
            message = reflection->MutableRepeatedMessage(
                message, field, int(below(std::size_t(reflection->FieldSize(*message, field)))));
        }
        return message;
    }

    void field(onnx::ModelProto &model)
    {
        Message *message = choose(&model);
        const auto *reflection = message->GetReflection();
        std::vector<const Field *> fields;
        reflection->ListFields(*message, &fields);
        if (fields.empty()) return;
        const Field *field = fields[below(fields.size())];
        say(message->GetDescriptor()->name() + "." + field->name());
        if (auto *tensor = dynamic_cast<onnx::TensorProto *>(message);
            tensor && tensor->has_raw_data() && chance(80) && element(*tensor))
            return;
        if (field->is_repeated()) {
            repeated(*message, *reflection, *field);
            return;
        }
        if (field->cpp_type() == Field::CPPTYPE_MESSAGE || chance(10)) {
            reflection->ClearField(message, field);
            say("cleared");
            return;
        }
        switch (field->cpp_type()) {
        case Field::CPPTYPE_INT64: reflection->SetInt64(message, field, said(interesting())); break;
        case Field::CPPTYPE_UINT64: reflection->SetUInt64(message, field, std::uint64_t(said(interesting()))); break;
        case Field::CPPTYPE_INT32: reflection->SetInt32(message, field, std::int32_t(said(interesting()))); break;
        case Field::CPPTYPE_FLOAT: reflection->SetFloat(message, field, float(said(interestingReal()))); break;
        case Field::CPPTYPE_DOUBLE: reflection->SetDouble(message, field, said(interestingReal())); break;
        case Field::CPPTYPE_ENUM: reflection->SetEnumValue(message, field, int(below(24))); break;
        case Field::CPPTYPE_STRING: {
            std::string text = reflection->GetString(*message, field);
            const bool isWord = text.size() < 64;
            if (isWord && chance(60))
                text = word();
            else if (!text.empty())
                text = bytes(text);
            if (isWord) say("'" + text + "'");
            reflection->SetString(message, field, text);
            break;
        }
        default: break;
        }
    }
    /// One number of a tensor, which may be a shape, an axis or a weight.
    bool element(onnx::TensorProto &tensor)
    {
        const bool whole = tensor.data_type() == onnx::TensorProto::INT64;
        std::string &raw = *tensor.mutable_raw_data();
        const std::size_t size = whole ? 8 : 4;
        if (raw.size() < size || (!whole && tensor.data_type() != onnx::TensorProto::FLOAT)) return false;
        const std::size_t at = below(raw.size() / size) * size;
        const std::int64_t integer = interesting();
        const auto real = float(interestingReal());
        std::memcpy(raw.data() + at, whole ? static_cast<const void *>(&integer) : &real, size);
        say("element " + std::to_string(at / size) + " becomes " +
            (whole ? std::to_string(integer) : std::to_string(real)));
        return true;
    }
    template <class T>
    T said(T value)
    {
        say(std::to_string(value));
        return value;
    }
    /// Operators whose attributes and inputs differ in meaning, attribute names, and names that are none.
    std::string word()
    {
        static const char *const words[] = {"Conv",
                                            "Relu",
                                            "Add",
                                            "Gemm",
                                            "MatMul",
                                            "Reshape",
                                            "Transpose",
                                            "Slice",
                                            "Concat",
                                            "Split",
                                            "Pad",
                                            "Resize",
                                            "Clip",
                                            "Softmax",
                                            "MaxPool",
                                            "AveragePool",
                                            "Gather",
                                            "Squeeze",
                                            "Expand",
                                            "Tile",
                                            "Cast",
                                            "ReduceSum",
                                            "Constant",
                                            "BatchNormalization",
                                            "Unsqueeze",
                                            "Where",
                                            "Shape",
                                            "Range",
                                            "Flatten",
                                            "If",
                                            "Upsample",
                                            "ConvTranspose",
                                            "axis",
                                            "pads",
                                            "shape",
                                            "strides",
                                            "group",
                                            "dilations",
                                            "value",
                                            "perm",
                                            "",
                                            "x",
                                            "y",
                                            "sizes",
                                            "mode",
                                            "reflect",
                                            "linear",
                                            "SAME_UPPER",
                                            "DepthToSpace",
                                            "PRelu",
                                            "TopK",
                                            "OneHot",
                                            "Einsum",
                                            "GlobalAveragePool",
                                            "ConstantOfShape",
                                            "Identity"};
        return words[below(std::size(words))];
    }
    void repeated(Message &message, const google::protobuf::Reflection &reflection, const Field &field)
    {
        const int size = reflection.FieldSize(message, &field);
        const int at = int(below(std::size_t(size)));
        switch (below(4)) {
        case 0:
            reflection.SwapElements(&message, &field, at, int(below(std::size_t(size))));
            say("swapped");
            return;
        case 1:
            reflection.SwapElements(&message, &field, at, size - 1);
            reflection.RemoveLast(&message, &field);
            say("removed");
            return;
        default: break;
        }
        const bool add = chance(30);
        if (add) say("added");
        const auto set = [&](auto value, auto setter, auto adder) {
            say(std::to_string(value));
            if (add)
                (reflection.*adder)(&message, &field, value);
            else
                (reflection.*setter)(&message, &field, at, value);
        };
        using google::protobuf::Reflection;
        switch (field.cpp_type()) {
        case Field::CPPTYPE_INT64: set(interesting(), &Reflection::SetRepeatedInt64, &Reflection::AddInt64); break;
        case Field::CPPTYPE_UINT64:
            set(std::uint64_t(interesting()), &Reflection::SetRepeatedUInt64, &Reflection::AddUInt64);
            break;
        case Field::CPPTYPE_INT32:
            set(std::int32_t(interesting()), &Reflection::SetRepeatedInt32, &Reflection::AddInt32);
            break;
        case Field::CPPTYPE_FLOAT:
            set(float(interestingReal()), &Reflection::SetRepeatedFloat, &Reflection::AddFloat);
            break;
        case Field::CPPTYPE_DOUBLE:
            set(interestingReal(), &Reflection::SetRepeatedDouble, &Reflection::AddDouble);
            break;
        case Field::CPPTYPE_STRING: {
            // Links between operations are repeated names: take one from a neighbour, or from nowhere.
            const std::string text =
                chance(50) ? reflection.GetRepeatedString(message, &field, int(below(std::size_t(size)))) : word();
            say("'" + text.substr(0, 64) + "'");
            if (add)
                reflection.AddString(&message, &field, text);
            else
                reflection.SetRepeatedString(&message, &field, at, text);
            break;
        }
        case Field::CPPTYPE_MESSAGE: {
            const Message &from = reflection.GetRepeatedMessage(message, &field, at);
            if (add) {
                reflection.AddMessage(&message, &field)->CopyFrom(reflection.GetRepeatedMessage(message, &field, at));
            } else {
                Message *to = reflection.MutableRepeatedMessage(&message, &field, int(below(std::size_t(size))));
                if (to != &from) to->CopyFrom(from);
            }
            break;
        }
        default: break;
        }
    }

    // ---- JSON

    void member(nlohmann::json &root)
    {
        nlohmann::json *value = &root;
        std::string path;
        for (int depth = 0; depth < 20 && value->is_structured() && !value->empty(); ++depth) {
            if (depth > 0 && chance(10)) break;
            auto it = value->begin();
            std::advance(it, std::ptrdiff_t(below(value->size())));
            path += "/" + (value->is_object() ? it.key() : std::to_string(it - value->begin()));
            if (chance(4)) {
                say("remove " + path);
                value->erase(it);
                return;
            }
            if (chance(4) && value->is_array()) {
                say("repeat " + path);
                nlohmann::json copy = *it;
                value->push_back(std::move(copy));
                return;
            }
            if (chance(4) && value->is_object()) {
                say("rename " + path);
                nlohmann::json moved = *it;
                std::string key = it.key();
                value->erase(it);
                (*value)[bytes(key)] = std::move(moved);
                return;
            }
            value = &*it;
        }
        say("set " + path);
        if (value->is_binary() && chance(60)) {
            std::string raw(value->get_binary().begin(), value->get_binary().end());
            if (!raw.empty()) raw = bytes(raw);
            *value = nlohmann::json::binary(std::vector<std::uint8_t>(raw.begin(), raw.end()));
            return;
        }
        if (value->is_string() && chance(40)) {
            std::string text = value->get<std::string>();
            if (!text.empty()) text = bytes(text);
            *value = text;
            return;
        }
        switch (value->is_number() ? below(5) : below(9)) {
        case 0: *value = interestingReal(); break;
        case 1:
        case 2:
        case 3: *value = interesting(); break;
        case 4:
            *value = value->is_number_float() ? nlohmann::json(-value->get<double>()) : nlohmann::json(below(20));
            break;
        case 5: *value = word(); break;
        case 6: *value = nlohmann::json::array({interesting()}); break;
        case 7: *value = nlohmann::json::object(); break;
        default: *value = nullptr; break;
        }
        say(value->is_binary() ? "binary"
                               : value->dump(-1, ' ', true, nlohmann::json::error_handler_t::replace).substr(0, 64));
    }

    std::uint64_t m_state;
    std::string m_text;
};

} // namespace ql::test
