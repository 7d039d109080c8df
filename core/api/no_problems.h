#pragma once

#include "core/base/text.h"

namespace ql::api {

/// The measurements in which problems are found.
struct Measured
{
    bool outputs = false, graphwise = false, layerwise = false, ranges = false;
};
/// "No problems found in what was measured: ...", or that nothing was.
Text noProblemsText(const Measured &measured);

} // namespace ql::api
