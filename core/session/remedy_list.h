#pragma once

#include "core/api/problem.h"

#include <optional>
#include <vector>

namespace ql {

/// The effect of a remedy on the worst output, from a run of the recipe with it.
struct TriedRemedy
{
    api::Action action;
    std::optional<double> gain; ///< of SQNR in dB; if no output has one, of equal integers in percentage points; unset:
                                ///< the run failed
    bool isDecibels = true;
};

/// Whether a run can show its gain: it changes how the model is quantized, not what is measured.
bool canBeTried(const api::Action &action);
/// Whether it was tried, and the output did not get better.
bool didNotHelp(const api::Action &action);

/// Remedies of a problem, in words and as actions: those that helped when they were tried, the best first; then the
/// others in the order in which they were added; last those that did not help. Those with which the run failed are left
/// out.
class RemedyList
{
public:
    /// listsAll: every alternative of addBest(), to try them.
    explicit RemedyList(const std::vector<TriedRemedy> &tried, bool listsAll = false)
        : m_tried(tried), m_listsAll(listsAll)
    {}

    /// Advice without an action, in words.
    void addAdvice(Text words) { m_remedies.push_back({std::move(words), std::nullopt}); }
    /// An action without words; no effect if there is none.
    void offer(std::optional<api::Action> action);
    /// Both; no effect if there is no action.
    void add(Text words, std::optional<api::Action> action);
    /// The alternative that helped most when they were tried, otherwise the first one that did not fail.
    void addBest(const Text &words, const std::vector<api::Action> &alternatives);

    /// "Try: bias correction (+2.7 dB) or a platform with more bits. Not tried: FP32 for this operation. No gain:
    /// another observer."
    Text sentence() const;
    std::vector<api::Action> actions() const;

private:
    struct Remedy
    {
        std::optional<Text> words;
        std::optional<api::Action> action;
    };

    const TriedRemedy *resultOf(const std::optional<api::Action> &action) const;
    std::vector<Remedy> ordered() const;

    const std::vector<TriedRemedy> &m_tried;
    bool m_listsAll;
    std::vector<Remedy> m_remedies;
};

} // namespace ql
