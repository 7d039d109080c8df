// What control groups leave, read from files as Linux has them.
#include "core/base/memory.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>
#include <QtTest>
#include <fstream>
#include <sstream>

using namespace ql;
namespace fs = std::filesystem;

class TestMemory : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    fs::path root() const { return m_folder.path().toStdString(); }
    void write(const fs::path &file, const std::string &text) const
    {
        fs::create_directories((root() / file).parent_path());
        std::ofstream(root() / file) << text;
    }
    std::optional<std::int64_t> left(const std::string &membership) const
    {
        std::istringstream in(membership);
        return memoryLeftInGroups(root(), in);
    }

private Q_SLOTS:
    void cleanup()
    {
        for (const auto &entry : fs::directory_iterator(root())) fs::remove_all(entry);
    }

    void leastOfAllGroupsAbove()
    {
        write("a/b/memory.max", "max\n");
        write("a/b/memory.current", "100\n");
        write("a/memory.max", "5000\n");
        write("a/memory.current", "3000\n");
        write("a/memory.stat", "anon 1000\ninactive_file 700\nfile 900\n");
        QCOMPARE(left("0::/a/b\n").value_or(-1), 2700);
        write("a/b/memory.max", "1000\n");
        QCOMPARE(left("0::/a/b\n").value_or(-1), 900);
        write("a/b/memory.current", "1200\n"); // more than it may: the limit was lowered
        QCOMPARE(left("0::/a/b\n").value_or(-1), 0);
    }

    void firstVersion()
    {
        write("memory/memory.limit_in_bytes", "8000\n");
        write("memory/memory.usage_in_bytes", "2500\n");
        write("memory/memory.stat", "cache 9\ntotal_inactive_file 500\n");
        // The path is that of the host and does not exist; other controllers do not limit memory
        QCOMPARE(left("9:cpu,cpuacct:/docker/1f\n4:memory:/docker/1f\n").value_or(-1), 6000);
        QVERIFY(!left("9:cpu,cpuacct:/docker/1f\n"));
    }

    void noLimit()
    {
        QVERIFY(!left("0::/\n"));
        QVERIFY(!left(""));
        QVERIFY(!left("nonsense\n1:\n"));
        QVERIFY(availableMemory() > 0);
    }
};

QL_TEST(TestMemory)
#include "tst_memory.moc"
