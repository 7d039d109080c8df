#pragma once

#include "core/base/text.h"

#include <stdexcept>
#include <string>
#include <utility>

namespace ql {

/// What went wrong, by who can fix it. Internal is our own bug, everything else has a remedy.
enum class ErrorKind { InvalidModel, UnsupportedOp, BadConfig, BadData, Numeric, Kernel, OutOfMemory, Io, Internal };

const char *toString(ErrorKind kind);

/// A fix that a window can offer as a button; the remedy describes it.
enum class Fix { None, ChooseData, AcceptModel, RemoveWeights, ChooseWeights, AllowPrograms };

/// "choose_data" ..., as sent to a window; empty for None.
const char *toString(Fix fix);

/// The one exception type of the engine. message is one sentence: what was expected and what came; what() is its
/// English. Place and remedy are separate fields, so that a user interface can select the op and offer the remedy.
struct Error : std::runtime_error
{
    Error(ErrorKind k, Text text, std::string opName = {}, std::string variableName = {})
        : std::runtime_error(text.english()), kind(k), message(std::move(text)), op(std::move(opName)),
          variable(std::move(variableName))
    {}

    ErrorKind kind;
    Text message;
    std::string op;       ///< name of the operation, or empty
    std::string variable; ///< name of the tensor, or empty
    std::string file;     ///< path of the file, or empty
    Text remedy;          ///< what the user can do, a sentence or empty
    Fix fix = Fix::None;

    Error &inFile(std::string path)
    {
        file = std::move(path);
        return *this;
    }
    Error &withFix(Fix what)
    {
        fix = what;
        return *this;
    }
    Error &withRemedy(Text text)
    {
        remedy = std::move(text);
        return *this;
    }

    /// "FILE: op 'conv1', tensor 'x': message. Remedy." on one line, for the command line and logs.
    std::string text() const;
};

/// Thrown by JobContext::checkpoint after a cancel. Not an Error, so that catch (const Error &) never swallows it.
struct Cancelled
{};

} // namespace ql
