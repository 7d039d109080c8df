#include "core/io/program_output.h"

#include "core/base/child.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/scratch_folder.h"
#include "core/base/sha256.h"
#include "core/base/strings.h"
#include "core/base/trust.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <system_error>
#include <unistd.h>

namespace ql {

namespace fs = std::filesystem;

namespace {

// APPNOTE.TXT (PKWARE), section 4.3.16: the last record of an archive, which ends with a comment
constexpr std::string_view endSignature = "PK\5\6", startSignature = "PK\3\4";
constexpr std::size_t endSize = 22, directorySizeAt = 12, directoryOffsetAt = 16, commentSizeAt = 20;
constexpr std::uint64_t longestArchive = 0xfffffffe; // in bytes: larger ones have other records
constexpr std::size_t shownLines = 5, longestLine = 1000;

std::uint64_t numberAt(std::string_view bytes, std::size_t at, int count)
{
    std::uint64_t value = 0;
    for (int i = count; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + std::size_t(i)]);
    return value;
}

const Text recordsHelp =
    QL_TEXT("Write only .npz archives to standard output, for example with numpy.savez(sys.stdout.buffer, x=samples), "
            "and messages to standard error.");

/// The program failed; what it wrote to standard error explains it.
Error failed(const Text &how, const std::string &messages)
{
    std::vector<std::string> lines;
    for (const std::string &line : split(messages, '\n'))
        if (!trim(line).empty())
            lines.push_back(line.size() > longestLine ? line.substr(0, longestLine) + " ..." : line);
    if (lines.size() > shownLines) lines.erase(lines.begin(), lines.end() - std::ptrdiff_t(shownLines));
    if (lines.empty()) return Error(ErrorKind::BadData, how);
    return Error(ErrorKind::BadData, QL_TEXT("%1; it wrote to standard error: %2").with(how, join(lines, "\n")));
}

std::string hashOf(const fs::path &file, const ByteRange &range)
{
    constexpr std::uint64_t piece = 1 << 20;
    const auto reader = openFile(file);
    std::vector<char> bytes(std::size_t(std::min(piece, range.length)));
    Sha256 digest;
    for (std::uint64_t done = 0; done < range.length; done += bytes.size()) {
        const auto count = std::size_t(std::min<std::uint64_t>(bytes.size(), range.length - done));
        reader->read(range.start + done, count, bytes.data());
        digest.add(bytes.data(), count);
    }
    return digest.hex();
}

/// The outputs of the programs that ran last, such as those of calibration and evaluation data. A program runs while
/// the mutex is locked: the same data is often opened by several threads.
struct Kept
{
    static constexpr std::size_t most = 2;
    std::timed_mutex mutex;
    std::vector<std::pair<std::string, std::shared_ptr<const ProgramOutput>>> outputs; ///< the most recent first
};

Kept &kept()
{
    static Kept instance;
    return instance;
}

} // namespace

bool ArchiveSplitter::add(std::string_view bytes, const std::function<bool(const ByteRange &archive)> &ended)
{
    const std::uint64_t seen = m_total - m_tail.size(); // position of the first byte of the text below
    const std::string text = m_tail + std::string(bytes);
    m_total += bytes.size();
    for (std::size_t from = 0;;) {
        const auto start = std::size_t(m_start > seen ? m_start - seen : 0); // of the archive, or of the known part
        if (m_start >= seen && text.size() > start) {
            const std::string_view begin = std::string_view(text).substr(start, startSignature.size());
            const bool isArchive = startSignature.starts_with(begin) || endSignature.starts_with(begin);
            if (!isArchive) {
                const std::string_view first = std::string_view(text).substr(start, 40);
                const std::string shown(first.substr(0, first.find('\n', 1)));
                throw Error(ErrorKind::BadData, QL_TEXT("expected a .npz archive, got '%1'").with(shown))
                    .withRemedy(recordsHelp);
            }
        }
        const std::size_t at = text.find(endSignature, std::max(from, start));
        const bool isWhole = at != text.npos && at + endSize <= text.size();
        // Values may contain the signature: then these numbers do not match
        const bool isEnd =
            isWhole &&
            numberAt(text, at + directorySizeAt, 4) + numberAt(text, at + directoryOffsetAt, 4) == seen + at - m_start;
        const std::size_t end = isEnd ? at + endSize + numberAt(text, at + commentSizeAt, 2) : 0;
        if (!isWhole || end > text.size()) {
            const std::size_t left =
                at == text.npos ? std::min(text.size() - start, endSignature.size() - 1) : text.size() - at;
            // The beginning of an archive stays until it can be recognized
            const bool isShort = m_start >= seen && text.size() - start < startSignature.size();
            m_tail = text.substr(isShort ? start : text.size() - left);
            break;
        }
        from = isEnd ? end : at + 1;
        if (!isEnd) continue;
        const ByteRange archive{m_start, seen + end - m_start};
        m_start += archive.length;
        if (!ended(archive)) return false;
    }
    if (unfinished() > longestArchive)
        throw Error(ErrorKind::BadData, QL_TEXT("an archive has more than 4 GiB")).withRemedy(recordsHelp);
    return true;
}

