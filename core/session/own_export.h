#pragma once

#include "core/api/platform.h"
#include "core/quant/quant_plan.h"
#include "core/session/encodings.h"

#include <set>
#include <string>

namespace ql {

/// Whether an exporter of the platform writes a file with these encodings, which are of the given format. changed:
/// parameters whose values may differ
bool writesEncodings(const QuantModel &model, const PlatformDefinition &platform, const EncodingsEntry &format,
                     const StoredEncodings &wanted, const std::set<std::string> &changed, const JobContext &job);

} // namespace ql
