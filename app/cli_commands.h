#pragma once

#include "app/cli_console.h"
#include "core/api/catalogue.h"
#include "core/api/run_report.h"
#include "core/base/language.h"

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

namespace ql::cli {

/// Runs the selected command; @returns an ExitCode. Runs inside main's error boundary: it may throw.
using Action = std::function<int(Console &)>;

/// Each adds its commands to app; the selected one sets action when the arguments are parsed.
void addRun(CLI::App &app, Action &action);
void addTune(CLI::App &app, Action &action);
void addInfer(CLI::App &app, Action &action);
void addInspect(CLI::App &app, Action &action);
void addCompare(CLI::App &app, Action &action);
void addCatalogues(CLI::App &app, Action &action);
void addConvertSetting(CLI::App &app, Action &action);
void addImportEncodings(CLI::App &app, Action &action);
void addVerify(CLI::App &app, Action &action);
void addRuntimes(CLI::App &app, Action &action);
void addPlugins(CLI::App &app, Action &action);
void addServe(CLI::App &app, Action &action);

/// The report that a run wrote. @throws Error (BadData, Io)
api::Report loadReport(const std::string &file);

/// "bits (int), default 8, from 2 to 16", and below it what it means.
std::string paramText(const api::ParamSpec &spec, const Language *language);

/// All that the engine has.
api::Catalogue wholeCatalogue();

} // namespace ql::cli