ProgramOutput::ProgramOutput(std::uint64_t most) : m_most(most)
{
    std::error_code code;
    m_folder = fs::temp_directory_path(code);
    if (code) m_folder = "/tmp";
    if (m_most == 0) m_most = fs::space(m_folder, code).available / 2; // the largest number if that is unknown
    m_descriptor = ::open(m_folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (m_descriptor < 0) { // some file systems cannot
        std::string name = (m_folder / "quantloupe-XXXXXX").string();
        m_descriptor = ::mkostemp(name.data(), O_CLOEXEC);
        if (m_descriptor >= 0) ::unlink(name.c_str());
    }
    if (m_descriptor < 0)
        throw Error(ErrorKind::Io,
                    QL_TEXT("cannot create a temporary file: %1").with(std::generic_category().message(errno)))
            .inFile(m_folder.string());
    m_file = "/proc/self/fd/" + std::to_string(m_descriptor);
}

ProgramOutput::~ProgramOutput()
{
    ::close(m_descriptor);
}

void ProgramOutput::append(std::string_view bytes)
{
    m_size += bytes.size();
    if (m_size > m_most)
        throw Error(ErrorKind::BadData,
                    QL_TEXT("the program has written more than half of the free space of %1; archives written: %2")
                        .with(m_folder.string(), m_archives.size()))
            .withRemedy(QL_TEXT("It must end after its last sample. Set TMPDIR to a folder with more space, or use "
                                "fewer samples with %1.")
                            .with(Text::option("--sampling first")));
    while (!bytes.empty()) {
        const ssize_t count = ::write(m_descriptor, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0)
            throw Error(
                ErrorKind::Io,
                QL_TEXT("cannot store the samples of the program: %1").with(std::generic_category().message(errno)))
                .withRemedy(QL_TEXT("Set TMPDIR to a folder with more space, or use fewer samples with %1.")
                                .with(Text::option("--sampling first")));
        bytes.remove_prefix(std::size_t(count));
    }
}

void ProgramOutput::run(const fs::path &manifest, const api::DataProgram &program, const JobContext &job,
                        const Reader &read)
{
    const Text words = Text(join(program.command, " "));
    const ScratchFolder scratch;
    ArchiveSplitter splitter;
    const auto take = [&](std::string_view bytes) {
        append(bytes);
        const std::size_t before = m_archives.size();
        const bool needsMore = splitter.add(bytes, [&](const ByteRange &range) {
            m_archives.push_back({range, hashOf(m_file, range)});
            job.checkpoint(0, QL_TEXT("run %1").with(words), std::to_string(m_archives.size()));
            return read(*this, m_archives.back());
        });
        if (!needsMore) return OutputUse::Enough;
        return m_archives.size() > before ? OutputUse::Progress : OutputUse::More;
    };
    ChildLimits limits;
    limits.seconds = program.seconds;
    job.checkpoint(0, QL_TEXT("run %1").with(words));
    const ChildResult result = runChild(program.command, {}, fs::absolute(manifest).parent_path(),
                                        scratch.path() / "messages", limits, job, take);
    if (result.wasEnough) return;
    const std::size_t count = m_archives.size();
    const Text tryIt = QL_TEXT("Run the command in the folder of the manifest to see what is wrong with it.");
    if (result.timedOut)
        throw failed(QL_TEXT("%1 completed no archive for %2 s and was stopped; archives written before: %3")
                         .with(words, Text::number(limits.seconds), count),
                     result.output)
            .withRemedy(QL_TEXT("If it needs that long, set \"seconds\" in the manifest."));
    if (result.signal != 0)
        throw failed(
            QL_TEXT("%1 crashed: %2; archives written before: %3").with(words, ::strsignal(result.signal), count),
            result.output)
            .withRemedy(tryIt);
    if (result.exitCode != 0)
        throw failed(
            QL_TEXT("%1 failed with exit code %2; archives written before: %3").with(words, result.exitCode, count),
            result.output)
            .withRemedy(tryIt);
    if (splitter.unfinished() > 0)
        throw failed(QL_TEXT("%1 ended in the middle of archive %2").with(words, count + 1), result.output)
            .withRemedy(recordsHelp);
    if (count == 0) throw failed(QL_TEXT("%1 wrote nothing").with(words), result.output).withRemedy(recordsHelp);
    m_isComplete = true;
}

std::shared_ptr<const ProgramOutput> ProgramOutput::read(const fs::path &manifest, const api::DataProgram &program,
                                                         const JobContext &job, const Reader &read)
{
    requirePrograms(manifest, join(program.command, " "), program.command);
    const std::string key = programKey(manifest, program.command); // another key may give another output
    std::unique_lock lock(kept().mutex, std::defer_lock);
    while (!lock.try_lock_for(std::chrono::milliseconds(20))) job.checkpoint();
    auto &outputs = kept().outputs;
    const auto known =
        std::find_if(outputs.begin(), outputs.end(), [&](const auto &entry) { return entry.first == key; });
    std::size_t first = 0; // of the archives that were not read yet
    std::shared_ptr<const ProgramOutput> before;
    if (known != outputs.end()) {
        before = known->second;
        for (const Archive &archive : before->m_archives) {
            ++first;
            if (!read(*before, archive)) return before;
        }
        if (before->m_isComplete) return before;
    }
    // It was stopped too early: once more from the start, reading on from there
    auto output = std::make_shared<ProgramOutput>();
    output->run(manifest, program, job, [&](const ProgramOutput &from, const Archive &archive) {
        const std::size_t index = from.m_archives.size() - 1;
        if (index >= first) return read(from, archive);
        if (before->m_archives[index].hash != archive.hash)
            throw Error(ErrorKind::BadData, QL_TEXT("%1 wrote other samples than the first time: archive %2 differs")
                                                .with(join(program.command, " "), index + 1))
                .withRemedy(QL_TEXT("Give its random numbers a fixed seed: results must be repeatable."));
        return true;
    });
    std::erase_if(outputs, [&](const auto &entry) { return entry.first == key; });
    outputs.insert(outputs.begin(), {key, output});
    if (outputs.size() > Kept::most) outputs.pop_back();
    return output;
}

} // namespace ql
