// Before: Resize(x, scales) of opset 10, Upsample(x, scales) or Upsample(x) with attribute scales
// After:  Resize(x, -, scales) of opset 11, asymmetric and rounding down
//
// The old operators map an output position p to p / scale and round it down in mode nearest; Resize 11 says so in
// coordinate_transformation_mode and nearest_mode. Its second input (a region to crop) is omitted.
#include "core/pass/format_tools.h"
#include "core/pass/pass.h"

namespace ql {

namespace {

class FormatResize final : public Pass
{
public:
    std::string_view id() const override { return "format_resize"; }
    int run(QuantModel &model, const PassContext &) const override
    {
        int changed = 0;
        for (const OpId id : model.graph.operations()) changed += convert(model.graph, id) ? 1 : 0;
        return changed;
    }

private:
    static bool convert(Graph &graph, OpId id)
    {
        const Operation &op = graph.operation(id);
        const bool isUpsample = op.type == "Upsample";
        if ((!isUpsample && op.type != "Resize") || !op.domain.empty()) return false;
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
        resize.attributes["nearest_mode"] = std::string("floor");
        return true;
    }
};

const PassRegistrar registrar{
    "format_resize",
    {PassKind::Format,
     {"format_resize",
      "Resize and Upsample in one form",
      "Before: Resize of opset 10 or Upsample. After: the same as a Resize of opset 11 (asymmetric, rounding down).",
      {}},
     [](const nlohmann::json &) { return std::make_unique<FormatResize>(); }}};

} // namespace
} // namespace ql
