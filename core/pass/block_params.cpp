#include "core/pass/block_params.h"

#include "core/base/error.h"
#include "core/base/strings.h"

#include <algorithm>

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

void requireLayers(const Graph &graph, const std::vector<std::string> &patterns,
                   const std::function<bool(const Operation &)> &counts)
{
    const std::vector<OpId> all = graph.operations();
    for (const std::string &pattern : patterns) {
        const auto isNamed = [&](OpId id) {
            const Operation &op = graph.operation(id);
            return (!counts || counts(op)) && globMatch(pattern, op.name);
        };
        if (std::any_of(all.begin(), all.end(), isNamed)) continue;
        throw Error(ErrorKind::BadConfig, QL_TEXT("interested_layers: no layer is called '%1'").with(pattern))
            .withRemedy(QL_TEXT("Name layers of the model (* and ? allowed)."));
    }
}

} // namespace ql
