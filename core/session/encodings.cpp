#include "core/session/encodings.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strings.h"

#include <cerrno>

namespace ql {

EncodingsFile openEncodings(const std::filesystem::path &file)
{
    std::error_code code;
    if (std::filesystem::is_directory(file, code))
        throw Error(ErrorKind::Io, QL_TEXT("expected a file with encodings, found a folder")).inFile(file.string());
    if (!std::filesystem::exists(file, code)) throw cannotRead(file, ENOENT);
    const auto &registry = Registry<EncodingsEntry>::instance();
    const bool isModel = lower(file.extension().string()) == ".onnx";
    const std::string content = isModel ? std::string() : readFile(file);
    const bool isJson = !isModel && !content.starts_with("TRT-");
    const api::JsonText text = isJson ? api::JsonText::parse(content, file.string()) : api::JsonText();
    std::vector<Text> known;
    for (const std::string &id : registry.ids()) {
        const EncodingsEntry &entry = *registry.find(id);
        if (entry.matches(file, isJson ? &text : nullptr)) return {entry, text};
        known.push_back(entry.info.title);
    }
    throw Error(ErrorKind::BadConfig, QL_TEXT("unknown format: no encodings that can be imported"))
        .inFile(file.string())
        .withRemedy(QL_TEXT("Known formats: %1.").with(Text::list(known)));
}

} // namespace ql
