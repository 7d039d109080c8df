#pragma once

#include "core/api/catalogue.h"
#include "core/api/message.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

namespace ql {

/// Options of the engine process.
struct ServeOptions
{
    int input = 0;  ///< file descriptor of requests
    int output = 1; ///< file descriptor of responses; nothing else may write to it
    bool cache = true;
    std::filesystem::path cacheFolder;         ///< empty: the default one
    std::function<api::Catalogue()> catalogue; ///< answers "catalogue"
};

/// Answers the requests of a window (core/api/message.h, core/api/methods.h) until the input ends. This thread reads
/// requests and cancels; each lane has a thread that answers its requests in order.
/// @returns the exit code: 0 when the input ended, 2 if the other side speaks another protocol.
int serve(const ServeOptions &options);

} // namespace ql
