// A pass: sets weights close to 0 to exactly 0, in the float graph, and reports how many.
#include <core/pass/pass.h>

#include <ATen/ops/abs.h>

using namespace ql;

namespace {

class ZeroSmallWeights final : public Pass
{
public:
    explicit ZeroSmallWeights(const nlohmann::json &params) : m_below(params.at("below")) {}
    std::string_view id() const override { return "example_zero_small_weights"; }
    int run(QuantModel &model, const PassContext &context) const override
    {
        int changed = 0;
        for (const OpId id : model.graph.topological()) {
            const Operation &op = model.graph.operation(id);
            if (!isComputing(op) || op.inputs.size() < 2 || !model.graph.isParameter(op.inputs[1])) continue;
            const at::Tensor weight = model.graph.variable(op.inputs[1]).value;
            const at::Tensor isLarge = at::abs(weight) >= m_below;
            if (isLarge.all().item<bool>()) continue;
            model.graph.setValue(op.inputs[1], weight * isLarge); // values are shared: never written in place
            ++changed;
        }
        context.report({.severity = api::Severity::Info, .message = QL_TEXT("%1 weights were changed").with(changed)});
        return changed;
    }

private:
    double m_below;
};

const PassRegistrar passRegistrar{
    {.info = {.id = "example_zero_small_weights",
              .title = "Zero small weights",
              .meaning = "Before: a weight of 1e-9. After: 0.",
              .params = {{.name = "below", .type = "float", .fallback = 1e-6, .meaning = "Limit.", .min = 0}}},
     .traits = {.kind = PassKind::Float},
     .make = makePassOf<ZeroSmallWeights>}};

} // namespace
