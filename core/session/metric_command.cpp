#include "core/session/metric_command.h"

#include "core/base/child.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strings.h"
#include "core/base/trust.h"
#include "core/io/npz.h"
#include "core/verify/runtime.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace ql {

MetricCommand::MetricCommand(const std::filesystem::path &file) : m_file(std::filesystem::absolute(file))
{
    try {
        m_command = nlohmann::json::parse(readFile(file)).get<api::UserCommand>().command;
    } catch (const nlohmann::json::exception &error) {
        throw Error(ErrorKind::BadConfig, QL_TEXT("not JSON: %1").with(error.what())).inFile(file.string());
    } catch (Error &error) {
        throw error.inFile(file.string());
    }
    if (std::none_of(m_command.begin(), m_command.end(),
                     [](const std::string &word) { return word.find("{outputs}") != std::string::npos; }))
        throw Error(ErrorKind::BadConfig, QL_TEXT("the command must contain %1").with("{outputs}"))
            .inFile(file.string())
            .withRemedy(QL_TEXT("{outputs} becomes the name of the .npz of outputs, {samples} that of a list of the "
                                "samples' names."));
    requirePrograms(file, Text::list(m_command, Text::Join::Space));
}

static std::string withNames(std::string word, const std::filesystem::path &outputs,
                             const std::filesystem::path &samples)
{
    for (const auto &[name, value] :
         {std::pair("{outputs}", outputs.string()), std::pair("{samples}", samples.string())})
        for (std::size_t at = word.find(name); at != std::string::npos; at = word.find(name, at + value.size()))
            word.replace(at, std::string_view(name).size(), value);
    return word;
}

static std::optional<double> lastNumberOf(const std::string &output)
{
    const std::vector<std::string> lines = split(output, '\n');
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
        const std::string_view text = trim(*line);
        double value = 0;
        const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (code == std::errc() && end == text.data() + text.size() && std::isfinite(value)) return value;
    }
    return std::nullopt;
}

double MetricCommand::valueOf(const std::vector<std::pair<std::string, at::Tensor>> &outputs,
                              const std::vector<std::string> &samples, const JobContext &job) const
{
    const ScratchFolder scratch;
    const std::filesystem::path arrays = scratch.path() / "outputs.npz", names = scratch.path() / "samples.txt";
    writeFileAtomically(arrays, [&](std::ostream &stream) { writeNpz(stream, outputs); });
    writeFileAtomically(names, join(samples, "\n") + "\n");
    std::vector<std::string> words;
    for (const std::string &word : m_command) words.push_back(withNames(word, arrays, names));
    const ChildLimits limits;
    const ChildResult result = runChild(words, {}, m_file.parent_path(), scratch.path() / "output.log", limits, job);
    try {
        requireSuccess("the metric command", result, limits);
    } catch (Error &error) {
        throw error.inFile(m_file.string());
    }
    const std::optional<double> value = lastNumberOf(result.output);
    if (!value)
        throw Error(ErrorKind::BadData, QL_TEXT("the metric command printed no number"))
            .inFile(m_file.string())
            .withRemedy(QL_TEXT("It must print the value, such as 0.731, on a separate line."));
    return *value;
}

} // namespace ql
