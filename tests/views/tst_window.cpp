// The real window on the real engine and the bundled sample, with mouse and keyboard.
#include "tests/support/test_main.h"
#include "tests/views/recipe_json.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/problem_list.h"
#include "views/bridge/run_history.h"
#include "views/commands/recipe_command.h"
#include "views/panels/data_dialog.h"
#include "views/panels/distribution_panel.h"
#include "views/panels/export_dialog.h"
#include "views/panels/manual_dialog.h"
#include "views/panels/platform_dialog.h"
#include "views/panels/problems_panel.h"
#include "views/panels/settings_dialog.h"
#include "views/style/theme.h"
#include "views/window/command_palette.h"
#include "views/window/translation.h"

#include "window_test.h"

#include <QAccessible>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QTabWidget>
#include <QTextBlock>
#include <QTextBrowser>
#include <QToolButton>
#include <QtTest>
#include <algorithm>
#include <csignal>

using namespace ql;
using nlohmann::json;

class TestWindow : public WindowTest
{
    Q_OBJECT

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
        settle();
        QVERIFY(window.message().contains(QStringLiteral("calibration data")));
        document().undoStack().undo();
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture.isRun(), 60000);
        QCOMPARE(window.message(), QString());
        document().requests().setLive(false);
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
        QTRY_VERIFY(reset() != nullptr);
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
        Q_EMIT document().requests().failed(windowError("Io", QStringLiteral("a message")), FailureOf::Run);
        QVERIFY(!m_window->message().isEmpty());
        m_window->resize(900, 500);
        settle();
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

    /// Without an engine, the graph does not claim that a model is being read.
    void missingEngineIsReported()
    {
        MainWindow window(QStringList{QStringLiteral("/nowhere/quantloupe-cli"), QStringLiteral("serve")});
        window.show();
        window.openFile(m_fixture.file());
        QTRY_COMPARE_WITH_TIMEOUT(window.engine().state(), EngineClient::State::Failed, 60000);
        const auto *status = window.findChild<QLabel *>(QStringLiteral("statusText"));
        QTRY_COMPARE(status->text(), QStringLiteral("The engine is not running."));
        QTRY_COMPARE(window.center()->graph()->placeholder(), QStringLiteral("The engine is not running."));
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
        QTRY_VERIFY(m_window->center()->graph()->overlay() ==
                    OverlayKind::Graphwise); // colours follow the first errors

        m_window->center()->setOverlay(OverlayKind::Layerwise); // the layerwise cost of an operation
        m_window->center()->graph()->setFocus();
        QTest::keyClick(m_window->center()->graph(), Qt::Key_BracketLeft);
        QCOMPARE(document().current(), QStringLiteral("down_depthwise"));
        m_window->center()->setOverlay(OverlayKind::Graphwise);
        // It is the same operation everywhere
        QTRY_VERIFY(m_window->distribution()->hasData());
        QVERIFY(m_window->inspector()->slot() >= 0);
        QVERIFY(std::any_of(document().problems().rows().begin(), document().problems().rows().end(),
                            [](const ProblemInfo &p) { return p.op == "down_depthwise"; }));

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
        QTRY_VERIFY_WITH_TIMEOUT(document().requests().job().progress.fraction > 0, 60000);
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
        settle();
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

    /// A graph of 10,000 operations is laid out and seen as a whole.
    void largeGraph()
    {
        api::Inspection inspection;
        inspection.model.path = "large.onnx";
        for (int i = 0; i < 10000; ++i) {
            const std::string in = "t" + std::to_string(i), out = "t" + std::to_string(i + 1);
            api::InspectedOperation &op = inspection.operations.emplace_back();
            op.name = "/block" + std::to_string(i / 10) + "/op" + std::to_string(i);
            op.type = i % 3 == 2 ? "Add" : "Conv";
            op.platform = "TRT_INT8";
            op.quantized = true;
            op.reason = "because";
            op.inputs = {in};
            if (i % 3 == 2) op.inputs.push_back("t" + std::to_string(i - 1));
            op.outputs = {out};
            inspection.tensors.push_back({out, "float32", "1x64x56x56", false, {}});
        }
        const GraphPtr graph = graphFromInspection(inspection);
        GraphView view;
        view.resize(1200, 800);
        view.show();
        LayoutJob job;
        ScenePtr scene;
        connect(&job, &LayoutJob::finished, this, [&](const ScenePtr &s) { scene = s; });
        job.start(graph, {}, {});
        QTRY_VERIFY(scene != nullptr);
        view.setScene(scene);
        // All of it can be seen, however long it is
        view.fitAll();
        QTRY_VERIFY(
            QRectF(view.rect())
                .contains(QRectF(view.toWidget(scene->bounds.topLeft()), view.toWidget(scene->bounds.bottomRight()))));
        QTRY_VERIFY(!view.isGliding());
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
    }
};

QL_TEST(TestWindow)
#include "tst_window.moc"
