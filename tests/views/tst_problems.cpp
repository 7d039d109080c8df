// What deserves attention: the evidence of the numbers, and the panel on the real engine.
#include "tests/views/window_fixture.h"
#include "views/bridge/evidence.h"
#include "views/panels/side_panels.h"

#include <QPushButton>
#include <QTreeView>

using namespace ql;
using nlohmann::json;

class TestProblems : public QObject
{
    Q_OBJECT

private:
    WindowFixture m;

private Q_SLOTS:
    void initTestCase() { m.prepare(); }

    void evidence_data()
    {
        QTest::addColumn<QString>("ranges");
        QTest::addColumn<QString>("operation");
        QTest::addColumn<QString>("severity");
        QTest::addColumn<QString>("message");
        QTest::addColumn<int>("bars");
        QTest::addColumn<QString>("remedy");
        const auto tensors = [](const char *row) {
            return QStringLiteral(R"({"tensors": [%1]})").arg(QLatin1String(row));
        };
        QTest::newRow("saturation") << tensors(
                                           R"({"op": "a", "variable": "x", "min": -4, "max": 6, "elements": 1000,
                                               "not_finite": 0, "clipped": 100, "clip": [-1, 1]})")
                                    << "a"
                                    << "warning"
                                    << "10 % of its values are clipped" << 2 << "observer";
        QTest::newRow("a little clipped")
            << tensors(
                   R"({"op": "a", "variable": "x", "min": -4, "max": 6, "elements": 1000, "clipped": 9, "clip": [-1, 1]})")
            << ""
            << ""
            << "" << 0 << "";
        QTest::newRow("NaN") << tensors(
                                    R"({"op": "a", "variable": "x", "elements": 10, "not_finite": 3, "clipped": 0})")
                             << "a"
                             << "error"
                             << "3 of its 10 float values are NaN" << 0 << "fp32";
        QTest::newRow("dead channels") << tensors(
                                              R"({"op": "a", "variable": "x", "min": 0, "max": 1, "elements": 10,
                                                  "channels": {"axis": 1, "min": [0, 0, 0], "max": [1, 0, 1]}})")
                                       << "a"
                                       << "info"
                                       << "1 of its 3 channels never change" << 3 << "";
        QTest::newRow("channel ratio") << tensors(
                                              R"({"op": "a", "variable": "x", "min": 0, "max": 50, "elements": 10,
                                                  "channels": {"axis": 1, "min": [0, 0, 0, 0], "max": [1, 1, 2, 50]}})")
                                       << "a"
                                       << "warning"
                                       << "25 times the median" << 4 << "equalize";
        QTest::newRow("operands of one scale")
            << R"({"joins": [{"op": "add", "one_scale": true, "inputs": [{"min": -10, "max": 4}, {"min": -0.5, "max": 0.1}]}]})"
            << "add"
            << "warning"
            << "12 of 256 codes" << 2 << "fp32";
        QTest::newRow("operands with scales of their own")
            << R"({"joins": [{"op": "add", "one_scale": false, "inputs": [{"min": -10, "max": 4}, {"min": -0.5, "max": 0.1}]}]})"
            << ""
            << ""
            << "" << 0 << "";
    }
    void evidence()
    {
        QFETCH(QString, ranges);
        QFETCH(QString, operation);
        QFETCH(QString, severity);
        QFETCH(QString, message);
        QFETCH(int, bars);
        QFETCH(QString, remedy);
        RunData run;
        ConfigInfo config;
        config.operation = QStringLiteral("a");
        config.variable = QStringLiteral("x");
        config.state = QStringLiteral("active");
        config.bits = 8;
        run.configs.append(config);
        run.configsOf[config.operation].append(0);
        const QVector<ProblemInfo> problems = evidenceOf(run, nullptr, json::parse(ranges.toStdString()));
        if (operation.isEmpty()) {
            QVERIFY(problems.isEmpty());
            return;
        }
        QCOMPARE(problems.size(), 1);
        const ProblemInfo &problem = problems.front();
        QCOMPARE(problem.operation, operation);
        QCOMPARE(problem.severity, severity);
        QVERIFY2(problem.message.contains(message), qPrintable(problem.message));
        QCOMPARE(problem.plot.size(), bars);
        QVERIFY(remedy.isEmpty() ? problem.actions.isEmpty() : problem.actions.contains(remedy));
    }

    /// The sample's bad layer: evidence with bars, a remedy by its button, and what that was worth after the next run.
    void remedyOfTheSample()
    {
        m.show();
        m.open();
        m.run();
        auto *panel = m.window->findChild<ProblemsPanel *>();
        QAbstractItemModel *model = panel->view()->model();
        const auto rowWith = [&](const QString &text) {
            for (int row = 0; row < model->rowCount(); ++row)
                if (model->index(row, ProblemModel::Message).data().toString().contains(text)) return row;
            return -1;
        };
        QTRY_VERIFY_WITH_TIMEOUT(rowWith(QStringLiteral("share one scale")) >= 0, 60000);
        const QModelIndex row = model->index(rowWith(QStringLiteral("share one scale")), ProblemModel::Evidence);
        QVERIFY(row.data(ProblemModel::PlotRole).value<QVector<double>>().size() > 4);
        QTRY_VERIFY(panel->findChild<QPushButton *>(QStringLiteral("remedy_per_channel")));
        // Buttons of a row stand beside each other, whole
        QTest::qWait(100);
        for (const QPushButton *button : panel->findChildren<QPushButton *>()) {
            if (!button->isVisible()) continue;
            QVERIFY(button->width() >= button->sizeHint().width());
            for (const QPushButton *other : button->parentWidget()->findChildren<QPushButton *>())
                QVERIFY(other == button || !other->geometry().intersects(button->geometry()));
        }
        QTest::mouseClick(panel->findChild<QPushButton *>(QStringLiteral("remedy_per_channel")), Qt::LeftButton);
        QVERIFY(m.document().isStale());
        m.run();
        QTRY_VERIFY_WITH_TIMEOUT(rowWith(QStringLiteral("changed the output by")) >= 0, 60000);
        m.document().undoStack().undo();
        QVERIFY(rowWith(QStringLiteral("changed the output by")) < 0);
        m.close();
    }
};

QTEST_MAIN(TestProblems)
#include "tst_problems.moc"
