#include "core/base/file.h"
#include "core/session/cache.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <fstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace ql;
namespace fs = std::filesystem;

class TestCache : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_temporary;
    fs::path m_folder;
    std::vector<std::string> m_notes;

    CacheOptions options(std::uint64_t disk = 1 << 20, std::uint64_t memory = 1 << 20)
    {
        return {m_folder, disk, memory, [this](const Text &note) { m_notes.push_back(note.english()); }};
    }
    std::vector<fs::path> entries() const
    {
        std::vector<fs::path> out;
        for (const auto &entry : fs::recursive_directory_iterator(m_folder))
            if (entry.is_regular_file() && entry.path().filename() != "lock" &&
                entry.path().filename() != "CACHEDIR.TAG")
                out.push_back(entry.path());
        return out;
    }

private Q_SLOTS:
    void init()
    {
        m_temporary = std::make_unique<QTemporaryDir>();
        m_folder = fs::path(m_temporary->path().toStdString()) / "cache";
        m_notes.clear();
    }

    void keepsOverProcesses()
    {
        const std::string bytes("binary\0bytes\n", 13);
        {
            StageCache cache(options());
            QVERIFY(!cache.get("a"));
            cache.put("a", bytes);
            cache.put("empty", "");
            QCOMPARE(cache.get("a"), bytes);
        }
        StageCache later(options());
        QCOMPARE(later.get("a"), bytes);
        QCOMPARE(later.get("empty"), std::string());
        QVERIFY(!later.get("b"));
        later.put("a", "other");
        QCOMPARE(StageCache(options()).get("a"), std::string("other"));
        QVERIFY(m_notes.empty());
    }

    void memoryAlone()
    {
        StageCache cache(CacheOptions{{}, 0, 100, [](const Text &) {}});
        cache.put("a", std::string(60, 'a'));
        cache.put("b", std::string(30, 'b'));
        QVERIFY(cache.get("a")); // now b is the older one
        cache.put("c", std::string(30, 'c'));
        QVERIFY(cache.get("a"));
        QVERIFY(!cache.get("b"));
        QVERIFY(cache.get("c"));
        cache.put("huge", std::string(101, 'h'));
        QVERIFY(!cache.get("huge"));
        QVERIFY(cache.get("c"));
        QVERIFY(!fs::exists(m_folder));
    }

    void damagedEntries_data()
    {
        QTest::addColumn<int>("how");
        QTest::newRow("cut off") << 0;
        QTest::newRow("empty") << 1;
        QTest::newRow("one bit in the bytes") << 2;
        QTest::newRow("one bit in the length") << 3;
        QTest::newRow("something longer") << 4;
        QTest::newRow("another entry's content") << 5;
        QTest::newRow("another signature") << 6;
    }
    void damagedEntries()
    {
        QFETCH(int, how);
        StageCache(options()).put("a", std::string(1000, 'x'));
        const fs::path file = entries().at(0);
        std::string content = readFile(file);
        if (how == 0) content.resize(content.size() - 1);
        if (how == 1) content.clear();
        if (how == 2) content[500] ^= 1;
        if (how == 3) content[8] ^= 1;
        if (how == 4) content += "y";
        if (how == 5) {
            fs::remove(file);
            StageCache(options()).put("b", "bytes of b");
            content = readFile(entries().at(0));
        }
        if (how == 6) content[7] = '9';
        writeFileAtomically(file, content);
        StageCache cache(options());
        QVERIFY(!cache.get("a"));
        QCOMPARE(m_notes.size(), std::size_t(1));
        QVERIFY(m_notes[0].find(file.string()) != std::string::npos);
        QVERIFY(!fs::exists(file));
        cache.put("a", "again");
        QCOMPARE(StageCache(options()).get("a"), std::string("again"));
    }

    void staysBelowTheLimit()
    {
        StageCache cache(options(20000, 0));
        for (int i = 0; i < 50; ++i) {
            cache.put(std::to_string(i), std::string(1000, char('a' + i % 26)));
            // Seconds apart, for the file system: the order of use decides.
            for (const fs::path &file : entries())
                fs::last_write_time(file, fs::last_write_time(file) - std::chrono::seconds(10));
            if (i >= 3) QVERIFY2(cache.get("3"), qPrintable(QString::number(i)));
            std::uintmax_t size = 0;
            for (const fs::path &file : entries()) size += fs::file_size(file);
            QVERIFY(size <= 20000);
        }
        QVERIFY(cache.get("49"));
        QVERIFY(!cache.get("4"));
        QVERIFY(entries().size() > 10);
        cache.put("too large", std::string(20001, 'z'));
        QVERIFY(!cache.get("too large"));
        QVERIFY(cache.get("49"));
    }

    void leftOverPartFilesGo()
    {
        StageCache cache(options(3000, 0));
        fs::create_directories(m_folder / "stages-1" / "00");
        const fs::path old = m_folder / "stages-1" / "00" / "x.1-0.part",
                       young = m_folder / "stages-1" / "00" / "y.2-0.part";
        for (const fs::path &file : {old, young}) std::ofstream(file) << "half";
        fs::last_write_time(old, fs::last_write_time(old) - std::chrono::hours(2));
        cache.put("a", "1");
        QVERIFY(!fs::exists(old));
        QVERIFY(fs::exists(young));
    }

    void unusableFolder()
    {
        std::ofstream(fs::path(m_temporary->path().toStdString()) / "cache") << "a file where the folder should be";
        StageCache cache(options());
        cache.put("a", "1");
        QCOMPARE(cache.get("a"), std::string("1"));
        QCOMPARE(m_notes.size(), std::size_t(1));
        QVERIFY(m_notes[0].find("cannot be used") != std::string::npos);
    }

    void twoProcesses()
    {
        // Both write the same 40 keys again and again in a folder with room for about ten of them, so that each evicts
        // entries of the other. Every result must be nothing or correct.
        const auto work = [&](int seed) {
            StageCache cache(options(20000, 0));
            for (int i = 0; i < 400; ++i) {
                const int k = (i * 7 + seed * 13) % 40;
                const std::string value(std::size_t(1500 + k), char('A' + k));
                const auto got = cache.get("key" + std::to_string(k));
                if (got && *got != value) return 1;
                cache.put("key" + std::to_string(k), value);
            }
            return m_notes.empty() ? 0 : 2;
        };
        const pid_t child = ::fork();
        if (child == 0) ::_exit(work(1));
        const int mine = work(2);
        int status = 0;
        QCOMPARE(::waitpid(child, &status, 0), child);
        QVERIFY(WIFEXITED(status));
        QCOMPARE(WEXITSTATUS(status), 0);
        QCOMPARE(mine, 0);
        for (const fs::path &file : entries()) QVERIFY(file.extension() != ".part");
    }

    void threads()
    {
        StageCache cache(options(1 << 20, 3000));
        std::atomic<int> wrong{0};
        std::vector<std::thread> pool;
        for (int t = 0; t < 3; ++t)
            pool.emplace_back([&] {
                for (int i = 0; i < 100; ++i) {
                    const std::string key = std::to_string(i % 10);
                    cache.put(key, std::string(500, key[0]));
                    const auto got = cache.get(key);
                    if (!got || *got != std::string(500, key[0])) ++wrong;
                }
            });
        for (std::thread &thread : pool) thread.join();
        QCOMPARE(wrong.load(), 0);
    }

    void defaultFolder()
    {
        qputenv("XDG_CACHE_HOME", "/x/y");
        QCOMPARE(StageCache::defaultFolder(), fs::path("/x/y/quantloupe"));
        qunsetenv("XDG_CACHE_HOME");
        qputenv("HOME", "/home/someone");
        QCOMPARE(StageCache::defaultFolder(), fs::path("/home/someone/.cache/quantloupe"));
    }
};

QL_TEST(TestCache)
#include "tst_cache.moc"
