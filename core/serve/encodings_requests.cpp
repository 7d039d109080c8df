// Requests about scales of other tools.
#include "core/serve/engine.h"
#include "core/session/import_encodings.h"

#include <utility>

namespace ql {

api::EncodingsImported Engine::importEncodings(const api::EncodingsImportRequest &request, const Outlet &outlet)
{
    const std::filesystem::path base = request.base;
    ImportedEncodings imported =
        ql::importEncodings({(base / request.file).lexically_normal().string(),
                             (base / request.recipe.model).lexically_normal().string(), request.platform},
                            outlet.job);
    api::EncodingsImported answer;
    answer.recipe = request.recipe;
    if (answer.recipe.platform != imported.recipe.platform) {
        answer.recipe.platform = imported.recipe.platform;
        answer.recipe.platformParams = nlohmann::json::object();
    }
    answer.recipe.dispatcher = imported.recipe.dispatcher;
    answer.recipe.dispatch = std::move(imported.recipe.dispatch);
    answer.recipe.passes = std::move(imported.recipe.passes);
    answer.recipe.overrides = std::move(imported.recipe.overrides);
    answer.tensors = std::int64_t(imported.tensors);
    answer.matched = std::int64_t(imported.matched);
    answer.problems = std::move(imported.problems);
    return answer;
}

} // namespace ql
