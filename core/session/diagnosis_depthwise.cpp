#include "core/session/diagnosis_depthwise.h"

#include <algorithm>
#include <set>

namespace ql {

/// All changes in one action.
static api::Action joinedActions(const std::vector<api::Action> &actions)
{
    api::Action all{.id = actions.front().id};
    for (const api::Action &action : actions) {
        all.dispatch.insert(all.dispatch.end(), action.dispatch.begin(), action.dispatch.end());
        all.overrides.insert(all.overrides.end(), action.overrides.begin(), action.overrides.end());
    }
    keepRules(all, {}, {});
    return all;
}

api::Problem problemOfDepthwise(std::vector<UnevenInput> inputs, const Facts &facts, const AvailableRemedies &available,
                                api::Severity severity)
{
    std::stable_sort(inputs.begin(), inputs.end(), [](const auto &a, const auto &b) { return a.ratio > b.ratio; });
    const UnevenInput &worst = inputs.front();
    std::vector<Text> names;
    std::vector<api::Action> toFloat;
    bool isEqualizable = false;
    for (const UnevenInput &input : inputs) {
        for (const std::string &op : input.readers.operations)
            names.push_back(QL_TEXT("'%1' (%2)").with(op, Text::number(input.ratio, 3)));
        if (input.readers.areAll)
            toFloat.push_back(available.consumersToFloat(input.op, input.variable, input.readers.operations));
        isEqualizable = isEqualizable || available.isEqualizable(input.op);
    }
    const bool isOne = inputs.size() == 1;
    RemedyList remedies(facts.tried, facts.listsAlternatives);
    if (facts.canScaleInputs) remedies.add(QL_TEXT("a scale for each channel of these inputs"), perChannelInputs());
    if (isEqualizable) remedies.add(QL_TEXT("equalizing it with its neighbours"), available.equalization());
    if (!toFloat.empty())
        remedies.add(isOne ? QL_TEXT("FP32 for the depthwise convolution, which takes few multiplications")
                           : QL_TEXT("FP32 for these depthwise convolutions, which take few multiplications"),
                     joinedActions(toFloat));
    if (isOne) remedies.addBest(QL_TEXT("another observer"), available.observersOfTensor(worst.op, worst.variable));
    const std::vector<std::string> readers(worst.readers.operations.begin(), worst.readers.operations.end());
    const Text message =
        isOne ? QL_TEXT("Channels of the input of the depthwise convolution '%1' differ by a factor of %2 (largest / "
                        "median), but all %3 share one scale.")
                    .with(Text::list(readers), Text::number(worst.ratio, 3), worst.sizes.size())
              : QL_TEXT("Channels of the inputs of %1 depthwise convolutions differ by a factor of up to %2 (largest / "
                        "median), but each input has one scale: %3.")
                    .with(names.size(), Text::number(worst.ratio, 3), Text::list(names));
    api::Problem problem{severity, worst.op, worst.variable, message, remedies.sentence(), remedies.actions()};
    problem.values = worst.sizes;
    problem.valuesMeaning = QL_TEXT("largest |value| of each channel");
    return problem;
}

} // namespace ql
