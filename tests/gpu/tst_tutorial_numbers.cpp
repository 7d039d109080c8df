// The tables of docs/tutorials/5-numbers.md against the kernels.
#include "core/api/quant_words.h"
#include "core/base/file.h"
#include "gpu/fake_quant_scalar.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace ql;

class TestTutorialNumbers : public QObject
{
    Q_OBJECT

private:
    /// The cells of the rows below the header that starts with the given cells.
    static QList<QStringList> table(const QString &header)
    {
        const QStringList lines =
            QString::fromStdString(readFile(QL_SOURCE_DIR "/docs/tutorials/5-numbers.md")).split('\n');
        QList<QStringList> rows;
        for (qsizetype at = lines.indexOf(header) + 2; at > 1 && lines.value(at).startsWith('|'); ++at) {
            QStringList cells = lines[at].split('|', Qt::SkipEmptyParts);
            for (QString &cell : cells) cell = cell.trimmed().remove('`');
            rows << cells;
        }
        return rows;
    }

private Q_SLOTS:
    void codes()
    {
        const auto rows = table(QStringLiteral("| x | x / scale | code | y | error |"));
        QCOMPARE(rows.size(), 6);
        for (const QStringList &row : rows) {
            const float x = row[0].toFloat();
            const gpu::LinearParams params{0.5f, 0, -128.f, 127.f, gpu::Rounding::HalfEven};
            QCOMPARE(x / 0.5f, row[1].toFloat());
            QCOMPARE(gpu::quantizeScalar(x, params), row[2].toFloat());
            QCOMPARE(gpu::fakeQuantScalar(x, params), row[3].toFloat());
            QVERIFY(std::abs(gpu::fakeQuantScalar(x, params) - x - row[4].toFloat()) < 1e-5f);
        }
    }

    void roundings()
    {
        const auto rows = table(QStringLiteral("| policy | 0.5 | 1.5 | 2.5 | -0.5 | -1.5 | 1.2 | -1.2 |"));
        QCOMPARE(rows.size(), 8);
        const QList<float> values{0.5f, 1.5f, 2.5f, -0.5f, -1.5f, 1.2f, -1.2f};
        for (const QStringList &row : rows) {
            const auto rounding = gpu::Rounding(int(api::roundingFromString(row[0].toStdString())));
            for (qsizetype i = 0; i < values.size(); ++i)
                QVERIFY2(gpu::roundScalar(values[i], rounding) == row[i + 1].toFloat(), qPrintable(row.join(' ')));
        }
    }

    void floatFormats()
    {
        const auto rows = table(QStringLiteral("| x | E4M3 | E5M2 |"));
        QCOMPARE(rows.size(), 8);
        for (const QStringList &row : rows) {
            const float x = row[0].toFloat();
            QCOMPARE(gpu::fakeQuantFloatScalar(x, {1.f, 4, 3, -448.f, 448.f}), row[1].toFloat());
            QCOMPARE(gpu::fakeQuantFloatScalar(x, {1.f, 5, 2, -57344.f, 57344.f}), row[2].toFloat());
        }
    }
};

QL_TEST(TestTutorialNumbers)
#include "tst_tutorial_numbers.moc"
