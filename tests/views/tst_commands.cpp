// The list of all commands: that it is complete, and that commands match their names.
#include "tests/support/test_main.h"
#include "tests/views/answer_dialog.h"
#include "tests/views/window_fixture.h"
#include "views/bridge/engine_requests.h"
#include "views/panels/distribution_panel.h"
#include "views/panels/pipeline_panel.h"
#include "views/panels/side_panels.h"
#include "views/plots/error_plot.h"
#include "views/style/buttons.h"
#include "views/window/command_palette.h"
#include "views/window/translation.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QInputDialog>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QToolButton>
#include <QTreeView>

using namespace ql;

class TestCommands : public QObject
{
    Q_OBJECT

private:
    WindowFixture m;

    QStringList names()
    {
        QStringList list;
        for (const Command &command : commandsOf(*m.window, m.window->allActions())) list.append(command.name);
        return list;
    }
    bool offers(const QString &start)
    {
        const QStringList all = names();
        return std::any_of(all.begin(), all.end(), [&](const QString &name) { return name.startsWith(start); });
    }
    /// Ctrl+K, a few letters and Enter. @returns the selected command
    QString doCommand(const QString &typed)
    {
        QTest::keyClick(m.window.get(), Qt::Key_K, Qt::ControlModifier);
        auto *palette = m.window->findChild<CommandPalette *>();
        if (!palette) return {};
        auto *line = palette->findChild<QLineEdit *>();
        QTest::keyClicks(line, typed);
        const auto *item = palette->findChild<QListWidget *>()->currentItem();
        const QString name = item ? item->text() : QString();
        QTest::keyClick(line, Qt::Key_Return);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        return name;
    }

private Q_SLOTS:
    void initTestCase() { m.prepare(); }
    void init() { m.show(); }
    void cleanup() { m.close(); }

    /// A whole piece of a name comes before names with scattered letters.
    void wholeWordsComeFirst()
    {
        const auto rank = [](const char *typed, const char *name) {
            return fuzzyDistance(QLatin1String(typed), QLatin1String(name));
        };
        QVERIFY(rank("log", "errors: log") < rank("log", "Catalogue"));
        QVERIFY(rank("log", "Catalogue") < rank("log", "Colour by graphwise error"));
        QVERIFY(rank("delete", "Runs: Delete this run") < rank("delete", "Add a pass: Undeleted"));
        QCOMPARE(rank("xyz", "Run"), -1);
        QVERIFY(rank("fta", "Fit all") > 0);
        QCOMPARE(rank("report", "Error: Previous operation of the next part"), -1);
        QCOMPARE(rank("", "Run"), 0);
    }

    /// If nothing is found, no key does anything.
    void nothingFoundDoesNothing()
    {
        QTest::keyClick(m.window.get(), Qt::Key_K, Qt::ControlModifier);
        auto *palette = m.window->findChild<CommandPalette *>();
        QVERIFY(palette);
        auto *line = palette->findChild<QLineEdit *>();
        QTest::keyClicks(line, QStringLiteral("qqqqqq"));
        QCOMPARE(palette->findChild<QListWidget *>()->count(), 1); // that there is none
        const qsizetype windows = QApplication::topLevelWidgets().size();
        QTest::keyClick(line, Qt::Key_Down);
        QTest::keyClick(line, Qt::Key_Return);
        QVERIFY(palette->isVisible());
        QCOMPARE(QApplication::topLevelWidgets().size(), windows);
        palette->close();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }

    void mnemonicsAreUnique_data() { WindowFixture::addLanguages(); }
    /// In a menu and in the menu bar, a letter chooses one entry: with two it only moves between them.
    void mnemonicsAreUnique()
    {
        QFETCH(QString, language);
        m.showIn(language);
        m.open();
        int counted = 0;
        const auto check = [&](const QList<QAction *> &actions) {
            QHash<QChar, QString> known;
            for (const QAction *action : actions) {
                QString text = action->text();
                const qsizetype at = text.replace(QStringLiteral("&&"), QString()).indexOf(QLatin1Char('&'));
                if (at < 0 || at + 1 >= text.size()) continue;
                const QChar letter = text[at + 1].toUpper();
                QVERIFY2(!known.contains(letter), qPrintable(known.value(letter) + QStringLiteral(" and ") + text));
                known.insert(letter, text);
                ++counted;
            }
        };
        check(m.window->menuBar()->actions());
        for (QMenu *menu : m.window->findChildren<QMenu *>()) {
            Q_EMIT menu->aboutToShow();
            check(menu->actions());
            if (QTest::currentTestFailed()) return;
        }
        QVERIFY(counted > 40);
    }

    /// With the keyboard: Alt, E opens the menu, the letter does it.
    void aMnemonicActs()
    {
        m.open();
        m.document().setCurrent(QStringLiteral("down_depthwise"));
        auto *edit = m.window->menuBar()->actions()[1]->menu();
        edit->popup(m.window->mapToGlobal(QPoint(50, 50)));
        QTest::keyClick(edit, Qt::Key_E);
        QCOMPARE(m.document().recipe().dispatch.size(), std::size_t(1));
    }

