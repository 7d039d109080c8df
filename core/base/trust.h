#pragma once

#include "core/base/text.h"

#include <filesystem>
#include <string>
#include <vector>

namespace ql {

/// Files that make the engine start something: a recipe or a manifest names a program, a plug-in is a program itself.
/// None of them is started because it was opened or run, only because the user has agreed to it: for one process
/// (allowPrograms()), or for a file as it is now (allowProgramsOf()), which is remembered by a hash in the user's
/// folder. All functions are thread-safe.

/// What is remembered: SHA-256 of the path of file, in whose folder programs start, its content, and those of the files
/// that command names, such as a script; of large ones, only size and time. command: the program that file starts, and
/// its arguments; a program in PATH or with an absolute path does not count. @throws Error (Io) if a file cannot be
/// read
std::string programKey(const std::filesystem::path &file, const std::vector<std::string> &command = {});
/// Whether file, as it is now, may start command. @throws Error (Io)
bool areProgramsAllowed(const std::filesystem::path &file, const std::vector<std::string> &command = {});
/// what: the program, for the message. @throws Error (BadConfig) with Fix::AllowPrograms unless it is allowed
void requirePrograms(const std::filesystem::path &file, const Text &what, const std::vector<std::string> &command = {});

/// Allows every file, until the process ends.
void allowPrograms();
/// Allows file from now on, with the content that the user has agreed to: key. If it has changed since, it stays
/// forbidden. @throws Error (BadConfig) if key is none; (Io) if it cannot be remembered
void allowProgramsOf(const std::filesystem::path &file, const std::string &key);

/// The user's folder for data of the program: $XDG_DATA_HOME/quantloupe, otherwise ~/.local/share/quantloupe; empty if
/// neither is known.
std::filesystem::path userDataFolder();

} // namespace ql
