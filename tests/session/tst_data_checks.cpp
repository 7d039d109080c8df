// Checks of image values and preprocessing, called directly and in the report of a run.
#include "core/session/cache.h"
#include "core/session/data_checks.h"
#include "core/session/recipe_fields.h"
#include "core/session/run.h"
#include "tests/support/error_of.h"
#include "tests/support/test_main.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/rand.h>
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <set>

using namespace ql;
using ql::test::messageOf;

class TestDataChecks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ranges_data()
    {
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::addColumn<QString>("message");
        const auto row = [](const char *name, double low, double high, const char *message) {
            QTest::newRow(name) << low << high << QString::fromLatin1(message);
        };
        row("bytes", 0, 255, "the values range from 0 to 255");
        row("unit", 0, 1, "");
        row("normalized", -2.1, 2.6, "");
        row("scaled twice", 0, 1 / 255.0, "may be scaled twice");
        row("wide", -5000, 5000, "far beyond the range of images");
        row("mean taken off", -123, 151, "the values range from -123 to 151");
        row("tiny", 0, 1e-7, "the largest value is 1e-07: the data may be scaled twice");
        row("huge", 0, 1e30, "values reach 1e+30, far beyond the range of images");
        row("constant", 3, 3, "every value is 3");
        row("mean of scaled values, not scaled", -2.1, 1136, "values reach 1136, far beyond the range of images");
        row("mean of bytes, scaled", -123.7, -102.6, "every value is between -123.7 and -102.6, far from 0");
    }
    void ranges()
    {
        QFETCH(double, low);
        QFETCH(double, high);
        QFETCH(QString, message);
        at::Tensor picture = at::rand({1, 3, 32, 32}) * (high - low) + low;
        picture.data_ptr<float>()[0] = float(low);
        picture.data_ptr<float>()[1] = float(high);
        RangeCheck range;
        range.add(picture);
        const std::vector<api::Problem> problems = range.problems();
        QCOMPARE(problems.size(), std::size_t(message.isEmpty() ? 0 : 1));
        if (!problems.empty())
            QVERIFY2(problems[0].message.english().find(message.toStdString()) != std::string::npos,
                     problems[0].message.english().c_str());
    }

    void channelOrder()
    {
        const auto count = [](const char *steps) { return suspectChannelOrder(preprocessSteps(steps)).size(); };
        QCOMPARE(count("rgb; mean .485,.456,.406"), std::size_t(0));
        QCOMPARE(count("bgr; mean .406,.456,.485"), std::size_t(0));
        QCOMPARE(count("bgr; mean .485,.456,.406"), std::size_t(1));
        QCOMPARE(count("mean 104,117,123"), std::size_t(1));
        QCOMPARE(count("mean .5,.5,.5"), std::size_t(0));
    }

    /// A run reports it, too.
    void runOnUnscaledImages()
    {
        api::Recipe recipe;
        recipe.model = QL_SOURCE_DIR "/resources/sample/model.onnx";
        recipe.platform = "TRT_INT8";
        recipe.calibration.path = QL_SOURCE_DIR "/resources/sample/calib";
        recipe.calibration.samples = 4;
        recipe.calibration.sampling = api::Sampling::First;
        recipe.calibration.preprocess = "rgb; layout nchw";
        recipe.evaluation.samples = 2;
        recipe.analyses.clear();
        const nlohmann::json report = runRecipe(recipe, {}, {}).report;
        bool found = false;
        for (const auto &problem : report["problems"])
            found = found || problem["message"] == "the values range from 0 to 255: they are not scaled";
        QVERIFY2(found, report["problems"].dump().c_str());
    }

    /// Calibration and evaluation data may be in one folder: the error says which of them does not fit.
    void namesTheData()
    {
        api::Recipe recipe;
        recipe.model = QL_SOURCE_DIR "/resources/sample/model.onnx";
        recipe.platform = "TRT_INT8";
        recipe.calibration.path = recipe.evaluation.path = QL_SOURCE_DIR "/resources/sample/calib";
        recipe.calibration.preprocess = "rgb; scale 1/255; layout nchw";
        recipe.evaluation.preprocess = "rgb; scale 1/255; crop 8; layout nchw";
        const auto messageOfRun = [&] { return messageOf([&] { runRecipe(recipe, {}, {}); }); };
        const QString ofEvaluation = messageOfRun();
        QVERIFY2(ofEvaluation.contains("evaluation data: ") && ofEvaluation.contains("3x8x8"),
                 qPrintable(ofEvaluation));
        std::swap(recipe.calibration.preprocess, recipe.evaluation.preprocess);
        const QString ofCalibration = messageOfRun();
        QVERIFY2(ofCalibration.contains("3x8x8") && !ofCalibration.contains("evaluation"), qPrintable(ofCalibration));
    }

    /// Passes that change the graph before dispatch are part of all later keys of the cache.
    void keysContainPassesOfTheGraph()
    {
        api::Recipe recipe;
        recipe.model = QL_SOURCE_DIR "/resources/sample/model.onnx";
        recipe.platform = "TRT_INT8";
        recipe.calibration.path = QL_SOURCE_DIR "/resources/sample/calib";
        recipe.calibration.samples = 2;
        recipe.calibration.preprocess = "rgb; scale 1/255; layout nchw";
        recipe.analyses.clear();
        const auto lastKey = [](const api::Recipe &of) { return runRecipe(of, {}, {}).report.stages.back().key; };
        std::set<std::string> keys{lastKey(recipe)};
        QVERIFY(keys.contains(lastKey(recipe)));
        for (const char *pass : {"recurrent_split", "fold_constants"}) {
            api::Recipe with = recipe;
            setRecipeField(with, std::string("passes.") + pass + ".enabled", "true");
            QVERIFY2(keys.insert(lastKey(with)).second, pass);
        }
        api::Recipe with = recipe;
        setRecipeField(with, "passes.recurrent_split.enabled", "true");
        setRecipeField(with, "passes.recurrent_split.max_steps", "20");
        QVERIFY(keys.insert(lastKey(with)).second);
    }

    /// Even if nothing is recomputed, so that no sample is read.
    void undefinedValuesAreReportedEachTime()
    {
        QTemporaryDir folder;
        for (int sample = 0; sample < 4; ++sample) {
            at::Tensor data = at::rand({3, 32, 32});
            if (sample == 3) data.data_ptr<float>()[5] = NAN;
            QFile file(folder.filePath(QString::number(sample) + ".bin"));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(reinterpret_cast<const char *>(data.data_ptr<float>()), qint64(data.nbytes()));
        }
        api::Recipe recipe;
        recipe.model = QL_SOURCE_DIR "/resources/sample/model.onnx";
        recipe.platform = "TRT_INT8";
        recipe.calibration.path = folder.path().toStdString();
        recipe.evaluation.samples = 2;
        recipe.analyses.clear();
        StageCache cache;
        RunOptions options;
        options.cache = &cache;
        for (int run = 0; run < 2; ++run) {
            const nlohmann::json report = runRecipe(recipe, options, {}).report;
            int reported = 0;
            for (const auto &problem : report["problems"])
                reported += problem["message"].get<std::string>().starts_with("NaN or infinite values in the data");
            QVERIFY2(reported == 1, report["problems"].dump(1).c_str());
        }
    }
};

QL_TEST(TestDataChecks)
#include "tst_data_checks.moc"
