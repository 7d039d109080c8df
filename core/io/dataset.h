#pragma once

#include "core/api/params.h"
#include "core/api/recipe.h"
#include "core/base/fingerprint.h"
#include "core/base/job.h"
#include "core/exec/executor.h"
#include "core/io/image.h"
#include "core/ir/graph.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ql {

/// How to read calibration or evaluation data.
struct DatasetOptions
{
    std::string preprocess;  ///< steps of core/io/preprocess.h; empty: the manifest's, otherwise none
    std::size_t samples = 0; ///< maximum number of samples; 0: all
    api::Sampling sampling = api::Sampling::First;   ///< which ones
    std::uint64_t seed = 0;                          ///< of api::Sampling::Even
    std::int64_t keptBytes = std::int64_t(4) << 20;  ///< of batches kept in memory: the first ones
    std::shared_ptr<Fingerprints> fingerprints = {}; ///< of the files; shared by data sets in the same files
    JobContext job = {};                             ///< cancels a program that writes the data
    bool isDefaultCount = false;                     ///< nobody asked for that many samples
};

/// The options in a recipe.
DatasetOptions datasetOptions(const api::DataRequest &request);

/// A .npz or .npy file: arrays of the graph inputs themselves, leading axis = samples.
bool isArrayFile(const std::filesystem::path &path);
/// The kinds of samples in a folder: arrays, images, raw values.
bool isSampleFile(const std::filesystem::path &path);

/// Data for the inputs of a graph, read when a batch is requested. Opens
///  - a .npz (arrays named as the graph inputs, leading axis = samples; `labels` = class per sample; or a single batch,
///  with
///    arrays in the shapes of their inputs whose leading axes differ) or a .npy (one input);
///  - a folder of images, .npy, .npz or raw .bin files (little-endian, the type and shape of the input), one sample
///    per file, in byte order of their names ("10.png" before "9.png"); labels.txt contains "filename class" lines;
///  - a folder with one subfolder per input ('/' and ':' of the input's name written '_'), matched in name order;
///  - a manifest: {"samples": [{"file": "a.png", "label": 3} or {"files": {"input": "a.npy"}}], "preprocess": "..."},
///    paths relative to it;
///  - a manifest {"command": ["python3", "loader.py"]}: a program that writes .npz archives to its standard output
///    (core/io/program_source.h);
///  - "random:32,seed=1": generated values (core/io/random_source.h).
/// A sample of shape [2:] of the input is one entry of its batch axis: a fixed batch of n takes n samples, an unknown
/// one 1. A sample with the full rank of the input (a state, a scalar) is fed unchanged. Number types are converted to
/// the input's if no value is lost (any to float; integers to integers). The same index gives the same bits.
/// Thread-safe.
class Dataset final : public BatchSource
{
public:
    /// Reads the first sample, so that incompatible data is refused immediately. graph provides names and types of
    /// inputs; it is not stored. @throws Error (BadData, BadConfig, Io) naming file, input, what was expected and what
    /// came
    static std::shared_ptr<Dataset> open(const std::filesystem::path &path, const Graph &graph,
                                         const DatasetOptions &options);
    ~Dataset() override;

    std::size_t size() const override; ///< complete batches
    Feed batch(std::size_t index) const override;
    std::string name(std::size_t index) const override; ///< of its samples: "cat.jpg", "data.npz[3], data.npz[4]"

    /// The sample of every input (except scalars) came in the input's full rank: (1, 3, 224, 224), not (3, 224, 224).
    bool samplesHaveFullRank() const;
    /// The data is one batch, each array in exactly the shape of its input.
    bool isOneFeed() const;
    std::size_t batchSize() const;   ///< samples of a batch
    std::size_t sampleCount() const; ///< size() * batchSize(): used samples
    /// Class of each used sample, in order; empty if the data has no labels.
    const std::vector<std::int64_t> &labels() const;
    /// SHA-256 of everything that determines the batches: bytes of the files, preprocessing, selection of samples. The
    /// files are read in the background; this waits. @throws Error (Io) if one of them cannot be read
    const std::string &contentHash() const;
    /// Of each used sample, in order: equal for samples with the same bytes, wherever their files are. Entries of
    /// arrays are only compared within one file. Waits as contentHash(). @throws Error (Io)
    std::vector<std::string> sampleKeys() const;
    /// Likewise, by what is given to the model: entries of different arrays can be compared. Reads all used samples.
    std::vector<std::string> valueKeys() const;
    /// A used sample as it was read, before preprocessing, at most `side` pixels wide and high: of the first input that
    /// resembles an image. Values that a program writes or that are generated, after it. @returns nothing if none does
    /// or its file cannot be read any more
    std::optional<Image> picture(std::size_t sample, int side) const;
    /// All notes so far: openingProblems() and valueProblems().
    std::vector<api::Problem> problems() const;
    /// An incomplete last batch, ignored files, fewer samples than requested.
    const std::vector<api::Problem> &openingProblems() const;
    /// Problems found in the samples read so far: NaN and infinite values.
    std::vector<api::Problem> valueProblems() const;
    /// How many batches have been read, and are covered by valueProblems().
    std::size_t examinedBatches() const;

    struct Impl;
    explicit Dataset(std::unique_ptr<Impl> impl);

private:
    std::unique_ptr<Impl> m_impl;
};

} // namespace ql
