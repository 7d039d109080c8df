#pragma once

#include "app/cli_console.h"

#include <CLI/CLI.hpp>
#include <functional>

namespace ql::cli {

/// What the chosen command does; @returns an ExitCode. Runs behind main's wall: it may throw.
using Action = std::function<int(Console &)>;

/// Each adds its commands to app; the chosen one sets action when the arguments are read.
void addRun(CLI::App &app, Action &action);
void addInfer(CLI::App &app, Action &action);
void addInspect(CLI::App &app, Action &action);
void addCompare(CLI::App &app, Action &action);
void addCatalogues(CLI::App &app, Action &action);
void addServe(CLI::App &app, Action &action);

/// All catalogues in one object: {"platforms": [...], "passes": [...], ...}.
nlohmann::json wholeCatalogue();

} // namespace ql::cli
