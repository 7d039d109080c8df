// Texts in Chinese.
#include "tests/support/cli_program.h"
#include "tests/support/test_main.h"

#include <QtTest>

using namespace ql;

class TestCliLanguage : public QObject, private test::CliProgram
{
    Q_OBJECT

private:
    static bool isChinese(const QByteArray &text)
    {
        return QString::fromUtf8(text).contains(QRegularExpression(QStringLiteral("\\p{Han}")));
    }

private Q_SLOTS:
    void init() { makeFolder(); }

    void lists_data()
    {
        QTest::addColumn<QString>("command");
        for (const char *command : {"platforms", "passes", "observers", "exporters", "importers", "dispatchers",
                                    "metrics", "analyses", "presets"})
            QTest::newRow(command) << command;
    }
    void lists()
    {
        QFETCH(QString, command);
        const Outcome english = run({command}), chinese = run({command, "--lang", "zh_CN"});
        QCOMPARE(chinese.code, 0);
        QVERIFY(!isChinese(english.out));
        const QList<QByteArray> lines = chinese.out.trimmed().split('\n');
        QCOMPARE(lines.size(), english.out.trimmed().split('\n').size());
        for (const QByteArray &line : lines) {
            QVERIFY2(isChinese(line), line.constData());
            if (command == "passes") QVERIFY2(line.contains("之前：") && line.contains("之后："), line.constData());
        }
    }

    /// Every option and command has a description in Chinese.
    void help_data()
    {
        QTest::addColumn<QString>("command");
        QTest::newRow("all commands") << QString();
        for (const char *command : {"run", "tune", "infer", "inspect", "compare", "convert-setting", "import-encodings",
                                    "verify", "serve", "platforms", "runtimes", "plugins"})
            QTest::newRow(command) << command;
    }
    void help()
    {
        QFETCH(QString, command);
        const QStringList arguments =
            command.isEmpty() ? QStringList{"--help"} : QStringList{command, "--help", "--lang", "zh"};
        QVERIFY(!isChinese(run(arguments.first(arguments.size() > 1 ? 2 : 1)).out));
        ::setenv("LANG", "zh_CN.UTF-8", 1);
        const Outcome chinese = run(arguments);
        QCOMPARE(chinese.code, 0);
        QByteArray entry;
        for (const QByteArray &line : chinese.out.split('\n')) {
            const bool isContinued = line.startsWith("        ");
            const bool isCommand = command.isEmpty() && entry.startsWith("  ") && !entry.startsWith("  quantloupe");
            if (!isContinued && (isCommand || entry.startsWith("  -"))) QVERIFY2(isChinese(entry), entry.constData());
            entry = isContinued ? entry + line : line;
            if (line.endsWith(':')) QVERIFY2(isChinese(line), line.constData());
        }
        QVERIFY2(chinese.out.contains("用法: quantloupe-cli"), chinese.out.constData());
    }

    void runtimes()
    {
        for (const QStringList &command : {QStringList{"runtimes"}, QStringList{"runtimes", "onnxruntime"}}) {
            QVERIFY(!isChinese(run(command).out));
            const Outcome chinese = run(command + QStringList{"--lang", "zh"});
            QCOMPARE(chinese.code, 0);
            QVERIFY2(isChinese(chinese.out), chinese.out.constData());
        }
        QCOMPARE(run({"runtimes", "--lang", "xx"}).code, 2);
    }

    /// Words of the catalogue's files are not shown as they are.
    void kindsOfPasses()
    {
        QVERIFY(run({"passes", "align"}).out.contains("  edits\n    how tensors are quantized\n"));
        QVERIFY(run({"passes", "fuse_batchnorm"}).out.contains("always runs"));
        QVERIFY(run({"passes", "align", "--lang", "zh"}).out.contains("量化方式"));
        QCOMPARE(run({"--lang", "zh", "passes", "align"}).out, run({"passes", "align", "--lang", "zh"}).out);
    }

    /// Every paragraph but the id of the platform and lists of names.
    void page()
    {
        const QByteArray page = run({"platforms", "TRT_INT8", "--lang", "zh"}).out;
        for (const char *words :
             {"TensorRT", "规则", "步骤", "参数", "bits（int），默认 8，从 2 到 16", "Conv、ConvTranspose"})
            QVERIFY2(page.contains(words), page.constData());
        for (const char *english : {"Bits of", "in float32", "weight per", "  parameters", "(off)"})
            QVERIFY2(!page.contains(english), english);
        for (const QByteArray &line : page.split('\n')) // broken although Chinese has no spaces
            QVERIFY2(QString::fromUtf8(line).size() <= 100, line.constData());
    }

