// Before: Clip(x), attributes min, max        After: Clip(x, min, max)
//
// Converts the form of opset 1 to 10 to that of opset 11, with scalar parameters <op>_min and <op>_max. An omitted
// bound gets the operator's default: the lowest or highest number of the type. A Clip with inputs as bounds, or
// without bounds, is unchanged.
#include "core/ir/subgraphs.h"
#include "core/pass/format_tools.h"
#include "core/pass/pass.h"

#include <algorithm>
#include <limits>

namespace ql {

namespace {

class FormatClip final : public Pass
{
public:
    std::string_view id() const override { return "format_clip"; }
    int run(QuantModel &model, const PassContext &) const override { return editAllGraphs(model.graph, convert); }

private:
    static int convert(Graph &graph)
    {
        int changed = 0;
        for (const OpId id : graph.operations()) {
            const Operation &op = graph.operation(id);
            if (op.type != "Clip" || !op.domain.empty() || op.inputCount() != 1) continue;
            if (!op.hasAttribute("min") && !op.hasAttribute("max")) continue;
            const at::ScalarType known = inferElementType(graph, op.inputs[0]);
            const at::ScalarType type = at::isFloatingType(known) ? known : at::kFloat;
            constexpr double highestHalf = 65504; // IEEE 754 binary16
            const double limit = type == at::kHalf ? highestHalf : double(std::numeric_limits<float>::max());
            const double low = op.floatAttribute("min", -limit);
            const double high = op.floatAttribute("max", limit);
            addParameterInput(graph, id, 1, scalarOf(low, type), "min");
            addParameterInput(graph, id, 2, scalarOf(high, type), "max");
            Operation &changedOp = graph.edit(id);
            for (const char *key : {"min", "max"}) changedOp.attributes.erase(key);
            changedOp.opset = std::max<std::int64_t>(changedOp.opset, 11);
            ++changed;
        }
        return changed;
    }
};

const PassRegistrar formatClipRegistrar{
    {.info = {.id = "format_clip",
              .title = QL_TEXT("Clip: attributes to inputs"),
              .meaning = QL_TEXT(
                  "Before: Clip with attributes min and max. After: Clip with scalar parameters in their place.")},
     .traits = {.kind = PassKind::Format},
     .make = makePassOf<FormatClip>}};

} // namespace
} // namespace ql
