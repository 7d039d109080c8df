#pragma once

#include "core/api/tune.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>

namespace ql {

/// The measurements of a search, a line each, written as they are made: a search that was interrupted repeats its
/// decisions from them and continues where it stopped. An incomplete last line is ignored.
class TuneJournal
{
public:
    TuneJournal() = default; ///< writes no file
    /// resume: reads the measurements that the file has; otherwise it is replaced.
    /// @throws Error (BadData) if the file belongs to another search, (Io) if it cannot be read or written
    TuneJournal(std::filesystem::path file, const api::TuneHeader &header, bool resume);

    /// nullptr: not measured yet
    const api::TuneRecord *find(const std::string &recipeHash, const std::string &part);
    void add(const api::TuneRecord &record);
    std::int64_t used() const { return m_used; } ///< measurements found

private:
    std::filesystem::path m_file;
    std::ofstream m_stream;
    std::map<std::pair<std::string, std::string>, api::TuneRecord> m_known;
    std::int64_t m_used = 0;
};

} // namespace ql
