#include "core/api/no_problems.h"

#include <utility>
#include <vector>

namespace ql::api {

Text noProblemsText(const Measured &measured)
{
    std::vector<Text> names;
    for (const auto &[isMeasured, name] : {std::pair(measured.outputs, QL_TEXT("output error")),
                                           std::pair(measured.graphwise, QL_TEXT("graphwise error")),
                                           std::pair(measured.layerwise, QL_TEXT("layerwise error")),
                                           std::pair(measured.ranges, QL_TEXT("ranges of activations"))})
        if (isMeasured) names.push_back(name);
    if (names.empty()) return QL_TEXT("No problems found, but no analysis has measured errors or ranges.");
    return QL_TEXT("No problems found in what was measured: %1.").with(Text::list(names));
}

} // namespace ql::api
