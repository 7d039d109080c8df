// Docks: hidden on the start page, named layouts saved and restored, and the list of shortcuts.
#include "tests/support/test_main.h"
#include "tests/views/answer_dialog.h"
#include "tests/views/window_fixture.h"
#include "views/panels/distribution_panel.h"
#include "views/panels/export_dialog.h"
#include "views/panels/inspector.h"
#include "views/panels/manual_dialog.h"
#include "views/panels/scale_group_card.h"
#include "views/panels/side_panels.h"
#include "views/window/breadcrumbs.h"
#include "views/window/center_view.h"
#include "views/window/dock.h"
#include "views/window/translation.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QStyleOptionComboBox>
#include <QTabBar>
#include <QTableView>
#include <QTextBrowser>
#include <QToolButton>
#include <algorithm>

using namespace ql;

class TestLayouts : public QObject
{
    Q_OBJECT

private:
    WindowFixture m;
    Dock *dock(const char *name) { return m.window->dock(QLatin1String(name)); }
    QAction *layoutAction(const QString &text)
    {
        for (QMenu *menu : m.window->findChildren<QMenu *>())
            for (QAction *action : menu->actions())
                if (action->text() == text && !action->menu()) return action;
        return nullptr;
    }

private Q_SLOTS:
    void initTestCase() { m.prepare(); }
    void init()
    {
        QSettings().clear(); // docks as they are at first
        m.show();
    }
    void cleanup() { m.close(); }

    void tabsAreComplete_data() { WindowFixture::addLanguages(); }
    /// The text of the current tab is bold, and must not cost the last tab its end: in both themes.
    void tabsAreComplete()
    {
        QFETCH(QString, language);
        for (const auto theme : {ThemeManager::Choice::Light, ThemeManager::Choice::Dark}) {
            ThemeManager::instance().choose(theme);
            m.showIn(language);
            m.open();
            m.window->resize(1280, 800);
            for (Dock *d : m.window->findChildren<Dock *>())
                for (const QString &page : d->pages()) {
                    d->showPage(page);
                    settle();
                    auto *tabs = d->titleBarWidget()->findChild<QTabBar *>();
                    QTRY_VERIFY2(tabs->tabRect(tabs->count() - 1).right() < tabs->width(), qPrintable(page));
                }
        }
        ThemeManager::instance().choose(ThemeManager::Choice::System);
    }

    void startPageHasTheWindowToItself()
    {
        for (const Dock *d : m.window->findChildren<Dock *>()) QVERIFY(!d->isVisible());
        for (const DockEdge *edge : m.window->findChildren<DockEdge *>()) QVERIFY(!edge->isVisible());
        m.open();
        for (const char *name : {"pipeline", "runs", "inspector", "distribution", "errors", "problems"})
            QVERIFY2(!dock(name)->isHidden(), name);
    }

    void smallScreen_data() { WindowFixture::addLanguages(); }
    /// A screen of 1024 x 768 fits the window, with everything in the tool bar and every button complete.
    void smallScreen()
    {
        QFETCH(QString, language);
        m.showIn(language);
        m.open();
        m.run();
        m.document().setCurrent(QStringLiteral("down_depthwise"));
        m.window->resize(1024, 768);
        settle();
        const QSize least = m.window->minimumSizeHint(), size = m.window->size();
        installTranslation(QLocale(QStringLiteral("en")));
        QVERIFY2(least.width() <= 1024 && least.height() <= 768,
                 qPrintable(QStringLiteral("%1x%2").arg(least.width()).arg(least.height())));
        QCOMPARE(size, QSize(1024, 768));
        QVERIFY(m.window->findChild<QLineEdit *>(QStringLiteral("search"))->isVisible());
        for (const QToolButton *button : m.window->findChildren<QToolButton *>()) {
            if (!button->isVisible() || button->text().isEmpty() || button->maximumWidth() < QWIDGETSIZE_MAX) continue;
            QTRY_VERIFY2(button->width() >= button->sizeHint().width(), qPrintable(button->text()));
        }
    }

