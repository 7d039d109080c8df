#include "core/api/pass_order.h"

#include <algorithm>

namespace ql::api {

using Kind = PassOrderProblem::Kind;

namespace {

const PassTraits &traitsOf(const StepRequest &step, const PassCatalogue &passes)
{
    static const PassTraits unknown;
    const auto it = passes.find(step.id);
    return it == passes.end() ? unknown : it->second;
}

} // namespace

std::optional<PassOrderProblem> passOrderProblem(const std::vector<StepRequest> &steps, std::size_t at,
                                                 const PassCatalogue &passes)
{
    const StepRequest &step = steps[at];
    if (!step.enabled) return std::nullopt;
    const PassTraits &traits = traitsOf(step, passes);
    const auto place = steps.begin() + std::ptrdiff_t(at);
    const auto isWriter = [&](PassAspect aspect) {
        return [&passes, aspect](const StepRequest &s) { return s.enabled && traitsOf(s, passes).doesWrite(aspect); };
    };
    // It runs first; only a position after scales would suggest otherwise
    if (traits.kind == PassKind::Float)
        for (auto s = steps.begin(); s != place; ++s)
            if (s->enabled && traitsOf(*s, passes).startsRounding())
                return PassOrderProblem{Kind::FloatAfterQuant, s->id};
    // A pass that reads scales must come after the pass that sets them
    for (const PassAspect needed : traits.needs) {
        if (std::any_of(steps.begin(), place, isWriter(needed))) continue;
        const auto later = std::find_if(place, steps.end(), isWriter(needed));
        if (later != steps.end()) return PassOrderProblem{Kind::ReadsLater, later->id};
        return PassOrderProblem{Kind::ReadsMissing, passThatWrites(needed, passes)};
    }
    // A pass that finishes aspects must run again after passes that write them
    for (const PassAspect finished : traits.finishes) {
        const auto later = std::find_if(place, steps.end(), isWriter(finished));
        const auto isAgain = [&](const StepRequest &s) { return s.enabled && s.id == step.id; };
        if (later != steps.end() && std::none_of(later, steps.end(), isAgain))
            return PassOrderProblem{Kind::ChangedLater, later->id};
    }
    for (const PassAspect joined : traits.joins)
        if (const auto before = std::find_if(steps.begin(), place, isWriter(joined)); before != place)
            return PassOrderProblem{Kind::JoinsCalibrated, before->id};
    // Only if it directly follows itself: otherwise a pass in between may have given it new work
    for (auto s = place; s != steps.begin();) {
        --s;
        if (!s->enabled) continue;
        if (s->id == step.id && s->params == step.params) return PassOrderProblem{Kind::Repeated, s->id};
        break;
    }
    return std::nullopt;
}

Text text(const PassOrderProblem &problem)
{
    switch (problem.kind) {
    case Kind::FloatAfterQuant:
        return QL_TEXT("It changes the float graph and runs before '%1', regardless of its position here.")
            .with(problem.other);
    case Kind::ReadsLater: return QL_TEXT("It reads scales that '%1' sets later.").with(problem.other);
    case Kind::ReadsMissing: return QL_TEXT("It reads scales that '%1' would set.").with(problem.other);
    case Kind::ChangedLater: return QL_TEXT("'%1' runs later and changes its result.").with(problem.other);
    case Kind::JoinsCalibrated: return QL_TEXT("It merges slots that have already been calibrated separately.");
    case Kind::Repeated: return QL_TEXT("It has just run with the same parameters.");
    }
    return {};
}

} // namespace ql::api
