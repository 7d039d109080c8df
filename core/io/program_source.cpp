#include "core/io/program_source.h"

#include "core/base/error.h"
#include "core/base/sha256.h"
#include "core/io/array_source.h"
#include "core/io/program_output.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

namespace ql {

namespace fs = std::filesystem;

namespace {

/// The error, about the manifest instead of the temporary file.
Error inArchive(Error error, std::size_t index, const fs::path &manifest)
{
    error.message = QL_TEXT("archive %1: %2").with(index + 1, error.message);
    Error out(error.kind, error.message, error.op, error.variable);
    return out.inFile(manifest.string()).withRemedy(error.remedy);
}

class ProgramSource final : public SampleSource
{
public:
    ProgramSource(fs::path manifest, const api::DataProgram &program, const std::vector<DataInput> &inputs,
                  const SourceOptions &options)
        : m_manifest(std::move(manifest)), m_inputs(inputs),
          m_preprocess(options.preprocess.empty() ? program.preprocess : options.preprocess)
    {
        std::size_t enough = options.wanted; // at least one complete batch
        for (const DataInput &input : inputs)
            if (input.type.shape && !input.type.shape->empty())
                enough = std::max(enough, std::size_t(std::max<std::int64_t>((*input.type.shape)[0].size, 0)));
        const bool isLimited = options.usesFirst && options.wanted > 0;
        Sha256 content;
        m_output = ProgramOutput::read(m_manifest, program, options.job,
                                       [&](const ProgramOutput &output, const ProgramOutput::Archive &archive) {
                                           content.add(archive.hash);
                                           add(output, archive.range);
                                           return !isLimited || m_count < enough;
                                       });
        m_content = content.hex();
    }

    std::size_t count() const override { return m_count; }
    at::Tensor load(std::size_t sample, std::size_t input) override
    {
        const std::size_t index = archiveOf(sample);
        try {
            return opened(index).load(sample - m_archives[index].first, input);
        } catch (const Error &error) {
            throw inArchive(error, index, m_manifest);
        }
    }
    std::string name(std::size_t sample, std::size_t) const override
    {
        return m_manifest.filename().string() + "[" + std::to_string(sample) + "]";
    }
    std::vector<fs::path> filesOf(const std::vector<std::size_t> &) const override { return {}; }
    bool isOneFile() const override { return true; }
    bool isOneFeed() const override { return m_isOneFeed && m_archives.size() == 1; }
    std::string content() const override { return m_content; }

private:
    struct Archive
    {
        ByteRange range;
        std::size_t first; ///< index of its first sample
    };

    void add(const ProgramOutput &output, const ByteRange &range)
    {
        std::unique_ptr<SampleSource> archive;
        try {
            archive = openArrays(output.file(), m_inputs, m_preprocess, range);
        } catch (const Error &error) {
            throw inArchive(error, m_archives.size(), m_manifest);
        }
        if (m_archives.empty()) { // those of others are the same
            m_isOneFeed = archive->isOneFeed();
            for (const api::Problem &problem : archive->problems)
                if (problem.severity != api::Severity::Warning)
                    problems.push_back(problem); // its preprocessing is intended
        }
        const bool isLabelled = !archive->labels.empty();
        if (isLabelled) labels.resize(m_count);
        m_archives.push_back({range, m_count});
        m_count += archive->count();
        labels.insert(labels.end(), archive->labels.begin(), archive->labels.end());
        if (!labels.empty()) labels.resize(m_count);
    }
    std::size_t archiveOf(std::size_t sample) const
    {
        const auto after = std::upper_bound(m_archives.begin(), m_archives.end(), sample,
                                            [](std::size_t s, const Archive &archive) { return s < archive.first; });
        return std::size_t(after - m_archives.begin()) - 1;
    }
    /// Open archives are cached: a batch takes one input after the other from the same ones.
    SampleSource &opened(std::size_t index)
    {
        constexpr std::size_t most = 64;
        const auto known = m_opened.find(index);
        if (known != m_opened.end()) return *known->second;
        if (m_opened.size() >= most) m_opened.clear();
        return *m_opened.emplace(index, openArrays(m_output->file(), m_inputs, m_preprocess, m_archives[index].range))
                    .first->second;
    }

    fs::path m_manifest;
    std::vector<DataInput> m_inputs;
    std::string m_preprocess, m_content;
    std::shared_ptr<const ProgramOutput> m_output;
    std::vector<Archive> m_archives;
    std::map<std::size_t, std::unique_ptr<SampleSource>> m_opened;
    std::size_t m_count = 0;
    bool m_isOneFeed = false;
};

} // namespace

std::unique_ptr<SampleSource> openProgram(const fs::path &manifest, const nlohmann::json &document,
                                          const std::vector<DataInput> &inputs, const SourceOptions &options)
{
    try {
        const auto program = document.get<api::DataProgram>();
        if (program.command.empty())
            throw Error(ErrorKind::BadData, QL_TEXT("'command' is empty"))
                .withRemedy(QL_TEXT("Give the program and its arguments: [\"python3\", \"loader.py\"]."));
        if (!(program.seconds > 0)) throw Error(ErrorKind::BadData, QL_TEXT("'seconds' must be above 0"));
        return std::make_unique<ProgramSource>(manifest, program, inputs, options);
    } catch (Error &error) {
        if (error.file.empty()) error.file = manifest.string();
        throw;
    }
}

} // namespace ql
