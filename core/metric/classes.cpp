// How often the right class is among the k best. Labels: a text file with a line per sample: its name and its class.
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strings.h"
#include "core/metric/metric.h"

#include <charconv>
#include <sstream>

namespace ql {

namespace {

struct ClassLabels
{
    std::string file;
    std::map<std::string, std::int64_t> classes; ///< by stem
};

class ClassMetric final : public OutputMetric
{
public:
    ClassMetric(std::shared_ptr<const ClassLabels> labels, std::int64_t best)
        : m_labels(std::move(labels)), m_best(best)
    {}

    void add(const std::vector<at::Tensor> &outputs, const Feed &, const std::vector<std::string> &names) override
    {
        const at::Tensor scores = outputs.at(0).to(at::kFloat).reshape({std::int64_t(names.size()), -1}).contiguous();
        const std::int64_t classes = scores.size(1);
        if (m_best > classes)
            throw Error(ErrorKind::BadConfig,
                        QL_TEXT("k is %1, but the output has only %2 classes").with(m_best, classes))
                .withRemedy(QL_TEXT("Choose a smaller k."));
        for (std::size_t i = 0; i < names.size(); ++i) {
            const auto label = m_labels->classes.find(stemOf(names[i]));
            if (label == m_labels->classes.end()) continue;
            if (label->second < 0 || label->second >= classes)
                throw Error(ErrorKind::BadData,
                            QL_TEXT("there is a label %1, the output has %2 entries").with(label->second, classes))
                    .inFile(m_labels->file);
            const float *const row = scores.data_ptr<float>() + std::int64_t(i) * classes;
            std::int64_t better = 0;
            for (std::int64_t c = 0; c < classes; ++c)
                better += row[c] > row[label->second] || (row[c] == row[label->second] && c < label->second);
            m_right += better < m_best;
            ++m_samples;
        }
    }
    std::optional<double> value() const override
    {
        return m_samples > 0 ? std::optional(double(m_right) / double(m_samples)) : std::nullopt;
    }
    std::int64_t samples() const override { return m_samples; }

private:
    std::shared_ptr<const ClassLabels> m_labels;
    std::int64_t m_best, m_right = 0, m_samples = 0;
};

/// That with all entries of a sample.
std::int64_t axisOfClassScores(const at::Tensor &output, const ImageSize &)
{
    for (std::int64_t axis = 1; axis < output.dim(); ++axis)
        if (output.size(axis) * output.size(0) == output.numel()) return axis;
    return -1;
}

std::function<std::unique_ptr<OutputMetric>()> openClasses(const MetricInput &input)
{
    auto labels = std::make_shared<ClassLabels>();
    labels->file = input.labels.string();
    std::istringstream lines(readFile(input.labels));
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        const std::string text(trim(line));
        if (text.empty()) continue;
        const std::size_t space = text.find_last_of(" \t");
        const std::string word = space == std::string::npos ? text : text.substr(space + 1);
        std::int64_t label = 0;
        const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), label);
        if (space == std::string::npos || code != std::errc() || end != word.data() + word.size())
            throw Error(
                ErrorKind::BadData,
                QL_TEXT("line %1: expected a file name and the number of its class, got '%2'").with(number, text))
                .inFile(labels->file)
                .withRemedy(QL_TEXT("Replace names of classes by their indices in the output, which count from 0."));
        const std::string name = stemOf(std::string(trim(text.substr(0, space))));
        if (const auto [known, isNew] = labels->classes.emplace(name, label); !isNew && known->second != label)
            throw Error(ErrorKind::BadData, QL_TEXT("line %1: '%2' has class %3 and, in a line before it, %4")
                                                .with(number, name, label, known->second))
                .inFile(labels->file)
                .withRemedy(QL_TEXT("Give samples different file names: folders and extensions do not count."));
    }
    if (labels->classes.empty())
        throw Error(ErrorKind::BadData, QL_TEXT("there are no labels in it")).inFile(labels->file);
    const std::int64_t best = input.params.at("k");
    return [labels, best] { return std::make_unique<ClassMetric>(labels, best); };
}

const MetricRegistrar topkRegistrar{
    "topk",
    {.info = {.id = "topk",
              .title = QL_TEXT("Top-k accuracy"),
              .meaning = QL_TEXT("Share of samples whose class is among the k best of the first output. Labels: lines "
                                 "of file name and class."),
              .params = {{.name = "k",
                          .type = "int",
                          .fallback = 5,
                          .meaning = QL_TEXT("How many of the best classes count."),
                          .min = 1}}},
     .open = openClasses,
     .classAxis = axisOfClassScores}};

} // namespace

} // namespace ql
