#pragma once

#include "core/exec/executor.h"
#include "core/pass/pass.h"
#include "tests/support/small_graph.h"

#include <ATen/TensorOperators.h>

#include <cmath>
#include <string>
#include <vector>

namespace ql::test {

/// Runs one pass over the graph (runPass verifies it). @returns the number of changes it reports
inline int runFormat(Graph &graph, const std::string &id, const nlohmann::json &params = nlohmann::json::object(),
                     std::vector<api::Problem> *problems = nullptr)
{
    QuantModel model;
    model.graph = graph;
    PassContext context;
    if (problems) context.report = [problems](const api::Problem &problem) { problems->push_back(problem); };
    const int changed = runPass(*makePass(id, params), model, context).changed;
    graph = std::move(model.graph);
    return changed;
}

inline std::vector<at::Tensor> forward(const Graph &graph, const Feed &feed)
{
    return Executor(graph).compile({}).run(feed, {});
}

/// Same shape and type, and no element differs by more than 1e-5 of the largest one.
inline bool agree(const at::Tensor &expected, const at::Tensor &got, double tolerance = 1e-5)
{
    if (expected.sizes() != got.sizes() || expected.scalar_type() != got.scalar_type()) return false;
    const std::vector<double> a = values(expected), b = values(got);
    double largest = 0;
    for (const double v : a) largest = std::max(largest, std::abs(v));
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!(std::abs(a[i] - b[i]) <= tolerance * largest)) return false;
    return true;
}

/// Both graphs have outputs of the same names, and compute the same from feed.
inline bool sameResults(const Graph &before, const Graph &after, const Feed &feed)
{
    if (outputNames(before) != outputNames(after)) return false;
    const std::vector<at::Tensor> a = forward(before, feed), b = forward(after, feed);
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!agree(a[i], b[i])) return false;
    return true;
}

/// Different values of both signs in a fixed order.
inline at::Tensor wave(const std::vector<std::int64_t> &shape, double seed = 1)
{
    at::Tensor out = ramp(shape, 0, 0);
    for (std::int64_t i = 0; i < out.numel(); ++i)
        out.data_ptr<float>()[i] = float(std::sin(seed + 1.7 * double(i) + 0.01 * double(i * i)));
    return out;
}

/// "bn": three channels, each with a different scale and shift; the effect on the second.
inline void addBatchNormOf3(SmallGraph &g, const std::string &from, const std::string &to)
{
    g.parameter("gamma", ramp({3}, 0.5f, 0.3f));
    g.parameter("beta", ramp({3}, -1, 0.4f));
    g.parameter("mean", ramp({3}, 0.2f, -0.1f));
    g.parameter("var", ramp({3}, 0.1f, 0.5f));
    g.op("BatchNormalization", "bn", {from, "gamma", "beta", "mean", "var"}, {to}, {{"epsilon", 0.01f}});
}
inline const double factorOfChannel1 = 0.8 / std::sqrt(0.6 + 0.01);
inline const double shiftOfChannel1 = -0.6 - 0.1 * factorOfChannel1;

} // namespace ql::test
