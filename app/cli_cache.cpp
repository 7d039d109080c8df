#include "app/cli_cache.h"

#include "core/base/error.h"

namespace ql::cli {

void StageCacheOptions::addTo(CLI::App &command)
{
    auto *cache = command.add_option("--cache", folder, "Folder of the stage cache (default ~/.cache/quantloupe)")
                      ->type_name("DIR")
                      ->group("Program");
    command.add_flag("--no-cache", isOff, "Do not use the stage cache")->excludes(cache)->group("Program");
}

std::unique_ptr<StageCache> StageCacheOptions::open(Console &console) const
{
    if (isOff) return nullptr;
    CacheOptions options;
    options.folder = folder.empty() ? StageCache::defaultFolder() : std::filesystem::path(folder);
    if (!folder.empty()) { // an explicitly requested one; the default one may be missing
        if (const std::error_code code = makeCacheFolder(options.folder))
            throw Error(ErrorKind::Io, "cannot use the cache folder: " + code.message())
                .inFile(folder)
                .withRemedy("Use another folder, or --no-cache.");
    }
    options.note = [&console](const Text &text) { console.notes({text}); };
    return std::make_unique<StageCache>(std::move(options));
}

} // namespace ql::cli
