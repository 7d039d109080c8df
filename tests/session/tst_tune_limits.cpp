// What a search refuses before its first trial, what it keeps then, and goals about the cost that cannot be met.
#include "tests/support/error_of.h"
#include "tests/support/sample_recipe.h"
#include "tests/support/small_graph.h"
#include "tests/support/test_main.h"

#include "core/base/file.h"
#include "core/session/tune.h"
#include "core/session/tune_trials.h"
#include "core/tune/cost.h"
#include "core/tune/float_step.h"
#include "core/tune/move.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

using namespace ql;
using ql::test::messageOf;
using ql::test::sampleFolder;
using ql::test::sampleRecipe;
namespace fs = std::filesystem;

class TestTuneLimits : public QObject
{
    Q_OBJECT

private:
    api::Recipe m_recipe;
    TuneOptions m_options;
    std::vector<api::Recipe> m_improved;
    int m_tried = 0;

    RunOptions atSample() const
    {
        RunOptions options;
        options.base = sampleFolder;
        return options;
    }
    api::TuneReport tune() const { return tuneRecipe(m_recipe, m_options, atSample(), {}); }
    /// Why the search is refused; empty if it is not, or only after a trial.
    QString refusal()
    {
        m_tried = 0;
        const QString message = messageOf([&] { tune(); });
        return m_tried == 0 ? message : QString();
    }
    static QString notesOf(const api::TuneReport &report)
    {
        std::string all;
        for (const Text &note : report.notes) all += note.english() + "\n";
        return QString::fromStdString(all);
    }

private Q_SLOTS:
    void init()
    {
        m_recipe = sampleRecipe(8, 8);
        m_improved.clear();
        m_options = {};
        m_options.seconds = patientSeconds;
        m_options.trials = 1;
        m_options.improved = [this](const api::Recipe &best) { m_improved.push_back(best); };
        m_options.tried = [this](const api::TuneTrial &, const api::Recipe &) { ++m_tried; };
    }

    void goalsThatNothingMeets_data()
    {
        QTest::addColumn<QString>("goal");
        QTest::addColumn<QString>("message");
        QTest::newRow("a share") << "int8.macs>150%"
                                 << "int8.macs is at most 100%";
        QTest::newRow("more than all") << "int8.macs>100%"
                                       << "int8.macs is at most 100%";
        QTest::newRow("top-1") << "metric.quantized>=1.5"
                               << "metric.quantized is at most 1";
        QTest::newRow("a negative cost") << "cost.weight_bytes<0"
                                         << "cost.weight_bytes is at least 0";
        QTest::newRow("cosine") << "output.cosine>=1.01"
                                << "output.cosine is at most 1";
        QTest::newRow("no table") << "cost.time<5"
                                  << "there is no table of times";
        QTest::newRow("no output") << "output[scorez].sqnr_db>20"
                                   << "no output or inner tensor of the model is named 'scorez'";
    }
    void goalsThatNothingMeets()
    {
        QFETCH(QString, goal);
        QFETCH(QString, message);
        m_options.goals = {goal.toStdString()};
        const QString found = refusal();
        QVERIFY2(found.contains(message), qPrintable(found));
    }

    /// What the drop can be follows from the metric in float32, which is known after the first measurement.
    void dropsThatNothingReaches()
    {
        m_options.goals = {"metric.drop<-99%"};
        m_tried = 0;
        const QString found = messageOf([&] { tune(); });
        QVERIFY2(found.contains("metric.drop is at least 0%"), qPrintable(found));
        QVERIFY2(found.contains("because the metric is 100% in float32"), qPrintable(found));
        QCOMPARE(m_tried, 1);
        QCOMPARE(m_improved.size(), std::size_t(1)); // the first recipe is kept
    }

