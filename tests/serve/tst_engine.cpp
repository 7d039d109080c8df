// The engine's answers to a window, without the transport: on the bundled sample.
#include "core/serve/engine.h"
#include "tests/support/test_main.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/io/npy.h"
#include "core/platform/definition.h"

#include <ATen/ops/rand.h>
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <fstream>

using namespace ql;
using nlohmann::json;

class TestEngine : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    std::unique_ptr<Engine> m_engine;
    const char *m_steps = "rgb; scale 1/255; mean .5,.5,.5; std .5,.5,.5; layout nchw";

    json params() const
    {
        json recipe = {{"format", "quantloupe-recipe/1"},
                       {"model", {{"path", QL_SOURCE_DIR "/resources/sample/model.onnx"}}},
                       {"platform", "RKNN_INT8"}};
        recipe["calibration"] = {
            {"path", QL_SOURCE_DIR "/resources/sample/calib"}, {"samples", 8}, {"preprocess", m_steps}};
        recipe["evaluation"] = {
            {"path", QL_SOURCE_DIR "/resources/sample/eval"}, {"samples", 8}, {"preprocess", m_steps}};
        return {{"recipe", recipe}, {"base", "."}};
    }
    json ask(const std::string &method, const json &more = json::object())
    {
        json all = params();
        all.update(more);
        return m_engine->answer(method, all, {});
    }
    json askFor(const std::string &method, const json &params) { return m_engine->answer(method, params, {}); }
    /// The preview of data with these members.
    json preview(const json &data, int sample = 0)
    {
        json whole = api::DataRequest();
        whole.update(data);
        return ask("preview", {{"data", whole}, {"sample", sample}, {"input", 0}});
    }
    /// Saves a platform with this text, replacing another one.
    json save(const std::string &text, const std::string &replaces = {})
    {
        return askFor("platform_save", {{"text", text}, {"replaces", replaces}});
    }
    json analyse(const std::string &id, const json &more = json::object())
    {
        json asked = {{"id", id}, {"params", json::object()}};
        asked.update(more);
        return ask("analysis", asked);
    }

