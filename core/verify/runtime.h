#pragma once

#include "core/api/verify.h"
#include "core/base/child.h"
#include "core/base/job.h"
#include "core/base/registry.h"
#include "core/base/scratch_folder.h"
#include "core/exec/executor.h"
#include "core/io/npz.h"

#include <ATen/core/Tensor.h>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ql {

/// Where a runtime is searched, and what its processes may use.
struct RuntimePlace
{
    std::filesystem::path python;        ///< an interpreter that has it; empty: QUANTLOUPE_PYTHON, the cache, PATH
    std::filesystem::path cache;         ///< folder in which runtimes are installed; empty: there is none
    std::filesystem::path command;       ///< JSON file of a user's command
    std::vector<std::string> words = {}; ///< the command, if that file is a recipe
    bool allowCommands = false;          ///< the user agrees to start it
    ChildLimits limits = {};
};

/// What is run.
struct RuntimeRequest
{
    std::filesystem::path file;
    const std::vector<Feed> &feeds;        ///< one per batch
    std::vector<std::string> outputs = {}; ///< empty: those of the file
    nlohmann::json options = {};           ///< complete and checked against the runtime's specs
};

/// The tensors that a runtime computed, kept in a file. Not thread-safe.
class RuntimeResult
{
public:
    /// The files of arrays are in folder. @throws Error (BadData, Io) if they cannot be read
    RuntimeResult(std::shared_ptr<ScratchFolder> folder, Text runtime, api::RuntimeReply reply,
                  std::vector<std::filesystem::path> arrays);

    const api::RuntimeReply &reply() const { return m_reply; }
    bool contains(std::size_t batch, const std::string &name) const;
    /// Element types that LibTorch lacks are widened. @throws Error (BadData) if the runtime wrote no such array
    at::Tensor tensor(std::size_t batch, const std::string &name) const;
    /// Names of the first batch.
    std::vector<std::string> names() const;

    /// The name of an array of one batch in the file for all batches.
    static std::string key(std::size_t batch, const std::string &name);

private:
    std::shared_ptr<ScratchFolder> m_folder;
    Text m_runtime; ///< its title
    api::RuntimeReply m_reply;
    std::vector<std::unique_ptr<NpzFile>> m_files; ///< one for all batches, or one per batch
};

/// What options of the value automaticOption mean: it depends on how the platform computes.
struct AutomaticOption
{
    std::string floats;    ///< tensors are rounded, and what is between them is computed in floats
    std::string otherwise; ///< layers are computed in integers, or no tensor is rounded
};
inline constexpr const char *automaticOption = "auto";

/// A program that runs exported files: one of these per file of this room.
struct RuntimeEntry
{
    static constexpr const char *kindName = "runtime";
    api::CatalogueItem info; ///< params: its options
    std::vector<std::string> extensions;
    std::vector<std::string> packages = {};
    std::vector<std::string> scalesAside = {}; ///< files whose scales it reads from another file of the same stem
    AutomaticOption automatic = {};
    /// Whether it exists, and which version. Never throws for a missing one.
    std::function<api::RuntimeItem(const RuntimePlace &, const JobContext &)> find;
    /// @throws Error (Io) with the reason; null: cannot be installed
    std::function<void(const RuntimePlace &, const JobContext &)> install = {};
    /// @throws Error for a runtime that is missing, fails, crashes, does not end or writes something else; Cancelled
    std::function<RuntimeResult(const RuntimePlace &, const RuntimeRequest &, const JobContext &)> run;
};
using RuntimeRegistrar = Registrar<RuntimeEntry>;
inline constexpr const char *commandRuntime = "command"; ///< id of the user's command

/// The entry as shown in catalogues, nothing searched.
api::RuntimeItem itemOf(const RuntimeEntry &entry);

/// Arrays named by key() for all batches.
void writeFeeds(const std::filesystem::path &file, const std::vector<Feed> &feeds);

/// The last lines of an output that say something, at most this many.
Text lastLines(const std::string &output, std::size_t most);

/// The signal that ended the process, or a program that it started (shells exit with 128 + signal then); 0: none
int signalOf(const ChildResult &result);
/// What a user reads about a process that a signal ended. title: of the program
Text crashText(const Text &title, int signal, const Text &output);

/// @throws Error (BadData, OutOfMemory) for a process that did not end well. title: of the runtime
void requireSuccess(const Text &title, const ChildResult &result, const ChildLimits &limits);

} // namespace ql
