#pragma once

#include "core/api/problem.h"
#include "core/api/run_report.h"
#include "core/base/job.h"
#include "core/base/language.h"

#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace ql::cli {

/// The exit codes of the program.
enum ExitCode { Good = 0, ConditionHeld = 1, BadInput = 2, InternalFailure = 3, Cancelled = 130 };

/// The two streams of the program: standard output contains only requested results; progress and messages go to
/// standard error. Progress is a bar with the remaining time on a terminal, and one line per step otherwise. Text from
/// models is made safe to print. Thread-safe.
class Console
{
public:
    Console();

    void setQuiet(bool quiet) { m_quiet = quiet; }
    bool isQuiet() const { return m_quiet; }
    /// Of the texts; nullptr: English.
    void setLanguage(const Language *language) { m_language = language; }
    const Language *language() const { return m_language; }

    /// A job whose progress is displayed here and which Ctrl+C cancels.
    JobContext startJob();
    /// Removes the bar.
    void endProgress();

    void print(std::string_view text);          ///< to standard output. @throws Error (Io) if it cannot be written
    void note(const Text &text);                ///< a line on standard error, unless quiet
    void fail(const Text &text);                ///< a line on standard error, always
    void notes(const std::vector<Text> &texts); ///< "note: ..." for each
    void problems(const std::vector<api::Problem> &problems); ///< errors and warnings, then remarks
    /// Reports that a file was written, and its size; nothing for a stream.
    void written(const std::string &file, const std::string &what = {});
    /// Writes to a file, or to standard output for "-". @throws Error (Io)
    void write(const std::string &file, std::string_view content);
    /// With line breaks, so that versions can be compared line by line; invalid UTF-8 becomes U+FFFD.
    void writeJson(const std::string &file, const nlohmann::json &value);
    void writeReport(const std::string &file, const api::Report &report);

private:
    void show(const Progress &progress);
    void clearBar();

    std::mutex m_mutex;
    const Language *m_language = nullptr;
    bool m_quiet = false;
    bool m_terminal = false;
    bool m_barShown = false;
    std::string m_lastStep;
};

/// @throws Error (Io) if file cannot be created: its folder is missing or read-only, or it is a folder itself.
/// (BadConfig) if it is one of inputs. Checked before a long run, not after.
void checkWritable(const std::string &file, const std::vector<std::filesystem::path> &inputs = {});

/// Left-aligned columns, two spaces apart; header underlined if there is one. Wide characters count as two.
std::string table(const std::vector<std::string> &header, const std::vector<std::vector<std::string>> &rows);
/// text broken at spaces, and between Chinese characters, into lines of at most width cells, each indented.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

} // namespace ql::cli
