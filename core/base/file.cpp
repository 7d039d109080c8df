#include "core/base/file.h"

#include "core/base/error.h"
#include "core/base/strings.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <mutex>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

namespace ql {

namespace fs = std::filesystem;

namespace {

/// The part files and temporary folders that exist now, for discardUnfinishedWrites().
struct Unfinished
{
    std::mutex mutex;
    std::set<fs::path> parts;

    static Unfinished &instance()
    {
        static Unfinished unfinished;
        return unfinished;
    }
};

/// A part file's entry in the list, for the duration of one write.
class UnfinishedEntry
{
public:
    explicit UnfinishedEntry(const fs::path &part) : m_part(part) { noteUnfinished(m_part); }
    ~UnfinishedEntry() { forgetUnfinished(m_part); }
    UnfinishedEntry(const UnfinishedEntry &) = delete;
    UnfinishedEntry &operator=(const UnfinishedEntry &) = delete;

private:
    fs::path m_part;
};

} // namespace

void noteUnfinished(const fs::path &path)
{
    const std::lock_guard lock(Unfinished::instance().mutex);
    Unfinished::instance().parts.insert(path);
}

void forgetUnfinished(const fs::path &path)
{
    const std::lock_guard lock(Unfinished::instance().mutex);
    Unfinished::instance().parts.erase(path);
}

void discardUnfinishedWrites() noexcept
{
    Unfinished &unfinished = Unfinished::instance();
    const std::lock_guard lock(unfinished.mutex);
    std::error_code ignored;
    for (const fs::path &part : unfinished.parts) fs::remove_all(part, ignored);
}

Text suggestedFile(const fs::path &file)
{
    constexpr std::size_t most = 10000; // a folder with that many files contains data, where near misses mean nothing
    std::vector<std::string> names;
    std::error_code code;
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    for (fs::directory_iterator it(folder, code), end; !code && it != end && names.size() < most; it.increment(code))
        names.push_back(it->path().filename().string());
    std::sort(names.begin(), names.end()); // directory order is undefined
    return suggestion(file.filename().string(), names);
}

/// The system's message for an errno, for the common ones in translatable words.
static Text systemText(int code)
{
    switch (code) {
    case EACCES: return QL_TEXT("permission denied");
    case ENOENT: return QL_TEXT("no such file or folder");
    case ENOSPC: return QL_TEXT("no space left on the disk");
    case EROFS: return QL_TEXT("read-only file system");
    case EISDIR: return QL_TEXT("it is a folder");
    case EIO: return QL_TEXT("input/output error");
    default: return std::strerror(code);
    }
}

Error cannotRead(const fs::path &file, int code)
{
    std::error_code ignored;
    const Text checkPath = QL_TEXT("Check the path.");
    if (code != ENOENT)
        return Error(ErrorKind::Io, QL_TEXT("cannot read the file: %1").with(systemText(code)))
            .inFile(file.string())
            .withRemedy(code == EACCES ? QL_TEXT("Check the permissions of the file and its folders.") : checkPath);
    if (fs::is_symlink(file, ignored))
        return Error(ErrorKind::Io,
                     QL_TEXT("the link points to a missing file: %1").with(fs::read_symlink(file, ignored).string()))
            .inFile(file.string())
            .withRemedy(QL_TEXT("Remove the link or restore the file."));
    const bool hasFolder = !file.has_parent_path() || fs::exists(file.parent_path(), ignored);
    const Text missing = hasFolder ? QL_TEXT("the file does not exist.")
                                   : QL_TEXT("the folder %1 does not exist.").with(file.parent_path().string());
    return Error(ErrorKind::Io, Text::sentences({missing, suggestedFile(file)}))
        .inFile(file.string())
        .withRemedy(checkPath);
}

void checkRegularFile(const fs::path &file)
{
    std::error_code code;
    const fs::file_status status = fs::status(file, code);
    if (fs::is_regular_file(status)) return;
    if (!fs::exists(status)) throw cannotRead(file, code ? code.value() : ENOENT);
    throw Error(ErrorKind::Io, fs::is_directory(status)
                                   ? QL_TEXT("expected a file, got a folder")
                                   : QL_TEXT("not a regular file: a pipe or device cannot be read twice"))
        .inFile(file.string())
        .withRemedy(fs::is_directory(status) ? QL_TEXT("Check the path.") : QL_TEXT("Copy its contents to a file."));
}

const std::vector<std::string> &imageEndings()
{
    static const std::vector<std::string> endings{"jpg", "jpeg", "jpe", "png", "bmp", "ppm", "pgm", "pnm"};
    return endings;
}

bool isImageName(std::string_view name)
{
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos) return false;
    const std::string ending = lower(name.substr(dot + 1));
    const std::vector<std::string> &known = imageEndings();
    return std::find(known.begin(), known.end(), ending) != known.end();
}

