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
/// The error (Io) for a file that cannot be opened: it does not exist, with the nearest name, or the reason. code:
/// errno of the attempt.
Error cannotRead(const std::filesystem::path &file, int code);
/// @throws Error (Io) unless file exists and is a regular file: reading a pipe or device may never end.
void checkRegularFile(const std::filesystem::path &file);
/// Extensions, in lower case and without the dot, of image files: JPEG, PNG, BMP, PPM and PGM.
const std::vector<std::string> &imageEndings();
/// Whether a file is read as an image, by its extension (".jpg", any case).
bool isImageName(std::string_view name);
/// The whole file as bytes. @throws Error (Io) naming the file if it cannot be read, or is not a regular file.
std::string readFile(const std::filesystem::path &file);
/// The bytes of a file of any size, in pieces. @throws Error (Io) like readFile.
void readInPieces(const std::filesystem::path &file, const std::function<void(std::string_view)> &take);
/// A string that changes with size or time of the file, or of a file of the folder (two levels deep).
std::string fileStamp(const std::filesystem::path &path);
/// Writes through fill into FILE.part and renames it, so that the target is complete or unchanged; parent folders must
/// exist.
/// @throws Error (Io) naming the file if it cannot be written (read-only folder, full disk); the part file is removed.
void writeFileAtomically(const std::filesystem::path &file, const std::function<void(std::ostream &)> &fill);
void writeFileAtomically(const std::filesystem::path &file, std::string_view content);
/// The file or folder is removed by discardUnfinishedWrites(), until it is forgotten.
void noteUnfinished(const std::filesystem::path &path);
void forgetUnfinished(const std::filesystem::path &path);
/// Removes the part files of writes in progress in other threads, and temporary folders. Only for a process that is
/// about to terminate: those writes must not continue.
void discardUnfinishedWrites() noexcept;

} // namespace ql
