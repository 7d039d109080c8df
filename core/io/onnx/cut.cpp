// Other outputs for an ONNX file, in its own protobuf: nothing else changes.
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/io/model_file.h"
#include "core/io/onnx/tensor_reader.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace ql {

namespace fs = std::filesystem;

namespace {

onnx::ModelProto modelToEdit(const fs::path &file)
{
    onnx::ModelProto model;
    if (!model.ParseFromString(readFile(file)))
        throw Error(ErrorKind::InvalidModel, QL_TEXT("the ONNX file is damaged: it cannot be parsed"))
            .inFile(file.string());
    return model;
}

/// All names that a node reads, also in its bodies.
template <class Names>
void addReads(const onnx::NodeProto &node, Names &names)
{
    names.insert(node.input().begin(), node.input().end());
    for (const auto &attribute : node.attribute()) {
        for (const auto &inner : attribute.g().node()) addReads(inner, names);
        for (const auto &output : attribute.g().output()) names.insert(output.name());
        for (const auto &graph : attribute.graphs())
            for (const auto &inner : graph.node()) addReads(inner, names);
    }
}

std::map<std::string, FileTensor> tensorsOfOnnx(const fs::path &file)
{
    onnx::ModelProto model = modelToEdit(file);
    onnx_io::TensorReader reader(file, [](const api::Problem &) {});
    std::unordered_map<std::string, onnx::TensorProto *> parameters;
    for (onnx::TensorProto &tensor : *model.mutable_graph()->mutable_initializer()) parameters[tensor.name()] = &tensor;
    const auto parameter = [&](const onnx::NodeProto &node, int input) {
        const auto found = input < node.input_size() ? parameters.find(node.input(input)) : parameters.end();
        return found == parameters.end() ? at::Tensor()
                                         : reader.read(*found->second, {node.name(), node.input(input)}, false);
    };
    std::unordered_map<std::string, const onnx::NodeProto *> producers;
    std::unordered_map<std::string, int> readers;
    std::set<std::string> inputs;
    for (const auto &input : model.graph().input()) inputs.insert(input.name());
    std::map<std::string, FileTensor> tensors;
    const auto addCodes = [&](const std::string &name, const onnx::NodeProto &node, const std::string &codes) {
        FileTensor &tensor = tensors[name];
        tensor.name = name;
        tensor.scale = parameter(node, 1);
        if (!tensor.scale.defined()) return; // computed at run time
        tensor.codes = codes;
        tensor.zeroPoint = parameter(node, 2);
        for (const auto &attribute : node.attribute())
            if (attribute.name() == "axis") tensor.axis = attribute.i();
        if (tensor.axis < 0 && tensor.scale.numel() > 1) tensor.axis = 1; // the default
    };
    for (const onnx::NodeProto &node : model.graph().node()) {
        for (const std::string &input : node.input()) ++readers[input];
        for (const std::string &output : node.output()) {
            producers[output] = &node;
            tensors[output].name = output;
            addReads(node, tensors[output].reads);
        }
        if (node.op_type() == "QuantizeLinear" && inputs.contains(node.input(0)))
            addCodes(node.input(0), node, node.output(0));
        if (node.op_type() != "DequantizeLinear") continue;
        const auto quantize = producers.find(node.input(0));
        if (quantize != producers.end() && quantize->second->op_type() == "QuantizeLinear")
            addCodes(node.output(0), node, node.input(0));
    }
    tensors.erase("");
    for (const auto &[name, tensor] : tensors) {
        const auto restore = producers.find(name);
        if (tensor.codes.empty() || restore == producers.end()) continue;
        const std::string &from = producers.at(tensor.codes)->input(0);
        if (readers[from] == 1 && readers[tensor.codes] == 1 && producers.contains(from)) tensors[from].rounded = name;
    }
    return tensors;
}

std::map<std::string, at::Tensor> parametersOfOnnx(const fs::path &file)
{
    onnx::ModelProto model = modelToEdit(file);
    onnx_io::TensorReader reader(file, [](const api::Problem &) {});
    std::map<std::string, at::Tensor> parameters;
    for (onnx::TensorProto &tensor : *model.mutable_graph()->mutable_initializer())
        parameters[tensor.name()] = reader.read(tensor, {{}, tensor.name()}, true);
    return parameters;
}

/// The nodes that the outputs need, by position, and all names that these read, with the outputs.
struct Needed
{
    std::vector<bool> nodes;
    std::unordered_set<std::string> names;
};

Needed neededNodes(const onnx::GraphProto &graph)
{
    Needed needed{.nodes = std::vector<bool>(std::size_t(graph.node_size()), false), .names = {}};
    for (const auto &output : graph.output()) needed.names.insert(output.name());
    for (int i = graph.node_size() - 1; i >= 0; --i) { // producers come first in a file
        const onnx::NodeProto &node = graph.node(i);
        for (const std::string &output : node.output())
            if (needed.names.contains(output)) needed.nodes[std::size_t(i)] = true;
        if (needed.nodes[std::size_t(i)]) addReads(node, needed.names);
    }
    return needed;
}

/// Makes outputs of what other nodes compute from tensors that the outputs need and from constants alone: a runtime
/// that may overwrite a tensor, because nothing else reads it, fuses other operations.
void keepOtherReaders(onnx::GraphProto &graph)
{
    const Needed needed = neededNodes(graph);
    std::unordered_set<std::string> constants{""}, computed;
    for (const auto &tensor : graph.initializer()) constants.insert(tensor.name());
    for (const auto &input : graph.input())
        if (!constants.contains(input.name())) computed.insert(input.name());
    std::unordered_set<std::string> asked;
    for (const auto &output : graph.output()) asked.insert(output.name());
    std::vector<std::string> others;
    for (int i = 0; i < graph.node_size(); ++i) {
        const onnx::NodeProto &node = graph.node(i);
        std::unordered_set<std::string> reads;
        addReads(node, reads);
        const auto isConstant = [&](const std::string &name) { return constants.contains(name); };
        const auto isThere = [&](const std::string &name) { return isConstant(name) || computed.contains(name); };
        if (std::all_of(reads.begin(), reads.end(), isConstant)) {
            constants.insert(node.output().begin(), node.output().end());
        } else if (needed.nodes[std::size_t(i)]) {
            computed.insert(node.output().begin(), node.output().end());
        } else if (std::all_of(reads.begin(), reads.end(), isThere) &&
                   std::none_of(reads.begin(), reads.end(), [&](const auto &name) { return asked.contains(name); })) {
            others.push_back(node.output(0));
        }
    }
    for (const std::string &name : others) graph.add_output()->set_name(name);
}

/// Removes the nodes and parameters that no output needs.
void prune(onnx::GraphProto &graph)
{
    const auto &[keep, needed] = neededNodes(graph);
    google::protobuf::RepeatedPtrField<onnx::NodeProto> nodes;
    for (int i = 0; i < graph.node_size(); ++i)
        if (keep[std::size_t(i)]) nodes.Add()->Swap(graph.mutable_node(i));
    graph.mutable_node()->Swap(&nodes);
    google::protobuf::RepeatedPtrField<onnx::TensorProto> parameters;
    for (auto &tensor : *graph.mutable_initializer())
        if (needed.contains(tensor.name())) parameters.Add()->Swap(&tensor);
    graph.mutable_initializer()->Swap(&parameters);
}

void writeWithOutputs(const fs::path &from, const fs::path &to, const std::vector<std::string> &outputs,
                      bool keepOutputs)
{
    onnx::ModelProto model = modelToEdit(from);
    onnx::GraphProto &graph = *model.mutable_graph();
    for (const auto &tensor : graph.initializer())
        if (tensor.data_location() == onnx::TensorProto::EXTERNAL)
            throw Error(ErrorKind::BadConfig,
                        QL_TEXT("the parameters of the file are in another file: it cannot be cut"))
                .inFile(from.string());
    std::unordered_map<std::string, int> types; // of codes: that of the zero point
    std::unordered_map<std::string, int> parameterTypes;
    for (const auto &tensor : graph.initializer()) parameterTypes[tensor.name()] = tensor.data_type();
    for (const auto &value : graph.value_info()) types[value.name()] = value.type().tensor_type().elem_type();
    for (const onnx::NodeProto &node : graph.node())
        if (node.op_type() == "QuantizeLinear")
            types[node.output(0)] = node.input_size() > 2 ? parameterTypes[node.input(2)] : onnx::TensorProto::UINT8;
    if (!keepOutputs) graph.clear_output();
    std::set<std::string> known;
    for (const auto &output : graph.output()) known.insert(output.name());
    for (const std::string &name : outputs) {
        if (!known.insert(name).second) continue;
        onnx::ValueInfoProto &output = *graph.add_output();
        output.set_name(name);
        const int type = types[name];
        output.mutable_type()->mutable_tensor_type()->set_elem_type(type ? type : int(onnx::TensorProto::FLOAT));
    }
    if (!keepOutputs) {
        keepOtherReaders(graph);
        prune(graph);
    }
    writeFileAtomically(to, [&](std::ostream &out) {
        if (!model.SerializeToOstream(&out)) out.setstate(std::ios::failbit);
    });
}

const Registrar<ModelFileEntry> onnxFiles{
    ".onnx", {.tensors = tensorsOfOnnx, .parameters = parametersOfOnnx, .writeWithOutputs = writeWithOutputs}};

} // namespace

} // namespace ql
