#pragma once

#include "core/analysis/graphwise_cache.h"
#include "core/analysis/layerwise_cache.h"
#include "core/pass/calibration_cache.h"
#include "core/session/prepare.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace ql {

/// A model and its data as importStages() leaves them.
struct PreparedInputs
{
    std::uint64_t number = 0; ///< another one for each that is prepared; from 1
    QuantModel model;
    std::string sha256; ///< of the model's file
    nlohmann::json modelFacts;
    std::map<VarId, TensorType> outputTypes;
    std::shared_ptr<Dataset> calibration, evaluation;
    std::vector<StageRecord> stages;
    nlohmann::json passes;
    std::vector<api::Problem> problems;
};

/// What the last run or inspection of a process imported, formatted and opened, for the next one: most edits change
/// neither the model nor the data. Its samples are kept as they are fed, so that pictures are not decoded again. It is
/// known by what the recipe says, and by size and time of every file that was read. Thread-safe.
class RecentInputs
{
public:
    /// Bytes of prepared samples that a Dataset of a kept entry may hold.
    static std::int64_t samplesLimit();

    /// @returns null when another recipe was prepared last, or one of its files changed since.
    std::shared_ptr<const PreparedInputs> find(const std::string &key) const;

    using Stamps = std::vector<std::pair<std::filesystem::path, std::string>>;
    /// Taken before the files are read.
    static Stamps stampsOf(const std::vector<std::filesystem::path> &files);
    /// @returns its number
    std::uint64_t keep(std::string key, Stamps stamps, std::shared_ptr<PreparedInputs> inputs);

    /// For one run at a time: whoever claims them while another run has them computes without.
    std::unique_lock<std::mutex> claimCaches() { return std::unique_lock(m_caches, std::try_to_lock); }
    CalibrationCache calibration;
    GraphwiseCache graphwise;
    LayerwiseCache layerwise;

private:
    std::mutex m_caches;
    mutable std::mutex m_mutex;
    std::string m_key;
    Stamps m_stamps;
    std::shared_ptr<const PreparedInputs> m_inputs;
    std::uint64_t m_count = 0;
};

} // namespace ql
