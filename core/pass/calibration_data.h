#pragma once

#include "core/pass/pass.h"

namespace ql {

/// @throws Error (BadData) if the pass has no calibration data; what names the pass.
void requireCalibration(const PassContext &context, const Text &what);

} // namespace ql
