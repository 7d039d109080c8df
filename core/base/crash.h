#pragma once

#include <string>

namespace ql {

/// From now on, if a signal or exit() ends the process while code of a plug-in runs, standard error says which plug-in
/// it was. The exit code is that of the signal, or exitCode for a call of exit(). Only for a program, at the start of
/// its main(); with the address sanitizer, signals are left to it.
void reportCrashes(int exitCode);
/// To be called when main() is about to return: after that, exit() is not reported.
void endRegularly();

/// Exists while the library is being loaded: its code may run before its place in memory is known.
class LoadingLibrary
{
public:
    explicit LoadingLibrary(const std::string &file);
    ~LoadingLibrary();
    LoadingLibrary(const LoadingLibrary &) = delete;
    LoadingLibrary &operator=(const LoadingLibrary &) = delete;
};
/// The loaded library that contains address is the plug-in of that name.
void notePluginCode(const void *address, const std::string &name, const std::string &file);

} // namespace ql
