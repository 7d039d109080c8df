#pragma once

#include "core/ir/body_names.h"
#include "core/quant/quant_plan.h"
#include "tests/support/small_graph.h"

#include <ATen/ops/full.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ql::test {

inline void setScale(QuantModel &model, Slot slot, float scale)
{
    model.plan.set(slot, {});
    model.plan.setScale(slot, {scale}, {0}, QuantState::Active, {});
}

/// 'relu': r = relu(x), then in 'loop' so many times: s = s w ('product') + r ('next'). x: [1, size of w]. The body
/// captures w and r; relu and w are rounded with these scales.
inline QuantModel loopModel(const at::Tensor &w, std::int64_t trips, float scaleOfRelu, float scaleOfWeight)
{
    const std::vector<std::int64_t> size{1, w.size(0)};
    SmallGraph body, g;
    body.input("i", {}, at::kLong);
    body.input("go", {}, at::kBool);
    body.input("s", size);
    body.op("MatMul", "product", {"s", "w"}, {"p"});
    body.op("Add", "next", {"p", "r"}, {"n"});
    body.output("go");
    body.output("n");
    g.input("x", size);
    g.parameter("w", w);
    g.parameter("trips", at::full({}, trips, at::TensorOptions(at::kLong)));
    g.op("Relu", "relu", {"x"}, {"r"});
    g.op("Loop", "loop", {"trips", "", "x", "w", "r"}, {"y"},
         {{"body", std::make_shared<const Graph>(body.graph)},
          {std::string(capturesAttribute), std::vector<std::string>{"w", "r"}}});
    g.output("y");
    QuantModel model;
    model.graph = g.graph;
    const OpId relu = model.graph.findOperation("relu"), loop = model.graph.findOperation("loop");
    for (const OpId op : {relu, loop}) model.dispatch[op] = {"INT8", "test"};
    setScale(model, outputSlot(relu), scaleOfRelu);
    setScale(model, inputSlot(loop, 3), scaleOfWeight);
    return model;
}

/// The same with a quantized body: the inputs of 'product' are rounded.
inline QuantModel quantizedLoop(const at::Tensor &w, std::int64_t trips, float scaleOfRelu, float scaleOfWeight,
                                float scaleOfState)
{
    QuantModel model = loopModel(w, trips, scaleOfRelu, scaleOfWeight), inner;
    const OpId loop = model.graph.findOperation("loop");
    inner.graph = bodyAt(model.graph, {{loop, "body"}});
    inner.graph.setValue(inner.graph.findVariable("w"), w);
    const OpId product = inner.graph.findOperation("product");
    setScale(inner, inputSlot(product, 0), scaleOfState);
    setScale(inner, inputSlot(product, 1), scaleOfWeight);
    model.plan.bodies[loop]["body"] = std::make_shared<const QuantModel>(std::move(inner));
    return model;
}

} // namespace ql::test
