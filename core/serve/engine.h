#pragma once

#include "core/base/job.h"
#include "core/serve/server.h"
#include "core/session/cache.h"
#include "core/session/recent_inputs.h"
#include "core/session/run.h"

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

namespace ql {

/// Where the answer to one request goes before it is complete.
struct Outlet
{
    JobContext job;
    std::function<void(const std::string &name, const nlohmann::json &data)> section;
};

/// The methods of serve() without the transport. answer() may be called from one thread for quick methods and from
/// another one for the rest.
class Engine
{
public:
    /// @param note told about a cache that cannot be used
    Engine(const ServeOptions &options, std::function<void(const std::string &)> note);

    static bool isQuick(const std::string &method);
    /// @throws Error (BadConfig for an unknown method or parameter), Cancelled
    nlohmann::json answer(const std::string &method, const nlohmann::json &params, const Outlet &outlet);

private:
    struct Request;
    /// The quantized model of a recipe, for questions that come after its run.
    struct Kept
    {
        std::string hash;
        RunResult result;
        std::filesystem::path base;
    };

    Request read(const nlohmann::json &params) const;
    nlohmann::json inspect(const Request &request, const Outlet &outlet);
    nlohmann::json run(const Request &request, const std::string &goal, const Outlet &outlet);
    nlohmann::json distribution(const Request &request, const std::string &op, const Outlet &outlet);
    nlohmann::json analysis(const Request &request, const std::string &id, const nlohmann::json &params,
                            const Outlet &outlet);
    nlohmann::json exportFile(const Request &request, const nlohmann::json &params, const Outlet &outlet);
    nlohmann::json previewExport(const Request &request, const nlohmann::json &params, const Outlet &outlet);
    nlohmann::json writeReport(const Request &request, const std::string &path, const Outlet &outlet);
    nlohmann::json passes(const Request &request, const Outlet &outlet);
    nlohmann::json preview(const Request &request, const nlohmann::json &params, const Outlet &outlet);
    /// The kept model when it belongs to the recipe, else that of a run without analyses.
    const Kept &quantized(const Request &request, const Outlet &outlet);

    std::function<nlohmann::json()> m_catalogue;
    std::unique_ptr<StageCache> m_cache;
    RecentInputs m_recent;
    std::unique_ptr<Kept> m_kept;
};

} // namespace ql
