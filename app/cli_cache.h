#pragma once

#include "app/cli_console.h"
#include "core/session/cache.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

namespace ql::cli {

/// --cache and --no-cache.
struct StageCacheOptions
{
    std::string folder;
    bool isOff = false;

    void addTo(CLI::App &command);
    /// nullptr: without a cache. @throws Error (Io)
    std::unique_ptr<StageCache> open(Console &console) const;
};

} // namespace ql::cli
