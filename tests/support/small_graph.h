#pragma once

#include "core/ir/graph.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace ql::test {

inline at::Tensor floats(const std::vector<std::int64_t> &shape, const std::vector<float> &values)
{
    at::Tensor out = at::empty(shape, at::TensorOptions().dtype(at::kFloat));
    if (std::size_t(out.numel()) != values.size()) throw std::logic_error("shape and values do not fit");
    std::copy(values.begin(), values.end(), out.data_ptr<float>());
    return out;
}

inline at::Tensor ints(const std::vector<std::int64_t> &values)
{
    at::Tensor out = at::empty({std::int64_t(values.size())}, at::TensorOptions().dtype(at::kLong));
    std::copy(values.begin(), values.end(), out.data_ptr<std::int64_t>());
    return out;
}

/// start, start + step, ...
inline at::Tensor ramp(const std::vector<std::int64_t> &shape, float start, float step)
{
    at::Tensor out = at::empty(shape, at::TensorOptions().dtype(at::kFloat));
    for (std::int64_t i = 0; i < out.numel(); ++i) out.data_ptr<float>()[i] = start + step * float(i);
    return out;
}

inline std::vector<double> values(const at::Tensor &tensor)
{
    const at::Tensor wide = tensor.to(at::kDouble).contiguous().view({-1});
    return {wide.data_ptr<double>(), wide.data_ptr<double>() + wide.numel()};
}

/// A graph written down by names: tensors come into being when they are first mentioned, "" is an omitted input.
struct SmallGraph
{
    Graph graph;

    explicit SmallGraph(std::int64_t opset = 13) : m_opset(opset) { graph.opsets[""] = opset; }

    VarId tensor(const std::string &name)
    {
        if (name.empty()) return noVar;
        const VarId known = graph.findVariable(name);
        return known != noVar ? known : graph.addVariable(name);
    }
    void input(const std::string &name, const std::vector<std::int64_t> &dims = {}, at::ScalarType type = at::kFloat)
    {
        const VarId id = tensor(name);
        graph.edit(id).type.dtype = type;
        if (!dims.empty()) {
            graph.edit(id).type.shape.emplace();
            for (const std::int64_t d : dims) graph.edit(id).type.shape->push_back({d, {}});
        }
        std::vector<VarId> ids = graph.inputs();
        ids.push_back(id);
        graph.setInputs(std::move(ids));
    }
    void output(const std::string &name)
    {
        std::vector<VarId> ids = graph.outputs();
        ids.push_back(tensor(name));
        graph.setOutputs(std::move(ids));
    }
    void parameter(const std::string &name, at::Tensor value) { graph.setValue(tensor(name), std::move(value)); }
    OpId op(const std::string &type, const std::string &name, const std::vector<std::string> &inputs,
            const std::vector<std::string> &outputs, std::map<std::string, Attribute, std::less<>> attributes = {})
    {
        Operation operation;
        operation.type = type;
        operation.name = name;
        operation.opset = m_opset;
        operation.attributes = std::move(attributes);
        for (const std::string &input : inputs) operation.inputs.push_back(tensor(input));
        for (const std::string &output : outputs) operation.outputs.push_back(tensor(output));
        return graph.addOperation(std::move(operation));
    }

private:
    std::int64_t m_opset;
};

/// Reading side of SmallGraph.
inline const Operation &op(const Graph &graph, const std::string &name)
{
    return graph.operation(graph.findOperation(name));
}
inline bool hasOp(const Graph &graph, const std::string &name)
{
    return graph.findOperation(name) != noOp;
}
/// "a,b,-": names of the inputs, - for an omitted one.
inline std::string inputNames(const Graph &graph, const std::string &opName)
{
    std::string out;
    for (const VarId id : op(graph, opName).inputs)
        out += (out.empty() ? "" : ",") + (id == noVar ? std::string("-") : graph.variable(id).name);
    return out;
}
inline std::string outputNames(const Graph &graph)
{
    std::string out;
    for (const VarId id : graph.outputs()) out += (out.empty() ? "" : ",") + graph.variable(id).name;
    return out;
}
inline const at::Tensor &valueOf(const Graph &graph, const std::string &opName, std::size_t input)
{
    return graph.variable(op(graph, opName).inputs.at(input)).value;
}

} // namespace ql::test
