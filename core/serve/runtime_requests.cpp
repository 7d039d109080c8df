// Requests about exported files in their runtimes.
#include "core/serve/engine.h"
#include "core/session/verify.h"

namespace ql {

api::RuntimeList Engine::runtimes(const api::RuntimesRequest &request, const Outlet &outlet)
{
    return {findRuntimes(runtimePlace(request.python), outlet.job)};
}

api::RuntimeList Engine::installRuntime(const api::RuntimeInstallRequest &request, const Outlet &outlet)
{
    const RuntimePlace place = runtimePlace({});
    ql::installRuntime(request.id, place, outlet.job.part(0, 0.9));
    return {findRuntimes(place, outlet.job.part(0.9, 1))};
}

api::VerifyReport Engine::verify(const api::VerifyRequest &request, const Outlet &outlet)
{
    const std::filesystem::path base = request.base;
    VerifyRequest wanted;
    wanted.file = (base / request.file).lexically_normal();
    wanted.runtime = request.runtime;
    wanted.options = request.options;
    wanted.place = runtimePlace(request.python);
    if (!request.command.empty()) wanted.place.command = (base / request.command).lexically_normal();
    wanted.place.allowCommands = request.allowCommands;
    wanted.intermediate = request.intermediate;
    return verifyExport(request.recipe, wanted, optionsOf(request), outlet.job);
}

} // namespace ql
