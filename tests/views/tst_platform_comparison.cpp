// Two platforms on the model: which slots differ, and why.
#include "tests/support/test_main.h"
#include "tests/views/recipe_json.h"
#include "tests/views/window_fixture.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/run_history.h"
#include "views/commands/recipe_command.h"
#include "views/panels/platform_comparison.h"
#include "views/panels/platform_dialog.h"
#include "views/panels/platform_passes.h"

#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTabWidget>
#include <QTableWidget>

using namespace ql;
using nlohmann::json;

class TestPlatformComparison : public QObject
{
    Q_OBJECT

private:
    WindowFixture m;

    /// Row of an operation in the table of differences, -1: none.
    static int rowOf(const PlatformDialog &dialog, const QString &operation)
    {
        for (int row = 0; row < dialog.comparison()->differences()->rowCount(); ++row)
            if (dialog.comparison()->operationsAt(row).contains(operation)) return row;
        return -1;
    }

private Q_SLOTS:
    void initTestCase() { m.prepare(); }

    void init()
    {
        m.show();
        m.open();
    }

    void cleanup() { m.close(); }

    void twoPlatformsOnTheModel()
    {
        PlatformDialog dialog(m.document());
        static_cast<QWidget &>(dialog).show();
        dialog.comparison()->compareWith(QStringLiteral("TRT_INT8"));
        QTRY_VERIFY(dialog.comparison()->differences()->rowCount() > 1);
        dialog.findChild<QTabWidget *>()->setCurrentIndex(1);
        settle();
        for (int row = 0; row < dialog.comparison()->differences()->rowCount(); ++row) {
            // Words wrap, and the row is as high as they take
            const QTableWidget *table = dialog.comparison()->differences();
            for (const int column : {2, 3}) {
                const QRect needed =
                    table->fontMetrics().boundingRect(QRect(0, 0, table->columnWidth(column) - 12, 10000),
                                                      Qt::TextWordWrap, table->item(row, column)->text());
                QVERIFY(table->rowHeight(row) >= needed.height());
            }
            for (const QString &operation : dialog.comparison()->operationsAt(row))
                QVERIFY(m.document().graph()->find(operation) >= 0);
            QVERIFY(dialog.comparison()->differences()->item(row, 2)->text() !=
                    dialog.comparison()->differences()->item(row, 3)->text());
            QVERIFY(!dialog.comparison()->differences()->item(row, 4)->text().isEmpty());
        }
        // Long ids are whole in the heading
        dialog.comparison()->compareWith(QStringLiteral("RKNN_INT8_PER_CHANNEL"));
        const QTableWidget *table = dialog.comparison()->differences();
        const auto heading = [table](int column) { return table->horizontalHeaderItem(column)->text(); };
        QTRY_VERIFY(heading(6).contains(QStringLiteral("PER_")));
        settle();
        const QHeaderView *header = table->horizontalHeader();
        for (const int column : {5, 6}) {
            const QSize needed = header->fontMetrics().size(0, heading(column));
            QVERIFY2(needed.width() <= header->sectionSize(column) && needed.height() <= header->height(),
                     qPrintable(heading(column)));
        }
        QCOMPARE(heading(6).remove(QLatin1Char('\n')), QStringLiteral("ErrorRKNN_INT8_PER_CHANNEL"));
        // In a narrow window the rows stay lower than the table
        static_cast<QWidget &>(dialog).resize(760, 560);
        QTRY_VERIFY(dialog.comparison()->differences()->rowHeight(0) < 260);
        // The list chooses what to compare with
        dialog.list()->setCurrentItem(dialog.list()->findItems(QStringLiteral("OPENVINO_INT8"), Qt::MatchExactly)[0]);
        const auto *summary = dialog.comparison()->findChild<QLabel *>(QStringLiteral("comparison"));
        QTRY_VERIFY(summary->text().contains(QStringLiteral("OPENVINO_INT8")));
    }

