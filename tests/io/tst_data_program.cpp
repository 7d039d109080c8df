// Samples that a program writes.
#include "core/base/file.h"
#include "core/base/trust.h"
#include "core/io/dataset.h"
#include "core/io/npz.h"
#include "core/io/program_output.h"
#include "tests/support/error_of.h"
#include "tests/support/test_main.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <QTemporaryDir>
#include <QtTest>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

using namespace ql;
namespace fs = std::filesystem;

class TestDataProgram : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_temporary;
    fs::path m_folder;

    static at::Tensor values(std::int64_t first, std::int64_t samples)
    {
        return at::arange(first, first + samples * 3, at::TensorOptions(at::kFloat)).reshape({samples, 3});
    }
    static std::string archive(const at::Tensor &x, const std::vector<std::int64_t> &labels = {})
    {
        std::vector<std::pair<std::string, at::Tensor>> arrays{{"x", x}};
        if (!labels.empty()) arrays.emplace_back("labels", at::arange(labels.front(), labels.back() + 1, at::kLong));
        std::ostringstream out;
        writeNpz(out, arrays);
        return out.str();
    }
    /// A manifest whose program is a script of the shell.
    fs::path manifest(const std::string &script, double seconds = 60)
    {
        const nlohmann::json document{{"command", {"sh", "-c", script}}, {"seconds", seconds}};
        writeFileAtomically(m_folder / "m.json", document.dump());
        return m_folder / "m.json";
    }
    static Graph graph()
    {
        TensorType type;
        type.dtype = at::kFloat;
        type.shape = std::vector<Dim>{{-1, "n"}, {3, ""}};
        Graph out;
        out.setInputs({out.addVariable("x", type)});
        return out;
    }
    std::shared_ptr<Dataset> open(const fs::path &file, const DatasetOptions &options = {}) const
    {
        return Dataset::open(file, graph(), options);
    }
    /// How often the script "echo >> count; ..." was run.
    std::size_t runs() const { return readFile(m_folder / "count").size(); }

