#pragma once

#include "core/base/error.h"
#include "core/base/registry.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// A plug-in is a shared library whose sources register operators, passes, observers, dispatchers, analyses, exporters,
/// importers and platforms with the same registrars as the engine's own files. One of them describes it:
///
///     QL_PLUGIN("toolbox", "1.2", "Passes of our team")
///
/// A library is refused, before any of its code runs, unless it was built with the headers of this engine, the same
/// compiler and LibTorch; and if it registers an id that exists.
namespace ql {

/// What a plug-in says about itself; the function quantloupePlugin() of the library returns it.
struct PluginInfo
{
    const char *name;
    const char *version;
    const char *meaning; ///< a sentence
};

#define QL_TEXT_OF_(value) #value
#define QL_TEXT_OF(value) QL_TEXT_OF_(value)
#ifdef __clang__
#define QL_COMPILER "clang " QL_TEXT_OF(__clang_major__)
#else
#define QL_COMPILER "gcc " QL_TEXT_OF(__GNUC__)
#endif
#define QL_PLUGIN_MARK "quantloupe-plugin:"
/// Everything that must be equal in a plug-in and in the engine. QL_VERSION, QL_TORCH_VERSION and QL_HEADERS, a hash of
/// all installed headers: from CMake.
#define QL_PLUGIN_ABI                                                                                                  \
    "quantloupe " QL_VERSION ", headers " QL_HEADERS ", " QL_COMPILER                                                  \
    ", C++11 ABI " QL_TEXT_OF(_GLIBCXX_USE_CXX11_ABI) ", LibTorch " QL_TORCH_VERSION

#define QL_PLUGIN(name, version, meaning)                                                                              \
    __attribute__((used)) static const char quantloupePluginAbi[] = QL_PLUGIN_MARK QL_PLUGIN_ABI;                      \
    extern "C" __attribute__((visibility("default"))) const ql::PluginInfo *quantloupePlugin()                         \
    {                                                                                                                  \
        static const ql::PluginInfo info{name, version, meaning};                                                      \
        return &info;                                                                                                  \
    }

/// A plug-in in this process.
struct LoadedPlugin
{
    std::filesystem::path file;
    std::string name, version, meaning;
    std::vector<Registration> registrations;
    std::string sha256; ///< of the file
};

/// Loads a plug-in, unless it is loaded already. Its code runs: ask core/base/trust.h first. Thread-safe; the plug-in
/// stays loaded until the process ends.
/// @throws Error (Io) for a file that does not exist; (BadConfig) for one that is no plug-in, was built for another
/// engine, misses a symbol, has the name of another one, or registers an id that is empty or exists: then nothing of it
/// stays
LoadedPlugin loadPlugin(const std::filesystem::path &file);
/// Whether this thread is loading one: its registrars are running.
bool isPluginLoading();
bool isPluginLoaded(const std::filesystem::path &file);
/// In the order in which they were loaded.
std::vector<LoadedPlugin> loadedPlugins();
/// The plug-in that registered this entry, if one did.
std::optional<LoadedPlugin> pluginOf(const std::string &kind, const std::string &id);
/// Adds to the remedy which plug-in registered this entry, if one did.
void namePlugin(Error &error, const std::string &kind, const std::string &id);
/// An error (Internal) in what an entry gave back, beginning with who ("exporter 'x'"); names its plug-in.
Error entryError(const Text &who, const Text &what, const std::string &kind, const std::string &id);
/// In a catch block, for code that a plug-in may have registered as an entry of this kind: throws an exception that is
/// no Error as one (OutOfMemory or Internal) that begins with who and names the plug-in. Errors, and what ends a job,
/// stay as they are.
[[noreturn]] void throwNamed(const Text &who, const std::string &kind, const std::string &id);
template <class Entry>
[[noreturn]] void throwNamed(const Text &who, const std::string &id)
{
    throwNamed(who, Entry::kindName, id);
}
/// The function of an entry, for registrars. If a plug-in is being loaded, exceptions of the function name it, as with
/// throwNamed().
template <class Result, class... Args>
std::function<Result(Args...)> namedFunction(std::function<Result(Args...)> call, const Text &who,
                                             const std::string &kind, const std::string &id)
{
    if (!call || !isPluginLoading()) return call;
    return [call = std::move(call), who, kind, id](Args... args) -> Result {
        try {
            return call(std::forward<Args>(args)...);
        } catch (...) {
            throwNamed(who, kind, id);
        }
    };
}
/// Differs for other plug-ins: results may depend on all of them.
std::string pluginsKey();

/// userDataFolder()/plugins; empty if that is unknown.
std::filesystem::path userPluginFolder();
/// Loads every *.so of the user's folder, in name order. One that crashed the process while it was loaded is left out
/// until it changes.
void loadUserPlugins();
/// Why files of the user's folder were not loaded.
std::vector<Error> refusedUserPlugins();

} // namespace ql
