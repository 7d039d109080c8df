#pragma once

#include "core/api/methods.h"
#include "core/api/requests.h"
#include "core/api/verify.h"

/// The requests of a window about exported files in their runtimes.
namespace ql::api {

/// Which runtimes this machine has.
struct RuntimesRequest
{
    std::string python; ///< an interpreter to search; empty: the usual places
};

/// Installs a runtime into the user's cache folder, then lists all.
struct RuntimeInstallRequest
{
    std::string id;
};

/// The recipe is the one that the file was exported from.
struct VerifyRequest : RecipeRequest
{
    std::string file;
    std::string runtime; ///< id; empty: the command of the recipe if it has one, otherwise onnxruntime
    nlohmann::json options = nlohmann::json::object(); ///< of the runtime; the rest has defaults
    std::string python;                                ///< see RuntimesRequest
    std::string command;                               ///< JSON file of the user's command
    bool allowCommands = false;
    bool intermediate = true; ///< also compares inner tensors
};

namespace method {

/// Starts each runtime once: seconds.
inline constexpr MethodOf<RuntimesRequest, RuntimeList> runtimes{{"runtimes", Lane::Short}};
inline constexpr MethodOf<RuntimeInstallRequest, RuntimeList> runtimeInstall{{"runtime_install", Lane::Long}};
/// Runs an exported file and compares it with the simulator and with float.
inline constexpr MethodOf<VerifyRequest, VerifyReport> verify{{"verify", Lane::Long}};

} // namespace method

QL_HAS_JSON(RuntimesRequest)
QL_HAS_JSON(RuntimeInstallRequest)
QL_HAS_JSON(VerifyRequest)

} // namespace ql::api
