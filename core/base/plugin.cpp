#include "core/base/plugin.h"

#include "core/base/crash.h"
#include "core/base/file.h"
#include "core/base/job.h"
#include "core/base/memory.h"
#include "core/base/registry.h"
#include "core/base/sha256.h"
#include "core/base/strings.h"
#include "core/base/trust.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <dlfcn.h>
#include <exception>
#include <functional>
#include <mutex>
#include <new>
#include <optional>
#include <unistd.h>

namespace ql {

namespace fs = std::filesystem;

namespace {

std::mutex pluginsMutex;
std::vector<LoadedPlugin> plugins;
std::vector<Error> refusedPlugins;

/// The text after QL_PLUGIN_MARK in the bytes of a library.
std::optional<std::string> abiOf(const std::string &bytes)
{
    constexpr std::string_view mark = QL_PLUGIN_MARK;
    const std::size_t at = bytes.find(mark);
    if (at == bytes.npos) return std::nullopt;
    const std::size_t begin = at + mark.size();
    return bytes.substr(begin, std::min(bytes.find('\0', begin), bytes.size()) - begin);
}

/// The libraries that the file needs may be missing, or symbols.
std::string reasonOf(const fs::path &file)
{
    const char *text = ::dlerror();
    std::string reason = text ? text : "unknown";
    if (reason.starts_with(file.string() + ": ")) reason.erase(0, file.string().size() + 2);
    return reason;
}

std::string listed(const std::vector<Registration> &registrations)
{
    std::vector<std::string> names;
    for (const auto &[kind, id] : registrations) names.push_back(kind + " '" + id + "'");
    return join(names, ", ");
}

/// Names and ids that no recipe or message could use; empty: nothing. @pre pluginsMutex is held
Text whatIsWrong(const PluginInfo &info, const PluginRegistrations &registered)
{
    const std::string name = info.name ? info.name : "";
    if (trim(name).empty()) return QL_TEXT("the plug-in has no name");
    for (const LoadedPlugin &plugin : plugins)
        if (plugin.name == name)
            return QL_TEXT("a plug-in called '%1' is already loaded: %2").with(name, plugin.file.string());
    for (const auto &[kind, id] : registered.added)
        if (trim(id).empty()) return QL_TEXT("the plug-in registers an empty id: %1").with(kind);
    if (!registered.empty.empty())
        return QL_TEXT("the plug-in registers entries without a function: %1").with(listed(registered.empty));
    return {};
}

/// @pre pluginsMutex is held
LoadedPlugin load(const fs::path &file)
{
    const std::string content = readFile(file);
    const std::optional<std::string> abi = abiOf(content);
    if (!abi)
        throw Error(ErrorKind::BadConfig, QL_TEXT("this is not a plug-in: it has no description"))
            .withRemedy(QL_TEXT("One source of a plug-in must contain QL_PLUGIN(name, version, meaning): "
                                "docs/plugins.md."));
    if (*abi != QL_PLUGIN_ABI)
        throw Error(ErrorKind::BadConfig, QL_TEXT("the plug-in was built for %1, this is %2").with(*abi, QL_PLUGIN_ABI))
            .withRemedy(QL_TEXT("Build it again, with the headers of this engine."));
    const LoadingLibrary marked(file.string());
    PluginRegistrations registered;
    collectRegistrations(&registered);
    void *library = nullptr;
    const auto refuse = [&](const Error &error) {
        for (const std::function<void()> &undo : registered.undo) undo();
        if (library) ::dlclose(library);
        return error;
    };
    void *(*volatile open)(const char *, int) = ::dlopen; // declared not to throw: a direct call would catch nothing
    const auto fail = [&](const Text &why) {
        collectRegistrations(nullptr);
        return refuse(Error(ErrorKind::BadConfig, QL_TEXT("the plug-in cannot be loaded: %1").with(why)));
    };
    try {
        library = open(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    } catch (const std::exception &failed) { // of a static constructor
        throw fail(failed.what());
    } catch (...) {
        throw fail(QL_TEXT("an exception of an unknown type"));
    }
    collectRegistrations(nullptr);
    if (!library)
        throw refuse(Error(ErrorKind::BadConfig, QL_TEXT("the plug-in cannot be loaded: %1").with(reasonOf(file))));
    if (!registered.refused.empty())
        throw refuse(Error(ErrorKind::BadConfig,
                           QL_TEXT("the plug-in registers ids that already exist: %1").with(listed(registered.refused)))
                         .withRemedy(QL_TEXT("Give it another id, and load each plug-in only once.")));
    const auto describe = reinterpret_cast<const PluginInfo *(*)()>(::dlsym(library, "quantloupePlugin"));
    if (!describe)
        throw refuse(Error(ErrorKind::BadConfig, QL_TEXT("the plug-in has no function quantloupePlugin()"))
                         .withRemedy(QL_TEXT("One source of a plug-in must contain QL_PLUGIN(name, version, meaning): "
                                             "docs/plugins.md.")));
    const PluginInfo *info = describe();
    if (const Text wrong = whatIsWrong(*info, registered); !wrong.isEmpty())
        throw refuse(Error(ErrorKind::BadConfig, wrong));
    notePluginCode(reinterpret_cast<const void *>(describe), info->name, file.string());
    return {file, info->name, info->version, info->meaning, registered.added, sha256(content)};
}

/// Exists while a plug-in of the user's folder is being loaded, and afterwards if that ended the process.
class CrashMark
{
public:
    explicit CrashMark(const std::string &key) : m_file(fileOf(key))
    {
        try {
            if (!m_file.empty()) writeFileAtomically(m_file, std::to_string(::getpid()));
        } catch (const Error &) { // a read-only folder: then a crash repeats itself
        }
    }
    ~CrashMark()
    {
        std::error_code code;
        fs::remove(m_file, code);
    }
    CrashMark(const CrashMark &) = delete;
    CrashMark &operator=(const CrashMark &) = delete;
    /// Whether a process that no longer exists has left the mark.
    static bool isLeft(const std::string &key)
    {
        std::error_code code;
        if (!fs::is_regular_file(fileOf(key), code)) return false;
        const std::string text = readFile(fileOf(key));
        pid_t process = 0;
        std::from_chars(text.data(), text.data() + text.size(), process);
        return process > 0 && ::kill(process, 0) != 0 && errno == ESRCH;
    }

private:
    static fs::path fileOf(const std::string &key)
    {
        const fs::path folder = userPluginFolder();
        return folder.empty() ? folder : folder / (".loading-" + key.substr(0, 16));
    }

    fs::path m_file;
};

} // namespace

/// @pre pluginsMutex is held
static const LoadedPlugin *findLoaded(const fs::path &file)
{
    std::error_code code;
    const auto known = std::find_if(plugins.begin(), plugins.end(), [&](const LoadedPlugin &plugin) {
        return fs::equivalent(plugin.file, file, code);
    });
    return known == plugins.end() ? nullptr : &*known;
}

LoadedPlugin loadPlugin(const fs::path &file)
{
    const std::lock_guard lock(pluginsMutex);
    if (const LoadedPlugin *known = findLoaded(file)) return *known;
    try {
        plugins.push_back(load(fs::absolute(file).lexically_normal())); // a name without a folder is searched elsewhere
    } catch (Error &error) {
        if (error.file.empty()) error.file = file.string();
        throw;
    }
    return plugins.back();
}

bool isPluginLoaded(const fs::path &file)
{
    const std::lock_guard lock(pluginsMutex);
    return findLoaded(file) != nullptr;
}

std::vector<LoadedPlugin> loadedPlugins()
{
    const std::lock_guard lock(pluginsMutex);
    return plugins;
}

std::optional<LoadedPlugin> pluginOf(const std::string &kind, const std::string &id)
{
    const std::lock_guard lock(pluginsMutex);
    for (const LoadedPlugin &plugin : plugins)
        for (const Registration &entry : plugin.registrations)
            if (entry.kind == kind && entry.id == id) return plugin;
    return std::nullopt;
}

void namePlugin(Error &error, const std::string &kind, const std::string &id)
{
    if (const auto plugin = pluginOf(kind, id))
        error.withRemedy(Text::sentences(
            {error.remedy, QL_TEXT("It is part of the plug-in '%1' (%2).").with(plugin->name, plugin->file.string())}));
}

Error entryError(const Text &who, const Text &what, const std::string &kind, const std::string &id)
{
    Error error(ErrorKind::Internal, QL_TEXT("%1: %2").with(who, what));
    namePlugin(error, kind, id);
    return error;
}

void throwNamed(const Text &who, const std::string &kind, const std::string &id)
{
    const auto named = [&](const Text &what) { return entryError(who, what, kind, id); };
    const auto outOfMemory = [&] {
        Error error(ErrorKind::OutOfMemory, QL_TEXT("%1: %2").with(who, QL_TEXT("not enough memory")));
        error.withRemedy(memoryRemedy());
        namePlugin(error, kind, id);
        return error;
    };
    try {
        throw;
    } catch (const Error &) {
        throw;
    } catch (const Cancelled &) {
        throw;
    } catch (const IterationLimitReached &) {
        throw;
    } catch (const std::bad_alloc &) {
        throw outOfMemory();
    } catch (const std::exception &failed) {
        const std::string all = failed.what(), what = all.substr(0, all.find("\nException raised from ")); // c10::Error
        if (what.find("allocate memory") != std::string::npos || what.find("out of memory") != std::string::npos)
            throw outOfMemory();
        throw named(what.empty() ? QL_TEXT("an exception without a message") : Text(what));
    } catch (...) {
        throw named(QL_TEXT("an exception of an unknown type"));
    }
}

std::string pluginsKey()
{
    std::string key;
    for (const LoadedPlugin &plugin : loadedPlugins()) key += plugin.sha256 + "\n";
    return key;
}

fs::path userPluginFolder()
{
    const fs::path folder = userDataFolder();
    return folder.empty() ? folder : folder / "plugins";
}

void loadUserPlugins()
{
    std::vector<fs::path> files;
    std::error_code code;
    const fs::path folder = userPluginFolder();
    if (!folder.empty())
        for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code))
            if (it->path().extension() == ".so") files.push_back(it->path());
    std::sort(files.begin(), files.end());
    for (const fs::path &file : files) {
        try {
            const std::string key = programKey(file);
            if (CrashMark::isLeft(key))
                throw Error(ErrorKind::BadConfig, QL_TEXT("the plug-in crashed while it was loaded, and is left out"))
                    .inFile(file.string())
                    .withRemedy(QL_TEXT("Replace the file; it is tried again when it has changed."));
            const CrashMark mark(key);
            loadPlugin(file);
        } catch (const Error &error) {
            const std::lock_guard lock(pluginsMutex);
            refusedPlugins.push_back(error);
        }
    }
}

std::vector<Error> refusedUserPlugins()
{
    const std::lock_guard lock(pluginsMutex);
    return refusedPlugins;
}

} // namespace ql
