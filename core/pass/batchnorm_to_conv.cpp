// Before: BatchNormalization        After: Conv 1x1, one group per channel        (or Mul -> Add)
//
// For those without a preceding Conv. y = a * x + s with a = gamma / sqrt(var + epsilon), s = beta - a * mean. Data of
// rank 4 becomes a depthwise Conv with weight a [C, 1, 1, 1] and bias s [C], in place and with the same name. Other
// ranks become Mul(a) -> Add(s) with constants [C, 1 ..]; if the rank is unknown, nothing is done.
#include "core/pass/format_tools.h"
#include "core/pass/pass.h"

namespace ql {

namespace {

void toConv(Graph &graph, OpId id, const BatchNormTerms &terms)
{
    dropFurtherOutputs(graph, id);
    const at::ScalarType type = parameterOf(graph, graph.operation(id), 1).scalar_type();
    const std::int64_t channels = terms.channels();
    graph.resizeInputs(id, 1);
    addParameterInput(graph, id, 1, terms.scale().to(type).reshape({channels, 1, 1, 1}), "weight");
    addParameterInput(graph, id, 2, terms.shift().to(type), "bias");
    Operation &op = graph.edit(id);
    using Ints = std::vector<std::int64_t>;
    op.type = "Conv";
    op.attributes.clear();
    op.attributes["kernel_shape"] = Ints{1, 1};
    op.attributes["strides"] = Ints{1, 1};
    op.attributes["dilations"] = Ints{1, 1};
    op.attributes["pads"] = Ints{0, 0, 0, 0};
    op.attributes["group"] = channels;
}

class BatchnormToConv final : public Pass
{
public:
    std::string_view id() const override { return "batchnorm_to_conv"; }
    int run(QuantModel &model, const PassContext &context) const override
    {
        Graph &graph = model.graph;
        return replaceBatchNorms(graph, context, id(), [&](OpId op, const BatchNormTerms &terms, int rank) {
            if (rank == 4) return toConv(graph, op, terms);
            std::vector<std::int64_t> shape(std::size_t(rank - 1), 1);
            shape[0] = terms.channels();
            replaceByMulAdd(graph, op, terms, shape);
        });
    }
};

const PassRegistrar batchnormToConvRegistrar{
    {.info = {.id = "batchnorm_to_conv",
              .title = QL_TEXT("BatchNormalization to Conv"),
              .meaning = QL_TEXT("Before: a BatchNormalization that does not follow a Conv. After: a depthwise 1x1 "
                                 "Conv for images, Mul and Add for data of other ranks.")},
     .traits = {.kind = PassKind::Format},
     .make = makePassOf<BatchnormToConv>}};

} // namespace
} // namespace ql
