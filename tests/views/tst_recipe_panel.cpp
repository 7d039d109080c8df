// The lists of the recipe in their panel, on the real engine.
#include "tests/support/test_main.h"
#include "tests/views/recipe_json.h"
#include "tests/views/window_fixture.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/run_history.h"
#include "views/commands/recipe_command.h"
#include "views/panels/recipe_panel.h"
#include "views/window/dock.h"

#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>
#include <QTreeWidget>
#include <algorithm>

using namespace ql;
using nlohmann::json;

class TestRecipePanel : public QObject
{
    Q_OBJECT

    WindowFixture m_fixture;
    RecipePanel *m_panel = nullptr;

    Document &document() { return m_fixture.document(); }
    QTreeWidget *tree() { return m_panel->findChild<QTreeWidget *>(); }
    QTreeWidgetItem *section(int list) { return tree()->topLevelItem(list); }
    QMenu *toolMenu(const QString &button)
    {
        for (QToolButton *candidate : m_panel->tools()->findChildren<QToolButton *>())
            if (candidate->accessibleName() == button) return candidate->menu();
        return nullptr;
    }
    /// An entry of the menu of the panel's tools.
    QAction *command(const QString &text)
    {
        for (QAction *action : toolMenu(QStringLiteral("Order of the entries"))->actions())
            if (action->text() == text) return action;
        return nullptr;
    }
    QAction *addAction(const QStringList &path)
    {
        QMenu *menu = toolMenu(QStringLiteral("Add a rule, an analysis or an export"));
        Q_EMIT menu->aboutToShow();
        QAction *found = nullptr;
        for (const QString &text : path) {
            found = nullptr;
            for (QAction *action : menu->actions())
                if (action->text() == text) found = action;
            if (found && found->menu()) menu = found->menu();
        }
        return found;
    }

private Q_SLOTS:
    void initTestCase() { m_fixture.isolate(); }
    void init()
    {
        m_fixture.writeRecipe("TRT_INT8");
        m_fixture.show();
        m_fixture.open();
        QTRY_VERIFY_WITH_TIMEOUT(!document().history().configs().isEmpty(), 60000);
        m_fixture.window->dock(QStringLiteral("pipeline"))->showPage(QStringLiteral("recipe"));
        m_panel = m_fixture.window->findChild<RecipePanel *>();
        QTRY_VERIFY(m_panel->isVisible() && tree()->topLevelItemCount() == 4);
    }
    void cleanup() { m_fixture.close(); }

