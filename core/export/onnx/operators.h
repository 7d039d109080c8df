#pragma once

#include "core/api/params.h"
#include "core/base/text.h"
#include "core/ir/graph.h"

#include <nlohmann/json.hpp>
#include <vector>

namespace ql {

/// Appends an Add of bias to output 0 of operation id, which must not read the bias itself any more.
void addBiasAfter(Graph &graph, OpId id, VarId bias);
/// BiasedMatMul is our own: every runtime reads it as MatMul and Add.
void splitBiasedMatMul(Graph &graph);
/// Whether to write operators that no runtime knows: a parameter of exporters of ONNX models.
api::ParamSpec foreignOperatorsParam();
/// Operators of other formats, which ONNX does not have: a note if params allow them.
/// @throws Error (UnsupportedOp) if they do not, naming ONNX operators to use instead
void checkForeignOperators(const Graph &graph, const nlohmann::json &params, std::vector<Text> &notes);

} // namespace ql
