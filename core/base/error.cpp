#include "core/base/error.h"

#include "core/base/language.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>

namespace ql {

static constexpr std::array<std::string_view, 4> sentenceEnds{".", "?", "。", "？"};

const char *toString(ErrorKind kind)
{
    switch (kind) {
    case ErrorKind::InvalidModel: return "invalid model";
    case ErrorKind::UnsupportedOp: return "unsupported operator";
    case ErrorKind::BadConfig: return "bad configuration";
    case ErrorKind::BadData: return "bad data";
    case ErrorKind::Numeric: return "numeric problem";
    case ErrorKind::Kernel: return "operator failed";
    case ErrorKind::OutOfMemory: return "out of memory";
    case ErrorKind::Io: return "file error";
    case ErrorKind::Internal: return "internal error";
    }
    return "error";
}

const char *toString(Fix fix)
{
    switch (fix) {
    case Fix::None: return "";
    case Fix::ChooseData: return "choose_data";
    case Fix::AcceptModel: return "accept_model";
    case Fix::RemoveWeights: return "remove_weights";
    case Fix::ChooseWeights: return "choose_weights";
    case Fix::AllowPrograms: return "allow_programs";
    }
    return "";
}

std::string Error::text() const
{
    return errorText(*this, nullptr);
}

std::string errorText(const Error &error, const Language *language)
{
    const auto &[op, variable] = std::tie(error.op, error.variable);
    Text where = error.message;
    if (!op.empty() && !variable.empty())
        where = QL_TEXT("op '%1', tensor '%2': %3").with(op, variable, where);
    else if (!op.empty())
        where = QL_TEXT("op '%1': %2").with(op, where);
    else if (!variable.empty())
        where = QL_TEXT("tensor '%1': %2").with(variable, where);
    std::string out = (error.file.empty() ? "" : error.file + ": ") + where.in(language);
    if (!error.remedy.isEmpty()) {
        const bool isList = out.find('\n') != std::string::npos; // its last line is an entry
        const bool isSentence = std::any_of(sentenceEnds.begin(), sentenceEnds.end(),
                                            [&](std::string_view end) { return out.ends_with(end); });
        if (isList)
            out += "\n" + error.remedy.in(language);
        else
            out = (isSentence ? QL_TEXT("%1 %2") : QL_TEXT("%1. %2")).with(out, error.remedy).in(language);
    }
    return printable(out, "\n");
}

} // namespace ql
