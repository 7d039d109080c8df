#include "core/session/tune.h"

#include "core/analysis/slot_noise.h"
#include "core/base/error.h"
#include "core/exec/threads.h"
#include "core/pass/slots.h"
#include "core/session/tune_notes.h"
#include "core/session/tune_rivals.h"
#include "core/session/tune_trials.h"
#include "core/tune/cost.h"
#include "core/tune/float_step.h"
#include "core/tune/front.h"
#include "core/tune/kept_moves.h"
#include "core/tune/move.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <set>
#include <utility>

namespace ql {

namespace {

/// A move must lower the error at the outputs at least to this fraction.
constexpr double worthwhile = 0.99, worthwhileRange = 0.985;
/// Tensors that cause less than this fraction of the noise are left as they are.
constexpr double negligible = 0.005;

class Search
{
public:
    Search(const api::Recipe &recipe, const TuneOptions &options, const RunOptions &runOptions, const JobContext &job)
        : m_options(options), m_job(job), m_given(locksOf(options)),
          m_trials(searchStart(recipe, m_given), options, runOptions, job)
    {
        m_best = m_trials.candidate(searchStart(recipe, m_given));
        m_report.locks = options.locks;
        m_report.seed = options.seed;
        m_report.budget = options.seconds;
    }

    api::TuneReport run()
    {
        constexpr double some = 0.1; // for measurements that take longer than expected
        const double end = (1 + some) * m_options.seconds;
        m_trials.limit(end);
        const bool hasBegun = inTime([&] { begin(); });
        if (m_report.trials.empty()) {
            m_options.improved(m_best.recipe);
            addFirstTrial(0);
        }
        m_isInterrupted = !hasBegun || !inTime([&] {
            m_trials.limit(m_options.seconds - reserve());
            if (hasTime()) search();
        });
        m_trials.limit(end);
        if (hasBegun) inTime([&] { compareWithRivals(); });
        return finish();
    }

    /// What was found when an error, or the user, ended the search. why: a note.
    api::TuneReport soFar(const Text &why)
    {
        m_report.goals =
            goalsOf(m_searchedHash == m_best.hash ? m_searched : api::TuneScore(), api::TuneScore(), m_trials.goals());
        m_report.front = paretoFront(m_report.trials);
        m_report.notes.push_back(why);
        m_report.best = m_best.recipe;
        m_report.resumed = m_trials.resumed();
        m_report.seconds = seconds();
        return std::move(m_report);
    }

private:
    /// @throws TimeLimitReached
    void search()
    {
        attemptAll(floatPassMoves(m_best.recipe));
        attemptAll(platformMoves(m_best.recipe));
        chooseObservers();
        within(0.25, [&] { tuneTensors(); });
        within(0.5, [&] { raiseFirst(); });
        if (!meetsGoals() || isUncertain()) roundWeights();
        attemptAll(biasMoves(m_best.recipe)); // of errors that rounding leaves
        if (!meetsGoals() || isUncertain()) train(Training::Short);
        if (mayMissGoals()) freeTensors();
        raise(); // before long training, which each later trial would repeat
        m_isRaised = true;
        if (!meetsGoals() || isUncertain()) roundWeights();
        within(0.5, [&] { takeBack(); });
        if (!meetsGoals() || isUncertain()) train(Training::Full);
        within(0.5, [&] { takeBack(); }); // if the goals are met only now
    }

    double seconds() const { return m_trials.seconds(); }
    /// For what is done after the search: the last measurements, and what it would take.
    double reserve() const { return m_measuring + m_comparing + m_estimating; }
    /// Whether there is time for another trial, and for the last measurements.
    bool hasTime() const
    {
        const bool isLimited = m_options.trials > 0 && m_report.trials.size() >= m_options.trials;
        return !isLimited && !m_isInterrupted && seconds() < m_until && left() > 0;
    }
    double left() const { return m_options.seconds - reserve() - seconds(); } ///< for changes
    /// A part of the search that begins nothing after that share of the time that is left.
    template <typename Part>
    void within(double share, const Part &part)
    {
        m_until = seconds() + share * left();
        part();
        m_until = m_options.seconds;
    }
    /// Of the time that is left, what a single change that takes long may have. Less as long as moves to float32 are
    /// to follow, which are many.
    double longShare()
    {
        constexpr double some = 0.2, half = 0.5;
        return !m_isRaised && !isAccurate() && m_trials.mayMoveToFloat(m_best, m_locks) ? some : half;
    }
    const QuantModel &model()
    {
        m_trials.quantize(m_best);
        return *m_best.model;
    }
    void report(const Text &what) const { m_job.checkpoint(std::min(1.0, seconds() / m_options.seconds), what); }

