// The real window on the real engine and the bundled sample, with mouse and keyboard.
#include "tests/support/test_main.h"
#include "tests/support/watchdog.h"
#include "tests/views/recipe_json.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/engine_text.h"
#include "views/bridge/journal.h"
#include "views/bridge/problem_list.h"
#include "views/bridge/run_history.h"
#include "views/commands/recipe_command.h"
#include "views/panels/compare_dialog.h"
#include "views/panels/data_dialog.h"
#include "views/panels/distribution_panel.h"
#include "views/panels/export_dialog.h"
#include "views/panels/inspector.h"
#include "views/panels/manual_dialog.h"
#include "views/panels/pipeline_panel.h"
#include "views/panels/platform_dialog.h"
#include "views/panels/problems_panel.h"
#include "views/panels/settings_dialog.h"
#include "views/panels/side_panels.h"
#include "views/plots/error_plot.h"
#include "views/plots/qcp.h"
#include "views/style/theme.h"
#include "views/window/center_view.h"
#include "views/window/command_palette.h"
#include "views/window/translation.h"

#include "window_fixture.h"

#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QDropEvent>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QScreen>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTableView>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>
#include <QtTest>
#include <algorithm>
#include <csignal>

using namespace ql;
using nlohmann::json;

class TestWindow : public QObject
{
    Q_OBJECT

private:
    WindowFixture m_fixture;
    std::unique_ptr<MainWindow> &m_window = m_fixture.window;

    Document &document() { return m_fixture.document(); }
    bool isRun() { return m_fixture.isRun(); }
    void openSmall()
    {
        m_window->openFile(m_fixture.file());
        QTRY_VERIFY_WITH_TIMEOUT(document().graph() && m_window->center()->graph()->scene(), 60000);
    }

    /// The weight of the stem in 4 bits, by the inspector.
    void setBitsOfStem()
    {
        document().setCurrent(QStringLiteral("stem"));
        Inspector *inspector = m_window->inspector();
        QTRY_VERIFY(inspector->slot() >= 0);
        inspector->showSlot(QStringLiteral("parameter"), 1);
        auto *bits = inspector->findChild<QComboBox *>(QStringLiteral("bits"));
        QVERIFY(bits);
        const int four = bits->findText(QStringLiteral("4"));
        bits->setCurrentIndex(four);
        Q_EMIT bits->activated(four);
    }

private Q_SLOTS:
    void initTestCase() { m_fixture.prepare(); }
    void init() { m_fixture.show(); }
    void cleanup() { m_fixture.close(); }

    /// A failed run is shown until something changes: the graph after an edit does not check the data.
    void failedRunStaysReported()
    {
        openSmall();
        m_fixture.run();
        MainWindow &window = *m_fixture.window;
        document().requests().setLive(true);
        json recipe = document().recipeJson();
        recipe.erase("calibration");
        replaceRecipe(document(), QStringLiteral("data"), recipe);
        QTRY_VERIFY_WITH_TIMEOUT(window.message().contains(QStringLiteral("calibration data")), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(!document().requests().isInspecting(), 60000);
        QTest::qWait(300);
        QVERIFY(window.message().contains(QStringLiteral("calibration data")));
        document().undoStack().undo();
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture.isRun(), 60000);
        QCOMPARE(window.message(), QString());
        document().requests().setLive(false);
    }

    /// Selected rows stay selected while a filter hides them, and are visible again after it.
    void selectionOutlivesAFilter()
    {
        openSmall();
        CenterView *center = m_window->center();
        center->showTable(true);
        document().setSelection({QStringLiteral("stem"), QStringLiteral("scores")}, QStringLiteral("stem"));
        const auto selected = [&] { return center->table()->selectionModel()->selectedRows().size(); };
        QCOMPARE(selected(), 2);
        center->search(QStringLiteral("scores"));
        QCOMPARE(selected(), 1);
        center->search({});
        QCOMPARE(selected(), 2);
        QCOMPARE(document().selection().size(), 2);
    }

    /// An invalid query is marked, until it becomes valid.
    void wrongSearchIsMarked()
    {
        openSmall();
        auto *search = m_fixture.window->findChild<QLineEdit *>(QStringLiteral("search"));
        const QColor plain = search->palette().color(QPalette::Text);
        search->setText(QStringLiteral("/[/"));
        QCOMPARE(search->palette().color(QPalette::Text), Theme::current().amber);
        search->setText(QStringLiteral("conv"));
        QCOMPARE(search->palette().color(QPalette::Text), plain);
        // The number of hits is shown next to the current work, not instead of it
        const QString status = m_fixture.window->findChild<QLabel *>(QStringLiteral("statusText"))->text();
        QVERIFY2(status.contains(QStringLiteral("found")) && status.contains(QStringLiteral("Not run yet")),
                 qPrintable(status));
    }

