#include "core/api/pass_order.h"

#include <algorithm>
#include <utility>

namespace ql::api {

using Kind = PassOrderProblem::Kind;

std::optional<PassOrderProblem> passOrderProblem(const std::vector<StepRequest> &steps, std::size_t at,
                                                 const std::function<std::string(const std::string &)> &kindOf)
{
    const StepRequest &step = steps[at];
    if (!step.enabled) return std::nullopt;
    const auto place = steps.begin() + std::ptrdiff_t(at);
    const auto is = [](const std::string &id) {
        return [&id](const StepRequest &s) { return s.enabled && s.id == id; };
    };
    const auto before = [&](const std::string &id) { return std::any_of(steps.begin(), place, is(id)); };
    // It runs first; only behind scales does anybody expect that it does not
    if (kindOf(step.id) == "float")
        for (const char *scales : {"parameter_quantize", "calibrate"})
            if (before(scales)) return PassOrderProblem{Kind::FloatBehindQuant, scales};
    // What reads scales needs the pass that finds them in front
    static const std::vector<std::pair<std::string, std::string>> needs{{"align", "calibrate"},
                                                                        {"passive_parameters", "calibrate"},
                                                                        {"bake", "parameter_quantize"},
                                                                        {"passive_parameters", "parameter_quantize"},
                                                                        {"bias_correction", "calibrate"},
                                                                        {"round_biases", "calibrate"},
                                                                        {"round_biases", "parameter_quantize"}};
    for (const auto &[pass, needed] : needs)
        if (step.id == pass && !before(needed))
            return PassOrderProblem{std::any_of(place, steps.end(), is(needed)) ? Kind::ReadsLater : Kind::ReadsMissing,
                                    needed};
    // What works on all that others have done must run again behind them
    static const std::vector<std::pair<std::string, std::string>> last{
        {"passive_parameters", "align"}, {"round_biases", "bias_correction"}, {"round_biases", "passive_parameters"},
        {"bake", "parameter_quantize"},  {"bake", "passive_parameters"},      {"bake", "round_biases"},
        {"bake", "bias_correction"}};
    for (const auto &[pass, changing] : last) {
        const auto later = std::find_if(place, steps.end(), is(changing));
        if (step.id == pass && later != steps.end() && std::none_of(later, steps.end(), is(pass)))
            return PassOrderProblem{Kind::ChangedLater, changing};
    }
    if ((step.id == "quantize_fusion" || step.id == "quantize_simplify") && before("calibrate"))
        return PassOrderProblem{Kind::JoinsCalibrated, "calibrate"};
    // Only one that follows upon itself: in between, another pass may have given it something to do
    for (auto s = place; s != steps.begin();) {
        --s;
        if (!s->enabled) continue;
        if (s->id == step.id && s->params == step.params) return PassOrderProblem{Kind::Repeated, s->id};
        break;
    }
    return std::nullopt;
}

std::string text(const PassOrderProblem &problem)
{
    switch (problem.kind) {
    case Kind::FloatBehindQuant:
        return "It changes the float graph and runs before '" + problem.other + "', whatever its place here.";
    case Kind::ReadsLater: return "It reads scales that '" + problem.other + "' finds later.";
    case Kind::ReadsMissing: return "It reads scales that '" + problem.other + "' would find.";
    case Kind::ChangedLater: return "'" + problem.other + "' behind it changes what it has worked on.";
    case Kind::JoinsCalibrated: return "It joins slots that have been calibrated one by one already.";
    case Kind::Repeated: return "It has run just before with the same parameters.";
    }
    return {};
}

} // namespace ql::api
