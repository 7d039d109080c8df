#include "core/base/error.h"
#include "core/base/file.h"
#include "core/io/dataset.h"
#include "core/io/npz.h"
#include "tests/support/error_of.h"
#include "tests/support/test_main.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <sys/stat.h>

using namespace ql;
using ql::test::errorOf;
namespace fs = std::filesystem;

namespace {

TensorType type(std::vector<std::int64_t> sizes, at::ScalarType dtype = at::kFloat)
{
    TensorType out;
    out.dtype = dtype;
    out.shape.emplace();
    for (const std::int64_t size : sizes) out.shape->push_back({size, size < 0 ? "n" : ""});
    return out;
}

/// A graph with these inputs and nothing else.
Graph graphOf(const std::vector<std::pair<std::string, TensorType>> &inputs)
{
    Graph graph;
    std::vector<VarId> ids;
    for (const auto &[name, t] : inputs) ids.push_back(graph.addVariable(name, t));
    graph.setInputs(ids);
    return graph;
}

void save(const fs::path &file, const std::vector<std::pair<std::string, at::Tensor>> &arrays)
{
    fs::create_directories(file.parent_path());
    writeFileAtomically(file, [&](std::ostream &out) {
        if (file.extension() == ".npy")
            writeNpy(out, arrays.front().second);
        else
            writeNpz(out, arrays);
    });
}

at::Tensor counted(at::IntArrayRef shape, at::ScalarType dtype = at::kFloat)
{
    std::int64_t count = 1;
    for (const std::int64_t size : shape) count *= size;
    return at::arange(count, at::TensorOptions(dtype)).reshape(shape);
}

} // namespace

