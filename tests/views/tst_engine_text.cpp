// Sentences of the engine in the language of the window.
#include "tests/support/test_main.h"
#include "views/bridge/engine_text.h"
#include "views/models/search.h"
#include "views/window/translation.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QLocale>
#include <QProcess>
#include <QPushButton>
#include <QtTest>
#include <nlohmann/json.hpp>

using namespace ql;

class TestEngineText : public QObject
{
    Q_OBJECT

private:
    static bool hasChinese(const QString &text)
    {
        return std::any_of(text.begin(), text.end(),
                           [](QChar c) { return c.unicode() >= 0x4e00 && c.unicode() < 0xa000; });
    }

private Q_SLOTS:
    void englishStaysAsItIs()
    {
        const QString text = QStringLiteral("computing op Conv between quantable ops");
        QCOMPARE(engineText(text), text);
        QCOMPARE(engineText({}), QString());
    }

    void optionsHavePlacesInTheWindow()
    {
        for (const char *remedy :
             {"Give calibration data (--calib), or set including_act to false.", "Give data with --eval or --calib.",
              "Give a smaller shape with --input-shape NAME=SIZES.", "Use --device cpu, or cuda:0 to cuda:3.",
              "Preprocess the data to this shape, or fix a dynamic shape with --input-shape."}) {
            const QString text = engineText(QString::fromUtf8(remedy));
            QVERIFY2(!text.contains(QStringLiteral("--")) && text.contains(QStringLiteral("Edit › ")),
                     qPrintable(text));
        }
        QVERIFY(engineText(QStringLiteral("Use --device cpu, or cuda:0.")).contains(QStringLiteral("“cpu”")));
    }

    void namesComeThrough()
    {
        installTranslation(QLocale(QStringLiteral("zh_CN")));
        const QString dispatch = engineText(QStringLiteral("type GridSample is not quantable on TRT_INT8"));
        QVERIFY(hasChinese(dispatch));
        QVERIFY(dispatch.contains(QStringLiteral("GridSample")) && dispatch.contains(QStringLiteral("TRT_INT8")));
        const QString unknown = QStringLiteral("a sentence that nobody has translated");
        QCOMPARE(engineText(unknown), unknown);
    }

    /// States are shown in the window's language; both words find them.
    void statesAreFoundAsTheyAreShown()
    {
        installTranslation(QLocale(QStringLiteral("zh_CN")));
        OperationRow row;
        row.state = QStringLiteral("overlapped");
        const QString shown = engineText(row.state);
        QVERIFY(hasChinese(shown));
        for (const QString &state : {shown, row.state})
            QVERIFY2(SearchQuery::parse(QStringLiteral("state:") + state).matches(row), qPrintable(state));
        QVERIFY(!SearchQuery::parse(QStringLiteral("state:") + engineText(QStringLiteral("passive"))).matches(row));
    }

    /// What the engine reports and throws, with the names that it put in.
    void problemsAreTranslated_data()
    {
        QTest::addColumn<QString>("english");
        QTest::addColumn<QStringList>("kept");
        const auto row = [](const char *name, const char *english, const QStringList &kept) {
            QTest::newRow(name) << QString::fromUtf8(english) << kept;
        };
        row("did you mean", "unknown platform 'TRT_INT9'. Did you mean 'TRT_INT8'?", {"'TRT_INT8'", "TRT_INT9"});
        row("known", "Did you mean 'calibrate'? Known: align, bake.", {"calibrate", "align, bake"});
        row("place in a recipe", "line 12: overrides[0].match.role: unknown word 'weigth'. Did you mean 'weight'?",
            {"12", "overrides[0].match.role", "weigth", "'weight'"});
        row("unused override", "overrides[1]: override 'conv*' matches no tensor of a quantized operation.",
            {"overrides[1]", "conv*"});
        row("disk full", "cannot write the file: No space left on device", {});
        row("web page", "expected an ONNX model, found a web page (HTML)", {"ONNX", "HTML"});
        row("no such file", "there is no such file. Did you mean 'resnet.onnx'?", {"resnet.onnx"});
        row("input shape", "an input shape is given for 'imput', which is no graph input. Did you mean 'input'?",
            {"imput", "'input'"});
        row("operators without kernel",
            "2 operation(s) cannot be executed:\n  'a' (Foo, opset 13): the operator is not implemented\n"
            "  'b' (com.x.Bar, opset 30): implemented for opset 6 to 21",
            {"2", "'a' (Foo, opset 13)", "'b' (com.x.Bar, opset 30)", "21"});
        row("layers", "1 layer(s) have no weights in net.caffemodel: 'conv1' (Convolution)",
            {"net.caffemodel", "'conv1' (Convolution)"});
        row("layer", "Pooling: its bottom is [1, 3], it needs [N, C, H, W]", {"Pooling", "[1, 3]", "[N, C, H, W]"});
        row("kernel",
            "pass calibrate: Conv cannot be computed from its inputs 'x' float32[1, 3, 8, 8]: the inner sizes differ, "
            "with the sample cat.jpg",
            {"calibrate", "Conv", "'x' float32[1, 3, 8, 8]", "cat.jpg"});
        row("group",
            "left in float32: no number was observed: the tensor was empty; the same of 4 more: 'a', 'b', 'c' ...",
            {"float32", "4", "'a', 'b', 'c' ..."});
        row("parameter", "pass 'bias_correction': parameter 'steps' must be at least 0, got -1",
            {"bias_correction", "steps", "-1"});
        row("order of passes", "passes[2] 'calibrate': It has run just before with the same parameters.",
            {"passes[2]", "calibrate"});
        row("preprocessing",
            "preprocessing step 1 'resiz 224' at column 1: unknown step 'resiz'. Did you mean 'resize'?",
            {"resiz 224", "'resize'"});
        row("array", "the model reads input 'data', the file has no array of that name. Did you mean 'date'?",
            {"data", "'date'"});
        row("folder", "the folder holds no samples (there is notes.txt)", {"notes.txt"});
        row("clipped values", "values from -3 to 9 were seen, but only -1 to 1 can be represented", {"-3", "9", "-1"});
        row("format",
            "export 'onnx' is not a format for TRT_INT8: its runtime may not read the file, or not compute what "
            "was simulated",
            {"onnx", "TRT_INT8"});
        row("device", "device 'cuda:1': this machine has 1 CUDA device(s)", {"cuda:1"});
        row("remedy", "Add 'parameter_quantize' to the passes.", {"parameter_quantize"});
    }
    void problemsAreTranslated()
    {
        QFETCH(QString, english);
        QFETCH(QStringList, kept);
        installTranslation(QLocale(QStringLiteral("zh_CN")));
        const QString text = engineText(english);
        QVERIFY2(hasChinese(text), qPrintable(text));
        for (const QString &name : kept) QVERIFY2(text.contains(name), qPrintable(text));
        for (const char *word : {" the ", " is ", " did ", " not ", " has "})
            QVERIFY2(!text.contains(QLatin1String(word), Qt::CaseInsensitive), qPrintable(text));
    }

