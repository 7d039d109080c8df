#include "core/pass/block_params.h"

namespace ql {

std::vector<api::ParamSpec> blockParams()
{
    return {{.name = "interested_layers",
             .type = "strings",
             .fallback = nlohmann::json::array(),
             .meaning = QL_TEXT("Only blocks with one of these operations (names, * and ? allowed); empty: all.")},
            {.name = "block_size",
             .type = "int",
             .fallback = 4,
             .meaning = QL_TEXT("How many levels deep a block of operations is."),
             .min = 0,
             .max = 64}};
}

} // namespace ql
