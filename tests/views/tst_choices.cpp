// Choices in the tool bar, in the header of the table and by commands: platform, columns, engine.
#include "tests/support/test_main.h"
#include "tests/views/answer_dialog.h"
#include "tests/views/recipe_json.h"
#include "tests/views/window_fixture.h"
#include "views/models/operation_model.h"
#include "views/panels/table_export.h"
#include "views/window/center_view.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>

using namespace ql;

class TestChoices : public QObject
{
    Q_OBJECT

private:
    WindowFixture m;

    QMenu *platformMenu() { return m.window->findChild<QToolButton *>(QStringLiteral("platformChip"))->menu(); }
    QMenu *dispatcherMenu()
    {
        for (const QAction *action : platformMenu()->actions())
            if (action->menu()) return action->menu();
        return nullptr;
    }
    /// First words of the ticked entries.
    static QStringList ticked(const QMenu *menu)
    {
        QStringList names;
        for (const QAction *action : menu->actions())
            if (action->isChecked()) names.append(action->text().section(QLatin1Char(' '), 0, 0));
        return names;
    }
    static QAction *entry(const QMenu *menu, const QString &name)
    {
        for (QAction *action : menu->actions())
            if (action->text().section(QLatin1Char(' '), 0, 0) == name) return action;
        return nullptr;
    }
    QAction *command(const QString &text)
    {
        for (QAction *action : m.window->allActions())
            if (action->text() == text) return action;
        return nullptr;
    }

private Q_SLOTS:
    void initTestCase() { m.prepare(); }
    void init()
    {
        m.show();
        m.open();
    }
    void cleanup() { m.close(); }

    /// The menu of the tool bar ticks the platform, and the dispatcher that is at work: the platform's or another one.
    void platformMenuChecksTheCurrentPlatform()
    {
        const QString rknn = QStringLiteral("RKNN_INT8"), trt = QStringLiteral("TRT_INT8");
        QCOMPARE(ticked(platformMenu()), QStringList{rknn});
        QCOMPARE(ticked(dispatcherMenu()), QStringList{QStringLiteral("conservative")});
        entry(platformMenu(), trt)->trigger();
        QCOMPARE(m.document().recipe().platform, trt.toStdString());
        QCOMPARE(ticked(platformMenu()), QStringList{trt});
        entry(platformMenu(), trt)->trigger(); // again: nothing changes
        QCOMPARE(ticked(platformMenu()), QStringList{trt});
        entry(dispatcherMenu(), QStringLiteral("aggressive"))->trigger();
        QCOMPARE(m.document().recipe().dispatcher, std::string("aggressive"));
        QCOMPARE(ticked(dispatcherMenu()), QStringList{QStringLiteral("aggressive")});
        m.document().undoStack().undo();
        QCOMPARE(ticked(dispatcherMenu()), QStringList{QStringLiteral("conservative")});
        m.document().undoStack().undo();
        QCOMPARE(ticked(platformMenu()), QStringList{rknn});
    }

    /// A preset changes the pipeline by one undoable edit.
    void presetsChangeThePipeline()
    {
        const QMenu *presets = nullptr;
        for (const QAction *action : platformMenu()->actions())
            if (action->menu() && action->text() == QLatin1String("Preset")) presets = action->menu();
        QVERIFY(presets);
        entry(presets, QStringLiteral("DSP"))->trigger();
        const auto passes = m.document().recipe().passes;
        QVERIFY(passes && passes->front().enabled);
        QCOMPARE(passes->front().params.at("iterations"), nlohmann::json(3));
        m.document().undoStack().undo();
        QVERIFY(!m.document().recipe().passes);
    }

    /// The platform of the sample's recipe has no parameters; TRT_INT8 has.
    void parametersOfThePlatform()
    {
        QAction *params = entry(platformMenu(), QStringLiteral("Parameters…"));
        QVERIFY(params && !params->isEnabled());
        entry(platformMenu(), QStringLiteral("TRT_INT8"))->trigger();
        QVERIFY(params->isEnabled());
        QStringList texts;
        answerNext<QDialog>(this, [&](QDialog &dialog) {
            for (const QLabel *label : dialog.findChildren<QLabel *>()) texts.append(label->text());
            dialog.accept();
        });
        params->trigger();
        QCOMPARE(m.document().recipe().platformParams.at("bits"), nlohmann::json(8));
        QVERIFY2(texts.contains(QStringLiteral("Bits of activations and weights.")), qPrintable(texts.join(u'|')));
    }