    /// Everything that the real engine offers is told in Chinese, with the parameters.
    void catalogueIsTranslated_data()
    {
        QTest::addColumn<QString>("list");
        QTest::newRow("passes") << "passes";
        QTest::newRow("exporters") << "exporters";
        QTest::newRow("platforms") << "platforms";
        QTest::newRow("dispatchers") << "dispatchers";
        QTest::newRow("observers") << "observers";
        QTest::newRow("preprocessing") << "preprocess";
        QTest::newRow("analyses") << "analyses";
    }
    void catalogueIsTranslated()
    {
        QFETCH(QString, list);
        installTranslation(QLocale(QStringLiteral("zh_CN")));
        QProcess engine;
        engine.start(QStringLiteral(QL_BIN "/quantloupe-cli"), {list, QStringLiteral("--json"), QStringLiteral("-")});
        QVERIFY(engine.waitForFinished(60000));
        const QByteArray out = engine.readAllStandardOutput();
        const nlohmann::json catalogue = nlohmann::json::parse(out.begin(), out.end(), nullptr, false);
        QVERIFY(catalogue.is_object() && catalogue.size() == 1);
        const nlohmann::json &entries = catalogue.begin().value();
        QVERIFY(entries.size() > 2);
        const auto check = [](const nlohmann::json &entry, const char *member) {
            const QString text = QString::fromStdString(entry.value(member, ""));
            QVERIFY2(hasChinese(engineText(text)), qPrintable(text));
        };
        for (const nlohmann::json &entry : entries) {
            if (list == QStringLiteral("passes") || list == QStringLiteral("analyses")) check(entry, "title");
            check(entry, "meaning");
            for (const nlohmann::json &param : entry.value("params", nlohmann::json::array())) check(param, "meaning");
        }
    }

    /// Rules of the platforms that come with it.
    void rulesAreTranslated()
    {
        installTranslation(QLocale(QStringLiteral("zh_CN")));
        int rules = 0;
        const QDir folder(QStringLiteral(QL_SOURCE_DIR "/resources/platforms"));
        for (const QString &name : folder.entryList({QStringLiteral("*.json")}, QDir::Files)) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const nlohmann::json definition = nlohmann::json::parse(file.readAll().toStdString());
            for (const nlohmann::json &rule : definition.value("rules", nlohmann::json::array())) {
                const QString text = QString::fromStdString(rule.value("name", ""));
                QVERIFY2(hasChinese(engineText(text)), qPrintable(text));
                ++rules;
            }
        }
        QVERIFY(rules > 20);
    }

    /// Buttons that Qt names itself, also where Qt's own translations are not installed.
    void standardButtonsAreTranslated()
    {
        installTranslation(QLocale(QStringLiteral("zh_CN")));
        const QDialogButtonBox box(QDialogButtonBox::Ok | QDialogButtonBox::Cancel | QDialogButtonBox::Close);
        for (const QAbstractButton *button : box.buttons())
            QVERIFY2(hasChinese(button->text()), qPrintable(button->text()));
    }
};

QL_TEST(TestEngineText)
#include "tst_engine_text.moc"
