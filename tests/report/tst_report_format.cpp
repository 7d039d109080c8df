#include "core/report/report_format.h"
#include "tests/report/synthetic_report.h"
#include "tests/support/test_main.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace ql::report;
using nlohmann::json;
using ql::numberText;

class TestReportFormat : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void numbersHaveSignificantDigits_data()
    {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("expected");
        QTest::newRow("zero") << 0.0 << "0";
        QTest::newRow("small") << 1.23456e-7 << "1.235e-07";
        QTest::newRow("scale") << 0.04118301 << "0.04118";
        QTest::newRow("negative") << -12.0 << "-12";
        QTest::newRow("large") << 2223872.0 << "2.224e+06";
        QTest::newRow("infinite") << HUGE_VAL << "∞";
        QTest::newRow("minus infinite") << -HUGE_VAL << "−∞";
        QTest::newRow("NaN") << std::nan("") << "NaN";
    }
    void numbersHaveSignificantDigits()
    {
        QFETCH(double, value);
        QFETCH(QString, expected);
        QCOMPARE(QString::fromStdString(numberText(value)), expected);
    }

    void otherNumbers()
    {
        QCOMPARE(percentText(0.1294), "12.9 %");
        QCOMPARE(percentText(1e-7), "1e-05 %");
        QCOMPARE(decibelText(8.94), "8.9 dB");
        QCOMPARE(decibelText(-3.06), "-3.1 dB");
        QCOMPARE(decibelText(-0.04), "0.0 dB");
        QCOMPARE(decimalText(-0.05001, 1), "-0.1");
        QCOMPARE(decimalText(-0.4, 0), "0");
        QCOMPARE(decibelText(HUGE_VAL), "∞ dB");
        QCOMPARE(decimalText(1e300, 1).size(), std::size_t(303));
        QCOMPARE(countText(0), "0");
        QCOMPARE(countText(999), "999");
        QCOMPARE(countText(-1000), "-1\u202f000");
        QCOMPARE(countText(2223872), "2\u202f223\u202f872");
        QCOMPARE(plural(1, "op"), "1 op");
        QCOMPARE(plural(2, "op"), "2 ops");
    }

    void theRampIsLogarithmic()
    {
        QCOMPARE(logPosition(1e-5), 0.0);
        QCOMPARE(logPosition(1e-9), 0.0);
        QCOMPARE(logPosition(0.0), 0.0);
        QCOMPARE(logPosition(0.1), 0.8);
        QCOMPARE(logPosition(1.0), 1.0);
        QCOMPARE(logPosition(70.0), 1.0);
        QCOMPARE(logPosition(std::nullopt), 1.0);
        QCOMPARE(rampStep(1e-5), 0);
        QCOMPARE(rampStep(0.0), 0);
        QCOMPARE(rampStep(3.2e-3), 4); // half of the decades
        QCOMPARE(rampStep(1.0), 7);
        QCOMPARE(rampStep(std::nan("")), 7);
    }

    void textBecomesSafe_data()
    {
        QTest::addColumn<QByteArray>("input");
        QTest::addColumn<QByteArray>("expected");
        QTest::newRow("plain") << QByteArray("conv1/weight:0") << QByteArray("conv1/weight:0");
        QTest::newRow("Chinese") << QByteArray("卷积") << QByteArray("卷积");
        QTest::newRow("four bytes") << QByteArray("\xf0\x9f\x98\x80") << QByteArray("\xf0\x9f\x98\x80");
        QTest::newRow("escape sequence") << QByteArray("a\x1b[2Jb") << QByteArray("a\\u{1b}[2Jb");
        QTest::newRow("line feed, tab, zero") << QByteArray("a\n\t\0b", 5) << QByteArray("a\\u{a}\\u{9}\\u{0}b");
        QTest::newRow("C1 control") << QByteArray("\xc2\x9b") << QByteArray("\\u{9b}");
        QTest::newRow("right to left override") << QByteArray("a\xe2\x80\xae"
                                                              "b")
                                                << QByteArray("a\\u{202e}b");
        QTest::newRow("zero width space") << QByteArray("a\xe2\x80\x8b"
                                                        "b")
                                          << QByteArray("a\\u{200b}b");
        QTest::newRow("lone continuation byte") << QByteArray("a\x80"
                                                              "b")
                                                << QByteArray("a\xef\xbf\xbd"
                                                              "b");
        QTest::newRow("overlong slash") << QByteArray("\xc0\xaf") << QByteArray("\xef\xbf\xbd\xef\xbf\xbd");
        QTest::newRow("noncharacter") << QByteArray("a\xef\xbf\xbe") << QByteArray("a\\u{fffe}");
        QTest::newRow("surrogate") << QByteArray("\xed\xa0\x80") << QByteArray("\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
        QTest::newRow("cut at the end") << QByteArray("a\xe4\xb8") << QByteArray("a\xef\xbf\xbd\xef\xbf\xbd");
        QTest::newRow("beyond Unicode") << QByteArray("\xf4\x90\x80\x80")
                                        << QByteArray("\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    }
    void textBecomesSafe()
    {
        QFETCH(QByteArray, input);
        QFETCH(QByteArray, expected);
        QCOMPARE(QByteArray::fromStdString(visibleText(input.toStdString())), expected);
    }

    void longTextLosesItsMiddle_data()
    {
        QTest::addColumn<int>("length");
        QTest::addColumn<QByteArray>("unit");
        for (int length : {9, 10, 11, 12, 25, 1000}) {
            for (const char *unit : {"x", "é", "卷", "\xf0\x9f\x98\x80", "\x80"}) {
                QTest::addRow("%d of %s", length, QByteArray(unit).toHex().constData()) << length << QByteArray(unit);
            }
        }
    }
    void longTextLosesItsMiddle()
    {
        QFETCH(int, length);
        QFETCH(QByteArray, unit);
        const QByteArray body = "A" + unit.repeated(length - 2) + "Z";
        const QString shown = QString::fromStdString(visibleText(body.toStdString(), 10));
        QVERIFY2(shown.startsWith('A') && shown.endsWith('Z'), qPrintable(shown));
        QCOMPARE(shown.toUcs4().size(), qsizetype(std::min(length, 10)));
        QCOMPARE(shown.contains(u'…'), length > 10);
    }

    void widthsOfTheTerminal()
    {
        QCOMPARE(displayWidth("conv1"), std::size_t(5));
        QCOMPARE(displayWidth("卷积a"), std::size_t(5));
        QCOMPARE(displayWidth("e\xcc\x81"), std::size_t(1)); // e and a combining accent
        QCOMPARE(padRight("卷", 4), "卷  ");
        QCOMPARE(padLeft("1.5", 5), "  1.5");
        QCOMPARE(padLeft("too long", 3), "too long");
    }

    void rowsAreReadAndSorted()
    {
        const json given = ql::test::errorRows({{{"op", "a"}, {"noise_ratio", 0.1}, {"sqnr_db", 10.0}},
                                                {{"op", "b"}},
                                                {{"op", "c"}, {"noise_ratio", 0.0}},
                                                {{"op", "d"}, {"noise_ratio", 0.1}, {"sqnr_db", 10.0}},
                                                {{"op", "e"}, {"noise_ratio", 0.5}, {"samples", 8}, {"elements", 12}}});
        const std::optional measured = given.get<std::vector<ql::api::ErrorRow>>();
        const std::vector<ErrorRow> rows = errorRows(measured);
        QCOMPARE(rows.size(), std::size_t(5));
        QCOMPARE(rows[4].elements, std::int64_t(12));
        std::string order;
        for (const ErrorRow &row : worstFirst(rows)) order += row.op;
        QCOMPARE(order, "beadc");
        QCOMPARE(sqnrText(rows[0]), "10.0 dB");
        QCOMPARE(sqnrText(rows[1]), "undefined");
        QCOMPARE(sqnrText(rows[2]), "exact");
        QVERIFY(errorRows(std::optional<std::vector<ql::api::ErrorRow>>()).empty());
    }

    void metrics()
    {
        const ql::api::Metric accuracy{"top1", 0.962, 0.81, 8};
        QVERIFY(hasChanged(accuracy));
        QCOMPARE(fp32Text(accuracy), "96.20 %");
        QCOMPARE(changeText(accuracy), "-15.20 points");
        ql::api::Metric uncertain = accuracy;
        uncertain.uncertainty = 0.16;
        QVERIFY(!hasChanged(uncertain));
        QCOMPARE(changeText(uncertain), "-15.20 ± 16.00 points");
        const ql::api::Metric loss{"loss", 12.0, 12.05, 8};
        QVERIFY(!hasChanged(loss));
        QCOMPARE(changeText(loss), "+0.05");
        QVERIFY(!hasChanged(std::nullopt));
    }
};

QL_TEST(TestReportFormat)
#include "tst_report_format.moc"
