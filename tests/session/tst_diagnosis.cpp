// The diagnosis of a report's numbers, and the offered remedies.
#include "core/session/diagnosis.h"
#include "core/session/remedies.h"
#include "tests/support/test_main.h"
#include "tests/support/toy_model.h"

#include <QtTest>

using namespace ql;
using api::ConfigRow;
using api::Problem;
using nlohmann::json;

Q_DECLARE_METATYPE(Facts)

namespace {

ConfigRow slot(const char *op, const char *variable, const char *role)
{
    ConfigRow row;
    row.slot = {op, api::slotRoleFromString(role), 0};
    row.variable = variable;
    row.scheme.state = QuantState::Active;
    return row;
}

ConfigRow changed(ConfigRow row, const std::function<void(ConfigRow &)> &change)
{
    change(row);
    return row;
}

std::vector<std::optional<double>> ends(std::initializer_list<double> values)
{
    return {values.begin(), values.end()};
}

api::FeatureRanges channels(std::initializer_list<double> max, bool isLearned = false)
{
    api::FeatureRanges ranges;
    ranges.axis = 1;
    ranges.min.assign(max.size(), 0.0);
    ranges.max = ends(max);
    ranges.learned = isLearned;
    return ranges;
}

api::RangeRow range(const char *op, const char *variable, std::int64_t clipped = 0)
{
    api::RangeRow row;
    row.op = op;
    row.variable = variable;
    row.role = api::SlotRole::Output;
    row.min = -4;
    row.max = 6;
    row.elements = 1000;
    row.samples = 16;
    row.clipped = clipped;
    row.clip = {-1, 1};
    return row;
}

Facts withRange(api::RangeRow row)
{
    Facts facts;
    facts.ranges = api::Ranges{{std::move(row)}, {}};
    return facts;
}

Facts withChannels(const char *variable, api::FeatureRanges features)
{
    api::RangeRow row = range("a", variable);
    row.channels = std::move(features);
    return withRange(std::move(row));
}

api::JoinRow join(bool oneScale)
{
    return {"add", "Add", {{"large", -10, 4}, {"small", -0.5, 0.1}}, oneScale};
}

Facts withJoin(bool oneScale)
{
    Facts facts;
    facts.ranges = api::Ranges{{}, {join(oneScale)}};
    return facts;
}

Facts withWeight(const char *op, const char *variable, double largest = 40)
{
    Facts facts;
    facts.weights = {{op, variable, {0, ends({-1, -1, -1, -largest}), ends({1, 1, 1, 1})}}};
    return facts;
}

api::ErrorRow error(const std::string &op, std::optional<double> noise)
{
    api::ErrorRow row;
    row.op = op;
    row.type = "Conv";
    row.variable = "x";
    row.noiseRatio = noise;
    return row;
}

api::OutputRow output(std::optional<double> sqnrDb)
{
    api::OutputRow row;
    row.variable = "y";
    row.sqnrDb = sqnrDb;
    if (sqnrDb) row.noiseRatio = std::pow(10, -*sqnrDb / 10);
    return row;
}

Facts withErrors(std::vector<api::ErrorRow> layerwise, std::vector<api::OutputRow> outputs)
{
    Facts facts;
    facts.layerwise = std::move(layerwise);
    facts.outputs = std::move(outputs);
    return facts;
}

QStringList idsOf(const Problem &problem)
{
    QStringList ids;
    for (const api::Action &action : problem.actions) ids.append(QString::fromStdString(action.id));
    return ids;
}

QString english(const Text &text)
{
    return QString::fromStdString(text.english());
}

} // namespace