    /// The first trial: the recipe as it is.
    void begin()
    {
        report(QL_TEXT("the recipe as it is"));
        m_trials.quantize(m_best);
        m_locks = Locks(m_given, m_best.model->graph);
        refuseNothingQuantized(*m_best.model, m_locks, m_best.recipe.platform);
        m_options.improved(m_best.recipe); // the best one known, whatever follows
        refuseFullLocks(*m_best.model, m_locks);
        refuseCheaper(m_trials.goals(), costOf(*m_best.model), wideOperations(*m_best.model, m_locks));
        const double before = seconds();
        m_trials.measure(m_best, TunePart::Screen);
        const double perSample = m_trials.secondsOf(TunePart::Screen) / double(m_trials.samplesOf(TunePart::Screen));
        const double runs = m_options.metric.empty() ? 1 : 2; // the command reads the outputs, in a run for itself
        const auto count = [&](TunePart part) { return double(m_trials.samplesOf(part)); };
        const bool isSearched = !m_trials.hasGoalAboutMetric() && count(TunePart::Screen) == count(TunePart::Search);
        if (isSearched) m_startSearch = m_best.score; // of the same samples
        m_measuring =
            runs * perSample * ((isSearched ? 1 : 2) * count(TunePart::Search) + 2 * count(TunePart::Confirm));
        m_estimating = 30 * perSample; // about
        addFirstTrial(before);
        m_tried.insert(m_best.hash);
        keep(m_best, 0);
        m_start = m_best;
        m_start.caches.clear();
        if (!m_trials.hasGoalAboutMetric()) return;
        // Labels or a command that do not fit, or a command that does not end, are reported before the search
        m_measuring = 0;
        m_trials.refuseImpossible(*(m_startSearch = searched()));
        m_searching = m_trials.secondsOf(TunePart::Search);
        constexpr double share = 0.1, rivals = 4; // as many as there are observers
        m_comparing = std::min(share * m_options.seconds, rivals * m_searching);
    }

    void addFirstTrial(double since)
    {
        addTrial(m_best, std::nullopt, QL_TEXT("the recipe as it is"), since).kept = true;
        if (!m_best.model) m_report.trials.front().cost.reset();
        m_options.tried(m_report.trials.front(), m_best.recipe);
    }

    api::TuneTrial &addTrial(const TuneCandidate &candidate, std::optional<std::int64_t> parent, const Text &move,
                             double since)
    {
        m_report.trials.push_back({.id = std::int64_t(m_report.trials.size()),
                                   .parent = parent,
                                   .move = move,
                                   .recipeHash = candidate.hash,
                                   .cost = candidate.cost,
                                   .search = candidate.score,
                                   .confirm = {},
                                   .seconds = seconds() - since});
        return m_report.trials.back();
    }

    /// The search goes on from it.
    void keep(TuneCandidate candidate, std::int64_t trial)
    {
        m_trials.startFrom(candidate);
        m_kept.emplace_back(candidate.recipe, trial);
        m_best = std::move(candidate);
        m_report.bestTrial = trial;
        if (trial > 0) m_options.improved(m_best.recipe); // the first one is saved before it is measured
    }

    bool costsTooMuch(const api::TuneCost &cost) const { return m_trials.costsTooMuch(cost, m_best.cost); }

    /// Tries a change of the best recipe. share: of the time that is left, which it may take. @returns whether it is
    /// better, and the best one now
    bool attempt(const Move &move, double share = 1)
    {
        const bool isKept = attempt(withMove(m_best.recipe, move), move.text, share, [&](const TuneCandidate &found) {
            return found.score.error() < m_best.score.error() * worthwhile && !costsTooMuch(found.cost);
        });
        if (isKept) m_moves.add(move);
        return isKept;
    }

