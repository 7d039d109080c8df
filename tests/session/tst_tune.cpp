// The search for a better recipe, on the sample: what it finds, locks, goals, resuming, cancelling.
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/trust.h"
#include "core/session/tune.h"
#include "core/session/tune_notes.h"
#include "core/tune/cost.h"
#include "core/tune/data_part.h"
#include "core/tune/float_step.h"
#include "core/tune/lock.h"
#include "core/tune/move.h"
#include "tests/support/error_of.h"
#include "tests/support/onnx_model.h"
#include "tests/support/sample_recipe.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

using namespace ql;
using nlohmann::json;
using ql::test::messageOf;
using ql::test::sampleFolder;
using ql::test::sampleRecipe;
namespace fs = std::filesystem;

class TestTune : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_temporary;
    api::Recipe m_recipe;
    TuneOptions m_options;

    api::TuneReport tune(const JobContext &job = {}) const
    {
        RunOptions options;
        options.base = sampleFolder;
        return tuneRecipe(m_recipe, m_options, options, job);
    }
    fs::path journal() const { return fs::path(m_temporary.path().toStdString()) / "j"; }
    /// Without times.
    static json comparable(const api::TuneReport &report)
    {
        json written = report;
        written.erase("seconds");
        written.erase("resumed");
        for (json &trial : written["trials"]) trial.erase("seconds");
        return written;
    }

    QuantModel quantized(const api::Recipe &recipe) const
    {
        RunOptions options;
        options.base = sampleFolder;
        return runRecipe(recipe, options, JobContext()).model;
    }

