#pragma once

#include "core/pass/dequantize_model.h"

#include <optional>
#include <string_view>
#include <vector>

namespace ql {

// Operators on integer codes, as dequantize_model reads them.

/// A tensor of codes that an operator reads: numbers of the inputs with the codes, their scale and their zero point.
struct CodeInput
{
    std::size_t codes, scale, zeroPoint;
};

/// An operator that computes on codes, and the float operator that it approximates.
struct LinearForm
{
    std::string_view type, floatType;
    std::string_view domain = {};
    std::vector<CodeInput> inputs = {}; ///< those of a Concat: every third input from the first one on
    std::size_t outputScale = 0;        ///< number of the input; the zero point follows
    std::size_t bias = 0;               ///< int32 in steps of the scales of both inputs; 0: none
    bool isConcat = false;
};
/// nullptr if op's type is none of these.
const LinearForm *linearFormOf(const Operation &op);
/// The tensors of codes that op reads.
std::vector<CodeInput> codeInputs(const LinearForm &form, const Operation &op);

bool isQuantizeLinear(const Operation &op);
bool isDequantizeLinear(const Operation &op);
/// An operation by which exported files keep others apart: a Sum of one tensor, or a Max with the lowest number.
bool isCopy(const Graph &graph, const Operation &op);
/// Moves codes without computing with them: its output is on the grid of its input.
bool movesCodes(const Operation &op);

/// The grid of codes of op: scale and zero point are numbers of its inputs, which must be parameters. axis: of several
/// scales. Without scales (the caller has them): only bits and range.
/// @throws Error (InvalidModel) naming the tensor, see dequantizeGraph()
StoredGrid storedGrid(const Graph &graph, const Operation &op, std::size_t scale, std::size_t zeroPoint, VarId codes,
                      std::int64_t axis);
/// Whether QuantizeLinear or DequantizeLinear of op has a form that a grid expresses: integer codes or FP8 (E4M3,
/// E5M2), in blocks only of constants.
bool hasGrid(const Graph &graph, const Operation &op);
/// float32 values of constant codes on the grid.
at::Tensor storedValues(const at::Tensor &codes, const StoredGrid &grid);
/// Gives a tensor of codes, or a zero point, the type that holds the codes of grid.
void setCodeType(Graph &graph, VarId codes, const StoredGrid &grid);
/// The grid of a pair whose scale is computed from each tensor: by DynamicQuantizeLinear, or by the nodes that own
/// files have for symmetric codes. Nothing read the scale or the codes but DequantizeLinear.
std::optional<StoredGrid> dynamicGrid(const Graph &graph, const Operation &op);
/// Products of matrices that are stored in blocks become a MatMul with a DequantizeLinear.
/// @returns the grids of what they multiply, if they round it
std::map<Slot, StoredGrid> restoreMatrices(Graph &graph);
/// Moves a DequantizeLinear of constants upstream of operations that only move codes (a Gather of an embedding). In own
/// files: layers that read codes as floats read values again.
void restoreStoredForms(Graph &graph);

} // namespace ql
