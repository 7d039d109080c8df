// Before: BatchNormalization        After: Mul -> Add
//
// y = a * x + s with a = gamma / sqrt(var + epsilon), s = beta - a * mean, constants of shape [1, C, 1 ..] in the rank
// of the data. The Mul keeps the name of the BatchNormalization. Not part of the default formatting. If the rank is
// unknown, nothing is done.
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
        return replaceBatchNorms(graph, context, id(), [&](OpId op, const BatchNormTerms &terms, int rank) {
            std::vector<std::int64_t> shape(std::size_t(rank), 1);
            shape[1] = terms.channels();
            replaceByMulAdd(graph, op, terms, shape);
        });
    }
};

const PassRegistrar replaceBatchnormToScaleRegistrar{
    {.info = {.id = "replace_batchnorm_to_scale",
              .title = QL_TEXT("BatchNormalization to Mul and Add"),
              .meaning = QL_TEXT("Before: BatchNormalization. After: Mul and Add with one constant per channel.")},
     .traits = {.kind = PassKind::Format},
     .make = makePassOf<ReplaceBatchnormToScale>}};

} // namespace
} // namespace ql
