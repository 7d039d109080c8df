#include "core/metric/command.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/scratch_folder.h"
#include "core/base/strings.h"
#include "core/io/npz.h"

#include <charconv>
#include <cmath>
#include <optional>

namespace ql {

MetricCommand::MetricCommand(const std::filesystem::path &file, bool isAllowed)
    : m_command(file, {"{outputs}"},
                QL_TEXT("{outputs} becomes the name of the .npz of outputs, {samples} that of a list of the "
                        "samples' names."))
{
    m_command.requireConsent(isAllowed);
}

/// The last line that is a number, which may be infinite or undefined.
static std::optional<double> lastNumberOf(const std::string &output)
{
    const std::vector<std::string> lines = split(output, '\n');
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
        const std::string_view text = trim(*line);
        double value = 0;
        const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (code == std::errc() && end == text.data() + text.size()) return value;
    }
    return std::nullopt;
}

double MetricCommand::valueOf(const std::vector<std::pair<std::string, at::Tensor>> &outputs,
                              const std::vector<std::string> &samples, double seconds, const JobContext &job) const
{
    const ScratchFolder scratch;
    const std::filesystem::path arrays = scratch.path() / "outputs.npz", names = scratch.path() / "samples.txt";
    writeFileAtomically(arrays, [&](std::ostream &stream) { writeNpz(stream, outputs); });
    writeFileAtomically(names, join(samples, "\n") + "\n");
    ChildResult result;
    try {
        result = m_command.run({{"{outputs}", arrays}, {"{samples}", names}}, scratch.path() / "output.log",
                               QL_TEXT("the metric command"), {.seconds = seconds}, job);
    } catch (Error &error) {
        error.remedy = QL_TEXT("Start the program by hand: it reads a .npz of outputs and prints a number.");
        throw error.inFile(m_command.file().string());
    }
    const std::optional<double> value = lastNumberOf(result.output);
    if (!value || !std::isfinite(*value)) // not an earlier number, such as a count
        throw Error(ErrorKind::BadData, value ? QL_TEXT("the metric command printed %1").with(Text::number(*value))
                                              : QL_TEXT("the metric command printed no number"))
            .inFile(m_command.file().string())
            .withRemedy(QL_TEXT("It must print the value, such as 0.731, on a separate line."));
    return *value;
}

} // namespace ql