    /// The worst one, one rank down, and up again, ending at the worst one.
    void bracketsGoThroughTheRanks()
    {
        openSmall();
        m_fixture.run();
        GraphView *graph = m_window->center()->graph();
        graph->setFocus();
        const auto press = [&](Qt::Key key) {
            QTest::keyClick(graph, key);
            return document().current();
        };
        const QString worst = press(Qt::Key_BracketLeft);
        QVERIFY(!worst.isEmpty());
        QCOMPARE(press(Qt::Key_BracketLeft), worst);
        const QString second = press(Qt::Key_BracketRight);
        QVERIFY(second != worst);
        QVERIFY(press(Qt::Key_BracketRight) != second);
        QCOMPARE(press(Qt::Key_BracketLeft), second);
        QCOMPARE(press(Qt::Key_BracketLeft), worst);
        document().setCurrent({});
        QCOMPARE(press(Qt::Key_BracketRight), worst);
    }

    /// After sorting or searching, the first rows, or the current one, are visible.
    void tableShowsTheMostImportantColumnsFirst()
    {
        openSmall();
        CenterView *center = m_window->center();
        QTableView *table = center->table();
        center->showTable(true);
        table->setMaximumHeight(120);
        QTRY_VERIFY(table->height() <= 120 && table->verticalScrollBar()->maximum() > 3);
        const auto sort = [&] {
            QHeaderView *header = table->horizontalHeader();
            const int x = header->sectionViewportPosition(OperationModel::Name) + 20;
            QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, QPoint(x, header->height() / 2));
        };
        table->scrollToBottom();
        QVERIFY(table->verticalScrollBar()->value() > 0);
        sort();
        QCOMPARE(table->verticalScrollBar()->value(), 0);
        table->scrollToBottom();
        center->search(QStringLiteral("e"));
        QCOMPARE(table->verticalScrollBar()->value(), 0);
        center->search({});

