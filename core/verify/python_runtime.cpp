// Drives a runtime through resources/runtimes/driver.py: a JSON job in, a JSON reply and a .npz of arrays out.
#include "core/verify/python_runtime.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/resources.h"
#include "core/base/scratch_folder.h"
#include "core/base/strings.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <unistd.h>

namespace ql {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr double probeSeconds = 240; // AIMET imports PyTorch: a minute and more on a busy machine
constexpr double installSeconds = 1800;
constexpr int notInstalled = 64; ///< exit code of driver.py

/// The folder of a runtime that `runtimes install` made.
fs::path installFolder(const RuntimePlace &place, const std::string &id)
{
    return place.cache.empty() ? fs::path() : place.cache / "runtimes" / id;
}

bool isProgram(const fs::path &file)
{
    return ::access(file.c_str(), X_OK) == 0;
}

/// Interpreters to try, the best first. One that was named is the only one.
std::vector<fs::path> interpreters(const RuntimePlace &place, const std::string &id)
{
    if (!place.python.empty()) return {place.python};
    if (const char *named = std::getenv("QUANTLOUPE_PYTHON"); named && *named) return {named};
    std::vector<fs::path> out;
    const fs::path installed = installFolder(place, id) / "bin" / "python";
    if (!place.cache.empty() && isProgram(installed)) out.push_back(installed);
    out.emplace_back("python3");
    return out;
}

class Driver
{
public:
    Driver(const PythonRuntime &runtime, const ChildLimits &limits)
        : m_runtime(runtime), m_limits(limits), m_folder(std::make_shared<ScratchFolder>())
    {
        for (const std::string &name : {std::string("driver.py"), "run_" + runtime.id + ".py"})
            writeFileAtomically(m_folder->path() / name, resources::resource("runtimes/" + name));
    }
    const std::shared_ptr<ScratchFolder> &folder() const { return m_folder; }
    fs::path file(const char *name) const { return m_folder->path() / name; }

