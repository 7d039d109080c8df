// A command of the user as a runtime: a board over ssh, a simulator of a vendor. It is started once per batch with a
// .npz of inputs, and writes a .npz of outputs.
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/scratch_folder.h"
#include "core/verify/command_file.h"
#include "core/verify/runtime.h"

namespace ql {

namespace fs = std::filesystem;

namespace {

CommandFile commandOf(const RuntimePlace &place)
{
    return CommandFile(place.command, {"{in}", "{out}"},
                       QL_TEXT("{model}, {in} and {out} become the names of the exported file, of the .npz of "
                               "inputs and of the .npz of outputs to write."),
                       place.words);
}

api::RuntimeItem findCommand(const RuntimePlace &place, const JobContext &)
{
    api::RuntimeItem item = itemOf(Registry<RuntimeEntry>::instance().at(commandRuntime, QL_TEXT("runtime")));
    if (place.command.empty()) {
        item.missing = QL_TEXT(
            "name its JSON file: --runtime FILE.json, or write \"runtime\": {\"command\": [...]} in the recipe");
        return item;
    }
    commandOf(place);
    item.found = true;
    item.place = place.command.string();
    return item;
}

RuntimeResult runCommand(const RuntimePlace &place, const RuntimeRequest &request, const JobContext &job)
{
    const CommandFile command = commandOf(place);
    command.requireConsent(place.allowCommands);
    const Text title = QL_TEXT("the command");
    auto scratch = std::make_shared<ScratchFolder>();
    std::vector<fs::path> results;
    for (std::size_t batch = 0; batch < request.feeds.size(); ++batch) {
        job.checkpoint(double(batch) / double(request.feeds.size()), QL_TEXT("run the command"));
        const fs::path in = scratch->path() / "in.npz";
        const fs::path out = scratch->path() / ("out" + std::to_string(batch) + ".npz");
        const std::vector<std::pair<std::string, at::Tensor>> arrays(request.feeds[batch].begin(),
                                                                     request.feeds[batch].end());
        writeFileAtomically(in, [&](std::ostream &stream) { writeNpz(stream, arrays); });
        command.run({{"{model}", fs::absolute(request.file)}, {"{in}", in}, {"{out}", out}},
                    scratch->path() / "output.log", title, place.limits, job);
        if (!fs::exists(out))
            throw Error(ErrorKind::BadData, QL_TEXT("%1 succeeded, but wrote no %2").with(title, "{out}"))
                .withRemedy(QL_TEXT("It must write a .npz file with one array per output, named as the output."));
        results.push_back(out);
    }
    return RuntimeResult(scratch, title, {}, results);
}

const RuntimeRegistrar userCommand{
    commandRuntime,
    {.info = {.id = commandRuntime,
              .title = QL_TEXT("Your command"),
              .meaning = QL_TEXT("Runs your own program, on this machine or on a board over ssh. A JSON file names it: "
                                 "{\"command\": [\"./run\", \"{model}\", \"{in}\", \"{out}\"]}. It gets a .npz of "
                                 "inputs and writes a .npz of outputs, once per batch."),
              .example = "{\"command\": [\"./run\", \"{model}\", \"{in}\", \"{out}\"]}"},
     .extensions = {},
     .find = findCommand,
     .run = runCommand}};

} // namespace

} // namespace ql