    /// At the initial window size no text of a panel is cut off.
    void panelsHoldTheirContents()
    {
        m.open();
        m.run();
        m.document().setCurrent(QStringLiteral("down_depthwise"));
        auto *card = m.window->inspector()->findChild<ScaleGroupCard *>();
        QVERIFY(card);
        QTRY_VERIFY(card->isVisible());
        QTRY_COMPARE(card->visibleRegion().boundingRect(), card->rect());
        // A member leads to its operation
        QPushButton *other = nullptr;
        const auto find = [&] {
            for (auto *chip : card->findChildren<QPushButton *>())
                if (chip->isVisible() && chip->property("operation").toString() != m.document().current()) other = chip;
            return other != nullptr;
        };
        QTRY_VERIFY(find());
        const QString name = other->property("operation").toString();
        QTest::mouseClick(other, Qt::LeftButton);
        QCOMPARE(m.document().current(), name);

        QTRY_VERIFY_WITH_TIMEOUT(m.window->distribution()->hasData(), 60000);
        const auto *plot = m.window->distribution()->findChild<QWidget *>(QStringLiteral("plot"));
        const auto isCovered = [&] {
            const auto labels = m.window->distribution()->findChildren<QLabel *>();
            return std::any_of(labels.begin(), labels.end(), [&](const QLabel *label) {
                return label->isVisible() && label->geometry().intersects(plot->geometry());
            });
        };
        QTRY_VERIFY(!isCovered()); // the new texts are laid out after the events of the data
        QVector<QTabBar *> bars;
        for (const Dock *d : m.window->findChildren<Dock *>()) bars += d->titleBarWidget()->findChildren<QTabBar *>();
        QVERIFY(!bars.isEmpty());
        for (const QTabBar *bar : bars)
            for (int tab = 0; tab < bar->count(); ++tab) {
                QFont bold = bar->font();
                bold.setWeight(QFont::DemiBold);
                QVERIFY2(bar->elideMode() == Qt::ElideNone &&
                             bar->tabRect(tab).width() >= QFontMetrics(bold).horizontalAdvance(bar->tabText(tab)),
                         qPrintable(bar->tabText(tab)));
            }
        // The errors are at visible positions
        QTableView *table = m.window->center()->table();
        m.window->center()->showTable(true);
        for (const int column : {OperationModel::GraphwiseSqnr, OperationModel::LayerwiseSqnr, OperationModel::Change})
            QTRY_VERIFY(table->columnViewportPosition(column) + table->columnWidth(column) <=
                        table->viewport()->width());
    }

