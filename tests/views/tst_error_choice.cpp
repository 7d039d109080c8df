// One choice of error: chart, colours, order of the table, and the keys from one of the worst operations to the next.
#include "tests/support/test_main.h"
#include "tests/views/recipe_json.h"
#include "tests/views/window_fixture.h"
#include "views/commands/recipe_command.h"
#include "views/plots/error_plot.h"
#include "views/window/center_view.h"
#include "views/window/operation_delegate.h"

#include <QAbstractButton>
#include <QHeaderView>
#include <QTableView>
#include <algorithm>

using namespace ql;

class TestErrorChoice : public QObject
{
    Q_OBJECT

private:
    WindowFixture m;

    QAbstractButton *toggle(const QString &text)
    {
        for (auto *button : m.window->errors()->tools()->findChildren<QAbstractButton *>())
            if (button->text() == text) return button;
        return nullptr;
    }
    QTableView *table() { return m.window->center()->table(); }
    int sortedColumn() { return table()->horizontalHeader()->sortIndicatorSection(); }
    /// By the error that costs most, as the rows have it.
    QString worst(std::optional<double> OperationRow::*error)
    {
        QString name;
        double most = -1;
        for (const OperationRow &row : *m.window->center()->rows())
            if (row.*error && *(row.*error) > most) {
                most = *(row.*error);
                name = row.name;
            }
        return name;
    }

private Q_SLOTS:
    void initTestCase()
    {
        m.prepare();
        m.show();
        m.open();
        nlohmann::json recipe = m.document().recipeJson();
        recipe["analyses"] = {"graphwise", "layerwise"};
        replaceRecipe(m.document(), QStringLiteral("analyses"), recipe);
        m.run();
        QTRY_VERIFY(!m.window->errors()->order().isEmpty());
    }
    void cleanupTestCase() { m.close(); }

    void chartLeads()
    {
        QTest::mouseClick(toggle(QStringLiteral("layerwise")), Qt::LeftButton);
        QCOMPARE(m.window->center()->graph()->overlay(), OverlayKind::Layerwise);
        QTest::mouseClick(toggle(QStringLiteral("sorted")), Qt::LeftButton);
        QCOMPARE(sortedColumn(), int(OperationModel::LayerwiseSqnr));
        QTest::mouseClick(toggle(QStringLiteral("graphwise")), Qt::LeftButton);
        QCOMPARE(m.window->center()->graph()->overlay(), OverlayKind::Graphwise);
        QCOMPARE(sortedColumn(), int(OperationModel::GraphwiseSqnr));
        QTest::mouseClick(toggle(QStringLiteral("sorted")), Qt::LeftButton);
        QCOMPARE(sortedColumn(), int(OperationModel::Position));
    }

    void coloursLead()
    {
        m.window->center()->setOverlay(OverlayKind::Layerwise);
        QCOMPARE(m.window->errors()->measure(), ErrorPlot::Measure::Layerwise);
        m.window->center()->setOverlay(OverlayKind::Platform); // has no error
        QCOMPARE(m.window->errors()->measure(), ErrorPlot::Measure::Layerwise);
        m.window->center()->setOverlay(OverlayKind::Graphwise);
        QCOMPARE(m.window->errors()->measure(), ErrorPlot::Measure::Graphwise);
    }

    void tableLeads()
    {
        table()->sortByColumn(OperationModel::LayerwiseSqnr, Qt::AscendingOrder);
        QCOMPARE(m.window->errors()->measure(), ErrorPlot::Measure::Layerwise);
        QCOMPARE(m.window->center()->graph()->overlay(), OverlayKind::Layerwise);
        QVERIFY(toggle(QStringLiteral("sorted"))->isChecked());
        const QString first = table()->model()->index(0, 0).data(OperationModel::OperationRole).toString();
        QCOMPARE(first, worst(&OperationRow::layerwise));
        table()->sortByColumn(OperationModel::Position, Qt::AscendingOrder);
        QVERIFY(!toggle(QStringLiteral("sorted"))->isChecked());
        QCOMPARE(m.window->errors()->measure(), ErrorPlot::Measure::Layerwise);
    }

    void keysFollow_data()
    {
        QTest::addColumn<QString>("button");
        QTest::addColumn<bool>("isLayerwise");
        QTest::newRow("graphwise") << QStringLiteral("graphwise") << false;
        QTest::newRow("layerwise") << QStringLiteral("layerwise") << true;
    }
    void keysFollow()
    {
        QFETCH(QString, button);
        QFETCH(bool, isLayerwise);
        QTest::mouseClick(toggle(button), Qt::LeftButton);
        m.document().setCurrent({});
        QTest::keyClick(m.window->center()->graph(), Qt::Key_BracketLeft);
        QCOMPARE(m.document().current(), worst(isLayerwise ? &OperationRow::layerwise : &OperationRow::graphwise));
    }

    /// Cells of the column that the colours are about have them.
    void cellsAreTinted()
    {
        m.window->center()->setOverlay(OverlayKind::Graphwise);
        settle();
        const auto *delegate = qobject_cast<OperationDelegate *>(table()->itemDelegate());
        QVERIFY(delegate);
        const auto tintOf = [&](const QString &name, int column) {
            for (int row = 0; row < table()->model()->rowCount(); ++row)
                if (table()->model()->index(row, 0).data(OperationModel::OperationRole) == name)
                    return delegate->tintOf(table()->model()->index(row, column));
            return QColor();
        };
        const QString name = worst(&OperationRow::graphwise);
        double noise = 0;
        for (const OperationRow &row : *m.window->center()->rows())
            if (row.name == name) noise = *row.graphwise;
        QCOMPARE(tintOf(name, OperationModel::GraphwiseSqnr), Theme::current().errorColor(noise));
        QVERIFY(!tintOf(name, OperationModel::Platform).isValid());
        m.window->center()->setOverlay(OverlayKind::Platform);
        settle();
        QVERIFY(tintOf(name, OperationModel::Platform).isValid());
    }

    /// While a limit is dragged its bar follows, until something is measured.
    void estimateIsShown()
    {
        QTest::mouseClick(toggle(QStringLiteral("graphwise")), Qt::LeftButton);
        ErrorPlot *chart = m.window->errors();
        const QString name = worst(&OperationRow::graphwise);
        QVERIFY(!chart->estimatedRatio());
        chart->setEstimate(name, 0.25);
        double noise = 0;
        for (const OperationRow &row : *m.window->center()->rows())
            if (row.name == name) noise = *row.graphwise;
        QCOMPARE(*chart->estimatedRatio(), noise + 0.25);
        chart->setRows(m.window->center()->rows(), true); // still of the recipe before
        QVERIFY(chart->estimatedRatio());
        chart->setRows(m.window->center()->rows(), false);
        QVERIFY(!chart->estimatedRatio());
    }
};

QL_TEST(TestErrorChoice)
#include "tst_error_choice.moc"
