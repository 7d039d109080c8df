#pragma once

#include "core/quant/quant_plan.h"
#include "core/verify/runtime.h"

#include <map>
#include <string>

namespace ql {

/// What is verified, and how.
struct VerifyInput
{
    const QuantModel &model;
    const BatchSource &data;
    ExecOptions exec;
    const RuntimeEntry &runtime;
    RuntimePlace place;
    nlohmann::json options; ///< of the runtime, complete
    std::filesystem::path file;
    double within = 0.9999;   ///< required share of elements within one step, of every output
    bool intermediate = true; ///< also compares inner tensors, if the file and the runtime allow it
    /// Parameters of the file that are not as the recipe exports them, by name, and how they differ.
    std::map<std::string, Text> changedParameters = {};
};

/// Runs the file in the runtime and compares it with the simulator and with float: outputs first, then the tensors
/// between, and for the first of these that differs for another reason than a tie the cause.
/// @throws Error as RuntimeEntry::run; (BadData) for results that do not have the model's names and shapes; Cancelled
api::VerifyReport verifyFile(const VerifyInput &input, const JobContext &job);

} // namespace ql