    /// A recipe may carry its platform, which the engine does not have.
    void theRecipesOwnPlatform()
    {
        nlohmann::json recipe = m.document().recipeJson();
        recipe["platform"] = "CARRIED";
        recipe["platforms"] = {
            {{"id", "CARRIED"},
             {"title", "Carried"},
             {"extends", "TRT_INT8"},
             {"dispatcher", "aggressive"},
             {"params", {{{"name", "depth"}, {"type", "int"}, {"default", 3}, {"meaning", "Depth."}}}}}};
        replaceRecipe(m.document(), QStringLiteral("Platform"), recipe);
        QCOMPARE(ticked(dispatcherMenu()), QStringList{QStringLiteral("aggressive")});
        QCOMPARE(ticked(platformMenu()), QStringList{QStringLiteral("CARRIED")});
        entry(platformMenu(), QStringLiteral("TRT_INT8"))->trigger();
        entry(platformMenu(), QStringLiteral("CARRIED"))->trigger();
        QCOMPARE(m.document().recipe().platform, std::string("CARRIED"));
        QAction *params = entry(platformMenu(), QStringLiteral("Parameters…"));
        QVERIFY(params->isEnabled());
        answerNext<QDialog>(this, [](QDialog &dialog) { dialog.accept(); });
        params->trigger();
        QCOMPARE(m.document().recipe().platformParams.at("depth"), nlohmann::json(3));
        for (const QAction *action : platformMenu()->actions())
            if (action->menu() && action->text() == QLatin1String("Preset"))
                entry(action->menu(), QStringLiteral("DSP"))->trigger();
        QVERIFY(m.document().recipe().passes);
        recipe.erase("platforms");
        recipe["platform"] = "TRT_INT8";
        replaceRecipe(m.document(), QStringLiteral("Platform"), recipe);
        QVERIFY(!entry(platformMenu(), QStringLiteral("CARRIED")));
    }

    void theModelIsCut()
    {
        command(QStringLiteral("End before unsupported operations"))->trigger();
        QVERIFY(m.document().recipe().cut.beforeUnsupported);
        const GraphPtr graph = m.document().graph();
        const OperationInfo &op = graph->operations[1];
        m.document().setCurrent(op.name);
        const std::string tensor = graph->tensors[op.outputs[0]].name.toStdString();
        command(QStringLiteral("End at the selected operations"))->trigger();
        QCOMPARE(m.document().recipe().cut.outputs, std::vector<std::string>{tensor});
        command(QStringLiteral("Use the whole model"))->trigger();
        QVERIFY(m.document().recipe().cut.empty());
    }

    /// A right click on the header lists the columns; the checked ones are shown, also in the next window.
    void columnsAreChosen()
    {
        const auto toggle = [&](const QString &column) {
            m.window->center()->showTable(true);
            QHeaderView *heads = m.window->center()->table()->horizontalHeader();
            QTimer answer;
            bool isFound = false;
            connect(&answer, &QTimer::timeout, this, [&] {
                auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
                if (!menu) return;
                answer.stop();
                for (QAction *action : menu->actions())
                    if (action->text() == column) {
                        isFound = true;
                        return QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
                    }
                menu->close();
            });
            answer.start(20);
            const QPoint at = heads->viewport()->rect().center();
            QContextMenuEvent event(QContextMenuEvent::Mouse, at, heads->viewport()->mapToGlobal(at));
            QApplication::sendEvent(heads->viewport(), &event);
            QVERIFY2(isFound, qPrintable(column));
        };
        const auto isShown = [&](OperationModel::Column column) {
            return !m.window->center()->table()->isColumnHidden(column);
        };
        QVERIFY(isShown(OperationModel::Cosine) && !isShown(OperationModel::Graphwise));
        toggle(QStringLiteral("Graphwise noise"));
        toggle(QStringLiteral("Cosine"));
        QVERIFY(!isShown(OperationModel::Cosine) && isShown(OperationModel::Graphwise));
        m.close();
        m.show();
        m.open();
        QVERIFY(!isShown(OperationModel::Cosine) && isShown(OperationModel::Graphwise));
        toggle(QStringLiteral("Graphwise noise"));
        toggle(QStringLiteral("Cosine"));
        QVERIFY(isShown(OperationModel::Cosine) && !isShown(OperationModel::Graphwise));
    }

