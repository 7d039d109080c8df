// Before: Resize(x, scales) of opset 10, Upsample(x, scales) or Upsample(x) with attribute scales
// After:  Resize(x, -, scales) of opset 11, asymmetric and rounding down (up where a Resize shrinks)
//
// The old operators map an output position p to p / scale. In mode nearest they round it down; Resize 10 rounds up
// along axes that shrink (not specified, but ONNX Runtime does). Resize 11 expresses this by
// coordinate_transformation_mode and nearest_mode, which apply to all axes: a Resize 10 in mode nearest that grows
// some axes and shrinks others, or whose scales are computed, is unchanged. Its second input (a crop region) is
// omitted.
#include "core/ir/subgraphs.h"
#include "core/pass/format_tools.h"
#include "core/pass/pass.h"

namespace ql {

namespace {

struct Growth
{
    bool grows = false, shrinks = false;
};

Growth growthOf(const at::Tensor &scales)
{
    Growth out;
    const at::Tensor wide = scales.to(at::kDouble).contiguous();
    for (std::int64_t i = 0; i < wide.numel(); ++i) {
        out.grows = out.grows || wide.data_ptr<double>()[i] > 1;
        out.shrinks = out.shrinks || wide.data_ptr<double>()[i] < 1;
    }
    return out;
}

class FormatResize final : public Pass
{
public:
    std::string_view id() const override { return "format_resize"; }
    int run(QuantModel &model, const PassContext &context) const override
    {
        return editAllGraphs(model.graph, [&](Graph &graph) {
            int changed = 0;
            for (const OpId id : graph.operations()) changed += convert(graph, id, context) ? 1 : 0;
            return changed;
        });
    }

private:
    static bool convert(Graph &graph, OpId id, const PassContext &context)
    {
        const Operation &op = graph.operation(id);
        const bool isUpsample = op.type == "Upsample";
        if ((!isUpsample && op.type != "Resize") || !op.domain.empty()) return false;
        std::string nearest = "floor";
        if (!isUpsample && op.stringAttribute("mode", "nearest") == "nearest") {
            const at::Tensor scales = parameterOf(graph, op, 1);
            const Growth growth = scales.defined() ? growthOf(scales) : Growth{true, true};
            if (op.inputCount() == 2 && op.opset < 11 && growth.grows && growth.shrinks) {
                context.report(
                    {.severity = api::Severity::Info,
                     .op = op.name,
                     .message =
                         QL_TEXT("format_resize: it enlarges some axes and shrinks others, or its scales are computed; "
                                 "newer opsets cannot express which pixels it reads, so it is unchanged"),
                     .remedy = QL_TEXT("Export the model with opset 11 or newer.")});
                return false;
            }
            if (growth.shrinks) nearest = "ceil";
        }
        if (op.inputCount() == 2 && (isUpsample || op.opset < 11)) {
            const VarId scales = op.inputs[1];
            graph.setInput(id, 1, noVar);
            graph.setInput(id, 2, scales);
        } else if (isUpsample && op.inputCount() == 1 && op.hasAttribute("scales")) {
            addParameterInput(graph, id, 2, floatList(op.floatsAttribute("scales")), "scales");
        } else {
            return false;
        }
        Operation &resize = graph.edit(id);
        resize.type = "Resize";
        resize.opset = 11;
        resize.attributes.erase("scales");
        if (resize.stringAttribute("mode", "nearest") == "bilinear") resize.attributes["mode"] = std::string("linear");
        resize.attributes["coordinate_transformation_mode"] = std::string("asymmetric");
        resize.attributes["nearest_mode"] = nearest;
        return true;
    }
};

const PassRegistrar formatResizeRegistrar{
    {.info = {.id = "format_resize",
              .title = QL_TEXT("Unify Resize and Upsample"),
              .meaning = QL_TEXT("Before: Resize of opset 10 or Upsample. After: an equivalent Resize of opset 11 "
                                 "(asymmetric, the same pixels).")},
     .traits = {.kind = PassKind::Format},
     .make = makePassOf<FormatResize>}};

} // namespace
} // namespace ql
