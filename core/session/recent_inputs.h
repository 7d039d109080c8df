#pragma once

#include "core/analysis/graphwise_cache.h"
#include "core/analysis/layerwise_cache.h"
#include "core/pass/calibration_cache.h"
#include "core/pass/rounding_cache.h"
#include "core/session/prepare.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace ql {

/// A model and its data after importStages().
struct PreparedInputs
{
    std::uint64_t number = 0; ///< unique per preparation; from 1
    QuantModel model;
    std::string sha256; ///< of the model's file
    api::ModelFacts modelFacts;
    std::map<VarId, TensorType> outputTypes;
    std::shared_ptr<Dataset> calibration, evaluation;
    std::vector<api::StageRow> stages;
    std::vector<api::PassRow> passes;
    std::vector<api::Problem> problems;
};

/// The imported, formatted and opened inputs of a process's last run or inspection, for the next one: most edits change
/// neither the model nor the data. Samples are cached as fed, so that images are not decoded again. Identified by the
/// recipe, and by size and time of every file that was read. Thread-safe.
class RecentInputs
{
public:
    static constexpr std::int64_t manySamples = std::int64_t(256) << 20, fewSamples = std::int64_t(16) << 20;
    /// most: bytes of prepared samples to keep in the Dataset of an entry; others are read again.
    explicit RecentInputs(std::int64_t most = manySamples) : m_most(most) {}
    /// The same, or less if little memory is free.
    std::int64_t samplesLimit() const;

    /// @returns null if another recipe was prepared last, or one of its files has changed since.
    std::shared_ptr<const PreparedInputs> find(const std::string &key) const;

    using Stamps = std::vector<std::pair<std::filesystem::path, std::string>>;
    /// Taken before the files are read.
    static Stamps stampsOf(const std::vector<std::filesystem::path> &files);
    /// @returns its number
    std::uint64_t keep(std::string key, Stamps stamps, std::shared_ptr<PreparedInputs> inputs);

    /// For one run at a time: others compute without the caches meanwhile.
    std::unique_lock<std::mutex> claimCaches() { return std::unique_lock(m_caches, std::try_to_lock); }
    CalibrationCache calibration;
    RoundingCache rounding;
    GraphwiseCache graphwise;
    LayerwiseCache layerwise;
    struct
    {
        std::string key; ///< of the graph, the data and the tensors
        std::vector<api::RangeRow> rows;
    } channels; ///< of the inputs of depthwise convolutions

private:
    std::int64_t m_most;
    std::mutex m_caches;
    mutable std::mutex m_mutex;
    std::string m_key;
    Stamps m_stamps;
    std::shared_ptr<const PreparedInputs> m_inputs;
    std::uint64_t m_count = 0;
};

} // namespace ql
