#pragma once

#include "core/api/params.h"
#include "core/base/registry.h"
#include "core/ir/body_names.h"
#include "core/ir/search.h"
#include "core/platform/definition.h"
#include "core/quant/quant_plan.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ql {

/// Platform ids of operations that are not quantized: float32, and shape-or-index arithmetic (on the CPU, in integers).
inline constexpr const char *fp32Platform = "FP32";
inline constexpr const char *soiPlatform = "SOI";

/// Input of a dispatcher.
struct DispatchRequest
{
    std::set<std::string, std::less<>> quantizable; ///< operator types that the platform quantizes
    std::string platform;                           ///< its id

    bool isQuantizable(const Operation &op) const { return quantizable.find(op.type) != quantizable.end(); }
};
DispatchRequest dispatchRequest(const PlatformDefinition &definition);

using Dispatch = std::map<OpId, DispatchEntry>;

/// A way to assign the operations of a graph to the platform, float32 and shape-or-index; one file each. run decides
/// for every operation; the graph is acyclic.
struct DispatcherEntry
{
    static constexpr const char *kindName = "dispatcher";
    api::CatalogueItem info;
    std::function<Dispatch(const GraphSearch &search, const DispatchRequest &request)> run;
};
using DispatcherRegistrar = Registrar<DispatcherEntry>;

/// Case-insensitive; "aggresive" is accepted for "aggressive". @throws Error (BadConfig) for an unknown name.
const DispatcherEntry &dispatcherNamed(const std::string &name);

/// Where every operation goes and why. dispatcher: see dispatcherNamed.
/// What the dispatcher sends to the platform although its type is not quantizable ends as FP32 with that reason.
/// @throws Error (BadConfig) for an unknown dispatcher.
Dispatch dispatch(const Graph &graph, const std::string &dispatcher, const DispatchRequest &request);
/// Ids of all dispatchers with title and meaning.
std::vector<api::CatalogueItem> dispatcherCatalogue();

/// The manual table, rules of a recipe's "dispatch": operations whose name matches the shell pattern (empty: all) and
/// whose type is listed (empty: all) go to a platform: FP32, SOI, or the id of a known one, which then quantizes them
/// whatever their type. Later rules win. One that matches nothing is reported as a warning that names near operations.
/// find: the platforms that are known. names: of the body that graph is. @throws Error (BadConfig) for another
/// platform.
void applyDispatchOverrides(Dispatch &dispatch, const Graph &graph, const std::vector<api::Rule> &rules,
                            const std::function<void(api::Problem)> &report, const PlatformLookup &find = findPlatform,
                            const OperationNames &names = {});

} // namespace ql
