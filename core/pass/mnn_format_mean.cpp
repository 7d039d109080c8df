// Before: x -> GlobalAveragePool -> Conv        After: x -> ReduceMean (height and width) -> Conv
//
// MNN computes a pool whose result a quantized Conv reads on codes of the scale of the result if x has no scale of its
// own (Pipeline.cpp, propagateScale): the values of x are limited to the range of their means, and the mean is rounded
// down. A ReduceMean stays in float32. The Conv may read the result through operations that move values. Condition: x
// has two spatial axes.
#include "core/pass/format_tools.h"
#include "core/pass/mnn_codes.h"
#include "core/pass/pass.h"

#include <algorithm>

namespace ql {

namespace {

class MnnFormatMean final : public Pass
{
public:
    explicit MnnFormatMean(const nlohmann::json &) {}

    std::string_view id() const override { return "mnn_format_mean"; }

    int run(QuantModel &model, const PassContext &) const override
    {
        Graph &graph = model.graph;
        int changed = 0;
        for (const OpId id : graph.operations()) {
            if (!isReadByConv(graph, graph.operation(id))) continue;
            const std::int64_t opset = opsetOf(graph, graph.operation(id));
            Operation &op = graph.edit(id);
            op.type = "ReduceMean";
            op.opset = opset;
            op.attributes.clear();
            op.attributes["keepdims"] = std::int64_t(1);
            const std::vector<std::int64_t> axes{2, 3};
            if (opset < axesAreInput) op.attributes["axes"] = axes;
            if (opset >= axesAreInput) addParameterInput(graph, id, 1, int64List(axes), "axes");
            ++changed;
        }
        return changed;
    }

private:
    static constexpr std::int64_t axesAreInput = 18;

    static std::int64_t opsetOf(const Graph &graph, const Operation &op)
    {
        const auto version = graph.opsets.find("");
        return version == graph.opsets.end() ? op.opset : std::max(op.opset, version->second);
    }

    static bool isReadByConv(const Graph &graph, const Operation &op)
    {
        if (op.type != "GlobalAveragePool" || !op.domain.empty() || !op.hasInput(0)) return false;
        const auto &shape = graph.variable(op.inputs[0]).type.shape;
        if (!shape || shape->size() != 4) return false;
        const std::vector<VarId> all = movedFrom(graph, op.outputs[0]);
        return std::any_of(all.begin(), all.end(), [&](VarId moved) {
            const auto &uses = graph.variable(moved).uses;
            return std::any_of(uses.begin(), uses.end(), [&](const Use &use) {
                return use.op != noOp && use.index == 0 && graph.operation(use.op).type == "Conv";
            });
        });
    }
};

const PassRegistrar mnnFormatMeanRegistrar{
    {.info = {.id = "mnn_format_mean",
              .title = QL_TEXT("MNN mean format"),
              .meaning =
                  QL_TEXT("Before: a GlobalAveragePool whose result a Conv reads, which MNN can compute on codes "
                          "of the result. After: a ReduceMean, which it computes in float.")},
     .traits = {.kind = PassKind::Float},
     .make = makePassOf<MnnFormatMean>}};

} // namespace
} // namespace ql
