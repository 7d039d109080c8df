// What the numbers of a report are said to mean, and the remedies that are offered.
#include "core/session/diagnosis.h"
#include "tests/support/test_main.h"

#include <QtTest>

using namespace ql;
using nlohmann::json;

class TestDiagnosis : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void facts_data()
    {
        QTest::addColumn<QString>("facts");
        QTest::addColumn<QString>("operation");
        QTest::addColumn<QString>("severity");
        QTest::addColumn<QString>("message");
        QTest::addColumn<int>("values");
        QTest::addColumn<QString>("action");
        const auto row = [](const char *name, const char *facts, const char *operation, const char *severity,
                            const char *message, int values, const char *action) {
            QTest::newRow(name) << QString::fromLatin1(facts) << QString::fromLatin1(operation)
                                << QString::fromLatin1(severity) << QString::fromLatin1(message) << values
                                << QString::fromLatin1(action);
        };
        const auto quiet = [&](const char *name, const char *facts) { row(name, facts, "", "", "", 0, ""); };
        row("saturation",
            R"({"ranges": {"tensors": [{"op": "a", "variable": "x", "min": -4, "max": 6, "elements": 1000,
                "not_finite": 0, "clipped": 100, "clip": [-1, 1], "samples": 16}]}})",
            "a", "warning",
            "10 % of its values are clipped (16 samples): they reach from -4 to 6, its scale from -1 to 1.", 2,
            "observer");
        row("saturation of an input",
            R"({"ranges": {"tensors": [{"op": "a", "variable": "x", "role": "input", "min": -4, "max": 6,
                "elements": 1000, "clipped": 100, "clip": [-1, 1], "samples": 1}]}})",
            "a", "warning",
            "10 % of the values of its input 'x' are clipped (1 sample): they reach from -4 to 6, its scale from -1 to "
            "1.",
            2, "observer");
        quiet("a little clipped",
              R"({"ranges": {"tensors": [{"op": "a", "variable": "x", "min": -4, "max": 6, "elements": 1000,
                  "clipped": 9, "clip": [-1, 1]}]}})");
        row("NaN",
            R"({"ranges": {"tensors": [{"op": "a", "variable": "x", "elements": 10, "not_finite": 3, "clipped": 0}]}})",
            "a", "error", "3 of its 10 float values are NaN or infinite.", 0, "");
        row("NaN of an input",
            R"({"ranges": {"tensors": [{"op": "a", "variable": "x", "role": "input", "elements": 10,
                "not_finite": 3}]}})",
            "a", "error", "3 of the 10 float values of its input 'x' are NaN or infinite.", 0, "");
        row("dead channels",
            R"({"ranges": {"tensors": [{"op": "a", "variable": "x", "min": 0, "max": 1, "elements": 10,
                "channels": {"axis": 1, "learned": true, "min": [0, 0, 0], "max": [1, 0, 1]}}]}})",
            "a", "info", "1 of its 3 channels never change on these samples.", 3, "");
        quiet("channels that stand still but nobody learned",
              R"({"ranges": {"tensors": [{"op": "a", "variable": "x", "min": 0, "max": 1, "elements": 10,
                  "channels": {"axis": 1, "learned": false, "min": [0, 0, 0], "max": [1, 0, 1]}}]}})");
        // Channels that are not finite do not stand still
        row("dead channels beside infinite ones",
            R"({"ranges": {"tensors": [{"op": "a", "variable": "x", "min": 0, "max": 1, "elements": 10,
                "channels": {"axis": 1, "learned": true, "min": [null, 0, null], "max": [null, 0, null]}}]}})",
            "a", "info", "1 of its 3 channels never change on these samples.", 3, "");
        quiet("infinite channels",
              R"({"ranges": {"tensors": [{"op": "a", "variable": "x", "min": null, "max": null, "elements": 10,
                  "channels": {"axis": 1, "learned": true, "min": [null, null], "max": [null, null]}}]}})");
        row("channels of an activation",
            R"({"ranges": {"tensors": [{"op": "a", "variable": "x", "min": 0, "max": 50, "elements": 10,
                "channels": {"axis": 1, "min": [0, 0, 0, 0], "max": [1, 1, 2, 50]}}]}})",
            "a", "warning", "The largest channel of its output is 25 times the median one, but all 4 share one scale.",
            4, "observer");
        quiet("channels of what is rounded behind an activation",
              R"({"ranges": {"tensors": [{"op": "a", "variable": "fused", "min": 0, "max": 50, "elements": 10,
                  "channels": {"axis": 1, "min": [0, 0, 0, 0], "max": [1, 1, 2, 50]}}]}})");
        row("operands of one scale",
            R"({"ranges": {"joins": [{"op": "add", "one_scale": true,
                "inputs": [{"min": -10, "max": 4}, {"min": -0.5, "max": 0.1}]}]}})",
            "add", "warning", "reach 10 and 0.5: the smaller one has about 12 of 256 codes.", 2, "fp32");
        quiet("operands with scales of their own",
              R"({"ranges": {"joins": [{"op": "add", "one_scale": false,
                  "inputs": [{"min": -10, "max": 4}, {"min": -0.5, "max": 0.1}]}]}})");
        const char *channels = R"({"parameters": [{"op": "%1", "variable": "%2", "channels":
            {"axis": 0, "min": [-1, -1, -1, -40], "max": [1, 1, 1, 1]}}]})";
        const auto weights = [&](const char *op, const char *variable) {
            return QString::fromLatin1(channels).arg(QString::fromLatin1(op), QString::fromLatin1(variable)).toLatin1();
        };
        row("channels of a weight", weights("a", "w"), "a", "warning",
            "The largest channel of its weight is 40 times the median one, but all 4 share one scale.", 4,
            "per_channel");
        quiet("a weight with a scale for each channel", weights("a", "v"));
        quiet("a weight of 16 bits", weights("a", "wide"));
        quiet("a weight that is not quantized", weights("b", "w"));
        row("costly",
            R"({"layerwise": [{"op": "a", "variable": "x", "noise_ratio": 0.129}, {"op": "b", "noise_ratio": 0.05}],
                "outputs": [{"variable": "y", "sqnr_db": 3}]})",
            "a", "warning", "Quantized alone, it makes 12.9 % noise at the output (8.9 dB).", 0, "fp32");
        row("errors that add up",
            R"({"layerwise": [{"op": "a", "noise_ratio": 0.01}],
                "outputs": [{"variable": "y", "sqnr_db": 14.94}, {"variable": "z", "sqnr_db": null}]})",
            "", "warning", "The output has 14.9 dB only", 0, "observers");
        quiet("not measured", R"({"layerwise": [], "outputs": [{"variable": "y", "sqnr_db": 3}]})");
        quiet("undefined", R"({"layerwise": [{"op": "a", "noise_ratio": null}], "outputs": [{"sqnr_db": null}]})");
    }
    void facts()
    {
        QFETCH(QString, facts);
        QFETCH(QString, operation);
        QFETCH(QString, severity);
        QFETCH(QString, message);
        QFETCH(int, values);
        QFETCH(QString, action);
        json report = json::parse(facts.toStdString());
        report["configs"] =
            json::parse(R"([{"op": "a", "variable": "x", "role": "output", "bits": 8, "channel_axis": null},
            {"op": "a", "variable": "fused", "role": "output", "state": "overlapped", "bits": 8},
            {"op": "a", "variable": "w", "role": "parameter", "bits": 8, "channel_axis": null},
            {"op": "a", "variable": "v", "role": "parameter", "bits": 8, "channel_axis": 0},
            {"op": "a", "variable": "wide", "role": "parameter", "bits": 16, "channel_axis": null}])");
        const json problems = diagnose(report);
        if (severity.isEmpty()) {
            QVERIFY2(problems.empty(), problems.dump().c_str());
            return;
        }
        QCOMPARE(problems.size(), std::size_t(1));
        const json &problem = problems[0];
        QCOMPARE(QString::fromStdString(problem["op"]), operation);
        QCOMPARE(QString::fromStdString(problem["severity"]), severity);
        QVERIFY2(problem["message"].get<std::string>().find(message.toStdString()) != std::string::npos,
                 problem.dump().c_str());
        QVERIFY(!problem["remedy"].get<std::string>().empty());
        QCOMPARE(problem.value("values", json::array()).size(), std::size_t(values));
        QCOMPARE(problem.contains("values"), problem.contains("values_meaning"));
        bool found = action.isEmpty() && !problem.contains("actions");
        for (const json &offered : problem.value("actions", json::array())) {
            found = found || offered["id"] == action.toStdString();
            QVERIFY(offered["option"].get<std::string>().rfind("--", 0) == 0);
        }
        QVERIFY(found);
    }

    /// A remedy is offered where it can change something, and the sentence names what is offered.
    void remediesThatFit_data()
    {
        QTest::addColumn<QString>("facts");
        QTest::addColumn<QStringList>("actions");
        QTest::addColumn<QString>("remedy");
        const QString costly = QStringLiteral(R"({"layerwise": [{"op": "%1", "variable": "x", "noise_ratio": 0.5}]})");
        QTest::newRow("coarse, in a pair")
            << costly.arg("both") << QStringList{"fp32", "per_channel", "equalize", "observer"}
            << "Send it to FP32, use per-channel weights, equalize it with its neighbour, or try another observer.";
        QTest::newRow("coarse") << costly.arg("coarse") << QStringList{"fp32", "per_channel", "observer"}
                                << "Send it to FP32, use per-channel weights, or try another observer.";
        QTest::newRow("in a pair") << costly.arg("pair") << QStringList{"fp32", "equalize", "observer"}
                                   << "Send it to FP32, equalize it with its neighbour, or try another observer.";
        QTest::newRow("neither") << costly.arg("softmax") << QStringList{"fp32", "observer"}
                                 << "Send it to FP32, or try another observer.";
        const QString weight = QStringLiteral(
            R"({"parameters": [{"op": "%1", "variable": "w", "channels": {"min": [0, 0, 0, 0], "max": [1, 1, 1, 40]}}]})");
        QTest::newRow("weight in a pair") << weight.arg("both") << QStringList{"per_channel", "equalize", "fp32"}
                                          << "Quantize the weight per channel, or turn on layerwise equalization.";
        QTest::newRow("weight alone") << weight.arg("coarse") << QStringList{"per_channel", "fp32"}
                                      << "Quantize the weight per channel, or send the operation to FP32.";
        const QString activation = QStringLiteral(
            R"({"ranges": {"tensors": [{"op": "%1", "variable": "x", "channels": {"min": [0, 0, 0, 0], "max": [1, 1, 1, 40]}}]}})");
        QTest::newRow("activation in a pair")
            << activation.arg("pair") << QStringList{"equalize", "observer", "fp32"}
            << "Equalize it with its neighbours, try another observer, or send it to FP32.";
        QTest::newRow("activation alone") << activation.arg("softmax") << QStringList{"observer", "fp32"}
                                          << "Try another observer, or send it to FP32.";
    }
    void remediesThatFit()
    {
        QFETCH(QString, facts);
        QFETCH(QStringList, actions);
        QFETCH(QString, remedy);
        json report = json::parse(facts.toStdString());
        report["equalizable"] = {"both", "pair"};
        report["configs"] = json::array();
        for (const auto &[op, axis] : {std::pair("both", json()), {"coarse", json()}, {"pair", json(0)}}) {
            report["configs"].push_back(
                {{"op", op}, {"variable", "w"}, {"role", "parameter"}, {"bits", 8}, {"channel_axis", axis}});
            report["configs"].push_back({{"op", op}, {"variable", "bias"}, {"role", "parameter"}, {"bits", 32}});
        }
        for (const char *op : {"both", "coarse", "pair", "softmax"})
            report["configs"].push_back({{"op", op}, {"variable", "x"}, {"role", "output"}, {"bits", 8}});
        const json problems = diagnose(report);
        QCOMPARE(problems.size(), std::size_t(1));
        QStringList offered;
        for (const json &action : problems[0]["actions"])
            offered.append(QString::fromStdString(action["id"].get<std::string>()));
        QCOMPARE(offered, actions);
        QCOMPARE(QString::fromStdString(problems[0]["remedy"]), remedy);
    }

    /// What is done to a tensor is done to the slot whose scale it has, and where there is one.
    void remediesOfTheSlotThatRounds_data()
    {
        QTest::addColumn<QString>("configs");
        QTest::addColumn<QStringList>("actions");
        QTest::addColumn<QString>("observed");
        QTest::addColumn<QString>("remedy");
        const QString both = QStringLiteral("Try another observer, or set the limits of its range.");
        QTest::newRow("own output") << R"([{"op": "relu", "variable": "x", "role": "output", "index": 0,
            "state": "active", "observer": "mse", "symmetric": true}])"
                                    << QStringList{"observer", "fp32"}
                                    << R"([{"match":{"index":0,"op":"relu","role":"output"},"set":{"observer":"kl"}}])"
                                    << both;
        QTest::newRow("input of what reads it")
            << R"([{"op": "relu", "variable": "x", "role": "output", "state": "fp32"},
                {"op": "conv", "variable": "x", "role": "input", "index": 0, "state": "active"}])"
            << QStringList{"observer", "fp32_readers"}
            << R"([{"match":{"index":0,"op":"conv","role":"input"},"set":{"observer":"mse"}}])" << both;
        QTest::newRow("root of an input")
            << R"([{"op": "relu", "variable": "x", "role": "input", "index": 0, "state": "overlapped",
                    "root": {"op": "conv", "role": "input", "index": 0}},
                {"op": "conv", "variable": "y", "role": "input", "index": 0, "state": "active"}])"
            << QStringList{"observer", "fp32"}
            << R"([{"match":{"index":0,"op":"conv","role":"input"},"set":{"observer":"mse"}}])" << both;
        const QString limits = QStringLiteral("Set the limits of its range.");
        QTest::newRow("limits that are set") << R"([{"op": "relu", "variable": "x", "role": "output",
            "state": "active", "set_by": {"scale": "override 'relu'"}}])"
                                             << QStringList{"fp32"} << "" << limits;
        QTest::newRow("dynamic") << R"([{"op": "relu", "variable": "x", "role": "output", "state": "active",
            "dynamic": true}])" << QStringList{"fp32"}
                                 << "" << limits;
    }
    void remediesOfTheSlotThatRounds()
    {
        QFETCH(QString, configs);
        QFETCH(QStringList, actions);
        QFETCH(QString, observed);
        QFETCH(QString, remedy);
        json facts = json::parse(R"({"ranges": {"tensors": [{"op": "relu", "variable": "x", "min": -4, "max": 6,
            "elements": 1000, "clipped": 100, "clip": [-1, 1]}]}})");
        facts["configs"] = json::parse(configs.toStdString());
        const json problem = diagnose(facts).at(0);
        QStringList offered;
        for (const json &action : problem["actions"]) {
            offered.append(QString::fromStdString(action["id"].get<std::string>()));
            if (action["id"] == "observer")
                QCOMPARE(QString::fromStdString(action["option"].get<std::string>()),
                         QStringLiteral("--set 'overrides=%1'").arg(observed));
            if (action["id"] == "fp32_readers")
                QCOMPARE(action["option"].get<std::string>(),
                         std::string(R"(--set 'dispatch=[{"op":"conv","platform":"FP32"}]')"));
        }
        QCOMPARE(offered, actions);
        QCOMPARE(QString::fromStdString(problem["remedy"].get<std::string>()), remedy);
        // One observer for all takes the place of every other one
        facts["recipe"] = json::parse(R"({"passes": [{"id": "calibrate", "params": {"observer": "minmax"}}]})");
        const json fixed = diagnose(facts).at(0);
        for (const json &action : fixed["actions"]) QVERIFY(action["id"] != "observer");
    }

    /// What looks odd inside is no warning where every output is near to float and no accuracy is lost.
    void littleHarm_data()
    {
        QTest::addColumn<QString>("outputs");
        QTest::addColumn<QString>("severity");
        const auto row = [](const char *name, const char *outputs, const char *severity) {
            QTest::newRow(name) << QString::fromLatin1(outputs) << QString::fromLatin1(severity);
        };
        row("good", R"([{"noise_ratio": 0.001}, {"noise_ratio": 0}])", "info");
        row("one is not", R"([{"noise_ratio": 0.001}, {"noise_ratio": 0.0011}])", "warning");
        row("not measured", "[]", "warning");
        row("undefined", R"([{"noise_ratio": null}])", "warning");
        row("less accurate", R"([{"noise_ratio": 0.001, "metric": {"fp32": 0.6, "quantized": 0.58}}])", "warning");
    }
    void littleHarm()
    {
        QFETCH(QString, outputs);
        QFETCH(QString, severity);
        json facts = json::parse(R"({"configs": [{"op": "a", "variable": "x", "role": "output", "bits": 8},
                {"op": "a", "variable": "w", "role": "parameter", "bits": 8}],
            "parameters": [{"op": "a", "variable": "w", "channels": {"min": [0, 0, 0, 0], "max": [1, 1, 1, 40]}}],
            "ranges": {"tensors": [{"op": "a", "variable": "x", "min": 0, "max": 40, "elements": 1000, "clipped": 100,
                    "clip": [0, 1], "samples": 4, "channels": {"min": [0, 0, 0, 0], "max": [1, 1, 1, 40]}}],
                "joins": [{"op": "add", "one_scale": true, "inputs": [{"variable": "large", "min": -10, "max": 4},
                    {"variable": "small", "min": -0.5, "max": 0.1}]}]}})");
        facts["outputs"] = json::parse(outputs.toStdString());
        const json problems = diagnose(facts);
        QCOMPARE(problems.size(), std::size_t(4));
        for (const json &problem : problems)
            QCOMPARE(QString::fromStdString(problem["severity"].get<std::string>()), severity);
        QCOMPARE(problems[3]["variable"].get<std::string>(), std::string("small"));
    }

    /// Accuracy that is lost is told of, whatever the signal to noise ratio is; a little is none.
    void lostAccuracy()
    {
        json facts = json::parse(R"({"layerwise": [{"op": "a", "noise_ratio": 0.001}], "outputs": [{"sqnr_db": 26,
            "metric": {"name": "top1", "fp32": 0.6275, "quantized": 0.5125}}]})");
        const json problems = diagnose(facts);
        QCOMPARE(problems.size(), std::size_t(1));
        QVERIFY(problems[0]["message"].get<std::string>().starts_with("The accuracy falls by 11.5 points"));
        facts["outputs"][0]["metric"]["quantized"] = 0.62;
        QVERIFY(diagnose(facts).empty());
    }

    /// Where errors add up, what can be done to the whole model and is not done yet.
    void remediesOfTheModel_data()
    {
        QTest::addColumn<QString>("passes");
        QTest::addColumn<QStringList>("actions");
        QTest::newRow("nothing is on") << R"([{"id": "layerwise_equalization", "enabled": false}])"
                                       << QStringList{"bias_correction", "observers", "equalize"};
        QTest::newRow("equalized") << R"([{"id": "layerwise_equalization", "enabled": true}])"
                                   << QStringList{"bias_correction", "observers"};
        QTest::newRow("all") << R"([{"id": "layerwise_equalization"}, {"id": "bias_correction"},
            {"id": "calibrate", "params": {"observer": "mse"}}])"
                             << QStringList{};
    }
    void remediesOfTheModel()
    {
        QFETCH(QString, passes);
        QFETCH(QStringList, actions);
        json facts = json::parse(R"({"layerwise": [{"op": "a", "noise_ratio": 0.01}], "outputs": [{"sqnr_db": 9}],
            "equalizable": ["a"], "has_biases": true,
            "configs": [{"op": "a", "variable": "x", "role": "output", "state": "active"}]})");
        facts["recipe"]["passes"] = json::parse(passes.toStdString());
        const json problems = diagnose(facts);
        QCOMPARE(problems.size(), std::size_t(1));
        QStringList offered;
        for (const json &action : problems[0].value("actions", json::array()))
            offered.append(QString::fromStdString(action["id"].get<std::string>()));
        QCOMPARE(offered, actions);
    }

    /// Little by itself, but most of what the output has: it is that operation, and not all together.
    void oneThatDominates()
    {
        const auto rows = [](double noise) {
            json facts = json::parse(R"({"outputs": [{"sqnr_db": 13.4, "noise_ratio": 0.0455}],
                "layerwise": [{"op": "gemm"}, {"op": "a", "noise_ratio": 0.003}]})");
            facts["layerwise"][0]["noise_ratio"] = noise;
            return diagnose(facts);
        };
        QVERIFY(rows(0.0345)[0]["op"] == "gemm" && rows(0.0345).size() == 1);
        QVERIFY(rows(0.01)[0]["op"] == "");
    }

    /// So many of a kind, the worst first; a name that the shell would cut, and that is no pattern.
    void worstFirst()
    {
        json facts = {{"layerwise", json::array()}};
        for (int i = 0; i < 50; ++i)
            facts["layerwise"].push_back({{"op", "it's [" + std::to_string(i) + "]"}, {"noise_ratio", 0.1 + 0.01 * i}});
        const json problems = diagnose(facts);
        QCOMPARE(problems.size(), mostOfAKind);
        QCOMPARE(problems[0]["op"].get<std::string>(), std::string("it's [49]"));
        QCOMPARE(problems[0]["actions"][0]["option"].get<std::string>(),
                 std::string(R"(--set 'dispatch=[{"op":"it'\''s [[]49]","platform":"FP32"}]')"));
    }
};

QL_TEST(TestDiagnosis)
#include "tst_diagnosis.moc"