class TestDiagnosis : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void facts_data()
    {
        QTest::addColumn<Facts>("facts");
        QTest::addColumn<QString>("operation");
        QTest::addColumn<QString>("severity");
        QTest::addColumn<QString>("message");
        QTest::addColumn<int>("values");
        QTest::addColumn<QString>("action");
        const auto row = [](const char *name, const Facts &facts, const char *operation, const char *severity,
                            const char *message, int values, const char *action) {
            QTest::newRow(name) << facts << operation << severity << message << values << action;
        };
        const auto quiet = [&](const char *name, const Facts &facts) { row(name, facts, "", "", "", 0, ""); };
        row("saturation", withRange(range("a", "x", 100)), "a", "warning",
            "10 % of its values are clipped (samples: 16): they range from -4 to 6, its scale covers -1 to 1.", 2,
            "observer");
        api::RangeRow input = range("a", "x", 100);
        input.role = api::SlotRole::Input;
        row("saturation of an input", withRange(input), "a", "warning",
            "10 % of the values of its input 'x' are clipped (samples: 16): they range from -4 to 6, its scale covers "
            "-1 "
            "to 1.",
            2, "observer");
        quiet("a little clipped", withRange(range("a", "x", 9)));
        api::RangeRow broken = range("a", "x");
        broken.elements = 10;
        broken.notFinite = 3;
        row("NaN", withRange(broken), "a", "error", "3 of its 10 float values are NaN or infinite.", 0, "");
        broken.role = api::SlotRole::Input;
        row("NaN of an input", withRange(broken), "a", "error",
            "3 of the 10 float values of its input 'x' are NaN or infinite.", 0, "");
        row("dead channels", withChannels("x", channels({1, 0, 1}, true)), "a", "info",
            "1 of its 3 channels never change on these samples.", 3, "");
        quiet("channels that are constant but not learned", withChannels("x", channels({1, 0, 1})));
        // Channels that are not finite are not constant
        api::FeatureRanges infinite = channels({0, 0, 0}, true);
        infinite.min[0] = infinite.min[2] = infinite.max[0] = infinite.max[2] = std::nullopt;
        row("dead channels next to infinite ones", withChannels("x", infinite), "a", "info",
            "1 of its 3 channels never change on these samples.", 3, "");
        infinite.min[1] = infinite.max[1] = std::nullopt;
        quiet("infinite channels", withChannels("x", infinite));
        row("channels of an activation", withChannels("x", channels({1, 1, 2, 50})), "a", "warning",
            "The largest channel of its output is 25 times the median, but all 4 channels share one scale.", 4,
            "observer");
        quiet("channels of what is rounded after an activation", withChannels("fused", channels({1, 1, 2, 50})));
        Facts depthwise = withChannels("x", channels({1, 1, 2, 50}));
        depthwise.depthwise["x"] = {{"dw"}, true};
        row("channels of the input of a depthwise convolution", depthwise, "a", "warning",
            "Channels of the input of the depthwise convolution 'dw' differ by a factor of 25", 4, "fp32_readers");
        depthwise.canScaleInputs = true;
        row("the same, on a platform with scales per channel", depthwise, "a", "warning", "but all 4 share one scale.",
            4, "per_channel_inputs");
        row("operands of one scale", withJoin(true), "add", "warning",
            "reach 10 and 0.5: the smaller one uses about 12 of 256 codes.", 2, "fp32");
        quiet("operands with scales of their own", withJoin(false));
        row("channels of a weight", withWeight("a", "w"), "a", "warning",
            "The largest channel of its weight is 40 times the median, but all 4 channels share one scale.", 4,
            "per_channel");
        quiet("a weight with a scale for each channel", withWeight("a", "v"));
        quiet("a weight of 16 bits", withWeight("a", "wide"));
        quiet("a weight that is not quantized", withWeight("b", "w"));
        row("costly", withErrors({error("a", 0.129), error("b", 0.05)}, {output(3)}), "a", "warning",
            "Quantizing only this operation adds 12.9 % noise to the output (8.9 dB).", 0, "fp32");
        row("as much noise as signal", withErrors({error("a", 1.003)}, {output(0)}), "a", "warning",
            "Quantizing only this operation adds 100 % noise to the output (0 dB).", 0, "fp32");
        row("errors that accumulate", withErrors({error("a", 0.001)}, {output(14.94), output(std::nullopt)}), "",
            "warning",
            "Output SQNR is only 14.9 dB, but no single operation explains it (1 measured): small errors accumulate.",
            0, "observers");
        quiet("not measured", withErrors({}, {output(3)}));
        quiet("undefined", withErrors({error("a", std::nullopt)}, {output(std::nullopt)}));
    }
    void facts()
    {
        QFETCH(Facts, facts);
        QFETCH(QString, operation);
        QFETCH(QString, severity);
        QFETCH(QString, message);
        QFETCH(int, values);
        QFETCH(QString, action);
        facts.configs = {
            slot("a", "x", "output"),
            changed(slot("a", "fused", "output"), [](auto &row) { row.scheme.state = QuantState::Overlapped; }),
            slot("a", "w", "parameter"),
            changed(slot("a", "v", "parameter"), [](auto &row) { row.scheme.channelAxis = 0; }),
            changed(slot("a", "wide", "parameter"), [](auto &row) { row.scheme.bits = 16; })};
        const std::vector<Problem> problems = diagnose(facts);
        if (severity.isEmpty()) {
            QVERIFY2(problems.empty(), qPrintable(problems.empty() ? QString() : english(problems[0].message)));
            return;
        }
        QCOMPARE(problems.size(), std::size_t(1));
        const Problem &problem = problems[0];
        QCOMPARE(QString::fromStdString(problem.op), operation);
        QCOMPARE(QString(toString(problem.severity)), severity);
        QVERIFY2(english(problem.message).contains(message), qPrintable(english(problem.message)));
        QVERIFY(!problem.remedy.isEmpty());
        QCOMPARE(problem.values.size(), std::size_t(values));
        QCOMPARE(problem.values.empty(), problem.valuesMeaning.isEmpty());
        QVERIFY(action.isEmpty() ? problem.actions.empty() : idsOf(problem).contains(action));
        for (const api::Action &offered : problem.actions) QVERIFY(offered.option.starts_with("--"));
    }

    /// A remedy is offered if it can change something, and the sentence names it.
    void remediesThatFit_data()
    {
        QTest::addColumn<Facts>("facts");
        QTest::addColumn<QStringList>("actions");
        QTest::addColumn<QString>("remedy");
        const auto costly = [](const char *op) { return withErrors({error(op, 0.5)}, {}); };
        QTest::newRow("coarse, in a pair")
            << costly("both") << QStringList{"fp32", "per_channel", "observer", "equalize"}
            << "Try: FP32 for this operation, per-channel weights, another observer or equalizing it with its "
               "neighbour.";
        QTest::newRow("coarse") << costly("coarse") << QStringList{"fp32", "per_channel", "observer"}
                                << "Try: FP32 for this operation, per-channel weights or another observer.";
        QTest::newRow("in a pair")
            << costly("pair") << QStringList{"fp32", "observer", "equalize"}
            << "Try: FP32 for this operation, another observer or equalizing it with its neighbour.";
        QTest::newRow("neither") << costly("softmax") << QStringList{"fp32", "observer"}
                                 << "Try: FP32 for this operation or another observer.";
        QTest::newRow("weight in a pair")
            << withWeight("both", "w") << QStringList{"per_channel", "equalize", "fp32"}
            << "Try: per-channel weights, layerwise equalization or FP32 for this operation.";
        QTest::newRow("weight alone") << withWeight("coarse", "w") << QStringList{"per_channel", "fp32"}
                                      << "Try: per-channel weights or FP32 for this operation.";
        const auto activation = [](const char *op) {
            api::RangeRow row = range(op, "x");
            row.channels = channels({1, 1, 1, 40});
            return withRange(std::move(row));
        };
        QTest::newRow("activation in a pair")
            << activation("pair") << QStringList{"equalize", "observer", "fp32"}
            << "Try: equalizing it with its neighbours, another observer or FP32 for this operation.";
        QTest::newRow("activation alone") << activation("softmax") << QStringList{"observer", "fp32"}
                                          << "Try: another observer or FP32 for this operation.";
    }
    void remediesThatFit()
    {
        QFETCH(Facts, facts);
        QFETCH(QStringList, actions);
        QFETCH(QString, remedy);
        facts.equalizable = {"both", "pair"};
        for (const char *op : {"both", "coarse", "pair"}) {
            ConfigRow weight = slot(op, "w", "parameter");
            if (op == std::string("pair")) weight.scheme.channelAxis = 0;
            facts.configs.push_back(weight);
            facts.configs.push_back(changed(slot(op, "bias", "parameter"), [](auto &row) { row.scheme.bits = 32; }));
        }
        for (const char *op : {"both", "coarse", "pair", "softmax"}) facts.configs.push_back(slot(op, "x", "output"));
        const std::vector<Problem> problems = diagnose(facts);
        QCOMPARE(problems.size(), std::size_t(1));
        QCOMPARE(idsOf(problems[0]), actions);
        QCOMPARE(english(problems[0].remedy), remedy);
    }

    /// A remedy for a tensor applies to the slot whose scale it has, if there is one.
    void remediesOfTheSlotThatRounds_data()
    {
        QTest::addColumn<QVector<ConfigRow>>("configs");
        QTest::addColumn<QStringList>("actions");
        QTest::addColumn<QString>("observed");
        QTest::addColumn<QString>("remedy");
        const QString both = QStringLiteral(
            "Try: another observer, another observer for all activations or your own limits for its range.");
        QTest::newRow("own output") << QVector<ConfigRow>{changed(slot("relu", "x", "output"),
                                                                  [](auto &row) {
                                                                      row.scheme.observer = "mse";
                                                                      row.scheme.symmetric = true;
                                                                  })}
                                    << QStringList{"observer", "observers", "fp32"}
                                    << R"([{"match":{"index":0,"op":"relu","role":"output"},"set":{"observer":"kl"}}])"
                                    << both;
        QTest::newRow("input of what reads it")
            << QVector<ConfigRow>{changed(slot("relu", "x", "output"),
                                          [](auto &row) { row.scheme.state = QuantState::Off; }),
                                  slot("conv", "x", "input")}
            << QStringList{"observer", "observers", "fp32_readers"}
            << R"([{"match":{"index":0,"op":"conv","role":"input"},"set":{"observer":"mse"}}])" << both;
        QTest::newRow("root of an input")
            << QVector<ConfigRow>{changed(slot("relu", "x", "input"),
                                          [](auto &row) {
                                              row.scheme.state = QuantState::Overlapped;
                                              row.root = {"conv", api::SlotRole::Input, 0};
                                          }),
                                  slot("conv", "y", "input")}
            << QStringList{"observer", "observers", "fp32"}
            << R"([{"match":{"index":0,"op":"conv","role":"input"},"set":{"observer":"mse"}}])" << both;
        QTest::newRow("one scale per channel")
            << QVector<ConfigRow>{changed(slot("relu", "x", "output"), [](auto &row) { row.scheme.channelAxis = 1; })}
            << QStringList{"observer", "observers", "fp32"}
            << R"([{"match":{"index":0,"op":"relu","role":"output"},"set":{"observer":"mse"}}])" << both;
        const QString limits = QStringLiteral("Try: your own limits for its range.");
        QTest::newRow("limits that are set") << QVector<ConfigRow>{changed(slot("relu", "x", "output"), [](auto &row) {
            row.scheme.setBy["scale"] = {.kind = Origin::Kind::Override, .id = "relu"};
        })} << QStringList{"fp32"} << "" << limits;
        QTest::newRow("dynamic") << QVector<ConfigRow>{changed(slot("relu", "x", "output"),
                                                               [](auto &row) { row.scheme.dynamic = true; })}
                                 << QStringList{"fp32"} << "" << limits;
    }
    void remediesOfTheSlotThatRounds()
    {
        QFETCH(QVector<ConfigRow>, configs);
        QFETCH(QStringList, actions);
        QFETCH(QString, observed);
        QFETCH(QString, remedy);
        Facts facts = withRange(range("relu", "x", 100));
        facts.configs = {configs.begin(), configs.end()};
        const Problem problem = diagnose(facts).at(0);
        QCOMPARE(idsOf(problem), actions);
        for (const api::Action &action : problem.actions) {
            if (action.id == "observer")
                QCOMPARE(QString::fromStdString(action.option), QStringLiteral("--set 'overrides=%1'").arg(observed));
            if (action.id == "fp32_readers")
                QCOMPARE(action.option, std::string(R"(--set 'dispatch=[{"op":"conv","platform":"FP32"}]')"));
        }
        QCOMPARE(english(problem.remedy), remedy);
        // One observer for all replaces every other one
        facts.passes = {{"calibrate", true, "", {{"observer", "minmax"}}}};
        QVERIFY(!idsOf(diagnose(facts).at(0)).contains(QStringLiteral("observer")));
    }

    /// Its tensor is not rounded by the operation before it either.
    void depthwiseInFloat()
    {
        Facts facts = withChannels("x", channels({1, 1, 2, 50}));
        facts.depthwise["x"] = {{"dw"}, true};
        facts.configs = {slot("a", "x", "output")};
        facts.dispatch = {{.match = {.op = "b"}, .set = {.platform = "FP32"}}};
        const std::vector<Problem> problems = diagnose(facts);
        QCOMPARE(problems.size(), std::size_t(1));
        const api::Action &action = problems[0].actions.at(0);
        QCOMPARE(action.dispatch.size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(action.option),
                 QStringLiteral(R"(--set 'dispatch=[{"op":"b","platform":"FP32"},{"op":"dw","platform":"FP32"}]' )"
                                R"(--set 'overrides=[{"match":{"index":0,"op":"a","role":"output"},)"
                                R"("set":{"state":"fp32"}}]')"));
        facts.depthwise["x"].areAll = false; // others need its codes
        for (const Problem &problem : diagnose(facts)) QVERIFY(!idsOf(problem).contains("fp32_readers"));
    }

    /// An operation is judged by the total error of the output that it affects most.
    void mostOfAnOutput()
    {
        const auto said = [](const std::vector<api::ErrorRow> &layerwise, const std::vector<api::OutputRow> &outputs) {
            QStringList list;
            for (const Problem &p : diagnose(withErrors(layerwise, outputs)))
                list.append(QString::fromStdString(p.op + ": ") + english(p.message));
            return list;
        };
        QCOMPARE(said({error("a", 0.0287), error("b", 0.001)}, {output(15.2)}),
                 QStringList("a: Quantizing only this operation adds 2.87 % noise to the output (15.4 dB). All "
                             "operations together add 3.02 %."));
        QCOMPARE(said({error("a", 0.0143)}, {output(15.2)}), QStringList()); // less than half
        QCOMPARE(said({error("a", 0.0009)}, {output(30.1)}), QStringList()); // the output is good
        api::OutputRow other = output(20);
        api::ErrorRow ofOther = error("a", 0.008), ofWorst = error("b", 0.008);
        ofOther.output = other.variable = "z";
        ofWorst.output = "y";
        const QStringList ofBoth = said({ofWorst, ofOther}, {output(15.2), other});
        QVERIFY(ofBoth.size() == 1 && ofBoth[0].startsWith("a: ") && ofBoth[0].endsWith("together add 1 %."));
    }

    void operationsComeBeforeTensors()
    {
        Facts facts = withErrors({error("a", 0.544)}, {output(1.3)});
        facts.noise = {{{"r", api::SlotRole::Output, 0}, "r", 0.083, false}};
        const std::vector<Problem> problems = diagnose(facts);
        QVERIFY(problems.size() == 2 && problems[0].op == "a" && problems[1].op == "r");
    }

    /// An anomaly is not a warning if every output is close to float and no accuracy is lost.
    void littleHarm_data()
    {
        QTest::addColumn<Facts>("facts");
        QTest::addColumn<QString>("severity");
        const auto row = [](const char *name, std::vector<std::optional<double>> noise, const char *severity) {
            std::vector<api::OutputRow> outputs;
            for (const auto &ratio : noise) outputs.emplace_back().noiseRatio = ratio;
            QTest::newRow(name) << withErrors({}, outputs) << severity;
        };
        row("good", {0.001, 0.0}, "info");
        row("one is not", {0.001, 0.0011}, "warning");
        row("not measured", {}, "warning");
        row("undefined", {std::nullopt}, "warning");
        api::OutputRow less;
        less.noiseRatio = 0.001;
        less.metric = api::Metric{"top1", 0.6, 0.58, 100};
        QTest::newRow("less accurate") << withErrors({}, {less}) << "warning";
    }
    void littleHarm()
    {
        QFETCH(Facts, facts);
        QFETCH(QString, severity);
        facts.configs = {slot("a", "x", "output"), slot("a", "w", "parameter")};
        facts.weights = withWeight("a", "w").weights;
        api::RangeRow row = range("a", "x", 100);
        row.channels = channels({1, 1, 1, 40});
        facts.ranges = api::Ranges{{row}, {join(true)}};
        std::vector<Problem> problems = diagnose(facts);
        std::erase_if(problems, [](const Problem &p) { return p.op.empty(); }); // of the output itself
        QCOMPARE(problems.size(), std::size_t(4));
        for (const Problem &problem : problems) QCOMPARE(QString(toString(problem.severity)), severity);
        QCOMPARE(problems[3].variable, std::string("small"));
    }

    /// If errors accumulate: what can be done to the whole model and is not done yet.
    void remediesOfTheModel_data()
    {
        QTest::addColumn<Facts>("facts");
        QTest::addColumn<QStringList>("actions");
        const auto row = [](const char *name, std::vector<api::StepRequest> passes, const QStringList &actions) {
            Facts facts = withErrors({error("a", 0.001)}, {output(9)});
            facts.passes = std::move(passes);
            QTest::newRow(name) << facts << actions;
        };
        row("nothing is on", {{"layerwise_equalization", false, "", json::object()}},
            {"bias_correction", "observers", "equalize"});
        row("equalized", {{"layerwise_equalization", true, "", json::object()}}, {"bias_correction", "observers"});
        row("all",
            {{"layerwise_equalization", true, "", json::object()},
             {"bias_correction", true, "", json::object()},
             {"calibrate", true, "", {{"observer", "mse"}}}},
            {});
    }
    void remediesOfTheModel()
    {
        QFETCH(Facts, facts);
        QFETCH(QStringList, actions);
        facts.equalizable = {"a"};
        facts.hasBiases = true;
        facts.configs = {slot("a", "x", "output")};
        const std::vector<Problem> problems = diagnose(facts);
        QCOMPARE(problems.size(), std::size_t(1));
        QCOMPARE(idsOf(problems[0]), actions);
    }

    /// Small, but most of the output's noise: the cause is that operation, not accumulation.
    void oneThatDominates()
    {
        const auto problemsFor = [](double noise) {
            return diagnose(withErrors({error("gemm", noise), error("a", 0.003)}, {output(13.4)}));
        };
        const std::vector<Problem> dominated = problemsFor(0.0345);
        QVERIFY(dominated.size() == 1 && dominated[0].op == "gemm");
        QCOMPARE(problemsFor(0.01).at(0).op, std::string());
    }

    /// "No single operation explains the error" is reported only if none causes a tenth of it.
    void contributors()
    {
        const auto problemFor = [](double noise) {
            return diagnose(withErrors({error("little", 0.0001), error("most", noise)}, {output(10)})).at(0);
        };
        const Problem none = problemFor(0.009), one = problemFor(0.04);
        QCOMPARE(english(none.message), QStringLiteral("Output SQNR is only 10 dB, but no single operation explains it "
                                                       "(2 measured): small errors accumulate."));
        QVERIFY(!idsOf(none).contains(QStringLiteral("fp32_worst")));
        QCOMPARE(english(one.message),
                 QStringLiteral("Output SQNR is only 10 dB: errors of several operations accumulate (2 measured), the "
                                "largest of them 'most' (4 %)."));
        QVERIFY(idsOf(one).contains(QStringLiteral("fp32_worst")));
    }

    /// The option of a remedy keeps the rules that the recipe has.
    void optionKeepsTheRules()
    {
        Facts facts = withErrors({error("a", 0.2)}, {output(7.0)});
        facts.dispatch = {{.match = {.op = "b"}, .set = {.platform = "FP32"}}};
        const Problem problem = diagnose(facts).at(0);
        QCOMPARE(problem.actions.at(0).option,
                 std::string(R"(--set 'dispatch=[{"op":"b","platform":"FP32"},{"op":"a","platform":"FP32"}]')"));
        QCOMPARE(problem.actions.at(0).dispatch.size(), std::size_t(1)); // rules to add
        facts.tried = {{problem.actions.at(0), 3.0}};
        QCOMPARE(english(diagnose(facts).at(0).remedy), QStringLiteral("Try: FP32 for this operation (+3 dB)."));
    }

    /// A scale per channel is a remedy for weights: a bias or a slope is none.
    void constantsAreNoWeights()
    {
        const QuantModel model = test::toyModel();
        std::vector<std::string> parameters;
        for (const ConfigRow &row : factsOf(model, {}).configs)
            if (row.slot.role == api::SlotRole::Parameter) parameters.push_back(row.variable);
        QCOMPARE(parameters, (std::vector<std::string>{"w1", "w2"}));
    }

    /// Operations without weights are not measured by default: where those with weights do not explain the error, the
    /// others may.
    void operationsThatWereNotMeasured()
    {
        Facts facts = withErrors({error("a", 0.002), error("b", 0.001)}, {output(10)});
        facts.configs = {
            slot("a", "x", "output"), slot("b", "y", "output"), slot("mul", "z", "output"),
            changed(slot("relu", "r", "output"), [](auto &row) { row.scheme.state = QuantState::Overlapped; })};
        facts.computing = {"a", "b"};
        const Problem problem = diagnose(facts).at(0);
        QCOMPARE(english(problem.message),
                 QStringLiteral("Output SQNR is only 10 dB, but no single operation with weights explains it (2 of 3 "
                                "quantized operations measured)."));
        QCOMPARE(idsOf(problem).value(0), QStringLiteral("layerwise_all"));
        // The tensors explain it: the sum of what single operations add does not matter
        facts.noise = {{{"mul", api::SlotRole::Output, 0}, "z", 0.09, false},
                       {{"a", api::SlotRole::Output, 0}, "x", 0.002, false}};
        const std::vector<Problem> problems = diagnose(facts);
        QCOMPARE(problems.size(), std::size_t(2));
        QCOMPARE(QString::fromStdString(problems[0].variable), QStringLiteral("z"));
        QCOMPARE(english(problems[1].message), QStringLiteral("Output SQNR is only 10 dB; 97.8 % of the noise comes "
                                                              "from the tensors that are reported separately."));
        facts.noise.clear();
        facts.layerwise.push_back(error("mul", 0.002));
        QVERIFY(!idsOf(diagnose(facts).at(0)).contains(QStringLiteral("layerwise_all")));
        facts.layerwise = {error("a", 0.04), error("b", 0.03)}; // most of the tenth
        QVERIFY(!idsOf(diagnose(facts).at(0)).contains(QStringLiteral("layerwise_all")));
    }

    /// Class indices are judged by how many are equal.
    void indices()
    {
        Facts facts;
        facts.outputs.emplace_back().variable = "classes";
        facts.outputs[0].equalShare = 0.85;
        facts.hasBiases = true;
        const std::vector<Problem> problems = diagnose(facts);
        QCOMPARE(problems.size(), std::size_t(1));
        QCOMPARE(english(problems[0].message),
                 QStringLiteral("Only 85 % of the integers in output 'classes' match the float result."));
        QCOMPARE(idsOf(problems[0]), QStringList{QStringLiteral("bias_correction")});
        facts.layerwise = {error("a", 0.03), error("b", 0.001)}; // at the scores
        QVERIFY(english(diagnose(facts).at(0).message).endsWith(QStringLiteral("the largest of them 'a' (3 %).")));
        facts.layerwise.clear();
        facts.outputs[0].equalShare = 0.95;
        QVERIFY(diagnose(facts).empty());
        // Good enough that an anomaly is information
        facts.weights = withWeight("a", "w").weights;
        facts.configs = {slot("a", "w", "parameter")};
        QCOMPARE(std::string(toString(diagnose(facts).at(0).severity)), std::string("warning"));
        facts.outputs[0].equalShare = 0.995;
        QCOMPARE(std::string(toString(diagnose(facts).at(0).severity)), std::string("info"));
    }

    /// A limited number per kind, the worst first; a name that the shell would split, and that is not a pattern.
    void worstFirst()
    {
        Facts facts;
        for (int i = 0; i < 50; ++i)
            facts.layerwise.push_back(error("it's [" + std::to_string(i) + "]", 0.1 + 0.01 * i));
        const std::vector<Problem> problems = diagnose(facts);
        QCOMPARE(problems.size(), mostOfAKind);
        QCOMPARE(problems[0].op, std::string("it's [49]"));
        QCOMPARE(problems[0].actions[0].option,
                 std::string(R"(--set 'dispatch=[{"op":"it'\''s [[]49]","platform":"FP32"}]')"));
    }
};

QL_TEST(TestDiagnosis)
#include "tst_diagnosis.moc"
