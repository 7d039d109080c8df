#pragma once

#include "core/base/text.h"

#include <filesystem>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>

namespace ql {

struct Error;

/// "Did you mean 'x'?" with the nearest name in the folder of file, or an empty string.
Text suggestedFile(const std::filesystem::path &file);
/// The error (Io) for a file that cannot be opened: that there is none, with the nearest name, or why not.
/// code: errno of the attempt.
Error cannotRead(const std::filesystem::path &file, int code);
/// @throws Error (Io) unless file is there and is a regular file: a pipe or a device may never end.
void checkRegularFile(const std::filesystem::path &file);
/// Endings, in lower case and without the dot, of files that are read as a picture: JPEG, PNG, BMP, PPM and PGM.
const std::vector<std::string> &imageEndings();
/// Whether data are read as a picture, by the ending (".jpg", any case).
bool isImageName(std::string_view name);
/// The whole file as bytes. @throws Error (Io) naming the file when it cannot be read, or is not a regular file.
std::string readFile(const std::filesystem::path &file);
/// The bytes of a file of any size, piece by piece. @throws Error (Io) like readFile.
void readInPieces(const std::filesystem::path &file, const std::function<void(std::string_view)> &take);
/// Text that changes with the size or the time of the file, or of a file of the folder (two folders deep).
std::string fileStamp(const std::filesystem::path &path);
/// Writes through fill into FILE.part and renames it, so that the target is whole or untouched; parent folders must
/// exist.
/// @throws Error (Io) naming the file when it cannot be written (read-only folder, full disk); the part file is
/// removed.
void writeFileAtomically(const std::filesystem::path &file, const std::function<void(std::ostream &)> &fill);
void writeFileAtomically(const std::filesystem::path &file, std::string_view content);
/// Removes the part files of writes that are under way in other threads. Only for a process that is about to end by
/// force: those writes must not go on.
void discardUnfinishedWrites() noexcept;

} // namespace ql
