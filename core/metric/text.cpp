// Error rates of a text recognizer. Labels: a text file with a line per sample, its name, a space or tab, and its text;
// or a folder of text files with the names of the samples.
#include "core/base/edit_distance.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strings.h"
#include "core/metric/metric.h"

#include <ATen/ops/argmax.h>
#include <algorithm>
#include <sstream>

namespace ql {

namespace {

namespace fs = std::filesystem;

struct TextLabels
{
    std::map<std::string, std::string> texts; ///< by stem
    std::vector<std::string> characters;      ///< by index of the output, without the blank
    std::int64_t blank = 0;
};

std::vector<std::string> linesOf(const fs::path &file)
{
    std::istringstream stream(readFile(file));
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        lines.push_back(std::move(line));
    }
    return lines;
}

/// Characters of UTF-8.
std::vector<std::string> charactersOf(const std::string &text)
{
    std::vector<std::string> characters;
    for (const char byte : text) {
        const bool continues = (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
        if (continues && !characters.empty())
            characters.back() += byte;
        else
            characters.emplace_back(1, byte);
    }
    return characters;
}

std::vector<std::string> wordsOf(const std::string &text)
{
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

class TextMetric final : public OutputMetric
{
public:
    TextMetric(std::shared_ptr<const TextLabels> labels, bool ofWords) : m_labels(std::move(labels)), m_ofWords(ofWords)
    {}

    void add(const std::vector<at::Tensor> &outputs, const Feed &, const std::vector<std::string> &names) override
    {
        at::Tensor output = outputs.at(0);
        const bool isScores = at::isFloatingType(output.scalar_type());
        const auto samples = std::int64_t(names.size());
        if (isScores && output.dim() == 3 && output.size(0) != samples && output.size(1) == samples)
            output = output.transpose(0, 1); // [steps, samples, characters], as many recurrent networks have it
        if (output.dim() != (isScores ? 3 : 2) || output.size(0) != samples)
            throw Error(ErrorKind::BadData,
                        QL_TEXT("the first output must have scores [samples, steps, characters], or indices"));
        const at::Tensor best = (isScores ? at::argmax(output, 2) : output.to(at::kLong)).contiguous();
        for (std::size_t i = 0; i < names.size(); ++i) {
            const auto text = m_labels->texts.find(stemOf(names[i]));
            if (text == m_labels->texts.end()) continue;
            const std::string got =
                decoded(best.data_ptr<std::int64_t>() + std::int64_t(i) * best.size(1), best.size(1));
            const auto parts = [&](const std::string &s) { return m_ofWords ? wordsOf(s) : charactersOf(s); };
            const std::vector<std::string> wanted = parts(text->second);
            m_wrong += std::int64_t(editDistance(wanted, parts(got)));
            m_length += std::int64_t(wanted.size());
            ++m_samples;
        }
    }
    std::optional<double> value() const override
    {
        return m_length > 0 ? std::optional(double(m_wrong) / double(m_length)) : std::nullopt;
    }
    std::int64_t samples() const override { return m_samples; }

private:
    /// Without repetitions and blanks. (Graves et al., "Connectionist Temporal Classification", section 3.2)
    std::string decoded(const std::int64_t *steps, std::int64_t count) const
    {
        std::string text;
        for (std::int64_t t = 0; t < count; ++t) {
            if (steps[t] == m_labels->blank || (t > 0 && steps[t] == steps[t - 1])) continue;
            const std::int64_t index = steps[t] - (steps[t] > m_labels->blank ? 1 : 0);
            if (index >= 0 && index < std::int64_t(m_labels->characters.size()))
                text += m_labels->characters[std::size_t(index)];
        }
        return text;
    }

    std::shared_ptr<const TextLabels> m_labels;
    bool m_ofWords;
    std::int64_t m_wrong = 0, m_length = 0, m_samples = 0;
};

std::function<std::unique_ptr<OutputMetric>()> openTexts(const MetricInput &input, bool ofWords)
{
    auto labels = std::make_shared<TextLabels>();
    if (fs::is_directory(input.labels)) {
        for (const fs::directory_entry &entry : fs::directory_iterator(input.labels))
            if (entry.path().extension() == ".txt")
                labels->texts[entry.path().stem().string()] = std::string(trim(readFile(entry.path())));
    } else {
        for (const std::string &line : linesOf(input.labels)) {
            const bool hasTab = line.find('\t') != std::string::npos; // so that names may have spaces
            const std::size_t space = line.find_first_of(hasTab ? "\t" : " ");
            if (space != std::string::npos)
                labels->texts[stemOf(line.substr(0, space))] = std::string(trim(line.substr(space + 1)));
        }
    }
    if (labels->texts.empty())
        throw Error(ErrorKind::BadData, QL_TEXT("there are no labels in it")).inFile(input.labels.string());
    const auto characters = input.params.at("characters").get<std::string>();
    const fs::path folder = fs::is_directory(input.labels) ? input.labels : input.labels.parent_path();
    if (characters.empty())
        throw Error(ErrorKind::BadConfig, QL_TEXT("the metric needs the characters of the model"))
            .withRemedy(QL_TEXT("Set the parameter characters to a text file with one character per line, in the order "
                                "of the outputs."));
    labels->characters = linesOf(folder / characters);
    labels->blank = input.params.at("blank");
    return [labels, ofWords] { return std::make_unique<TextMetric>(labels, ofWords); };
}

MetricEntry textEntry(const char *id, const Text &title, const Text &meaning, bool ofWords)
{
    MetricEntry entry;
    entry.info = {
        .id = id,
        .title = title,
        .meaning = meaning,
        .params = {
            {.name = "characters",
             .type = "string",
             .fallback = "",
             .meaning = QL_TEXT("Text file with one character per line, in the order of the outputs, "
                                "without the blank; relative to the labels.")},
            {.name = "blank", .type = "int", .fallback = 0, .meaning = QL_TEXT("Index of the blank."), .min = 0}}};
    entry.isLoss = true;
    entry.range = {0, std::numeric_limits<double>::infinity()}; // of more characters than the label has
    entry.classAxis = lastAxisOf;
    entry.open = [ofWords](const MetricInput &input) { return openTexts(input, ofWords); };
    return entry;
}

const MetricRegistrar cerRegistrar{
    "cer", textEntry("cer", QL_TEXT("Character error rate"),
                     QL_TEXT("Wrong, missing and added characters of recognized text, as a share "
                             "of those in the labels. Labels: lines of name and text."),
                     false)};
const MetricRegistrar werRegistrar{"wer",
                                   textEntry("wer", QL_TEXT("Word error rate"),
                                             QL_TEXT("Wrong, missing and added words of recognized text, as a share of "
                                                     "those in the labels. Labels: lines of name and text."),
                                             true)};

} // namespace

} // namespace ql
