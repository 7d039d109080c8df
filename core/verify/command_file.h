#pragma once

#include "core/base/child.h"
#include "core/base/job.h"
#include "core/base/text.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace ql {

/// A program of the user, named by a JSON file: {"command": ["./run", "{in}", "{out}"]}.
class CommandFile
{
public:
    /// needed: words in braces that the command must contain; meaning: of all words that it may contain, for the error.
    /// words: of a file that is something else, such as a recipe, and contains them; empty: the file is read.
    /// @throws Error (BadConfig) if the file is something else
    CommandFile(const std::filesystem::path &file, const std::vector<std::string> &needed, const Text &meaning,
                std::vector<std::string> words = {});

    const std::filesystem::path &file() const { return m_file; }
    /// isAllowed: the user has just agreed to start it, which is remembered for the file as it is now
    /// (core/base/trust.h).
    /// @throws Error (BadConfig) unless it is allowed now, or was before and has not changed
    void requireConsent(bool isAllowed) const;
    /// Runs it in the folder of the file; its output goes to log. names: file names that replace words in braces.
    /// title: of the program, for errors. @throws Error (BadData, OutOfMemory, Io) if it fails; Cancelled
    ChildResult run(const std::map<std::string, std::filesystem::path> &names, const std::filesystem::path &log,
                    const Text &title, const ChildLimits &limits, const JobContext &job) const;

private:
    std::filesystem::path m_file;
    std::vector<std::string> m_command;
};

} // namespace ql
