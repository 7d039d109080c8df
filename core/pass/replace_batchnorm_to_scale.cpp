// Before: BatchNormalization        After: Mul -> Add
//
// y = a * x + s with a = gamma / sqrt(var + epsilon), s = beta - a * mean, constants of shape [1, C, 1 ..] in the rank
// of the data. The Mul keeps the name of the BatchNormalization. Not part of the default formatting. When the rank is
// not known, nothing is done.
#include "core/pass/format_tools.h"
#include "core/pass/pass.h"

namespace ql {

namespace {

class ReplaceBatchnormToScale final : public Pass
{
public:
    std::string_view id() const override { return "replace_batchnorm_to_scale"; }
    int run(QuantModel &model, const PassContext &context) const override
    {
        Graph &graph = model.graph;
        const std::vector<int> ranks = inferRanks(graph);
        int changed = 0;
        for (const OpId id : graph.operations()) {
            const Operation &op = graph.operation(id);
            const auto terms = batchNormTerms(graph, op);
            if (!terms) continue;
            const int rank = ranks[std::size_t(index(op.inputs[0]))];
            if (rank < 2) {
                context.report({"info",
                                op.name,
                                {},
                                "replace_batchnorm_to_scale: the rank of its data is not known, it stays as it is",
                                "Fix the input shape of the model."});
                continue;
            }
            std::vector<std::int64_t> shape(std::size_t(rank), 1);
            shape[1] = terms->channels();
            replaceByMulAdd(graph, id, *terms, shape);
            ++changed;
        }
        return changed;
    }
};

const PassRegistrar registrar{"replace_batchnorm_to_scale",
                              {PassKind::Format,
                               {"replace_batchnorm_to_scale",
                                "BatchNormalization to Mul and Add",
                                "Before: BatchNormalization. After: Mul and Add with one constant per channel.",
                                {}},
                               [](const nlohmann::json &) { return std::make_unique<ReplaceBatchnormToScale>(); }}};

} // namespace
} // namespace ql
