#include "core/base/language.h"
#include "core/report/report_format.h"
#include "core/report/table_text.h"
#include "tests/report/synthetic_report.h"
#include "tests/support/test_main.h"

#include <QtTest>

#include <cmath>

using namespace ql;
using nlohmann::json;

static std::string layerwise(const json &rows)
{
    return errorTable("Layerwise error",
                      report::errorRows(std::optional(test::errorRows(rows).get<std::vector<api::OutputRow>>())));
}

static std::string graphwise(const json &report, std::size_t most)
{
    return errorTable("Graphwise error", report::errorRows(report.get<api::Report>().measures.graphwise), most);
}

static QStringList linesOf(const std::string &text)
{
    return QString::fromStdString(text).split('\n', Qt::SkipEmptyParts);
}

class TestTableText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsWorstFirst()
    {
        const std::string table =
            layerwise({{{"op", "conv1"}, {"type", "Conv"}, {"noise_ratio", 0.00066}, {"sqnr_db", 31.8}},
                       {{"op", "卷积2"}, {"type", "Conv"}, {"noise_ratio", 0.1}, {"sqnr_db", 10.0}},
                       {{"op", "fc"}, {"type", "Gemm"}, {"noise_ratio", 0.0}, {"sqnr_db", nullptr}},
                       {{"op", "softmax_with_a_long_name"},
                        {"type", "Softmax"},
                        {"noise_ratio", nullptr},
                        {"sqnr_db", nullptr}}});
        const std::string expected =
            "Layerwise error                   |0.001 %   0.1 %    10 %  |\n"
            "softmax_with_a_long_name  Softmax |?????????????????????????| undefined  undefined\n"
            "卷积2                     Conv    |████████████████████     |      10 %    10.0 dB\n"
            "conv1                     Conv    |█████████▏               |   0.066 %    31.8 dB\n"
            "fc                        Gemm    |                         |       0 %      exact\n";
        QCOMPARE(QString::fromStdString(table), QString::fromStdString(expected));
    }

    void integersShowHowManyAreEqual()
    {
        const QString table = QString::fromStdString(
            layerwise({{{"op", "argmax"}, {"type", "ArgMax"}, {"noise_ratio", nullptr}, {"equal_share", 0.75}},
                       {{"op", "conv"}, {"type", "Conv"}, {"noise_ratio", 0.5}, {"sqnr_db", 3.0}}}));
        QVERIFY2(table.contains(QStringLiteral("25 %  75 % equal")), qPrintable(table));
        QVERIFY(table.indexOf(QStringLiteral("conv")) < table.indexOf(QStringLiteral("argmax")));
    }

    void barsAreLogarithmic_data()
    {
        QTest::addColumn<double>("noise");
        QTest::addColumn<QString>("bar");
        QTest::newRow("all") << 1.0 << QString("█").repeated(25);
        QTest::newRow("more than all") << 40.0 << QString("█").repeated(25);
        QTest::newRow("one decade less") << 0.1 << QString("█").repeated(20);
        QTest::newRow("a fortieth of a decade") << std::pow(10.0, -5.0 + 1.0 / 40.0) << QString("▏");
        QTest::newRow("half a cell") << std::pow(10.0, -5.0 + 0.1) << QString("▌");
        QTest::newRow("next to nothing is seen") << 1e-12 << QString("▏");
    }
    void barsAreLogarithmic()
    {
        QFETCH(double, noise);
        QFETCH(QString, bar);
        const QString line = linesOf(layerwise({{{"op", "a"}, {"noise_ratio", noise}}})).at(1);
        QCOMPARE(line.section('|', 1, 1).trimmed(), bar);
        QCOMPARE(line.section('|', 1, 1).size(), qsizetype(25));
    }

    void linesAreAlignedAndCut()
    {
        const QStringList lines = linesOf(graphwise(test::syntheticReport(300), 15));
        QCOMPARE(lines.size(), qsizetype(17));
        for (const QString &line : lines.mid(1, 15)) {
            QCOMPARE(report::displayWidth(line.toStdString()), report::displayWidth(lines[1].toStdString()));
            QCOMPARE(line.indexOf('|'), lines[0].indexOf('|'));
        }
        QCOMPARE(lines.last(), QString("… and 135 more with less noise"));
        QCOMPARE(linesOf(graphwise(test::syntheticReport(300), 0)).size(), qsizetype(151));
    }

    void namesCannotSteerTheTerminal()
    {
        const std::string table = layerwise({{{"op", "a\x1b[2J\nb"}, {"type", "\x07"}, {"noise_ratio", 0.1}}});
        QVERIFY(table.find('\x1b') == std::string::npos && table.find('\x07') == std::string::npos);
        QCOMPARE(linesOf(table).size(), qsizetype(2));
        QVERIFY(table.find("a\\u{1b}[2J\\u{a}b") != std::string::npos);
    }

    /// Wide characters take two cells.
    void otherLanguages()
    {
        const api::Report report = test::syntheticReport(300).get<api::Report>();
        const QStringList lines = linesOf(errorTable(
            QL_TEXT("Graphwise error"), report::errorRows(report.measures.graphwise), 15, Language::of("zh_CN")));
        QVERIFY2(lines.first().startsWith(QStringLiteral("全图误差，")), qPrintable(lines.first()));
        QCOMPARE(lines.last(), QStringLiteral("……另有 135 个噪声更小"));
        const std::string first = lines.first().toStdString(), second = lines[1].toStdString();
        QCOMPARE(report::displayWidth(first.substr(0, first.find('|'))),
                 report::displayWidth(second.substr(0, second.find('|'))));
    }

    void nothingIsNothing()
    {
        QCOMPARE(errorTable("Layerwise error", {}), std::string());
        QCOMPARE(layerwise(json::array()), std::string());
    }
};

QL_TEST(TestTableText)
#include "tst_table_text.moc"