    /// isBetter: after it was measured on TunePart::Screen.
    bool attempt(api::Recipe recipe, const Text &text, double share,
                 const std::function<bool(TuneCandidate &)> &isBetter)
    {
        if (!hasTime()) return false;
        report(text);
        const double before = seconds();
        TuneCandidate candidate = m_trials.candidate(std::move(recipe));
        if (!m_tried.insert(candidate.hash).second) return false;
        bool isKept = false;
        try {
            m_trials.limit(before + share * left());
            m_trials.measure(candidate, TunePart::Screen);
            isKept = isBetter(candidate);
            m_trials.limit(m_options.seconds - reserve());
        } catch (const TimeLimitReached &) {
            if (share == 1) throw;
            m_trials.limit(m_options.seconds - reserve());
            return false;
        } catch (const Error &error) {
            m_trials.limit(m_options.seconds - reserve());
            if (error.kind == ErrorKind::Io) throw; // the journal, the data
            return false;                           // it does not fit this model or platform
        }
        api::TuneTrial &trial = addTrial(candidate, m_report.bestTrial, text, before);
        trial.kept = isKept;
        m_options.tried(trial, candidate.recipe);
        if (trial.kept) keep(std::move(candidate), trial.id);
        return trial.kept;
    }

    /// Moves that change the whole model: none if a part of it has to stay as it is.
    void attemptAll(const std::vector<Move> &moves)
    {
        if (m_locks.keepsAny()) return;
        for (const Move &move : moves) attempt(move);
    }

    /// Of each slot of the best recipe. Empty if an operation has no gradient.
    const std::map<Slot, double> &estimatedNoise()
    {
        model();
        if (m_noiseHash == m_best.hash) return m_noise;
        const double before = seconds();
        m_noise = m_trials.estimatedNoise(m_best);
        m_noiseHash = m_best.hash;
        m_estimating = seconds() - before;
        return m_noise;
    }

    /// The noise that each slot of the best recipe adds: estimated, or, if an operation has no gradient, measured.
    std::map<Slot, double> noiseOfSlots(bool withWeights)
    {
        report(QL_TEXT("ranking tensors"));
        std::map<Slot, double> noise = estimatedNoise();
        if (!noise.empty()) return noise;
        return m_trials.measuredNoise(m_best, withWeights, [&](const Operation &op) {
            report(QL_TEXT("ranking '%1'").with(op.name));
            return hasTime();
        });
    }

    void chooseObservers()
    {
        for (const Move &move : observerMoves(model(), m_locks)) attempt(move);
        for (const Move &move : weightMoves(model(), m_locks)) attempt(move);
    }

    /// The tensors that cause most of the noise and may change, the worst first.
    std::vector<NoisyGroup> rankedTensors()
    {
        const QuantModel &quantized = model();
        std::vector<NoisyGroup> ranked = noisyGroups(quantized, noiseOfSlots(false));
        const double all = m_trials.probe(m_best).noise();
        std::erase_if(ranked, [&](const NoisyGroup &r) {
            return r.noise < negligible * all || !m_locks.mayChange(quantized.graph.operation(r.group.root.op).name);
        });
        m_report.causes = worstCauses(quantized.graph, ranked);
        return ranked;
    }

    /// Clip limits by their error at the outputs, tensor by tensor.
    void tuneTensors()
    {
        const std::vector<NoisyGroup> ranked = rankedTensors();
        double error = m_trials.probe(m_best).error();
        for (const NoisyGroup &tensor : ranked) {
            if (!hasTime()) break;
            const auto group = scaleGroup(model(), tensor.group.root);
            if (!group) continue;
            report(QL_TEXT("range of '%1'").with(model().graph.variable(group->variable).name));
            bool isBetter = false;
            if (model().plan.find(group->root)->isPerChannel()) {
                for (const Move &move : observerMoves(model(), *group)) isBetter = attempt(move) || isBetter;
            } else if (const double factor =
                           m_trials.bestFactor(m_best, *group, error * worthwhileRange, [&] { return hasTime(); });
                       factor != 1) {
                const auto move = rangeMove(model(), *group, factor);
                isBetter = move && attempt(*move);
            }
            if (!isBetter) continue;
            model(); // may be known from the journal
            error = m_trials.probe(m_best).error();
        }
    }

    const api::TuneScore &searched()
    {
        if (m_searchedHash == m_best.hash) return m_searched;
        report(QL_TEXT("goals of the best recipe"));
        return setSearched(m_trials.measure(m_best, TunePart::Search));
    }
    /// The best recipe was just measured.
    const api::TuneScore &setSearched(api::TuneScore score)
    {
        m_searched = std::move(score);
        m_searchedHash = m_best.hash;
        const double search = double(m_trials.samplesOf(TunePart::Search)),
                     all = search + 2 * double(m_trials.samplesOf(TunePart::Confirm)); // of the first one, too
        // With other kernels, the last one may take longer than those before
        m_measuring = std::max(m_measuring, m_trials.secondsOf(TunePart::Search) * all / search);
        return m_searched;
    }