    void rulesAreAddedEditedMovedAndRemoved()
    {
        document().setCurrent(QStringLiteral("stem"));
        addAction({QStringLiteral("Dispatch rule")})->trigger();
        QCOMPARE(document().recipeJson()["dispatch"].dump(), std::string(R"([{"op":"stem","platform":"FP32"}])"));
        QCOMPARE(section(0)->childCount(), 1);
        QCOMPARE(tree()->currentItem(), section(0)->child(0));
        QCOMPARE(section(0)->child(0)->text(0), QStringLiteral("stem"));
        QCOMPARE(section(0)->child(0)->text(1), QStringLiteral("FP32"));
        // The text of the entry is the entry; invalid text is refused and nothing is lost
        auto *text = m_panel->findChild<QPlainTextEdit *>(QStringLiteral("recipeEntry"));
        auto *apply = m_panel->findChild<QPushButton *>(QStringLiteral("applyEntry"));
        QVERIFY(!apply->isEnabled());
        text->setPlainText(QStringLiteral("{\"types\": [\"Conv\"], \"platform\": "));
        QTest::mouseClick(apply, Qt::LeftButton);
        QCOMPARE(document().recipeJson()["dispatch"][0]["op"], json("stem"));
        QVERIFY(text->toPlainText().contains(QStringLiteral("types")));
        // So is a misspelt key, with the nearest known one
        text->setPlainText(QStringLiteral("{\"types\": [\"Conv\"],\n\"platfrom\": \"FP32\"}"));
        QTest::mouseClick(apply, Qt::LeftButton);
        QCOMPARE(document().recipeJson()["dispatch"][0]["op"], json("stem"));
        const QList<QLabel *> labels = m_panel->findChildren<QLabel *>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel *label) {
            return label->text().contains(
                QStringLiteral("line 2: platfrom: unknown key 'platfrom'. Did you mean 'platform'?"));
        }));
        text->setPlainText(QStringLiteral("{\"types\": [\"Conv\"], \"platform\": \"FP32\"}"));
        QTest::mouseClick(apply, Qt::LeftButton);
        QCOMPARE(document().recipeJson()["dispatch"][0].dump(), std::string(R"({"platform":"FP32","types":["Conv"]})"));
        QTRY_VERIFY(!document().requests().isInspecting() &&
                    !document().graph()->operations[document().graph()->find(QStringLiteral("stem"))].isQuantized);
        // A click highlights its operations
        QSignalSpy marked(m_panel, &RecipePanel::markRequested);
        const QRect place = tree()->visualItemRect(section(0)->child(0));
        QTest::mouseClick(tree()->viewport(), Qt::LeftButton, {}, place.center());
        QCOMPARE(marked.count(), 1);
        int convolutions = 0;
        for (const OperationInfo &op : document().graph()->operations)
            convolutions += op.type == QStringLiteral("Conv");
        QCOMPARE(marked[0][0].toStringList().size(), convolutions);
        QTest::mouseClick(tree()->viewport(), Qt::LeftButton, {}, place.center());
        QVERIFY(marked[1][0].toStringList().isEmpty());
        // The later rule wins, so the order is the user's
        command(QStringLiteral("Duplicate the recipe entry"))->trigger();
        QCOMPARE(section(0)->childCount(), 2);
        addAction({QStringLiteral("Dispatch rule")})->trigger();
        QCOMPARE(document().recipeJson()["dispatch"][2]["op"], json("stem"));
        command(QStringLiteral("Move the recipe entry up"))->trigger();
        QCOMPARE(document().recipeJson()["dispatch"][1]["op"], json("stem"));
        command(QStringLiteral("Remove the recipe entry"))->trigger();
        QCOMPARE(document().recipeJson()["dispatch"].size(), std::size_t(2));
        while (document().undoStack().canUndo()) document().undoStack().undo();
        QVERIFY(document().recipeJson()["dispatch"].empty());
        QCOMPARE(section(0)->childCount(), 0);
    }

    void analysesAndExportsOfTheRecipe()
    {
        QCOMPARE(section(2)->childCount(), 2);
        tree()->setCurrentItem(section(2)->child(1));
        command(QStringLiteral("Remove the recipe entry"))->trigger();
        QCOMPARE(document().recipe().analyses.size(), std::size_t(1));
        QAction *layerwise = addAction({QStringLiteral("Analysis"), QStringLiteral("Layerwise error")});
        QVERIFY(layerwise);
        layerwise->trigger();
        QCOMPARE(document().recipe().analyses.back().id, std::string("layerwise"));
        QAction *native = addAction({QStringLiteral("Export"), QStringLiteral("Quantloupe native")});
        QVERIFY(native);
        native->trigger();
        QCOMPARE(document().recipe().exports.size(), std::size_t(1));
        const QString path = QString::fromStdString(document().recipe().exports[0].path);
        QVERIFY2(path.endsWith(QStringLiteral(".qln")), qPrintable(path));
        // A run writes it
        m_fixture.run();
        QTRY_VERIFY(QFileInfo(QDir(document().folder()).filePath(path)).size() > 1000);
    }

    void overrideShowsItsMatches()
    {
        json recipe = document().recipeJson();
        recipe["overrides"] = {{{"match", {{"types", {"Add"}}, {"role", "output"}}}, {"set", {{"bits", 6}}}},
                               {{"match", {{"op", "no such"}}}, {"set", {{"bits", 6}}}}};
        replaceRecipe(document(), QStringLiteral("two"), recipe);
        QTRY_VERIFY(!document().requests().isInspecting());
        QCOMPARE(section(1)->child(0)->text(1), QStringLiteral("bits 6"));
        QSignalSpy marked(m_panel, &RecipePanel::markRequested);
        tree()->setCurrentItem(section(1)->child(0));
        tree()->setFocus();
        QTest::keyClick(tree(), Qt::Key_Return);
        QCOMPARE(marked.count(), 1);
        const QStringList names = marked[0][0].toStringList();
        QVERIFY(!names.isEmpty());
        for (const QString &name : names)
            QCOMPARE(document().graph()->operations[document().graph()->find(name)].type, QStringLiteral("Add"));
        tree()->setCurrentItem(section(1)->child(1));
        QStringList labels;
        for (const QLabel *label : m_panel->findChildren<QLabel *>())
            if (label->isVisible()) labels.append(label->text());
        QVERIFY(labels.contains(QStringLiteral("It matches nothing in this model.")));
    }
};

QL_TEST(TestRecipePanel)
#include "tst_recipe_panel.moc"