    /// Outputs that the metric cannot read: the first recipe is saved all the same.
    void unreadableOutputsKeepTheFirstRecipe()
    {
        m_options.goals = {"metric.drop<1%"};
        m_recipe.metric = {"perplexity", ""};
        const QString found = messageOf([&] { tune(); });
        QVERIFY2(found.contains("needs an input of tokens"), qPrintable(found));
        QCOMPARE(m_improved.size(), std::size_t(1));
    }

    /// A drop by a few labels must not pass for one by all samples.
    void saysHowManySamplesHaveLabels()
    {
        const QTemporaryDir folder;
        const fs::path labels = fs::path(folder.path().toStdString()) / "labels.txt";
        std::istringstream lines(readFile(sampleFolder / "eval/labels.txt"));
        std::ofstream some(labels);
        int number = 0;
        for (std::string line; std::getline(lines, line);)
            if (number++ % 3 == 0) some << line << "\n";
        some.close();
        m_recipe = sampleRecipe(8, 40);
        m_recipe.metric = {"topk", labels.string()};
        m_options.goals = {"metric.drop<100%"};
        m_options.journal = fs::path(folder.path().toStdString()) / "j";
        for (const bool resume : {false, true}) {
            m_options.resume = resume;
            const api::TuneReport report = tune();
            QCOMPARE(report.resumed > 0, resume);
            const QString notes = notesOf(report);
            QVERIFY2(notes.contains("of 20 samples that were searched: the others have no label"), qPrintable(notes));
            QVERIFY2(notes.contains("of 20 samples that were not searched: the others"), qPrintable(notes));
            QVERIFY(report.trials.at(std::size_t(report.bestTrial)).search.labelled.value_or(20) < 20);
        }
    }

    /// Measured without a change of the network: the result has the outputs of the model.
    void goalsAboutInnerTensors()
    {
        m_options.goals = {"output[concat].cosine>0", "output.cosine>-1"};
        const api::TuneReport report = tune();
        QVERIFY(report.meetsAllGoals());
        QVERIFY(report.goals[0].value != report.goals[1].value);
        QVERIFY(report.best.cut.empty());
        m_options.goals.pop_back();
        m_options.trials = 4;
        const api::TuneReport searched = tune(); // lowers the error of that tensor
        QCOMPARE(searched.goals[0].expr, m_options.goals[0]);
        QVERIFY(searched.goals[0].value.value() >= report.goals[0].value.value());
        const api::TuneScore &first = searched.trials[0].search;
        QVERIFY(first.noiseRatio.value() > 0 && first.noiseUncertainty);
    }

    void limitsThemselvesCanBeMet()
    {
        m_options.goals = {"int8.macs>=100%", "output.cosine<=1", "cost.weight_bytes>0"};
        QVERIFY(tune().meetsAllGoals());
    }

    /// The error sends operations to float32; that would take the cost farther from its goal.
    void unmetCostsDoNotGrow()
    {
        QL_SKIP_IF_SANITIZED;
        const QTemporaryDir folder;
        m_options.times = fs::path(folder.path().toStdString()) / "times.json";
        std::ofstream(m_options.times) << R"({"types": {"Conv": {"int8": 1, "float": 2}, "Gemm": 1}})";
        m_options.trials = 40;
        m_options.goals = {"output.sqnr_db>90", "cost.time<1"};
        const api::TuneReport report = tune();
        QVERIFY(std::any_of(report.trials.begin(), report.trials.end(),
                            [](const api::TuneTrial &trial) { return trial.cost->macBits > 8; }));
        QCOMPARE(report.trials[std::size_t(report.bestTrial)].cost->macBits, 8.0);
    }

