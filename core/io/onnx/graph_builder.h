#pragma once

#include "core/api/params.h"
#include "core/io/onnx/tensor_reader.h"
#include "core/ir/graph.h"

#include <functional>
#include <map>
#include <memory>
#include <onnx/onnx_pb.h>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ql::onnx_io {

using Opsets = std::map<std::string, std::int64_t>;

/// "" for ai.onnx under both of its names.
std::string normalDomain(const std::string &domain);
/// Versions by domain. @throws Error (InvalidModel) if a domain is imported in two versions.
Opsets readOpsets(const google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto> &imports);

/// Creates Graphs from GraphProtos: the model's, and the bodies of control flow in it. Functions of the model are
/// inlined.
class GraphBuilder
{
public:
    GraphBuilder(onnx::ModelProto &model, const std::filesystem::path &file, Opsets opsets,
                 std::function<void(api::Problem)> report);
    /// The model's graph. Called once: tensors are moved out of the model.
    Graph build();

private:
    /// The scope of names for the nodes being added: that of a graph, or of a function's body (whose formal inputs and
    /// outputs refer to the caller's variables).
    struct Names
    {
        std::unordered_map<std::string, VarId> ids;
        std::string prefix; ///< of tensors and nodes that the names do not contain yet
    };
    struct Call
    {
        const Opsets *opsets = nullptr;
        std::map<std::string, onnx::AttributeProto *> attributes; ///< values of a function's attribute references
        int depth = 0;                                            ///< functions around the node
    };
    struct Scope
    {
        Graph graph;
        std::unordered_set<std::string> nodeNames;        ///< explicit and generated names
        std::unordered_map<std::string, int> sharedNames; ///< used by several nodes; the number of the next one
        std::unordered_set<std::string> stringTensors;    ///< initialisers that have no tensor
        std::set<VarId> inputs;
    };

    /// captured: nullptr for the model's graph; otherwise receives the outer names that the body reads.
    Graph buildGraph(onnx::GraphProto &proto, const Call &call, std::vector<std::string> *captured);
    void addInitializers(onnx::GraphProto &proto, Scope &scope, Names &names, const Call &call);
    void addTypes(const onnx::GraphProto &proto, Scope &scope, const Names &names) const;
    void checkProvided(Scope &scope, const Names &names, std::vector<std::string> *captured) const;
    void recordDeclaredTypes(Operation &op, Scope &scope) const;
    std::int64_t opsetOf(const Operation &op, const Call &call);
    /// @returns the outer names that bodies of op read.
    std::vector<std::string> readAttributes(onnx::NodeProto &node, Operation &op, Scope &scope, Names &names,
                                            const Call &call);
    void linkOutputs(const onnx::NodeProto &node, Operation &op, Scope &scope, Names &names);
    void addNode(onnx::NodeProto &node, Scope &scope, Names &names, const Call &call, std::int64_t index);
    void inlineFunction(onnx::FunctionProto &function, onnx::NodeProto &node, const std::string &name, Scope &scope,
                        Names &names, const Call &call);
    std::string nodeName(const onnx::NodeProto &node, Scope &scope, const Names &names, std::int64_t index) const;
    Attribute readAttribute(onnx::AttributeProto &proto, const std::string &op, const Call &call,
                            std::vector<std::string> &captured);
    at::Tensor readTensor(onnx::TensorProto &proto, const TensorPlace &place, const Call &call);
    VarId variableOf(const std::string &name, Scope &scope, Names &names) const;
    std::map<std::string, onnx::AttributeProto> &functionDefaults(onnx::FunctionProto &function);
    /// What an error is about; printable names, empty where it is about none.
    struct About
    {
        std::string op = {}, variable = {};
    };
    [[noreturn]] void fail(const Text &message, const About &about, const Text &remedy = {}) const;

    onnx::ModelProto &m_model;
    Opsets m_opsets;
    std::function<void(api::Problem)> m_report;
    TensorReader m_tensors;
    std::map<std::pair<std::string, std::string>, onnx::FunctionProto *> m_functions;
    std::map<onnx::FunctionProto *, std::map<std::string, onnx::AttributeProto>> m_defaults;
    std::unordered_map<const onnx::TensorProto *, at::Tensor> m_constants; ///< of functions, read once for all calls
    std::unordered_set<std::string> m_missingDomains;                      ///< reported
    std::unordered_set<std::string> m_unknownAttributes;                   ///< reported, once per type
    std::int64_t m_nodes = 0;
};

} // namespace ql::onnx_io
