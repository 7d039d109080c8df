// Files of others in the window, on the real engine: encodings of other tools.
#include "tests/support/test_main.h"
#include "tests/views/window_test.h"

#include <QSignalSpy>

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

private Q_SLOTS:
    void initTestCase() { m_fixture.prepare("RKNN_INT8"); }
    void init()
    {
        m_fixture.show();
        openSmall();
    }
    void cleanup() { m_fixture.close(); }

    /// Our own export of another recipe, beside the float model: one undoable edit, and a run that needs no data.
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
};

QL_TEST(TestForeignFiles)
#include "tst_foreign_files.moc"
