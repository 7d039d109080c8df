#include "core/api/noise_fields.h"

namespace ql::api {

QL_JSON_PAIR(NoiseRow, "a row of noise")
QL_JSON_PAIR(Explanation, "the explanation")

} // namespace ql::api