    bool meetsGoals() { return m_trials.areMet(searched()); }
    /// Whether operations may stay as they are: other data will meet the goals about outputs, too. times: with so much
    /// of the noise, without regard to other data.
    bool isAccurate(double times = 1)
    {
        if (times != 1) return m_trials.areMet(searched(), times);
        return meetsGoals() && !m_trials.mayMissOutputs(searched());
    }

    /// What belongs together, such as all depthwise convolutions, each group in one move. @returns whether the goals
    /// are met
    bool raiseGroups(Raise raise, const std::map<Slot, double> &noise, double times)
    {
        const QuantModel start = model();
        for (const std::vector<FloatStep> &group : floatGroups(start, noise, m_locks)) {
            const std::vector<FloatStep> steps = stepsFor(raise, start, group);
            std::size_t at = 0;
            const std::vector<FloatStep> chosen = m_trials.affordable(steps, m_best.cost, at, steps.size());
            if (!chosen.empty() && attempt(raiseMove(raise, start, chosen)) && isAccurate(times)) return true;
        }
        return false;
    }

    /// Tensors that no weights multiply: without rounding, as many multiplications are in 8 bits.
    void freeTensors()
    {
        if (!hasTime()) return;
        const QuantModel start = model();
        for (const std::vector<FloatStep> &group : floatGroups(start, noiseOfSlots(false), m_locks))
            if (std::all_of(group.begin(), group.end(), [](const FloatStep &step) { return step.operations.empty(); }))
                attempt(floatMove(start.graph, group));
    }

    /// Tensors and operations to float32 or more bits, first those that add most noise for their multiplications, until
    /// the goals are met or a goal about the cost forbids more. Twice as many at a time as long as that helps. If the
    /// cost has a limit, once more: the goals have to hold on other data, too. times: as in isAccurate()
    void raiseOperations(Raise raise, double times)
    {
        constexpr int mostFailures = 6;
        std::map<Slot, double> noise = noiseOfSlots(true);
        const std::string ranked = m_best.hash;
        const bool wasMet = raiseGroups(raise, noise, times), isMargin = times == 1 && m_trials.hasGoalAboutCost();
        if (wasMet && !isMargin) return;
        if (m_best.hash != ranked) {
            chooseObservers(); // what noise is left comes from other tensors
            noise = noiseOfSlots(true);
        }
        const QuantModel start = model();
        const std::vector<FloatStep> steps = stepsFor(raise, start, floatSteps(start, noise, m_locks));
        std::size_t count = 1;
        int failures = 0, margin = isMargin && !wasMet ? 1 : 0;
        for (std::size_t at = 0; at < steps.size() && hasTime();) {
            std::size_t next = at;
            const std::vector<FloatStep> chosen = m_trials.affordable(steps, m_best.cost, next, count);
            if (chosen.empty()) return;
            const bool isBetter = attempt(raiseMove(raise, start, chosen));
            if (isBetter && isAccurate(times) && margin-- == 0) return;
            if (!isBetter && chosen.size() > 1) { // one by one
                count = 1;
                continue;
            }
            if (!isBetter && ++failures == mostFailures) return;
            if (isBetter) count *= 2;
            at = next;
        }
    }

    void raise(double times = 1)
    {
        if (!isAccurate(times) && allowsWideActivations(m_best.recipe)) raiseOperations(Raise::WideTensors, times);
        if (!isAccurate(times) && allowsWideWeights(m_best.recipe)) raiseOperations(Raise::WideWeights, times);
        if (!isAccurate(times)) raiseOperations(Raise::ToFloat, times);
    }

    /// What rounding weights better cannot remove is for float32, before that: it takes long, and so does each trial
    /// after it.
    void raiseFirst()
    {
        if (meetsGoals() || !m_trials.mayMoveToFloat(m_best, m_locks)) return;
        const bool isRounded = !m_locks.keepsAny() && !trainingMoves(m_best.recipe, Training::Rounding).empty();
        raise(isRounded ? 1 - shareOfWeights(model().graph, noiseOfSlots(true)) : 1);
    }

    bool isUncertain() { return m_trials.isUncertain(m_best.score, searched()); }
    bool mayMissGoals() { return m_trials.mayMissGoals(m_best.score, searched()); }

