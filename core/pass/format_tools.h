#pragma once

#include "core/ir/graph.h"

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace ql {

struct PassContext;

/// Rank 1, int64.
at::Tensor int64List(const std::vector<std::int64_t> &values);
/// Rank 1, float32.
at::Tensor floatList(const std::vector<double> &values);
/// Rank 0 of a floating type.
at::Tensor scalarOf(double value, at::ScalarType type);

/// The value of input number index of op, undefined if it is omitted or not a parameter.
at::Tensor parameterOf(const Graph &graph, const Operation &op, std::size_t index);
/// A new parameter `<op>_<suffix>` (made unique) becomes input number index of op.
void addParameterInput(Graph &graph, OpId op, std::size_t index, at::Tensor value, std::string_view suffix);
/// Sets the value of input number index of op: in place if it is a parameter without other consumers, otherwise
/// through a new parameter `<op>_<suffix>`. Values are replaced, never modified: copies of the graph share them.
void setParameterInput(Graph &graph, OpId op, std::size_t index, at::Tensor value, std::string_view suffix);
/// True if the parameter is read by one slot only and is neither input nor output of the graph.
bool isOwnedByOneSlot(const Graph &graph, VarId parameter);

/// True if no output of op except the first is read or a graph output.
bool onlyFirstOutputUsed(const Graph &graph, const Operation &op);
/// Removes consumer, whose output 0 is written by op from now on: the name keeps its meaning, also as a graph output.
/// @pre consumer == graph.soleConsumer(op), onlyFirstOutputUsed for both
void absorbConsumer(Graph &graph, OpId op, OpId consumer);
/// Removes the outputs of op after the first. @pre onlyFirstOutputUsed
void dropFurtherOutputs(Graph &graph, OpId op);

/// The other operand of a two-operand op (Add) than variable; noVar if it is not a parameter.
VarId constantOperand(const Graph &graph, const Operation &op, VarId variable);

/// Adds an operation of opset 13 that passes its first input on. @returns its result, named after that input and suffix
VarId addCopy(Graph &graph, const std::string &type, const std::vector<VarId> &inputs, std::string_view suffix);
/// Adds a Max of the tensor and the lowest float32 number, which changes no value but keeps runtimes from fusing or
/// quantizing across it. lowest: that number as a parameter, which is added if it is noVar.
VarId addMaxWithLowest(Graph &graph, VarId tensor, VarId &lowest, std::string_view suffix);

/// Element type of a tensor: the declared one, otherwise that of its source, along operators that keep the type of
/// their first input. Undefined if unknown.
at::ScalarType inferElementType(const Graph &graph, VarId variable);
/// Rank of every variable by id, -1 if unknown. Declared shapes first, then rules of operators (a Conv keeps the rank
/// of its weight, a Relu that of its input).
std::vector<int> inferRanks(const Graph &graph);

/// BatchNormalization at inference as y = scale * x + shift, scale = gamma / sqrt(var + epsilon),
/// shift = beta - mean * scale; all [C].
struct BatchNormTerms
{
    at::Tensor gamma, beta, mean, deviation; ///< deviation = sqrt(var + epsilon)
    at::Tensor scale() const;
    at::Tensor shift() const;
    std::int64_t channels() const { return gamma.numel(); }
};
/// No value if op is not exactly such a BatchNormalization: an operand is not a parameter, it runs in training mode,
/// normalizes per activation (attribute spatial), another output is used, or its scale is not finite. Computed in
/// float32 (float64 for float64 parameters).
std::optional<BatchNormTerms> batchNormTerms(const Graph &graph, const Operation &op);
/// Calls replace(op, terms, rank of its data, at least 2) for each such BatchNormalization of the graph and counts
/// them; those of unknown rank are reported and left unchanged. @returns how many were replaced
int replaceBatchNorms(Graph &graph, const PassContext &context, std::string_view pass,
                      const std::function<void(OpId, const BatchNormTerms &, int)> &replace);
/// Turns op into Mul(scale) and appends `<op>_shift`, an Add that writes op's former output.
/// @param shape of both constants, C elements
void replaceByMulAdd(Graph &graph, OpId op, const BatchNormTerms &terms, const std::vector<std::int64_t> &shape);

} // namespace ql
