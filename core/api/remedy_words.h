#pragma once

/// Identifiers of remedies in a report's problems: "id" of an entry of their "actions".
namespace ql::api::remedy {

inline constexpr const char *toFloat = "fp32";
inline constexpr const char *consumersToFloat = "fp32_readers";
inline constexpr const char *worstToFloat = "fp32_worst";
inline constexpr const char *perChannel = "per_channel";
inline constexpr const char *perChannelInputs = "per_channel_inputs"; ///< of depthwise convolutions
inline constexpr const char *equalize = "equalize";
inline constexpr const char *observer = "observer";      ///< of one tensor or operation
inline constexpr const char *allObservers = "observers"; ///< of the model
inline constexpr const char *correctBiases = "bias_correction";
inline constexpr const char *fewerSamples = "layerwise_samples";
inline constexpr const char *fewerOperations = "layerwise_operations";
inline constexpr const char *allOperations = "layerwise_all";    ///< measure them, too
inline constexpr const char *splitRecurrent = "split_recurrent"; ///< GRU and LSTM
inline constexpr const char *dropOverride = "drop_override";     ///< one without effect

} // namespace ql::api::remedy
