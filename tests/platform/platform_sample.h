#pragma once

#include "core/platform/definition.h"
#include "core/platform/quantizer.h"
#include "tests/support/tiny_graph.h"

#include <QString>

namespace ql::test {

/// One operation of every kind that platforms treat differently.
inline TinyGraph platformGraph()
{
    TinyGraph g;
    g.parameter("w", {8, 4, 5, 5}).parameter("w3", {8, 4, 3, 3}).parameter("dw", {4, 1, 3, 3});
    g.parameter("wt", {4, 8, 3, 3})
        .parameter("rows", {8, 4})
        .parameter("columns", {4, 8})
        .parameter("batch", {2, 4, 8});
    g.parameter("b", {8})
        .parameter("b4", {4})
        .parameter("low", {})
        .parameter("high", {})
        .parameter("addend", {1, 4, 8, 8});
    g.parameter("shape", {2}, at::kLong).parameter("indices", {3}, at::kLong);
    const auto ints = [](std::vector<std::int64_t> v) { return Attribute(std::move(v)); };
    g.op("conv", "Conv", {"x", "w", "b"});
    g.op("conv_nobias", "Conv", {"x", "w"});
    g.op("conv3", "Conv", {"x", "w3", "b"}, {{"kernel_shape", ints({3, 3})}});
    g.op("conv3_stride", "Conv", {"x", "w3", "b"}, {{"strides", ints({2, 2})}});
    g.op("conv3_group", "Conv", {"x", "dw", "b4"}, {{"group", Attribute(std::int64_t{4})}});
    g.op("conv3_dilated", "Conv", {"x", "w3", ""}, {{"dilations", ints({2, 2})}});
    g.op("conv_t", "ConvTranspose", {"x", "wt", "b"});
    g.op("gemm_t", "Gemm", {"x", "rows", "b"}, {{"transB", Attribute(std::int64_t{1})}});
    g.op("gemm", "Gemm", {"x", "columns", "b"});
    g.op("matmul", "MatMul", {"x", "columns"});
    g.op("matmul3", "MatMul", {"x", "batch"});
    g.op("matmul_act", "MatMul", {"x", "x"});
    g.op("biased", "BiasedMatMul", {"x", "columns", "b"});
    g.op("add", "Add", {"x", "addend"});
    g.op("clip", "Clip", {"x", "low", "high"});
    g.op("reshape", "Reshape", {"x", "shape"});
    g.op("gather", "Gather", {"x", "indices"});
    g.op("norm", "LayerNormalization", {"x", "b", "b"});
    g.op("attention", "Attention", {"x", "columns", "b"});
    g.op("relu", "Relu", {"x"});
    return g;
}

/// "S t 8 [-128,127] half_even percentile initial": symmetry, tensor or channel axis, P for powers of two, bits, range,
/// rounding, observer, state.
inline QString configText(const TensorQuantConfig *c)
{
    if (!c) return "no config";
    QString out = c->symmetric ? "S " : "A ";
    out += c->channelAxis ? QString("c@%1 ").arg(*c->channelAxis) : QString("t ");
    if (c->powerOfTwo) out += "P ";
    if (c->exponentBits) out += QString("e%1 ").arg(c->exponentBits);
    out += QString("%1 [%2,%3] %4 %5 %6")
               .arg(c->bits)
               .arg(c->quantMin)
               .arg(c->quantMax)
               .arg(toString(c->rounding), c->observer.c_str(), toString(c->state));
    return out;
}

/// platformGraph() with every operation sent to one platform by hand, whatever its type.
class PlatformSample
{
public:
    explicit PlatformSample(const std::string &platformId) : m_graph(platformGraph())
    {
        const PlatformDefinition &definition = platform(platformId);
        model.graph = m_graph.graph;
        for (const OpId id : model.graph.operations()) model.dispatch[id] = {definition.id, "test"};
        configure(model, definition);
        model.plan.verify(model.graph);
    }

    /// @param slot number of an input, -1 for the output. @returns configText() of it
    QString text(const std::string &op, int slot) const
    {
        const OpId id = m_graph[op];
        return configText(model.plan.find(slot < 0 ? outputSlot(id) : inputSlot(id, std::size_t(slot))));
    }

    QuantModel model;

private:
    TinyGraph m_graph;
};

} // namespace ql::test
