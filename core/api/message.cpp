#include "core/api/message.h"

#include "core/api/json_builder.h"
#include "core/base/error.h"

#include <algorithm>
#include <vector>

namespace ql::api {

using nlohmann::json;

static constexpr std::string_view magic = "QLF1";
static constexpr std::size_t headSize = magic.size() + 4;
static constexpr std::size_t noiseLimit = 4096;
/// Of nested values in a message or a kept run.
static constexpr std::size_t mostMessageLevels = 400;

Text refusedHello(const json &message)
{
    if (message.value("type", "") != "hello")
        return QL_TEXT("expected a hello with protocol %1, got a message of type '%2'")
            .with(protocolVersion, message.value("type", ""));
    const json protocol = message.value("protocol", json());
    if (protocol == protocolVersion) return {};
    return QL_TEXT("the other side speaks protocol %1, this one %2").with(protocol.dump(), protocolVersion);
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

json decodeCbor(std::string_view bytes)
{
    JsonBuilder builder(mostMessageLevels);
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
        // The last bytes may be the start of a frame
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
