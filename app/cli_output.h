#pragma once

#include <string>
#include <string_view>

namespace ql::cli {

/// The standard output of the program. It contains only what the program itself writes: whatever a library or a plug-in
/// prints goes to standard error.
class StandardOutput
{
public:
    /// Before anything is printed: file descriptor 1 becomes standard error.
    static void take();
    /// The file descriptor of the output; -1 if the program was started without one.
    static int descriptor() { return s_descriptor; }
    /// @throws Error (Io) if it cannot be written
    static void write(std::string_view text);
    /// An argument with a path to standard output, "/dev/stdout" or "onnx:/dev/stdout", as one that still means it.
    static std::string argument(const std::string &text);

private:
    static int s_descriptor;
};

} // namespace ql::cli
