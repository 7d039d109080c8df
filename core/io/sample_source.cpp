#include "core/io/sample_source.h"

#include "core/api/data_words.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strings.h"
#include "core/io/array_source.h"
#include "core/io/dataset.h"
#include "core/io/program_source.h"
#include "core/io/random_source.h"

#include <ATen/ops/empty.h>
#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace ql {

namespace fs = std::filesystem;
using nlohmann::json;

static const Text formsHelp = QL_TEXT("Give a .npz or .npy file, a folder of images, .npy, .npz or .bin files, a "
                                      "folder with one subfolder per input, a manifest .json, or random:N.");

static const Text labelsHelp = QL_TEXT("Write a filename and its class number on each line, such as \"cat_01.jpg 3\".");

static std::string ending(const fs::path &file)
{
    return lower(file.extension().string());
}

Text shapeOption(const DataInput &input)
{
    const auto &shape = *input.type.shape;
    std::vector<std::string> sizes;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const std::int64_t example = i == 0 ? 1 : shape.size() != 4 ? 16 : i == 1 ? 3 : 224; // images have four axes
        sizes.push_back(std::to_string(shape[i].size >= 0 ? shape[i].size : example));
    }
    return Text::option("--input-shape " + input.name + "=" + join(sizes, "x"));
}

static bool isDataFile(const fs::path &file)
{
    const std::string end = ending(file);
    return end == ".npy" || end == ".npz" || end == ".bin" || isImageName(file.filename().string());
}

static std::int64_t classOf(std::string_view text, const std::string &file, const std::string &where)
{
    std::int64_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size() || value < 0)
        throw Error(ErrorKind::BadData,
                    QL_TEXT("%1: expected a class index (0, 1, 2 ...), got '%2'").with(where, std::string(text)))
            .inFile(file)
            .withRemedy(labelsHelp);
    return value;
}

namespace {

/// One file (or one file per input) for each sample.
class FileSource final : public SampleSource
{
public:
    /// files[sample][input]; if an entry is a .npz, its arrays are named as the inputs.
    FileSource(std::vector<std::vector<fs::path>> files, std::vector<DataInput> inputs, const std::string &preprocess)
        : m_files(std::move(files)), m_inputs(std::move(inputs)), m_preprocess(preprocess)
    {
        for (const std::vector<fs::path> &sample : m_files)
            for (const fs::path &file : sample)
                if (!isImageName(file.filename().string())) { // reported once, for the first one
                    noteProcessedArrays(*this, preprocess, file.filename().string());
                    return;
                }
    }

    std::size_t count() const override { return m_files.size(); }
    std::string name(std::size_t sample, std::size_t input) const override
    {
        return m_files[sample][input].filename().string();
    }
    std::vector<fs::path> filesOf(const std::vector<std::size_t> &samples) const override
    {
        std::vector<fs::path> files;
        for (const std::size_t sample : samples)
            files.insert(files.end(), m_files[sample].begin(), m_files[sample].end());
        return files;
    }
    bool loadsConcurrently() const override { return true; }

    at::Tensor load(std::size_t sample, std::size_t input) override
    {
        const fs::path &file = m_files[sample][input];
        const DataInput &target = m_inputs[input];
        const bool processed = takesPreprocess(target, m_inputs, m_preprocess);
        const std::string end = ending(file);
        try {
            if (isImageName(file.filename().string()))
                return (processed ? m_preprocess : m_plain)
                    .apply(decodeImage(readFile(file), file.string()), file.string());
            at::Tensor value;
            if (end == ".npy")
                value = readNpy(file);
            else if (end == ".npz")
                value = fromNpz(file, target);
            else
                value = fromRaw(file, target);
            return processed ? m_preprocess.apply(value, file.string()) : value;
        } catch (Error &error) {
            if (error.file.empty()) throw Error(error).inFile(file.string());
            throw;
        }
    }

private:
    static at::Tensor fromNpz(const fs::path &file, const DataInput &input)
    {
        const NpzFile archive(file);
        if (!archive.contains(input.name))
            throw noArray(archive, file, input.name)
                .withRemedy(QL_TEXT("Arrays in the file: %1.").with(Text::list(archive.names())));
        return archive.array(input.name)->all();
    }

