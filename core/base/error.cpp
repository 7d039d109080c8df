#include "core/base/error.h"

#include "core/base/utf8.h"

namespace ql {

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
    std::string out;
    if (!file.empty()) out += file + ": ";
    if (!op.empty()) out += "op '" + op + "'" + (variable.empty() ? ": " : ", ");
    if (!variable.empty()) out += "tensor '" + variable + "': ";
    out += message.english();
    if (!remedy.isEmpty()) {
        const bool isList = out.find('\n') != std::string::npos; // its last line is an entry
        if (!isList && out.back() != '.' && out.back() != '?') out += '.';
        out += (isList ? "\n" : " ") + remedy.english();
    }
    return printable(out, "\n");
}

} // namespace ql
