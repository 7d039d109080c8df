#pragma once

#include "core/base/ids.h"
#include "core/ir/attribute.h"

#include <ATen/core/Tensor.h>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ql {

/// One dimension of a declared or traced shape: a size, or a symbol ("batch") if it is only known at run time.
struct Dim
{
    std::int64_t size = -1; ///< -1: unknown
    std::string symbol;

    friend bool operator==(const Dim &, const Dim &) = default;
};

/// The known part of a variable's element type and shape. dtype is Undefined if unknown or not a tensor of numbers;
/// shape is empty (no value) if even the rank is unknown.
struct TensorType
{
    at::ScalarType dtype = at::ScalarType::Undefined;
    std::optional<std::vector<Dim>> shape;

    bool isStatic() const;
    /// Sizes of a static shape. @pre isStatic()
    std::vector<std::int64_t> sizes() const;
    /// Of a dense tensor; 0 if the type or a size is unknown.
    std::size_t bytes() const;
};

/// The element type in ONNX's spelling ("float32"). "unknown" for Undefined.
std::string dtypeName(at::ScalarType type);
/// The type with this number in ONNX's TensorProto.DataType; Undefined if our tensors do not support it.
at::ScalarType dtypeOfOnnx(std::int64_t number);
/// "1x3x224x224", "?" for an unknown dimension, or its symbol; "unknown" without a rank, "scalar" for rank 0.
std::string toString(const TensorType &type);

/// One consumption of a variable: input number index of op.
struct Use
{
    OpId op = noOp;
    std::int32_t index = 0;

    friend auto operator<=>(const Use &, const Use &) = default;
};

/// A tensor of the network. A variable with a value is a parameter (weights, constant operands).
struct Variable
{
    VarId id = noVar;
    std::string name;
    TensorType type;
    int fileType = 0; ///< TensorProto.DataType in the model's file if values are held in a wider type here; otherwise 0
    at::Tensor value; ///< defined for a parameter; shared between copies of the graph, so never written in place
    OpId producer = noOp; ///< noOp for parameters and graph inputs
    std::int32_t producerIndex = 0;
    std::vector<Use> uses; ///< in order of insertion; an op that reads it twice appears twice

    bool isParameter() const { return value.defined(); }
};

/// A node of the network. Change inputs and outputs only through Graph, which keeps producers and uses consistent.
struct Operation
{
    OpId id = noOp;
    std::string name;
    std::string type;
    std::string domain;     ///< empty for ai.onnx
    std::int64_t opset = 0; ///< version of the operator set of that domain
    std::map<std::string, Attribute, std::less<>> attributes;
    std::vector<VarId> inputs; ///< noVar for an omitted optional input
    std::vector<VarId> outputs;

    /// The attribute, or fallback if it is absent. @throws Error (InvalidModel) if it has another type.
    std::int64_t intAttribute(std::string_view key, std::int64_t fallback) const;
    double floatAttribute(std::string_view key, double fallback) const;
    std::string stringAttribute(std::string_view key, std::string_view fallback) const;
    std::vector<std::int64_t> intsAttribute(std::string_view key, std::vector<std::int64_t> fallback = {}) const;
    std::vector<double> floatsAttribute(std::string_view key, std::vector<double> fallback = {}) const;
    std::vector<std::string> stringsAttribute(std::string_view key) const;
    bool hasAttribute(std::string_view key) const { return attributes.find(key) != attributes.end(); }
    /// Number of inputs, not counting omitted trailing ones.
    std::size_t inputCount() const;
    bool hasInput(std::size_t i) const { return i < inputs.size() && inputs[i] != noVar; }
};

/// The network: operations and variables with stable ids. Copying shares the values of parameters. Operations keep
/// their insertion order, which breaks ties in topological() and drives passes, so results are stable.
class Graph
{
public:
    std::string name;
    std::map<std::string, std::int64_t> opsets; ///< domain -> version, "" for ai.onnx
    /// Bytes of the graph inputs for the batch size of the traced tensor types; 0: the model's batch size.
    std::size_t tracedInputBytes = 0;
    /// Of graph inputs and outputs whose open sizes were fixed for this run only, by ImportRequest::inputShapes or by
    /// the data, by name.
    std::map<std::string, std::vector<Dim>> declaredShapes;
    std::int64_t irVersion = 8;
    std::string producerName; ///< the tool that wrote the file

