// Error and distribution plots in the real window on the real engine.
#include "tests/support/test_main.h"
#include "tests/views/answer_dialog.h"
#include "tests/views/recipe_json.h"
#include "tests/views/window_fixture.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/run_history.h"
#include "views/commands/recipe_command.h"
#include "views/models/operation_model.h"
#include "views/panels/distribution_panel.h"
#include "views/panels/table_export.h"
#include "views/plots/error_plot.h"
#include "views/plots/plot_style.h"
#include "views/plots/qcp.h"
#include "views/window/center_view.h"

#include <QApplication>
#include <QFileDialog>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QStandardItemModel>

using namespace ql;
using nlohmann::json;

class TestPlots : public QObject
{
    Q_OBJECT

private:
    WindowFixture m;

    static std::optional<double> errorOf(const RunPtr &run, const QString &operation)
    {
        const auto it = run->graphwiseOf.constFind(operation);
        return it == run->graphwiseOf.constEnd() ? std::nullopt : run->graphwise[*it].noiseRatio;
    }
    static void setRange(Document &document, const QString &operation, double limit)
    {
        json recipe = document.recipeJson();
        recipe["overrides"] = json::array({{{"match", {{"op", operation.toStdString()}, {"role", "output"}}},
                                            {"set", {{"range", {-limit, limit}}}}}});
        replaceRecipe(document, QStringLiteral("range"), recipe);
        document.requests().run();
    }
    void lookAt(const QString &operation)
    {
        m.document().setCurrent(operation);
        QTRY_VERIFY_WITH_TIMEOUT(m.window->distribution()->hasData(), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(m.window->distribution()->pointCount() > 0, 60000);
    }

private Q_SLOTS:
    void initTestCase() { m.prepare(); }
    void cleanupTestCase() { QApplication::clipboard()->clear(); }

    void init()
    {
        m.show();
        m.open();
        m.run();
    }

    void cleanup() { m.close(); }

    /// The limit is dragged, the engine runs automatically, and the operation's error changes.
    void draggedLimitChangesTheError()
    {
        const QString operation = QStringLiteral("mix_project");
        const std::optional<double> before = errorOf(m.document().history().shown(), operation);
        QVERIFY(before.has_value());
        lookAt(operation);
        DistributionPanel *panel = m.window->distribution();
        QTRY_VERIFY_WITH_TIMEOUT(panel->limits().first < panel->limits().second, 60000);
        settle();
        const double high = panel->limits().second;
        QCustomPlot *plot = panel->plot();
        const int y = plot->axisRect()->center().y();
        const int from = int(plot->xAxis->coordToPixel(high)), to = int(plot->xAxis->coordToPixel(high / 4));
        QTest::mousePress(plot, Qt::LeftButton, {}, QPoint(from, y));
        QTest::mouseMove(plot, QPoint(to, y));
        const double wanted = panel->limits().second;
        QTest::mouseRelease(plot, Qt::LeftButton, {}, QPoint(to, y));
        QCOMPARE(m.document().recipe().overrides.size(), std::size_t(1));
        QTRY_VERIFY_WITH_TIMEOUT(m.isRun(), 120000);
        const std::optional<double> after = errorOf(m.document().history().shown(), operation);
        QVERIFY(after.has_value());
        QVERIFY2(*after > 2 * *before, qPrintable(QStringLiteral("%1, before %2").arg(*after).arg(*before)));
        QTRY_VERIFY_WITH_TIMEOUT(!m.document().requests().isInspecting(), 60000);
        // The code of 0 is an integer, which moves an asymmetric range by half a step at most
        const auto isThere = [&] {
            const double step = (panel->limits().second - panel->limits().first) / 255;
            return std::abs(panel->limits().second - wanted) <= step;
        };
        QTRY_VERIFY2(isThere(), qPrintable(QStringLiteral("%1, wanted %2").arg(panel->limits().second).arg(wanted)));
        m.document().undoStack().undo();
        QCOMPARE(errorOf(m.document().history().shown(), operation), before);
    }

    void aLimitThatIsNotMovedIsNoEdit()
    {
        lookAt(QStringLiteral("mix_project"));
        DistributionPanel *panel = m.window->distribution();
        QTRY_VERIFY_WITH_TIMEOUT(panel->limits().first < panel->limits().second, 60000);
        settle();
        const auto limits = panel->limits();
        QCustomPlot *plot = panel->plot();
        const int y = plot->axisRect()->center().y();
        const QPoint at(int(plot->xAxis->coordToPixel(limits.second)), y);
        QTest::mousePress(plot, Qt::LeftButton, {}, at);
        QTest::mouseRelease(plot, Qt::LeftButton, {}, at);
        QTest::mousePress(plot, Qt::LeftButton, {}, at);
        QTest::mouseMove(plot, at - QPoint(20, 0));
        QVERIFY(panel->limits().second < limits.second);
        QTest::keyClick(plot, Qt::Key_Escape);
        QCOMPARE(panel->limits(), limits);
        QTest::mouseRelease(plot, Qt::LeftButton, {}, at - QPoint(20, 0));
        QVERIFY(m.document().recipe().overrides.empty());
        QVERIFY(!m.document().undoStack().canUndo());
    }

    /// A tensor that is not rounded at its producer has no limits, and shows where they are.
    void limitsOfAFusedOperationAreOneClickAway()
    {
        const QVector<ConfigInfo> &configs = m.document().history().configs();
        const auto fused = std::find_if(configs.begin(), configs.end(), [](const ConfigInfo &config) {
            return config.role == api::SlotRole::Output && config.state == api::QuantState::Overlapped &&
                   config.rootOperation != config.operation;
        });
        QVERIFY(fused != configs.end());
        const QString operation = fused->operation, root = fused->rootOperation;
        lookAt(operation);
        DistributionPanel *panel = m.window->distribution();
        QVERIFY(!(panel->limits().first < panel->limits().second));
        auto *button = panel->findChild<QPushButton *>(QStringLiteral("roundedAt"));
        QTRY_VERIFY(button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(m.document().current(), root);
        QTRY_VERIFY_WITH_TIMEOUT(panel->limits().first < panel->limits().second, 60000);
        QTRY_VERIFY(!button->isVisible());
    }

    /// Quantized values are at codes, and values outside a limit are counted exactly to the bin.
    void valuesAreOnTheGrid()
    {
        const QString operation = QStringLiteral("mix_project");
        lookAt(operation);
        DistributionPanel *panel = m.window->distribution();
        const ConfigInfo *output = nullptr;
        for (const int i : m.document().history().configsOf(operation))
            if (m.document().history().configs()[i].role == api::SlotRole::Output)
                output = &m.document().history().configs()[i];
        QVERIFY(output && output->scale.size() == 1 && output->bits == 8);
        const auto valuesOf = [&](const QString &series) {
            QVector<QPair<double, double>> values; // with their counts
            for (const QString &line : panel->csv().split(QLatin1Char('\n')))
                if (const QStringList cells = line.split(QLatin1Char(',')); cells.value(0) == series)
                    values.append({cells[1].toDouble(), cells[2].toDouble()});
            return values;
        };
        double all = 0;
        const auto quantized = valuesOf(QStringLiteral("quantized"));
        QVERIFY(quantized.size() > 64);
        for (const auto &[value, count] : quantized) {
            const double code = value / output->scale[0];
            QVERIFY2(std::abs(code - std::round(code)) < 1e-3, qPrintable(QString::number(code)));
            all += count;
        }
        const double limit = output->scale[0] * 20;
        setRange(m.document(), operation, limit);
        QTRY_VERIFY_WITH_TIMEOUT(m.isRun(), 120000);
        QTRY_VERIFY_WITH_TIMEOUT(std::abs(panel->limits().second - limit) < 0.02 * limit, 60000);
        const auto facts = [&] { return panel->findChild<QLabel *>(QStringLiteral("facts"))->text(); };
        double share = 0;
        const auto isReported = [&] { // the values of the run come after its limits
            double outside = 0, floats = 0;
            for (const auto &[value, count] : valuesOf(QStringLiteral("float"))) {
                floats += count;
                if (std::abs(value) > limit) outside += count;
            }
            share = 100 * outside / floats;
            const auto reported = QRegularExpression(QStringLiteral("clipped ([0-9.]+) %")).match(facts());
            return floats == all && reported.hasMatch() && std::abs(reported.captured(1).toDouble() - share) < 1.5;
        };
        QTRY_VERIFY2(isReported(), qPrintable(QString::number(share) + facts()));
        QVERIFY(share > 2 && share < 98);
    }

    /// One value, as the limit of a Clip: clipped or not, and between two different labels of the axis.
    void constantIsClippedCompletely()
    {
        const QString operation = QStringLiteral("mix_project");
        lookAt(operation);
        DistributionPanel *panel = m.window->distribution();
        QTRY_VERIFY(panel->limits().first < panel->limits().second);
        const double high = panel->limits().second;
        const auto *facts = panel->findChild<QLabel *>(QStringLiteral("facts"));
        for (const bool isInside : {true, false}) {
            const double value = isInside ? 0.7 * high : 8.5 * high;
            api::Distributions answer;
            api::DistributionRow &row = answer.rows.emplace_back();
            row.op = operation.toStdString();
            row.role = api::SlotRole::Output;
            row.variable = "x";
            row.original.histogram = row.quantized.histogram = {value, value, {1, 0, 0, 0}};
            Q_EMIT m.document().requests().distributionReady(operation,
                                                             std::make_shared<const api::Distributions>(answer));
            const QString wanted = isInside ? QStringLiteral("clipped 0.00 %") : QStringLiteral("clipped 100.0 %");
            QVERIFY2(facts->text().contains(wanted), qPrintable(facts->text()));
            panel->plot()->replot();
            QVector<QString> labels = panel->plot()->xAxis->tickVectorLabels();
            QVERIFY(labels.size() > 1);
            QCOMPARE(QSet<QString>(labels.begin(), labels.end()).size(), labels.size());
        }
    }

    /// Ticks that are close together relative to their values have enough digits.
    void closeTicksHaveDistinctLabels()
    {
        QCustomPlot plot;
        plot.resize(600, 300);
        makeRoomy(*plot.xAxis);
        for (const auto &[low, high] : {std::pair(6.0, 6.0), std::pair(1234567.0, 1234567.5), std::pair(0.0, 1e-7)}) {
            showRange(*plot.xAxis, low, high);
            plot.replot();
            const QVector<QString> labels = plot.xAxis->tickVectorLabels();
            QVERIFY(labels.size() > 1);
            QCOMPARE(QSet<QString>(labels.begin(), labels.end()).size(), labels.size());
        }
    }

    /// Of a range without several powers of ten, too.
    void logarithmicTicksHaveDistinctLabels()
    {
        QCustomPlot plot;
        plot.resize(600, 300);
        plot.yAxis2->setVisible(true);
        makeLogarithmic(plot);
        for (const auto &[low, high] : {std::pair(1e-6, 10.0), std::pair(0.2, 0.9), std::pair(0.02, 0.5)})
            for (QCPAxis *axis : {plot.yAxis, plot.yAxis2}) {
                axis->setRange(low, high);
                plot.replot();
                const QVector<QString> labels = axis->tickVectorLabels();
                QVERIFY(labels.size() > 1);
                QCOMPARE(QSet<QString>(labels.begin(), labels.end()).size(), labels.size());
            }
    }

    void everyModeShowsItsData()
    {
        lookAt(QStringLiteral("down_depthwise"));
        DistributionPanel *panel = m.window->distribution();
        const auto limits = panel->limits();
        panel->setMode(DistributionPanel::Mode::Scatter);
        QVERIFY(panel->pointCount() > 100);
        QVERIFY(panel->csv().startsWith(QStringLiteral("float,quantized\n")));
        QCOMPARE(panel->limits(), limits); // what can be dragged here can be dragged there

        panel->setMode(DistributionPanel::Mode::Channels);
        panel->showSlot(api::SlotRole::Parameter, 1);
        panel->setLogarithmic(false);
        const int channels = panel->pointCount();
        QVERIFY(channels > 4);
        QVERIFY(panel->csv().startsWith(QStringLiteral("channel,min,q1,median,q3,max,quantized_min,quantized_max\n")));
        QCOMPARE(panel->csv().count(QLatin1Char('\n')), channels + 1);
        QVERIFY(panel->plot()->yAxis->scaleType() == QCPAxis::stLinear);
        panel->setLogarithmic(true);
        QCOMPARE(panel->pointCount(), channels);
        QVERIFY(panel->plot()->yAxis->scaleType() == QCPAxis::stLogarithmic);
        for (const DistributionPanel::Mode mode :
             {DistributionPanel::Mode::Values, DistributionPanel::Mode::Scatter, DistributionPanel::Mode::Channels}) {
            panel->setMode(mode);
            QVERIFY(!panel->plot()->xAxis->label().isEmpty());
            QVERIFY(!panel->plot()->yAxis->label().isEmpty());
        }
    }

    /// A name without its extension gets it, and existing files are not replaced without asking.
    void endingOfATypedName()
    {
        const QString there = m.folder.filePath(QStringLiteral("typed.png"));
        const auto choose = [&] {
            return chooseFile(m.window.get(), QStringLiteral("Save"), m.folder.filePath(QStringLiteral("typed")),
                              {QStringLiteral("PNG (*.png)"), QStringLiteral("*.pdf")});
        };
        answerNext<QFileDialog>(m.window.get(), [](QDialog &dialog) { dialog.accept(); });
        QCOMPARE(choose(), there);
        QFile file(there);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QString again;
        answerNext<QFileDialog>(m.window.get(), [&](QFileDialog &dialog) {
            answerNext<QFileDialog>(m.window.get(), [&](QFileDialog &second) {
                again = second.selectedFiles().value(0);
                second.reject();
            });
            static_cast<QDialog &>(dialog).accept();
        });
        QCOMPARE(choose(), QString());
        QCOMPARE(again, there);
        answerNext<QFileDialog>(m.window.get(), [](QFileDialog &dialog) {
            dialog.selectNameFilter(QStringLiteral("*.pdf"));
            static_cast<QDialog &>(dialog).accept();
        });
        QCOMPARE(choose(), m.folder.filePath(QStringLiteral("typed.pdf")));
    }

    /// A limit dragged to where no range is left waits, returns with the mouse, and is released.
    void limitDraggedPastZeroComesBack()
    {
        const QVector<ConfigInfo> &configs = m.document().history().configs();
        const auto positive = std::find_if(configs.begin(), configs.end(), [](const ConfigInfo &config) {
            return config.role == api::SlotRole::Output && config.state == api::QuantState::Active &&
                   config.scale.size() == 1 && config.zeroPoint.value(0) == config.quantMin;
        });
        QVERIFY(positive != configs.end());
        lookAt(positive->operation);
        DistributionPanel *panel = m.window->distribution();
        QTRY_VERIFY_WITH_TIMEOUT(panel->limits().first < panel->limits().second, 60000);
        settle();
        QCOMPARE(panel->limits().first, 0.0);
        const double high = panel->limits().second;
        QCustomPlot *plot = panel->plot();
        const auto at = [&](double value) {
            return QPoint(int(plot->xAxis->coordToPixel(value)), plot->axisRect()->center().y());
        };
        const QPoint beyond = at(0) - QPoint(20, 0), back = at(high / 2);
        QTest::mousePress(plot, Qt::LeftButton, {}, at(high));
        QTest::mouseMove(plot, at(high / 4));
        const auto last = panel->limits();
        QTest::mouseMove(plot, beyond);
        QCOMPARE(panel->limits(), last);
        QTest::mouseMove(plot, back);
        QVERIFY(std::abs(panel->limits().second - high / 2) < high / 50);
        QTest::mouseMove(plot, beyond);
        QTest::mouseRelease(plot, Qt::LeftButton, {}, beyond);
        QCOMPARE(m.document().recipe().overrides.size(), std::size_t(1));
        const auto let = panel->limits();
        QTest::mouseMove(plot, at(high / 8));
        QCOMPARE(panel->limits(), let);
        QTRY_VERIFY_WITH_TIMEOUT(m.isRun(), 120000);
        m.document().undoStack().undo();
    }

    /// Zoomed by the wheel, the values are panned by a drag outside the limits and by keys.
    void distributionIsMoved()
    {
        lookAt(QStringLiteral("mix_project"));
        DistributionPanel *panel = m.window->distribution();
        QTRY_VERIFY_WITH_TIMEOUT(panel->limits().first < panel->limits().second, 60000);
        settle();
        QCustomPlot *plot = panel->plot();
        const auto limits = panel->limits();
        const QCPRange all = plot->xAxis->range();
        const QPoint center = plot->axisRect()->center();
        for (int i = 0; i < 6; ++i) {
            QWheelEvent event(center, plot->mapToGlobal(QPointF(center)), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                              Qt::NoScrollPhase, false);
            QApplication::sendEvent(plot, &event);
        }
        const QCPRange zoomed = plot->xAxis->range();
        QVERIFY(zoomed.size() < all.size() / 2);
        QVERIFY(zoomed.lower > limits.first && zoomed.upper < limits.second); // no limit under the mouse
        QTest::mousePress(plot, Qt::LeftButton, {}, center);
        QTest::mouseMove(plot, center - QPoint(20, 0));
        QTest::mouseMove(plot, center - QPoint(40, 0));
        QTest::mouseRelease(plot, Qt::LeftButton, {}, center - QPoint(40, 0));
        const QCPRange dragged = plot->xAxis->range();
        QVERIFY(dragged.lower > zoomed.lower);
        QVERIFY(std::abs(dragged.size() - zoomed.size()) < zoomed.size() * 1e-6);
        QTest::keyClick(plot, Qt::Key_Right);
        QVERIFY(plot->xAxis->range().lower > dragged.lower);
        QTest::keyClick(plot, Qt::Key_Left);
        QTest::keyClick(plot, Qt::Key_Minus);
        QVERIFY(plot->xAxis->range().size() > zoomed.size());
        QTest::keyClick(plot, Qt::Key_Home);
        QCOMPARE(plot->xAxis->range(), all);
        QVERIFY(m.document().recipe().overrides.empty());
        QCOMPARE(panel->limits(), limits);
    }

    /// In every form of the two plots: the image as large as in a file, the data as in one.
    void plotsAreCopied()
    {
        lookAt(QStringLiteral("down_depthwise"));
        const auto copy = [](const QWidget &panel, const QString &text) {
            QApplication::clipboard()->clear();
            for (const QMenu *menu : panel.findChildren<QMenu *>())
                for (QAction *action : menu->actions())
                    if (action->text() == text) return action->trigger();
        };
        QVector<QImage> pictures;
        QStringList datas;
        const auto check = [&](const QWidget &panel, const QString &csv) {
            copy(panel, QStringLiteral("Copy data"));
            QCOMPARE(QApplication::clipboard()->text(), csv);
            QVERIFY(csv.count(QLatin1Char('\n')) > 3);
            copy(panel, QStringLiteral("Copy image"));
            const QImage picture = QApplication::clipboard()->image();
            QVERIFY(picture.width() >= 880 * 2 && picture.height() >= 420 * 2);
            QVERIFY(!pictures.contains(picture)); // only of the current plot
            pictures.append(picture);
            datas.append(csv);
        };
        ErrorPlot *errors = m.window->errors();
        QTRY_VERIFY(!errors->order().isEmpty());
        for (const ErrorPlot::Measure measure : {ErrorPlot::Measure::Graphwise, ErrorPlot::Measure::Layerwise}) {
            errors->setMeasure(measure);
            check(*errors->tools(), errors->csv());
        }
        DistributionPanel *panel = m.window->distribution();
        panel->showSlot(api::SlotRole::Parameter, 1);
        for (const DistributionPanel::Mode mode :
             {DistributionPanel::Mode::Values, DistributionPanel::Mode::Scatter, DistributionPanel::Mode::Channels}) {
            panel->setMode(mode);
            check(*panel->tools(), panel->csv());
        }
        QCOMPARE(pictures.size(), 5);
        QVERIFY(datas.front().startsWith(QStringLiteral("operation,")));
        QVERIFY(datas.back().startsWith(QStringLiteral("channel,")));
    }

    void allPlotsAreWritten()
    {
        lookAt(QStringLiteral("down_depthwise"));
        const QString folder = m.folder.filePath(QStringLiteral("plots"));
        QVERIFY(QDir().mkpath(folder));
        QSignalSpy saved(m.window.get(), &MainWindow::allSaved);
        m.window->saveAllTo(folder);
        QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, 60000);
        const QStringList files = saved.front().front().toStringList();
        for (const char *name :
             {"error_graphwise", "error_layerwise", "distribution_values_down_depthwise_output_0",
              "distribution_scatter_down_depthwise_output_0", "distribution_channels_down_depthwise_output_0",
              "runs_graphwise", "runs_layerwise", "runs_sqnr", "runs", "operations", "problems", "passes", "graph"})
            for (const char *ending : {"csv", "png", "svg", "pdf"}) {
                if (qstrcmp(name, "graph") == 0 && qstrcmp(ending, "csv") == 0) continue; // that is "operations"
                const QString file = QStringLiteral("%1/%2.%3").arg(folder, QLatin1String(name), QLatin1String(ending));
                QVERIFY2(files.contains(file) && QFileInfo(file).size() > 20, qPrintable(file));
            }
        QFile sqnr(folder + QStringLiteral("/runs_sqnr.csv"));
        QVERIFY(sqnr.open(QIODevice::ReadOnly) && sqnr.readAll().startsWith("run,output_sqnr_db\n1,"));
        const QImage picture(folder + QStringLiteral("/distribution_scatter_down_depthwise_output_0.png"));
        QVERIFY(picture.width() >= 880 * 2);
        const QAbstractItemModel &table = *m.window->center()->table()->model();
        for (const char *ending : {"csv", "png", "svg", "pdf"}) {
            const QString file = folder + QStringLiteral("/table.") + QLatin1String(ending);
            QVERIFY(tableWriter(table, file)());
            QVERIFY(QFileInfo(file).size() > 500);
        }
        QCOMPARE(tableCsv(table).count(QLatin1Char('\n')), table.rowCount() + 1);
    }

    /// A text that is too long for an image is cut, and no other column pays for it.
    void longTextsAreCutInImages()
    {
        QStandardItemModel model(1, 2);
        const auto widthWith = [&](const QString &text) {
            model.setItem(0, 0, new QStandardItem(text));
            const QString file = m.folder.filePath(QStringLiteral("long.png"));
            return tableWriter(model, file)() ? QImage(file).width() : 0;
        };
        const int one = widthWith(QStringLiteral("Conv"));
        const int longest = widthWith(QString(1000, QLatin1Char('m')));
        QVERIFY(one > 0 && longest > one);
        QCOMPARE(widthWith(QString(2000, QLatin1Char('m'))), longest);
    }
};

QL_TEST(TestPlots)
#include "tst_plots.moc"