    /// Progress, results and errors of the commands that work with models.
    void messages()
    {
        const QString model = QString::fromStdString(models + "residual.onnx");
        const QStringList chinese{"--lang", "zh_CN"};
        const auto check = [&](const QStringList &command, int code, const char *words) {
            const Outcome english = run(command), translated = run(command + chinese);
            QCOMPARE(english.code, code);
            QCOMPARE(translated.code, code);
            QVERIFY2(!isChinese(english.err + english.out), english.err + english.out);
            const QByteArray all = translated.err + translated.out;
            QVERIFY2(all.contains(words), all + words);
        };
        check({"run", model, "--calib", "random:2", "--analyse", "none", "--json", file("r.json")}, 0, "已写入 ");
        check({"run", model, "--set", "samples=1", "--calib", "random:2"}, 2, "错误：");
        check({"inspect", file("missing.onnx")}, 2, "错误：");
        check({"inspect", model}, 0, "可量化");
        for (const QByteArray &line : run(QStringList{"inspect", model} + chinese).out.trimmed().split('\n'))
            QVERIFY2(isChinese(line) || line.isEmpty() || line.startsWith("---"), line.constData());
        check({"compare", file("r.json"), file("r.json")}, 0, "没有差异");
        check({"infer", model, "--in", "random:2", "--out", file("out.npz")}, 0, "已写入 ");
        check({"compare", file("r.json"), file("missing.json")}, 2, "错误：");
        check({"tune", model, "--goal", "nothing>1", "--calib", "random:2"}, 2, "错误：");
        const QStringList tuned{"tune", model, "--goal", "output.sqnr_db>1", "--trials", "2", "--calib", "random:4"};
        check(tuned, 0, "达到");
        for (const QByteArray &line : run(tuned + chinese).out.trimmed().split('\n')) {
            const bool isRow = line.isEmpty() || line.startsWith("---") || line.contains("sqnr_db");
            QVERIFY2(isChinese(line) || isRow, line.constData());
        }
        check({"verify", file("missing.onnx"), "--against", file("missing.quantloupe")}, 2, "错误：");
        check({"convert-setting", file("missing.json")}, 2, "错误：");
        check({"import-encodings", file("missing.onnx"), "--save-recipe", file("r.quantloupe")}, 2, "错误：");
        check({"plugins"}, 0, "没有插件");
        check({"run", model, "--calib", "random:2", "--platform-param", "bits=1"}, 2, "激活和权重的位数。");
        QCOMPARE(run(QStringList{"inspect", model, "--json", "-"} + chinese).out,
                 run({"inspect", model, "--json", "-"}).out);
    }

    /// Only names and words of the JSON are English.
    void report()
    {
        const QString model = QString::fromStdString(models + "residual.onnx");
        const auto pageOf = [&](const QStringList &language) {
            const Outcome outcome =
                run(QStringList{"run", model, "--calib", "random:2", "--report", file("r.html")} + language);
            QFile page(file("r.html"));
            return outcome.code == 0 && page.open(QFile::ReadOnly) ? QString::fromUtf8(page.readAll()) : QString();
        };
        const QString english = pageOf({}), chinese = pageOf({"--lang", "zh_CN"});
        QVERIFY(!isChinese(english.toUtf8()));
        QVERIFY(english.contains("<html lang=\"en\" ") && chinese.contains("<html lang=\"zh-CN\" "));
        for (const char *word : {"逐层误差", "噪声", "个算子", "定义", "深色", "量化", "校准"})
            QVERIFY2(chinese.contains(QString::fromUtf8(word)), word);
        static const QRegularExpression texts(QStringLiteral("<(?:h2|h3|th|dd|p|small|button|label)[^>]*>([^<]*)"));
        const auto count = [&](const QString &page) {
            int sentences = 0;
            for (auto it = texts.globalMatch(page); it.hasNext();)
                sentences += it.next().captured(1).count(QRegularExpression(QStringLiteral("[a-z]+ [a-z]+ [a-z]+")));
            return sentences;
        };
        QVERIFY(count(english) > 10);
        QCOMPARE(count(chinese), 0);
    }

    void environmentAndOption()
    {
        for (const char *name : {"LC_ALL", "LANG"}) {
            ::setenv(name, "zh_CN.UTF-8", 1);
            QVERIFY(isChinese(run({"passes"}).out));
            QVERIFY(!isChinese(run({"passes", "--lang", "en"}).out));
            ::setenv(name, "de_DE.UTF-8", 1);
            QVERIFY(!isChinese(run({"passes"}).out));
            ::unsetenv(name);
        }
        const Outcome unknown = run({"passes", "--lang", "fr"});
        QCOMPARE(unknown.code, 2);
        QVERIFY2(unknown.err.contains("there are no texts in 'fr'. Known: en, zh_CN."), unknown.err.constData());
        // JSON is for programs
        QCOMPARE(run({"passes", "--lang", "zh_CN", "--json", "-"}).out, run({"passes", "--json", "-"}).out);
    }
};

QL_TEST(TestCliLanguage)
#include "tst_cli_language.moc"
