#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ql::api {

/// When a pass runs. Format: right after import, on every model (graph only). Float: after dispatch, on the float graph
/// (equalization ...). Quant: after the Quantizer, on the plan; must not change the graph.
enum class PassKind { Format, Float, Quant };
const char *toString(PassKind kind); ///< "format", "float", "quant"

/// What passes find or change. The order of a pipeline, its stages, remedies and the window follow from which pass
/// writes and which reads an aspect; no other room knows a pass by its id.
enum class PassAspect {
    ComputedWeights,  ///< weights that operations compute from constants, as parameters
    ChannelRanges,    ///< the balance of ranges between the channels of neighbouring layers
    ParameterScales,  ///< scales of weights, found from their values
    ActivationScales, ///< scales of activations, found in calibration data
    SharedScales,     ///< which slots share one of these scales
    DerivedScales,    ///< scales that follow from others: of biases, of the limits of Clip
    BiasValues,       ///< biases that take back what rounding shifts
    RoundedBiases     ///< biases on the grid that the target adds in
};
const char *toString(PassAspect aspect); ///< "computed_weights", "channel_ranges" ...

/// What a pass declares about itself.
struct PassTraits
{
    PassKind kind = PassKind::Quant;
    bool needsData = false;                ///< reads the calibration data
    std::vector<PassAspect> needs = {};    ///< must have been written before it
    std::vector<PassAspect> writes = {};   ///< also invalidates the passes before it that finish one of these
    std::vector<PassAspect> finishes = {}; ///< it works on all there is of these: must run again after a pass that
                                           ///< writes one
    std::vector<PassAspect> joins = {};    ///< it joins slots that shall have one of these in common: before these
    bool doesWrite(PassAspect aspect) const;
    /// From this pass on weights or activations are rounded.
    bool startsRounding() const;
};
/// Traits by pass id: of the engine's registry, or of the catalogue that a window received.
using PassCatalogue = std::map<std::string, PassTraits>;

/// The first pass of the catalogue that writes aspect; empty when there is none.
std::string passThatWrites(PassAspect aspect, const PassCatalogue &passes);

/// The members "kind", "needs_data", "needs", "writes", "finishes" and "joins" of a catalogue entry.
nlohmann::json toJson(const PassTraits &traits);
/// @throws Error (BadConfig) for a missing member or an unknown word; other members are not looked at.
PassTraits passTraitsFromJson(const nlohmann::json &entry);
/// Of the entries of a catalogue's "passes". @throws Error (BadConfig)
PassCatalogue passCatalogueFromJson(const nlohmann::json &passes);

} // namespace ql::api
