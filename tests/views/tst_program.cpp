// The window's program without a display: it says so, and never ends with a core dump.
#include "tests/support/test_main.h"

#include <QFileInfo>
#include <QProcess>
#include <QtTest>

class TestProgram : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void withoutADisplay_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("display");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("text");
        QTest::newRow("version") << QStringList{QStringLiteral("--version")} << QString() << 0
                                 << QStringLiteral("quantloupe");
        QTest::newRow("help") << QStringList{QStringLiteral("--help")} << QString() << 0 << QStringLiteral("--engine");
        QTest::newRow("window") << QStringList() << QString() << 2 << QStringLiteral("quantloupe-cli");
        QTest::newRow("file") << QStringList{QStringLiteral("model.onnx")} << QString() << 2
                              << QStringLiteral("no display");
        QTest::newRow("dead display") << QStringList() << QStringLiteral(":4711") << 2 << QStringLiteral("no display");
    }
    void withoutADisplay()
    {
        QFETCH(QStringList, arguments);
        const QString program = QStringLiteral(QL_BIN "/quantloupe");
        if (!QFileInfo::exists(program)) QSKIP("quantloupe is not built");
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char *name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
            environment.remove(QLatin1String(name));
        QFETCH(QString, display);
        if (!display.isEmpty()) environment.insert(QStringLiteral("DISPLAY"), display);
        process.setProcessEnvironment(environment);
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(program, arguments);
        QVERIFY(process.waitForFinished(ql::patienceMs));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QTEST(process.exitCode(), "code");
        QFETCH(QString, text);
        const QString said = QString::fromUtf8(process.readAll());
        QVERIFY2(said.contains(text), qPrintable(said));
    }
};

QL_TEST(TestProgram)
#include "tst_program.moc"