    /// Rounding weights takes long, and so does each trial after it: if it does not suffice, and the goals allow moves
    /// to float32, these come first.
    void longChangesFollowShortOnes()
    {
        QL_SKIP_IF_SANITIZED;
        m_recipe = sampleRecipe(8, 80);
        m_recipe.platform = "TRT_INT8";
        m_recipe.passes.reset();
        m_options.trials = 18;
        /// Of the first move to float32 and of the first rounding of weights.
        const auto positions = [&](const std::string &cost) {
            m_options.goals = {"output.sqnr_db>34", cost};
            const std::vector<api::TuneTrial> trials = tune().trials;
            const auto positionOf = [&](const auto &isIt) {
                return std::find_if(trials.begin(), trials.end(), isIt) - trials.begin();
            };
            return std::pair(
                positionOf([](const api::TuneTrial &trial) { return trial.cost->int8Macs < 1; }),
                positionOf([](const api::TuneTrial &trial) { return trial.move.english().starts_with("GPTQ"); }));
        };
        const auto [toFloat, rounded] = positions("int8.macs>=50%");
        QVERIFY(toFloat < rounded);
        const auto [neverFloat, roundedAlone] = positions("int8.macs>=100%");
        QVERIFY(roundedAlone < neverFloat);
    }

    /// Moves to float32 that the goals do not need are taken back, those of the user are not.
    void takesBackWhatIsNotNeeded()
    {
        QL_SKIP_IF_SANITIZED;
        m_recipe = sampleRecipe(8, 80);
        m_recipe.platform = "TRT_INT8";
        m_recipe.passes.reset();
        m_recipe.dispatch = {{.match = {.op = "stem"}, .set = {.platform = "FP32"}}};
        m_options.trials = 40;
        m_options.goals = {"output.sqnr_db>28", "int8.macs>=50%"};
        m_options.locks = {"left=float"};
        QTemporaryDir folder;
        m_options.journal = fs::path(folder.path().toStdString()) / "j";
        const api::TuneReport report = tune();
        const auto isBack = [](const api::TuneTrial &trial) {
            return trial.kept && trial.move.english().starts_with("back from float32 or more bits: ");
        };
        const auto back = std::find_if(report.trials.begin(), report.trials.end(), isBack);
        QVERIFY(back != report.trials.end());
        const auto costOf = [&](std::int64_t trial) { return report.trials[std::size_t(trial)].cost.value(); };
        QVERIFY(back->cost->int8Macs > costOf(back->parent.value()).int8Macs);
        QVERIFY(costOf(report.bestTrial).int8Macs >= back->cost->int8Macs);
        QVERIFY(report.meetsAllGoals());
        const api::TuneScore &score = report.trials[std::size_t(report.bestTrial)].search;
        QVERIFY(-10 * std::log10(score.noise() + *score.noiseUncertainty) > 28);
        for (const char *op : {"stem", "left"})
            QVERIFY(std::any_of(report.best.dispatch.begin(), report.best.dispatch.end(),
                                [&](const api::Rule &rule) { return rule.match.op == op; }));
        const auto movesOf = [](const api::TuneReport &some) {
            std::vector<std::pair<std::string, std::string>> moves;
            for (const api::TuneTrial &trial : some.trials) moves.emplace_back(trial.recipeHash, trial.move.english());
            return moves;
        };
        m_options.resume = true;
        const api::TuneReport resumed = tune();
        QVERIFY(resumed.resumed > 0 && resumed.best == report.best);
        QVERIFY(movesOf(resumed) == movesOf(report));
    }

    /// A drop on a few samples says little: it does not allow any amount of noise.
    void noiseOfWhatIsTakenBack()
    {
        m_options.goals = {"metric.drop<=2%", "int8.macs>=50%"};
        const TuneTrials trials(searchStart(m_recipe, {}), m_options, atSample(), {});
        const auto scores = [](double drop, double noise, std::optional<double> uncertainty = {}) {
            api::TuneScore made;
            made.fp32 = 0.6;
            made.metric = 0.6 - drop;
            made.uncertainty = uncertainty;
            made.noiseRatio = noise;
            made.goals = {{"metric.drop<=2%", drop}, {"int8.macs>=50%", 0.9}};
            return SearchedScores{made, made};
        };
        const SearchedScores before = scores(0, 0.02);
        QVERIFY(trials.areStillMet(scores(0.013, 0.029), before));
        QVERIFY(!trials.areStillMet(scores(0.014, 0.029), before)); // missed with half as much noise again
        QVERIFY(!trials.areStillMet(scores(-0.01, 0.031), before));
        const SearchedScores certain = scores(0, 0.02, 0.01);
        QVERIFY(trials.areStillMet(scores(0.005, 0.04, 0.01), certain));
        QVERIFY(!trials.areStillMet(scores(0.013, 0.029, 0.01), certain));
    }