    /// Bytes in the type of the input; the batch axis counts as 1.
    static at::Tensor fromRaw(const fs::path &file, const DataInput &input)
    {
        const auto fail = [&](const Text &why) {
            return Error(ErrorKind::BadData, why, {}, input.name).inFile(file.string());
        };
        std::vector<std::int64_t> shape;
        std::int64_t bytes = std::int64_t(c10::elementSize(input.type.dtype));
        if (!input.type.shape) throw fail(QL_TEXT("a .bin file needs an input of known shape, this one is unknown"));
        for (std::size_t i = 1; i < input.type.shape->size(); ++i) {
            const Dim &dim = (*input.type.shape)[i];
            if (dim.size < 0)
                throw fail(
                    QL_TEXT("a .bin file needs an input of known shape, this one is %1").with(toString(input.type)))
                    .withRemedy(QL_TEXT("Fix it with %1, or save .npy files.").with(shapeOption(input)));
            shape.push_back(dim.size);
            bytes *= dim.size;
        }
        const auto reader = openFile(file);
        if (reader->size() != std::uint64_t(bytes))
            throw fail(QL_TEXT("expected %1 bytes (one sample of %2 %3), got %4")
                           .with(bytes, dtypeName(input.type.dtype), toString(input.type), reader->size()))
                .withRemedy(QL_TEXT("Write only the values of one sample, or save .npy files."));
        at::Tensor out = at::empty(shape, at::TensorOptions(input.type.dtype));
        reader->read(0, std::size_t(bytes), static_cast<char *>(out.data_ptr()));
        return out;
    }

    std::vector<std::vector<fs::path>> m_files;
    std::vector<DataInput> m_inputs;
    Preprocess m_preprocess, m_plain;
};

} // namespace

/// Visible files with a sample, in byte order of their names; the names of others are added to ignored.
static std::vector<fs::path> dataFiles(const fs::path &folder, std::vector<std::string> &ignored)
{
    std::vector<fs::path> files;
    for (const fs::directory_entry &entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with('.') || name == "labels.txt" || entry.is_directory()) continue;
        if (isDataFile(entry.path()))
            files.push_back(entry.path());
        else
            ignored.push_back(name);
    }
    std::sort(files.begin(), files.end());
    std::sort(ignored.begin(), ignored.end());
    return files;
}

/// Lines "filename class" (the class is the last word); names that are not samples are ignored.
static std::vector<std::optional<std::int64_t>> readLabels(const fs::path &file, const std::vector<fs::path> &samples)
{
    std::map<std::string, std::int64_t> classes;
    std::size_t number = 0;
    for (const std::string &line : split(readFile(file), '\n')) {
        ++number;
        const std::string text(trim(line));
        if (text.empty() || text[0] == '#') continue;
        const std::size_t space = text.find_last_of(" \t");
        const std::string where = "line " + std::to_string(number);
        if (space == std::string::npos)
            throw Error(ErrorKind::BadData, QL_TEXT("%1: expected \"filename class\", got '%2'").with(where, text))
                .inFile(file.string())
                .withRemedy(labelsHelp);
        classes[std::string(trim(text.substr(0, space)))] = classOf(text.substr(space + 1), file.string(), where);
    }
    std::vector<std::optional<std::int64_t>> out;
    for (const fs::path &sample : samples) {
        const auto at = classes.find(sample.filename().string());
        out.push_back(at == classes.end() ? std::nullopt : std::optional(at->second));
    }
    return out;
}

static std::string folderName(std::string input)
{
    for (char &c : input)
        if (c == '/' || c == ':') c = '_';
    return input;
}

static void noteIgnored(SampleSource &source, const std::vector<std::string> &ignored)
{
    if (ignored.empty()) return;
    std::vector<std::string> first(ignored.begin(),
                                   ignored.begin() + std::ptrdiff_t(std::min<std::size_t>(5, ignored.size())));
    source.problems.push_back(
        {.severity = api::Severity::Info,
         .message = QL_TEXT("%1 files are not samples and were ignored: %2%3")
                        .with(ignored.size(), Text::list(first), (ignored.size() > 5 ? " ..." : ""))});
}