class TestDataset : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_temporary = std::make_unique<QTemporaryDir>();
        m_folder = m_temporary->path().toStdString();
    }

    void npzGroupsIntoBatches()
    {
        save(m_folder / "d.npz", {{"x", counted({7, 2, 3})}, {"labels", at::arange(7, at::kInt)}});
        const Graph graph = graphOf({{"x", type({3, 2, 3})}});
        const auto data = Dataset::open(m_folder / "d.npz", graph, {});
        QCOMPARE(data->size(), std::size_t(2));
        QCOMPARE(data->batchSize(), std::size_t(3));
        QCOMPARE(data->sampleCount(), std::size_t(6));
        QCOMPARE(data->labels(), (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}));
        QVERIFY(at::equal(data->batch(1).at("x"), counted({7, 2, 3}).slice(0, 3, 6)));
        QVERIFY(at::equal(data->batch(0).at("x"), counted({7, 2, 3}).slice(0, 0, 3)));
        QCOMPARE(data->problems().size(), std::size_t(1));
        QVERIFY(data->problems()[0].message.english().find("last 1 of 7") != std::string::npos);
        QCOMPARE(data->name(1), "d.npz[3], d.npz[4], d.npz[5]");
    }

    /// Files are often named by their class, and the first ones are taken.
    void samplesOfOneClassAreReported()
    {
        save(m_folder / "d.npz", {{"x", counted({8, 4})}, {"labels", at::arange(8, at::kInt).div(4, "floor")}});
        const Graph graph = graphOf({{"x", type({-1, 4})}});
        const auto reported = [&](std::int64_t samples) {
            const auto problems = Dataset::open(m_folder / "d.npz", graph, {"", std::size_t(samples)})->problems();
            return std::count_if(problems.begin(), problems.end(), [](const api::Problem &problem) {
                return problem.message.english().find("samples that are used are of class 0") != std::string::npos;
            });
        };
        QCOMPARE(reported(4), 1);
        QCOMPARE(reported(5), 0);
        QCOMPARE(reported(1), 0);
        save(m_folder / "d.npz", {{"x", counted({8, 4})}, {"labels", at::arange(8, at::kInt).div(8, "floor")}});
        QCOMPARE(reported(4), 0); // there is no other
    }

    void samplesAreLimitedAndDrawnEvenly()
    {
        save(m_folder / "d.npy", {{"", counted({10, 4})}});
        const Graph graph = graphOf({{"x", type({-1, 4})}});
        const auto numbersOf = [&](const DatasetOptions &options) {
            const auto data = Dataset::open(m_folder / "d.npy", graph, options);
            std::vector<int> numbers;
            for (std::size_t i = 0; i < data->size(); ++i)
                numbers.push_back(int(data->batch(i).at("x").select(1, 0).item<float>()) / 4);
            return numbers;
        };
        QCOMPARE(numbersOf({"", 4}), (std::vector<int>{0, 1, 2, 3}));
        // One of each of the parts 0..1, 2..4, 5..6, 7..9; another seed, other samples
        std::set<std::vector<int>> seen;
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            const std::vector<int> numbers = numbersOf({"", 4, api::Sampling::Even, seed});
            QCOMPARE(numbers.size(), std::size_t(4));
            const int bounds[] = {0, 2, 5, 7, 10};
            for (std::size_t i = 0; i < 4; ++i) QVERIFY(numbers[i] >= bounds[i] && numbers[i] < bounds[i + 1]);
            QCOMPARE(numbersOf({"", 4, api::Sampling::Even, seed}), numbers);
            seen.insert(numbers);
        }
        QVERIFY(seen.size() > 5);
        QCOMPARE(numbersOf({"", 10, api::Sampling::Even, 3}), (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
        const auto first = Dataset::open(m_folder / "d.npy", graph, {"", 4});
        QVERIFY(first->contentHash() !=
                Dataset::open(m_folder / "d.npy", graph, {"", 4, api::Sampling::Even})->contentHash());
        QCOMPARE(first->contentHash(), Dataset::open(m_folder / "d.npy", graph, {"", 4})->contentHash());
    }

    /// A batch is complete for any requested number of samples.
    void aBatchTakesMoreSamplesThanAskedFor()
    {
        save(m_folder / "d.npy", {{"", counted({40, 4})}});
        const Graph graph = graphOf({{"x", type({16, 4})}});
        const auto data = Dataset::open(m_folder / "d.npy", graph, {"", 8});
        QCOMPARE(data->sampleCount(), std::size_t(16));
        QCOMPARE(data->problems().size(), std::size_t(1));
        QCOMPARE(std::string(toString(data->problems()[0].severity)), std::string("info"));
        QVERIFY(data->problems()[0].message.english().find("16 are used instead of 8") != std::string::npos);
        const auto next = Dataset::open(m_folder / "d.npy", graph, {"", 20});
        QCOMPARE(next->sampleCount(), std::size_t(32));
        QVERIFY(next->problems()[0].message.english().find("32 are used instead of 20") != std::string::npos);
        const auto all = Dataset::open(m_folder / "d.npy", graph, {"", 36}); // the data has no third batch
        QCOMPARE(all->sampleCount(), std::size_t(32));
        QCOMPARE(std::string(toString(all->problems()[0].severity)), std::string("warning"));
        save(m_folder / "e.npy", {{"", counted({10, 4})}});
        const std::string message = errorOf([&] { Dataset::open(m_folder / "e.npy", graph, {"", 8}); }).text();
        QVERIFY2(message.find("the data has only 10") != std::string::npos, message.c_str());
    }

    void sampleKeysAreEqualForEqualSamples()
    {
        const Graph graph = graphOf({{"x", type({-1, 4})}});
        fs::create_directories(m_folder / "other");
        for (const char *name : {"a.npy", "b.npy", "other/c.npy"})
            save(m_folder / name, {{"", name[0] == 'b' ? counted({1, 4}).add(1) : counted({1, 4})}});
        const auto keys = Dataset::open(m_folder, graph, {})->sampleKeys();
        QCOMPARE(keys.size(), std::size_t(2));
        QVERIFY(keys[0] != keys[1]);
        QCOMPARE(Dataset::open(m_folder / "other", graph, {})->sampleKeys(), std::vector<std::string>{keys[0]});
        save(m_folder / "d.npy", {{"", counted({6, 4})}});
        const auto first = Dataset::open(m_folder / "d.npy", graph, {"", 2})->sampleKeys();
        const auto all = Dataset::open(m_folder / "d.npy", graph, {})->sampleKeys();
        QCOMPARE(first, (std::vector<std::string>{all[0], all[1]}));
        QVERIFY(all[0] != all[1]);
    }

    /// Where each file is a whole batch, a batch of one is as good as another.
    void wholeBatchesOfAnySize()
    {
        save(m_folder / "a.npy", {{"", counted({2, 3})}});
        save(m_folder / "b.npy", {{"", counted({1, 3})}});
        save(m_folder / "c.npy", {{"", counted({4, 3})}});
        const auto data = Dataset::open(m_folder, graphOf({{"x", type({-1, 3})}}), {});
        QCOMPARE(data->size(), std::size_t(3));
        QVERIFY(at::equal(data->batch(0).at("x"), counted({2, 3})));
        QVERIFY(at::equal(data->batch(1).at("x"), counted({1, 3})));
        QVERIFY(at::equal(data->batch(2).at("x"), counted({4, 3})));
    }

    void severalInputs()
    {
        // A batch, a state with its own shape, a scalar for all, and one scalar per sample.
        save(m_folder / "d.npz", {{"x", counted({5, 8})},
                                  {"state", counted({5, 2, 1, 3})},
                                  {"rate", at::full({}, 16000, at::TensorOptions(at::kLong))},
                                  {"step", at::arange(5, at::kLong)},
                                  {"unused", counted({2})}});
        const Graph graph = graphOf({{"x", type({-1, -1})},
                                     {"state", type({2, -1, 3})},
                                     {"rate", type({}, at::kLong)},
                                     {"step", type({}, at::kLong)}});
        const auto data = Dataset::open(m_folder / "d.npz", graph, {});
        const Feed feed = data->batch(2);
        QCOMPARE(feed.at("x").sizes(), at::IntArrayRef({1, 8}));
        QVERIFY(at::equal(feed.at("state"), counted({5, 2, 1, 3}).select(0, 2)));
        QCOMPARE(feed.at("rate").item<std::int64_t>(), std::int64_t(16000));
        QCOMPARE(feed.at("step").item<std::int64_t>(), std::int64_t(2));
        QVERIFY(data->problems().at(0).message.english().find("unused") != std::string::npos);
    }

    /// The arrays of one runtime call: their leading axes differ, their shapes are those of the inputs.
    void oneFeed()
    {
        const Graph graph = graphOf({{"x", type({-1, 8})}, {"state", type({2, -1, 3})}, {"rate", type({}, at::kLong)}});
        const at::Tensor rate = at::full({}, 16000, at::TensorOptions(at::kLong));
        save(m_folder / "d.npz", {{"x", counted({1, 8})}, {"state", counted({2, 1, 3})}, {"rate", rate}});
        const auto data = Dataset::open(m_folder / "d.npz", graph, {});
        QCOMPARE(data->size(), std::size_t(1));
        const Feed feed = data->batch(0);
        QVERIFY(at::equal(feed.at("x"), counted({1, 8})));
        QVERIFY(at::equal(feed.at("state"), counted({2, 1, 3})));
        QCOMPARE(feed.at("rate").item<std::int64_t>(), std::int64_t(16000));
        // Leading axes that happen to be equal: one is the batch, the other is not
        save(m_folder / "f.npz", {{"x", counted({2, 8})}, {"state", counted({2, 2, 3})}, {"rate", rate}});
        const auto equal = Dataset::open(m_folder / "f.npz", graph, {});
        QVERIFY(equal->isOneFeed());
        QVERIFY(at::equal(equal->batch(0).at("state"), counted({2, 2, 3})));
        // Other shapes are samples, and as many are needed of each
        save(m_folder / "e.npz", {{"x", counted({1, 7})}, {"state", counted({2, 1, 3})}, {"rate", rate}});
        QVERIFY(test::messageOf([&] { Dataset::open(m_folder / "e.npz", graph, {}); }).contains("1 and 2"));
    }

    /// Samples of a fixed batch with a number that serves all of them.
    void scalarsNextToAFixedBatch()
    {
        const Graph graph = graphOf({{"x", type({4, 8})}, {"rate", type({}, at::kLong)}});
        const at::Tensor rate = at::full({}, 16000, at::TensorOptions(at::kLong));
        save(m_folder / "d.npz", {{"x", counted({4, 8})}, {"rate", rate}});
        const auto data = Dataset::open(m_folder / "d.npz", graph, {});
        QCOMPARE(data->size(), std::size_t(1));
        QVERIFY(at::equal(data->batch(0).at("x"), counted({4, 8})));
        QCOMPARE(data->batch(0).at("rate").item<std::int64_t>(), std::int64_t(16000));
        save(m_folder / "e.npz", {{"x", counted({4, 8})}, {"rate", at::arange(4, at::kLong)}});
        const auto different = Dataset::open(m_folder / "e.npz", graph, {});
        QVERIFY(test::messageOf([&] { different->batch(0); }).contains("different numbers"));
    }

    void numberTypes()
    {
        const Graph floats = graphOf({{"x", type({1, 4})}}), ints = graphOf({{"x", type({1, 4}, at::kLong)}});
        for (const auto dtype : {at::kByte, at::kShort, at::kLong, at::kDouble, at::kHalf}) {
            save(m_folder / "d.npz", {{"x", counted({3, 4}, dtype)}});
            QVERIFY(at::equal(Dataset::open(m_folder / "d.npz", floats, {})->batch(2).at("x"),
                              counted({3, 4}).slice(0, 2, 3)));
            QVERIFY(at::equal(Dataset::open(m_folder / "d.npz", ints, {})->batch(2).at("x"),
                              counted({3, 4}, at::kLong).slice(0, 2, 3)));
        }
        save(m_folder / "d.npz", {{"x", counted({3, 4}).mul(0.5)}});
        const std::string message = errorOf([&] { Dataset::open(m_folder / "d.npz", ints, {}); }).text();
        QVERIFY2(message.find("int64") != std::string::npos && message.find("0.5") != std::string::npos,
                 message.c_str());
    }

    void folders()
    {
        const Graph graph = graphOf({{"in/x:0", type({1, 2, 3})}});
        save(m_folder / "a" / "10.npy", {{"", counted({2, 3}).add(10)}});
        save(m_folder / "a" / "9.npy", {{"", counted({1, 2, 3}).add(9)}});
        save(m_folder / "a" / "b.npz", {{"in/x:0", counted({2, 3}).add(100)}});
        const at::Tensor six = counted({2, 3});
        writeFileAtomically(m_folder / "a" / "c.bin", {static_cast<const char *>(six.data_ptr()), 24});
        writeFileAtomically(m_folder / "a" / "README", "hello");
        writeFileAtomically(m_folder / "a" / "labels.txt", "9.npy 4\n10.npy 3\nb.npz 2\nother 77\nc.bin 1\n");
        const auto data = Dataset::open(m_folder / "a", graph, {});
        QCOMPARE(data->size(), std::size_t(4));
        QCOMPARE(data->labels(), (std::vector<std::int64_t>{3, 4, 2, 1}));
        const float offsets[] = {10, 9, 100, 0};
        for (std::size_t i : {3, 0, 1, 2})
            QVERIFY(at::equal(data->batch(i).at("in/x:0"), counted({1, 2, 3}).add(offsets[i])));
        QVERIFY(data->problems().at(0).message.english().find("README") != std::string::npos);

        // The same files below a folder with the name of the input.
        fs::create_directories(m_folder / "tree");
        fs::rename(m_folder / "a", m_folder / "tree" / "in_x_0");
        QVERIFY(
            at::equal(Dataset::open(m_folder / "tree", graph, {})->batch(1).at("in/x:0"), counted({1, 2, 3}).add(9)));
    }

    void imagesAndManifest()
    {
        const Graph graph = graphOf({{"x", type({2, 3, 16, 16})}});
        fs::copy(QL_TEST_DATA "/pictures/wide.png", m_folder / "b.png");
        fs::copy(QL_TEST_DATA "/pictures/high.jpg", m_folder / "a.jpg");
        const std::string steps = "letterbox 16; scale 1/255";
        const auto data = Dataset::open(m_folder, graph, {steps, 0});
        QCOMPARE(data->batch(0).at("x").sizes(), at::IntArrayRef({2, 3, 16, 16}));
        QCOMPARE(data->name(0), "a.jpg, b.png");
        writeFileAtomically(m_folder / "m.json",
                            R"({"samples": [{"file": "a.jpg", "label": 1}, {"files": {"x": "b.png"}, "label": 0}],
                                "preprocess": "letterbox 16; scale 1/255"})");
        const auto manifest = Dataset::open(m_folder / "m.json", graph, {});
        QVERIFY(at::equal(manifest->batch(0).at("x"), data->batch(0).at("x")));
        QCOMPARE(manifest->labels(), (std::vector<std::int64_t>{1, 0}));
        const std::string fixed = errorOf([&] { Dataset::open(m_folder, graph, {}); }).text();
        QVERIFY2(fixed.find("expects samples of 3x16x16") != std::string::npos, fixed.c_str());
    }

    /// Confused width and height are named; the tensor is named once.
    void turnedImages_data()
    {
        QTest::addColumn<bool>("channelsLast");
        QTest::addColumn<QByteArray>("steps");
        QTest::addColumn<bool>("isTurned");
        QTest::newRow("swapped") << false << QByteArray("stretch 8x16") << true;
        QTest::newRow("swapped, channels last") << true << QByteArray("stretch 8x16; layout nhwc") << true;
        QTest::newRow("another size") << false << QByteArray("stretch 8x17") << false;
    }
    void turnedImages()
    {
        QFETCH(bool, channelsLast);
        QFETCH(QByteArray, steps);
        QFETCH(bool, isTurned);
        fs::copy(QL_TEST_DATA "/pictures/wide.png", m_folder / "a.png");
        const Graph graph = graphOf({{"x", channelsLast ? type({1, 8, 16, 3}) : type({1, 3, 8, 16})}});
        const Error error = errorOf([&] { Dataset::open(m_folder, graph, {steps.toStdString(), 0}); });
        const QString text = QString::fromStdString(error.text());
        QCOMPARE(text.count("'x'"), 1);
        QCOMPARE(text.contains("width and height are swapped. Swap the sizes in --preprocess"), isTurned);
        QCOMPARE(text.contains("(resize, stretch, crop, layout)"), !isTurned);
    }

    void readsAheadLikeReadingInOrder()
    {
        const Graph graph = graphOf({{"x", type({1, 3, 8, 8})}});
        for (int i = 0; i < 6; ++i)
            fs::copy(QL_TEST_DATA "/pictures/wide.png", m_folder / (std::to_string(i) + ".png"));
        const auto ahead = Dataset::open(m_folder, graph, {"crop 8", 0});
        const auto backwards = Dataset::open(m_folder, graph, {"crop 8", 0});
        std::vector<at::Tensor> seen;
        for (std::size_t i = 0; i < 6; ++i) seen.push_back(ahead->batch(i).at("x"));
        for (std::size_t i = 6; i-- > 0;) QVERIFY(at::equal(backwards->batch(i).at("x"), seen[i]));
    }

    void notANumber()
    {
        at::Tensor values = counted({4, 3});
        values.data_ptr<float>()[7] = std::numeric_limits<float>::quiet_NaN();
        save(m_folder / "d.npz", {{"x", values}});
        const auto data = Dataset::open(m_folder / "d.npz", graphOf({{"x", type({2, 3})}}), {});
        for (int round = 0; round < 2; ++round)
            for (std::size_t i = 0; i < data->size(); ++i) data->batch(i);
        QCOMPARE(data->problems().size(), std::size_t(1));
        QVERIFY(data->problems()[0].message.english().find("d.npz[2]") != std::string::npos);
    }

    void refused_data()
    {
        QTest::addColumn<QByteArray>("what");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char *what, const char *says) {
            QTest::newRow(what) << QByteArray(what) << QByteArray(says);
        };
        row("missing path", "does not exist");
        row("empty folder", "holds no samples");
        row("folder of text", "holds no samples");
        row("wrong name", "no array of that name. Did you mean 'y'?");
        row("wrong shape", "expects samples of 2x3 (its shape is 1x2x3), but sample 'd.npz[0]' is 3x2");
        row("no leading axis", "expects samples of 2x3");
        row("stack in a folder", "is 4x2x3. It holds 4 samples: give this file instead of its folder");
        row("no samples", "no samples");
        row("label count", "2 labels for 4 samples");
        row("text file", "is not supported");
        row("short bin", "expected 24 bytes");
        row("unknown key", "unknown key 'lable'");
        row("not JSON", "not JSON");
        row("missing file", "does not exist");
        row("incomplete batch", "batches of 8");
        row("bad label", "expected a class index (0, 1, 2 ...), got 'cat'. Write a filename and its class number");
        row("label without class", "expected \"filename class\", got 'a.npy'. Write a filename and its class number");
        row("negative label", "entry 1 of 'labels' must be a class index (0, 1, 2 ...), got -1");
        row("file and files", "'file' or 'files', not both");
        row("pipe", "not a regular file");
        row("pipe in a folder", "not a regular file");
        row("bad steps", "unknown step");
    }
    void refused()
    {
        QFETCH(QByteArray, what);
        QFETCH(QByteArray, says);
        Graph graph = graphOf({{"x", type({1, 2, 3})}});
        fs::path path = m_folder / "d.npz";
        std::string steps;
        if (what == "missing path") path = m_folder / "nowhere";
        if (what == "empty folder") path = m_folder;
        if (what == "folder of text") {
            writeFileAtomically(m_folder / "a.txt", "1");
            path = m_folder;
        }
        if (what == "wrong name") save(path, {{"y", counted({4, 2, 3})}});
        if (what == "wrong shape") save(path, {{"x", counted({4, 3, 2})}});
        if (what == "no leading axis") save(path, {{"x", counted({2, 3})}});
        if (what == "stack in a folder") save(m_folder / "d.npy", {{"", counted({4, 2, 3})}}), path = m_folder;
        if (what == "no samples") save(path, {{"x", counted({0, 2, 3})}});
        if (what == "label count") save(path, {{"x", counted({4, 2, 3})}, {"labels", at::arange(2, at::kInt)}});
        if (what == "text file") writeFileAtomically(path = m_folder / "a.txt", "1");
        if (what == "short bin") writeFileAtomically(path = m_folder / "f.bin", "1"), path = m_folder;
        if (what == "unknown key")
            writeFileAtomically(path = m_folder / "m.json", R"({"samples": [{"file": "a.npy", "lable": 1}]})");
        if (what == "not JSON") writeFileAtomically(path = m_folder / "m.json", "{");
        if (what == "missing file")
            writeFileAtomically(path = m_folder / "m.json", R"({"samples": [{"file": "a.npy"}]})");
        if (what == "incomplete batch") {
            graph = graphOf({{"x", type({8, 2, 3})}});
            save(path, {{"x", counted({4, 2, 3})}});
        }
        if (what == "bad label" || what == "label without class") {
            save(m_folder / "a.npy", {{"", counted({2, 3})}});
            writeFileAtomically(m_folder / "labels.txt", what == "bad label" ? "a.npy cat\n" : "a.npy\n");
            path = m_folder;
        }
        if (what == "negative label")
            save(path, {{"x", counted({3, 2, 3})}, {"labels", 1 - 2 * at::arange(3, at::kLong)}});
        if (what == "file and files")
            writeFileAtomically(path = m_folder / "m.json",
                                R"({"samples": [{"file": "a.npy", "files": {"x": "a.npy"}}]})");
        if (what == "pipe") QCOMPARE(::mkfifo((path = m_folder / "f.npy").c_str(), 0600), 0);
        if (what == "pipe in a folder") {
            fs::create_directory(path = m_folder / "data");
            QCOMPARE(::mkfifo((path / "f.npy").c_str(), 0600), 0);
        }
        if (what == "bad steps") {
            save(path, {{"x", counted({4, 2, 3})}});
            steps = "rbg";
        }
        const std::string message = errorOf([&] { Dataset::open(path, graph, {steps, 0}); }).text();
        QVERIFY2(message.find(says.toStdString()) != std::string::npos, message.c_str());
    }

private:
    std::unique_ptr<QTemporaryDir> m_temporary;
    fs::path m_folder;
};

QL_TEST(TestDataset)
#include "tst_dataset.moc"
