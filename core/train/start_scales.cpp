#include "core/train/start_scales.h"

#include "core/ir/op_traits.h"
#include "core/quant/groups.h"
#include "core/quant/quantize.h"

#include <ATen/TensorOperators.h>

namespace ql {

bool hasFreeScale(const QuantPlan &plan, Slot slot, const std::set<Slot> &fixedScales)
{
    const TensorQuantConfig *config = plan.simulated(slot);
    return config && config->isApplied() && !config->parent && !config->isFloating() && !config->dynamic &&
           !config->powerOfTwo && config->scaleFormat == ScaleFormat::Float32 && !fixedScales.contains(slot);
}

/// The sum of squared rounding errors for each scale.
static at::Tensor errorsOf(const at::Tensor &value, const TensorQuantConfig &config, const std::vector<float> &scale)
{
    const at::Tensor error = (fakeQuant(value, config, scale, config.zeroPoint) - value).pow(2);
    if (config.isGrouped()) return groupRows(error, config).sum(1);
    if (!config.channelAxis) return error.sum().reshape({1});
    return error.transpose(0, *config.channelAxis).flatten(1).sum(1);
}

/// @returns whether a scale changed
static bool refine(const at::Tensor &value, TensorQuantConfig &config)
{
    constexpr int steps = 30;
    constexpr float stride = 0.02f;
    const std::vector<float> first = config.scale;
    at::Tensor smallest = errorsOf(value, config, first).contiguous();
    bool isChanged = false;
    for (int i = 1; i <= steps; ++i) {
        std::vector<float> tried = first;
        for (float &scale : tried) scale *= 1 - stride * float(i);
        const at::Tensor errors = errorsOf(value, config, tried).contiguous();
        for (std::size_t c = 0; c < tried.size(); ++c) {
            float &best = smallest.data_ptr<float>()[c];
            if (errors.data_ptr<float>()[c] >= best) continue;
            best = errors.data_ptr<float>()[c];
            config.scale[c] = tried[c];
            isChanged = true;
        }
    }
    return isChanged;
}

int refineWeightScales(QuantModel &model, const Block &block, const std::set<Slot> &fixedScales, const Origin &origin)
{
    int changed = 0;
    for (const OpId id : block.ops) {
        const auto &weights = traitsOf(model.graph.operation(id)).weights;
        if (!weights || !model.isQuantized(id)) continue;
        const Slot slot = inputSlot(id, std::size_t(weights->weight));
        if (!hasFreeScale(model.plan, slot, fixedScales)) continue;
        TensorQuantConfig &config = *model.plan.find(slot);
        const VarId variable = variableOf(model.graph, slot);
        if (config.state != QuantState::Active || config.bits < 3 || config.bits > 7 ||
            !model.graph.isParameter(variable) || model.graph.variable(variable).uses.size() != 1)
            continue;
        const at::Tensor value = model.plan.parameterValue(model.graph, variable);
        if (value.scalar_type() != at::kFloat || value.dim() == 0 || !refine(value.contiguous(), config)) continue;
        model.plan.mark(config, ConfigField::Scale, origin);
        ++changed;
    }
    return changed;
}

} // namespace ql
