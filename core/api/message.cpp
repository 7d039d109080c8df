#include "core/api/message.h"

#include "core/api/fields.h"
#include "core/api/json_builder.h"
#include "core/base/error.h"

#include <algorithm>
#include <vector>

namespace ql::api {

using nlohmann::json;

static constexpr std::string_view magic = "QLF1";
static constexpr std::size_t headSize = magic.size() + 4;
static constexpr std::size_t noiseLimit = 4096;
/// Maximum depth of nested values in a message or a stored run.
static constexpr std::size_t mostMessageLevels = 400;

template <class Codec>
void fields(Codec &codec, Same<HelloMessage> auto &message)
{
    codec.constant("type", HelloMessage::type);
    codec.member("protocol", message.protocol);
    codec.optional("version", message.version);
    codec.optional("pid", message.pid);
}

template <class Codec>
void fields(Codec &codec, Same<RequestMessage> auto &message)
{
    codec.constant("type", RequestMessage::type);
    codec.member("id", message.id);
    codec.member("method", message.method);
    codec.member("params", message.params);
}

template <class Codec>
void fields(Codec &codec, Same<CancelMessage> auto &message)
{
    codec.constant("type", CancelMessage::type);
    codec.member("id", message.id);
}

template <class Codec>
void fields(Codec &codec, Same<ProgressMessage> auto &message)
{
    codec.constant("type", ProgressMessage::type);
    codec.member("id", message.id);
    codec.member("fraction", message.fraction);
    codec.member("eta", message.etaSeconds);
    codec.member("rss_mib", message.residentMib);
    codec.text("what", message.what);
    codec.member("detail", message.detail);
}

template <class Codec>
void fields(Codec &codec, Same<SectionMessage> auto &message)
{
    codec.constant("type", SectionMessage::type);
    codec.member("id", message.id);
    codec.member("data", message.data);
}

template <class Codec>
void fields(Codec &codec, Same<ResultMessage> auto &message)
{
    codec.constant("type", ResultMessage::type);
    codec.member("id", message.id);
    codec.member("data", message.data);
}

template <class Codec>
void fields(Codec &codec, Same<Failure> auto &failure)
{
    codec.member("kind", failure.kind);
    codec.text("message", failure.message);
    codec.member("op", failure.op);
    codec.member("variable", failure.variable);
    codec.member("file", failure.file);
    codec.text("remedy", failure.remedy);
    codec.member("fix", failure.fix);
}

template <class Codec>
void fields(Codec &codec, Same<ErrorMessage> auto &message)
{
    codec.constant("type", ErrorMessage::type);
    codec.member("id", message.id);
    codec.member("error", message.error);
}

template <class Codec>
void fields(Codec &codec, Same<CancelledMessage> auto &message)
{
    codec.constant("type", CancelledMessage::type);
    codec.member("id", message.id);
}

template <class Codec>
void fields(Codec &codec, Same<LogMessage> auto &message)
{
    codec.constant("type", LogMessage::type);
    codec.text("text", message.text);
}

QL_JSON_PAIR(HelloMessage, "the message")
QL_JSON_PAIR(RequestMessage, "the message")
QL_JSON_PAIR(CancelMessage, "the message")
QL_JSON_PAIR(ProgressMessage, "the message")
QL_JSON_PAIR(ErrorMessage, "the message")
QL_JSON_PAIR(CancelledMessage, "the message")
QL_JSON_PAIR(LogMessage, "the message")

template <class Message>
static json writtenWithData(Message message)
{
    json data = std::move(message.data);
    message.data = nullptr;
    json written = writtenValue(message);
    written["data"] = std::move(data);
    return written;
}

template <class Message>
static Message readWithData(json message)
{
    json data;
    if (const auto it = message.find("data"); it != message.end()) data.swap(*it);
    Message read;
    readValue(message, JsonPlace{"the message"}, read);
    read.data = std::move(data);
    return read;
}

json toMessage(SectionMessage section)
{
    return writtenWithData(std::move(section));
}

json toMessage(ResultMessage result)
{
    return writtenWithData(std::move(result));
}

SectionMessage sectionFrom(json message)
{
    return readWithData<SectionMessage>(std::move(message));
}

ResultMessage resultFrom(json message)
{
    return readWithData<ResultMessage>(std::move(message));
}

std::string messageType(const json &message)
{
    const auto type = message.find("type");
    return type != message.end() && type->is_string() ? type->get<std::string>() : std::string();
}

int protocolOf(const json &message)
{
    const auto protocol = message.find("protocol"); // the other members may differ in another version
    return protocol != message.end() && protocol->is_number_integer() ? protocol->get<int>() : 0;
}

Text refusedHello(const json &message)
{
    if (messageType(message) != HelloMessage::type)
        return QL_TEXT("expected a hello with protocol %1, got a message of type '%2'")
            .with(protocolVersion, messageType(message));
    if (protocolOf(message) == protocolVersion) return {};
    return QL_TEXT("the other side speaks protocol %1, this one %2").with(protocolOf(message), protocolVersion);
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
