#pragma once

#include "core/api/verify.h"
#include "core/session/run.h"
#include "core/verify/runtime.h"

namespace ql {

/// An exported file, and the runtime that runs it.
struct VerifyRequest
{
    std::filesystem::path file;
    std::string runtime; ///< id; empty: the command of the recipe if it has one, otherwise onnxruntime
    nlohmann::json options = nlohmann::json::object(); ///< of the runtime; the rest has defaults
    RuntimePlace place = {};
    double within = 0.9999;
    bool intermediate = true;
};

/// The runtimes in an interpreter (empty: in the usual places), and those installed in the user's cache folder.
RuntimePlace runtimePlace(const std::filesystem::path &python);
/// All of them, each started once.
std::vector<api::RuntimeItem> findRuntimes(const RuntimePlace &place, const JobContext &job);
/// Installs a runtime and starts it. @throws Error (BadConfig) for one that is unknown or cannot be installed; (Io)
api::RuntimeItem installRuntime(const std::string &id, const RuntimePlace &place, const JobContext &job);

/// Quantizes the model of the recipe, runs the file on the recipe's evaluation data and compares both.
/// @throws Error (BadConfig) for an unknown runtime or option, a runtime that is missing or does not run such files, a
/// recipe without data; as verifyFile()
api::VerifyReport verifyExport(const api::Recipe &recipe, const VerifyRequest &request, const RunOptions &options,
                               const JobContext &job);

} // namespace ql
