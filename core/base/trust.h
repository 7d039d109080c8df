#pragma once

#include "core/base/text.h"

#include <filesystem>
#include <string>

namespace ql {

/// Files that make the engine start something: a recipe or a manifest names a program, a plug-in is a program itself.
/// None of them is started because it was opened or run, only because the user has agreed to it: for one process
/// (allowPrograms()), or for a file as it is now (allowProgramsOf()), which is remembered by a hash in the user's
/// folder. All functions are thread-safe.

/// What is remembered: SHA-256 of the path of file, in whose folder programs start, and its content. @throws Error (Io)
/// if it cannot be read
std::string programKey(const std::filesystem::path &file);
/// Whether file, as it is now, may start programs. @throws Error (Io)
bool areProgramsAllowed(const std::filesystem::path &file);
/// what: the program, for the message. @throws Error (BadConfig) with Fix::AllowPrograms unless it is allowed
void requirePrograms(const std::filesystem::path &file, const Text &what);

/// Allows every file, until the process ends.
void allowPrograms();
/// Allows file from now on. key: of the content that the user has agreed to.
/// @throws Error (BadConfig) if the file has changed since; (Io) if it cannot be remembered
void allowProgramsOf(const std::filesystem::path &file, const std::string &key);

/// The user's folder for data of the program: $XDG_DATA_HOME/quantloupe, otherwise ~/.local/share/quantloupe; empty if
/// neither is known.
std::filesystem::path userDataFolder();

} // namespace ql
