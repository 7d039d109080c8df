#include "core/base/file.h"
#include "tests/support/test_main.h"

#include "core/base/error.h"
#include "core/base/sha256.h"

#include <QtTest>
#include <sys/stat.h>

using namespace ql;
namespace fs = std::filesystem;

class TestFile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// None of them may be opened: a pipe without a writer waits for ever.
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
                                << "expected a file, found a folder";
        QTest::newRow("nothing") << "model.onx"
                                 << "there is no such file. Did you mean 'model.onnx'?";
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
        for (const auto &read : {readFile, sha256OfFile}) {
            try {
                read(file);
                QFAIL("has been read");
            } catch (const Error &error) {
                QVERIFY2(QString(error.what()).startsWith(message), error.what());
                QCOMPARE(error.file, file.string());
                QVERIFY(!error.remedy.empty());
            }
        }
        QCOMPARE(readFile(base / "model.onnx"), std::string("x"));
    }
};

QL_TEST(TestFile)
#include "tst_file.moc"
