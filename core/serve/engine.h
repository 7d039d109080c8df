#pragma once

#include "core/analysis/tensor_pairs.h"
#include "core/api/methods.h"
#include "core/base/job.h"
#include "core/io/dataset.h"
#include "core/serve/server.h"
#include "core/session/cache.h"
#include "core/session/recent_inputs.h"
#include "core/session/run.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>

namespace ql {

/// Receives parts of the answer to a request before it is complete.
struct Outlet
{
    JobContext job;
    std::function<void(const std::string &name, const nlohmann::json &data)> section;
};

/// Answers requests (core/api/methods.h) without the transport. answer() may be called from one thread per lane at the
/// same time.
class Engine
{
public:
    /// @param note receives the reason if a cache cannot be used
    Engine(const ServeOptions &options, std::function<void(const Text &)> note);

    /// The lane of a method; an unknown one fails quickly.
    static api::Lane laneOf(const std::string &method);
    static std::vector<std::string> methods();
    /// @throws Error (BadConfig for an unknown method or parameter), Cancelled
    nlohmann::json answer(const std::string &method, const nlohmann::json &params, const Outlet &outlet);

private:
    struct Request;
    struct Handler;
    /// The quantized model of a recipe, for requests after its run.
    struct Kept
    {
        std::string hash;
        QuantModel model;
        api::Recipe recipe;                               ///< complete
        nlohmann::json outputs = nlohmann::json::array(); ///< of the report; empty until the run has measured them
    };
    using KeptPtr = std::shared_ptr<const Kept>;
    class Quantizing;

    static const std::vector<Handler> &handlers();
    Request read(const nlohmann::json &params) const;
    nlohmann::json catalogue(const nlohmann::json &params, const Outlet &outlet);
    nlohmann::json checkPlatform(const nlohmann::json &params, const Outlet &outlet);
    nlohmann::json savePlatform(const nlohmann::json &params, const Outlet &outlet);
    nlohmann::json dropPlatform(const nlohmann::json &params, const Outlet &outlet);
    nlohmann::json inspect(const nlohmann::json &params, const Outlet &outlet);
    nlohmann::json preview(const nlohmann::json &params, const Outlet &outlet);
    nlohmann::json distribution(const nlohmann::json &params, const Outlet &outlet);
    nlohmann::json exportFile(const nlohmann::json &params, const Outlet &outlet);
    nlohmann::json previewExport(const nlohmann::json &params, const Outlet &outlet);
    nlohmann::json run(const nlohmann::json &params, const Outlet &outlet);
    nlohmann::json analysis(const nlohmann::json &params, const Outlet &outlet);
    nlohmann::json passes(const nlohmann::json &params, const Outlet &outlet);
    nlohmann::json writeReport(const nlohmann::json &params, const Outlet &outlet);

    nlohmann::json runGoal(const Request &request, const std::string &goal, const Outlet &outlet);
    /// Shared by requests about single operations of one model. Used only by the lane of distributions.
    struct Questions
    {
        KeptPtr kept;    ///< the others refer to its graph
        std::string key; ///< of the model and the data
        std::shared_ptr<Dataset> data;
        TensorPairCache pairs;
    };
    /// questions: data stays open and activations are cached for the next request; may be null.
    nlohmann::json analyseKept(const KeptPtr &kept, const Request &request, const std::string &id,
                               const nlohmann::json &params, const Outlet &outlet,
                               Questions *questions = nullptr) const;
    /// The cached model of the recipe, otherwise that of a run without analyses. If a run of another lane is quantizing
    /// the same model, this waits for it, which is fastest.
    KeptPtr quantized(const Request &request, const Outlet &outlet);
    KeptPtr findKept(const std::string &hash) const; ///< @pre m_mutex is held
    void keep(Kept kept);

    std::function<api::Catalogue()> m_catalogue;
    std::unique_ptr<StageCache> m_cache;
    RecentInputs m_recent;
    Questions m_questions;
    std::mutex m_mutex; ///< of everything below
    std::condition_variable m_changed;
    std::deque<KeptPtr> m_kept; ///< the most recent first
    std::string m_quantizing;   ///< hash of the model that a run is quantizing; empty: none
};

} // namespace ql
