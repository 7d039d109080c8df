#pragma once

#include "core/api/json_pair.h"
#include "core/base/text.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

/// The messages between a window and the engine: CBOR objects in frames.
///
/// Frame: the bytes "QLF1", the length of the payload as 4 bytes little-endian, the payload. The payload is an object
/// whose "type" names one of the messages below; missing members, unknown members and members of another type are
/// errors.
///
/// Each side starts with a hello, the engine first. A side that receives another protocol number ends the connection:
/// the window reports it, the engine logs it and exits with 2.
///
/// Window to engine: request, cancel. Engine to window, with the id of the request: progress, section, and last exactly
/// one of result, error and cancelled; without an id: log.
namespace ql::api {

inline constexpr int protocolVersion = 6;

struct HelloMessage
{
    static constexpr const char *type = "hello";
    int protocol = protocolVersion;
    // Of the engine
    std::string version;
    std::int64_t pid = 0;
};

struct RequestMessage
{
    static constexpr const char *type = "request";
    std::int64_t id = 0;
    std::string method;    ///< of methods.h
    nlohmann::json params; ///< the request of the method
};

struct CancelMessage
{
    static constexpr const char *type = "cancel";
    std::int64_t id = 0;
};

struct ProgressMessage
{
    static constexpr const char *type = "progress";
    std::int64_t id = 0;
    double fraction = 0;    ///< of the whole request, 0..1
    double etaSeconds = -1; ///< negative while unknown
    double residentMib = 0;
    Text what;
    std::string detail; ///< as Progress::detail
};

/// A part of the answer that is already available: RunPart; TuneStep of a search.
struct SectionMessage
{
    static constexpr const char *type = "section";
    std::int64_t id = 0;
    nlohmann::json data;
};

struct ResultMessage
{
    static constexpr const char *type = "result";
    std::int64_t id = 0;
    nlohmann::json data; ///< the answer of the method
};

/// An Error as a value; members that do not apply are empty.
struct Failure
{
    std::string kind; ///< as toString(ErrorKind)
    Text message;
    std::string op, variable, file;
    Text remedy;
    std::string fix; ///< as toString(Fix)
};

struct ErrorMessage
{
    static constexpr const char *type = "error";
    std::int64_t id = 0;
    Failure error;
};

struct CancelledMessage
{
    static constexpr const char *type = "cancelled";
    std::int64_t id = 0;
};

struct LogMessage
{
    static constexpr const char *type = "log";
    Text text;
};

QL_HAS_JSON(HelloMessage)
QL_HAS_JSON(RequestMessage)
QL_HAS_JSON(CancelMessage)
QL_HAS_JSON(ProgressMessage)
QL_HAS_JSON(ErrorMessage)
QL_HAS_JSON(CancelledMessage)
QL_HAS_JSON(LogMessage)
/// Sections and results may be large: their data are moved, never copied.
nlohmann::json toMessage(SectionMessage section);
nlohmann::json toMessage(ResultMessage result);
SectionMessage sectionFrom(nlohmann::json message);
ResultMessage resultFrom(nlohmann::json message);

/// The type of a message; empty if it has none.
std::string messageType(const nlohmann::json &message);
/// The protocol number of a hello of any version; 0 if it has none.
int protocolOf(const nlohmann::json &message);
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