    /// Neither of them takes it for a failure.
    void timeLimitEndsPassesAndAnalyses()
    {
        const api::Recipe start = searchStart(m_recipe, {});
        TuneTrials trials(start, m_options, atSample(), {});
        constexpr double past = -1;
        TuneCandidate candidate = trials.candidate(start);
        trials.limit(past);
        QVERIFY_EXCEPTION_THROWN(trials.quantize(candidate), TimeLimitReached);
        trials.limit(m_options.seconds);
        trials.quantize(candidate);
        trials.limit(past);
        QVERIFY_EXCEPTION_THROWN(trials.measure(candidate, TunePart::Screen), TimeLimitReached);
        QVERIFY_EXCEPTION_THROWN(trials.estimatedNoise(candidate), TimeLimitReached);
    }

    /// No change makes a network cheaper: nothing is tried, but the first recipe is kept.
    void costsThatNothingLowers_data()
    {
        QTest::addColumn<QString>("goal");
        QTest::addColumn<QString>("lock");
        QTest::addColumn<QString>("message");
        QTest::newRow("bytes") << "cost.weight_bytes<10"
                               << ""
                               << "and no change of a search lowers this cost";
        QTest::newRow("bits") << "cost.mac_bits<=4"
                              << ""
                              << "the recipe has 8, and no change";
        QTest::newRow("locks") << "int8.macs>99%"
                               << "down_depthwise=float"
                               << "the locks down_depthwise keep operations with";
    }
    void costsThatNothingLowers()
    {
        QFETCH(const QString, goal);
        QFETCH(const QString, lock);
        QFETCH(const QString, message);
        m_options.goals = {"output.sqnr_db>10", goal.toStdString()};
        if (!lock.isEmpty()) m_options.locks = {lock.toStdString()};
        m_tried = 0;
        const QString found = messageOf([&] { tune(); });
        QVERIFY2(found.contains(goal) && found.contains(message), qPrintable(found));
        QCOMPARE(m_tried, 0);
        QCOMPARE(m_improved.size(), std::size_t(1));
    }

    /// They are in float32 without a lock.
    void namesOperationsInFloat()
    {
        m_recipe.dispatch = {{.match = {.op = "stem"}, .set = {.platform = "FP32"}}};
        m_options.goals = {"int8.macs>=100%"};
        const QString found = refusal();
        QVERIFY2(found.contains("and no change of a search raises it; more than 8 bits: stem"), qPrintable(found));
    }

    /// More bits than the recipe has.
    void costsThatMovesRaise()
    {
        m_options.goals = {"int8.macs<99%", "cost.weight_bytes>1e3"};
        QVERIFY(!tune().trials.empty());
    }