    void languagesAreFound_data() { WindowFixture::addLanguages(); }
    /// By their English names, too, whatever the language of the window is: who cannot read that looks for another.
    void languagesAreFound()
    {
        QFETCH(QString, language);
        m.showIn(language);
        m.open();
        m.run();
        m.rest();
        const QVector<Command> commands = commandsOf(*m.window, m.window->allActions());
        const QString button = m.window->findChild<QToolButton *>(QStringLiteral("baselineChip"))->text();
        QStringList ticked;
        for (const QAction *action : m.window->allActions())
            if (action->actionGroup() && action->isChecked()) ticked.append(action->text());
        installTranslation(QLocale(QStringLiteral("en")));
        const auto found = [&commands](const QString &typed) {
            QStringList names;
            for (const Command &command : commands)
                if (const int distance = commandDistance(typed, command); distance >= 0 && distance < 1000)
                    names.append(command.name);
            return names.join(QLatin1Char('\n'));
        };
        for (const char *typed : {"langu", "Language: Chinese", "chinese", "语言"})
            QVERIFY2(found(QString::fromUtf8(typed)).contains(QStringLiteral("简体中文")), typed);
        for (const char *typed : {"language", "english"})
            QVERIFY2(found(QLatin1String(typed)).contains(QStringLiteral("English")), typed);
        QVERIFY(found(QStringLiteral("chinese")).count(QLatin1Char('\n')) == 0);
        // The word on a button of the tool bar finds the entries of its menu
        const QString word = button.section(QLatin1Char(' '), 0, 0);
        QVERIFY2(found(word).contains(QStringLiteral("#1")), qPrintable(word));
        // One theme and one language is ticked
        QCOMPARE(ticked.size(), 2);
        QVERIFY2(ticked[1].contains(language == QLatin1String("en") ? QStringLiteral("English")
                                                                    : QStringLiteral("简体中文")),
                 qPrintable(ticked[1]));
    }

    void commandsHaveOtherNames_data() { WindowFixture::addLanguages(); }
    /// In English whatever the language of the window is, and by words that are not in their names.
    void commandsHaveOtherNames()
    {
        QFETCH(QString, language);
        m.showIn(language);
        m.open();
        const QVector<Command> commands = commandsOf(*m.window, m.window->allActions());
        const auto first = [&commands](const char *typed) {
            const Command *best = nullptr;
            int least = 1000; // scattered letters are no match
            for (const Command &command : commands)
                if (const int distance = commandDistance(QString::fromUtf8(typed), command);
                    distance >= 0 && distance < least) {
                    least = distance;
                    best = &command;
                }
            return best && best->action ? plainText(englishOf(best->action->text())) : QString();
        };
        const bool isEnglish = language == QLatin1String("en");
        QCOMPARE(first("report"), QStringLiteral("Export…"));
        QCOMPARE(first("zoom"), QStringLiteral("Fit all"));
        QCOMPARE(first("find next"), QStringLiteral("Find next"));
        QCOMPARE(first("export"), QStringLiteral("Export…"));
        QVERIFY(first("colour by").startsWith(QStringLiteral("Colour by ")));
        QCOMPARE(first("preferences"), QStringLiteral("Model inputs and device…"));
        if (!isEnglish) QCOMPARE(first("报告"), QStringLiteral("Export…"));
        if (!isEnglish) QCOMPARE(first("缩放"), QStringLiteral("Fit all"));
        installTranslation(QLocale(QStringLiteral("en")));
    }

    /// Every action below the window that has a text, however deep in whatever menu, but for the exceptions below.
    void everyActionIsOffered()
    {
        m.open();
        m.run();
        m.rest();
        answerNext<QInputDialog>(this, [](QInputDialog &dialog) {
            dialog.setTextValue(QStringLiteral("mine"));
            dialog.accept();
        });
        QVERIFY(doCommand(QStringLiteral("save this layout")).contains(QStringLiteral("Save this layout as")));
        m.window->pipeline()->savePipeline(QStringLiteral("saved"));
        m.window->pipeline()->view()->setCurrentIndex(m.window->pipeline()->model()->index(1, 0));
        m.window->runsPanel()->view()->setCurrentIndex(m.window->runsPanel()->model()->indexOf(1));

        const QVector<Command> commands = commandsOf(*m.window, m.window->allActions());
        QSet<const QAction *> offered;
        QSet<QString> known;
        for (const Command &command : commands) {
            offered.insert(command.action);
            QVERIFY2(!known.contains(command.name), qPrintable(command.name)); // nobody could distinguish them
            known.insert(command.name);
        }
        int counted = 0;
        for (const QAction *action : m.window->findChildren<QAction *>()) {
            // Not actions but separators and submenus
            if (action->isSeparator() || action->menu() || action->text().isEmpty()) continue;
            // Disabled ones, as in their menu: there is nothing to redo, for example
            if (!action->isEnabled()) continue;
            // In a submenu that was removed when its menu was refilled
            const auto *menu = qobject_cast<const QMenu *>(action->parent());
            if (menu && qobject_cast<const QMenu *>(menu->parent()) &&
                !static_cast<const QMenu *>(menu->parent())->actions().contains(menu->menuAction()))
                continue;
            const bool isRemedy = action->objectName().startsWith(QLatin1String("remedy_")); // maybe of two problems
            QVERIFY2(offered.contains(action) || isRemedy, qPrintable(action->text()));
            counted += offered.contains(action);
        }
        QCOMPARE(counted, int(commands.size()));

        // Of each kind of menu, by distinguishing names
        for (const char *name : {"Open recent: /",
                                 "Save the operation table: Save table as CSV…",
                                 "Layouts: mine",
                                 "Layouts: Remove: mine",
                                 "Draw fused activations in one box",
                                 "Platform: TRT_INT8",
                                 "Platform: Dispatcher: aggressive",
                                 "Run: #1",
                                 "Baseline: #1",
                                 "Add a pass: ",
                                 "Pass pipeline: Pipelines: saved",
                                 "Pass pipeline: Pipelines: Remove: saved",
                                 "Pass pipeline: Duplicate the pass",
                                 "Pass pipeline: Remove the pass",
                                 "Pass pipeline: Move the pass up",
                                 "Runs: Restore this recipe",
                                 "Runs: Copy table",
                                 "Pass pipeline: Copy table",
                                 "errors: Copy image",
                                 "errors: sorted",
                                 "distribution: Save as SVG…",
                                 "distribution: scatter"})
            QVERIFY2(offers(QString::fromUtf8(name)), name);
    }