    /// Equal differences are one row, a click selects its operations, and runs on both sides show their errors.
    void equalDifferencesAreOneRow()
    {
        m.run();
        PlatformDialog dialog(m.document());
        static_cast<QWidget &>(dialog).show();
        dialog.findChild<QTabWidget *>()->setCurrentIndex(1);
        dialog.comparison()->compareWith(QStringLiteral("TRT_INT8"));
        QTableWidget *table = dialog.comparison()->differences();
        QTRY_VERIFY(table->rowCount() > 1);
        QStringList all;
        QSet<QString> texts;
        int largest = 0;
        for (int row = 0; row < table->rowCount(); ++row) {
            const QStringList operations = dialog.comparison()->operationsAt(row);
            QVERIFY(!operations.isEmpty());
            if (operations.size() > dialog.comparison()->operationsAt(largest).size()) largest = row;
            all += operations;
            QString text;
            for (const int column : {2, 3, 4}) text += table->item(row, column)->text() + QLatin1Char('|');
            text += table->item(row, 2)->toolTip();
            QVERIFY2(!texts.contains(text), qPrintable(text));
            texts.insert(text);
            QVERIFY(table->item(row, 6)->text().isEmpty()); // not run yet
        }
        QCOMPARE(QSet<QString>(all.begin(), all.end()).size(), all.size());
        QVERIFY(table->rowCount() < all.size());
        // Slots carry the operator's own names
        QString names;
        for (int row = 0; row < table->rowCount(); ++row)
            for (const int column : {2, 3, 4}) names += table->item(row, column)->text() + QLatin1Char('\n');
        for (const char *name : {"Weight", "A, B"}) QVERIFY2(names.contains(QLatin1String(name)), qPrintable(names));
        QVERIFY2(!names.contains(QStringLiteral("parameter 1")), qPrintable(names));
        QCOMPARE(table->horizontalHeaderItem(3)->text(), QStringLiteral("TRT_INT8"));
        const QStringList wanted = dialog.comparison()->operationsAt(largest);
        table->scrollToItem(table->item(largest, 0));
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                          table->visualItemRect(table->item(largest, 0)).center());
        QCOMPARE(m.document().selection(), wanted);
        bool hasError = false;
        for (int row = 0; row < table->rowCount(); ++row) hasError |= !table->item(row, 5)->text().isEmpty();
        QVERIFY(hasError);
        // Reasons that differ only in the operation upstream are one, too
        dialog.comparison()->compareWith(QStringLiteral("ACADEMIC_INT4"));
        const auto *summary = dialog.findChild<QLabel *>(QStringLiteral("comparison"));
        QTRY_VERIFY(summary->text().contains(QStringLiteral("ACADEMIC_INT4")));
        QVERIFY(!table->horizontalScrollBar()->isVisible()); // every column is seen
        const auto reasonsOfClips = [table] {
            QStringList reasons;
            for (int row = 0; row < table->rowCount(); ++row)
                if (table->item(row, 1)->text().split(QStringLiteral(", ")).contains(QStringLiteral("Clip")))
                    reasons.append(table->item(row, 4)->text());
            return reasons;
        };
        QTRY_COMPARE(reasonsOfClips().size(), 1); // the summary is there before the rows
        QVERIFY2(reasonsOfClips().front().startsWith(QStringLiteral("For example: ")),
                 qPrintable(reasonsOfClips().front()));
    }

    void everyFieldIsCompared_data()
    {
        QTest::addColumn<QString>("set");
        QTest::addColumn<QString>("here");
        QTest::addColumn<QString>("there");
        QTest::newRow("observer") << R"({"observer": "kl"})"
                                  << "observer percentile"
                                  << "observer kl";
        QTest::newRow("option of it") << R"({"percentile": 0.5})"
                                      << "observer percentile"
                                      << "percentile 0.5";
        QTest::newRow("symmetry") << R"({"symmetric": false})"
                                  << "symmetric"
                                  << "asymmetric";
        QTest::newRow("rounding") << R"({"rounding": "half_up"})"
                                  << "rounding half even"
                                  << "rounding half up";
        QTest::newRow("power of two") << R"({"power_of_two": true})"
                                      << "any scale"
                                      << "power of two scale";
        QTest::newRow("codes") << R"({"quant_min": -127, "quant_max": 127})"
                               << "codes -128 … 127"
                               << "codes -127 … 127";
        QTest::newRow("granularity") << R"({"granularity": "axis 1"})"
                                     << "per tensor"
                                     << "per channel, axis 1";
        QTest::newRow("dynamic") << R"({"dynamic": true})"
                                 << "static"
                                 << "dynamic";
        QTest::newRow("state") << R"({"state": "fp32"})"
                               << "INT8"
                               << "float";
        QTest::newRow("visibility") << R"({"visibility": "internal"})"
                                    << "exported when active"
                                    << "not exported";
    }
    void everyFieldIsCompared()
    {
        QFETCH(QString, set);
        QFETCH(QString, here);
        QFETCH(QString, there);
        const QString id = QStringLiteral("MY_") +
                           QString::fromUtf8(QTest::currentDataTag()).replace(QLatin1Char(' '), QLatin1Char('_'));
        json recipe = m.document().recipeJson();
        recipe["platform"] = "TRT_INT8";
        replaceRecipe(m.document(), QStringLiteral("Platform"), recipe);
        PlatformDialog dialog(m.document());
        static_cast<QWidget &>(dialog).show();
        const json definition = {{"id", id.toStdString()},
                                 {"title", "Other"},
                                 {"extends", "TRT_INT8"},
                                 {"rules",
                                  {{{"name", "mine"},
                                    {"match", {{"types", {"Conv"}}, {"role", "output"}}},
                                    {"set", json::parse(set.toStdString())}}}}};
        dialog.copyAs(id);
        dialog.text()->setPlainText(QString::fromStdString(definition.dump(2)));
        dialog.save();
        QTRY_VERIFY2(dialog.status()->text().startsWith(QStringLiteral("Saved")), qPrintable(dialog.status()->text()));
        QTRY_VERIFY(!m.document().inspectedConfigs().isEmpty() &&
                    m.document().graph()->operations.front().platform != QLatin1String("RKNN_INT8"));
        QTRY_VERIFY_WITH_TIMEOUT(!m.document().requests().isInspecting(), 60000);
        dialog.comparison()->compareWith(id);
        QTRY_VERIFY(rowOf(dialog, QStringLiteral("stem")) >= 0);
        // Outputs of Conv and nothing else
        for (int row = 0; row < dialog.comparison()->differences()->rowCount(); ++row)
            QCOMPARE(dialog.comparison()->differences()->item(row, 1)->text(), QStringLiteral("Conv"));
        const int row = rowOf(dialog, QStringLiteral("stem"));
        const auto cell = [&](int column) { return dialog.comparison()->differences()->item(row, column)->text(); };
        QVERIFY2(cell(2).startsWith(QStringLiteral("Output: ")) && cell(2).contains(here), qPrintable(cell(2)));
        QVERIFY2(cell(3).startsWith(QStringLiteral("Output: ")) && cell(3).contains(there), qPrintable(cell(3)));
        // The rule of each side that set it: the first five are the inherited ones
        QVERIFY2(cell(4).contains(QStringLiteral("mine (rule 7)")) || set.contains(QStringLiteral("visib")),
                 qPrintable(cell(4)));
        QVERIFY2(cell(4).contains(QStringLiteral("every slot (rule 1)")) || cell(4).contains(QStringLiteral("default")),
                 qPrintable(cell(4)));
        const QString tip = dialog.comparison()->differences()->item(row, 4)->toolTip();
        QVERIFY2(tip.contains(QStringLiteral("mine (rule 7)")) || set.contains(QStringLiteral("visib")),
                 qPrintable(tip));
    }

    /// A run puts scales and states into the configs; the platforms still differ in their rules.
    void aRunIsNoDifference()
    {
        m.run();
        PlatformDialog dialog(m.document());
        static_cast<QWidget &>(dialog).show();
        dialog.comparison()->compareWith(QString::fromStdString(m.document().recipe().platform));
        QTRY_VERIFY(dialog.findChild<QLabel *>(QStringLiteral("comparison"))->text().startsWith(QStringLiteral("0 ")));
    }
};

QL_TEST(TestPlatformComparison)
#include "tst_platform_comparison.moc"
