#include "core/session/remedy_list.h"

#include "core/api/remedy_words.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ql {

namespace {

/// From this gain on, in dB or percentage points, a remedy helps.
constexpr double worthwhileGain = 0.05;

bool helps(const TriedRemedy *result)
{
    return result && result->gain.value_or(0) >= worthwhileGain;
}

} // namespace

bool canBeTried(const api::Action &action)
{
    return !action.dispatch.empty() || !action.overrides.empty() || !action.pass.empty() ||
           action.id == api::remedy::perChannelInputs;
}

bool didNotHelp(const api::Action &action)
{
    const std::optional<double> gain = action.gainDb ? action.gainDb : action.gainPoints;
    return gain && *gain < worthwhileGain;
}

void RemedyList::offer(std::optional<api::Action> action)
{
    if (action) m_remedies.push_back({std::nullopt, std::move(action)});
}

void RemedyList::add(Text words, std::optional<api::Action> action)
{
    if (action) m_remedies.push_back({std::move(words), std::move(action)});
}

void RemedyList::addBest(const Text &words, const std::vector<api::Action> &alternatives)
{
    if (m_listsAll) {
        for (const api::Action &action : alternatives) add(words, action);
        return;
    }
    const api::Action *best = nullptr;
    std::optional<double> gain;
    for (const api::Action &action : alternatives) {
        const TriedRemedy *result = resultOf(action);
        if (result && !result->gain) continue;
        if (!best || (result && *result->gain > gain.value_or(-INFINITY))) best = &action;
        if (result) gain = std::max(gain.value_or(-INFINITY), *result->gain);
    }
    if (best) add(words, *best);
}

const TriedRemedy *RemedyList::resultOf(const std::optional<api::Action> &action) const
{
    const auto it = std::find_if(m_tried.begin(), m_tried.end(), [&](const TriedRemedy &tried) {
        if (!action) return false;
        api::Action same = *action;
        same.option = tried.action.option; // which also contains the recipe's rules
        return same == tried.action;
    });
    return it == m_tried.end() ? nullptr : &*it;
}

std::vector<RemedyList::Remedy> RemedyList::ordered() const
{
    std::vector<Remedy> remedies = m_remedies;
    std::erase_if(remedies, [&](const Remedy &remedy) {
        const TriedRemedy *result = resultOf(remedy.action);
        return result && !result->gain;
    });
    const auto rank = [&](const Remedy &remedy) {
        const TriedRemedy *result = resultOf(remedy.action);
        return !result ? std::pair(1, 0.0) : helps(result) ? std::pair(0, -*result->gain) : std::pair(2, 0.0);
    };
    std::stable_sort(remedies.begin(), remedies.end(),
                     [&](const Remedy &a, const Remedy &b) { return rank(a) < rank(b); });
    return remedies;
}

Text RemedyList::sentence() const
{
    std::vector<Text> words, untried, useless;
    const std::vector<Remedy> remedies = ordered();
    const bool areTried = std::any_of(remedies.begin(), remedies.end(),
                                      [&](const Remedy &remedy) { return resultOf(remedy.action) != nullptr; });
    for (const Remedy &remedy : remedies) {
        if (!remedy.words) continue;
        const TriedRemedy *result = resultOf(remedy.action);
        if (!result)
            (areTried && remedy.action && canBeTried(*remedy.action) ? untried : words).push_back(*remedy.words);
        else if (!helps(result))
            useless.push_back(*remedy.words);
        else
            words.push_back((result->isDecibels ? QL_TEXT("%1 (+%2 dB)") : QL_TEXT("%1 (+%2 points)"))
                                .with(*remedy.words, Text::number(std::round(100 * *result->gain) / 100, 3)));
    }
    std::vector<Text> sentences;
    if (!words.empty()) sentences.push_back(QL_TEXT("Try: %1.").with(Text::list(words, Text::Join::Or)));
    if (!untried.empty()) sentences.push_back(QL_TEXT("Not tried: %1.").with(Text::list(untried)));
    if (!useless.empty()) sentences.push_back(QL_TEXT("No gain: %1.").with(Text::list(useless)));
    return Text::sentences(std::move(sentences));
}

std::vector<api::Action> RemedyList::actions() const
{
    std::vector<api::Action> actions;
    for (const Remedy &remedy : ordered()) {
        if (!remedy.action) continue;
        api::Action &action = actions.emplace_back(*remedy.action);
        if (const TriedRemedy *result = resultOf(remedy.action))
            (result->isDecibels ? action.gainDb : action.gainPoints) = result->gain;
    }
    return actions;
}

} // namespace ql