/// Visible subfolders, in order.
static std::vector<std::string> subfolders(const fs::path &folder)
{
    std::vector<std::string> names;
    for (const fs::directory_entry &entry : fs::directory_iterator(folder))
        if (entry.is_directory() && !entry.path().filename().string().starts_with('.'))
            names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

/// The folder has no samples, but subfolders that do not match the inputs.
static Error wrongSubfolders(const fs::path &folder, const std::vector<std::string> &found,
                             const std::vector<DataInput> &inputs)
{
    std::vector<std::string> expected, first = found, missing;
    for (const DataInput &input : inputs) expected.push_back(folderName(input.name));
    for (const std::string &name : expected)
        if (std::find(found.begin(), found.end(), name) == found.end()) missing.push_back(name);
    if (first.size() > 8) {
        first.resize(8);
        first.emplace_back("...");
    }
    return Error(ErrorKind::BadData,
                 Text::sentences({QL_TEXT("the folder holds no samples, only subfolders: %1; expected samples, or one "
                                          "subfolder for each input: %2.")
                                      .with(Text::list(first), Text::list(expected)),
                                  missing.empty() ? Text() : suggestion(missing.front(), found)}))
        .inFile(folder.string())
        .withRemedy(QL_TEXT(
            "Name the subfolders after the inputs (/ and : become _), or put the samples of a single input directly "
            "into the folder; classes come from labels.txt (one filename and class per line), not from subfolders."));
}

static std::unique_ptr<SampleSource> openFolder(const fs::path &folder, const std::vector<DataInput> &inputs,
                                                const std::string &preprocess)
{
    bool perInput = true;
    for (const DataInput &input : inputs) perInput = perInput && fs::is_directory(folder / folderName(input.name));
    std::vector<std::vector<fs::path>> files;
    std::vector<std::string> ignored;
    std::vector<std::optional<std::int64_t>> labels;
    if (perInput) {
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const fs::path sub = folder / folderName(inputs[i].name);
            const auto samples = dataFiles(sub, ignored);
            if (i == 0) files.resize(samples.size());
            if (samples.size() != files.size())
                throw Error(
                    ErrorKind::BadData,
                    QL_TEXT("the folders of the inputs hold different numbers of samples: %1 for '%2', %3 for '%4'")
                        .with(files.size(), inputs[0].name, samples.size(), inputs[i].name),
                    {}, inputs[i].name)
                    .inFile(sub.string())
                    .withRemedy(QL_TEXT("Every sample needs a file in each of the folders; they are matched in the "
                                        "order of their names."));
            for (std::size_t k = 0; k < samples.size(); ++k) files[k].push_back(samples[k]);
            for (const fs::path &place : {sub / "labels.txt", folder / "labels.txt"})
                if (labels.empty() && fs::exists(place)) labels = readLabels(place, samples);
        }
    } else {
        const auto samples = dataFiles(folder, ignored);
        if (fs::exists(folder / "labels.txt")) labels = readLabels(folder / "labels.txt", samples);
        for (const fs::path &sample : samples) {
            if (inputs.size() > 1 && ending(sample) != ".npz")
                throw Error(ErrorKind::BadData,
                            QL_TEXT("the model has %1 inputs (%2), this file can hold only one of them")
                                .with(inputs.size(), Text::list(namesOf(inputs))))
                    .inFile(sample.string())
                    .withRemedy(QL_TEXT("Save .npz files with one array per input, or make one subfolder per input."));
            files.emplace_back(inputs.size(), sample);
        }
    }
    const std::vector<std::string> folders = perInput ? std::vector<std::string>{} : subfolders(folder);
    if (files.empty() && !folders.empty()) throw wrongSubfolders(folder, folders, inputs);
    if (files.empty())
        throw Error(ErrorKind::BadData,
                    QL_TEXT("the folder holds no samples%1")
                        .with(ignored.empty() ? Text() : QL_TEXT(" (found %1)").with(ignored.front())))
            .inFile(folder.string())
            .withRemedy(Text::sentences({formsHelp, QL_TEXT("Images are .jpg, .png, .bmp, .ppm or .pgm.")}));
    auto source = std::make_unique<FileSource>(std::move(files), inputs, preprocess);
    source->labels = std::move(labels);
    noteIgnored(*source, ignored);
    if (!folders.empty())
        source->problems.push_back({.severity = api::Severity::Info,
                                    .message = QL_TEXT("subfolders were ignored: %1").with(Text::list(folders))});
    return source;
}

static Error badManifest(const fs::path &file, const Text &why)
{
    return Error(ErrorKind::BadData, QL_TEXT("manifest: %1").with(why))
        .inFile(file.string())
        .withRemedy(QL_TEXT("The form is {\"samples\": [{\"file\": \"a.png\", \"label\": 3}], \"preprocess\": "
                            "\"...\"}; with several inputs {\"files\": {\"input\": \"a.npy\"}}; for a program that "
                            "writes samples {\"command\": [\"python3\", \"loader.py\"]}."));
}

static void checkKeys(const json &object, const std::vector<std::string> &known, const fs::path &file,
                      const std::string &where)
{
    for (const auto &[key, value] : object.items())
        if (std::find(known.begin(), known.end(), key) == known.end())
            throw badManifest(
                file, Text::sentences({QL_TEXT("%1unknown key '%2'.").with(where, key), suggestion(key, known)}));
}

