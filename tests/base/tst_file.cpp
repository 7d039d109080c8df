#include "core/base/file.h"
#include "core/base/fingerprint.h"
#include "tests/support/test_main.h"

#include "core/base/child.h"
#include "core/base/error.h"
#include "core/base/scratch_folder.h"
#include "core/base/sha256.h"

#include <QtTest>
#include <atomic>
#include <fcntl.h>
#include <functional>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace ql;
namespace fs = std::filesystem;

class TestFile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// None of them may be opened: a pipe without a writer blocks forever.
    void readsRegularFilesOnly_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("message");
        QTest::newRow("pipe") << "pipe"
                              << "not a regular file";
        QTest::newRow("link to a pipe") << "link"
                                        << "not a regular file";
        QTest::newRow("device") << "/dev/zero"
                                << "not a regular file";
        QTest::newRow("folder") << "."
                                << "expected a file, got a folder";
        QTest::newRow("nothing") << "model.onx"
                                 << "the file does not exist. Did you mean 'model.onnx'?";
    }
    void readsRegularFilesOnly()
    {
        QFETCH(QString, name);
        QFETCH(QString, message);
        QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        QCOMPARE(::mkfifo((base / "pipe").c_str(), 0600), 0);
        fs::create_symlink(base / "pipe", base / "link");
        writeFileAtomically(base / "model.onnx", "x");
        const fs::path file = base / name.toStdString(); // an absolute name replaces the folder
        const auto fingerprintOfFile = [](const fs::path &path) { return Fingerprints().of(path); };
        using Read = std::function<std::string(const fs::path &)>;
        for (const Read &read : {Read(readFile), Read(sha256OfFile), Read(fingerprintOfFile)}) {
            try {
                read(file);
                QFAIL("has been read");
            } catch (const Error &error) {
                QVERIFY2(QString(error.what()).startsWith(message), error.what());
                QCOMPARE(error.file, file.string());
                QVERIFY(!error.remedy.isEmpty());
            }
        }
        QCOMPARE(readFile(base / "model.onnx"), std::string("x"));
    }

    /// Files of more than one piece, and none. The digest of nothing is that of the published XXH3.
    void readsInPieces()
    {
        QTemporaryDir folder;
        const fs::path file = fs::path(folder.path().toStdString()) / "data";
        std::string bytes((std::size_t{3} << 20) + 5, '\0');
        for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = char(i * 31 + i / 1000);
        writeFileAtomically(file, bytes);
        QVERIFY(readFile(file) == bytes);
        QCOMPARE(sha256OfFile(file), sha256(bytes));
        const std::string before = Fingerprints().of(file);
        bytes.back() ^= 1;
        writeFileAtomically(file, bytes);
        QVERIFY(Fingerprints().of(file) != before);
        writeFileAtomically(file, "");
        QCOMPARE(Fingerprints().of(file), std::string("99aa06d3014798d86001c324468d497f"));
    }

    /// A rename would replace the device by a file.
    void devicesStayDevices()
    {
        QTemporaryDir folder;
        const fs::path base = folder.path().toStdString(), link = base / "null";
        fs::create_symlink("/dev/null", link);
        writeFileAtomically(link, "gone");
        QVERIFY(fs::is_symlink(link) && fs::is_character_file(fs::status(link)));
        const fs::path pipe = base / "pipe";
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
        const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
        writeFileAtomically(pipe, "text");
        char got[8] = {};
        QCOMPARE(::read(reader, got, sizeof got), ssize_t(4));
        ::close(reader);
        QCOMPARE(got, "text");
        QVERIFY(fs::is_fifo(pipe));
        const fs::path full = base / "full";
        fs::create_symlink("/dev/full", full);
        QVERIFY_EXCEPTION_THROWN(writeFileAtomically(full, "text"), Error);
        QVERIFY(fs::is_symlink(full));
    }

    void temporaryFoldersGoWithTheProcess()
    {
        const ScratchFolder folder;
        const std::filesystem::path messages = folder.path() / "messages";
        // A program may write messages without end: the log stays small, and the last ones are reported, also if the
        // log was emptied shortly before its end
        const ChildResult result = runChild({"sh", "-c", "yes message | head -c 60000000; sleep 0.1; echo last"}, {},
                                            folder.path(), messages, {.seconds = 60}, JobContext());
        QCOMPARE(result.exitCode, 0);
        QVERIFY(result.output.ends_with("last\n"));
        QVERIFY(result.output.size() > 10000);
        QVERIFY(std::filesystem::file_size(messages) < 40000000);
        discardUnfinishedWrites();
        QVERIFY(!std::filesystem::exists(folder.path()));
    }

    /// As after SIGKILL: nobody has locked them.
    void foldersOfKilledProcessesAreRemoved()
    {
        const ScratchFolder used;
        const std::string prefix = used.path().string().substr(0, used.path().string().size() - 6);
        const fs::path abandoned = prefix + "aaaaaa", link = prefix + "bbbbbb", other = prefix + "longername";
        fs::create_directories(abandoned / "below");
        writeFileAtomically(abandoned / "below" / "file", "x");
        QTemporaryDir target;
        fs::create_directory_symlink(target.path().toStdString(), link);
        fs::create_directory(other);
        removeAbandonedFolders();
        QVERIFY(!fs::exists(abandoned));
        QVERIFY(fs::exists(used.path()));
        QVERIFY(fs::remove(link) && QDir(target.path()).exists());
        QVERIFY(fs::remove(other));
    }

    /// A folder that another process takes for an abandoned one, since it is not locked yet, is created again.
    void foldersAreCreatedWhileOthersAreRemoved()
    {
        QTemporaryDir temporary;
        const QByteArray before = qgetenv("TMPDIR");
        const auto restore = qScopeGuard([&] { before.isNull() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", before); });
        qputenv("TMPDIR", temporary.path().toUtf8());
        std::atomic<bool> isOver = false;
        std::atomic<int> lost = 0, failures = 0;
        std::thread remover([&] {
            while (!isOver) removeAbandonedFolders();
        });
        std::vector<std::thread> users;
        for (int user = 0; user < 4; ++user)
            users.emplace_back([&] {
                for (int i = 0; i < 2000; ++i) {
                    try {
                        const ScratchFolder folder;
                        if (!fs::exists(folder.path())) ++lost;
                    } catch (const Error &) {
                        ++failures;
                    }
                }
            });
        for (std::thread &user : users) user.join();
        isOver = true;
        remover.join();
        QCOMPARE(lost.load(), 0);
        QCOMPARE(failures.load(), 0);
    }

    void linksStayLinks()
    {
        QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        fs::create_directory(base / "below");
        writeFileAtomically(base / "below" / "file", "old");
        fs::create_symlink("below/file", base / "link");
        writeFileAtomically(base / "link", "new");
        QVERIFY(fs::is_symlink(base / "link"));
        QCOMPARE(readFile(base / "below" / "file"), std::string("new"));
        fs::create_symlink("nowhere", base / "dangling");
        writeFileAtomically(base / "dangling", "x");
        QCOMPARE(readFile(base / "dangling"), std::string("x"));
    }
};

QL_TEST(TestFile)
#include "tst_file.moc"
