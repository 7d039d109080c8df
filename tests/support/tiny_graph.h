#pragma once

#include "core/ir/graph.h"

#include <ATen/ops/zeros.h>

#include <string>
#include <utility>
#include <vector>

namespace ql::test {

/// Writes small graphs in a line each. The graph input is "x"; an operation "conv" writes "conv_out" (and "conv_out1"
/// ... when it has more outputs). "" is an omitted input.
class TinyGraph
{
public:
    Graph graph;

    TinyGraph() { graph.setInputs({graph.addVariable("x", type({1, 4, 8, 8}))}); }

    static TensorType type(const std::vector<std::int64_t> &sizes, at::ScalarType dtype = at::kFloat)
    {
        TensorType out;
        out.dtype = dtype;
        out.shape.emplace();
        for (const std::int64_t size : sizes) out.shape->push_back({size, {}});
        return out;
    }
    TinyGraph &parameter(const std::string &name, const std::vector<std::int64_t> &sizes,
                         at::ScalarType dtype = at::kFloat)
    {
        graph.addParameter(name, at::zeros(sizes, dtype));
        return *this;
    }
    OpId op(const std::string &name, const std::string &opType, const std::vector<std::string> &inputs,
            std::map<std::string, Attribute, std::less<>> attributes = {}, int outputs = 1)
    {
        Operation operation;
        operation.name = name;
        operation.type = opType;
        operation.attributes = std::move(attributes);
        for (const std::string &input : inputs)
            operation.inputs.push_back(input.empty() ? noVar : graph.findVariable(input));
        for (int i = 0; i < outputs; ++i)
            operation.outputs.push_back(graph.addVariable(name + "_out" + (i ? std::to_string(i) : "")));
        return graph.addOperation(std::move(operation));
    }
    OpId operator[](const std::string &name) const { return graph.findOperation(name); }
};

} // namespace ql::test
