// Before: Softmax output (active)        After: Softmax output (initial, observer isotone)
//
// Marks the outputs of classifiers, so that calibrate gives them scales with which the largest score stays larger than
// the second one after rounding (observer isotone, core/observer/isotone.cpp). variables: tensors to mark, each along
// axis; empty: the output of each quantized Softmax, along its own axis. A tensor that shares the scale of another one
// is left out when it is found automatically; a named one is an error. (PPQ 0.6.6, IsotoneCalibrationPass, which runs
// its own calibration after the other passes: here it runs before calibrate.)
#include "core/base/error.h"
#include "core/pass/slots.h"

namespace ql {

static const Origin isotoneCalibrationOrigin = Origin::pass("isotone_calibration");

class IsotoneCalibration final : public Pass
{
public:
    explicit IsotoneCalibration(const nlohmann::json &params)
        : m_variables(params["variables"].get<std::vector<std::string>>()), m_axis(params["axis"])
    {}

    std::string_view id() const override { return "isotone_calibration"; }

    int run(QuantModel &model, const PassContext &) const override
    {
        int changed = 0;
        for (const std::string &name : m_variables) changed += mark(model, slotOf(model, name), m_axis);
        if (!m_variables.empty()) return changed;
        for (const OpId id : model.graph.operations()) {
            const Operation &op = model.graph.operation(id);
            if (op.type != "Softmax" || !model.isQuantized(id)) continue;
            const TensorQuantConfig *config = model.plan.find(outputSlot(id));
            if (!config || config->parent || config->isPerChannel() || config->isFloating()) continue;
            if (config->state != QuantState::Initial && config->state != QuantState::Active) continue;
            changed += mark(model, outputSlot(id), int(op.intAttribute("axis", op.opset < 13 ? 1 : -1)));
        }
        return changed;
    }

private:
    static Slot slotOf(const QuantModel &model, const std::string &name)
    {
        const VarId id = model.graph.findVariable(name);
        if (id == noVar)
            throw Error(ErrorKind::BadConfig, QL_TEXT("variables: the model has no tensor '%1'").with(name))
                .withRemedy(QL_TEXT("Name tensors of the model."));
        const Variable &variable = model.graph.variable(id);
        const auto refuse = [&](const Text &why) {
            return Error(ErrorKind::BadConfig, why, {}, name)
                .withRemedy(QL_TEXT("Name the output of an operation that has its own scale."));
        };
        if (variable.producer == noOp) throw refuse(QL_TEXT("variables: no operation computes '%1'").with(name));
        const Slot slot = outputSlot(variable.producer, std::size_t(variable.producerIndex));
        const TensorQuantConfig *config = model.plan.find(slot);
        if (!config || (config->state != QuantState::Initial && config->state != QuantState::Active))
            throw refuse(QL_TEXT("variables: '%1' does not have its own scale").with(name));
        if (config->parent || config->isPerChannel() || config->isFloating())
            throw refuse(QL_TEXT("variables: '%1' has several scales, a floating format or the scale of another tensor")
                             .with(name));
        return slot;
    }

    static int mark(QuantModel &model, Slot slot, int axis)
    {
        TensorQuantConfig &config = *model.plan.find(slot);
        if (config.observer == "isotone" && config.isotoneAxis == axis) return 0;
        config.observer = "isotone";
        config.isotoneAxis = axis;
        model.plan.mark(config, ConfigField::Observer, isotoneCalibrationOrigin);
        if (config.state == QuantState::Active)
            model.plan.setState(slot, QuantState::Initial, isotoneCalibrationOrigin);
        return 1;
    }

    std::vector<std::string> m_variables;
    int m_axis;
};

static const PassRegistrar isotoneCalibrationRegistrar{
    {.info = {.id = "isotone_calibration",
              .title = QL_TEXT("Isotone calibration"),
              .meaning = QL_TEXT(
                  "Before: class scores are calibrated with the platform's observers. After: they are calibrated with "
                  "the observer isotone, so the largest score stays the largest after rounding."),
              .params = {{.name = "variables",
                          .type = "strings",
                          .fallback = nlohmann::json::array(),
                          .meaning = QL_TEXT("Tensors with one score per class; empty: the outputs of Softmax.")},
                         {.name = "axis",
                          .type = "int",
                          .fallback = -1,
                          .meaning = QL_TEXT("The axis of the classes in these tensors; negative: from the end."),
                          .min = -8,
                          .max = 7}}},
     .traits = {.kind = PassKind::Quant, .joins = {PassAspect::ActivationScales}},
     .make = makePassOf<IsotoneCalibration>}};

} // namespace ql
