// The command `plugins`.
#include "app/cli_commands.h"
#include "core/base/plugin.h"
#include "core/session/plugins.h"

#include <memory>

namespace ql::cli {

namespace {

struct PluginsCommand
{
    std::vector<std::string> files;
    std::string jsonFile;

    int run(Console &console) const
    {
        if (!jsonFile.empty()) checkWritable(jsonFile);
        for (const std::string &file : files) loadPlugin(file);
        const api::PluginList list = pluginList();
        if (!jsonFile.empty()) {
            console.writeJson(jsonFile, list);
            return ExitCode::Good;
        }
        if (list.plugins.empty())
            console.note(
                QL_TEXT("no plug-ins: put them into %1, or name one with --plugin").with(userPluginFolder().string()));
        std::string text;
        for (const api::PluginItem &plugin : list.plugins) {
            std::vector<std::vector<std::string>> rows;
            for (const auto &[kind, id] : plugin.registrations) rows.push_back({"  " + kind, id});
            text += plugin.name + " " + plugin.version + ": " + plugin.meaning + "\n  " + plugin.file + "\n" +
                    table({}, rows);
        }
        console.print(text);
        return ExitCode::Good;
    }
};

} // namespace

void addPlugins(CLI::App &app, Action &action)
{
    CLI::App *command =
        app.add_subcommand("plugins", "List loaded plug-ins and what they register")->group("Catalogues");
    const auto self = std::make_shared<PluginsCommand>();
    command->add_option("--plugin", self->files, "Load this one, too (repeatable)")
        ->type_name("FILE.so")
        ->allow_extra_args(false);
    command->add_option("--json", self->jsonFile, "Write JSON to FILE (- for standard output)")->type_name("FILE");
    command->footer("Examples:\n  quantloupe-cli plugins\n  quantloupe-cli plugins --plugin ./toolbox.so --json -");
    command->callback([self, &action] { action = [self](Console &console) { return self->run(console); }; });
}

} // namespace ql::cli