    // Reading
    std::vector<OpId> operations() const; ///< insertion order
    std::vector<VarId> variables() const; ///< insertion order
    std::size_t operationCount() const { return m_operationCount; }
    const Operation &operation(OpId id) const;
    const Variable &variable(VarId id) const;
    bool contains(OpId id) const;
    bool contains(VarId id) const;
    /// noOp / noVar if there is none of that name.
    OpId findOperation(std::string_view opName) const;
    VarId findVariable(std::string_view variableName) const;
    const std::vector<VarId> &inputs() const { return m_inputs; }
    const std::vector<VarId> &outputs() const { return m_outputs; }
    bool isGraphInput(VarId id) const;
    bool isGraphOutput(VarId id) const;
    /// Exclusive upper bounds of ids, for dense arrays.
    std::int32_t operationIdBound() const { return static_cast<std::int32_t>(m_operations.size()); }
    std::int32_t variableIdBound() const { return static_cast<std::int32_t>(m_variables.size()); }

    /// Kahn's algorithm, first in first out, seeded and extended in insertion order.
    /// @throws Error (InvalidModel) naming operations on a cycle.
    std::vector<OpId> topological() const;
    /// Producers of op's inputs, in input order, each once.
    std::vector<OpId> producers(OpId op) const;
    /// Consumers of op's outputs, in order of uses, each once.
    std::vector<OpId> consumers(OpId op) const;
    /// The only consumer of the only used output of op, or noOp. A graph output counts as a use.
    OpId soleConsumer(OpId op) const;
    bool isParameter(VarId id) const { return id != noVar && variable(id).isParameter(); }

    // Editing; every call leaves the graph consistent
    /// @throws Error (InvalidModel) if the name is empty or taken.
    VarId addVariable(std::string variableName, TensorType type = {});
    VarId addParameter(std::string variableName, at::Tensor value);
    /// op.id is ignored. @throws Error (InvalidModel): name taken, an unknown variable, an output that has a producer
    /// or a value.
    OpId addOperation(Operation op);
    /// Access to type, domain, opset and attributes. Names change through rename, links through the functions below.
    Operation &edit(OpId id);
    Variable &edit(VarId id);
    void rename(OpId id, std::string newName);
    void rename(VarId id, std::string newName);
    void setValue(VarId id, at::Tensor value);
    /// Replaces input number index (appends if index == inputs.size(); fills gaps with noVar); noVar removes the link.
    void setInput(OpId op, std::size_t index, VarId variable);
    /// Removes trailing inputs, for fusions that drop operands.
    void resizeInputs(OpId op, std::size_t count);
    /// Makes op produce variable as output number index; the former output there loses its producer.
    void setOutput(OpId op, std::size_t index, VarId variable);
    /// Every use of from becomes a use of to (also as a graph output if moveOutputs). Self-use of to's producer is
    /// kept.
    void replaceUses(VarId from, VarId to, bool moveOutputs);
    /// Removes op; its outputs remain as variables without a producer.
    void removeOperation(OpId id);
    /// Removes op, whose output 0 passes on the value of input 0: consumers read input 0 instead. If output 0 is a
    /// graph output, its name and position are kept (the producer of input 0 then writes that variable).
    /// @returns false (graph unchanged) if that is not possible: input 0 is a graph input or parameter, or itself a
    /// graph output, while output 0 is a graph output.
    bool bypassOperation(OpId id);
    /// @pre no producer, no uses, not a graph input or output
    void removeVariable(VarId id);
    /// Repeatedly removes operations without used outputs, then variables without references. Graph inputs stay.
    /// @returns how many operations were removed
    int removeUnreachable();
    void setInputs(std::vector<VarId> ids);
    void setOutputs(std::vector<VarId> ids);
    /// The next operation and variable get at least these ids: for reading a graph back with its ids.
    void reserveIds(OpId nextOperation, VarId nextVariable);
    /// A name that no operation or variable has: base, or base_1, base_2 ...
    std::string freshName(std::string_view base) const;

    /// Checks all links both ways, unique names, existing outputs, no cycle. Linear in the size of the graph.
    /// @throws Error (Internal) naming the first inconsistency.
    void verify() const;

private:
    struct OpRecord
    {
        Operation op;
        bool alive = false;
    };
    struct VarRecord
    {
        Variable variable;
        bool alive = false;
    };
    void addUse(VarId variable, Use use);
    void removeUse(VarId variable, Use use);

    std::vector<OpRecord> m_operations;
    std::vector<VarRecord> m_variables;
    std::size_t m_operationCount = 0;
    std::map<std::string, OpId, std::less<>> m_operationByName;
    std::map<std::string, VarId, std::less<>> m_variableByName;
    std::vector<VarId> m_inputs;
    std::vector<VarId> m_outputs;
};

/// The tensor of slot, or noVar if op has none there.
VarId variableOf(const Operation &op, Slot slot);
VarId variableOf(const Graph &graph, Slot slot);
/// All slots of op, inputs before outputs, including those without a tensor.
std::vector<Slot> slotsOf(const Operation &op);

} // namespace ql
