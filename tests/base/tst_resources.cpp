#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/resources.h"
#include "tests/support/test_main.h"

#include <QtTest>

#include <algorithm>
#include <filesystem>

using namespace ql;

class TestResources : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyFileIsEmbeddedByteForByte()
    {
        const std::filesystem::path root = std::filesystem::path(QL_SOURCE_DIR) / "resources";
        std::size_t files = 0;
        for (const char *folder : {"lint", "platforms", "presets", "report", "runtimes", "schema", "settings"}) {
            if (!std::filesystem::exists(root / folder)) continue;
            for (const auto &entry : std::filesystem::recursive_directory_iterator(root / folder)) {
                if (!entry.is_regular_file() || entry.path().filename().string().starts_with(".")) continue;
                const std::string name = std::filesystem::relative(entry.path(), root).generic_string();
                QVERIFY2(resources::resource(name) == readFile(entry.path()), name.c_str());
                ++files;
            }
        }
        QVERIFY(files > 0);
        QCOMPARE(resources::resourceNames("").size(), files);
    }

    void namesAreSortedAndFiltered()
    {
        const auto names = resources::resourceNames("report/");
        QVERIFY(!names.empty());
        QVERIFY(std::is_sorted(names.begin(), names.end()));
        for (const std::string_view name : names) QVERIFY(name.starts_with("report/"));
        QVERIFY(resources::resourceNames("no such folder/").empty());
    }

    void anUnknownNameIsRefusedWithTheNearestOne()
    {
        try {
            resources::resource("report/report.cs");
            QFAIL("no error");
        } catch (const Error &error) {
            QVERIFY(error.kind == ErrorKind::Internal);
            QVERIFY(std::string(error.what()).find("'report/report.css'") != std::string::npos);
        }
    }
};

QL_TEST(TestResources)
#include "tst_resources.moc"