        // The current row is followed when it was seen, and only then
        document().setCurrent(center->filter()->index(0, 0).data(OperationModel::OperationRole).toString());
        table->scrollToTop();
        sort(); // the other way round
        const auto isSeen = [&] {
            const QRect row = table->visualRect(table->currentIndex());
            return !row.isEmpty() && table->viewport()->rect().contains(row.center());
        };
        QVERIFY(isSeen());
        QVERIFY(table->verticalScrollBar()->value() > 0);
        table->scrollToTop();
        QVERIFY(!isSeen());
        sort();
        QCOMPARE(table->verticalScrollBar()->value(), 0);
    }

    /// The table's menu has table actions, the graph's menu graph actions.
    void contextMenusAreOfTheirView()
    {
        openSmall();
        CenterView *center = m_window->center();
        const auto entries = [&] {
            QStringList texts;
            QTimer timer;
            connect(&timer, &QTimer::timeout, &timer, [&texts] {
                auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
                if (!menu) return;
                for (const QAction *action : menu->actions()) texts.append(action->text());
                menu->close();
            });
            timer.start(20);
            Q_EMIT center->contextMenuRequested(QStringLiteral("stem"), m_window->mapToGlobal(QPoint(300, 300)));
            return texts.join(QLatin1Char('\n'));
        };
        const QString ofGraph = entries();
        QVERIFY2(ofGraph.contains(QStringLiteral("Fit all")) && !ofGraph.contains(QStringLiteral("Copy table")),
                 qPrintable(ofGraph));
        center->showTable(true);
        const QString ofTable = entries();
        QVERIFY2(ofTable.contains(QStringLiteral("Copy table")) && ofTable.contains(QStringLiteral("CSV")),
                 qPrintable(ofTable));
        QVERIFY2(!ofTable.contains(QStringLiteral("Fit all")) && !ofTable.contains(QStringLiteral("picture")),
                 qPrintable(ofTable));
        QVERIFY(ofTable.contains(QStringLiteral("FP32")));
    }

    /// A search hit becomes visible, even in a collapsed group.
    void hitsAreUnfolded()
    {
        openSmall();
        CenterView *center = m_window->center();
        const auto isHidden = [&](const QString &name) {
            const ScenePtr &scene = center->graph()->scene();
            return scene->view.nodes[scene->view.nodeOf[scene->graph->find(name)]].kind == ViewNode::Kind::Group;
        };
        center->setAllFolded(CenterView::FoldAll::Regions, true);
        QTRY_VERIFY(isHidden(QStringLiteral("down_depthwise")));
        center->search(QStringLiteral("down_depthwise"));
        QVERIFY(center->hitCount() > 0);
        for (int i = 0; i < center->hitCount() && document().current() != QLatin1String("down_depthwise"); ++i)
            center->nextHit(1);
        QCOMPARE(document().current(), QStringLiteral("down_depthwise"));
        QTRY_VERIFY(!isHidden(QStringLiteral("down_depthwise")));
        center->search({});
    }

    /// A file manager may propose to move dropped files; they stay in place.
    void dropsAreCopies()
    {
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(m_fixture.folder.filePath(QStringLiteral("nothing.txt")))});
        const Qt::DropActions both = Qt::CopyAction | Qt::MoveAction;
        QDragEnterEvent enter({50, 50}, both, &mime, Qt::LeftButton, Qt::NoModifier);
        enter.setDropAction(Qt::MoveAction);
        QDragMoveEvent move({50, 50}, both, &mime, Qt::LeftButton, Qt::NoModifier);
        move.setDropAction(Qt::MoveAction);
        QDropEvent drop({50, 50}, both, &mime, Qt::LeftButton, Qt::NoModifier);
        drop.setDropAction(Qt::MoveAction);
        for (QDropEvent *event : std::initializer_list<QDropEvent *>{&enter, &move, &drop}) {
            event->setAccepted(false);
            QCoreApplication::sendEvent(m_window.get(), event);
            QVERIFY(event->isAccepted());
            QCOMPARE(event->dropAction(), Qt::CopyAction);
        }
        QDragEnterEvent onlyMove({50, 50}, Qt::MoveAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_window.get(), &onlyMove);
        QVERIFY(!onlyMove.isAccepted());
    }

    /// Line icons have the colour of the theme, even if it was created under another one.
    void iconsFollowTheTheme()
    {
        openSmall();
        setBitsOfStem();
        const Inspector *inspector = m_window->inspector();
        const auto reset = [&] { return inspector->findChild<QToolButton *>(QStringLiteral("reset bits")); };
        QTRY_VERIFY_WITH_TIMEOUT(reset() != nullptr, 30000);
        const auto picture = [](const QIcon &icon) {
            return icon.pixmap(16, 16).toImage().convertToFormat(QImage::Format_ARGB32);
        };
        ThemeManager::instance().choose(ThemeManager::Choice::Light);
        const QImage light = picture(reset()->icon()), save = picture(lineIcon(QStringLiteral("save")));
        ThemeManager::instance().choose(ThemeManager::Choice::Dark);
        const QImage dark = picture(reset()->icon()), darkSave = picture(lineIcon(QStringLiteral("save")));
        ThemeManager::instance().choose(ThemeManager::Choice::Light);
        QVERIFY(dark != light);
        QVERIFY(darkSave != save);
        QVERIFY(picture(reset()->icon()) == light);
    }

    void smallestWindow_data() { WindowFixture::addLanguages(); }
    /// A screen of Full HD at 200 % fits the window, with a message, and the search can be used.
    void smallestWindow()
    {
        QFETCH(QString, language);
        m_fixture.showIn(language);
        openSmall();
        m_fixture.run();
        document().setCurrent(QStringLiteral("down_depthwise"));
        Q_EMIT document().requests().failed(EngineError::ofWindow(QStringLiteral("Io"), QStringLiteral("a message")),
                                            true);
        QVERIFY(!m_window->message().isEmpty());
        m_window->resize(900, 500);
        QTest::qWait(300);
        const QSize least = m_window->minimumSizeHint(), size = m_window->size();
        installTranslation(QLocale(QStringLiteral("en")));
        QVERIFY2(least.width() <= 900 && least.height() <= 500,
                 qPrintable(QStringLiteral("%1x%2").arg(least.width()).arg(least.height())));
        QCOMPARE(size, QSize(900, 500));
        QVERIFY(m_window->findChild<QLineEdit *>(QStringLiteral("search"))->isVisible());
    }

    /// A geometry of a larger screen is made to fit.
    void savedGeometryFitsTheScreen()
    {
        QWidget large;
        large.setGeometry(0, 0, 6000, 4000);
        QSettings().setValue(QStringLiteral("window/geometry"), large.saveGeometry());
        MainWindow window(m_window->engine().command());
        window.show();
        QSettings().remove(QStringLiteral("window/geometry"));
        const QSize room = window.screen()->availableSize().expandedTo({900, 500}); // its least
        QVERIFY2(window.width() <= room.width() && window.height() <= room.height(),
                 qPrintable(QStringLiteral("%1x%2").arg(window.width()).arg(window.height())));
    }

    /// Nothing is being read by an engine that is not there.
    void missingEngineIsReported()
    {
        MainWindow window(QStringList{QStringLiteral("/nowhere/quantloupe-cli"), QStringLiteral("serve")});
        window.show();
        window.openFile(m_fixture.file());
        QTRY_COMPARE_WITH_TIMEOUT(window.engine().state(), EngineClient::State::Failed, 60000);
        const auto *status = window.findChild<QLabel *>(QStringLiteral("statusText"));
        QTRY_COMPARE(status->text(), QStringLiteral("The engine is not running."));
        QCOMPARE(window.center()->graph()->placeholder(), QStringLiteral("The engine is not running."));
        window.document().undoStack().setClean();
    }

    /// Find the worst operation, send it to FP32, see the error fall, undo, redo, save, open again.
    void story()
    {
        openSmall();
        QTest::keyClick(m_window.get(), Qt::Key_F5);
        QVERIFY(document().requests().job().isRunning);
        QTRY_VERIFY_WITH_TIMEOUT(isRun(), 120000);
        const double before = *document().history().shown()->outputSqnr();
        QVERIFY(m_window->center()->graph()->overlay() == OverlayKind::Graphwise); // colours follow the first errors

        m_window->center()->setOverlay(OverlayKind::Layerwise); // the layerwise cost of an operation
        m_window->center()->graph()->setFocus();
        QTest::keyClick(m_window->center()->graph(), Qt::Key_BracketLeft);
        QCOMPARE(document().current(), QStringLiteral("down_depthwise"));
        m_window->center()->setOverlay(OverlayKind::Graphwise);
        // It is the same operation everywhere
        QTRY_VERIFY(m_window->distribution()->hasData());
        QVERIFY(m_window->inspector()->slot() >= 0);
        QVERIFY(std::any_of(document().problems().rows().begin(), document().problems().rows().end(),
                            [](const ProblemInfo &p) { return p.operation == QStringLiteral("down_depthwise"); }));

        QTest::keyClick(m_window->center()->graph(), Qt::Key_Q);
        QCOMPARE(document().recipe().dispatch.size(), std::size_t(1));
        QVERIFY(document().history().isStale());
        QTest::keyClick(m_window.get(), Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(isRun(), 120000);
        const double after = *document().history().shown()->outputSqnr();
        QVERIFY2(after > before + 10, qPrintable(QStringLiteral("%1 dB, before %2 dB").arg(after).arg(before)));
        QCOMPARE(document().history().runs().size(), 2);

        // Undo finds the old result without a run, redo the new one
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(!document().history().isStale());
        QCOMPARE(*document().history().shown()->outputSqnr(), before);
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(*document().history().shown()->outputSqnr(), after);

        const QString file = m_fixture.folder.filePath(QStringLiteral("saved 结果.quantloupe"));
        const json recipe = document().recipeJson();
        QVERIFY(m_window->saveFile(file));
        QVERIFY(!m_window->isWindowModified());
        m_window->openFile(file);
        QCOMPARE(document().recipeJson(), recipe);
    }

    void platformFollowsTheScopeOfEdits()
    {
        openSmall();
        QStringList convolutions;
        for (const OperationInfo &op : document().graph()->operations)
            if (op.type == QLatin1String("Conv")) convolutions.append(op.name);
        QVERIFY(convolutions.size() > 1);
        document().setCurrent(convolutions.front());
        const auto choose = [this](const char *name, const QVariant &data) {
            auto *box = m_window->inspector()->findChild<QComboBox *>(QLatin1String(name));
            box->setCurrentIndex(box->findData(data));
            Q_EMIT box->activated(box->currentIndex());
        };
        choose("scope", 3); // every Conv
        choose("platformOfOperation", QStringLiteral("FP32"));
        QCOMPARE(document().recipeJson()["dispatch"].size(), std::size_t(convolutions.size()));
        document().undoStack().undo();
        document().setSelection(convolutions, convolutions.front());
        auto *scope = m_window->inspector()->findChild<QComboBox *>(QStringLiteral("scope"));
        QCOMPARE(scope->currentData().toInt(), 1); // who selects several means them
        choose("scope", 0);                        // this operation, whatever else is selected
        choose("platformOfOperation", QStringLiteral("FP32"));
        QCOMPARE(document().recipeJson()["dispatch"].size(), std::size_t(1));
    }

    /// Outside the graph and the table, Space is for the focused widget.
    void spaceTicksAPassAndPressesAButton()
    {
        openSmall();
        PassModel *passes = m_window->pipeline()->model();
        QTreeView *view = m_window->pipeline()->view();
        QTRY_VERIFY(passes->rowCount() > 4);
        view->setCurrentIndex(passes->index(4, 0));
        view->setFocus();
        const QVariant before = passes->index(4, 0).data(Qt::CheckStateRole);
        QTest::keyClick(view, Qt::Key_Space);
        QTRY_VERIFY(passes->index(4, 0).data(Qt::CheckStateRole) != before);
        QVERIFY(!m_window->center()->showsTable());
    }

    void clickInChartSelectsEverywhere()
    {
        openSmall();
        document().requests().run();
        QTRY_VERIFY_WITH_TIMEOUT(isRun(), 120000);
        ErrorPlot *errors = m_window->errors();
        QTest::qWait(100);
        QTest::mouseClick(errors->plot(), Qt::LeftButton, {}, errors->barCenter(3));
        const QString clicked = m_window->center()->rows()->at(errors->order()[3]).name;
        QCOMPARE(document().current(), clicked);
        // Space shows the table at the same operation
        QTest::keyClick(m_window->center()->graph(), Qt::Key_Space);
        QVERIFY(m_window->center()->showsTable());
        QCOMPARE(m_window->center()->table()->currentIndex().data(OperationModel::OperationRole).toString(), clicked);
        QTest::keyClick(m_window->center()->table(), Qt::Key_Down);
        QVERIFY(document().current() != clicked);
        QTest::keyClick(m_window->center()->table(), Qt::Key_Space);
        QVERIFY(!m_window->center()->showsTable());

        // The threshold follows the mouse
        QSignalSpy moved(errors, &ErrorPlot::thresholdChanged);
        QCustomPlot *plot = errors->plot();
        const int x = plot->axisRect()->center().x();
        QTest::mousePress(plot, Qt::LeftButton, {}, QPoint(x, int(plot->yAxis->coordToPixel(errors->threshold()))));
        QTest::mouseMove(plot, QPoint(x, int(plot->yAxis->coordToPixel(0.01))));
        QTest::mouseRelease(plot, Qt::LeftButton, {}, QPoint(x, int(plot->yAxis->coordToPixel(0.01))));
        QVERIFY(moved.count() > 0);
        QVERIFY(std::abs(errors->threshold() - 0.01) < 0.002);
        QVERIFY(errors->csv().count(QLatin1Char('\n')) > errors->order().size());
    }

    void graphIsUsedByMouseAndKeyboard()
    {
        openSmall();
        GraphView *graph = m_window->center()->graph();
        const ScenePtr scene = graph->scene();
        int node = -1;
        for (int n = 0; n < scene->view.nodes.size() && node < 0; ++n)
            if (scene->view.nodes[n].kind == ViewNode::Kind::Operation) node = n;
        QTest::mouseClick(graph, Qt::LeftButton, {}, graph->toWidget(scene->boxes[node].center()).toPoint());
        const QString first = scene->graph->operations[scene->view.nodes[node].operations.front()].name;
        QCOMPARE(document().current(), first);
        QTest::keyClick(graph, Qt::Key_J);
        QVERIFY(document().current() != first);
        QTest::keyClick(graph, Qt::Key_K);
        QCOMPARE(document().current(), first);
        QTest::keyClick(m_window.get(), Qt::Key_Left, Qt::AltModifier); // back
        QVERIFY(document().current() != first);
        const double zoom = graph->zoom();
        QTest::keyClick(graph, Qt::Key_Plus);
        QVERIFY(graph->zoom() > zoom);
        QTest::keyClick(graph, Qt::Key_0, Qt::ControlModifier);
        QTRY_VERIFY(graph->zoom() < zoom);
        QVERIFY(graph->grab().toImage() != QImage());

        // Find as you type
        QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier);
        auto *search = m_window->findChild<QLineEdit *>(QStringLiteral("search"));
        QVERIFY(search->hasFocus());
        QTest::keyClicks(search, QStringLiteral("type:conv depth"));
        QCOMPARE(m_window->center()->hitCount(), 4);
        QTest::keyClick(search, Qt::Key_Return);
        QVERIFY(document().current().contains(QStringLiteral("depthwise")));
    }

    /// Invalid codes are refused with the valid range; nothing is set then.
    void inspectorRefusesIllegalValues()
    {
        openSmall();
        document().requests().run();
        QTRY_VERIFY_WITH_TIMEOUT(isRun(), 120000);
        document().setCurrent(QStringLiteral("stem"));
        Inspector *inspector = m_window->inspector();
        inspector->showSlot(QStringLiteral("input"), 0);
        const auto type = [&](const char *field, const char *text) {
            auto *line = inspector->findChild<QLineEdit *>(QLatin1String(field));
            QVERIFY(line);
            line->selectAll();
            QTest::keyClicks(line, QString::fromUtf8(text));
            QTest::keyClick(line, Qt::Key_Return);
        };
        const auto refusals = [&] {
            QStringList shown;
            for (const QLabel *label : inspector->findChildren<QLabel *>())
                if (label->property("warn").toBool() && label->isVisibleTo(inspector)) shown.append(label->text());
            return shown.join(QLatin1Char(' '));
        };
        type("scale", "1e-300");
        QVERIFY2(refusals().contains(QStringLiteral("float32")), qPrintable(refusals()));
        const ConfigInfo &config = document().history().configs()[inspector->slot()];
        if (config.isSymmetric) {
            type("range", "-1 ... 3");
            QVERIFY2(refusals().contains(QStringLiteral("Symmetric")), qPrintable(refusals()));
        }
        QVERIFY(document().recipe().overrides.empty());
        QCOMPARE(document().undoStack().count(), 0);
    }

    /// An operation without the edited slot is skipped, and nothing is written for a pattern without any.
    void editsAreForOperationsWithTheSlot()
    {
        openSmall();
        document().setCurrent(QStringLiteral("stem"));
        Inspector *inspector = m_window->inspector();
        QTRY_VERIFY(inspector->slot() >= 0);
        QStringList withBias, names;
        for (const OperationInfo &op : document().graph()->operations) {
            if (!op.isQuantized) continue;
            names.append(op.name);
            for (const int i : document().history().configsOf(op.name))
                if (document().history().configs()[i].role == QStringLiteral("parameter") &&
                    document().history().configs()[i].index == 2)
                    withBias.append(op.name);
        }
        QVERIFY(!withBias.isEmpty() && withBias.size() < names.size());
        document().setSelection(names, QStringLiteral("stem"));
        inspector->showSlot(QStringLiteral("parameter"), 2);
        auto *scope = inspector->findChild<QComboBox *>(QStringLiteral("scope"));
        scope->setCurrentIndex(scope->findData(1)); // the selection
        Q_EMIT scope->activated(scope->currentIndex());
        auto *rounding = inspector->findChild<QComboBox *>(QStringLiteral("rounding"));
        const int up = rounding->findText(QStringLiteral("up"));
        rounding->setCurrentIndex(up);
        Q_EMIT rounding->activated(up);
        QCOMPARE(document().recipe().overrides.size(), std::size_t(withBias.size()));
    }

    void inspectorEditsOneSlot()
    {
        openSmall();
        setBitsOfStem();
        QCOMPARE(document().recipe().overrides.size(), std::size_t(1));
        QCOMPARE(document().undoStack().undoText(), QStringLiteral("Bits of stem"));
        // The engine answers with the new config, and its origin
        const auto config = [&]() -> const ConfigInfo * {
            for (const int i : document().history().configsOf(QStringLiteral("stem")))
                if (document().history().configs()[i].role == QStringLiteral("parameter") &&
                    document().history().configs()[i].index == 1)
                    return &document().history().configs()[i];
            return nullptr;
        };
        QTRY_VERIFY_WITH_TIMEOUT(config() && config()->bits == 4, 30000);
        QVERIFY(config()->setBy.value(QStringLiteral("bits")).isOverride());
        document().undoStack().undo();
        QTRY_VERIFY_WITH_TIMEOUT(config() && config()->bits == 8, 30000);
    }

    void clipLimitIsDragged()
    {
        openSmall();
        document().requests().run();
        QTRY_VERIFY_WITH_TIMEOUT(isRun(), 120000);
        document().setCurrent(QStringLiteral("mix_project"));
        DistributionPanel *panel = m_window->distribution();
        QTRY_VERIFY_WITH_TIMEOUT(panel->hasData() && panel->limits().first < panel->limits().second, 60000);
        QTest::qWait(100);
        const auto [low, high] = panel->limits();
        QCustomPlot *plot = panel->plot();
        const int y = plot->axisRect()->center().y();
        const int from = int(plot->xAxis->coordToPixel(high)), to = int(plot->xAxis->coordToPixel(high / 2));
        QTest::mousePress(plot, Qt::LeftButton, {}, QPoint(from, y));
        QTest::mouseMove(plot, QPoint(to, y));
        QTest::mouseRelease(plot, Qt::LeftButton, {}, QPoint(to, y));
        QCOMPARE(document().recipe().overrides.size(), std::size_t(1));
        const json range = document().recipeJson()["overrides"][0]["set"]["range"];
        QVERIFY(range[1].get<double>() < 0.6 * high);
        QVERIFY(document().history().isStale());
        document().requests().run();
        QTRY_VERIFY_WITH_TIMEOUT(isRun(), 120000);
        document().undoStack().undo();
        QVERIFY(!document().history().isStale());
    }

    void pipelineIsReordered()
    {
        openSmall();
        QTRY_VERIFY_WITH_TIMEOUT(document().requests().catalogue() && m_window->pipeline()->model()->rowCount() > 4,
                                 60000);
        PassModel *model = m_window->pipeline()->model();
        QTreeView *view = m_window->pipeline()->view();
        const auto ids = [&] {
            QStringList list;
            for (const auto &step : model->steps()) list.append(QString::fromStdString(step.id));
            return list;
        };
        const QStringList before = ids();
        // A tick by mouse
        const QRect cell = view->visualRect(model->index(0, 0));
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, QPoint(cell.left() + 12, cell.center().y()));
        QVERIFY(document().recipe().passes.has_value());
        QCOMPARE(document().recipe().passes->at(0).enabled, true);
        // Down by keyboard
        view->setCurrentIndex(model->index(1, 0));
        view->setFocus();
        QTest::keyClick(view, Qt::Key_Down, Qt::AltModifier);
        QTRY_COMPARE(ids()[2], before[1]); // a shortcut presses its button for a moment
        document().undoStack().undo();
        document().undoStack().undo();
        QCOMPARE(ids(), before);
        QVERIFY(!document().recipe().passes.has_value());
    }

    /// A button in Problems fixes the operation, and the next run reports the gain.
    void remedyIsMeasured()
    {
        openSmall();
        document().requests().run();
        QTRY_VERIFY_WITH_TIMEOUT(isRun(), 120000);
        auto *problems = m_window->findChild<ProblemsPanel *>();
        QPushButton *button = nullptr;
        QTRY_VERIFY((button = problems->findChild<QPushButton *>(QStringLiteral("remedy_per_channel"))) != nullptr);
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(document().recipe().overrides.size(), std::size_t(1));
        QVERIFY(document().undoStack().canUndo());
        QVERIFY(document().history().isStale());
        document().requests().run();
        QTRY_VERIFY_WITH_TIMEOUT(isRun(), 120000);
        const auto gain = [&] {
            return std::find_if(document().problems().rows().begin(), document().problems().rows().end(),
                                [](const ProblemInfo &p) { return p.severity == QStringLiteral("info"); });
        };
        QVERIFY(gain() != document().problems().rows().end());
        QCOMPARE(gain()->operation, QStringLiteral("down_depthwise"));
        QVERIFY2(engineText(gain()->message).contains(QStringLiteral("dB")), qPrintable(engineText(gain()->message)));

        // Both runs in one table, and what led from one to the other
        CompareDialog dialog(document(), 2);
        QCOMPARE(dialog.table()->rowCount(), 2);
        QVERIFY2(dialog.differences().contains(QStringLiteral("down_depthwise")), qPrintable(dialog.differences()));
        QCOMPARE(dialog.csv().count(QLatin1Char('\n')), 3);
        document().undoStack().undo();
        QVERIFY(gain() == document().problems().rows().end());
    }

    /// Live: an edit is run without asking, and the values before it stay as ghosts.
    void liveRunsEdits()
    {
        openSmall();
        document().requests().run();
        QTRY_VERIFY_WITH_TIMEOUT(isRun(), 120000);
        QTest::keyClick(m_window.get(), Qt::Key_L, Qt::ControlModifier);
        QVERIFY(document().requests().isLive());
        document().setCurrent(QStringLiteral("down_depthwise"));
        m_window->inspector()->sendTo(QStringLiteral("FP32"));
        QVERIFY(document().history().isStale());
        QCoreApplication::processEvents();
        QVERIFY(document().requests().job().isRunning); // immediately
        QTRY_VERIFY_WITH_TIMEOUT(isRun(), 120000);
        QCOMPARE(document().history().runs().size(), 2);
        QCOMPARE(document().history().previous(), document().history().runs().front().data);
        const OperationRow &worst = m_window->center()->rows()->back();
        QVERIFY(worst.ghost && worst.graphwise && *worst.ghost > *worst.graphwise);
    }

    void recentFileOpensFromTheStartPage()
    {
        QSettings().setValue(QStringLiteral("recent"), QStringList{m_fixture.file()});
        MainWindow window(m_window->engine().command());
        window.show();
        QPushButton *link = nullptr;
        for (QPushButton *button : window.findChildren<QPushButton *>())
            if (button->toolTip() == m_fixture.file()) link = button;
        QVERIFY(link);
        QTest::mouseClick(link, Qt::LeftButton);
        QCOMPARE(window.document().filePath(), m_fixture.file());
        QTRY_VERIFY_WITH_TIMEOUT(window.document().graph() != nullptr, 60000);
    }

    void manualOpens()
    {
        QTest::keyClick(m_window.get(), Qt::Key_F1);
        auto *manual = m_window->findChild<ManualDialog *>();
        QVERIFY(manual && manual->isVisible());
        QVERIFY(manual->text()->toPlainText().contains(QStringLiteral("SQNR")));
        QVERIFY(manual->findChild<QListWidget *>()->count() > 8);
        // Its images are in the program, as wide as the text
        int pictures = 0;
        QTextDocument *text = manual->text()->document();
        for (QTextBlock block = text->begin(); block.isValid(); block = block.next())
            for (auto it = block.begin(); !it.atEnd(); ++it)
                if (const QTextImageFormat format = it.fragment().charFormat().toImageFormat(); format.isValid()) {
                    const auto picture =
                        text->resource(QTextDocument::ImageResource, QUrl(format.name())).value<QImage>();
                    QVERIFY2(!picture.isNull(), qPrintable(format.name()));
                    QVERIFY(picture.deviceIndependentSize().width() <= manual->text()->viewport()->width());
                    ++pictures;
                }
        QVERIFY(pictures > 5);
        // A chapter comes to the top
        auto *chapters = manual->findChild<QListWidget *>();
        chapters->setCurrentRow(chapters->count() - 2);
        QVERIFY(manual->text()->verticalScrollBar()->value() > 1000);
        manual->close();
    }

    void exportsThroughTheDialog()
    {
        openSmall();
        QTRY_VERIFY_WITH_TIMEOUT(document().requests().catalogue(), 60000);
        ExportDialog dialog(document());
        dialog.show();
        auto *format = dialog.findChild<QComboBox *>(QStringLiteral("exportFormat"));
        format->setCurrentIndex(format->findData(QStringLiteral("onnx_qdq")));
        const QString file = m_fixture.folder.filePath(QStringLiteral("export.onnx"));
        dialog.findChild<QLineEdit *>(QStringLiteral("exportPath"))->setText(file);
        QTest::mouseClick(dialog.findChild<QPushButton *>(QStringLiteral("exportWrite")), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(file) && !document().requests().job().isRunning, 120000);
    }

    void paletteActs()
    {
        QTest::keyClick(m_window.get(), Qt::Key_K, Qt::ControlModifier);
        auto *palette = m_window->findChild<CommandPalette *>();
        QVERIFY(palette);
        auto *line = palette->findChild<QLineEdit *>();
        QTest::keyClicks(line, QStringLiteral("theme dark"));
        QCOMPARE(palette->findChild<QListWidget *>()->currentItem()->text(), QStringLiteral("Theme: dark"));
        QTest::keyClick(line, Qt::Key_Return);
        QCOMPARE(ThemeManager::instance().choice(), ThemeManager::Choice::Dark);
        ThemeManager::instance().choose(ThemeManager::Choice::Light);
    }

    void windowOutlivesItsEngine()
    {
        openSmall();
        // Something that no cache has
        editRecipe(document(), QStringLiteral("Samples"), "/evaluation/samples", 13);
        document().requests().run();
        QTest::qWait(150);
        ::kill(pid_t(m_window->engine().pid()), SIGKILL);
        QTRY_VERIFY(!m_window->message().isEmpty());
        QVERIFY(m_window->message().contains(QStringLiteral("engine")));
        QTRY_COMPARE_WITH_TIMEOUT(m_window->engine().state(), EngineClient::State::Ready, 60000);
        QTest::keyClick(m_window.get(), Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(isRun(), 120000);
    }

    void badFilesAreReported_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("name");
        QTest::newRow("no recipe") << QByteArray("{\"format\": 3}") << "bad.quantloupe";
        QTest::newRow("no JSON") << QByteArray("{{{") << "worse.quantloupe";
        QTest::newRow("no model") << QByteArray("hello") << "hello.onnx";
    }
    void badFilesAreReported()
    {
        QFETCH(QByteArray, content);
        QFETCH(QString, name);
        QFile file(m_fixture.folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
        file.close();
        m_window->openFile(file.fileName());
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->message().isEmpty(), 60000);
        QVERIFY2(m_window->message().size() > 20, qPrintable(m_window->message()));
    }

    void everythingHasAName()
    {
        openSmall();
        document().setCurrent(QStringLiteral("stem"));
        QTest::qWait(200);
        ExportDialog exporting(document(), m_window.get());
        DataDialog data(document(), m_window.get());
        PlatformDialog platforms(document(), m_window.get());
        SettingsDialog settings(document(), m_window.get());
        for (QWidget *dialog : std::initializer_list<QWidget *>{&exporting, &data, &platforms, &settings}) {
            dialog->show();
            for (auto *tabs : dialog->findChildren<QTabWidget *>()) tabs->setCurrentIndex(tabs->count() - 1);
        }
        QStringList nameless;
        for (const QWidget *widget : m_window->findChildren<QWidget *>()) {
            const bool takesFocus = widget->focusPolicy() & Qt::TabFocus && widget->isVisible();
            const bool isPart = qobject_cast<const QComboBox *>(widget->parentWidget()) ||
                                qobject_cast<const QAbstractSpinBox *>(widget->parentWidget()) ||
                                widget->objectName().startsWith(QStringLiteral("qt_"));
            if (!takesFocus || isPart || widget->inherits("QMenu") || widget->inherits("QScrollArea")) continue;
            QAccessibleInterface *accessible = QAccessible::queryAccessibleInterface(const_cast<QWidget *>(widget));
            if (accessible && accessible->text(QAccessible::Name).isEmpty())
                nameless.append(QString::fromLatin1(widget->metaObject()->className()) + QLatin1Char(' ') +
                                widget->objectName());
        }
        QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QLatin1Char('\n'))));
    }

    /// A graph of 10,000 operations: opened, laid out, panned and zoomed without holding the event loop up.
    void largeGraph()
    {
        json inspection = {{"schema", "quantloupe-inspection/1"}, {"model", {{"path", "large.onnx"}}}};
        json operations = json::array(), tensors = json::array();
        for (int i = 0; i < 10000; ++i) {
            const std::string in = "t" + std::to_string(i), out = "t" + std::to_string(i + 1);
            json inputs = {in};
            if (i % 3 == 2) inputs.push_back("t" + std::to_string(i - 1));
            operations.push_back({{"name", "/block" + std::to_string(i / 10) + "/op" + std::to_string(i)},
                                  {"type", i % 3 == 2 ? "Add" : "Conv"},
                                  {"platform", "TRT_INT8"},
                                  {"quantized", true},
                                  {"reason", "because"},
                                  {"inputs", inputs},
                                  {"outputs", {out}}});
            tensors.push_back({{"name", out}, {"shape", "1x64x56x56"}, {"type", "float32"}, {"parameter", false}});
        }
        inspection["operations"] = operations;
        inspection["tensors"] = tensors;
        const GraphPtr graph = graphFromInspection(inspection);
        GraphView view;
        view.resize(1200, 800);
        view.show();
        LayoutJob job;
        ScenePtr scene;
        connect(&job, &LayoutJob::finished, this, [&](const ScenePtr &s) { scene = s; });
        Watchdog watchdog;
        job.start(graph, {}, {});
        QTRY_VERIFY_WITH_TIMEOUT(scene != nullptr, 20000);
        view.setScene(scene);
        QTest::qWait(50);
        double slowest = 0;
        for (const double zoom : {1.0, 0.4, 0.12, 0.02, 0.004}) {
            view.zoomBy(zoom / view.zoom(), QPointF(600, 400));
            QImage image(view.size(), QImage::Format_RGB32);
            QElapsedTimer timer;
            timer.start();
            for (int i = 0; i < 5; ++i) view.render(&image);
            const double ms = double(timer.nsecsElapsed()) / 5e6;
            slowest = std::max(slowest, ms);
            qInfo("zoom %g: %.1f ms a frame", zoom, ms);
        }
        // All of it can be seen, however long it is
        view.fitAll();
        QTRY_VERIFY(
            QRectF(view.rect())
                .contains(QRectF(view.toWidget(scene->bounds.topLeft()), view.toWidget(scene->bounds.bottomRight()))));
        QTest::qWait(400); // animation
        const QImage whole = view.grab().toImage();
        const QRgb ground = whole.pixel(2, 2);
        int drawn = 0; // rows in which something of the chain is seen
        for (int y = 0; y < whole.height(); ++y)
            for (int x = whole.width() / 4; x < whole.width() * 3 / 4; ++x)
                if (whole.pixel(x, y) != ground) {
                    ++drawn;
                    break;
                }
        QVERIFY2(drawn > whole.height() / 2, qPrintable(QString::number(drawn)));
        view.zoomBy(0.01, QPointF(600, 400));
        QTRY_VERIFY(view.toWidget(scene->bounds.bottomLeft()).y() - view.toWidget(scene->bounds.topLeft()).y() > 100);
        QTest::qWait(50);
        qInfo("longest pause of the event loop: %.0f ms", watchdog.longest());
        // A pause includes everything that runs at the same time: the goal is only asserted on an idle machine
        if (qEnvironmentVariableIsSet("QL_QUIET_MACHINE")) QVERIFY(watchdog.longest() < 100);
        QVERIFY2(slowest < 64, "four times the goal of 16 ms: others use the machine, too");
    }
};

QL_TEST(TestWindow)
#include "tst_window.moc"
