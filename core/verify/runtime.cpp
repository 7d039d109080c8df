#include "core/verify/runtime.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/scratch_folder.h"
#include "core/base/strings.h"

#include <algorithm>
#include <csignal>
#include <cstring>

namespace ql {

namespace fs = std::filesystem;

api::RuntimeItem itemOf(const RuntimeEntry &entry)
{
    api::RuntimeItem item{entry.info};
    item.extensions = entry.extensions;
    item.packages = entry.packages;
    return item;
}

std::string RuntimeResult::key(std::size_t batch, const std::string &name)
{
    return std::to_string(batch) + ":" + name;
}

void writeFeeds(const fs::path &file, const std::vector<Feed> &feeds)
{
    std::vector<std::pair<std::string, at::Tensor>> arrays;
    for (std::size_t batch = 0; batch < feeds.size(); ++batch)
        for (const auto &[name, value] : feeds[batch]) arrays.emplace_back(RuntimeResult::key(batch, name), value);
    writeFileAtomically(file, [&](std::ostream &out) { writeNpz(out, arrays); });
}

RuntimeResult::RuntimeResult(std::shared_ptr<ScratchFolder> folder, Text runtime, api::RuntimeReply reply,
                             std::vector<fs::path> arrays)
    : m_folder(std::move(folder)), m_runtime(std::move(runtime)), m_reply(std::move(reply))
{
    for (const fs::path &file : arrays) {
        try {
            m_files.push_back(std::make_unique<NpzFile>(file));
        } catch (const Error &error) {
            throw Error(ErrorKind::BadData,
                        QL_TEXT("%1 succeeded, but its results cannot be read: %2").with(m_runtime, error.message))
                .withRemedy(QL_TEXT("It must write a .npz file with one array per output, named as the output."));
        }
    }
}

bool RuntimeResult::contains(std::size_t batch, const std::string &name) const
{
    return m_files.size() == 1 ? m_files[0]->contains(key(batch, name)) || (batch == 0 && m_files[0]->contains(name))
                               : m_files.at(batch)->contains(name);
}

at::Tensor RuntimeResult::tensor(std::size_t batch, const std::string &name) const
{
    const NpzFile &file = *(m_files.size() == 1 ? m_files[0] : m_files.at(batch));
    const std::string member = file.contains(key(batch, name)) ? key(batch, name) : name;
    if (!file.contains(member))
        throw Error(ErrorKind::BadData, QL_TEXT("%1 returned no tensor '%2'").with(m_runtime, name))
            .withRemedy(QL_TEXT("It returned: %1. Check that the file and the recipe belong to the same model.")
                            .with(Text::list(names())));
    return file.array(member)->all();
}

std::vector<std::string> RuntimeResult::names() const
{
    std::vector<std::string> out;
    const std::string prefix = key(0, "");
    for (const std::string &name : m_files.at(0)->names()) {
        if (name.starts_with(prefix))
            out.push_back(name.substr(prefix.size()));
        else if (m_files.size() > 1 || name.find(':') == std::string::npos)
            out.push_back(name);
    }
    return out;
}

/// Without the codes of colours, and not too long: a runtime may print anything.
static std::string shownLine(std::string_view line)
{
    constexpr std::size_t most = 400;
    std::string shown;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '\x1b' && i + 1 < line.size() && line[i + 1] == '[') {
            for (i += 2; i < line.size() && (line[i] < '@' || line[i] > '~');) ++i;
            continue;
        }
        shown += line[i];
    }
    shown = std::string(trim(shown));
    if (shown.size() > most) shown = shown.substr(0, most) + " ...";
    return shown;
}

Text lastLines(const std::string &output, std::size_t most)
{
    std::vector<std::string> lines;
    for (const std::string &line : split(output, '\n'))
        if (std::string shown = shownLine(line); !shown.empty()) lines.push_back(std::move(shown));
    if (lines.size() > most) lines.erase(lines.begin(), lines.end() - std::ptrdiff_t(most));
    return lines.empty() ? QL_TEXT("it printed nothing") : Text(join(lines, " | "));
}

int signalOf(const ChildResult &result)
{
    constexpr int shellBase = 128;
    if (result.signal != 0 || result.exitCode <= shellBase) return result.signal;
    const int signal = result.exitCode - shellBase;
    const auto crashes = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGKILL, SIGSEGV, SIGSYS};
    return std::find(crashes.begin(), crashes.end(), signal) != crashes.end() ? signal : 0;
}

Text crashText(const Text &title, int signal, const Text &output)
{
    return QL_TEXT("%1 crashed (%2): %3").with(title, ::strsignal(signal), output);
}

void requireSuccess(const Text &title, const ChildResult &result, const ChildLimits &limits)
{
    constexpr std::size_t shownLines = 3;
    if (result.timedOut)
        throw Error(ErrorKind::BadData, QL_TEXT("%1 did not end within %2 s and was stopped; its last output: %3")
                                            .with(title, Text::number(limits.seconds), lastLines(result.output, 1)))
            .withRemedy(QL_TEXT("Allow more time with %1, or use fewer samples.").with(Text::option("--time-limit")));
    const bool isOutOfMemory = result.output.find("MemoryError") != std::string::npos ||
                               result.output.find("bad_alloc") != std::string::npos ||
                               result.output.find("Cannot allocate memory") != std::string::npos ||
                               result.output.find("failed to map segment") != std::string::npos ||        // the loader
                               result.output.find("Memory allocation still failed") != std::string::npos; // OpenBLAS
    if (isOutOfMemory && (result.signal != 0 || result.exitCode != 0))
        throw Error(ErrorKind::OutOfMemory,
                    QL_TEXT("%1 ran out of memory (limit: %2 MiB)").with(title, limits.memory >> 20))
            .withRemedy(QL_TEXT("Allow more with %1, or use fewer samples.").with(Text::option("--memory-limit")));
    if (const int signal = signalOf(result); signal != 0)
        throw Error(ErrorKind::BadData, crashText(title, signal, lastLines(result.output, shownLines)))
            .withRemedy(QL_TEXT("This is a bug of the runtime, or the file is damaged. Try other options of the "
                                "runtime: `quantloupe-cli runtimes` lists them."));
    if (result.exitCode != 0)
        throw Error(ErrorKind::BadData, QL_TEXT("%1 failed with exit code %2: %3")
                                            .with(title, result.exitCode, lastLines(result.output, shownLines)))
            .withRemedy(QL_TEXT("Check that the file is for this runtime and belongs to the recipe's model."));
}

} // namespace ql