static std::unique_ptr<SampleSource> openManifest(const fs::path &file, const std::vector<DataInput> &inputs,
                                                  const SourceOptions &options)
{
    json document;
    try {
        document = json::parse(readFile(file));
    } catch (const json::exception &error) {
        throw badManifest(file, QL_TEXT("not JSON: %1").with(error.what()));
    }
    if (document.is_object() && document.contains("command")) return openProgram(file, document, inputs, options);
    if (!document.is_object() || !document.contains("samples") || !document["samples"].is_array())
        throw badManifest(file, QL_TEXT("expected an object with the list 'samples'"));
    checkKeys(document, {"samples", "preprocess"}, file, "");
    const json steps = document.value("preprocess", json(""));
    if (!steps.is_string()) throw badManifest(file, QL_TEXT("'preprocess' must be text"));
    std::vector<std::vector<fs::path>> files;
    std::vector<std::optional<std::int64_t>> labels;
    bool labelled = false;
    for (const json &sample : document["samples"]) {
        const std::string where = "sample " + std::to_string(files.size()) + ": ";
        if (!sample.is_object()) throw badManifest(file, QL_TEXT("%1expected an object").with(where));
        checkKeys(sample, {"file", "files", "label"}, file, where);
        std::vector<fs::path> row;
        for (const DataInput &input : inputs) {
            const bool single = sample.contains("file");
            if (single && sample.contains("files"))
                throw badManifest(file, QL_TEXT("%1'file' or 'files', not both").with(where));
            const json &holder = single ? sample : sample.value("files", json::object());
            const std::string key = single ? "file" : input.name;
            if (holder.is_object() && holder.contains(key) && !holder[key].is_string())
                throw badManifest(
                    file, QL_TEXT("%1expected the path of a file for '%2', got %3")
                              .with(where, key, holder[key].dump(-1, ' ', false, json::error_handler_t::replace)));
            if (!holder.is_object() || !holder.contains(key))
                throw badManifest(file, QL_TEXT("%1no file for input '%2'").with(where, input.name));
            row.push_back(file.parent_path() / holder[key].get<std::string>());
            if (single && inputs.size() > 1 && ending(row.back()) != ".npz")
                throw badManifest(file, QL_TEXT("%1one file for %2 inputs must be a .npz").with(where, inputs.size()));
            if (!isDataFile(row.back()))
                throw badManifest(
                    file, QL_TEXT("%1'%2' is not an image, .npy, .npz or .bin file").with(where, row.back().string()));
            if (!fs::exists(row.back()))
                throw badManifest(file,
                                  Text::sentences({QL_TEXT("%1'%2' does not exist.").with(where, row.back().string()),
                                                   suggestedFile(row.back())}));
        }
        if (sample.contains("label") && (!sample["label"].is_number_integer() || sample["label"] < 0))
            throw badManifest(file, QL_TEXT("%1'label' must be a class index (0, 1, 2 ...)").with(where));
        labelled = labelled || sample.contains("label");
        labels.push_back(sample.contains("label") ? std::optional(sample["label"].get<std::int64_t>()) : std::nullopt);
        files.push_back(std::move(row));
    }
    if (files.empty()) throw badManifest(file, QL_TEXT("'samples' is empty"));
    auto source = std::make_unique<FileSource>(
        std::move(files), inputs, options.preprocess.empty() ? steps.get<std::string>() : options.preprocess);
    if (labelled) source->labels = std::move(labels);
    return source;
}

std::unique_ptr<SampleSource> openSamples(const fs::path &path, const std::vector<DataInput> &inputs,
                                          const SourceOptions &options)
{
    const std::string &preprocess = options.preprocess;
    const bool isRandom = api::isGenerated(path.string());
    std::error_code code;
    const fs::file_status status = fs::status(path, code);
    if (!isRandom && !fs::exists(status))
        throw Error(ErrorKind::Io, Text::sentences({QL_TEXT("the data does not exist."), suggestedFile(path)}))
            .inFile(path.string())
            .withRemedy(formsHelp);
    if (inputs.empty())
        throw Error(ErrorKind::BadData, QL_TEXT("the model has no inputs, so there is nothing to feed"))
            .withRemedy(
                QL_TEXT("Export the model so that the tensors that receive data become graph inputs; values that "
                        "are stored in the model (initialisers) take no data."));
    if (isRandom) return openRandom(path.string(), inputs, options.wanted);
    if (fs::is_directory(status)) return openFolder(path, inputs, preprocess);
    if (isArrayFile(path)) return openArrays(path, inputs, preprocess);
    if (ending(path) == ".json") return openManifest(path, inputs, options);
    if (isImageName(path.filename().string()) && inputs.size() == 1)
        return std::make_unique<FileSource>(std::vector(1, std::vector(1, path)), inputs, preprocess);
    throw Error(ErrorKind::BadData, QL_TEXT("data of this kind is not supported"))
        .inFile(path.string())
        .withRemedy(formsHelp);
}

} // namespace ql