    /// Weights rounded one after the other, if that is not expected to take too much of the time that is left.
    void roundWeights()
    {
        if (m_locks.keepsAny()) return;
        const double share = longShare();
        const double before = double(std::max<std::int64_t>(m_best.recipe.calibration.samples, 1));
        for (const Move &move : trainingMoves(m_best.recipe, Training::Rounding)) {
            const double last = m_report.trials.back().seconds;
            const bool takesMore = move.calibrationSamples > 0;
            if (takesMore && !m_trials.hasMoreToCalibrate()) continue;
            if (takesMore && last * double(move.calibrationSamples) / before > share * left()) continue;
            attempt(move, share);
        }
    }

    /// What the search moved to float32 or 16 bits is quantized again, as far as the goals stay met as certainly as
    /// they are now.
    void takeBack()
    {
        if (!m_trials.areMetEasily(searched()) || m_best.hash == m_settled) return;
        const SearchedScores before{m_best.score, searched()};
        inHalves(m_moves.costlyParts(), [&](const std::vector<KeptMoves::Part> &some) {
            return hasTime() ? std::optional(attemptWithout(some, before)) : std::nullopt;
        });
        if (hasTime()) m_settled = m_best.hash;
    }

    /// before: without any part taken back.
    bool attemptWithout(const std::vector<KeptMoves::Part> &parts, const SearchedScores &before)
    {
        KeptMoves rest = m_moves.without(parts);
        api::TuneScore score;
        const double share = std::min(1.0, (m_until - seconds()) / left());
        const auto isBetter = [&](TuneCandidate &found) {
            if (!isCheaper(found.cost, m_best.cost)) return false;
            score = m_trials.measure(found, TunePart::Search);
            return m_trials.areStillMet({found.score, score}, before);
        };
        if (!attempt(rest.appliedTo(m_start.recipe), m_moves.textOf(parts), share, isBetter)) return false;
        m_moves = std::move(rest);
        setSearched(std::move(score));
        return true;
    }

    /// Passes that train.
    void train(Training training)
    {
        if (m_locks.keepsAny()) return;
        for (const Move &move : trainingMoves(m_best.recipe, training)) {
            const bool isBetter = attempt(move, longShare());
            if (isBetter && meetsGoals() && !isUncertain()) return;
        }
    }

    /// The error at the outputs is not the metric: the best recipe competes with others that cost no more.
    void compareWithRivals()
    {
        m_comparing = 0;
        std::vector<TuneRival> rivals = meetsGoals() ? std::vector<TuneRival>() : earlierRivals(m_kept);
        const auto plain = plainRivals(m_trials, m_kept.front().first, m_locks, m_report.trials);
        rivals.insert(rivals.end(), plain.begin(), plain.end());
        for (const TuneRival &rival : rivals) {
            TuneCandidate candidate = m_trials.candidate(rival.recipe);
            if (candidate.hash == m_best.hash) continue;
            // It is quantized again, and measured
            const double before = seconds();
            const double needed =
                m_report.trials[std::size_t(rival.trial.value_or(0))].seconds + m_searching + reserve();
            if (before + needed > m_options.seconds) return;
            report(QL_TEXT("comparing with earlier recipes"));
            const api::TuneScore score = m_trials.measure(candidate, TunePart::Search);
            if (costsTooMuch(candidate.cost) || candidate.cost.macBits > m_best.cost.macBits) continue;
            const bool isMet = m_trials.areMet(score), wasMet = meetsGoals();
            if (isMet != wasMet ? wasMet : !isBetterScore(score, searched(), m_trials.isLoss())) continue;
            if (!rival.trial) m_trials.measure(candidate, TunePart::Screen);
            const std::int64_t trial = rival.trial ? *rival.trial : addTrial(candidate, 0, rival.move, before).id;
            m_report.trials[std::size_t(trial)].kept = true;
            if (!rival.trial) m_options.tried(m_report.trials.back(), candidate.recipe);
            keep(std::move(candidate), trial);
            setSearched(score);
        }
    }

