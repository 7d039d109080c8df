#include "core/io/array_source.h"

#include "core/base/error.h"
#include "core/base/strings.h"

#include <algorithm>
#include <set>

namespace ql {

namespace fs = std::filesystem;

std::vector<std::string> namesOf(const std::vector<DataInput> &inputs)
{
    std::vector<std::string> names;
    for (const DataInput &input : inputs) names.push_back(input.name);
    return names;
}

bool takesPreprocess(const DataInput &input, const std::vector<DataInput> &inputs, const Preprocess &preprocess)
{
    if (inputs.size() == 1) return true;
    if (preprocess.isElementwise()) return c10::isFloatingType(input.type.dtype);
    return !input.type.shape || input.type.shape->size() >= 3;
}

Error noArray(const NpzFile &archive, const fs::path &file, const std::string &input)
{
    return Error(
               ErrorKind::BadData,
               Text::sentences({QL_TEXT("the model reads input '%1', the file has no array of that name.").with(input),
                                suggestion(input, archive.names())}),
               {}, input)
        .inFile(file.string());
}

void noteProcessedArrays(SampleSource &source, const std::string &preprocess, const std::string &name)
{
    if (trim(preprocess).empty()) return;
    source.problems.push_back({.severity = api::Severity::Warning,
                               .message = QL_TEXT("the preprocessing \"%1\" was applied to the arrays of '%2'")
                                              .with(std::string(trim(preprocess)), name),
                               .remedy = QL_TEXT("If they are already the model's inputs, omit the preprocessing.")});
}

namespace {

constexpr std::size_t shownNames = 10;

/// Arrays with samples along the leading axis.
class ArraySource final : public SampleSource
{
public:
    ArraySource(const fs::path &file, const std::vector<DataInput> &inputs, const std::string &preprocess,
                const ByteRange &range)
        : m_file(file), m_preprocess(preprocess)
    {
        if (lower(file.extension().string()) == ".npy")
            openNpy(inputs);
        else
            openNpz(inputs, range);
        // Data for a runtime, whose batch axis is not always the leading one
        m_isOneFeed = trim(preprocess).empty() && isFeedOf(inputs);
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            m_processed.push_back(takesPreprocess(inputs[i], inputs, m_preprocess));
            if (m_arrays[i]->shape().empty() || m_isOneFeed) continue; // a scalar applies to every sample
            const auto samples = std::size_t(m_arrays[i]->shape()[0]);
            if (m_counted && samples != m_count)
                throw Error(ErrorKind::BadData,
                            QL_TEXT("the arrays have different numbers of samples (leading axis): %1 and %2")
                                .with(m_count, samples),
                            {}, inputs[i].name)
                    .inFile(file.string())
                    .withRemedy(QL_TEXT("Give every array the same number of entries along its leading axis, or give "
                                        "one array per input in the shape that the model reads."));
            m_count = samples;
            m_counted = true;
        }
        noteProcessedArrays(*this, preprocess, file.filename().string());
        if (!m_counted) m_count = 1;
        if (m_count == 0)
            throw Error(ErrorKind::BadData, QL_TEXT("the arrays hold no samples"))
                .inFile(file.string())
                .withRemedy(QL_TEXT("Give at least one sample along the leading axis."));
        if (!labels.empty() && labels.size() != m_count)
            throw Error(ErrorKind::BadData, QL_TEXT("there are %1 labels for %2 samples").with(labels.size(), m_count))
                .inFile(file.string())
                .withRemedy(QL_TEXT("Give one label for each sample, or none."));
    }