    /// A platform with weights of few bits: single matrices get 8 bits, if a goal allows the bytes.
    void widensWeights()
    {
        m_recipe.platform = "WEIGHT_ONLY";
        m_recipe.passes.reset();
        m_recipe.analyses.clear();
        QVERIFY(allowsWideWeights(completeRecipe(m_recipe)));
        const QuantModel start = runRecipe(m_recipe, atSample(), {}).model;
        std::map<Slot, double> noise;
        for (const auto &[slot, config] : start.plan.configs())
            if (start.plan.simulated(slot)) noise[slot] = 1;
        const std::vector<FloatStep> all = floatSteps(start, noise, Locks()),
                                     steps = stepsFor(Raise::WideWeights, start, all);
        QVERIFY(!steps.empty());
        QVERIFY(stepsFor(Raise::WideTensors, start, all).empty());
        QCOMPARE(stepsFor(Raise::ToFloat, start, all).front().bytes, 7 * steps.front().bytes); // 28 bits more, not 4
        const Move move = raiseMove(Raise::WideWeights, start, {steps.front()});
        QVERIFY(move.text.english().starts_with("8 bits for the weights of "));
        const QuantModel changed = runRecipe(withMove(m_recipe, move), atSample(), {}).model;
        for (const auto &[slot, config] : changed.plan.configs())
            if (slot.op == steps.front().operations.front() && changed.plan.simulated(slot)) QCOMPARE(config.bits, 8);
        const api::TuneCost before = costOf(start), after = costOf(changed);
        QCOMPARE(after.weightBytes - before.weightBytes, steps.front().bytes);
        QVERIFY(isCheaper(before, after) && !isCheaper(after, before) && !isCheaper(before, before));

        m_options.goals = {"output.sqnr_db>40", "cost.weight_bytes<=" + std::to_string(after.weightBytes)};
        m_options.trials = 40;
        const auto widens = [&] {
            const api::TuneReport report = tune();
            return std::any_of(report.trials.begin(), report.trials.end(), [](const api::TuneTrial &trial) {
                return trial.move.english().starts_with("8 bits for the weights of ");
            });
        };
        QVERIFY(widens());
        m_options.goals[1] = "cost.weight_bytes<=" + std::to_string(before.weightBytes); // not affordable
        QVERIFY(!widens());
        for (const char *format : {"mxfp4", "nvfp4"}) { // floats of 8 bits
            m_recipe.platformParams["weight_format"] = format;
            QVERIFY(allowsWideWeights(completeRecipe(m_recipe)));
            const QuantModel floats = runRecipe(m_recipe, atSample(), {}).model;
            const std::vector<FloatStep> widened =
                stepsFor(Raise::WideWeights, floats, floatSteps(floats, noise, Locks()));
            QVERIFY(!widened.empty());
            const Move toFp8 = raiseMove(Raise::WideWeights, floats, {widened.front()});
            const QuantModel mixed = runRecipe(withMove(m_recipe, toFp8), atSample(), {}).model;
            for (const auto &[slot, config] : mixed.plan.configs())
                if (slot.op == widened.front().operations.front() && mixed.plan.simulated(slot))
                    QVERIFY(config.bits == 8 && config.exponentBits == 4);
        }
        m_recipe.platformParams["weight_format"] = "int8";
        QVERIFY(!allowsWideWeights(completeRecipe(m_recipe)));
    }

    /// An operation in a body is locked by its name or path, and with it the operation that has the body.
    void locksInBodies()
    {
        test::SmallGraph body, g;
        body.input("i", {}, at::kLong);
        body.input("go", {}, at::kBool);
        body.input("s", {1, 2});
        body.op("Relu", "inner", {"s"}, {"n"});
        body.output("go");
        body.output("n");
        g.input("x", {1, 2});
        g.op("Loop", "loop", {"", "", "x"}, {"y"}, {{"body", std::make_shared<const Graph>(body.graph)}});
        g.op("Relu", "after", {"y"}, {"z"});
        g.output("z");
        const Locks quantized({{"inner", LockKind::Int8}}, g.graph), kept({{"inn*", LockKind::Keep}}, g.graph),
            inFloat({{"inner", LockKind::Float}}, g.graph), byPath({{"loop/body/*", LockKind::Keep}}, g.graph);
        QVERIFY(!quantized.mayBeFloat("loop") && quantized.mayChange("loop") && quantized.mayBeFloat("after"));
        QVERIFY(!kept.mayChange("loop") && kept.mayChange("after"));
        QVERIFY(!byPath.mayChange("loop") && byPath.mayChange("after"));
        QVERIFY(inFloat.mayBeFloat("loop") && !inFloat.mayBeFloat("inner"));
        const QString found = messageOf([&] { Locks({{"iner", LockKind::Int8}}, g.graph); });
        QVERIFY2(found.contains("no operation is named 'iner'"), qPrintable(found));
    }

