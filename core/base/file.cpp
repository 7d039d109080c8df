#include "core/base/file.h"

#include "core/base/error.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace ql {

namespace fs = std::filesystem;

std::string readFile(const fs::path &file)
{
    std::error_code code;
    if (fs::is_directory(file, code))
        throw Error(ErrorKind::Io, "expected a file, found a folder").inFile(file.string());
    std::ifstream in(file, std::ios::binary);
    if (!in)
        throw Error(ErrorKind::Io, std::string("cannot read the file: ") + std::strerror(errno)).inFile(file.string());
    std::ostringstream out;
    out << in.rdbuf();
    if (in.bad()) throw Error(ErrorKind::Io, "reading the file failed").inFile(file.string());
    return std::move(out).str();
}

void writeFileAtomically(const fs::path &file, const std::function<void(std::ostream &)> &fill)
{
    // The process id keeps two processes that write the same target from writing the same part file.
    const fs::path part = file.string() + "." + std::to_string(::getpid()) + ".part";
    const auto fail = [&](const std::string &why) {
        std::error_code ignored;
        fs::remove(part, ignored);
        throw Error(ErrorKind::Io, "cannot write the file: " + why)
            .inFile(file.string())
            .withRemedy("Check that the folder exists, is writable and that the disk is not full.");
    };
    std::ofstream out(part, std::ios::binary | std::ios::trunc);
    if (!out) fail(std::strerror(errno));
    try {
        fill(out);
    } catch (...) {
        out.close();
        std::error_code ignored;
        fs::remove(part, ignored);
        throw;
    }
    out.close();
    if (!out) fail(std::strerror(errno));
    std::error_code code;
    fs::rename(part, file, code);
    if (code) fail(code.message());
}

void writeFileAtomically(const fs::path &file, std::string_view content)
{
    writeFileAtomically(file, [&](std::ostream &out) { out.write(content.data(), std::streamsize(content.size())); });
}

} // namespace ql
