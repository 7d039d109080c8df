#pragma once

#include "core/api/problem.h"
#include "core/ir/graph.h"
#include "core/ir/subgraphs.h"
#include "core/quant/tensor_quant_config.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ql {

/// How a quantized model rounds the tensor of a slot: code = clamp(round(x / scale) + zero point); with exponent bits
/// or a codebook, x / scale becomes the nearest value of that format.
struct StoredGrid
{
    int bits = 8;
    int exponentBits = 0; ///< as in TensorQuantConfig
    Codebook codebook = Codebook::None;
    std::int64_t quantMin = -128, quantMax = 127;
    std::vector<float> scale;            ///< 1 entry, or one per entry of axis
    std::vector<std::int32_t> zeroPoint; ///< as long as scale
    std::optional<int> axis;             ///< set: one scale per entry, or per group of entries
    int groupSize = 0;                   ///< above 0: groups of that many entries along axis (core/quant/groups.h)
    bool dynamic = false;                ///< scale from each tensor at run time; no scale is stored

    bool isFloating() const { return exponentBits > 0 || codebook != Codebook::None; }
    TensorQuantConfig config() const; ///< with these codes or values
    friend bool operator==(const StoredGrid &, const StoredGrid &) = default;
};

/// Turns the quantized model into a float model (see dequantize_model.cpp): operations keep their names.
/// @returns the grids that it had, by slot of the float model. inBodies: set to those of operations in bodies
/// @throws Error (InvalidModel) naming operation and tensor: scales that are not constant or not positive, codes that
/// are read with another scale than they were written with
std::map<Slot, StoredGrid> dequantizeGraph(Graph &graph, const std::function<void(api::Problem)> &report,
                                           std::map<BodySlot, StoredGrid> *inBodies = nullptr);
/// The same for the bodies of all operations, but not for graph itself.
std::map<BodySlot, StoredGrid> dequantizeBodies(Graph &graph, const std::function<void(api::Problem)> &report);

/// Weights that are rounded upstream of a Transpose, Reshape or the like become parameters, as in a float model (see
/// fold_weights.cpp), and their grids move along, unless the scales of channels do not fit the weight.
void foldRoundedWeights(Graph &graph, std::map<Slot, StoredGrid> &grids);

/// The pass that does the same in a run.
std::string dequantizePassId();
/// The pass that takes the place of calibration if overrides fix all scales.
std::string fixedScalesPassId();

} // namespace ql
