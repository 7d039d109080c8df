#pragma once

#include "tests/pass/pass_support.h"
#include "tests/support/small_graph.h"

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace ql::test {

/// Grows a graph of convolutional and elementwise operations over tensors of one height and width, with a head.
class RandomGraph
{
public:
    static constexpr int side = 8; ///< all tensors but the head's are 1 x channels x side x side

    explicit RandomGraph(unsigned seed) : m_random(seed)
    {
        m_graph.input("x", {1, 3, side, side});
        m_tensors.push_back({"x", 3});
        const int count = 3 + pick(12);
        for (int i = 0; i < count; ++i) grow(std::to_string(i));
        head();
    }
    Graph take() { return std::move(m_graph.graph); }

private:
    struct Tensor
    {
        std::string name;
        int channels;
    };

    int pick(int n) { return int(m_random() % unsigned(n)); }
    std::uint64_t seed() { return m_random(); }
    const Tensor &anyTensor() { return m_tensors[std::size_t(pick(int(m_tensors.size())))]; }
    std::string weight(const std::string &name, const std::vector<std::int64_t> &shape, double deviation)
    {
        m_graph.parameter(name, noise(shape, seed(), deviation));
        return name;
    }
    void done(const std::string &name, int channels) { m_tensors.push_back({name, channels}); }

    void convolution(const std::string &n, const Tensor &x)
    {
        const int kernel = pick(2) ? 3 : 1, padding = kernel / 2;
        const bool depthwise = pick(3) == 0;
        const int channels = depthwise ? x.channels : 2 + pick(6);
        const int inner = depthwise ? 1 : x.channels;
        std::vector<std::string> inputs{x.name, weight("w" + n, {channels, inner, kernel, kernel},
                                                       1.0 / std::sqrt(double(inner * kernel * kernel)))};
        if (pick(2)) inputs.push_back(weight("b" + n, {channels}, 0.2));
        m_graph.op("Conv", "conv" + n, inputs, {"t" + n},
                   {{"kernel_shape", std::vector<std::int64_t>{kernel, kernel}},
                    {"pads", std::vector<std::int64_t>(4, padding)},
                    {"group", std::int64_t(depthwise ? channels : 1)}});
        done("t" + n, channels);
    }

    void grow(const std::string &n)
    {
        const Tensor x = anyTensor();
        const std::string y = "t" + n;
        const std::vector<std::int64_t> three{3, 3}, ones(4, 1);
        switch (pick(11)) {
        case 0:
        case 1:
        case 2:
        case 3: return convolution(n, x);
        case 4: m_graph.op("Relu", "relu" + n, {x.name}, {y}); break;
        case 5: {
            m_graph.parameter("low" + n, floats({}, {0}));
            m_graph.parameter("high" + n, floats({}, {6}));
            m_graph.op("Clip", "clip" + n, {x.name, "low" + n, "high" + n}, {y});
            break;
        }
        case 6: m_graph.op(pick(2) ? "Sigmoid" : "Tanh", "act" + n, {x.name}, {y}); break;
        case 7: m_graph.op("LeakyRelu", "leaky" + n, {x.name}, {y}, {{"alpha", 0.1f}}); break;
        case 8: {
            std::vector<Tensor> partners;
            for (const Tensor &t : m_tensors)
                if (t.channels == x.channels) partners.push_back(t);
            m_graph.op(pick(2) ? "Add" : "Mul", "two" + n,
                       {x.name, partners[std::size_t(pick(int(partners.size())))].name}, {y});
            break;
        }
        case 9: {
            const Tensor other = anyTensor();
            m_graph.op("Concat", "cat" + n, {x.name, other.name}, {y}, {{"axis", std::int64_t(1)}});
            return done(y, x.channels + other.channels);
        }
        default:
            m_graph.op(pick(2) ? "MaxPool" : "AveragePool", "pool" + n, {x.name}, {y},
                       {{"kernel_shape", three}, {"pads", ones}});
        }
        done(y, x.channels);
    }

    void head()
    {
        const Tensor last = m_tensors.back();
        m_graph.op("GlobalAveragePool", "gap", {last.name}, {"pooled"});
        m_graph.op("Flatten", "flat", {"pooled"}, {"flattened"});
        m_graph.op("Gemm", "fc", {"flattened", weight("wf", {4, last.channels}, 0.5), weight("bf", {4}, 0.2)}, {"y"},
                   {{"transB", std::int64_t(1)}});
        m_graph.output("y");
        if (last.name != "x") m_graph.output(last.name); // a second output, inside the network
    }

    std::mt19937 m_random;
    SmallGraph m_graph;
    std::vector<Tensor> m_tensors;
};

} // namespace ql::test
