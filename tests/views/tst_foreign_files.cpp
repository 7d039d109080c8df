// Files of others in the window, on the real engine: encodings of other tools, and plug-ins.
#include "tests/support/test_main.h"
#include "tests/views/answer_dialog.h"
#include "tests/views/window_test.h"
#include "views/commands/recipe_command.h"
#include "views/panels/plugins_dialog.h"

#include <QHeaderView>
#include <QMenuBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>

using namespace ql;

class TestForeignFiles : public WindowTest
{
    Q_OBJECT

private:
    QAction *action(const QString &text)
    {
        for (QAction *known : m_window->allActions())
            if (known->text() == text) return known;
        return nullptr;
    }
    PluginsDialog *openPlugins()
    {
        action(QStringLiteral("Plu&g-ins and programs…"))->trigger();
        return m_window->findChild<PluginsDialog *>();
    }

private Q_SLOTS:
    void initTestCase() { m_fixture.prepare("RKNN_INT8"); }
    void init()
    {
        m_fixture.show();
        openSmall();
    }
    void cleanup() { m_fixture.close(); }

    /// Our own export of another recipe, next to the float model: one undoable edit, and a run that needs no data.
    void encodingsBecomeTheRecipe()
    {
        QVERIFY(action(QStringLiteral("&Import encodings…")));
        const QString file = m_fixture.folder.filePath(QStringLiteral("sample.encodings.onnx"));
        QSignalSpy written(&document().requests(), &EngineRequests::exported);
        document().requests().exportTo(QStringLiteral("onnx_qdq"), file, nlohmann::json::object());
        QTRY_COMPARE_WITH_TIMEOUT(written.count(), 1, 120000);
        const api::Recipe before = document().recipe();
        const int steps = document().undoStack().count();
        m_window->importEncodings(file);
        QTRY_COMPARE_WITH_TIMEOUT(document().undoStack().count(), steps + 1, 120000);
        QVERIFY2(m_window->message().contains(QStringLiteral("has the scales of sample.encodings.onnx")),
                 qPrintable(m_window->message()));
        QVERIFY(document().recipe().overrides.size() > 10);
        QCOMPARE(document().recipe().calibration, before.calibration);
        QCOMPARE(document().recipe().model, before.model);
        m_fixture.run();
        QVERIFY(document().history().shown()->outputSqnr().has_value());
        document().undoStack().undo();
        QVERIFY(document().recipe() == before);

        // Of another model, or no encodings at all: one message, nothing is changed
        const QString wrong = m_fixture.folder.filePath(QStringLiteral("wrong.json"));
        QFile out(wrong);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write("{\"act_quant_info\": {\"nothing\": 1.0}}");
        out.close();
        m_window->importEncodings(wrong);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->message().contains(QStringLiteral("wrong.json")), 60000);
        QVERIFY(document().recipe() == before);
    }

    /// Added, missing, located, removed: each is an edit; none is loaded unasked.
    void pluginsOfTheRecipe()
    {
        const QString file = m_fixture.folder.filePath(QStringLiteral("libplugin.so")),
                      gone = m_fixture.folder.filePath(QStringLiteral("libgone.so"));
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write("no library");
        out.close();
        PluginsDialog *dialog = openPlugins();
        QTableWidget *programs = dialog->programs();
        const QHeaderView *heads = programs->horizontalHeader();
        const int font = heads->fontMetrics().horizontalAdvance(programs->horizontalHeaderItem(2)->text());
        QVERIFY(heads->sectionSize(2) > 2 * font); // also without rows, the heading fits
        const auto button = [&](const char *name) { return dialog->findChild<QPushButton *>(QLatin1String(name)); };
        QVERIFY(button("addPlugin")->isEnabled());
        dialog->addPlugin(file);
        QCOMPARE(document().recipe().plugins, std::vector<std::string>{"libplugin.so"}); // relative to the recipe
        QTRY_COMPARE_WITH_TIMEOUT(programs->rowCount(), 1, 60000);
        QCOMPARE(programs->item(0, 2)->text(), QStringLiteral("not allowed"));
        QCOMPARE(button("allow")->text(), QStringLiteral("Allow"));
        const QString another = m_fixture.folder.filePath(QStringLiteral("libother.so"));
        QVERIFY(QFile::copy(file, another));
        dialog->addPlugin(another);
        QTRY_COMPARE_WITH_TIMEOUT(programs->rowCount(), 2, 60000);
        QCOMPARE(button("allow")->text(), QStringLiteral("Allow all")); // consent is for all that are listed
        document().undoStack().undo();
        QTRY_COMPARE_WITH_TIMEOUT(programs->rowCount(), 1, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->message().contains(QStringLiteral("libplugin.so")), 60000);
        QTest::mouseClick(button("allow"), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(programs->item(0, 2) ? programs->item(0, 2)->text() : QString(),
                                  QStringLiteral("allowed"), 60000);

        editRecipe(document(), QStringLiteral("Moved"), [](api::Recipe &recipe) { recipe.plugins = {"libgone.so"}; });
        QTRY_COMPARE_WITH_TIMEOUT(programs->item(0, 2) ? programs->item(0, 2)->text() : QString(),
                                  QStringLiteral("missing"), 60000);
        QVERIFY(button("locatePlugin")->isEnabled());
        dialog->locate(0, file);
        QCOMPARE(document().recipe().plugins, std::vector<std::string>{"libplugin.so"});
        QTRY_COMPARE_WITH_TIMEOUT(programs->item(0, 2) ? programs->item(0, 2)->text() : QString(),
                                  QStringLiteral("allowed"), 60000);
        programs->selectRow(0);
        QTest::mouseClick(button("removePlugin"), Qt::LeftButton);
        QVERIFY(document().recipe().plugins.empty());
        document().undoStack().undo();
        QCOMPARE(document().recipe().plugins.size(), std::size_t(1));
        document().undoStack().redo();
        dialog->close();
    }
};

QL_TEST(TestForeignFiles)
#include "tst_foreign_files.moc"
