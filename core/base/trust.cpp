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

std::string programKey(const fs::path &file)
{
    return sha256(placeOf(file).string() + '\0' + readFile(file));
}

bool areProgramsAllowed(const fs::path &file)
{
    return isAnyAllowed || isRemembered(programKey(file));
}

void requirePrograms(const fs::path &file, const Text &what)
{
    if (areProgramsAllowed(file)) return;
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
    if (programKey(file) != key)
        throw Error(ErrorKind::BadConfig, QL_TEXT("the file has changed since it was shown")).inFile(file.string());
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