void readInPieces(const fs::path &file, const std::function<void(std::string_view)> &take)
{
    checkRegularFile(file);
    std::ifstream in(file, std::ios::binary);
    if (!in) throw cannotRead(file, errno);
    std::string buffer(std::size_t{1} << 18, '\0'); // stays in the cache
    while (in) {
        in.read(buffer.data(), std::streamsize(buffer.size()));
        take(std::string_view(buffer).substr(0, std::size_t(in.gcount())));
    }
    if (in.bad()) throw Error(ErrorKind::Io, QL_TEXT("reading the file failed")).inFile(file.string());
}

std::string readFile(const fs::path &file)
{
    std::string bytes;
    std::error_code unknown;
    if (const std::uintmax_t size = fs::file_size(file, unknown); !unknown) bytes.reserve(std::size_t(size));
    readInPieces(file, [&](std::string_view piece) { bytes += piece; });
    return bytes;
}

/// Writing to a pipe or a device leaves nothing half-written, and a rename would replace it with a file: root would
/// lose /dev/null.
static void writeInPlace(const fs::path &file, const std::function<void(std::ostream &)> &fill)
{
    std::ofstream out(file, std::ios::binary);
    if (out) fill(out);
    out.close();
    if (!out)
        throw Error(ErrorKind::Io, QL_TEXT("cannot write the file: %1").with(systemText(errno)))
            .inFile(file.string())
            .withRemedy(QL_TEXT("It is not a regular file: check its reader, or write to another file."));
}

std::string fileStamp(const fs::path &path)
{
    std::error_code code;
    const auto one = [](const fs::path &file) {
        struct stat found = {}; // both facts by one system call: folders of data have thousands of files
        ::stat(file.c_str(), &found);
        return file.string() + " " + std::to_string(found.st_mtim.tv_sec) + "." +
               std::to_string(found.st_mtim.tv_nsec) + ":" + std::to_string(found.st_size);
    };
    std::vector<std::string> files{one(path)};
    constexpr auto options =
        fs::directory_options::follow_directory_symlink | fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator it(path, options, code), end; !code && it != end; it.increment(code)) {
        files.push_back(one(it->path()));
        if (it.depth() > 0) it.disable_recursion_pending(); // one folder per input at most
    }
    std::sort(files.begin(), files.end());
    return join(files, "\n");
}

void writeFileAtomically(const fs::path &name, const std::function<void(std::ostream &)> &fill)
{
    std::error_code unknown;
    const fs::file_status status = fs::status(name, unknown);
    if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status)) {
        writeInPlace(name, fill);
        return;
    }
    // A link stays a link: its target is replaced
    fs::path file = fs::is_symlink(name, unknown) ? fs::canonical(name, unknown) : name;
    if (file.empty()) file = name; // it points to nothing
    // The process id and a number keep two processes or threads that write one target from writing one part file.
    static std::atomic<unsigned> number{0};
    const fs::path part = file.string() + "." + std::to_string(::getpid()) + "-" + std::to_string(number++) + ".part";
    const UnfinishedEntry entry(part);
    const auto fail = [&](const Text &why) {
        std::error_code ignored;
        fs::remove(part, ignored);
        throw Error(ErrorKind::Io, QL_TEXT("cannot write the file: %1").with(why))
            .inFile(name.string())
            .withRemedy(QL_TEXT("Check that the folder exists and is writable, and that the disk is not full."));
    };
    std::ofstream out(part, std::ios::binary | std::ios::trunc);
    if (!out) fail(systemText(errno));
    try {
        fill(out);
    } catch (...) {
        out.close();
        std::error_code ignored;
        fs::remove(part, ignored);
        throw;
    }
    out.close();
    if (!out) fail(systemText(errno));
    std::error_code code;
    fs::rename(part, file, code);
    if (code) fail(code.message());
}

void writeFileAtomically(const fs::path &file, std::string_view content)
{
    writeFileAtomically(file, [&](std::ostream &out) { out.write(content.data(), std::streamsize(content.size())); });
}

} // namespace ql
