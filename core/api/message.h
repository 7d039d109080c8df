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
/// Why the other side is incompatible, from its first message; empty if it is not.
Text refusedHello(const nlohmann::json &message);

/// A longer payload is refused: it is damaged, not a message.
inline constexpr std::uint32_t maxFrameSize = std::uint32_t(1) << 30;

/// @throws Error (Internal) above maxFrameSize
std::string encodeFrame(const nlohmann::json &message);

/// Same as json::from_cbor(), without the copy that it makes at the end. @returns a discarded value for bytes that are
/// not CBOR, or extra bytes
nlohmann::json decodeCbor(std::string_view bytes);

/// Accepts bytes as they arrive and returns complete messages.
class FrameReader
{
public:
    void append(std::string_view bytes);
    /// The next complete message. Bytes before a frame (output of a login shell) are skipped and stored in noise().
    /// @throws Error (BadData): a payload that is not a CBOR object or is too long; reading cannot continue after it.
    std::optional<nlohmann::json> next();
    const std::string &noise() const { return m_noise; }

private:
    std::string m_buffer, m_noise;
    std::size_t m_at = 0; ///< read so far
};

} // namespace ql::api
