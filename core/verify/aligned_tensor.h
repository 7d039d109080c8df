#pragma once

#include "core/io/model_file.h"
#include "core/quant/quant_plan.h"
#include "core/verify/agreement.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ql {

/// A tensor of the model that can be compared with the same tensor of the file.
struct AlignedTensor
{
    VarId variable = noVar;
    std::optional<Slot> slot; ///< that rounds it; none: float
    Steps steps;
    FileTensor file;

    bool isInput(const Graph &graph) const { return graph.variable(variable).producer == noOp; }
    /// Whether the operations that read the variable round it; then the file's tensor is the rounded one.
    bool isRoundedByReaders(const Graph &graph) const
    {
        return slot && !slot->output && variableOf(graph, *slot) == variable;
    }
};

/// A slot of those that read a variable, if all of them round it to the same values; others only read its shape.
std::optional<Slot> roundingReader(const QuantModel &model, VarId id);
/// The slot that rounds a variable where it is computed (through operations that only move values), or for a graph
/// input where it is read. None if its readers do not agree: then it is the tensor that is fed.
std::optional<Slot> roundingSlot(const QuantModel &model, VarId id);
/// Its scale; empty for a float variable.
Steps stepsOf(const QuantModel &model, std::optional<Slot> slot);

/// Tensors of the file that are also in the model and whose values a runtime that fuses operations still computes:
/// rounded ones, and results of float operations, as their readers round them if these agree. In execution order, graph
/// inputs first.
std::vector<AlignedTensor> alignedTensors(const QuantModel &model, const std::map<std::string, FileTensor> &file);

/// The operations between a tensor and the nearest compared ones upstream, and these.
struct Segment
{
    std::vector<OpId> operations;
    std::vector<VarId> feeds; ///< compared tensors and graph inputs
};
Segment segmentOf(const Graph &graph, VarId tensor, const std::set<VarId> &compared);

} // namespace ql