    void narrowWindowKeepsSearchAndPath()
    {
        m.open();
        m.window->resize(1280, 800);
        settle();
        auto *search = m.window->findChild<QLineEdit *>(QStringLiteral("search"));
        QTRY_VERIFY(search->isVisible() && search->width() >= 150);
        auto *path = m.window->findChild<Breadcrumbs *>();
        QTRY_VERIFY(path->button(0)->isVisible());
        QTRY_VERIFY2(path->button(0)->text().size() > 5, qPrintable(path->button(0)->text()));
        m.window->center()->setOverlay(OverlayKind::Graphwise); // has the widest legend
        settle();
        QTRY_VERIFY2(path->button(0)->text().size() > 5, qPrintable(path->button(0)->text()));
        // What was chosen is whole
        const auto *colour = m.window->findChild<QComboBox *>(QStringLiteral("overlay"));
        QStyleOptionComboBox option;
        option.initFrom(colour);
        const int text =
            colour->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, colour).width();
        QVERIFY2(text >= colour->fontMetrics().horizontalAdvance(colour->currentText()),
                 qPrintable(colour->currentText()));
        m.window->resize(1600, 900);
        QTRY_VERIFY(m.window->findChild<QToolButton *>(QStringLiteral("platformChip"))
                        ->text()
                        .startsWith(QStringLiteral("Platform")));
    }

    void namedLayoutComesBack()
    {
        m.open();
        dock("pipeline")->hide();
        answerNext<QInputDialog>(m.window.get(), [](QInputDialog &dialog) {
            dialog.setTextValue(QStringLiteral("宽 wide"));
            dialog.accept();
        });
        QAction *save = layoutAction(QStringLiteral("Save this layout as…"));
        QVERIFY(save);
        save->trigger();
        dock("pipeline")->show();
        dock("errors")->hide();
        QAction *restore = layoutAction(QStringLiteral("宽 wide"));
        QVERIFY(restore);
        restore->trigger();
        QVERIFY(dock("pipeline")->isHidden());
        QVERIFY(!dock("errors")->isHidden());
    }

    /// The menu shows a panel, and folds its dock when the panel is seen already.
    void panelsAreShownAndFolded()
    {
        m.open();
        const auto isSeen = [&](const QWidget *widget) {
            return widget->isVisible() && !widget->visibleRegion().isEmpty();
        };
        QAction *jobs = layoutAction(QStringLiteral("Jobs and log"));
        QAction *problems = layoutAction(dock("problems")->title(QStringLiteral("problems")));
        QVERIFY(jobs && problems);
        QTRY_VERIFY(problems->isChecked() && !jobs->isChecked());
        jobs->trigger();
        QTRY_VERIFY(isSeen(m.window->jobs()));
        QTRY_VERIFY(jobs->isChecked() && !problems->isChecked());
        jobs->trigger();
        QVERIFY(dock("problems")->isHidden());
        QTRY_VERIFY(!jobs->isChecked() && !problems->isChecked());
        problems->trigger();
        QTRY_VERIFY(dock("problems")->isVisible() && !isSeen(m.window->jobs()));
    }

    /// The button in the title folds a dock to a tab at its edge for each of its panels; a click on one brings it back.
    /// Also a narrow one, when its pages change and come back.
    void dockKeepsItsWidth()
    {
        m.window->resize(1280, 800);
        m.open();
        settle();
        const int before = dock("pipeline")->width();
        for (const char *page : {"recipe", "pipeline", "recipe", "pipeline"}) {
            dock("pipeline")->showPage(QLatin1String(page));
            settle();
            QCOMPARE(dock("pipeline")->width(), before);
        }
    }

    void dockFoldsToATab()
    {
        m.open();
        const auto tabOf = [&](const char *page) {
            return m.window->findChild<QAbstractButton *>(QStringLiteral("folded ") + QLatin1String(page));
        };
        const int before = m.window->center()->width();
        QToolButton *fold = nullptr;
        for (QToolButton *button : dock("pipeline")->titleBarWidget()->findChildren<QToolButton *>())
            if (button->accessibleName() == QStringLiteral("Collapse to a tab")) fold = button;
        QVERIFY(fold && fold->isVisible());
        QTest::mouseClick(fold, Qt::LeftButton);
        dock("runs")->hide();
        QTRY_VERIFY(m.window->center()->width() > before + 200);
        QTRY_VERIFY(tabOf("pipeline") && tabOf("recipe") && tabOf("runs"));
        // A new tab gets its size only when the bar has been laid out.
        QTRY_VERIFY(tabOf("recipe")->isVisible() && tabOf("recipe")->height() > tabOf("recipe")->width());
        QTest::mouseClick(tabOf("recipe"), Qt::LeftButton);
        QTRY_VERIFY(dock("pipeline")->isVisible());
        QCOMPARE(dock("pipeline")->page(), QStringLiteral("recipe"));
        QTRY_VERIFY(!tabOf("recipe") && tabOf("runs"));
        QTest::keyClick(tabOf("runs"), Qt::Key_Space);
        QTRY_VERIFY(dock("runs")->isVisible() && !tabOf("runs"));
    }

    /// Title and tools of each dock, with buttons that are easy to hit.
    void titleIsOneRow()
    {
        m.open();
        m.run();
        int seen = 0;
        for (const Dock *dock : m.window->findChildren<Dock *>()) {
            const QWidget *title = dock->titleBarWidget();
            if (!title->isVisible()) continue;
            constexpr int least = 24;
            QTRY_VERIFY2(title->height() < 2 * least, qPrintable(dock->objectName()));
            for (const auto *button : title->findChildren<QAbstractButton *>()) {
                if (!button->isVisible()) continue;
                ++seen;
                QTRY_VERIFY2(button->width() >= least && button->height() >= least, // also one that has just appeared
                             qPrintable(QStringLiteral("%1: %2 x %3")
                                            .arg(button->accessibleName())
                                            .arg(button->width())
                                            .arg(button->height())));
            }
        }
        QVERIFY(seen > 10);
    }

    /// Scale, range and scale group of a slot, in a window of 1600 x 1000.
    void scaleIsSeenWithoutScrolling()
    {
        m.window->resize(1600, 1000);
        m.open();
        m.run();
        const Inspector *inspector = m.window->inspector();
        const auto isWhole = [](const QWidget *widget) {
            return widget && widget->isVisible() && widget->visibleRegion().boundingRect() == widget->rect();
        };
        bool hasGroup = false;
        for (const OperationInfo &op : m.document().graph()->operations) {
            if (!op.isQuantized) continue;
            m.document().setCurrent(op.name);
            for (const char *name : {"scale", "range"}) {
                const auto isSeen = [&] {
                    const auto *field = inspector->findChild<QWidget *>(QLatin1String(name));
                    return !field || isWhole(field);
                };
                QTRY_VERIFY2(isSeen(), qPrintable(op.name + QLatin1Char(' ') + QLatin1String(name)));
            }
            if (const auto *card = inspector->findChild<ScaleGroupCard *>(); card->isVisible()) {
                QTRY_VERIFY2(isWhole(card), qPrintable(op.name));
                hasGroup = true;
            }
        }
        QVERIFY(hasGroup && inspector->findChild<QWidget *>(QStringLiteral("scale")));
    }

    /// Tools that do not fit into a narrow title row are in a menu at its end.
    void hiddenToolsAreInAMenu()
    {
        m.open();
        const auto moreOf = [&](const char *name) -> QToolButton * {
            for (QToolButton *button : dock(name)->titleBarWidget()->findChildren<QToolButton *>())
                if (button->accessibleName() == QStringLiteral("More tools")) return button;
            return nullptr;
        };
        m.window->resize(2400, 900);
        m.window->resizeDocks({dock("distribution")}, {700}, Qt::Horizontal);
        QTRY_VERIFY(moreOf("distribution") && !moreOf("distribution")->isVisible());
        m.window->resizeDocks({dock("distribution")}, {250}, Qt::Horizontal);
        QTRY_VERIFY(moreOf("distribution")->isVisible());
        QMenu *menu = moreOf("distribution")->menu();
        Q_EMIT menu->aboutToShow();
        QAction *channels = nullptr;
        for (QAction *action : menu->actions())
            if (action->text() == QStringLiteral("channels")) channels = action;
        QVERIFY(channels);
        channels->trigger();
        QCOMPARE(m.window->distribution()->mode(), DistributionPanel::Mode::Channels);
    }

    void lowWindowLeavesRoomForTheGraph_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<int>("boxes");
        QTest::newRow("1280 x 800") << QSize(1280, 800) << 8;
        QTest::newRow("2560 x 1440 at 200 %") << QSize(1280, 720) << 6;
    }
    /// Boxes that are whole in the first look at a graph, with texts that can be read.
    void lowWindowLeavesRoomForTheGraph()
    {
        QFETCH(QSize, size);
        QFETCH(int, boxes);
        m.close();
        QSettings().clear();
        m.window = std::make_unique<MainWindow>(QStringList{QStringLiteral(QL_BIN "/quantloupe-cli"),
                                                            QStringLiteral("serve"), QStringLiteral("--no-cache")});
        m.window->resize(size);
        m.window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m.window.get(), patienceMs));
        m.open();
        QTRY_VERIFY(dock("problems")->isHidden());
        const GraphView *graph = m.window->center()->graph();
        QTRY_VERIFY(graph->scene());
        const auto whole = [&] {
            int count = 0;
            for (int n = 0; n < graph->scene()->boxes.size(); ++n) {
                const QRectF &box = graph->scene()->boxes[n];
                const QRectF shown(graph->toWidget(box.topLeft()), graph->toWidget(box.bottomRight()));
                count += graph->scene()->view.nodes[n].kind == ViewNode::Kind::Operation &&
                         QRectF(graph->rect()).contains(shown);
            }
            return count;
        };
        QTRY_VERIFY2(whole() >= boxes, qPrintable(QString::number(whole())));
        QTRY_VERIFY2(graph->zoom() >= 0.8, qPrintable(QString::number(graph->zoom())));
    }

    /// Also from a dialog, which keeps the keys of the window away.
    void manualFromADialog()
    {
        m.open();
        bool isShown = false;
        answerNext<ExportDialog>(m.window.get(), [&](ExportDialog &dialog) {
            QTest::keyClick(&dialog, Qt::Key_F1);
            auto *manual = dialog.findChild<ManualDialog *>();
            isShown = manual && manual->isVisible();
            dialog.close();
        });
        for (QAction *action : m.window->allActions())
            if (action->shortcut() == QKeySequence(QStringLiteral("Ctrl+E"))) action->trigger();
        QVERIFY(isShown);
        QVERIFY(!m.window->findChild<ManualDialog *>());
    }

    void questionMarkListsTheShortcuts()
    {
        QString text;
        answerNext<QDialog>(m.window.get(), [&](QDialog &dialog) {
            text = dialog.findChild<QTextBrowser *>()->toPlainText();
            dialog.close();
        });
        QTest::keyClick(m.window.get(), Qt::Key_Question);
        for (const char *key : {"F5", "Ctrl+E", "Ctrl+K", "Space", "F1"})
            QVERIFY2(text.contains(QLatin1String(key)), key);
    }
};

QL_TEST(TestLayouts)
#include "tst_layouts.moc"
