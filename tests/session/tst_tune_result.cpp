// Which recipe of a search is the result: comparisons of scores.
#include "core/session/tune_rivals.h"
#include "core/tune/float_step.h"
#include "core/tune/front.h"
#include "core/tune/kept_moves.h"
#include "tests/support/test_main.h"
#include "tests/support/toy_model.h"

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <set>

using namespace ql;

class TestTuneResult : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// The metric decides as far as it is certain, then the error: of class probabilities if there is one.
    void betterScores()
    {
        const auto score = [](double metric, double uncertainty, double noise, std::optional<double> divergence) {
            api::TuneScore made;
            made.metric = metric;
            made.uncertainty = uncertainty;
            made.noiseRatio = noise;
            made.divergence = divergence;
            return made;
        };
        const api::TuneScore best = score(0.7, 0.02, 0.1, 0.01);
        QVERIFY(isBetterScore(score(0.73, 0.02, 0.2, 0.02), best, false));
        QVERIFY(!isBetterScore(score(0.73, 0.02, 0.2, 0.02), best, true));
        QVERIFY(!isBetterScore(score(0.71, 0.02, 0.05, 0.02), best, false)); // within the uncertainty
        QVERIFY(isBetterScore(score(0.69, 0.02, 0.2, 0.005), best, false));
        api::TuneScore undefined = best;
        undefined.noiseRatio.reset();
        QVERIFY(!isBetterScore(undefined, best, false));
        api::TuneScore noMetric = score(0, 0, 0.01, std::nullopt);
        noMetric.metric.reset();
        QCOMPARE(noMetric.error(), 0.01);
    }

    /// The search may help only the data that it saw.
    void startIsTheResultIfItIsBetter()
    {
        const std::vector<FailIf> goals{FailIf::parse("metric.drop<1%", FailIf::Use::Goal)};
        const auto score = [](double drop, double noise) {
            api::TuneScore made;
            made.fp32 = 0.8;
            made.metric = 0.8 - drop;
            made.noiseRatio = noise;
            made.goals["metric.drop<1%"] = drop;
            return made;
        };
        const auto isBetter = [&](const BothHalves &start, const BothHalves &best) {
            return isStartBetter(start, best, goals, false);
        };
        // The goal is met by both: what counts is the other half
        QVERIFY(isBetter({score(0.009, 0.2), score(0.001, 0.2)}, {score(0.0, 0.1), score(0.002, 0.1)}));
        QVERIFY(!isBetter({score(0.0, 0.2), score(0.003, 0.2)}, {score(0.009, 0.1), score(0.002, 0.1)}));
        QVERIFY(!isBetter({score(0.0, 0.2), score(0.002, 0.2)}, {score(0.0, 0.1), score(0.002, 0.1)}));
        QVERIFY(isBetter({score(0.0, 0.1), score(0.002, 0.1)}, {score(0.0, 0.1), score(0.002, 0.2)}));
        // Within the uncertainty the error counts: one of a hundred samples is no reason to drop what a search found
        api::TuneScore surely = score(0.001, 0.2), bySample = score(0.009, 0.1);
        surely.uncertainty = bySample.uncertainty = 0.02;
        QVERIFY(!isBetter({score(0.0, 0.2), surely}, {score(0.0, 0.1), bySample}));
        surely.noiseRatio = 0.05;
        QVERIFY(isBetter({score(0.0, 0.05), surely}, {score(0.0, 0.1), bySample}));
        // The best one alone meets it on both halves, or on data that was not searched; not if only on the searched
        // half
        QVERIFY(!isBetter({score(0.02, 0.2), score(0.001, 0.2)}, {score(0.0, 0.1), score(0.002, 0.1)}));
        QVERIFY(!isBetter({score(0.0, 0.2), score(0.02, 0.2)}, {score(0.02, 0.1), score(0.009, 0.1)}));
        QVERIFY(isBetter({score(0.02, 0.2), score(0.02, 0.2)}, {score(0.0, 0.1), score(0.03, 0.1)}));
        // Neither meets it
        QVERIFY(isBetter({score(0.03, 0.2), score(0.03, 0.2)}, {score(0.02, 0.1), score(0.04, 0.1)}));
        QVERIFY(!isBetter({score(0.03, 0.2), score(0.03, 0.2)}, {score(0.02, 0.1), score(0.03, 0.1)}));
    }

    /// Twice the noise is 3 dB less; a goal that this breaks may be missed on other data.
    void valuesWithMoreNoise()
    {
        const auto goal = [](const char *text) { return FailIf::parse(text, FailIf::Use::Goal); };
        QVERIFY(std::abs(goal("output.sqnr_db>30").withNoise(31, 2) - (31 - 10 * std::log10(2.0))) < 1e-12);
        QVERIFY(std::abs(goal("output.cosine>0.99").withNoise(0.995, 2) - 0.99) < 1e-12);
        QCOMPARE(goal("output.mse<1").withNoise(0.25, 2), 0.5);
        QCOMPARE(goal("output.noise_ratio<1").withNoise(0.25, 2), 0.5);
        QCOMPARE(goal("output.max_abs<1").withNoise(0.25, 2), 0.25);
        QCOMPARE(goal("metric.drop<1%").withNoise(0.25, 0.5), 0.125);
        QCOMPARE(goal("metric.quantized>=0.5").withNoise(0.25, 0.5, 0.5), 0.375);
        QCOMPARE(goal("metric.quantized<=1.2").withNoise(2, 0.5, 1), 1.5); // a loss
        QCOMPARE(goal("metric.quantized>=0.5").withNoise(0.25, 0.5), 0.25);
    }

    /// A goal about every output is one about the worst of them: a mean can fall while the worst gets worse.
    void goalsChooseTheOutputsThatCount()
    {
        std::vector<api::OutputRow> rows(2);
        rows[0].variable = "boxes";
        rows[0].noiseRatio = 0.3;
        rows[1].variable = "scores";
        rows[1].noiseRatio = 0.1;
        const auto goal = [](const char *text) { return FailIf::parse(text, FailIf::Use::Goal); };
        QCOMPARE(noiseOf(rows, {}), 0.2);
        QCOMPARE(noiseOf(rows, {goal("metric.drop<1%"), goal("int8.macs>90%")}), 0.2);
        QCOMPARE(noiseOf(rows, {goal("output.sqnr_db>30")}), 0.3);
        QCOMPARE(noiseOf(rows, {goal("output[sc*].cosine>0.9")}), 0.1);
        QCOMPARE(noiseOf(rows, {goal("output[scores].mse<1"), goal("output[boxes].mse<1")}), 0.3);
        rows[1].noiseRatio.reset();
        QVERIFY(std::isinf(noiseOf(rows, {goal("output.sqnr_db>30")})));
        rows[1].equalShare = 0.4;
        QCOMPARE(noiseOf(rows, {goal("output.sqnr_db>30")}), 0.6);
    }

    /// The text of a change can be read: the first names, and no constants next to the activation that they bound.
    void textsOfMovesAreShort()
    {
        Graph graph = test::toyGraph();
        VarId last = graph.findVariable("r1");
        FloatStep many;
        for (int i = 1; i <= 8; ++i) {
            const std::string number = std::to_string(i);
            many.operations.push_back(test::addOp(graph, "op" + number, "Relu", {last}, {"t" + number}));
            last = graph.operation(many.operations.back()).outputs[0];
        }
        const Move move = floatMove(graph, {many});
        QCOMPARE(move.text.english(), std::string("float32 for op1, op2, op3, op4, op5, op6 and 2 more"));
        QCOMPARE(move.dispatch.size(), std::size_t(8));
        const OpId conv = graph.findOperation("conv1");
        FloatStep mixed;
        mixed.slots = {inputSlot(conv, 1), outputSlot(conv)};
        QCOMPARE(floatMove(graph, {mixed}).text.english(), std::string("no rounding of c1"));
        QCOMPARE(floatMove(graph, {mixed}).overrides.size(), std::size_t(2));
        mixed.slots.pop_back();
        QCOMPARE(floatMove(graph, {mixed}).text.english(), std::string("no rounding of w1"));
    }

    /// Each part of a move alone, with the overrides that it replaced.
    void partsOfMovesAreTakenBack()
    {
        const Graph graph = test::toyGraph();
        const OpId first = graph.findOperation("conv1"), second = graph.findOperation("fc");
        api::Recipe start;
        start.overrides = {{.match = matchOf(graph, inputSlot(first, 0)), .set = {.observer = "mse"}}};
        const auto step = [](OpId id, double share, double gain) {
            FloatStep made;
            made.operations = {id};
            made.share = share;
            made.gain = gain;
            return made;
        };
        FloatStep tensor;
        tensor.slots = {outputSlot(graph.findOperation("gap"))};
        const Move move = floatMove(graph, {step(first, 0.2, 0.1), step(second, 0.2, 0.01), tensor});
        KeptMoves kept;
        kept.add(move);
        QVERIFY(kept.appliedTo(start) == withMove(start, move));
        const std::vector<KeptMoves::Part> parts = kept.costlyParts();
        QCOMPARE(parts, (std::vector<KeptMoves::Part>{{0, 1}, {0, 0}})); // little noise for as many multiplications
        QCOMPARE(kept.textOf(parts).english(), std::string("back from float32 or more bits: fc, conv1"));
        const KeptMoves rest = kept.without({parts[1]});
        QCOMPARE(rest.costlyParts().size(), std::size_t(1));
        const api::Recipe recipe = rest.appliedTo(start);
        QCOMPARE(recipe.dispatch.size(), std::size_t(1));
        QCOMPARE(recipe.dispatch[0].match.op, std::string("fc"));
        QCOMPARE(recipe.overrides.size(), std::size_t(2)); // the user's, and the tensor without rounding
        QCOMPARE(recipe.overrides[0].set.observer, std::optional<std::string>("mse"));
    }

    void halvesAfterFailures()
    {
        const auto sizes = [](std::size_t count, const std::set<std::size_t> &bad) {
            std::vector<KeptMoves::Part> parts;
            for (std::size_t i = 0; i < count; ++i) parts.emplace_back(i, 0);
            std::vector<std::size_t> tried;
            inHalves(parts, [&](const std::vector<KeptMoves::Part> &some) -> std::optional<bool> {
                tried.push_back(some.size());
                return std::none_of(some.begin(), some.end(),
                                    [&](const auto &part) { return bad.contains(part.first); });
            });
            return tried;
        };
        using Sizes = std::vector<std::size_t>;
        QCOMPARE(sizes(0, {}), Sizes());
        QCOMPARE(sizes(8, {}), (Sizes{4, 2, 1, 1}));
        QCOMPARE(sizes(8, {1, 2, 5, 6}), (Sizes{4, 2, 1, 1, 1, 1, 1, 1}));
        QCOMPARE(sizes(8, {1, 2, 3, 4}), (Sizes{4, 2, 1, 1, 1, 1}));
    }

    void front()
    {
        const auto trial = [](std::int64_t id, double bits, std::optional<double> noise) {
            api::TuneTrial row;
            row.id = id;
            row.cost = {.macBits = bits};
            row.search.noiseRatio = noise;
            return row;
        };
        QCOMPARE(paretoFront({trial(0, 8, 0.5), trial(1, 8, 0.2), trial(2, 16, 0.3), trial(3, 32, 0.1),
                              trial(4, 8, 0.2), trial(5, 4, std::nullopt)}),
                 (std::vector<std::int64_t>{1, 3}));
    }
};

QL_TEST(TestTuneResult)
#include "tst_tune_result.moc"
