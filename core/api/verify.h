#pragma once

#include "core/api/json_pair.h"
#include "core/api/params.h"

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

/// The result of running an exported file in a real runtime and comparing it with the simulator.
namespace ql::api {

/// A runtime in the catalogue, and what was found on this machine.
struct RuntimeItem : CatalogueItem
{
    std::vector<std::string> extensions = {}; ///< endings of the files that it runs (".onnx")
    std::vector<std::string> packages = {};   ///< what `runtimes install` installs; empty: cannot be installed
    bool found = false;
    std::string version = {}, place = {};          ///< if found: the interpreter or program
    std::map<std::string, std::string> facts = {}; ///< what affects numbers ("instructions": "avx2 vnni")
    Text missing = {};                             ///< if not: why
    bool limitReached = false; ///< if not: it may only have been too slow for the time limit; not in JSON
};

/// All of them, as listed.
struct RuntimeList
{
    std::vector<RuntimeItem> runtimes;
};

/// A program of the user in place of a runtime. {model}, {in} and {out} in its arguments are replaced.
struct UserCommand
{
    std::vector<std::string> command;
};

/// What a driver is asked to do: paths of files, and what they contain. Without a model it only replies.
struct RuntimeJob
{
    std::string runtime, model, feeds, results, reply;
    std::vector<std::string> outputs; ///< empty: those of the model
    std::size_t batches = 0;
    nlohmann::json options = nlohmann::json::object();
};

/// What a runtime says about itself, in the file that its driver writes.
struct RuntimeReply
{
    std::string version = {};
    std::map<std::string, std::string> facts = {};
    std::vector<std::string> outputs = {}; ///< of the model
};

/// The runtime that ran the file.
struct RuntimeUsed
{
    std::string id, version;
    nlohmann::json options = nlohmann::json::object();
    std::map<std::string, std::string> facts = {};
};

/// One operation recomputed by the simulator from the runtime's own inputs, so that differences upstream do not count.
struct LocalAgreement
{
    std::int64_t differing = 0; ///< elements
    std::int64_t ties = 0;      ///< those one step apart whose value before rounding is on the border of two codes
    double worstSteps = 0;
};

/// A tensor in the runtime, the simulator and float.
struct TensorAgreement
{
    std::string name, op; ///< op: its producer
    std::int64_t elements = 0;
    double equal = 0;         ///< share of elements
    double withinOneStep = 0; ///< likewise; for a tensor without a step, within the tolerance
    std::optional<double> sqnrRuntimeSimulator, sqnrRuntimeFloat, sqnrSimulatorFloat; ///< dB; unset: exact or undefined
    std::optional<double> worstSteps = {}; ///< largest difference; unset without a step
    std::optional<double> step = {};       ///< the tensor's scale, the largest of all channels; unset: not quantized
    std::optional<double> tolerance = {};  ///< without a step: part of the largest magnitude
    std::optional<LocalAgreement> local = {};
};

/// The closed list of causes.
namespace cause {
inline constexpr const char *tie = "tie on a code border", *encoding = "encoding missing or ignored",
                            *changedFile = "constants of the file changed", *rounding = "other rounding",
                            *fused = "fused or moved operation", *layout = "layout or resize rule",
                            *saturation = "saturating sums", *floatKernel = "float kernel", *unknown = "unknown";
} // namespace cause

struct FirstDivergence
{
    std::string op, tensor, cause;
    Text evidence; ///< as measured
};

struct VerifyReport
{
    RuntimeUsed runtime;
    std::string file;
    std::int64_t samples = 0;
    double within = 0; ///< required share of elements within one step, of every output
    bool good = false;
    std::vector<TensorAgreement> outputs, tensors; ///< tensors: in execution order
    std::optional<FirstDivergence> firstDivergence = {};
    std::string how = {}; ///< "intermediate outputs", "cuts"; empty: outputs only
    std::vector<Text> notes = {};
    double seconds = 0;
};

QL_HAS_JSON(RuntimeItem)
QL_HAS_JSON(RuntimeList)
QL_HAS_JSON(UserCommand)
QL_HAS_JSON(RuntimeJob)
QL_HAS_JSON(RuntimeReply)
QL_HAS_JSON(TensorAgreement)
QL_HAS_JSON(VerifyReport)

} // namespace ql::api
