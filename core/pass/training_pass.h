#pragma once

#include "core/pass/pass.h"
#include "core/train/trainer.h"

namespace ql {

/// Base of passes that train: their common parameters, the data, and what is reported.
class TrainingPass : public Pass
{
public:
    int run(QuantModel &model, const PassContext &context) const final;

protected:
    /// params: with those of trainingParams().
    TrainingPass(std::string_view id, const nlohmann::json &params);

    TrainingOptions options; ///< constructors set what is trained

private:
    Text summary(const TrainingResult &result, std::size_t kept) const;

    std::string m_id;

public:
    std::string_view id() const override { return m_id; }
};

/// own, then the parameters that all these passes have. steps: the default; 0: without an optimizer.
std::vector<api::ParamSpec> trainingParams(std::vector<api::ParamSpec> own, int steps);
/// A learning rate, 0 to 1; 0: not trained.
api::ParamSpec rateParam(std::string name, double fallback, Text meaning);
/// The weight of the term of RoundingRule::Soft in the loss.
api::ParamSpec penaltyParam();
/// TrainingOptions::refineScales.
api::ParamSpec refineScalesParam();
/// A rate as options take it: nothing for 0.
std::optional<double> rateOf(const nlohmann::json &params, const char *name);
/// Of all these passes.
api::PassTraits trainingTraits();

} // namespace ql