    /// Texts are made once: the program starts again with what was open.
    void anotherLanguageOffersARestart()
    {
        QAction *chinese = command(QStringLiteral("Language: 简体中文"));
        QVERIFY(chinese && !chinese->isChecked());
        chinese->trigger();
        QCOMPARE(QSettings().value(QStringLiteral("language")).toString(), QStringLiteral("zh_CN"));
        auto *restart = m.window->findChild<QPushButton *>(QStringLiteral("messageAction"));
        QVERIFY(restart->isVisible());
        QTest::mouseClick(restart, Qt::LeftButton);
        QTRY_VERIFY(!m.window->isVisible());
        QCOMPARE(qApp->property(restartFile).toString(), m.file());
        qApp->setProperty(restartFile, {});
        QSettings().remove(QStringLiteral("language"));
    }

    /// Another command starts another engine, also for the next window; one that does not start is reported, and the
    /// previous one is a choice away.
    void anotherEngineIsChosen()
    {
        const QStringList first = m.window->engine().command();
        const QString cli = QStringLiteral(QL_BIN "/quantloupe-cli"), none = m.folder.filePath(QStringLiteral("none"));
        const QString second = QStringLiteral("\"%1\" serve --no-cache").arg(cli);
        QTRY_VERIFY_WITH_TIMEOUT(m.window->engine().state() == EngineClient::State::Ready, 60000);
        const auto choose = [&](const QString &text, bool accept) {
            answerNext<QInputDialog>(this, [&](QInputDialog &dialog) {
                QCOMPARE(dialog.textValue(), m.window->engine().command().join(QLatin1Char(' ')));
                dialog.setTextValue(text);
                accept ? dialog.accept() : dialog.reject();
            });
            command(QStringLiteral("&Engine…"))->trigger();
        };
        choose(second, false);
        QCOMPARE(m.window->engine().command(), first);
        choose(second, true);
        const QStringList chosen{cli, QStringLiteral("serve"), QStringLiteral("--no-cache")};
        QCOMPARE(m.window->engine().command(), chosen);
        QTRY_VERIFY_WITH_TIMEOUT(m.window->engine().state() == EngineClient::State::Ready, 60000);
        m.run();
        MainWindow next;
        QCOMPARE(next.engine().command(), chosen);

        choose(none, true);
        QTRY_VERIFY_WITH_TIMEOUT(m.window->engine().state() == EngineClient::State::Failed, 60000);
        QTRY_VERIFY2(m.window->message().contains(none), qPrintable(m.window->message()));
        choose(second, true);
        QTRY_VERIFY_WITH_TIMEOUT(m.window->engine().state() == EngineClient::State::Ready, 60000);
        QSettings().remove(QStringLiteral("engine"));
    }

    /// As CSV, in the order of its rows.
    void tableIsCopied()
    {
        m.run();
        const QAbstractItemModel &table = *m.window->center()->table()->model();
        QTRY_VERIFY(table.index(0, OperationModel::GraphwiseSqnr).data().toString().endsWith(QStringLiteral("dB")));
        m.window->center()->table()->sortByColumn(OperationModel::GraphwiseSqnr, Qt::AscendingOrder);
        for (const QMenu *menu : m.window->findChildren<QMenu *>()) {
            if (menu->title() != QStringLiteral("Save the operation &table")) continue;
            for (QAction *action : menu->actions())
                if (action->text() == QStringLiteral("Copy table")) action->trigger();
        }
        const QString text = QApplication::clipboard()->text();
        QApplication::clipboard()->clear();
        QCOMPARE(text, tableCsv(table));
        const QStringList lines = text.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), table.rowCount() + 1);
        QVERIFY(lines[0].startsWith(QStringLiteral("\"#\",\"Operation\"")));
        QVERIFY(lines[1].contains(table.index(0, OperationModel::Name).data().toString()));
    }
};

QL_TEST(TestChoices)
#include "tst_choices.moc"
