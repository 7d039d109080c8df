#pragma once

#include "core/analysis/tensor_pairs.h"
#include "core/api/encodings_requests.h"
#include "core/api/methods.h"
#include "core/api/plugins.h"
#include "core/api/requests.h"
#include "core/api/tune_requests.h"
#include "core/api/verify_requests.h"
#include "core/base/job.h"
#include "core/io/dataset.h"
#include "core/serve/server.h"
#include "core/session/cache.h"
#include "core/session/recent_inputs.h"
#include "core/session/run.h"

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>

namespace ql {

struct ExportResult;

/// Receives parts of the answer to a request before it is complete.
struct Outlet
{
    JobContext job;
    std::function<void(const api::RunPart &part)> section;
    std::function<void(const api::TuneStep &step)> step; ///< of a search
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
    /// params: the request of the method. @returns its answer
    /// @throws Error (BadConfig for an unknown method or parameter, BadData if params is not its request), Cancelled
    nlohmann::json answer(const std::string &method, const nlohmann::json &params, const Outlet &outlet);

private:
    struct Handler;
    /// The quantized model of a recipe, for requests after its run.
    struct Kept
    {
        std::string hash;
        QuantModel model;
        api::Recipe recipe;                  ///< complete
        std::vector<api::OutputRow> outputs; ///< of the report; empty until the run has measured them
    };
    using KeptPtr = std::shared_ptr<const Kept>;
    class Quantizing;

    static const std::vector<Handler> &handlers();
    api::Catalogue catalogue(const api::CatalogueRequest &request, const Outlet &outlet);
    api::PlatformChecked checkPlatform(const api::PlatformCheckRequest &request, const Outlet &outlet);
    api::PlatformSaved savePlatform(const api::PlatformSaveRequest &request, const Outlet &outlet);
    api::PlatformRemoved dropPlatform(const api::PlatformRemoveRequest &request, const Outlet &outlet);
    api::Inspection inspect(const api::RecipeRequest &request, const Outlet &outlet);
    api::Preview preview(const api::PreviewRequest &request, const Outlet &outlet);
    api::Distributions distribution(const api::DistributionRequest &request, const Outlet &outlet);
    api::Exported exportFile(const api::ExportRequest &request, const Outlet &outlet);
    api::ExportPreview previewExport(const api::ExportPreviewRequest &request, const Outlet &outlet);
    api::RunAnswer run(const api::RunRequest &request, const Outlet &outlet);
    api::AnalysisAnswer analysis(const api::AnalysisRequest &request, const Outlet &outlet);
    api::PassHistory passes(const api::PassesRequest &request, const Outlet &outlet);
    api::Exported writeReport(const api::ReportRequest &request, const Outlet &outlet);
    api::RuntimeList runtimes(const api::RuntimesRequest &request, const Outlet &outlet);
    api::RuntimeList installRuntime(const api::RuntimeInstallRequest &request, const Outlet &outlet);
    api::VerifyReport verify(const api::VerifyRequest &request, const Outlet &outlet);
    api::TuneReport tune(const api::TuneRequest &request, const Outlet &outlet);
    api::PluginList plugins(const api::PluginsRequest &request, const Outlet &outlet);
    api::ProgramList programs(const api::ProgramsRequest &request, const Outlet &outlet);
    api::Allowed allow(const api::AllowRequest &request, const Outlet &outlet);
    api::EncodingsImported importEncodings(const api::EncodingsImportRequest &request, const Outlet &outlet);

    /// Shared by requests about single operations of one model. Used only by the lane of distributions.
    struct PendingQuestions
    {
        KeptPtr kept;    ///< the others refer to its graph
        std::string key; ///< of the model and the data
        std::shared_ptr<Dataset> data;
        TensorPairCache pairs;
    };
    /// questions: data stays open and activations are cached for the next request; may be null.
    api::Measures analyseKept(const KeptPtr &kept, const api::RecipeRequest &request, const std::string &id,
                              const nlohmann::json &params, const Outlet &outlet,
                              PendingQuestions *questions = nullptr) const;
    /// The cached model of the recipe, otherwise that of a run without analyses. If a run of another lane is quantizing
    /// the same model, this waits for it, which is fastest.
    KeptPtr quantized(const api::RecipeRequest &request, const Outlet &outlet);
    /// Exports the quantized model. problems: what its reader does not accept, and those of the exporter.
    ExportResult exportKept(const api::ExportRequest &request, const std::filesystem::path &file,
                            std::vector<api::Problem> &problems, const Outlet &outlet);
    KeptPtr findKept(const std::string &hash) const; ///< @pre m_mutex is held
    void keep(Kept kept);

    RunOptions optionsOf(const api::RecipeRequest &request);

    std::function<api::Catalogue()> m_catalogue;
    std::unique_ptr<StageCache> m_cache;
    std::filesystem::path m_cacheFolder; ///< empty: there is no cache
    RecentInputs m_recent;
    PendingQuestions m_questions;
    std::mutex m_mutex; ///< of everything below
    std::condition_variable m_changed;
    std::deque<KeptPtr> m_kept; ///< the most recent first
    std::string m_quantizing;   ///< hash of the model that a run is quantizing; empty: none
};

} // namespace ql
