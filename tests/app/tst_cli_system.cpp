// Effects of the system on the program: signals, full disks, read-only folders, a terminal.
#include "tests/support/cli_program.h"
#include "tests/support/test_main.h"
#include "tests/support/toy_model.h"

#include <QtTest>
#include <csignal>
#include <unistd.h>

using namespace ql;
namespace fs = std::filesystem;

class TestCliSystem : public QObject, private test::CliProgram
{
    Q_OBJECT

private:
    /// Enough work for the signal to arrive before the end: 20,000 samples.
    QStringList longRun()
    {
        arrays("many.npz", {{"x", test::spread({20000, 3, 8, 8})}});
        return {"run",
                QString::fromStdString(models + "residual.onnx"),
                "--calib",
                file("many.npz"),
                "--samples",
                "20000",
                "--eval-samples",
                "20000",
                "--json",
                file("r.json"),
                "--report",
                file("r.html"),
                "--export",
                "native:" + file("m.qln"),
                "--threads",
                "1"};
    }

private Q_SLOTS:
    void init()
    {
        makeFolder();
        arrays("calib.npz", {{"x", test::spread({8, 3, 8, 8})}});
    }

    void fullDisk()
    {
        if (!QFile::exists("/dev/full")) QSKIP("no /dev/full here");
        // The file system of standard output is full.
        const QString quoted = program + " run " + QString::fromStdString(models + "residual.onnx") + " --calib " +
                               file("calib.npz") + " --no-cache -q";
        const Outcome stream = start("/bin/sh", {"-c", quoted + " --json - > /dev/full"});
        QCOMPARE(stream.code, 2);
        QVERIFY2(stream.err.contains("cannot write to standard output"), stream.err.constData());
        // Files cannot grow beyond 512 bytes.
        const Outcome limited =
            start("/bin/sh", {"-c", "trap '' XFSZ; ulimit -f 1; exec " + quoted + " --json " + file("r.json")});
        QVERIFY2(limited.code == 2, limited.err.constData());
        QVERIFY2(limited.err.contains("r.json"), limited.err.constData());
        QCOMPARE(names(), (std::vector<std::string>{"calib.npz"}));
        // The cache cannot grow: that is no reason to fail.
        const Outcome cache =
            start("/bin/sh", {"-c", "trap '' XFSZ; ulimit -f 1; exec " + program + " run " +
                                        QString::fromStdString(models + "residual.onnx") + " --calib " +
                                        file("calib.npz") + " --cache " + file("c") + " > " + file("t.txt")});
        QVERIFY2(cache.err.contains("cannot write the cache"), cache.err.constData());
    }

    void unwritableFolder()
    {
        if (::geteuid() == 0) QSKIP("root may write everywhere");
        fs::create_directory(m_folder / "locked");
        fs::permissions(m_folder / "locked", fs::perms::owner_read | fs::perms::owner_exec);
        const Outcome outcome = start(program, residualRun({"--json", file("locked/r.json")}));
        QCOMPARE(outcome.code, 2);
        QVERIFY(outcome.err.contains("cannot be written"));
    }

    void cancel_data()
    {
        QTest::addColumn<int>("number");
        QTest::addColumn<int>("times");
        QTest::newRow("Ctrl+C") << SIGINT << 1;
        QTest::newRow("twice") << SIGINT << 2;
        QTest::newRow("terminated") << SIGTERM << 1;
    }
    void cancel()
    {
        QFETCH(int, number);
        QFETCH(int, times);
        QProcess process;
        prepare(process);
        process.setReadChannel(QProcess::StandardError);
        process.start(program, longRun());
        QByteArray err;
        while (!err.contains("calibration\n")) {
            QVERIFY2(process.waitForReadyRead(patienceMs), err.constData());
            err += process.readAllStandardError();
        }
        for (int i = 0; i < times; ++i) ::kill(pid_t(process.processId()), number);
        QVERIFY(process.waitForFinished(patienceMs));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 130);
        err += process.readAllStandardError();
        QVERIFY(err.contains("cancelled"));
        QCOMPARE(names(), (std::vector<std::string>{"calib.npz", "many.npz"}));
    }

    void cancelWhileLoading()
    {
        // LibTorch takes some tenths of a second to load: the signal comes as soon as that has begun.
        QProcess process;
        prepare(process);
        process.start(program, longRun());
        QVERIFY(process.waitForStarted(patienceMs));
        QFile maps(QString("/proc/%1/maps").arg(process.processId()));
        QElapsedTimer timer;
        timer.start();
        for (bool isLoading = false; !isLoading && timer.elapsed() < patienceMs;) {
            if (maps.open(QIODevice::ReadOnly)) isLoading = maps.readAll().contains("libquantloupe-cli.so");
            maps.close();
        }
        ::kill(pid_t(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(patienceMs));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 130);
        QVERIFY(process.readAllStandardError().contains("cancelled"));
        QVERIFY(!fs::exists(m_folder / "r.json"));
    }

    /// Also what a data program started in another session, and by SIGKILL.
    void killedWithItsPrograms()
    {
        write("m.json", R"({"command": ["sh", "-c",
              "setsid sh -c 'echo $$ > part; mv part other; exec sleep 1000' & exec sleep 1000"]})");
        QProcess process;
        prepare(process);
        process.start(program, {"infer", QString::fromStdString(models + "residual.onnx"), "--in", file("m.json"),
                                "--out", file("o.npz"), "--allow-commands"});
        QTRY_VERIFY_WITH_TIMEOUT(fs::exists(m_folder / "other"), patienceMs);
        const auto other = pid_t(std::stol(readFile(m_folder / "other")));
        QCOMPARE(::kill(other, 0), 0);
        process.kill();
        QVERIFY(process.waitForFinished(patienceMs));
        QTRY_VERIFY_WITH_TIMEOUT(::kill(other, 0) != 0, patienceMs);
    }

    void barOnATerminal()
    {
        if (!QFile::exists("/usr/bin/script")) QSKIP("no script(1) to make a terminal");
        const Outcome outcome = start(
            "/usr/bin/script", {"-qec",
                                "TERM=xterm " + program + " run " + QString::fromStdString(models + "residual.onnx") +
                                    " --calib " + file("calib.npz") + " --json " + file("r.json"),
                                "/dev/null"});
        QCOMPARE(outcome.code, 0);
        QVERIFY2(outcome.out.contains("\r\x1b[K") && outcome.out.contains(" %"), outcome.out.constData());
        QVERIFY(outcome.out.contains("[") && outcome.out.contains("Layerwise error"));
    }
};

QL_TEST(TestCliSystem)
#include "tst_cli_system.moc"
