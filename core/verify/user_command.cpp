// A command of the user as a runtime: a board over ssh, a simulator of a vendor. It is started once per batch with a
// .npz of inputs, and writes a .npz of outputs.
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/trust.h"
#include "core/verify/runtime.h"

#include <algorithm>

namespace ql {

namespace fs = std::filesystem;

namespace {

constexpr const char *commandId = "command", *commandTitle = "the command";

/// {"command": [...]}; {model}, {in} and {out} in it are replaced.
std::vector<std::string> commandOf(const fs::path &file)
{
    std::vector<std::string> command;
    try {
        command = nlohmann::json::parse(readFile(file)).get<api::UserCommand>().command;
    } catch (const nlohmann::json::exception &error) {
        throw Error(ErrorKind::BadConfig, QL_TEXT("not JSON: %1").with(error.what())).inFile(file.string());
    } catch (Error &error) {
        throw error.inFile(file.string());
    }
    for (const char *wanted : {"{in}", "{out}"})
        if (std::none_of(command.begin(), command.end(),
                         [&](const std::string &word) { return word.find(wanted) != std::string::npos; }))
            throw Error(ErrorKind::BadConfig, QL_TEXT("the command must contain %1").with(wanted))
                .inFile(file.string())
                .withRemedy(QL_TEXT("{model}, {in} and {out} become the names of the exported file, of the .npz of "
                                    "inputs and of the .npz of outputs to write."));
    return command;
}

std::string replaced(std::string word, const std::string &name, const fs::path &value)
{
    for (std::size_t at = word.find(name); at != std::string::npos; at = word.find(name, at + value.string().size()))
        word.replace(at, name.size(), value.string());
    return word;
}

api::RuntimeItem findCommand(const RuntimePlace &place, const JobContext &)
{
    api::RuntimeItem item = itemOf(Registry<RuntimeEntry>::instance().at(commandId, QL_TEXT("runtime")));
    if (place.command.empty()) {
        item.missing = QL_TEXT("name its JSON file: --runtime FILE.json");
        return item;
    }
    commandOf(place.command);
    item.found = true;
    item.place = place.command.string();
    return item;
}

RuntimeResult runCommand(const RuntimePlace &place, const RuntimeRequest &request, const JobContext &job)
{
    const std::vector<std::string> command = commandOf(place.command);
    if (!place.allowCommands) requirePrograms(place.command, Text::list(command, Text::Join::Space));
    auto scratch = std::make_shared<ScratchFolder>();
    fs::path folder = fs::absolute(place.command).parent_path();
    std::vector<fs::path> results;
    for (std::size_t batch = 0; batch < request.feeds.size(); ++batch) {
        job.checkpoint(double(batch) / double(request.feeds.size()), QL_TEXT("run the command"));
        const fs::path in = scratch->path() / "in.npz";
        const fs::path out = scratch->path() / ("out" + std::to_string(batch) + ".npz");
        const std::vector<std::pair<std::string, at::Tensor>> arrays(request.feeds[batch].begin(),
                                                                     request.feeds[batch].end());
        writeFileAtomically(in, [&](std::ostream &stream) { writeNpz(stream, arrays); });
        std::vector<std::string> words;
        for (const std::string &word : command)
            words.push_back(
                replaced(replaced(replaced(word, "{model}", fs::absolute(request.file)), "{in}", in), "{out}", out));
        requireSuccess(commandTitle, runChild(words, {}, folder, scratch->path() / "output.log", place.limits, job),
                       place.limits);
        if (!fs::exists(out))
            throw Error(ErrorKind::BadData, QL_TEXT("%1 succeeded, but wrote no %2").with(commandTitle, "{out}"))
                .withRemedy(QL_TEXT("It must write a .npz file with one array per output, named as the output."));
        results.push_back(out);
    }
    return RuntimeResult(scratch, commandTitle, {}, results);
}

const RuntimeRegistrar userCommand{
    commandId,
    {.info = {.id = commandId,
              .title = QL_TEXT("Your command"),
              .meaning = QL_TEXT("Runs your own program, on this machine or on a board over ssh. A JSON file names it: "
                                 "{\"command\": [\"./run\", \"{model}\", \"{in}\", \"{out}\"]}. It gets a .npz of "
                                 "inputs and writes a .npz of outputs, once per batch."),
              .example = "{\"command\": [\"./run\", \"{model}\", \"{in}\", \"{out}\"]}"},
     .formats = {},
     .find = findCommand,
     .run = runCommand}};

} // namespace

} // namespace ql
