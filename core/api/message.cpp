#include "core/api/message.h"

#include "core/base/error.h"

#include <algorithm>
#include <vector>

namespace ql::api {

using nlohmann::json;

static constexpr std::string_view magic = "QLF1";
static constexpr std::size_t headSize = magic.size() + 4;
static constexpr std::size_t noiseLimit = 4096;

std::string refusedHello(const json &message)
{
    if (message.value("type", "") != "hello")
        return "expected a hello with protocol " + std::to_string(protocolVersion) + ", got a message of type '" +
               message.value("type", "") + "'";
    const json protocol = message.value("protocol", json());
    if (protocol == protocolVersion) return {};
    return "the other side speaks protocol " + protocol.dump() + ", this one " + std::to_string(protocolVersion);
}

std::string encodeFrame(const json &message)
{
    std::string frame(magic);
    frame.append(4, '\0');
    json::to_cbor(message, nlohmann::detail::output_adapter<char>(frame));
    const std::size_t size = frame.size() - headSize;
    if (size > maxFrameSize) throw Error(ErrorKind::Internal, QL_TEXT("a message of %1 bytes is too long").with(size));
    for (std::size_t i = 0; i < 4; ++i) frame[magic.size() + i] = char(std::uint8_t(size >> (8 * i)));
    return frame;
}

namespace {

/// Makes a value of what the parser tells, in place.
class Builder final : public nlohmann::json_sax<json>
{
public:
    json take() { return std::move(m_root); }
    bool null() override { return put(nullptr); }
    bool boolean(bool value) override { return put(value); }
    bool number_integer(number_integer_t value) override { return put(value); }
    bool number_unsigned(number_unsigned_t value) override { return put(value); }
    bool number_float(number_float_t value, const string_t &) override { return put(value); }
    bool string(string_t &value) override { return put(std::move(value)); }
    bool binary(binary_t &value) override { return put(json::binary(std::move(value))); }
    bool start_object(std::size_t) override { return open(json::object()); }
    bool key(string_t &name) override
    {
        m_member = &(*m_open.back())[std::move(name)];
        return true;
    }
    bool end_object() override { return close(); }
    bool start_array(std::size_t) override { return open(json::array()); }
    bool end_array() override { return close(); }
    bool parse_error(std::size_t, const std::string &, const nlohmann::detail::exception &) override { return false; }

private:
    json *place(json &&value)
    {
        if (m_open.empty()) return &(m_root = std::move(value));
        if (m_open.back()->is_object()) return &(*m_member = std::move(value));
        m_open.back()->push_back(std::move(value));
        return &m_open.back()->back();
    }
    bool put(json &&value)
    {
        place(std::move(value));
        return true;
    }
    bool open(json &&value)
    {
        m_open.push_back(place(std::move(value)));
        return true;
    }
    bool close()
    {
        m_open.pop_back();
        return true;
    }

    json m_root;
    json *m_member = nullptr;
    std::vector<json *> m_open;
};

} // namespace

json decodeCbor(std::string_view bytes)
{
    Builder builder;
    if (!json::sax_parse(bytes.begin(), bytes.end(), &builder, json::input_format_t::cbor))
        return json(json::value_t::discarded);
    return builder.take();
}

void FrameReader::append(std::string_view bytes)
{
    if (m_at > 0 && (m_at == m_buffer.size() || m_at > m_buffer.size() / 2)) {
        m_buffer.erase(0, m_at);
        m_at = 0;
    }
    m_buffer.append(bytes);
}

std::optional<json> FrameReader::next()
{
    std::string_view rest = std::string_view(m_buffer).substr(m_at);
    if (const std::size_t start = rest.find(magic); start != 0) {
        // The last bytes may be the beginning of a frame
        std::size_t skipped = start;
        if (start == std::string_view::npos) {
            skipped = rest.size();
            for (std::size_t n = std::min(magic.size() - 1, rest.size()); n > 0; --n)
                if (rest.substr(rest.size() - n) == magic.substr(0, n)) {
                    skipped = rest.size() - n;
                    break;
                }
        }
        m_noise.append(rest.substr(0, std::min(skipped, noiseLimit - std::min(noiseLimit, m_noise.size()))));
        m_at += skipped;
        rest.remove_prefix(skipped);
    }
    if (rest.size() < headSize) return std::nullopt;
    std::uint32_t size = 0;
    for (std::size_t i = 0; i < 4; ++i) size |= std::uint32_t(std::uint8_t(rest[magic.size() + i])) << (8 * i);
    if (size > maxFrameSize)
        throw Error(ErrorKind::BadData,
                    QL_TEXT("expected a message of at most %1 bytes, got %2").with(maxFrameSize, size));
    if (rest.size() < headSize + size) return std::nullopt;
    json message = decodeCbor(rest.substr(headSize, size));
    m_at += headSize + size;
    if (!message.is_object())
        throw Error(ErrorKind::BadData, QL_TEXT("expected a message (a CBOR object), got %1 other bytes").with(size));
    return message;
}

} // namespace ql::api
