#pragma once

#include "core/api/data_program.h"
#include "core/base/job.h"
#include "core/io/npz.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ql {

/// Splits a stream of zip archives, written one after the other, into the archives.
class ArchiveSplitter
{
public:
    /// The next bytes of the stream. ended: called with the start and length of each complete archive; @returns false
    /// if no more are needed.
    /// @returns false after that. @throws Error (BadData) for bytes that do not start an archive
    bool add(std::string_view bytes, const std::function<bool(const ByteRange &archive)> &ended);
    /// Bytes of an archive that is not complete.
    std::uint64_t unfinished() const { return m_total - m_start; }

private:
    std::uint64_t m_start = 0; ///< of the current archive, in the stream
    std::uint64_t m_total = 0; ///< bytes so far
    std::string m_tail;        ///< the last ones: an end record may continue in the next bytes
};

/// The archives that a program has written to its standard output, in a temporary file that disappears with the
/// process.
class ProgramOutput
{
public:
    struct Archive
    {
        ByteRange range;
        std::string hash; ///< of its bytes
    };
    /// Where archives can be read.
    const std::filesystem::path &file() const { return m_file; }
    /// Empty. most: bytes that it can take; 0: half of the free space there. @throws Error (Io)
    explicit ProgramOutput(std::uint64_t most = 0);
    ~ProgramOutput();
    ProgramOutput(const ProgramOutput &) = delete;
    ProgramOutput &operator=(const ProgramOutput &) = delete;

    /// The next bytes. @throws Error (Io) if they cannot be stored, (BadData) if they are more than it can take
    void append(std::string_view bytes);

    /// Receives archives in order. @returns whether more are needed
    using Reader = std::function<bool(const ProgramOutput &output, const Archive &archive)>;
    /// Passes the output of a manifest's program to read; runs the program unless this process has its output already.
    /// @returns the output that was read
    /// @throws Error (BadConfig) unless the user allows it (core/base/trust.h); (BadData) for a program that fails,
    /// stops in the middle of an archive, writes something else, or nothing for too long; (Io); Cancelled
    static std::shared_ptr<const ProgramOutput> read(const std::filesystem::path &manifest,
                                                     const api::DataProgram &program, const JobContext &job,
                                                     const Reader &read);

private:
    void run(const std::filesystem::path &manifest, const api::DataProgram &program, const JobContext &job,
             const Reader &read);

    int m_descriptor = -1;
    std::filesystem::path m_folder, m_file;
    std::uint64_t m_most, m_size = 0; ///< in bytes
    std::vector<Archive> m_archives;
    bool m_isComplete = false; ///< the program has ended; otherwise it was stopped because the reader had enough
};

} // namespace ql
