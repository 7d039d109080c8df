#include "core/api/distribution_fields.h"

namespace ql::api {

QL_JSON_PAIR(DistributionRow, "a distribution")
QL_JSON_PAIR(DetailRow, "a row of details")

} // namespace ql::api
