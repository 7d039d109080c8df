// The journal of unsaved edits: its contents, and that it survives a killed program.
#include "tests/support/patience.h"
#include "tests/views/recipe_json.h"
#include "views/bridge/engine_client.h"
#include "views/bridge/journal.h"
#include "views/commands/recipe_command.h"

#include <QCoreApplication>
#include <QProcess>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QtTest>
#include <cstdio>

using namespace ql;
using nlohmann::json;

class TestJournal : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void journalKeepsEdits()
    {
        EngineClient engine({QStringLiteral("/does/not/exist")});
        QString file;
        {
            Document document(engine);
            Journal journal(document);
            file = journal.fileName();
            document.open(QStringLiteral(QL_SOURCE_DIR "/resources/sample/sample.quantloupe"));
            QVERIFY(!QFile::exists(file)); // nothing to lose
            editRecipe(document, QStringLiteral("Samples"), "/calibration/samples", 17);
            QFile in(file);
            QVERIFY(in.open(QIODevice::ReadOnly));
            const QByteArray bytes = in.readAll();
            const json entry = json::parse(bytes.begin(), bytes.end());
            QCOMPARE(entry["recipe"], document.recipeJson());
            QVERIFY(Journal::lost().isEmpty()); // this process is alive
        }
        QVERIFY(!QFile::exists(file));
    }

    /// An editing session is killed at random moments: the journal has its last edit, or the last but one.
    void journalOutlivesKills()
    {
        const int kills = qEnvironmentVariableIntValue("QL_KILLS") > 0 ? qEnvironmentVariableIntValue("QL_KILLS") : 100;
        QRandomGenerator random{11};
        for (int i = 0; i < kills; ++i) {
            QProcess session;
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert(QStringLiteral("QL_EDITING_SESSION"), QStringLiteral("1"));
            session.setProcessEnvironment(environment);
            session.start(QCoreApplication::applicationFilePath(), {});
            // It prints the number of each edit when it is done
            QByteArray printed;
            const int edits = 1 + random.bounded(30);
            while (printed.count('\n') < edits) {
                QVERIFY(session.waitForReadyRead(patienceMs));
                printed += session.readAllStandardOutput();
            }
            const qint64 pid = session.processId();
            session.kill();
            QVERIFY(session.waitForFinished(patienceMs));
            const QByteArrayList lines = (printed + session.readAllStandardOutput()).split('\n');
            QVERIFY(lines.size() > 1);
            const int last = lines[lines.size() - 2].toInt(); // after the last line break there may be half a number
            int found = -1;
            for (const Journal::Entry &entry : Journal::lost()) {
                if (entry.journalFile.contains(QStringLiteral("/%1-").arg(pid)))
                    found = int(entry.recipe().calibration.samples);
                Journal::discard(entry);
            }
            QVERIFY2(found >= last, qPrintable(QStringLiteral("printed edit %1, journal %2").arg(last).arg(found)));
        }
    }

    /// Several windows of one program, and one that recovers a lost journal: no other window is offered it meanwhile.
    void isOfferedOnce()
    {
        EngineClient engine({QStringLiteral("/does/not/exist")});
        QDir().mkpath(Journal::folder());
        const QString name = Journal::folder() + QStringLiteral("/4000000-1.json"); // no such process
        QFile file(name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"file": "/a b/\u6a21.quantloupe", "folder": "/a b", "recipe": {"model": {"path": "m.onnx"}}})");
        file.close();
        {
            Document document(engine), other(engine);
            Journal journal(document), second(other);
            QVERIFY(journal.fileName() != second.fileName());
            const QVector<Journal::Entry> lost = Journal::lost();
            QCOMPARE(lost.size(), 1);
            QCOMPARE(lost[0].file, QStringLiteral("/a b/模.quantloupe"));
            QVERIFY(Journal::lost().isEmpty()); // held
        }
        QCOMPARE(Journal::lost().size(), 1); // let go
        Journal::discard(Journal::lost().front());
        QVERIFY(!QFile::exists(name));
        QVERIFY(Journal::lost().isEmpty());
    }
};

/// Edits until it is killed.
static int editingSession()
{
    EngineClient engine({QStringLiteral("/does/not/exist")});
    Document document(engine);
    Journal journal(document);
    document.open(QStringLiteral(QL_SOURCE_DIR "/resources/sample/sample.quantloupe"));
    for (int i = 1; i < 1000000; ++i) {
        editRecipe(document, QStringLiteral("Samples"), "/calibration/samples", i);
        printf("%d\n", i);
        fflush(stdout);
    }
    return 0;
}

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    if (qEnvironmentVariableIsSet("QL_EDITING_SESSION")) return editingSession();
    QTemporaryDir data; // separate journals for this test, including the sessions that it starts
    qputenv("XDG_DATA_HOME", data.path().toUtf8());
    TestJournal test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_journal.moc"
