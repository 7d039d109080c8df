#pragma once

#include <string>

namespace ql {

/// From now on, if a signal, exit() or quick_exit() ends the process while code of a plug-in runs, standard error says
/// which plug-in it was; if SIGKILL or a system call does, which ones are loaded. The exit code is that of the signal,
/// or exitCode for a call of a function. Only for a program, at the start of its main(); with the address sanitizer,
/// signals are left to it.
void reportCrashes(int exitCode);
/// To be called when main() is about to return: after that, exit() is not reported.
void endRegularly();
/// To be called by the program's own _exit(), which must exist in the program itself. @returns the exit code: the given
/// one, unless code of a plug-in ended the process of reportCrashes(); then standard error says so.
int codeAtExit(int code);

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
