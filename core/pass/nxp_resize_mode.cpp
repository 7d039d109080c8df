// Before: Resize (linear, align_corners ...)        After: Resize (nearest, half_pixel, round_prefer_floor)
//
// The only Resize that NXP's compiler accepts. Of the roundings, round_prefer_floor (ONNX's default) makes an
// enlargement by an integer factor repeat each pixel, so a nearest Resize by such a factor gives the same result with
// any coordinates; every other Resize changes the result of the network.
#include "core/pass/slots.h"

namespace ql {

class NxpResizeMode final : public Pass
{
public:
    explicit NxpResizeMode(const nlohmann::json &) {}

    std::string_view id() const override { return "nxp_resize_mode"; }

    int run(QuantModel &model, const PassContext &context) const override
    {
        int changed = 0;
        for (const OpId id : model.graph.operations()) {
            const Operation &op = model.graph.operation(id);
            if (op.type != "Resize") continue;
            const std::string mode = op.stringAttribute("mode", "nearest");
            const std::string place = op.stringAttribute("coordinate_transformation_mode", "half_pixel");
            const std::string rounding = op.stringAttribute("nearest_mode", "round_prefer_floor");
            if (mode == "nearest" && place == "half_pixel" && rounding == "round_prefer_floor") continue;
            Operation &edited = model.graph.edit(id);
            edited.attributes.erase("nearest_mode"); // the default is the required mode
            edited.attributes["mode"] = std::string("nearest");
            edited.attributes["coordinate_transformation_mode"] = std::string("half_pixel");
            if (mode != "nearest")
                context.report(
                    {.severity = api::Severity::Info,
                     .op = op.name,
                     .message = QL_TEXT("Resize was '%1', '%2' and is now 'nearest', 'half_pixel'").with(mode, place),
                     .remedy =
                         QL_TEXT("Train or fine-tune the model with nearest interpolation if accuracy suffers.")});
            ++changed;
        }
        return changed;
    }
};

static const PassRegistrar nxpResizeModeRegistrar{
    {.info = {.id = "nxp_resize_mode",
              .title = QL_TEXT("NXP Resize mode"),
              .meaning = QL_TEXT("Before: Resize of any mode. After: nearest, half_pixel, as NXP's compiler requires. "
                                 "Changes the network's result.")},
     .traits = {.kind = PassKind::Float},
     .make = makePassOf<NxpResizeMode>}};

} // namespace ql
