#pragma once

#include "core/quant/quant_plan.h"

#include <ATen/ops/linspace.h>
#include <string>
#include <utility>
#include <vector>

namespace ql::test {

/// Values spread over [-1, 1] in a scrambled but fixed order.
inline at::Tensor spread(at::IntArrayRef sizes)
{
    std::int64_t count = 1;
    for (const std::int64_t size : sizes) count *= size;
    at::Tensor values = at::linspace(-1, 1, count);
    float *data = values.data_ptr<float>();
    for (std::int64_t i = 0; i < count; ++i) std::swap(data[i], data[(i * 7919 + 13) % count]);
    return values.reshape(sizes);
}

/// Adds an operation of opset 13 that writes new variables.
inline OpId addOp(Graph &graph, const std::string &name, const std::string &type, const std::vector<VarId> &inputs,
                  const std::vector<std::string> &outputs,
                  std::map<std::string, Attribute, std::less<>> attributes = {})
{
    Operation op;
    op.name = name;
    op.type = type;
    op.opset = 13;
    op.inputs = inputs;
    op.attributes = std::move(attributes);
    for (const std::string &output : outputs) op.outputs.push_back(graph.addVariable(output));
    return graph.addOperation(std::move(op));
}

/// x [1, 3, 8, 8] -> conv1 (w1, b1) -> relu1 -> gap -> flat -> fc (w2, b2) -> y [1, 5]; opset 13, float32.
inline Graph toyGraph()
{
    Graph graph;
    graph.opsets[""] = 13;
    const VarId x = graph.addVariable("x", {at::kFloat, std::vector<Dim>{{1, {}}, {3, {}}, {8, {}}, {8, {}}}});
    const auto out = [&](OpId id) { return graph.operation(id).outputs[0]; };
    const OpId conv = addOp(graph, "conv1", "Conv",
                            {x, graph.addParameter("w1", spread({4, 3, 3, 3})), graph.addParameter("b1", spread({4}))},
                            {"c1"}, {{"pads", std::vector<std::int64_t>{1, 1, 1, 1}}});
    const OpId relu = addOp(graph, "relu1", "Relu", {out(conv)}, {"r1"});
    const OpId gap = addOp(graph, "gap", "GlobalAveragePool", {out(relu)}, {"p"});
    const OpId flat = addOp(graph, "flat", "Flatten", {out(gap)}, {"f"});
    const OpId fc = addOp(graph, "fc", "Gemm",
                          {out(flat), graph.addParameter("w2", spread({5, 4})), graph.addParameter("b2", spread({5}))},
                          {"y"}, {{"transB", std::int64_t{1}}});
    graph.setInputs({x});
    graph.setOutputs({out(fc)});
    graph.verify();
    return graph;
}

/// toyGraph with a plan: activations per tensor, conv weight per channel, relu output on its own grid and conv output
/// overlapped by it, int32 bias of the convolution, float bias of the Gemm.
inline QuantModel toyModel()
{
    QuantModel model;
    model.graph = toyGraph();
    const auto op = [&](const char *name) { return model.graph.findOperation(name); };
    const auto config = [](QuantState state, std::vector<float> scale) {
        TensorQuantConfig c;
        c.state = state;
        c.zeroPoint.assign(scale.size(), 0);
        c.scale = std::move(scale);
        return c;
    };
    for (const OpId id : model.graph.operations()) model.dispatch[id] = {"TEST", "all of it"};
    model.plan.set(inputSlot(op("conv1"), 0), config(QuantState::Active, {0.01f}));
    TensorQuantConfig weight = config(QuantState::Baked, {0.007f, 0.008f, 0.006f, 0.0075f});
    weight.channelAxis = 0;
    model.plan.set(inputSlot(op("conv1"), 1), weight);
    TensorQuantConfig bias = config(QuantState::Baked, {0.00007f, 0.00008f, 0.00006f, 0.000075f});
    bias.channelAxis = 0;
    bias.bits = 32;
    bias.quantMin = -2147483647;
    bias.quantMax = 2147483647;
    model.plan.set(inputSlot(op("conv1"), 2), bias);
    model.plan.set(outputSlot(op("conv1")), config(QuantState::Initial, {}));
    TensorQuantConfig relu = config(QuantState::Active, {0.03f});
    relu.symmetric = false;
    relu.quantMin = 0;
    relu.quantMax = 255;
    relu.zeroPoint = {3};
    model.plan.set(outputSlot(op("relu1")), relu);
    model.plan.overlap(outputSlot(op("conv1")), outputSlot(op("relu1")), Origin::pass("quantize_fusion"));
    model.plan.set(inputSlot(op("fc"), 0), config(QuantState::Active, {0.02f}));
    model.plan.set(inputSlot(op("fc"), 1), config(QuantState::Baked, {0.0081f}));
    TensorQuantConfig off;
    off.state = QuantState::Off;
    model.plan.set(inputSlot(op("fc"), 2), off);
    model.plan.set(outputSlot(op("fc")), config(QuantState::Active, {0.05f}));
    model.plan.verify(model.graph);
    return model;
}

} // namespace ql::test
