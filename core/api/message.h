#pragma once

#include "core/base/text.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

/// What crosses between a window and the engine: CBOR objects in frames.
///
/// Frame: the bytes "QLF1", the length of the payload as 4 bytes little-endian, the payload.
///
/// Each side first says {"type": "hello", "protocol": protocolVersion}, the engine with "version" (of the program) and
/// "pid", too. The engine speaks first. Whoever hears of another protocol ends the connection: the window says so, the
/// engine logs it and exits with 2.
///
/// Window to engine:
///   {"type": "request", "id": N, "method", "params"}   methods.h lists the methods
///   {"type": "cancel", "id": N}
/// Engine to window, with the id of the request:
///   "progress" {"fraction": of the whole request, 0..1, "what", "eta": s, negative while unknown, "rss_mib"}
///   "section" {"name", "data"}: a part of the result that is known already
///   and last exactly one of
///   "result" {"data"}
///   "error" {"error": {"kind", "message", "op", "variable", "file", "remedy"}}, empty where it is about none
///   "cancelled"
/// Engine to window, without an id: "log" {"text"}.
/// "what", "message", "remedy" and "text" are English; where they have arguments, "what_text" and so on hold the
/// template with them (text_json.h).
namespace ql::api {

inline constexpr int protocolVersion = 4;
/// Why the other side cannot be talked to after its first message; empty: it can.
Text refusedHello(const nlohmann::json &message);

/// A longer payload is refused: it is damage, not a message.
inline constexpr std::uint32_t maxFrameSize = std::uint32_t(1) << 30;

/// @throws Error (Internal) above maxFrameSize
std::string encodeFrame(const nlohmann::json &message);

/// What json::from_cbor() gives, without the copy of everything that it makes at the end. @returns a discarded value
/// for bytes that are no CBOR or more than that
nlohmann::json decodeCbor(std::string_view bytes);

/// Takes bytes as they come and gives whole messages.
class FrameReader
{
public:
    void append(std::string_view bytes);
    /// The next whole message. Bytes in front of a frame (what a login shell prints) are left out and kept in noise().
    /// @throws Error (BadData): a payload that is no CBOR object or is too long; reading cannot go on behind it.
    std::optional<nlohmann::json> next();
    const std::string &noise() const { return m_noise; }

private:
    std::string m_buffer, m_noise;
    std::size_t m_at = 0; ///< read so far
};

} // namespace ql::api
