#pragma once

#include <QString>
#include <nlohmann/json.hpp>

namespace ql {

class MainWindow;

/// How long the event loop of the window stands still while a recipe on a large model is opened, run, edited, searched,
/// folded and exported: {"steps": [{"what", "ms", "longest_pause_ms"}], "mib_a_run"}.
nlohmann::json pauses(MainWindow &window, const QString &recipe);

} // namespace ql
