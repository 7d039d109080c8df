#pragma once

#include "pass_support.h"

namespace ql::test {

/// x [1, 2, 1, 4] -> Conv with the weights -> t; t + x -> y. Codes of x at 1/4, of t at 1, of y at 1/8. zero: the zero
/// point of x, whose codes are unsigned if it is not 0.
inline QuantModel convAndAdd(const at::Tensor &weight, std::int32_t zero = 0)
{
    SmallGraph g;
    g.input("x", {1, 2, 1, 4});
    g.parameter("w", weight);
    g.op("Conv", "conv", {"x", "w"}, {"t"}, {{"pads", std::vector<std::int64_t>{0, 0, 0, weight.size(3) - 1}}});
    g.op("Add", "add", {"t", "x"}, {"y"});
    g.output("y");
    QuantModel model = configured(std::move(g.graph));
    for (TensorQuantConfig *input : {model.plan.find(in(model, "conv")), model.plan.find(in(model, "add", 1))})
        if (zero > 0) input->symmetric = false, input->quantMin = 0, input->quantMax = 255;
    const auto set = [&](Slot slot, float scale, std::int32_t zeroPoint = 0) {
        model.plan.setScale(slot, {scale}, {zeroPoint}, QuantState::Active, {});
    };
    set(in(model, "conv"), 0.25f, zero);
    set(in(model, "conv", 1), 1.f);
    set(out(model, "conv"), 1.f);
    set(in(model, "add", 1), 0.25f, zero);
    set(out(model, "add"), 0.125f);
    model.plan.overlap(in(model, "add"), out(model, "conv"), {});
    TensorQuantConfig &wide = *model.plan.find(out(model, "add"));
    wide.bits = 24;
    wide.quantMin = -(1 << 23);
    wide.quantMax = (1 << 23) - 1;
    return model;
}

/// y for the values of x.
inline std::vector<float> valuesFor(const QuantModel &model, const std::vector<float> &x)
{
    const at::Tensor y = forward(model, Feed{{"x", floats({1, 2, 1, 4}, x)}}, true).at(0).contiguous();
    return {y.data_ptr<float>(), y.data_ptr<float>() + y.numel()};
}

} // namespace ql::test