    /// Scores of the best recipe on the searched data and on the other, if there is any; of the first one if that is
    /// the better result on the other half. Without samples: the time did not suffice.
    std::pair<api::TuneScore, std::optional<api::TuneScore>> confirmed()
    {
        const bool hasOther = m_trials.samplesOf(TunePart::Confirm) > 0;
        BothHalves best, start;
        const bool isMeasured = inTime([&] {
            best.search = searched();
            report(QL_TEXT("confirming the best recipe"));
            if (hasOther) best.confirm = m_trials.measure(m_best, TunePart::Confirm);
        });
        if (!hasOther) return {best.search, std::nullopt};
        const bool isCompared = isMeasured && m_report.bestTrial > 0 && inTime([&] {
                                    start.search =
                                        m_startSearch ? *m_startSearch : m_trials.measure(m_start, TunePart::Search);
                                    start.confirm = m_trials.measure(m_start, TunePart::Confirm);
                                });
        if (!isCompared) return {best.search, best.confirm};
        m_report.trials.front().confirm = start.confirm;
        if (!isStartBetter(start, best, m_trials.goals(), m_trials.isLoss())) return {best.search, best.confirm};
        m_report.trials[std::size_t(m_report.bestTrial)].confirm = best.confirm;
        m_report.notes.push_back(startIsBetter());
        keep(m_start, 0);
        return {start.search, start.confirm};
    }

    api::TuneReport finish()
    {
        const auto [search, confirm] = confirmed();
        m_report.front = paretoFront(m_report.trials); // of measurements on the same samples
        api::TuneTrial &trial = m_report.trials[std::size_t(m_report.bestTrial)];
        const bool isMeasured = search.samples > 0 && (!confirm || confirm->samples > 0);
        if (search.samples > 0) trial.search = search;
        if (confirm && confirm->samples > 0) trial.confirm = confirm;
        m_report.goals = goalsOf(search, confirm, m_trials.goals());
        for (const Text &note : m_trials.notes()) m_report.notes.push_back(note);
        if (isMeasured)
            for (Text &note : notesOn(search, confirm, m_trials.hasGoalAboutMetric())) m_report.notes.push_back(note);
        addNotesOnGoals(m_report, m_trials.goals(), [&] {
            std::vector<Text> notes;
            inTime([&] { notes = whatItTakes(model(), estimatedNoise(), m_locks); });
            return notes;
        });
        const std::size_t tried = m_report.trials.size();
        if (!isMeasured || (!m_report.meetsAllGoals() && !hasTime()))
            m_report.notes.push_back(
                budgetEnded(isMeasured, tried > 1 || tried == m_options.trials, seconds(), m_options.seconds));
        m_report.best = m_best.recipe;
        m_report.resumed = m_trials.resumed();
        m_report.seconds = seconds();
        return std::move(m_report);
    }

    const TuneOptions &m_options;
    const JobContext &m_job;
    const std::vector<Lock> m_given;
    TuneTrials m_trials;
    Locks m_locks;
    TuneCandidate m_best, m_start;               ///< m_start: the first one
    std::optional<api::TuneScore> m_startSearch; ///< on TunePart::Search, if it was measured
    std::set<std::string> m_tried;               ///< hashes of recipes
    api::TuneScore m_searched;                   ///< of the best recipe
    std::string m_searchedHash;
    std::vector<std::pair<api::Recipe, std::int64_t>> m_kept; ///< with their trials, the best one last
    KeptMoves m_moves;                                        ///< that led from the first recipe to the best one
    std::string m_settled;                                    ///< hash of a recipe of which no more can be taken back
    bool m_isInterrupted = false;                             ///< a trial at the end of the budget
    bool m_isRaised = false;                                  ///< to float32, as far as the goals ask for and allow
    double m_until = m_options.seconds;                       ///< no change begins later
    double m_measuring = 0;                                   ///< seconds for the last measurements
    double m_searching = 0, m_comparing = 0; ///< seconds to measure a recipe on TunePart::Search, and those of rivals
    std::string m_noiseHash;                 ///< of the last recipe whose noise was estimated
    std::map<Slot, double> m_noise;          ///< of it
    double m_estimating = 0;                 ///< seconds that this takes
    api::TuneReport m_report;
};

} // namespace

api::TuneReport tuneRecipe(const api::Recipe &recipe, const TuneOptions &options, const RunOptions &runOptions,
                           const JobContext &job)
{
    const ThreadScope threads(threadsFor(recipe.threads));
    if (!(options.seconds > 0)) {
        options.improved(searchStart(recipe, locksOf(options)));
        throw noBudget();
    }
    Search search(recipe, options, runOptions, job);
    try {
        return search.run();
    } catch (...) {
        if (const api::TuneReport found = search.soFar(whyEnded()); !found.trials.empty()) options.ended(found);
        throw;
    }
}

} // namespace ql
