#include "app/cli_commands.h"
#include "app/cli_output.h"
#include "core/base/error.h"
#include "core/serve/server.h"

#include <cstdio>
#include <memory>
#include <unistd.h>

namespace ql::cli {

namespace {

struct ServeCommand
{
    std::string cacheFolder;
    bool noCache = false;

    int run() const
    {
        ServeOptions options;
        options.output = StandardOutput::descriptor();
        if (options.output < 0) throw Error(ErrorKind::Io, "cannot use standard output");
        options.cache = !noCache;
        options.cacheFolder = cacheFolder;
        options.catalogue = wholeCatalogue;
        const int code = serve(options);
        // Threads of LibTorch may still be busy, and nothing is left to do.
        std::fflush(nullptr);
        ::_exit(code);
    }
};

} // namespace

void addServe(CLI::App &app, Action &action)
{
    CLI::App *command =
        app.add_subcommand("serve", "Run the engine for the window: framed messages on stdin and stdout");
    const auto self = std::make_shared<ServeCommand>();
    auto *cache =
        command->add_option("--cache", self->cacheFolder, "Folder of the stage cache (default ~/.cache/quantloupe)")
            ->type_name("DIR");
    command->add_flag("--no-cache", self->noCache, "Do not use the stage cache")->excludes(cache);
    command->footer("Started by the window; on another machine: ssh host quantloupe-cli serve\n"
                    "Example: quantloupe-cli serve --cache /var/cache/quantloupe");
    command->callback([self, &action] { action = [self](Console &) { return self->run(); }; });
}

} // namespace ql::cli