private Q_SLOTS:
    void initTestCase() { qputenv("XDG_DATA_HOME", QByteArray("/nonexistent")); }
    void init()
    {
        m_temporary = std::make_unique<QTemporaryDir>();
        m_folder = m_temporary->path().toStdString();
        writeFileAtomically(m_folder / "a.npz", archive(values(0, 2), {0, 1}));
        writeFileAtomically(m_folder / "b.npz", archive(values(6, 3), {2, 3, 4}));
    }

    /// First: from then on everything is allowed.
    void nothingStartsUnlessAllowed()
    {
        const fs::path file = manifest("echo >> count; cat a.npz");
        try {
            open(file);
            QFAIL("it was started");
        } catch (const Error &error) {
            QCOMPARE(error.fix, Fix::AllowPrograms);
            QVERIFY2(error.text().find("cat a.npz") != std::string::npos, error.text().c_str());
        }
        QVERIFY(!fs::exists(m_folder / "count"));

        qputenv("XDG_DATA_HOME", m_temporary->path().toUtf8());
        const std::string key = programKey(file);
        QVERIFY(!areProgramsAllowed(file));
        allowProgramsOf(file, key);
        allowProgramsOf(file, key);
        QVERIFY(areProgramsAllowed(file));
        QCOMPARE(open(file)->size(), std::size_t(2));
        const fs::path patient = manifest("cat b.npz", 1e300); // more seconds than a clock can count
        allowProgramsOf(patient, programKey(patient));
        QCOMPARE(open(patient)->size(), std::size_t(3));
        // Another content, another place, and agreement with something that has changed
        manifest("echo >> count; cat b.npz");
        QVERIFY(!areProgramsAllowed(file));
        allowProgramsOf(file, key);
        QVERIFY(!areProgramsAllowed(file));
        QVERIFY(test::messageOf([&] { allowProgramsOf(file, "x"); }).contains("not the key of a program"));
        manifest("echo >> count; cat a.npz");
        QVERIFY(areProgramsAllowed(file));
        fs::copy_file(file, m_folder / "other.json");
        QVERIFY(!areProgramsAllowed(m_folder / "other.json"));
        // In another folder, a link to it would start the program of that folder
        fs::create_directory(m_folder / "elsewhere");
        fs::create_symlink(file, m_folder / "elsewhere" / file.filename());
        QVERIFY(!areProgramsAllowed(m_folder / "elsewhere" / file.filename()));
        fs::create_directory_symlink(m_folder, m_folder / "elsewhere" / "same");
        QVERIFY(areProgramsAllowed(m_folder / "elsewhere" / "same" / file.filename()));
        // A script counts like the file that names it; the interpreter in PATH does not, but a program next to it does
        const std::vector<std::string> command{"sh", "s.sh", "--fast"}, own{"./s.sh"};
        writeFileAtomically(m_folder / "s.sh", "cat a.npz");
        for (const auto &words : {command, own}) {
            allowProgramsOf(file, programKey(file, words));
            QVERIFY(areProgramsAllowed(file, words));
            writeFileAtomically(m_folder / "s.sh", "cat b.npz");
            QVERIFY(!areProgramsAllowed(file, words));
            writeFileAtomically(m_folder / "s.sh", "cat a.npz");
            QVERIFY(areProgramsAllowed(file, words));
        }
        writeFileAtomically(m_folder / "sh", "x");
        QVERIFY(areProgramsAllowed(file, command));
        writeFileAtomically(m_folder / "n.json", R"({"command": ["sh", "s.sh"]})");
        allowProgramsOf(m_folder / "n.json", programKey(m_folder / "n.json", {"sh", "s.sh"}));
        QCOMPARE(open(m_folder / "n.json")->size(), std::size_t(2));
        writeFileAtomically(m_folder / "s.sh", "cat b.npz");
        QVERIFY(test::messageOf([&] { open(m_folder / "n.json"); }).contains("starts a program"));
        // The rest of a path is not a key
        const fs::path evil = m_folder / ("x\n" + programKey(m_folder / "other.json") + " ");
        writeFileAtomically(evil, "");
        allowProgramsOf(evil, programKey(evil));
        QVERIFY(!areProgramsAllowed(m_folder / "other.json"));
        allowPrograms();
        QVERIFY(areProgramsAllowed(m_folder / "other.json"));
    }

    void archivesAreSamples()
    {
        const auto data = open(manifest("cat a.npz b.npz"));
        QCOMPARE(data->size(), std::size_t(5));
        for (std::int64_t i = 4; i >= 0; --i) QVERIFY(at::equal(data->batch(std::size_t(i)).at("x"), values(3 * i, 1)));
        QCOMPARE(data->labels(), (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
        QCOMPARE(data->name(3), std::string("m.json[3]"));
        QVERIFY(data->problems().empty());
        QCOMPARE(data->contentHash(), open(manifest("cat a.npz; cat b.npz"))->contentHash());
        QVERIFY(data->contentHash() != open(manifest("cat b.npz a.npz"))->contentHash());
    }

    void runsOnceForItsData()
    {
        const fs::path file = manifest("echo >> count; cat a.npz b.npz a.npz");
        DatasetOptions first{"", 2, api::Sampling::First};
        QCOMPARE(open(file, first)->size(), std::size_t(2));
        QCOMPARE(open(file, first)->size(), std::size_t(2));
        QCOMPARE(runs(), std::size_t(1));
        QCOMPARE(open(file)->size(), std::size_t(7)); // it was stopped too early
        QCOMPARE(open(file)->size(), std::size_t(7));
        QCOMPARE(runs(), std::size_t(2));
        // Equal samples have equal keys, however much was read
        QCOMPARE(open(file, first)->contentHash(), open(file, first)->contentHash());
        QCOMPARE(runs(), std::size_t(2));
        // Another script is another program, even if its command is the same
        writeFileAtomically(m_folder / "s.sh", "cat a.npz");
        writeFileAtomically(m_folder / "n.json", R"({"command": ["sh", "s.sh"]})");
        QCOMPARE(open(m_folder / "n.json")->size(), std::size_t(2));
        writeFileAtomically(m_folder / "s.sh", "cat  b.npz");
        QCOMPARE(open(m_folder / "n.json")->size(), std::size_t(3));
    }

    void endlessProgramIsStopped()
    {
        const auto data = open(manifest("while cat a.npz; do :; done"), {"", 4, api::Sampling::First});
        QCOMPARE(data->size(), std::size_t(4));
    }

    /// A program without an end must not fill the disk.
    void outputIsLimited()
    {
        ProgramOutput output(10);
        output.append("0123456789");
        const QString message = test::messageOf([&] { output.append("1"); });
        QVERIFY2(message.contains("more than half of the free space"), qPrintable(message));
        ProgramOutput unlimited;
        unlimited.append(std::string(1000, 'x'));
    }

    void failures_data()
    {
        QTest::addColumn<QString>("script");
        QTest::addColumn<QString>("words");
        QTest::newRow("text") << "echo Loading the model"
                              << "expected a .npz archive, got 'Loading the model";
        QTest::newRow("lines of text") << "echo one; echo two"
                                       << "expected a .npz archive, got 'one'.";
        QTest::newRow("text between") << "cat a.npz; echo done"
                                      << "expected a .npz archive, got 'done";
        QTest::newRow("nothing") << "echo no images >&2"
                                 << "wrote nothing; it wrote to standard error: no images";
        QTest::newRow("half") << "cat a.npz; head -c 100 b.npz"
                              << "ended in the middle of archive 2";
        QTest::newRow("exit code")
            << "cat a.npz; echo 'disk is full' >&2; exit 3"
            << "failed with exit code 3; archives written before: 1; it wrote to standard error: disk is full";
        QTest::newRow("long message") << "head -c 60000 /dev/zero | tr '\\0' x >&2; exit 3"
                                      << QString(1000, 'x') + " ...";
        QTest::newRow("crash") << "cat a.npz; kill -SEGV $$"
                               << "archives written before: 1";
        QTest::newRow("wrong arrays") << "cat a.npz c.npz"
                                      << "archive 2: the model reads input 'x'";
        QTest::newRow("damaged") << "head -c 60 a.npz; printf x; tail -c +62 a.npz; cat b.npz"
                                 << "archive 1";
    }
    void failures()
    {
        QFETCH(QString, script);
        QFETCH(QString, words);
        std::ostringstream other;
        writeNpz(other, {{"y", values(0, 2)}});
        writeFileAtomically(m_folder / "c.npz", other.str());
        const QString message = test::messageOf([&] {
            const auto data = open(manifest(script.toStdString()));
            for (std::size_t i = 0; i < data->size(); ++i) data->batch(i);
        });
        QVERIFY2(message.contains(words), qPrintable(message));
    }

    void hangingProgramIsStopped()
    {
        // Silent, with bytes that complete nothing, or with messages without end
        for (const char *rest :
             {"sleep 1000", "printf 'PK\\003\\004'; while sleep 0.05; do printf x; done", "yes message >&2"}) {
            const QString message = test::messageOf([&] { open(manifest("cat a.npz; " + std::string(rest), 0.3)); });
            QVERIFY2(message.contains("completed no archive for 0.3 s and was stopped; archives written before: 1"),
                     qPrintable(message));
        }
    }

    /// The program has ended when its first process has, even if another one keeps its standard output open.
    void leftoverProcessIsNotTheProgram()
    {
        for (const char *leftover : {"sleep 20 &", "setsid sleep 20 &"})
            QCOMPARE(open(manifest("cat a.npz b.npz; " + std::string(leftover), 5))->size(), std::size_t(5));
    }

    void cancelKillsIt()
    {
        const JobContext job;
        DatasetOptions options;
        options.job = job;
        std::thread canceller([&] {
            while (!fs::exists(m_folder / "started")) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            job.cancel();
        });
        bool wasCancelled = false;
        try {
            open(manifest("cat a.npz; setsid sh -c 'echo $$ > other; touch started; exec sleep 1000' & "
                          "echo $$ > pid; sleep 1000",
                          500),
                 options);
        } catch (const Cancelled &) {
            wasCancelled = true;
        }
        canceller.join();
        QVERIFY(wasCancelled);
        const auto isRunning = [&](const char *name) {
            return ::kill(pid_t(std::stol(readFile(m_folder / name))), 0) == 0;
        };
        QVERIFY(!isRunning("pid"));
        QTRY_VERIFY(!isRunning("other")); // in a session of its own
    }

    void otherOutputIsReported()
    {
        const fs::path file =
            manifest("echo >> count; if [ $(wc -l < count) = 1 ]; then cat a.npz b.npz; else cat b.npz; fi");
        open(file, {"", 2, api::Sampling::First});
        const QString message = test::messageOf([&] { open(file); });
        QVERIFY2(message.contains("wrote other samples than the first time: archive 1 differs"), qPrintable(message));
    }

    void manifestsAreChecked()
    {
        for (const auto &[text, words] : {std::pair{R"({"command": []})", "'command' is empty"},
                                          {R"({"command": ["sh"], "comand": 1})", "comand"},
                                          {R"({"command": "sh"})", "command"},
                                          {R"({"command": ["/no/such/program"]})", "cannot start"},
                                          {R"({"command": ["sh"], "seconds": -1})", "must be above 0"}}) {
            writeFileAtomically(m_folder / "m.json", text);
            const QString message = test::messageOf([&] { open(m_folder / "m.json"); });
            QVERIFY2(message.contains(words), qPrintable(message));
        }
    }

    /// Whatever the sizes of the pieces in which the bytes come, and with the signature of an end inside of an array.
    void splitterFindsArchives()
    {
        at::Tensor signature = at::arange(32, at::kByte);
        std::memcpy(signature.data_ptr(), "PK\5\6", 4);
        std::string commented = archive(values(0, 3));
        const std::string comment = "made by PK\5\6 and others, with more characters than the record has before it";
        commented[commented.size() - 2] = char(comment.size());
        commented += comment;
        const std::vector<std::string> archives{archive(values(0, 1)), archive(signature), commented,
                                                archive(values(0, 7))};
        std::string all;
        for (const std::string &one : archives) all += one;
        for (const std::size_t piece : {std::size_t(1), std::size_t(2), std::size_t(3), std::size_t(7), std::size_t(23),
                                        std::size_t(300), all.size()}) {
            ArchiveSplitter splitter;
            std::vector<std::string> found;
            for (std::size_t at = 0; at < all.size(); at += piece)
                splitter.add(std::string_view(all).substr(at, piece), [&](const ByteRange &range) {
                    found.push_back(all.substr(range.start, range.length));
                    return true;
                });
            QCOMPARE(found, archives);
            QCOMPARE(splitter.unfinished(), std::uint64_t(0));
        }
    }
};

QL_TEST(TestDataProgram)
#include "tst_data_program.moc"
