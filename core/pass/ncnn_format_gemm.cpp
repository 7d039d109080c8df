// Before: Gemm (transB 0, alpha, beta)        After: Gemm (transB 1, alpha 1, beta 1), weight transposed and scaled
//
// ncnn's InnerProduct stores its weight as [outputs, inputs]. Conditions: the weight is a float parameter; beta is
// folded if the bias is one, too. Parameters with other consumers are copied.
#include "core/pass/slots.h"

#include <ATen/ops/mul.h>

namespace ql {

class NcnnFormatGemm final : public Pass
{
public:
    explicit NcnnFormatGemm(const nlohmann::json &) {}

    std::string_view id() const override { return "ncnn_format_gemm"; }

    int run(QuantModel &model, const PassContext &) const override
    {
        Graph &graph = model.graph;
        int changed = 0;
        for (const OpId id : graph.operations()) {
            const Operation &op = graph.operation(id);
            if (op.type != "Gemm" || !op.hasInput(1) || !graph.isParameter(op.inputs[1])) continue;
            const at::Tensor weight = graph.variable(op.inputs[1]).value;
            if (weight.dim() != 2 || !weight.is_floating_point()) continue;
            const bool transpose = op.intAttribute("transB", 0) == 0;
            const double alpha = op.floatAttribute("alpha", 1), beta = op.floatAttribute("beta", 1);
            const bool foldBeta = beta != 1 && op.hasInput(2) && graph.isParameter(op.inputs[2]) &&
                                  graph.variable(op.inputs[2]).value.is_floating_point();
            if (!transpose && alpha == 1 && !foldBeta) continue;
            if (transpose || alpha != 1) {
                at::Tensor value = transpose ? weight.t().contiguous() : weight;
                replaceValue(graph, id, 1, alpha == 1 ? value : at::mul(value, alpha));
            }
            if (foldBeta) replaceValue(graph, id, 2, at::mul(graph.variable(op.inputs[2]).value, beta));
            auto &attributes = graph.edit(id).attributes;
            attributes["transB"] = std::int64_t{1};
            attributes["alpha"] = 1.f;
            if (foldBeta) attributes["beta"] = 1.f;
            ++changed;
        }
        return changed;
    }

private:
    static void replaceValue(Graph &graph, OpId op, std::size_t input, at::Tensor value)
    {
        const VarId id = graph.operation(op).inputs[input];
        const Variable &variable = graph.variable(id);
        if (variable.uses.size() == 1 && !graph.isGraphOutput(id))
            graph.setValue(id, std::move(value));
        else
            graph.setInput(op, input, graph.addParameter(graph.freshName(variable.name), std::move(value)));
    }
};

static const PassRegistrar ncnnFormatGemmRegistrar{
    {.info = {.id = "ncnn_format_gemm",
              .title = QL_TEXT("ncnn Gemm format"),
              .meaning =
                  QL_TEXT("Before: Gemm with any transB, alpha and beta. After: transB 1, with alpha and beta in "
                          "the weight and the bias.")},
     .traits = {.kind = PassKind::Float},
     .make = makePassOf<NcnnFormatGemm>}};

} // namespace ql
