// What a process keeps in memory from run to run gives the numbers of a run that reads everything anew, and is not used
// for files that changed.
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/session/recent_inputs.h"
#include "core/session/run.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <set>

using namespace ql;
using nlohmann::json;
namespace fs = std::filesystem;

class TestRecentInputs : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_temporary;
    fs::path m_folder;
    api::Recipe m_recipe;

    RunOptions options(RecentInputs *recent) const
    {
        RunOptions options;
        options.base = m_folder;
        options.recent = recent;
        return options;
    }
    /// The report without what tells of time and memory.
    json report(const api::Recipe &recipe, RecentInputs *recent, std::set<std::string> *recalled = nullptr) const
    {
        json report = runRecipe(recipe, options(recent), {}).report;
        for (json &stage : report["stages"]) {
            if (recalled && stage["cached"] == true) recalled->insert(stage["id"].get<std::string>());
            stage.erase("cached");
            stage.erase("seconds");
        }
        for (json &pass : report["passes"]) pass.erase("seconds");
        for (const char *key : {"seconds", "peak_rss_mib", "started"}) report.erase(key);
        return report;
    }

private Q_SLOTS:
    void init()
    {
        m_folder = fs::path(m_temporary.path().toStdString()) / "sample";
        fs::remove_all(m_folder);
        fs::copy(QL_SOURCE_DIR "/resources/sample", m_folder, fs::copy_options::recursive);
        m_recipe =
            api::recipeFromJson(api::JsonText::parse(readFile(m_folder / "sample.quantloupe"), "sample.quantloupe"));
        m_recipe.calibration.samples = 8;
        m_recipe.evaluation.samples = 4;
        m_recipe.threads = 1;
    }

    void editsGiveTheNumbersOfAFreshRun()
    {
        RecentInputs recent;
        report(m_recipe, &recent);
        for (const char *platform : {"RKNN_INT8", "TRT_INT8", "OPENVINO_INT8"}) {
            m_recipe.platform = platform;
            m_recipe.dispatch = json::array({{{"op", "left"}, {"platform", "FP32"}}});
            std::set<std::string> recalled;
            QCOMPARE(report(m_recipe, &recent, &recalled), report(m_recipe, nullptr));
            QVERIFY(recalled.contains("import") && recalled.contains("format"));
        }
    }

    void otherRequestsAreReadAnew()
    {
        RecentInputs recent;
        report(m_recipe, &recent);
        m_recipe.calibration.samples = 7;
        std::set<std::string> recalled;
        QCOMPARE(report(m_recipe, &recent, &recalled), report(m_recipe, nullptr));
        QVERIFY(!recalled.contains("import"));
        m_recipe.sha256 = std::string(64, '0');
        QVERIFY_EXCEPTION_THROWN(report(m_recipe, &recent), Error);
    }

    void changedFilesAreReadAnew_data()
    {
        QTest::addColumn<QString>("file");
        QTest::newRow("model") << "model.onnx";
        QTest::newRow("calibration") << "calib/000_circle.png";
        QTest::newRow("evaluation") << "eval/001_ring.png";
    }
    void changedFilesAreReadAnew()
    {
        QFETCH(QString, file);
        RecentInputs recent;
        const json before = report(m_recipe, &recent);
        const fs::path changed = m_folder / file.toStdString();
        if (changed.extension() == ".onnx")
            writeFileAtomically(changed, readFile(changed) + std::string("\x3a\x00", 2)); // an empty graph merged in
        else
            writeFileAtomically(changed, readFile(changed.parent_path() / "002_square.png"));
        std::set<std::string> recalled;
        const json after = report(m_recipe, &recent, &recalled);
        QVERIFY(!recalled.contains("import"));
        QVERIFY(after != before);
        QCOMPARE(after, report(m_recipe, nullptr));
    }
};

QL_TEST(TestRecentInputs)
#include "tst_recent_inputs.moc"