private Q_SLOTS:
    void initTestCase()
    {
        qputenv("XDG_DATA_HOME", m_folder.path().toUtf8());
        ServeOptions options;
        options.cacheFolder = m_folder.filePath(QStringLiteral("cache")).toStdString();
        options.catalogue = [] {
            api::Catalogue all;
            for (const PlatformDefinition *known : platforms()) all.platforms.push_back({{.id = known->id}, *known});
            return all;
        };
        m_engine = std::make_unique<Engine>(options, [](const Text &) {});
    }

    /// A misspelt or missing member is an error, never a default.
    void requestsAreChecked_data()
    {
        QTest::addColumn<QString>("method");
        QTest::addColumn<QString>("change"); // a JSON merge patch of a request about the recipe
        QTest::addColumn<QString>("message");
        QTest::newRow("misspelt") << "distribution"
                                  << R"({"oq": "stem"})"
                                  << "the request has no 'op'";
        QTest::newRow("missing") << "inspect"
                                 << R"({"base": null})"
                                 << "the request has no 'base'";
        QTest::newRow("unknown") << "inspect"
                                 << R"({"goal": "all"})"
                                 << "the request has an unknown member 'goal'";
        QTest::newRow("another type") << "distribution"
                                      << R"({"op": 3})"
                                      << "the request.op must be a string, got number";
        QTest::newRow("no such goal") << "run"
                                      << R"({"goal": "alles"})"
                                      << "goal must be calibrate, analyse or all";
        QTest::newRow("recipe") << "inspect"
                                << R"({"recipe": {"platfrom": "TRT_INT8"}})"
                                << "platfrom";
    }
    void requestsAreChecked()
    {
        QFETCH(QString, method);
        QFETCH(QString, change);
        QFETCH(QString, message);
        json request = params();
        request.merge_patch(json::parse(change.toStdString()));
        try {
            askFor(method.toStdString(), request);
            QFAIL("no error");
        } catch (const Error &error) {
            QVERIFY2(QString::fromStdString(error.text()).contains(message), error.what());
        }
    }

    /// The error after each pass: none before calibration, that of the run after the last one.
    void passesReportTheirChanges()
    {
        const json report = ask("run", {{"goal", "analyse"}})["report"];
        for (int i = 0; i < 2; ++i) { // computed, then recalled
            const json passes = ask("passes")["passes"];
            QVERIFY(passes.size() > 4);
            QCOMPARE(passes[0]["id"].get<std::string>(), std::string());
            QVERIFY(passes[0]["outputs"].is_null());
            bool calibrated = false;
            for (const json &row : passes)
                if (row["id"] == "calibrate") {
                    calibrated = true;
                    QVERIFY(!row["operations"].empty());
                    const json slot = row["operations"][0]["slots"][0];
                    const auto fields = slot["fields"].get<std::vector<std::string>>();
                    QVERIFY(std::find(fields.begin(), fields.end(), "scale") != fields.end());
                    QVERIFY(row["outputs"][0]["noise_ratio"].get<double>() > 0);
                }
            QVERIFY(calibrated);
            QCOMPARE(passes.back()["outputs"][0]["noise_ratio"].get<double>(),
                     report["outputs"][0]["noise_ratio"].get<double>());
        }
    }

    /// Identified by its match, with the rule as in the recipe, to remove it.
    void anIneffectiveOverrideCanBeRemoved()
    {
        json recipe = params()["recipe"];
        std::string fused; // an operation whose output is rounded after its activation
        Outlet outlet;
        outlet.section = [&](const api::RunPart &part) {
            if (!part.configs) return;
            for (const api::ShortConfigRow &row : part.configs->rows)
                if (row.slot.role == api::SlotRole::Output &&
                    part.configs->schemes[std::size_t(row.scheme)].state == api::QuantState::Overlapped)
                    fused = row.slot.op;
        };
        json calibrate = params();
        calibrate["goal"] = "calibrate";
        m_engine->answer("run", calibrate, outlet);
        QVERIFY(!fused.empty());
        const json rule = {{"match", {{"op", fused}, {"role", "output"}}}, {"set", {{"bits", 4}}}};
        recipe["overrides"] = {rule};
        json found;
        const json report = ask("run", {{"recipe", recipe}, {"goal", "analyse"}})["report"];
        for (const json &row : report["problems"])
            if (row["message"].dump().find("has no effect") != std::string::npos) found = row;
        QVERIFY2(!found.is_null(), report["problems"].dump().c_str());
        QVERIFY2(found["message"].dump().find("overrides[") == std::string::npos, found.dump().c_str());
        QCOMPARE(found["actions"][0]["drop_override"], rule);
    }

    void distributionHasPairsAndChannels()
    {
        const json answer = ask("distribution", {{"op", "down_depthwise"}});
        bool output = false, parameter = false;
        for (const json &row : answer["details"]) {
            const auto fp = row["pairs"]["float"].get<std::vector<double>>();
            const auto q = row["pairs"]["quantized"].get<std::vector<double>>();
            QCOMPARE(fp.size(), q.size());
            QVERIFY(fp.size() > 4 && fp.size() <= 2400);
            output |= row["role"] == "output";
            if (row["role"] != "parameter" || !row.contains("channels")) continue;
            parameter = true;
            const json &channels = row["channels"];
            for (std::size_t c = 0; c < channels["min"].size(); ++c) {
                QVERIFY(channels["min"][c] <= channels["q1"][c]);
                QVERIFY(channels["q1"][c] <= channels["median"][c]);
                QVERIFY(channels["median"][c] <= channels["q3"][c]);
                QVERIFY(channels["q3"][c] <= channels["max"][c]);
            }
        }
        QVERIFY(output && parameter);
    }

    void rangesOfActivations()
    {
        const json answer = analyse("ranges")["measures"]["ranges"];
        QVERIFY(answer["tensors"].size() > 10);
        for (const json &row : answer["tensors"]) {
            QVERIFY(row["elements"].get<int>() > 0);
            QCOMPARE(row["not_finite"].get<int>(), 0);
            QVERIFY(row["min"] <= row["max"]);
        }
    }

    /// Channels that overflow are reported as such, not as channels that never change.
    void infiniteChannelsAreNotDead()
    {
        json recipe = params()["recipe"];
        recipe["calibration"]["preprocess"] = recipe["evaluation"]["preprocess"] = "rgb; scale 1e37; layout nchw";
        const json answer = analyse("ranges", {{"recipe", recipe}});
        bool isBroken = false;
        for (const json &row : answer["problems"]) {
            const std::string message = row["message"].get<std::string>();
            isBroken |= message.find("float values are NaN or infinite") != std::string::npos;
            QVERIFY2(message.find("16 of its 16 channels never change") == std::string::npos, row.dump().c_str());
        }
        QVERIFY(isBroken);
    }

    void previewShowsEveryStep()
    {
        json data = params()["recipe"]["calibration"];
        const json answer = preview(data, 2);
        QVERIFY(answer["samples"].get<int>() >= 8);
        QCOMPARE(answer["stages"].size(), std::size_t(6));
        QCOMPARE(answer["stages"][0]["step"].get<std::string>(), std::string());
        QCOMPARE(answer["stages"][2]["step"].get<std::string>(), std::string("scale 1/255"));
        QVERIFY(answer["stages"][1]["values"]["max"].get<double>() > 1.5);
        QVERIFY(answer["stages"][2]["values"]["max"].get<double>() <= 1.0);
        QVERIFY(answer["stages"][4]["values"]["min"].get<double>() < 0);
        for (const json &stage : answer["stages"]) {
            QCOMPARE(stage["values"]["channels"].size(), std::size_t(3));
            const json picture = stage["values"]["picture"];
            QCOMPARE(picture["rgb"].get_binary().size(),
                     std::size_t(picture["width"].get<int>() * picture["height"].get<int>() * 3));
        }
        QVERIFY(answer["hash"].get<std::string>().size() == 64);
    }

    void previewWarns_data()
    {
        QTest::addColumn<QString>("steps");
        QTest::addColumn<int>("samples");
        QTest::addColumn<QString>("warning");
        QTest::newRow("nothing scales") << "rgb; layout nchw" << 8 << "not scaled";
        QTest::newRow("scaled twice") << "rgb; scale 1/255; scale 1/255; layout nchw" << 8 << "scaled twice";
        QTest::newRow("order") << "bgr; scale 1/255; mean .485,.456,.406; std .229,.224,.225" << 8 << "order BGR";
        QTest::newRow("fewer") << m_steps << 100000 << "100000";
        QTest::newRow("NaN") << "rgb; scale 1e38; scale 1e38" << 8 << "NaN or infinite";
    }
    void previewWarns()
    {
        QFETCH(QString, steps);
        QFETCH(int, samples);
        QFETCH(QString, warning);
        json data = params()["recipe"]["calibration"];
        data["preprocess"] = steps.toStdString();
        data["samples"] = samples;
        const json answer = preview(data);
        QString all = QString::fromStdString(answer["problems"].dump());
        if (!answer["stages"].empty())
            all += QString::fromStdString(answer["stages"].back()["error"].get<std::string>());
        QVERIFY2(all.contains(warning), qPrintable(all));
    }

    void badStepIsTheLastStage()
    {
        json data = params()["recipe"]["calibration"];
        data["preprocess"] = "rgb; resise 10; scale 2";
        const json answer = preview(data);
        QCOMPARE(answer["stages"].size(), std::size_t(3));
        QVERIFY(
            QString::fromStdString(answer["stages"][2]["error"].get<std::string>()).contains(QStringLiteral("resize")));
    }

    void platformIsCheckedAndKept()
    {
        const std::string text = R"({"id": "MY_NPU", "title": "Mine", "extends": "TRT_INT8"})";
        QCOMPARE(askFor("platform_check", {{"text", text}})["definition"]["id"].get<std::string>(),
                 std::string("MY_NPU"));
        QVERIFY_EXCEPTION_THROWN(askFor("platform_check", {{"text", R"({"id": "X", "quantible": []})"}}), Error);
        QVERIFY_EXCEPTION_THROWN(save(R"({"id": "TRT_INT8", "extends": "TRT_INT8"})"), Error);
        const json saved = save(text);
        QVERIFY(QFile::exists(QString::fromStdString(saved["file"].get<std::string>())));
        // It is not replaced by another one of that name
        QVERIFY_EXCEPTION_THROWN(save(text), Error);
        QCOMPARE(save(text, "MY_NPU")["id"], json("MY_NPU"));
        json recipe = params()["recipe"];
        recipe["platform"] = "MY_NPU";
        QVERIFY(!ask("inspect", {{"recipe", recipe}})["operations"].empty());
    }

    /// An existing file of that name stays, and a platform read from a file of another name is saved there.
    void platformFilesAreNotReplaced()
    {
        const std::filesystem::path folder = userPlatformFolder();
        const auto textOf = [](const std::string &id, const std::string &title) {
            return json{{"id", id}, {"title", title}, {"extends", "TRT_INT8"}}.dump();
        };
        std::filesystem::create_directories(folder);
        writeFileAtomically(folder / "GOOD.json", textOf("VALUABLE", "Valuable"));
        writeFileAtomically(folder / "BROKEN.json", "{");
        loadPlatformFile(folder / "GOOD.json");
        for (const char *id : {"GOOD", "BROKEN"}) QVERIFY_EXCEPTION_THROWN(save(textOf(id, "New")), Error);
        QCOMPARE(readFile(folder / "GOOD.json"), textOf("VALUABLE", "Valuable"));
        QCOMPARE(readFile(folder / "BROKEN.json"), std::string("{"));
        const json saved = save(textOf("VALUABLE", "Better"), "VALUABLE");
        QCOMPARE(saved["file"].get<std::string>(), (folder / "GOOD.json").string());
        QCOMPARE(readFile(folder / "GOOD.json"), textOf("VALUABLE", "Better"));
        QVERIFY(!std::filesystem::exists(folder / "VALUABLE.json"));
        askFor("platform_remove", {{"id", "VALUABLE"}});
        QVERIFY(std::filesystem::remove(folder / "BROKEN.json"));
    }

    /// Not only in the first samples.
    void previewChecksLateSamples()
    {
        at::Tensor samples = at::rand({40, 3, 32, 32});
        samples[38].data_ptr<float>()[5] = NAN;
        const std::string path = m_folder.filePath(QStringLiteral("late.npy")).toStdString();
        std::ofstream file(path, std::ios::binary);
        writeNpy(file, samples);
        file.close();
        const json answer = preview({{"path", path}, {"samples", 40}});
        const std::string problems = answer["problems"].dump();
        QCOMPARE(answer["problems"].size(), std::size_t(1)); // once
        QVERIFY2(problems.find("first in sample 'late.npy[38]'") != std::string::npos, problems.c_str());
    }

    /// An array may contain its image with a batch axis of one.
    void previewShowsAnImageInABatch()
    {
        const std::string folder = m_folder.filePath(QStringLiteral("batches")).toStdString();
        std::filesystem::create_directory(folder);
        std::ofstream file(folder + "/a.npy", std::ios::binary);
        writeNpy(file, at::rand({1, 3, 32, 32}));
        file.close();
        const json stage = preview({{"path", folder}, {"samples", 1}})["stages"][0]["values"];
        QCOMPARE(stage["shape"], json({1, 3, 32, 32}));
        QCOMPARE(stage["channels"].size(), std::size_t(3));
        QCOMPARE(stage["picture"]["width"], json(32));
    }

    void platformIsRenamedAndRemoved()
    {
        const auto textOf = [](const std::string &id, const std::string &base) {
            return json{{"id", id}, {"title", "Mine"}, {"extends", base}}.dump();
        };
        const auto isKnown = [](const json &catalogue, const std::string &id) {
            for (const json &entry : catalogue["platforms"])
                if (entry["id"] == id) return true;
            return false;
        };
        const auto exists = [](const std::string &file) { return QFile::exists(QString::fromStdString(file)); };
        const std::string before = save(textOf("FIRST", "TRT_INT8"))["file"];
        QVERIFY(exists(before));
        const json renamed = save(textOf("SECOND", "TRT_INT8"), "FIRST");
        const std::string after = renamed["file"];
        QVERIFY(exists(after) && !exists(before));
        QVERIFY(isKnown(renamed["catalogue"], "SECOND") && !isKnown(renamed["catalogue"], "FIRST"));

        // Platforms that others extend are not removed, nor those with an existing name
        const std::string heir = save(textOf("HEIR", "SECOND"))["file"];
        QVERIFY_EXCEPTION_THROWN(askFor("platform_remove", {{"id", "SECOND"}}), Error);
        QVERIFY_EXCEPTION_THROWN(save(textOf("THIRD", "TRT_INT8"), "SECOND"), Error);
        QVERIFY_EXCEPTION_THROWN(save(textOf("SECOND", "TRT_INT8"), "HEIR"), Error);
        QVERIFY_EXCEPTION_THROWN(askFor("platform_remove", {{"id", "TRT_INT8"}}), Error);
        QVERIFY_EXCEPTION_THROWN(askFor("platform_remove", {{"id", "ABSENT"}}), Error);
        QVERIFY(exists(after) && exists(heir));

        const json left = askFor("platform_remove", {{"id", "HEIR"}})["catalogue"];
        QVERIFY(!exists(heir) && !isKnown(left, "HEIR") && isKnown(left, "SECOND"));
        askFor("platform_remove", {{"id", "SECOND"}});
        QVERIFY(!exists(after));
        json recipe = params()["recipe"];
        recipe["platform"] = "SECOND";
        QVERIFY_EXCEPTION_THROWN(ask("inspect", {{"recipe", recipe}}), Error);
    }

    /// Every block is announced, tested and ended; the answer lists the same blocks.
    void trainingReportsItsProgress()
    {
        json asked = params();
        asked["recipe"]["passes"] =
            json::array({"quantize_fusion",
                         "quantize_simplify",
                         "parameter_quantize",
                         "calibrate",
                         {{"id", "learned_step_size"}, {"params", {{"steps", 20}, {"block_size", 0}}}},
                         "passive_parameters"});
        asked["recipe"]["analyses"] = json::array();
        asked["goal"] = "calibrate";
        std::vector<api::TrainingEvent> events;
        Outlet outlet;
        outlet.section = [&](const api::RunPart &part) {
            if (part.training) events.push_back(*part.training);
        };
        const json answer = m_engine->answer("run", asked, outlet);
        std::vector<api::TrainedBlock> blocks;
        for (const json &pass : answer["report"]["passes"])
            if (pass["id"] == "learned_step_size") blocks = pass["blocks"].get<std::vector<api::TrainedBlock>>();
        QVERIFY(blocks.size() > 2);
        std::vector<api::TrainedBlock> ended;
        bool isTested = false, hasLoss = false;
        for (const api::TrainingEvent &event : events) {
            QCOMPARE(event.pass, std::string("learned_step_size"));
            QVERIFY(event.block >= 1 && event.block <= event.blocks && event.step <= event.steps);
            isTested = isTested || event.heldOut;
            hasLoss = hasLoss || event.loss;
            if (!event.done) continue;
            QVERIFY(isTested && hasLoss);
            QCOMPARE(event.first, event.done->first);
            ended.push_back(*event.done);
            isTested = hasLoss = false;
        }
        QCOMPARE(ended.size(), blocks.size());
        QCOMPARE(ended.front().before, blocks.front().before);
    }

    /// An export of our own, as the recipe's overrides; everything else stays.
    void encodingsAreImported()
    {
        const std::string stem = m_folder.filePath(QStringLiteral("sample")).toStdString(), file = stem + ".encodings";
        ask("export", {{"format", "aimet_encodings"}, {"path", stem + ".onnx"}, {"params", json::object()}});
        const auto imported =
            ask("import_encodings", {{"file", file}, {"platform", "RKNN_INT8"}}).get<api::EncodingsImported>();
        QVERIFY(imported.tensors > 10);
        QCOMPARE(imported.matched, imported.tensors);
        QVERIFY(imported.recipe.overrides.size() > 10);
        QCOMPARE(imported.recipe.platform, std::string("RKNN_INT8"));
        QCOMPARE(imported.recipe.calibration.samples, 8);
        QCOMPARE(QString::fromStdString(imported.recipe.model),
                 QStringLiteral(QL_SOURCE_DIR "/resources/sample/model.onnx"));
        QVERIFY_EXCEPTION_THROWN(ask("import_encodings", {{"file", "nothing.json"}, {"platform", ""}}), Error);
    }

    void exportIsPreviewedAndReported()
    {
        const json preview =
            ask("export_preview", {{"format", "onnx_qdq"}, {"path", "model_int8.onnx"}, {"params", json::object()}});
        QCOMPARE(preview["files"][0]["name"].get<std::string>(), std::string("model_int8.onnx"));
        QVERIFY(preview["files"][0]["bytes"].get<int>() > 1000);
        const QString file = m_folder.filePath(QStringLiteral("report.html"));
        ask("report", {{"path", file.toStdString()}});
        QFile html(file);
        QVERIFY(html.open(QIODevice::ReadOnly));
        QVERIFY(html.readAll().contains("down_depthwise"));
        ask("report", {{"path", file.toStdString()}, {"language", "zh_CN"}});
        QFile chinese(file);
        QVERIFY(chinese.open(QIODevice::ReadOnly));
        const QByteArray text = chinese.readAll();
        QVERIFY(text.contains("down_depthwise") && text.contains("<html lang=\"zh"));
    }
};

QL_TEST(TestEngine)
#include "tst_engine.moc"
