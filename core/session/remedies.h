#pragma once

#include "core/api/params.h"
#include "core/api/recipe.h"
#include "core/api/report.h"
#include "core/pass/pass.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ql {

/// Operations to float. id: of core/api/remedy_words.h
api::Action toFloat(const char *id, const std::set<std::string> &operations);
/// One scale per output channel of the operation's weight.
api::Action perChannel(const std::string &op);
/// One scale per channel at the inputs of depthwise convolutions: a parameter of the platform.
api::Action perChannelInputs();
api::Action equalizeLayers();
/// GRU and LSTM as operations that the platform quantizes.
api::Action splitRecurrences();
/// Extends the option by the rules of the recipe, which it would replace otherwise.
void keepRules(api::Action &action, const std::vector<api::Rule> &dispatch, const std::vector<api::Rule> &overrides);
/// Layerwise errors of every quantized operation.
api::Action measureAllOperations();

/// Constraints of model and recipe: which tensors have one scale for all channels, whose observer determines a tensor's
/// scale, and which passes have work to do. Only actions that change something are offered.
class AvailableRemedies
{
public:
    /// configs must outlive this. equalizable: operations that layerwise equalization would scale. hasBiases: bias
    /// correction has biases to correct.
    AvailableRemedies(const std::vector<api::ConfigRow> &configs, const std::vector<api::StepRequest> &passes,
                      const std::set<std::string> &equalizable, bool hasBiases);

    /// A weight that has one scale for all channels.
    bool isSharedWeight(const std::string &op, const std::string &variable) const;
    /// An activation that is rounded, with one scale for all channels at every slot.
    bool isSharedActivation(const std::string &op, const std::string &variable) const;
    /// The operation's weight has one scale for all channels.
    bool hasSharedWeight(const std::string &op) const { return m_coarse.contains(op); }
    bool isEqualizable(const std::string &op) const { return m_equalizable.contains(op); }
    /// The operation's results are rounded, not only its inputs.
    bool roundsResults(const std::string &op) const;

    /// Other observers, one action each, for the slot that rounds the tensor, the one that usually helps most first;
    /// none if no observer determines its scale.
    std::vector<api::Action> observersOfTensor(const std::string &op, const std::string &variable) const;
    /// The same for the output of an operation, or for its inputs if it rounds no output.
    std::vector<api::Action> observersOfOperation(const std::string &op) const;
    /// Other observers for all activations.
    std::vector<api::Action> observersOfAll() const;
    std::optional<api::Action> biasCorrection() const;
    std::optional<api::Action> equalization() const;
    /// Runs the operations that round the tensor in float: the operation, or its consumers.
    api::Action toFloatOf(const std::string &op, const std::string &variable) const;
    /// Runs the only consumers of the tensor in float; nothing else rounds it.
    api::Action consumersToFloat(const std::string &op, const std::string &variable,
                                 const std::set<std::string> &readers) const;

private:
    using Rows = std::vector<const api::ConfigRow *>;

    bool isObserved(const api::ConfigRow &row) const;
    Rows roundersOf(const std::string &op, const std::string &variable) const;
    static std::vector<std::string> otherObservers(const Rows &rows);
    std::vector<api::Action> observersOf(const Rows &rows) const;

    std::map<std::string, Rows> m_rounding; ///< tensor to slots
    std::map<std::string, Rows> m_slots;    ///< operation to slots that are not parameters
    std::map<api::SlotName, Rows> m_groups; ///< root to slots that have its scale
    std::set<std::pair<std::string, std::string>> m_sharedWeights;
    std::set<std::string> m_coarse, m_equalizable;
    std::set<PassAspect> m_written; ///< by the passes of the recipe
    bool m_isObserverFixed = false, m_hasBiases = false;
};

} // namespace ql