    void commandsMatchTheirNames()
    {
        m.open();
        QTRY_VERIFY_WITH_TIMEOUT(m.window->pipeline()->model()->rowCount() > 4, 60000);
        m.window->pipeline()->view()->setCurrentIndex(m.window->pipeline()->model()->index(1, 0));
        const int passes = m.window->pipeline()->model()->rowCount();
        QCOMPARE(doCommand(QStringLiteral("duplicate pass")), QStringLiteral("Pass pipeline: Duplicate the pass"));
        QCOMPARE(m.window->pipeline()->model()->rowCount(), passes + 1);
        QVERIFY(
            doCommand(QStringLiteral("remove the pass")).startsWith(QStringLiteral("Pass pipeline: Remove the pass")));
        QCOMPARE(m.window->pipeline()->model()->rowCount(), passes);
        QVERIFY(doCommand(QStringLiteral("platform: trt_int8")).startsWith(QStringLiteral("Platform: TRT_INT8")));
        QCOMPARE(m.document().recipe().platform, std::string("TRT_INT8"));
        const QString copy = QStringLiteral("Pass pipeline: Copy table");
        QCOMPARE(doCommand(copy), copy);
        QVERIFY(QApplication::clipboard()->text().startsWith(QStringLiteral("\"Pass\"")));
        QApplication::clipboard()->clear();

        // The buttons above a plot, and its choices
        for (int i = 0; i < 2; ++i) { // the second time it is chosen already
            QCOMPARE(doCommand(QStringLiteral("distribution: scatter")), QStringLiteral("distribution: scatter"));
            QCOMPARE(m.window->distribution()->mode(), DistributionPanel::Mode::Scatter);
        }
        QVERIFY(!offers(QStringLiteral("distribution: log"))); // a scatter has no such axis
        const bool wasLogarithmic = m.window->errors()->isLogarithmic();
        QCOMPARE(doCommand(QStringLiteral("errors: log")), QStringLiteral("errors: log"));
        QCOMPARE(m.window->errors()->isLogarithmic(), !wasLogarithmic);

        // Delete removes a pass, as the button's tool tip says, but only in the list
        QTreeView *view = m.window->pipeline()->view();
        view->setFocus();
        view->setCurrentIndex(m.window->pipeline()->model()->index(1, 0));
        const int before = m.window->pipeline()->model()->rowCount();
        QTest::keyClick(view, Qt::Key_Delete);
        QCOMPARE(m.window->pipeline()->model()->rowCount(), before - 1);
    }

    /// On the start page nothing is offered that needs a model.
    void nothingIsOfferedTooEarly()
    {
        QTRY_VERIFY_WITH_TIMEOUT(m.document().requests().catalogue(), 60000);
        for (const char *name : {"Platform: ", "Add a pass: ", "Pass pipeline: Pipelines: ",
                                 "Pass pipeline: Remove the pass", "Run: ", "Runs: Delete"})
            QVERIFY2(!offers(QString::fromUtf8(name)), name);
        QVERIFY(offers(QStringLiteral("Open the sample")));
    }

    /// A menu that is refilled while the list is open takes its entries with it.
    void listOutlivesItsActions()
    {
        m.open();
        CommandPalette palette(m.window->allActions(), m.window.get());
        palette.show();
        auto *line = palette.findChild<QLineEdit *>();
        QTest::keyClicks(line, QStringLiteral("open recent: /"));
        QVERIFY(palette.findChild<QListWidget *>()->currentItem()->text().startsWith(QStringLiteral("Open recent")));
        m.open(); // fills that menu
        QTest::keyClick(line, Qt::Key_Return);
        QVERIFY(!palette.isVisible());
    }
};

QL_TEST(TestCommands)
#include "tst_commands.moc"
