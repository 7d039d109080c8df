// Before: Pad(x), attributes pads, value        After: Pad(x, pads, value)
//
// Converts the form of opset 1 to 10 to that of opset 11: pads as an int64 parameter, value as a scalar (only in mode
// constant and if it is not 0, the default). The mode is unchanged. Opset 1 called the pads paddings.
#include "core/ir/subgraphs.h"
#include "core/pass/format_tools.h"
#include "core/pass/pass.h"

#include <algorithm>

namespace ql {

namespace {

class FormatPad final : public Pass
{
public:
    std::string_view id() const override { return "format_pad"; }
    int run(QuantModel &model, const PassContext &) const override { return editAllGraphs(model.graph, convert); }

private:
    static int convert(Graph &graph)
    {
        int changed = 0;
        for (const OpId id : graph.operations()) {
            const Operation &op = graph.operation(id);
            if (op.type != "Pad" || !op.domain.empty() || op.inputCount() != 1) continue;
            if (!op.hasAttribute("pads") && !op.hasAttribute("paddings")) continue;
            const auto pads = op.intsAttribute(op.hasAttribute("pads") ? "pads" : "paddings");
            const double value = op.floatAttribute("value", 0);
            const bool isConstant = op.stringAttribute("mode", "constant") == "constant";
            const at::ScalarType known = inferElementType(graph, op.inputs[0]);
            addParameterInput(graph, id, 1, int64List(pads), "pads");
            if (isConstant && value != 0)
                addParameterInput(graph, id, 2, scalarOf(value, at::isFloatingType(known) ? known : at::kFloat),
                                  "value");
            Operation &changedOp = graph.edit(id);
            for (const char *key : {"pads", "paddings", "value"}) changedOp.attributes.erase(key);
            changedOp.opset = std::max<std::int64_t>(changedOp.opset, 11);
            ++changed;
        }
        return changed;
    }
};

const PassRegistrar formatPadRegistrar{
    {.info = {.id = "format_pad",
              .title = QL_TEXT("Pad: attributes to inputs"),
              .meaning = QL_TEXT("Before: Pad with attributes pads and value. After: Pad "
                                 "with parameters in their place, in the same mode.")},
     .traits = {.kind = PassKind::Format},
     .make = makePassOf<FormatPad>}};

} // namespace
} // namespace ql
