#pragma once

#include "views/graph/graph_picture.h"

#include <QString>

namespace ql {

/// Writes the whole graph in full detail: PNG, PDF or SVG by the extension of path (SVG for any other). Works on any
/// thread. A PNG has at most 30,000 pixels per side: a longer graph is drawn smaller.
/// @returns why it failed, empty on success
QString writeGraphPicture(const GraphPicture &picture, const QString &path, const QString &title);

} // namespace ql
