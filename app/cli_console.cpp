#include "app/cli_console.h"

#include "app/cli_interrupt.h"
#include "app/cli_output.h"
#include "core/api/report_writer.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strings.h"
#include "core/base/utf8.h"
#include "core/report/report_format.h"
#include "core/session/recipe_files.h"
#include "core/session/remedy_list.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <sys/ioctl.h>
#include <unistd.h>

namespace ql::cli {

using nlohmann::json;

namespace {

std::size_t terminalWidth()
{
    winsize size{};
    return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

std::string timeText(double seconds)
{
    const auto whole = std::int64_t(std::ceil(seconds));
    if (whole < 60) return std::to_string(whole) + " s";
    if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
    return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

/// Line by line: a message may have several lines, but no other control characters.
std::string safe(std::string_view text)
{
    std::vector<std::string> lines;
    for (const std::string &line : split(text, '\n')) lines.push_back(report::visibleText(line, 100'000));
    return join(lines, "\n");
}

Text marked(api::Severity severity)
{
    switch (severity) {
    case api::Severity::Error: return QL_TEXT("error: %1");
    case api::Severity::Warning: return QL_TEXT("warning: %1");
    case api::Severity::Info: return QL_TEXT("remark: %1");
    }
    return "%1";
}

/// "conv 3/20" and "conv 4/20" are one step, and so are "layerwise error: conv1" and "layerwise error: conv2".
std::string withoutNumbers(std::string text)
{
    text.erase(std::remove_if(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }), text.end());
    return text;
}

} // namespace

Console::Console() : m_terminal(::isatty(STDERR_FILENO) == 1)
{
    const char *kind = std::getenv("TERM");
    if (kind && std::strcmp(kind, "dumb") == 0) m_terminal = false;
}

JobContext Console::startJob()
{
    const JobContext job([this](const Progress &progress) { show(progress); });
    Interrupt::cancels(job);
    return job;
}

void Console::show(const Progress &progress)
{
    const std::lock_guard lock(m_mutex);
    if (m_quiet) return;
    const std::string step = progress.what.in(m_language);
    const std::string what = report::visibleText(progress.detail.empty() ? step : step + ": " + progress.detail, 60);
    if (!m_terminal) {
        if (withoutNumbers(step) == m_lastStep) return;
        m_lastStep = withoutNumbers(step);
        std::fprintf(stderr, "%s\n", step.c_str());
        return;
    }
    const double fraction = std::clamp(progress.fraction, 0.0, 1.0);
    const std::string right =
        " " + std::to_string(int(fraction * 100)) + " %" +
        (progress.etaSeconds >= 0 ? "  " + QL_TEXT("%1 left").with(timeText(progress.etaSeconds)).in(m_language) : "");
    const std::size_t width = terminalWidth(), left = std::min<std::size_t>(34, width / 3);
    const std::size_t space = width - left - 1,
                      cells = space > right.size() + 12 ? std::min<std::size_t>(40, space - right.size() - 3) : 0;
    const auto full = std::size_t(fraction * double(cells));
    std::string line = report::padRight(report::visibleText(what, left), left);
    if (cells > 0) line += " [" + std::string(full, '#') + std::string(cells - full, '.') + "]";
    std::fprintf(stderr, "\r\x1b[K%s%s", line.c_str(), right.c_str());
    std::fflush(stderr);
    m_barShown = true;
}

void Console::clearBar()
{
    if (!m_barShown) return;
    std::fputs("\r\x1b[K", stderr);
    std::fflush(stderr);
    m_barShown = false;
}

void Console::endProgress()
{
    const std::lock_guard lock(m_mutex);
    clearBar();
    m_lastStep.clear();
}

void Console::print(std::string_view text)
{
    const std::lock_guard lock(m_mutex);
    clearBar();
    StandardOutput::write(text);
}

void Console::note(const Text &text)
{
    if (!m_quiet) fail(text);
}

void Console::fail(const Text &text)
{
    const std::lock_guard lock(m_mutex);
    clearBar();
    std::fprintf(stderr, "%s\n", safe(text.in(m_language)).c_str());
}

void Console::notes(const std::vector<Text> &texts)
{
    for (const Text &text : texts) note(QL_TEXT("note: %1").with(text));
}

void Console::problems(const std::vector<api::Problem> &problems)
{
    // Remarks come last, so that errors and warnings are not lost among them.
    for (const bool remarks : {false, true}) {
        const std::size_t most = remarks ? 10 : 20;
        std::size_t shown = 0, rest = 0;
        for (const api::Problem &problem : problems) {
            if ((problem.severity == api::Severity::Info) != remarks) continue;
            if (shown == most) {
                ++rest;
                continue;
            }
            ++shown;
            Error printed(ErrorKind::BadData, problem.message, problem.op, problem.variable);
            printed.remedy = problem.remedy;
            note(marked(problem.severity).with(errorText(printed, m_language)));
            if (problem.actions.empty()) continue;
            const api::Action &best = problem.actions.front();
            if (!best.option.empty() && !didNotHelp(best)) note(QL_TEXT("  try %1").with(best.option));
        }
        if (rest > 0) note(QL_TEXT("... and %1 more; --json FILE lists all").with(rest));
    }
}

void Console::written(const std::string &file, const std::string &what)
{
    std::error_code code;
    const std::uintmax_t bytes = file == "-" ? 0 : std::filesystem::file_size(file, code);
    if (file == "-" || code) return; // a stream has no size
    const Text size = bytes < 1024          ? QL_TEXT("%1 bytes").with(bytes)
                      : bytes < 1024 * 1024 ? report::decimalText(double(bytes) / 1024, 1) + " KiB"
                                            : report::decimalText(double(bytes) / (1024 * 1024), 1) + " MiB";
    note(QL_TEXT("wrote %1 (%2)").with(file, Text::list({what, size})));
}

void Console::write(const std::string &file, std::string_view content)
{
    if (file == "-")
        print(content);
    else
        writeFileAtomically(file, content);
}

void Console::writeJson(const std::string &file, const json &value)
{
    write(file, value.dump(1, ' ', false, json::error_handler_t::replace) + "\n");
}

void Console::writeReport(const std::string &file, const api::Report &report)
{
    const auto write = [&](std::ostream &out) {
        api::writeReport(out, report);
        out << '\n';
    };
    if (file != "-") return writeFileAtomically(file, write);
    std::ostringstream text;
    write(text);
    print(text.str());
}

void checkWritable(const std::string &file, const std::vector<std::filesystem::path> &inputs)
{
    if (file == "-") return;
    const std::filesystem::path path(file);
    std::filesystem::path folder = path.parent_path();
    if (folder.empty()) folder = ".";
    std::error_code code;
    const auto fail = [&](const std::string &why, const std::string &remedy) {
        return Error(ErrorKind::Io, "cannot write the file: " + why).inFile(file).withRemedy(remedy);
    };
    if (std::filesystem::is_directory(path, code)) throw fail("it is a folder", "Give a file name.");
    refuseInput(path, inputs);
    if (!std::filesystem::is_directory(folder, code))
        throw fail("the folder " + folder.string() + " does not exist", "Create the folder first.");
    // It could be replaced anyway, because its folder is writable
    if (std::filesystem::is_regular_file(path, code) && ::access(path.c_str(), W_OK) != 0)
        throw fail("it is read-only", "Choose another file, or change its permissions.");
    if (::access(folder.c_str(), W_OK | X_OK) != 0)
        throw fail("the folder " + folder.string() + " cannot be written (" + std::strerror(errno) + ")",
                   "Choose another folder, or change its permissions.");
}

std::string table(const std::vector<std::string> &header, const std::vector<std::vector<std::string>> &rows)
{
    std::vector<std::vector<std::string>> lines;
    if (!header.empty()) lines.push_back(header);
    lines.insert(lines.end(), rows.begin(), rows.end());
    std::vector<std::size_t> widths;
    for (auto &line : lines) {
        widths.resize(std::max(widths.size(), line.size()));
        for (std::size_t i = 0; i < line.size(); ++i) {
            line[i] = report::visibleText(line[i]);
            widths[i] = std::max(widths[i], report::displayWidth(line[i]));
        }
    }
    std::string out;
    for (std::size_t k = 0; k < lines.size(); ++k) {
        std::string text;
        for (std::size_t i = 0; i < lines[k].size(); ++i)
            text += i + 1 < lines[k].size() ? report::padRight(lines[k][i], widths[i] + 2) : lines[k][i];
        text.erase(text.find_last_not_of(' ') + 1);
        out += text + "\n";
        if (k == 0 && !header.empty()) {
            std::size_t width = 0;
            for (const std::size_t w : widths) width += w + 2;
            out += std::string(std::min<std::size_t>(width - 2, 100), '-') + "\n";
        }
    }
    return out;
}

/// A word up to where its line may end: at its end, and around wide characters, but not before their punctuation.
static std::string_view unbrokenPart(std::string_view word)
{
    constexpr std::string_view punctuation = "，。、；：！？）》”";
    std::size_t at = 0;
    bool isWide = false;
    while (at < word.size()) {
        const std::size_t start = at;
        nextCodePoint(word, at);
        const std::string_view one = word.substr(start, at - start);
        const bool startsLine = punctuation.find(one) == punctuation.npos || one.size() == 1;
        const bool isNextWide = report::displayWidth(one) > 1;
        if (start > 0 && startsLine && (isWide || isNextWide)) return word.substr(0, start);
        isWide = isNextWide || !startsLine;
    }
    return word;
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent)
{
    std::string out, line;
    for (const std::string &word : split(report::visibleText(text, 100'000), ' ')) {
        bool isFirst = true;
        for (std::string_view rest = word; !rest.empty();) {
            const std::string_view part = unbrokenPart(rest);
            rest.remove_prefix(part.size());
            const std::size_t space = isFirst && !line.empty() ? 1 : 0;
            if (!line.empty() && report::displayWidth(line) + space + report::displayWidth(part) + indent > width) {
                out += std::string(indent, ' ') + line + "\n";
                line.clear();
            }
            line += (space && !line.empty() ? " " : "") + std::string(part);
            isFirst = false;
        }
    }
    return line.empty() ? out : out + std::string(indent, ' ') + line + "\n";
}

} // namespace ql::cli