    std::size_t count() const override { return m_count; }
    at::Tensor load(std::size_t sample, std::size_t input) override
    {
        NpyArray &array = *m_arrays[input];
        try {
            at::Tensor entry = array.shape().empty() || m_isOneFeed ? array.all() : array.entry(std::int64_t(sample));
            return m_processed[input] ? m_preprocess.apply(entry, m_file.string()) : entry;
        } catch (Error &error) {
            throw Error(error).inFile(m_file.string());
        }
    }
    std::string name(std::size_t sample, std::size_t) const override
    {
        return m_file.filename().string() + "[" + std::to_string(sample) + "]";
    }
    std::vector<fs::path> filesOf(const std::vector<std::size_t> &) const override { return {m_file}; }
    bool isOneFile() const override { return true; }
    bool isOneFeed() const override { return m_isOneFeed; }

private:
    /// Arrays in the shapes that the model reads, whose leading axes cannot all be the samples.
    bool isFeedOf(const std::vector<DataInput> &inputs) const
    {
        std::set<std::int64_t> entries, batches;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const auto &shape = m_arrays[i]->shape();
            const auto &declared = inputs[i].type.shape;
            if (!declared || declared->size() != shape.size()) return false;
            for (std::size_t d = 0; d < shape.size(); ++d)
                if ((*declared)[d].size >= 0 && (*declared)[d].size != shape[d]) return false;
            if (shape.empty()) continue;
            entries.insert(shape[0]);
            batches.insert(std::max<std::int64_t>((*declared)[0].size, -1));
        }
        // Leading axes that happen to have the same length belong together only if all of them are the batch
        return entries.size() > 1 || batches.size() > 1;
    }
    void openNpy(const std::vector<DataInput> &inputs)
    {
        if (inputs.size() != 1)
            throw Error(ErrorKind::BadData, QL_TEXT("a .npy file holds one input, the model has %1: %2")
                                                .with(inputs.size(), Text::list(namesOf(inputs))))
                .inFile(m_file.string())
                .withRemedy(QL_TEXT("Save a .npz with one array for each input."));
        try {
            m_arrays.push_back(std::make_unique<NpyArray>(openFile(m_file), "the array"));
        } catch (Error &error) {
            throw Error(error).inFile(m_file.string());
        }
    }
    void openNpz(const std::vector<DataInput> &inputs, const ByteRange &range)
    {
        const NpzFile archive(m_file, range);
        std::set<std::string> used;
        for (const DataInput &input : inputs) {
            std::string name = input.name;
            // With one input and one array there is no ambiguity.
            std::vector<std::string> arrays;
            for (const std::string &n : archive.names())
                if (n != "labels") arrays.push_back(n);
            if (!archive.contains(name) && inputs.size() == 1 && arrays.size() == 1 && arrays[0] == "arr_0")
                name = "arr_0";
            if (!archive.contains(name))
                throw noArray(archive, m_file, input.name)
                    .withRemedy(QL_TEXT("Arrays in the file: %1. Inputs of the model: %2.")
                                    .with(archive.names().empty() ? QL_TEXT("none")
                                                                  : Text::firstOf(archive.names(), shownNames),
                                          Text::list(namesOf(inputs))));
            m_arrays.push_back(archive.array(name));
            used.insert(name);
        }
        std::vector<std::string> ignored;
        for (const std::string &name : archive.names())
            if (name == "labels" && !used.count(name))
                readLabels(archive);
            else if (!used.count(name))
                ignored.push_back(name);
        if (!ignored.empty())
            problems.push_back(
                {.severity = api::Severity::Info,
                 .message = QL_TEXT("arrays that the model does not read are ignored: %1").with(Text::list(ignored))});
    }
    void readLabels(const NpzFile &archive)
    {
        const at::Tensor values = archive.array("labels")->all();
        if (values.dim() != 1 || c10::isFloatingType(values.scalar_type()))
            throw Error(ErrorKind::BadData,
                        QL_TEXT("expected 'labels' to be a list of class indices: one integer per sample"))
                .inFile(m_file.string());
        const at::Tensor classes = values.to(at::kLong);
        for (std::int64_t i = 0; i < classes.numel(); ++i)
            if (const std::int64_t label = classes.data_ptr<std::int64_t>()[i]; label < 0)
                throw Error(ErrorKind::BadData,
                            QL_TEXT("entry %1 of 'labels' must be a class index (0, 1, 2 ...), got %2").with(i, label))
                    .inFile(m_file.string())
                    .withRemedy(QL_TEXT("Omit samples without a class."));
        labels.assign(classes.data_ptr<std::int64_t>(), classes.data_ptr<std::int64_t>() + classes.numel());
    }

    fs::path m_file;
    Preprocess m_preprocess;
    std::vector<std::unique_ptr<NpyArray>> m_arrays;
    std::vector<bool> m_processed;
    std::size_t m_count = 0;
    bool m_counted = false, m_isOneFeed = false;
};

} // namespace

std::unique_ptr<SampleSource> openArrays(const fs::path &file, const std::vector<DataInput> &inputs,
                                         const std::string &preprocess, const ByteRange &range)
{
    return std::make_unique<ArraySource>(file, inputs, preprocess, range);
}

} // namespace ql
