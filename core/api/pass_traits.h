#pragma once

#include "core/api/json_pair.h"

#include <map>
#include <string>
#include <vector>

namespace ql::api {

/// When a pass runs. Format: right after import, on every model (graph only). Float: after dispatch, on the float graph
/// (equalization ...). Quant: after the Quantizer, on the plan; must not change the graph.
enum class PassKind { Format, Float, Quant };
const char *toString(PassKind kind); ///< "format", "float", "quant"
QL_HAS_JSON(PassKind)

/// Aspects of a model that passes find or change. The order of a pipeline, its stages, remedies and the window are
/// derived from which pass writes and which reads an aspect; no other room refers to passes by id.
enum class PassAspect {
    ComputedWeights,  ///< weights that operations compute from constants, as parameters
    ChannelRanges,    ///< the balance of ranges between the channels of neighbouring layers
    ParameterScales,  ///< scales of weights, derived from their values
    ActivationScales, ///< scales of activations, derived from calibration data
    SharedScales,     ///< which slots share one of these scales
    DerivedScales,    ///< scales derived from others: of biases, of the limits of Clip
    BiasValues,       ///< biases that compensate for rounding
    TrainedValues,    ///< scales, weights, biases and roundings improved by training
    RoundedBiases     ///< biases on the target's accumulator grid
};
const char *toString(PassAspect aspect); ///< "computed_weights", "channel_ranges" ...
QL_HAS_JSON(PassAspect)

/// Declarations of a pass.
struct PassTraits
{
    PassKind kind = PassKind::Quant;
    bool needsData = false;                ///< reads the calibration data
    bool isOptional = false;               ///< without data, a run leaves it out instead of being refused
    std::vector<PassAspect> needs = {};    ///< must have been written before it
    std::vector<PassAspect> writes = {};   ///< also invalidates earlier passes that finish one of these
    std::vector<PassAspect> finishes = {}; ///< it must run again after a pass that writes one of these
    std::vector<PassAspect> joins = {};    ///< it joins slots that will share one of these: must run before them
    bool doesWrite(PassAspect aspect) const;
    /// From this pass on weights or activations are rounded.
    bool startsRounding() const;
};
/// Traits by pass id: of the engine's registry, or of the catalogue that a window received.
using PassCatalogue = std::map<std::string, PassTraits>;

/// The first pass of the catalogue that writes aspect; empty if there is none.
std::string passThatWrites(PassAspect aspect, const PassCatalogue &passes);

} // namespace ql::api
