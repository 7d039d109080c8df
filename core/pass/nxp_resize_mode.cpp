// Before: Resize (linear, align_corners ...)        After: Resize (nearest, half_pixel)
//
// The only Resize that NXP's compiler takes. This changes what the network computes.
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
            if (mode == "nearest" && place == "half_pixel") continue;
            Operation &edited = model.graph.edit(id);
            edited.attributes["mode"] = std::string("nearest");
            edited.attributes["coordinate_transformation_mode"] = std::string("half_pixel");
            context.report({"info",
                            op.name,
                            {},
                            "Resize was '" + mode + "', '" + place + "' and is now 'nearest', 'half_pixel'",
                            "Train or fine-tune the model with nearest interpolation if accuracy suffers."});
            ++changed;
        }
        return changed;
    }
};

static const PassRegistrar registrar{
    "nxp_resize_mode", passEntry<NxpResizeMode>(PassKind::Float, "nxp_resize_mode", "NXP Resize mode",
                                                "Before: Resize of any mode. After: nearest, half_pixel, which is what "
                                                "NXP's compiler accepts. Changes the network's result.")};

} // namespace ql
