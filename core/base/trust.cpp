#include "core/base/trust.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/sha256.h"

#include <atomic>
#include <cstdlib>
#include <mutex>

namespace ql {

namespace fs = std::filesystem;

namespace {

std::atomic_bool isAnyAllowed = false;
std::mutex rememberMutex;

/// One key per line, followed by the file's path for the user.
fs::path rememberedFile()
{
    const fs::path folder = userDataFolder();
    return folder.empty() ? fs::path() : folder / "allowed_programs";
}

std::string remembered()
{
    const fs::path file = rememberedFile();
    std::error_code code;
    return !file.empty() && fs::is_regular_file(file, code) ? readFile(file) : std::string();
}

bool isRemembered(const std::string &key)
{
    return ("\n" + remembered()).find("\n" + key + " ") != std::string::npos;
}

/// A program starts in the folder of the file that names it: a link elsewhere would start another one.
fs::path placeOf(const fs::path &file)
{
    const fs::path whole = fs::absolute(file);
    return fs::weakly_canonical(whole.parent_path()) / whole.filename();
}

constexpr std::uintmax_t largestRead = 16 << 20; // bytes; scripts are small, archives of samples are not

/// The files that the program and its arguments name. A program without a folder is searched in PATH, and one with a
/// whole path is part of the system.
std::vector<fs::path> namedFiles(const fs::path &folder, const std::vector<std::string> &command)
{
    std::vector<fs::path> files;
    for (std::size_t i = 0; i < command.size(); ++i) {
        const fs::path word = command[i];
        if (i == 0 && (word.is_absolute() || !word.has_parent_path())) continue;
        std::error_code code;
        if (fs::is_regular_file(folder / word, code)) files.push_back((folder / word).lexically_normal());
    }
    return files;
}

} // namespace

fs::path userDataFolder()
{
    const auto variable = [](const char *name) {
        const char *value = std::getenv(name);
        return fs::path(value ? value : "");
    };
    if (const auto data = variable("XDG_DATA_HOME"); data.is_absolute()) return data / "quantloupe";
    if (const auto home = variable("HOME"); home.is_absolute()) return home / ".local/share/quantloupe";
    return {};
}

std::string programKey(const fs::path &file, const std::vector<std::string> &command)
{
    std::string all = placeOf(file).string() + '\0' + readFile(file);
    const fs::path folder = placeOf(file).parent_path();
    for (const fs::path &named : namedFiles(folder, command)) {
        std::error_code code;
        const bool isLarge = fs::file_size(named, code) > largestRead;
        all += '\0' + named.string() + '\0' + (isLarge ? fileStamp(named) : sha256OfFile(named));
    }
    return sha256(all);
}

bool areProgramsAllowed(const fs::path &file, const std::vector<std::string> &command)
{
    return isAnyAllowed || isRemembered(programKey(file, command));
}

void requirePrograms(const fs::path &file, const Text &what, const std::vector<std::string> &command)
{
    if (areProgramsAllowed(file, command)) return;
    throw Error(ErrorKind::BadConfig, QL_TEXT("the file starts a program: %1").with(what))
        .inFile(file.string())
        .withFix(Fix::AllowPrograms)
        .withRemedy(QL_TEXT("If you trust it, allow it with %1.").with(Text::option("--allow-commands")));
}

void allowPrograms()
{
    isAnyAllowed = true;
}

void allowProgramsOf(const fs::path &file, const std::string &key)
{
    constexpr std::size_t digits = 64;
    if (key.size() != digits || key.find_first_not_of("0123456789abcdef") != key.npos)
        throw Error(ErrorKind::BadConfig, QL_TEXT("'%1' is not the key of a program").with(key)).inFile(file.string());
    const std::lock_guard lock(rememberMutex);
    if (isRemembered(key)) return;
    const fs::path list = rememberedFile();
    if (list.empty())
        throw Error(ErrorKind::Io, QL_TEXT("the user's data folder is unknown"))
            .withRemedy(QL_TEXT("Set XDG_DATA_HOME or HOME."));
    std::error_code code;
    fs::create_directories(list.parent_path(), code);
    std::string line = key + " " + placeOf(file).string();
    for (char &c : line)
        if (c == '\n') c = '?'; // or the rest of the path would be another key
    writeFileAtomically(list, remembered() + line + "\n");
}

} // namespace ql
