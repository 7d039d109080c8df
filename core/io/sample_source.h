#pragma once

#include "core/api/params.h"
#include "core/base/job.h"
#include "core/io/preprocess.h"
#include "core/ir/graph.h"

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ql {

/// A graph input, as data sources need it.
struct DataInput
{
    std::string name;
    TensorType type;
    std::optional<std::int64_t> indices = {}; ///< its values are indices below this, as far as the graph shows
};
/// The option that fixes the open sizes of the input, which has a known rank: its own sizes, with examples for open
/// ones ("--input-shape data=1x3x224x224").
Text shapeOption(const DataInput &input);
/// The inputs of a graph.
std::vector<DataInput> dataInputsOf(const Graph &graph);

/// Samples of one of the forms that Dataset opens; one tensor for each input, not yet batched. Not thread-safe.
class SampleSource
{
public:
    virtual ~SampleSource() = default;
    virtual std::size_t count() const = 0;
    /// The sample after preprocessing, in any number type. @throws Error (BadData, Io)
    virtual at::Tensor load(std::size_t sample, std::size_t input) = 0;
    /// "cat.jpg" or "data.npz[3]", for messages.
    virtual std::string name(std::size_t sample, std::size_t input) const = 0;
    /// The files that the selected samples depend on.
    virtual std::vector<std::filesystem::path> filesOf(const std::vector<std::size_t> &samples) const = 0;
    /// All samples are in the same file and identified by their index.
    virtual bool isOneFile() const { return false; }
    /// Its only sample is one complete batch of the model, each array in the shape of its input.
    virtual bool isOneFeed() const { return false; }
    /// Of samples that do not come from files: everything that determines their values.
    virtual std::string content() const { return {}; }
    /// Several threads may load samples, and decoding them is slow enough to be worth reading ahead.
    virtual bool loadsConcurrently() const { return false; }

    std::vector<std::optional<std::int64_t>> labels; ///< one per sample, or empty
    std::vector<api::Problem> problems;              ///< problems found when opening it
};

/// How a source is opened.
struct SourceOptions
{
    std::string preprocess = {};
    std::size_t wanted = 32; ///< number of samples to generate if the path ("random:seed=1") names none; 0: unknown
    bool usesFirst = false;  ///< only the first wanted samples are used: a program need not write more
    JobContext job = {};     ///< cancels a program
};

/// @throws Error (BadData, BadConfig, Io) for a path that has none of the forms, or does not match the inputs' names;
/// Cancelled
std::unique_ptr<SampleSource> openSamples(const std::filesystem::path &path, const std::vector<DataInput> &inputs,
                                          const SourceOptions &options);

} // namespace ql
