#pragma once

#include "core/api/json_pair.h"
#include "core/api/quant_words.h"
#include "core/base/origin.h"

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

/// Rows of the report "quantloupe-report/1" for engine and window.
namespace ql::api {

/// A slot by names: input, parameter or output number index of an operation.
struct SlotName
{
    std::string op;
    SlotRole role = SlotRole::Input; ///< or Parameter, Output
    int index = 0;

    friend auto operator<=>(const SlotName &, const SlotName &) = default;
};

/// The quantization of a slot, without its identity: shared by many slots.
struct QuantScheme
{
    QuantState state = QuantState::Initial;
    int bits = 8, exponentBits = 0;
    std::int64_t quantMin = 0, quantMax = 0;
    bool symmetric = false, powerOfTwo = false, dynamic = false;
    std::optional<int> channelAxis; ///< one scale per entry, or per group of entries
    int groupSize = 0;              ///< above 0: a scale per that many entries of channelAxis and entry of other axes
    ScaleFormat scaleFormat = ScaleFormat::Float32;
    Codebook codebook = Codebook::None;
    Rounding rounding = Rounding::HalfEven;
    std::string observer;                          ///< its id
    std::optional<double> percentile, minScale;    ///< options of the observer; unset: its own
    std::optional<PercentileOver> percentileOver;  ///< the same
    std::optional<int> histogramBins, isotoneAxis; ///< the same
    Visibility visibility = Visibility::WhenActive;
    std::vector<float> scale;
    std::vector<std::int32_t> zeroPoint;
    std::map<std::string, Origin> setBy; ///< by field

    friend bool operator==(const QuantScheme &, const QuantScheme &) = default;
};

/// The slot that a scheme belongs to.
struct SlotRow
{
    SlotName slot;
    std::string variable;
    bool quantizable = true; ///< false: a size, an axis, an index, or not float32
    std::optional<int>
        outputChannelAxis;        ///< axis of the output channels, which could have separate scales; unset: none
    std::optional<SlotName> root; ///< the slot whose scale it shares; unset: it has its own

    friend bool operator==(const SlotRow &, const SlotRow &) = default;
};

/// A row of "configs".
struct ConfigRow : SlotRow
{
    QuantScheme scheme;
};

/// A row of "configs" for a window, a fifth of the size.
struct ShortConfigRow : SlotRow
{
    std::size_t scheme = 0; ///< index into the list of schemes that comes with the rows
};

/// A row of "graphwise" or "layerwise". A measure that is undefined or infinite is unset.
struct ErrorRow
{
    std::string op, type, variable;
    std::string output; ///< layerwise: the most affected graph output
    std::optional<double> noiseRatio, sqnrDb, cosine, mse, maxAbs;
    std::int64_t samples = 0, elements = 0; ///< elements: of one sample
    bool isEstimated = false;               ///< layerwise: only noiseRatio and sqnrDb, from one backward pass

    /// No difference at all: the SQNR is infinite.
    bool isExact() const { return noiseRatio && *noiseRatio == 0; }
};

/// Of a graph output, if the evaluation data has labels.
struct Metric
{
    std::string name;
    double fp32 = 0, quantized = 0;
    std::int64_t samples = 0;
    bool isLoss = false; ///< the smaller the better
    /// Half of the 95 % interval of the drop; only of top-1.
    std::optional<double> uncertainty = {};

    /// By how much the quantized model is worse.
    double drop() const { return isLoss ? quantized - fp32 : fp32 - quantized; }
    friend bool operator==(const Metric &, const Metric &) = default;
};

/// A row of "outputs".
struct OutputRow : ErrorRow
{
    std::optional<Metric> metric;
    /// For class indices and other integers, whose differences are meaningless: the fraction of equal elements. Set
    /// instead of the measures.
    std::optional<double> equalShare;
};

/// Range of each channel along axis; unset unless all values are finite.
struct ChannelRanges
{
    std::int64_t axis = 0;
    std::vector<std::optional<double>> min, max;

    friend bool operator==(const ChannelRanges &, const ChannelRanges &) = default;
};

/// Of the features in an activation.
struct FeatureRanges : ChannelRanges
{
    bool learned = false; ///< produced by weights, or by an activation directly after them

    friend bool operator==(const FeatureRanges &, const FeatureRanges &) = default;
};

/// A weight whose channels share one scale.
struct WeightRow
{
    std::string op, variable;
    ChannelRanges channels;
};

/// A row of "tensors" in "ranges": statistics of a float activation.
struct RangeRow
{
    std::string op, variable;
    SlotRole role = SlotRole::Output; ///< or Input: an input of the graph, reported for its consumer
    std::optional<double> min, max;   ///< of the finite values
    std::int64_t elements = 0, notFinite = 0, clipped = 0, samples = 0;
    std::vector<double> clip;              ///< the representable range, two values; empty: not rounded with one scale
    std::optional<FeatureRanges> channels; ///< if they are unusual
};

/// Operands, to compare.
struct OperandRow
{
    std::string variable;
    std::optional<double> min, max;
};

/// A row of "joins" in "ranges": an operation that adds or concatenates.
struct JoinRow
{
    std::string op, type;
    std::vector<OperandRow> inputs;
    bool oneScale = false; ///< all operands are rounded with the same one
};

/// The report's "ranges".
struct Ranges
{
    std::vector<RangeRow> tensors;
    std::vector<JoinRow> joins;
};

/// {"kind": "rule", "id": "TRT_INT8", "index": 2, "name": "bias in float32"}
nlohmann::json toJson(const Origin &origin);
Origin originFromJson(const nlohmann::json &json);
/// QuantScheme::setBy as the member "origins" of a row: a list of origins, each with the "fields" that it set.
nlohmann::json originsToJson(const std::map<std::string, Origin> &setBy);
std::map<std::string, Origin> originsFromJson(const nlohmann::json &list); ///< empty for null
QL_HAS_JSON(ConfigRow)
QL_HAS_JSON(ShortConfigRow)
QL_HAS_JSON(QuantScheme)
QL_HAS_JSON(ErrorRow)
QL_HAS_JSON(OutputRow)
QL_HAS_JSON(ChannelRanges)
QL_HAS_JSON(WeightRow)
QL_HAS_JSON(Ranges)

} // namespace ql::api
