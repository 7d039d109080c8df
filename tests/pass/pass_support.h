#pragma once

#include "core/pass/pass.h"
#include "tests/support/error_of.h"
#include "tests/support/small_graph.h"

#include <ATen/ops/allclose.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>

#include <QtTest>

#include <cmath>

namespace ql::test {

/// Batches in memory.
class Batches final : public BatchSource
{
public:
    explicit Batches(std::vector<Feed> batches) : m_batches(std::move(batches)) {}
    std::size_t size() const override { return m_batches.size(); }
    Feed batch(std::size_t index) const override { return m_batches.at(index); }

private:
    std::vector<Feed> m_batches;
};

/// Normal numbers from a fixed seed.
inline at::Tensor noise(at::IntArrayRef sizes, std::uint64_t seed, double deviation = 1)
{
    at::Tensor out = at::empty(sizes);
    float *data = out.data_ptr<float>();
    std::uint64_t state = seed * 0x9E3779B97F4A7C15ull + 1;
    const auto uniform = [&state] {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        return (double(state >> 11) + 0.5) / 9007199254740992.0;
    };
    for (std::int64_t i = 0; i < out.numel(); ++i)
        data[i] = float(deviation * std::sqrt(-2 * std::log(uniform())) * std::cos(6.283185307179586 * uniform()));
    return out;
}

inline Batches noiseBatches(at::IntArrayRef sizes, int count, const std::string &name = "x")
{
    std::vector<Feed> feeds;
    for (int i = 0; i < count; ++i) feeds.push_back({{name, noise(sizes, 100 + std::uint64_t(i))}});
    return Batches(std::move(feeds));
}

/// A simple platform: every operation runs on "INT8", float slots are Initial and symmetric per tensor, weights of
/// Conv, ConvTranspose and Gemm minmax, their bias passive; integer tensors and Clip limits Off.
inline QuantModel configured(Graph graph, const std::string &observer = "minmax")
{
    QuantModel model;
    model.graph = std::move(graph);
    for (const OpId id : model.graph.operations()) {
        const Operation &op = model.graph.operation(id);
        model.dispatch[id] = {"INT8", "test"};
        const bool layer = op.type == "Conv" || op.type == "ConvTranspose" || op.type == "Gemm";
        for (std::size_t i = 0; i < op.inputs.size(); ++i) {
            if (op.inputs[i] == noVar) continue;
            const Variable &variable = model.graph.variable(op.inputs[i]);
            TensorQuantConfig config;
            config.observer = variable.isParameter() ? "minmax" : observer;
            if (variable.isParameter() && variable.value.scalar_type() != at::kFloat) config.state = QuantState::Off;
            if (op.type == "Clip" && i > 0) config.state = QuantState::Off;
            if (layer && i == 2) {
                config.state = QuantState::Passive;
                config.bits = 32;
                config.quantMin = -2147483647;
                config.quantMax = 2147483647;
            }
            model.plan.set(inputSlot(id, i), config);
        }
        for (std::size_t o = 0; o < op.outputs.size(); ++o) {
            TensorQuantConfig config;
            config.observer = observer;
            model.plan.set(outputSlot(id, o), config);
        }
    }
    return model;
}

/// Problems reported by the passes.
using Problems = std::vector<api::Problem>;

inline int run(const std::string &pass, QuantModel &model, const nlohmann::json &params = {},
               const BatchSource *data = nullptr, Problems *problems = nullptr, std::size_t steps = 0)
{
    PassContext context;
    context.exec.threads = 1;
    context.calibration = data;
    if (data) context.calibrationSteps = steps ? steps : data->size();
    if (problems) context.report = [problems](api::Problem problem) { problems->push_back(std::move(problem)); };
    return runPass(*makePass(pass, params), model, context).changed;
}

inline Slot in(const QuantModel &model, const std::string &op, std::size_t index = 0)
{
    return inputSlot(model.graph.findOperation(op), index);
}
inline Slot out(const QuantModel &model, const std::string &op, std::size_t index = 0)
{
    return outputSlot(model.graph.findOperation(op), index);
}
inline std::string stateOf(const QuantModel &model, Slot slot)
{
    const TensorQuantConfig *config = model.plan.find(slot);
    return config ? toString(config->state) : "none";
}
inline float scaleOf(const QuantModel &model, Slot slot)
{
    const auto &scale = model.plan.scale(slot);
    return scale.empty() ? 0 : scale[0];
}
/// States, roots and scales of all slots, for "nothing changed".
inline std::string planText(const QuantModel &model)
{
    std::string text;
    for (const auto &[slot, config] : model.plan.configs()) {
        const Slot root = model.plan.root(slot);
        text += std::to_string(index(slot.op)) + (slot.output ? "o" : "i") + std::to_string(slot.index) + " " +
                toString(config.state) + " " + config.observer + " " + toString(config.rounding) + " root " +
                std::to_string(index(root.op)) + (root.output ? "o" : "i") + std::to_string(root.index);
        for (const float scale : model.plan.scale(slot)) text += " " + std::to_string(scale);
        text += "\n";
    }
    return text;
}

/// Outputs of the graph, with the plan or in float.
inline std::vector<at::Tensor> forward(const QuantModel &model, const Feed &feed, bool quantized)
{
    ExecOptions options;
    options.threads = 1;
    const Executor executor(model.graph, options);
    ProgramSpec spec;
    spec.plan = quantized ? &model.plan : nullptr;
    return executor.compile(spec).run(feed, JobContext());
}

inline double largestDifference(const at::Tensor &a, const at::Tensor &b)
{
    const auto x = values(a), y = values(b);
    double largest = 0;
    for (std::size_t i = 0; i < x.size(); ++i) largest = std::max(largest, std::abs(x[i] - y[i]));
    return largest;
}

/// x -> conv1 -> relu -> conv2 -> add(., relu) -> gap -> flatten -> gemm -> y
inline Graph residualGraph()
{
    SmallGraph g;
    g.input("x", {1, 3, 8, 8});
    g.parameter("w1", noise({4, 3, 3, 3}, 1, 0.3));
    g.parameter("b1", noise({4}, 2, 0.1));
    g.parameter("w2", noise({4, 4, 3, 3}, 3, 0.3));
    g.parameter("b2", noise({4}, 4, 0.1));
    g.parameter("w3", noise({5, 4}, 5, 0.5));
    g.parameter("b3", noise({5}, 6, 0.1));
    const std::vector<std::int64_t> pads = {1, 1, 1, 1};
    g.op("Conv", "conv1", {"x", "w1", "b1"}, {"c1"}, {{"pads", pads}});
    g.op("Relu", "relu", {"c1"}, {"r"});
    g.op("Conv", "conv2", {"r", "w2", "b2"}, {"c2"}, {{"pads", pads}});
    g.op("Add", "add", {"c2", "r"}, {"a"});
    g.op("GlobalAveragePool", "gap", {"a"}, {"p"});
    g.op("Flatten", "flatten", {"p"}, {"f"});
    g.op("Gemm", "gemm", {"f", "w3", "b3"}, {"y"}, {{"transB", std::int64_t{1}}});
    g.output("y");
    g.graph.verify();
    return std::move(g.graph);
}
/// The residual network with weights of 3 bits, calibrated on the batches and aligned.
inline QuantModel coarseResidual(const BatchSource &batches)
{
    QuantModel model = configured(residualGraph());
    for (const char *op : {"conv1", "conv2", "gemm"}) {
        TensorQuantConfig &weight = *model.plan.find(in(model, op, 1));
        weight.bits = 3;
        weight.quantMin = -4;
        weight.quantMax = 3;
    }
    for (const char *pass : {"quantize_fusion", "quantize_simplify", "parameter_quantize"}) run(pass, model);
    run("calibrate", model, {{"float_weights_below", 0}}, &batches); // leaves more for training to improve
    run("align", model);
    return model;
}

#define QL_STATE(model, slot, expected) QCOMPARE(QString::fromStdString(stateOf(model, slot)), QString(expected))

} // namespace ql::test