    /// What was measured until then is not lost.
    void failingCommandsLeaveTheTrials()
    {
        const QTemporaryDir folder;
        const fs::path file = fs::path(folder.path().toStdString()) / "failing.json";
        const std::string script = "echo >> runs; test $(wc -l < runs) -lt 4 && echo 0.5"; // float, first, best, ...
        std::ofstream(file) << nlohmann::json{{"command", {"sh", "-c", script, "{outputs}"}}};
        m_options.allowCommands = true;
        m_options.trials = 6;
        m_options.goals = {"metric.drop<6%", "int8.macs>90%"};
        m_options.metric = file;
        std::optional<api::TuneReport> soFar;
        m_options.ended = [&](const api::TuneReport &report) { soFar = report; };
        const QString message = messageOf([&] { tune(); });
        QVERIFY2(message.contains("exit code 1"), qPrintable(message));
        QVERIFY(soFar && soFar->trials.size() > 1 && soFar->trials.front().search.sqnrDb);
        QVERIFY(soFar->notes.back().english().find("exit code 1") != std::string::npos);
        QCOMPARE(api::recipeHash(soFar->best), soFar->trials.at(std::size_t(soFar->bestTrial)).recipeHash);
        QCOMPARE(soFar->goals.size(), m_options.goals.size());
        QVERIFY(!soFar->meetsAllGoals());
    }

    /// The recipe of the user is the best one there is.
    void refusedSearchesKeepTheStart()
    {
        m_options.goals = {"output.sqnr_db>10"};
        m_options.seconds = 0;
        QVERIFY(refusal().contains("budget is zero"));
        QCOMPARE(m_improved.size(), std::size_t(1));
        m_options.seconds = patientSeconds;
        for (const char *lock : {"*=keep", "*=float"}) {
            m_improved.clear();
            m_options.locks = {lock};
            QVERIFY(refusal().contains("leave nothing"));
            QCOMPARE(m_improved.size(), std::size_t(1));
            QCOMPARE(m_improved.front().platform, m_recipe.platform);
        }
    }

    void oneBatchConfirmsNothing()
    {
        m_recipe.evaluation.samples = 1;
        m_options.trials = 3;
        m_options.goals = {"output.sqnr_db>5"};
        const api::TuneReport report = tune();
        QVERIFY(report.goals[0].value && !report.goals[0].confirmed);
        for (const api::TuneTrial &trial : report.trials) QVERIFY(!trial.confirm);
        const QString notes = notesOf(report);
        QVERIFY2(notes.contains("nothing was confirmed on other data") && !notes.contains("on the others"),
                 qPrintable(notes));
    }

    /// In float32 an operation has no tensors that an override could match.
    void recipesHaveNoIdleOverrides()
    {
        Move range;
        range.overrides = {{.match = {.op = "stem", .roles = {api::SlotRole::Output}, .index = 0},
                            .set = {.range = std::pair(-1.0, 1.0)}}};
        Move toFloat;
        toFloat.dispatch = {{.match = {.op = "stem"}, .set = {.platform = "FP32"}}};
        QVERIFY(withMove(withMove(m_recipe, range), toFloat).overrides == m_recipe.overrides);
        m_options.trials = 4;
        m_options.goals = {"output.sqnr_db>90"};
        m_options.locks = {"*=int8", "scores=keep"};
        const api::TuneReport report = tune();
        QVERIFY(report.best.overrides.size() > m_recipe.overrides.size() + 1);
        for (const api::Problem &problem : runRecipe(report.best, atSample(), {}).report.problems)
            QVERIFY2(problem.message.english().find("matches no tensor") == std::string::npos,
                     problem.message.english().c_str());
    }
};

QL_TEST(TestTuneLimits)
#include "tst_tune_limits.moc"