private Q_SLOTS:
    void init()
    {
        m_recipe = sampleRecipe(8, 80);
        m_options = {};
        m_options.seconds = patientSeconds;
        m_options.goals = {"metric.drop<6%", "int8.macs>90%"};
        m_options.trials = 6;
    }

    /// Per tensor, the sample needs equalization.
    void meetsItsGoals()
    {
        std::vector<api::Recipe> improved;
        m_options.improved = [&](const api::Recipe &best) { improved.push_back(best); };
        const api::TuneReport report = tune();
        QVERIFY(report.meetsAllGoals());
        QCOMPARE(report.goals.size(), std::size_t(2));
        QVERIFY(report.goals[0].value && report.goals[0].confirmed);
        const api::TuneTrial &first = report.trials.front(), &best = report.trials[std::size_t(report.bestTrial)];
        QVERIFY(!first.parent && first.search.metric);
        QVERIFY(*best.search.metric > *first.search.metric + 0.2);
        QCOMPARE(best.cost->int8Macs, 1.0);
        QCOMPARE(best.cost->macBits, 8.0);
        QCOMPARE(best.search.samples + best.confirm->samples, std::int64_t(80));
        // All samples are right in float: the interval of a share of wrong ones
        QVERIFY(best.search.uncertainty && *best.search.fp32 == 1.0);
        const double wrong = 1 - *best.search.metric;
        QVERIFY(std::abs(*best.search.uncertainty - 1.96 * std::sqrt(wrong * (1 - wrong) / 39)) < 1e-9);
        const std::vector<api::StepRequest> &passes = *report.best.passes;
        QVERIFY(std::any_of(passes.begin(), passes.end(), [](const api::StepRequest &step) {
            return step.id == "layerwise_equalization" && step.enabled;
        }));
        QVERIFY(std::find(report.front.begin(), report.front.end(), report.bestTrial) != report.front.end());
        QCOMPARE(report.trials.size(), std::size_t(6));
        // Each one that was kept has been written
        QCOMPARE(improved.size(), std::size_t(std::count_if(report.trials.begin(), report.trials.end(),
                                                            [](const api::TuneTrial &t) { return t.kept; })));
        QVERIFY(improved.back() == report.best);
        QCOMPARE(json(json(report).get<api::TuneReport>()), json(report));
    }

    void isDeterministicAndResumes()
    {
        const json whole = comparable(tune());
        m_options.journal = journal();
        // Cancelled after the second recipe that was kept
        int kept = 0;
        JobContext job;
        m_options.improved = [&](const api::Recipe &) {
            if (++kept == 2) job.cancel();
        };
        QVERIFY_EXCEPTION_THROWN(tune(job), Cancelled);
        QCOMPARE(kept, 2);
        std::ofstream(journal(), std::ios::app) << "{\"recipe_hash\": \"cut of"; // a crash while writing
        m_options.improved = [](const api::Recipe &) {};
        m_options.resume = true;
        const api::TuneReport resumed = tune();
        QVERIFY(resumed.resumed >= 2);
        QCOMPARE(comparable(resumed), whole);
        const api::TuneReport again = tune(); // everything is known
        QVERIFY(again.resumed > resumed.resumed);
        QCOMPARE(comparable(again), whole);
        m_recipe.evaluation.seed = 0;
        m_options.seed = 7;
        QVERIFY(messageOf([&] { tune(); }).contains("another search") ||
                messageOf([&] { tune(); }).contains("another recipe, data or seed"));
        std::ofstream(journal()) << "notes of mine\n";
        QVERIFY(messageOf([&] { tune(); }).contains("the file is not the journal of a search"));
        QCOMPARE(readFile(journal()), std::string("notes of mine\n"));
    }

    void nothingIsQuantized()
    {
        m_recipe.dispatch = {{.match = {.op = "*"}, .set = {.platform = "FP32"}}};
        const QString found = messageOf([&] { tune(); });
        QVERIFY2(found.contains("no operation is quantized on RKNN_INT8"), qPrintable(found));
    }

    /// What would lower the error is reported, unless nothing of it is missing.
    void errorsOutOfReach()
    {
        m_options.trials = 1;
        const auto notes = [&] {
            std::string all;
            for (const Text &note : tune().notes) all += note.english() + "\n";
            return QString::fromStdString(all);
        };
        m_options.goals = {"output.sqnr_db>200", "cost.weight_bytes<1e9"};
        const QString ofError = notes();
        QVERIFY2(ofError.contains("of the noise would be removed"), qPrintable(ofError));
    }

    /// Where no sample has changed, there is no spread to take an interval from.
    void noDropIsNotCertain()
    {
        m_recipe.dispatch = {{.match = {.op = "*"}, .set = {.platform = "FP32"}},
                             {.match = {.op = "stem"}, .set = {.platform = m_recipe.platform}}};
        m_options.goals = {"metric.drop<6%"};
        m_options.trials = 1;
        const api::TuneReport report = tune();
        QCOMPARE(*report.trials.front().search.metric, *report.trials.front().search.fp32);
        const auto note = std::find_if(report.notes.begin(), report.notes.end(), [](const Text &text) {
            return text.english().find("at most 7.5 (no sample has changed) on the samples") != std::string::npos;
        });
        QVERIFY(note != report.notes.end());
    }

    void locks()
    {
        m_options.locks = {"down_depthwise=float"};
        m_options.trials = 1;
        const api::TuneReport floating = tune();
        QVERIFY(floating.trials.front().cost->int8Macs < 1);
        m_options.trials = 7;
        m_options.goals = {"output.sqnr_db>90"}; // cannot be met: operations would go to float
        m_options.locks = {"*=int8"};
        m_recipe.evaluation.samples = 8;
        const api::TuneReport locked = tune();
        QVERIFY(!locked.meetsAllGoals());
        QCOMPARE(locked.locks, m_options.locks); // the search can be repeated
        QVERIFY(locked.best.dispatch.empty());
        QCOMPARE(locked.trials[std::size_t(locked.bestTrial)].cost->int8Macs, 1.0);
        m_options.locks = {"*=int8", "scores=keep"};
        for (const api::Rule &rule : tune().best.overrides) QVERIFY(rule.match.op != "*" && rule.match.op != "scores");
    }

    void refusesWhatCannotBeDone()
    {
        m_options.locks = {"*=keep"};
        QVERIFY(messageOf([&] { tune(); }).contains("leave nothing"));
        m_options.locks = {"down_depthwize=keep"};
        QVERIFY(messageOf([&] { tune(); }).contains("Did you mean 'down_depthwise'"));
        m_options.locks = {"down=int4"};
        QVERIFY(messageOf([&] { tune(); }).contains("got 'down=int4'"));
        m_options.locks = {};
        m_options.goals = {"int8.mac>90%"};
        QVERIFY(messageOf([&] { tune(); }).contains("--goal 'int8.mac>90%'"));
        m_options.goals = {"seconds<3"};
        QVERIFY(messageOf([&] { tune(); }).contains("cannot be a goal"));
        m_options.goals = {"metric.drop<1%"};
        m_options.seconds = 0;
        QVERIFY(messageOf([&] { tune(); }).contains("budget is zero"));
        m_options.seconds = patientSeconds;
        const fs::path labels = fs::path(m_temporary.path().toStdString()) / "labels.txt";
        std::ofstream(labels) << "other.png 1\n";
        m_recipe.metric = {"topk", labels.string()};
        QVERIFY(messageOf([&] { tune(); }).contains("found no label for any of 40 samples"));
        m_recipe.metric = {};
        m_recipe.calibration.path = m_recipe.evaluation.path = "";
        QVERIFY(!messageOf([&] { tune(); }).isEmpty());
    }

    /// A program that does not end is stopped with the budget. On a slow machine, a short budget ends before the
    /// program is started, which is no error.
    void metricCommandHasToEnd()
    {
        const fs::path file = fs::path(m_temporary.path().toStdString()) / "metric.json";
        std::ofstream(file) << R"({"command": ["sh", "-c", "sleep 600", "{outputs}"]})";
        allowPrograms();
        m_options.metric = file;
        QString message;
        for (m_options.seconds = 1; message.isEmpty() && m_options.seconds < 300; m_options.seconds *= 2)
            message = messageOf([&] { tune(); });
        QVERIFY2(message.contains("the metric command did not end"), qPrintable(message));
    }

    /// Before the search begins, and without taking an earlier number for the value.
    void metricCommandHasToPrint_data()
    {
        QTest::addColumn<QString>("script");
        QTest::addColumn<QString>("message");
        QTest::newRow("nothing") << "true"
                                 << "printed no number";
        QTest::newRow("words") << "echo 3 samples"
                               << "printed no number";
        QTest::newRow("undefined") << "echo 40; echo nan"
                                   << "the metric command printed NaN";
        QTest::newRow("infinite") << "echo 40; echo -inf"
                                  << "∞. It must print the value";
        QTest::newRow("fails") << "echo 0.5; exit 3"
                               << "exit code 3";
    }
    void metricCommandHasToPrint()
    {
        QFETCH(QString, script);
        QFETCH(QString, message);
        const fs::path file = fs::path(m_temporary.path().toStdString()) / "printing.json";
        std::ofstream(file) << json{{"command", {"sh", "-c", script.toStdString(), "{outputs}"}}};
        allowPrograms();
        m_options.metric = file;
        const QString found = messageOf([&] { tune(); });
        QVERIFY2(found.contains(message), qPrintable(found));
    }

    void splitsTheData()
    {
        const auto [first, second] = splitInHalves(7, 1);
        QCOMPARE(first.size(), std::size_t(4));
        QCOMPARE(second.size(), std::size_t(3));
        std::vector<std::size_t> all = first;
        all.insert(all.end(), second.begin(), second.end());
        std::sort(all.begin(), all.end());
        QCOMPARE(all, (std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6}));
        QVERIFY(splitInHalves(100, 1) != splitInHalves(100, 2));
    }

    /// The most noise for the fewest multiplications; what is in float afterwards costs what the steps say.
    void floatStepsCostLittle()
    {
        m_recipe.analyses.clear();
        const QuantModel start = quantized(m_recipe);
        std::map<Slot, double> noise;
        for (const auto &[slot, config] : start.plan.configs())
            if (start.plan.simulated(slot)) noise[slot] = 1;
        const std::vector<FloatStep> steps = floatSteps(start, noise, Locks());
        QVERIFY(steps.size() > 4);
        double share = 0;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            QVERIFY(steps[i].gain > 0 && !(steps[i].operations.empty() && steps[i].slots.empty()));
            QCOMPARE(steps[i].share > 0, !steps[i].operations.empty());
            share += steps[i].share;
        }
        QVERIFY(std::abs(share - 1) < 1e-9);
        const std::vector<FloatStep> first(steps.begin(), steps.begin() + 3);
        const QuantModel changed = quantized(withMove(m_recipe, floatMove(start.graph, first)));
        double moved = 0;
        for (const FloatStep &step : first) {
            moved += step.share;
            for (const OpId id : step.operations) QVERIFY(!changed.isQuantized(id));
            for (const Slot slot : step.slots) QVERIFY(!changed.plan.simulated(slot));
        }
        QVERIFY(std::abs(costOf(changed).int8Macs - (1 - moved)) < 1e-9);
        // Groups of one kind are cheap, and all of their operations move
        const std::vector<std::vector<FloatStep>> groups = floatGroups(start, noise, Locks());
        QVERIFY(!groups.empty());
        for (const std::vector<FloatStep> &group : groups) {
            double part = 0;
            for (const FloatStep &step : group) part += step.share;
            QVERIFY((group.size() > 1 || part == 0) && part <= 0.2);
        }
        QVERIFY(std::any_of(groups.begin(), groups.end(), [&](const std::vector<FloatStep> &group) {
            std::set<std::string> names;
            for (const FloatStep &step : group)
                for (const OpId id : step.operations) names.insert(start.graph.operation(id).name);
            return names.contains("down_depthwise") && std::all_of(names.begin(), names.end(), [](const auto &name) {
                       return name.find("depthwise") != std::string::npos;
                   });
        }));
        QVERIFY(std::any_of(groups.begin(), groups.end(), [](const std::vector<FloatStep> &group) {
            return std::all_of(group.begin(), group.end(), [](const auto &step) { return step.operations.empty(); });
        }));
        // What an activation was fused with is in float now; the tensors in between are still not rounded
        const auto fused =
            std::find_if(steps.begin(), steps.end(), [](const FloatStep &s) { return !s.fused.empty(); });
        QVERIFY(fused != steps.end());
        const std::vector<FloatStep> all(steps.begin(), fused + 1);
        const QuantModel unfused = quantized(withMove(m_recipe, floatMove(start.graph, all)));
        for (const auto &[slot, config] : unfused.plan.configs())
            if (unfused.plan.simulated(slot)) QVERIFY(start.plan.simulated(slot));
        // A tensor stays rounded if one of its consumers has to
        const Locks locks({{"*", LockKind::Int8}, {"left", LockKind::Keep}}, start.graph);
        QVERIFY(floatSteps(start, noise, locks).empty());
    }

    /// Constants that no layer reads, such as anchors, are tensors of their own: rounding them is given up without
    /// moving any multiplication.
    void floatStepsFreeConstants()
    {
        test::OnnxModel m;
        m.input("x", {1, 4});
        m.output("y");
        m.weight("w", {4, 4}, std::vector<float>(16, 0.3F));
        m.weight("anchors", {1, 4}, {0.01F, 0.3F, 7, 90});
        m.node("MatMul", "layer", {"x", "w"}, {"h"});
        m.node("Add", "boxes", {"h", "anchors"}, {"y"});
        const fs::path file = fs::path(m_temporary.path().toStdString()) / "anchors.onnx";
        m.save(file);
        api::Recipe recipe;
        recipe.model = file.string();
        recipe.platform = "TRT_INT8";
        recipe.calibration.path = "random:4,seed=3";
        recipe.analyses.clear();
        const QuantModel start = quantized(recipe);
        const Slot anchors = inputSlot(start.graph.findOperation("boxes"), 1);
        QVERIFY(start.plan.simulated(anchors));
        const std::map<Slot, double> noise{{anchors, 1}, {inputSlot(start.graph.findOperation("layer"), 1), 0.1}};
        const std::vector<FloatStep> steps = floatSteps(start, noise, Locks());
        QCOMPARE(steps.size(), std::size_t(2));
        const std::vector<Slot> &freed = steps[0].slots; // and the other operand of the Add, which has the same scale
        QVERIFY(steps[0].operations.empty() && std::find(freed.begin(), freed.end(), anchors) != freed.end());
        QCOMPARE(steps[1].operations.size(), std::size_t(1));
        const QuantModel changed = quantized(withMove(recipe, floatMove(start.graph, {steps[0]})));
        for (const Slot slot : freed) QVERIFY(!changed.plan.simulated(slot));
        QCOMPARE(costOf(changed).int8Macs, 1.0);
        const Locks locks({{"boxes", LockKind::Int8}}, start.graph);
        QCOMPARE(floatSteps(start, noise, locks).size(), std::size_t(1));
    }

    /// The goals are met, but how certainly is not known: what costs no multiplications is tried, too.
    void freesTensorsIfUncertain()
    {
        QL_SKIP_IF_SANITIZED;
        const fs::path labels = fs::path(m_temporary.path().toStdString()) / "classes.txt";
        std::ofstream file(labels);
        for (const fs::directory_entry &entry : fs::directory_iterator(sampleFolder / "eval"))
            file << entry.path().filename().string() << " 0\n";
        file.close();
        m_recipe.metric = {"topk", labels.string(), {{"k", 5}}};
        m_options.goals = {"metric.drop<100%", "int8.macs>=100%"};
        m_options.trials = 40;
        m_recipe.evaluation.samples = 16;
        const auto triesIt = [&] {
            const api::TuneReport report = tune();
            return report.meetsAllGoals() &&
                   std::any_of(report.trials.begin(), report.trials.end(), [](const api::TuneTrial &trial) {
                       return trial.cost->int8Macs == 1.0 && trial.move.english().starts_with("no rounding of");
                   });
        };
        QVERIFY(triesIt());
        m_recipe.metric = {};
        m_options.goals = {"int8.macs>=100%"}; // nothing else is wanted
        QVERIFY(!triesIt());
    }

    /// A platform with the parameter wide_activations: tensors in 16 bits, as many multiplications as the steps say.
    void widensTensors()
    {
        m_recipe.platform = "QNN_DSP_INT8";
        m_recipe.passes.reset();
        m_recipe.analyses.clear();
        QVERIFY(allowsWideActivations(completeRecipe(m_recipe)));
        m_recipe.platformParams["wide_activations"] = true;
        QVERIFY(!allowsWideActivations(completeRecipe(m_recipe)));
        QCOMPARE(costOf(quantized(m_recipe)).macBits, 16.0);
        m_recipe.platformParams["wide_activations"] = false;
        const QuantModel start = quantized(m_recipe);
        std::map<Slot, double> noise;
        for (const auto &[slot, config] : start.plan.configs())
            if (start.plan.simulated(slot) && (slot.output || slot.index == 0)) noise[slot] = 1;
        const std::vector<FloatStep> steps = floatSteps(start, noise, Locks());
        const auto step = std::find_if(steps.begin(), steps.end(),
                                       [](const FloatStep &s) { return !s.group.empty() && s.share > 0; });
        QVERIFY(step != steps.end());
        const QuantModel changed = quantized(withMove(m_recipe, wideMove(start.graph, {*step})));
        for (const Slot slot : step->group) {
            const TensorQuantConfig &root = *changed.plan.find(changed.plan.root(slot));
            QCOMPARE(root.bits, 16);
            QCOMPARE(root.quantMax, std::int64_t(65535));
        }
        QVERIFY(std::abs(costOf(changed).int8Macs - (1 - step->share)) < 1e-9);
        m_recipe.platform = "TRT_INT8";
        m_recipe.platformParams = json::object();
        QVERIFY(!allowsWideActivations(completeRecipe(m_recipe)));
    }

    void trainsBrieflyBeforeLong()
    {
        m_recipe.platform = "TRT_INT8";
        m_recipe.passes.reset();
        api::Recipe recipe = completeRecipe(m_recipe);
        const std::vector<Move> rounding = trainingMoves(recipe, Training::Rounding);
        QCOMPARE(rounding.size(), std::size_t(2));
        QVERIFY(!rounding[0].passParams.contains("steps") && rounding[0].calibrationSamples == 0);
        QCOMPARE(withMove(recipe, rounding[1]).calibration.samples, std::int64_t(128));
        recipe.calibration.samples = 200;
        QCOMPARE(trainingMoves(recipe, Training::Rounding).size(), std::size_t(1));
        const std::vector<Move> brief = trainingMoves(recipe, Training::Short);
        QCOMPARE(brief.size(), std::size_t(1));
        QCOMPARE(brief[0].passParams, json({{"steps", 50}, {"whole_graph", true}}));
        const std::size_t whole = trainingMoves(recipe, Training::Full).size();
        recipe = withMove(recipe, brief[0]);
        QCOMPARE(trainingMoves(recipe, Training::Full).size(), whole); // it can be trained longer
        QVERIFY(trainingMoves(recipe, Training::Short).front().pass != brief[0].pass);
        recipe = withMove(recipe, trainingMoves(recipe, Training::Full).front());
        QCOMPARE(trainingMoves(recipe, Training::Full).size(), whole - 2);
        // On top of GPTQ, and instead of it
        recipe = withMove(completeRecipe(m_recipe), rounding[0]);
        const std::vector<Move> full = trainingMoves(recipe, Training::Full);
        QVERIFY(full[0].without.empty() && full[1].pass == full[0].pass);
        const std::vector<api::StepRequest> passes = *withMove(recipe, full[1]).passes;
        QVERIFY(std::none_of(passes.begin(), passes.end(), [](const auto &p) { return p.id == "gptq" && p.enabled; }));
    }

    /// A search stops inside a measurement: of the first recipe, which is the result then.
    void tooLittleTime()
    {
        std::vector<api::Recipe> saved;
        m_options.seconds = 0.001;
        m_options.goals = {"output.sqnr_db>-90", "int8.macs>=0%"};
        m_options.improved = [&](const api::Recipe &best) { saved.push_back(best); };
        const api::TuneReport report = tune();
        QCOMPARE(report.trials.size(), std::size_t(1));
        QVERIFY(report.trials[0].kept && !report.trials[0].confirm && !report.trials[0].cost);
        QCOMPARE(api::recipeHash(report.best), report.trials[0].recipeHash);
        QCOMPARE(saved.size(), std::size_t(1));
        QVERIFY(report.causes.empty()); // tensors were not ranked
        for (const api::TuneGoal &goal : report.goals) QVERIFY(!goal.met && !goal.value && !goal.confirmed);
        QVERIFY(report.notes.back().english().find("ended before the goals were measured") != std::string::npos);
    }

    /// Of the result and of the first recipe, whatever the search found.
    void isConfirmedNextToItsStart()
    {
        m_options.goals = {"output.sqnr_db>10"};
        const api::TuneReport report = tune();
        QVERIFY(report.bestTrial != 0);
        const auto &first = report.trials.front(), &best = report.trials[std::size_t(report.bestTrial)];
        QVERIFY(first.confirm && best.confirm);
        QCOMPARE(first.confirm->samples, best.confirm->samples);
        QVERIFY(*best.confirm->sqnrDb >= *first.confirm->sqnrDb);
        QVERIFY(best.search.noiseUncertainty && best.confirm->noiseUncertainty);
    }

    /// A goal about outputs that is met, but within the spread of the noise over samples: the search goes on.
    void goesOnUntilOutputsAreCertain()
    {
        QL_SKIP_IF_SANITIZED;
        const auto searched = [&](double decibels) {
            m_options.goals = {"output.sqnr_db>" + std::to_string(decibels), "int8.macs>=0%"};
            m_options.trials = 30;
            return tune();
        };
        const auto movesToFloat = [](const api::TuneReport &report) {
            return std::any_of(report.trials.begin(), report.trials.end(),
                               [](const api::TuneTrial &trial) { return trial.cost->int8Macs < 1; });
        };
        const api::TuneReport easy = searched(0);
        QVERIFY(!movesToFloat(easy));
        const api::TuneScore &best = easy.trials[std::size_t(easy.bestTrial)].search;
        QVERIFY(best.noiseUncertainty && best.sqnrDb);
        const double lowerEnd = -10 * std::log10(best.noise() + *best.noiseUncertainty);
        QVERIFY(lowerEnd < *best.sqnrDb);
        QVERIFY(movesToFloat(searched(*best.sqnrDb - 0.1 * (*best.sqnrDb - lowerEnd))));
    }

    /// NaN at the outputs: not "exact", and the reason is said.
    void saysWhatIsUndefined()
    {
        api::TuneScore score;
        score.noiseRatio = 0.1;
        QVERIFY(notesOn(score, score, true).empty());
        api::TuneScore undefined;
        const std::vector<Text> notes = notesOn(score, undefined, true);
        QCOMPARE(notes.size(), std::size_t(1));
        QVERIFY(notes.front().english().find("undefined, because they contain NaN") != std::string::npos);
    }

    /// The interval of a noise ratio in dB; without a lower end of the noise there is no upper one of the dB.
    void saysHowCertainOutputsAre()
    {
        api::TuneScore score;
        score.noiseRatio = 0.01;
        score.noiseUncertainty = 0.005;
        api::TuneScore wide = score;
        wide.noiseUncertainty = 0.02;
        const std::vector<Text> notes = notesOn(score, wide, false);
        QCOMPARE(notes.size(), std::size_t(1));
        const std::string text = notes.front().english();
        QVERIFY2(text.find("18.2 to 23 on the samples") != std::string::npos, text.c_str());
        QVERIFY2(text.find("at least 15.2 on the others") != std::string::npos, text.c_str());
    }

    /// Whatever the metric says, the best recipe is at least as good as every choice of the observer.
    void isAtLeastAsGoodAsObservers()
    {
        const fs::path file = fs::path(m_temporary.path().toStdString()) / "any.json";
        // A number that has nothing to do with the error
        std::ofstream(file) << json{{"command", {"sh", "-c", "cksum < {outputs} | cut -d' ' -f1"}}};
        allowPrograms();
        m_options.metric = file;
        m_options.goals = {"metric.drop<1%", "int8.macs>=100%"};
        m_options.trials = 8;
        m_options.journal = journal();
        m_recipe.evaluation.samples = 16;
        std::size_t tried = 0;
        m_options.tried = [&](const api::TuneTrial &, const api::Recipe &) { ++tried; };
        const api::TuneReport report = tune();
        QVERIFY(tried >= m_options.trials);
        QCOMPARE(report.trials.size(), tried); // with what the comparison at the end adds, if it keeps another recipe
        std::vector<double> searched;
        std::ifstream lines(journal());
        std::string line;
        std::getline(lines, line); // the header
        while (std::getline(lines, line))
            if (const auto record = json::parse(line).get<api::TuneRecord>(); record.part == "search")
                searched.push_back(record.score.metric.value());
        QVERIFY(searched.size() > 3); // all observers that the platform has, and the first recipe
        const api::TuneTrial &best = report.trials[std::size_t(report.bestTrial)];
        QCOMPARE(best.search.metric.value(), *std::max_element(searched.begin(), searched.end()));
        QVERIFY(best.kept && best.confirm);
    }

    /// The error that a search lowers is that of the classes, unless a goal is about the outputs themselves.
    void lowersWhatTheGoalsAreAbout()
    {
        m_options.trials = 2;
        const api::TuneReport classes = tune();
        QVERIFY(std::all_of(classes.trials.begin(), classes.trials.end(), [](const api::TuneTrial &trial) {
            return trial.search.divergence && trial.search.error() == *trial.search.divergence;
        }));
        m_options.goals.push_back("output.sqnr_db>20");
        for (const api::TuneTrial &trial : tune().trials)
            QVERIFY(!trial.search.divergence && trial.search.error() == *trial.search.noiseRatio);
    }

    void movesReplaceEarlierOnes()
    {
        api::Recipe recipe;
        recipe.overrides = {{.match = {.op = "a"}, .set = {.bits = 4}}};
        Move move;
        move.overrides = {{.match = {.op = "a"}, .set = {.range = std::pair(-1.0, 1.0)}}};
        recipe = withMove(recipe, move);
        move.overrides[0].set = {.observer = "mse"};
        recipe = withMove(recipe, move);
        QCOMPARE(recipe.overrides.size(), std::size_t(1));
        QVERIFY(!recipe.overrides[0].set.range && recipe.overrides[0].set.observer == "mse");
        QCOMPARE(recipe.overrides[0].set.bits, std::optional(4)); // the user's own
    }
};

QL_TEST(TestTune)
#include "tst_tune.moc"