    ChildResult start(const fs::path &python, const api::RuntimeJob &job, const JobContext &context) const
    {
        writeFileAtomically(file("job.json"), json(job).dump());
        return runChild({python.string(), "-B", file("driver.py").string(), file("job.json").string()},
                        {{"PYTHONIOENCODING", "utf-8"}}, m_folder->path(), file("output.log"), m_limits, context);
    }
    api::RuntimeJob jobFor(const std::string &model) const
    {
        api::RuntimeJob job;
        job.runtime = "run_" + m_runtime.id;
        job.model = model;
        job.feeds = file("feeds.npz").string();
        job.results = file("results.npz").string();
        job.reply = file("reply.json").string();
        return job;
    }
    /// @param title of the program that wrote it
    api::RuntimeReply reply(const Text &title) const
    {
        try {
            return json::parse(readFile(file("reply.json"))).get<api::RuntimeReply>();
        } catch (const Cancelled &) {
            throw;
        } catch (const std::exception &error) {
            throw Error(ErrorKind::BadData,
                        QL_TEXT("%1 succeeded, but its reply cannot be read: %2").with(title, error.what()));
        }
    }

private:
    const PythonRuntime &m_runtime;
    ChildLimits m_limits;
    std::shared_ptr<ScratchFolder> m_folder;
};

api::RuntimeItem findPython(const PythonRuntime &runtime, const RuntimePlace &place, const JobContext &job)
{
    api::RuntimeItem item;
    std::vector<Text> broken;
    const double seconds = place.limits.seconds > 0 ? std::min(probeSeconds, place.limits.seconds) : probeSeconds;
    const Driver driver(runtime, {.seconds = seconds, .memory = 0});
    for (const fs::path &python : interpreters(place, runtime.id)) {
        try {
            const ChildResult result = driver.start(python, driver.jobFor(""), job);
            if (result.exitCode == 0) {
                const api::RuntimeReply reply = driver.reply(python.string());
                item.found = true;
                item.version = reply.version;
                item.facts = reply.facts;
                item.place = python.string();
                item.missing = {};
                item.limitReached = false;
                return item;
            }
            if (result.exitCode == notInstalled) continue;
            item.limitReached = item.limitReached || (result.timedOut && seconds < probeSeconds);
            if (result.timedOut)
                broken.push_back(QL_TEXT("%1 did not answer within %2 s").with(python.string(), Text::number(seconds)));
            else if (const int signal = signalOf(result); signal != 0)
                broken.push_back(crashText(python.string(), signal, lastLines(result.output, 1)));
            else
                broken.push_back(QL_TEXT("%1: %2").with(python.string(), lastLines(result.output, 1)));
        } catch (const Error &error) {
            broken.push_back(error.message);
        }
    }
    item.missing = broken.empty() ? QL_TEXT("not installed") : Text::list(std::move(broken), Text::Join::Semicolon);
    return item;
}

/// @throws Error (BadConfig) if the runtime is missing
api::RuntimeItem required(const PythonRuntime &runtime, const RuntimePlace &place, const JobContext &job)
{
    const api::RuntimeItem item = findPython(runtime, place, job);
    if (!item.found)
        throw Error(ErrorKind::BadConfig, QL_TEXT("the runtime '%1' was not found (%2)").with(runtime.id, item.missing))
            .withRemedy(QL_TEXT("Run `quantloupe-cli runtimes install %1`, or name an interpreter that has it with %2 "
                                "or QUANTLOUPE_PYTHON.")
                            .with(runtime.id, Text::option("--python FILE")));
    return item;
}

RuntimeResult runPython(const PythonRuntime &runtime, const RuntimePlace &place, const RuntimeRequest &request,
                        const JobContext &context)
{
    const Driver driver(runtime, place.limits);
    const fs::path python = place.python.empty() ? fs::path(required(runtime, place, context).place) : place.python;
    writeFeeds(driver.file("feeds.npz"), request.feeds);
    api::RuntimeJob job = driver.jobFor(fs::absolute(request.file).string());
    job.outputs = request.outputs;
    job.batches = request.feeds.size();
    job.options = request.options;
    requireSuccess(runtime.title, driver.start(python, job, context), place.limits);
    return RuntimeResult(driver.folder(), runtime.title, driver.reply(runtime.title), {driver.file("results.npz")});
}

void installPython(const PythonRuntime &runtime, const RuntimePlace &place, const JobContext &job)
{
    const fs::path folder = installFolder(place, runtime.id);
    if (place.cache.empty())
        throw Error(ErrorKind::Io,
                    QL_TEXT("there is no folder to install into: neither XDG_CACHE_HOME nor HOME is set"));
    std::error_code code;
    fs::create_directories(folder.parent_path(), code);
    if (code)
        throw Error(ErrorKind::Io, QL_TEXT("cannot create the folder: %1").with(code.message()))
            .inFile(folder.parent_path().string());
    const ScratchFolder scratch;
    const ChildLimits limits{.seconds = installSeconds, .memory = 0};
    const auto step = [&](double fraction, const Text &what, const std::vector<std::string> &command) {
        job.checkpoint(fraction, what);
        const ChildResult result = runChild(command, {}, scratch.path(), scratch.path() / "output.log", limits, job);
        if (!result.timedOut && result.exitCode == 0) return;
        const std::vector<std::string> lines = split(trim(result.output), '\n');
        throw Error(ErrorKind::Io, QL_TEXT("cannot install %1: %2").with(runtime.title, lines.back()))
            .withRemedy(QL_TEXT("pip needs the Python package registry: check the network and pip's configuration. Or "
                                "install %1 yourself and name the interpreter with %2.")
                            .with(Text::list(runtime.packages), Text::option("--python FILE")));
    };
    // A half-installed runtime must not be found: it gets its name last
    const fs::path part = folder.string() + ".part";
    fs::remove_all(part, code);
    try {
        step(0, QL_TEXT("create the environment"), {"python3", "-m", "venv", part.string()});
        std::vector<std::string> pip{(part / "bin" / "python").string(), "-m",     "pip", "install",
                                     "--disable-pip-version-check",      "--quiet"};
        const auto withPackages = [&pip](const std::vector<std::string> &packages) {
            std::vector<std::string> command = pip;
            command.insert(command.end(), packages.begin(), packages.end());
            return command;
        };
        step(0.1, QL_TEXT("install the packages"), withPackages(runtime.packages));
        if (!runtime.bare.empty()) {
            pip.emplace_back("--no-deps");
            step(0.9, QL_TEXT("install the packages"), withPackages(runtime.bare));
        }
    } catch (...) {
        fs::remove_all(part, code);
        throw;
    }
    fs::remove_all(folder, code);
    fs::rename(part, folder, code);
    if (code) throw Error(ErrorKind::Io, QL_TEXT("cannot rename: %1").with(code.message())).inFile(part.string());
}

} // namespace

RuntimeEntry pythonRuntimeEntry(const PythonRuntime &runtime)
{
    const auto shared = std::make_shared<const PythonRuntime>(runtime);
    RuntimeEntry entry;
    entry.info = {.id = runtime.id, .title = runtime.title, .meaning = runtime.meaning, .params = runtime.params};
    entry.info.params.push_back({.name = "threads",
                                 .type = "int",
                                 .fallback = 2,
                                 .meaning = QL_TEXT("Threads of an operation."),
                                 .min = 1,
                                 .max = 1024});
    entry.extensions = runtime.extensions;
    entry.scalesAside = runtime.scalesAside;
    entry.automatic = runtime.automatic;
    entry.packages = runtime.packages;
    entry.packages.insert(entry.packages.end(), runtime.bare.begin(), runtime.bare.end());
    entry.find = [shared](const RuntimePlace &place, const JobContext &job) {
        api::RuntimeItem item = itemOf(Registry<RuntimeEntry>::instance().at(shared->id, QL_TEXT("runtime")));
        const api::RuntimeItem now = findPython(*shared, place, job);
        item.found = now.found;
        item.version = now.version;
        item.place = now.place;
        item.facts = now.facts;
        item.missing = now.missing;
        item.limitReached = now.limitReached;
        return item;
    };
    entry.install = [shared](const RuntimePlace &place, const JobContext &job) { installPython(*shared, place, job); };
    entry.run = [shared](const RuntimePlace &place, const RuntimeRequest &request, const JobContext &job) {
        return runPython(*shared, place, request, job);
    };
    return entry;
}

} // namespace ql
