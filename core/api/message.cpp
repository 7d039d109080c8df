#include "core/api/message.h"

#include "core/base/error.h"

#include <algorithm>

namespace ql::api {

using nlohmann::json;

static constexpr std::string_view magic = "QLF1";
static constexpr std::size_t headSize = magic.size() + 4;
static constexpr std::size_t noiseLimit = 4096;

std::string encodeFrame(const json &message)
{
    std::string frame(magic);
    frame.append(4, '\0');
    json::to_cbor(message, nlohmann::detail::output_adapter<char>(frame));
    const std::size_t size = frame.size() - headSize;
    if (size > maxFrameSize)
        throw Error(ErrorKind::Internal, "a message of " + std::to_string(size) + " bytes is too long");
    for (std::size_t i = 0; i < 4; ++i) frame[magic.size() + i] = char(std::uint8_t(size >> (8 * i)));
    return frame;
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
        throw Error(ErrorKind::BadData, "expected a message of at most " + std::to_string(maxFrameSize) +
                                            " bytes, got " + std::to_string(size));
    if (rest.size() < headSize + size) return std::nullopt;
    json message = json::from_cbor(rest.substr(headSize, size), true, false);
    m_at += headSize + size;
    if (!message.is_object())
        throw Error(ErrorKind::BadData,
                    "expected a message (a CBOR object), got " + std::to_string(size) + " bytes that are none");
    return message;
}

} // namespace ql::api
