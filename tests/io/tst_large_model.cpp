// Models that are large in one way or another: weights beyond 2 GiB, a million nodes.
#include "core/base/error.h"
#include "core/exec/executor.h"
#include "core/io/importer.h"
#include "core/io/onnx/import.h"
#include "tests/support/onnx_model.h"
#include "tests/support/small_graph.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>
#include <QtTest>
#include <fstream>

using namespace ql;
namespace fs = std::filesystem;

namespace {

/// Memory of this process that belongs to no file, in MiB.
std::int64_t ownMegabytes()
{
    std::ifstream in("/proc/self/status");
    for (std::string line; std::getline(in, line);)
        if (line.starts_with("RssAnon:")) return std::stoll(line.substr(8)) / 1024;
    return 0;
}

void writeFloats(const fs::path &file, std::int64_t offset, const std::vector<float> &values)
{
    std::fstream out(file, std::ios::binary | std::ios::in | std::ios::out);
    out.seekp(offset);
    out.write(reinterpret_cast<const char *>(values.data()), std::streamsize(values.size() * sizeof(float)));
    if (!out) throw std::runtime_error("cannot write " + file.string());
}

constexpr std::int64_t rows = 589824, columns = 1024; // 2.25 GiB of float32

/// Gather(table, ids): a table in weights.bin, which is never read completely.
fs::path writeTable(const fs::path &folder)
{
    test::OnnxModel model;
    model.input("ids", {3}, 7);
    model.node("Gather", "gather", {"table", "ids"}, {"y"});
    model.output("y");
    auto *table = model.graph()->add_initializer();
    table->set_name("table");
    table->set_data_type(1);
    table->add_dims(rows);
    table->add_dims(columns);
    table->set_data_location(onnx::TensorProto::EXTERNAL);
    auto *entry = table->add_external_data();
    entry->set_key("location");
    entry->set_value("weights.bin");
    return model.save(folder / "table.onnx");
}

} // namespace

class TestLargeModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void weightsBeyondTwoGigabytesAreMapped()
    {
        const QTemporaryDir folder;
        const fs::path weights = fs::path(folder.path().toStdString()) / "weights.bin";
        std::ofstream(weights).close();
        std::error_code code;
        fs::resize_file(weights, std::uintmax_t(rows * columns) * sizeof(float), code); // holes: takes no disk
        if (code) QSKIP(("no sparse file of 2.25 GiB can be made here: " + code.message()).c_str());
        writeFloats(weights, 5 * columns * 4, std::vector<float>(columns, 5));
        writeFloats(weights, (rows - 1) * columns * 4, std::vector<float>(columns, -1));
        const fs::path file = writeTable(folder.path().toStdString());
        const std::int64_t before = ownMegabytes();
        const Graph graph = importOnnx(file);
        const Program program = Executor(graph, {"cpu", 1}).compile({});
        const at::Tensor y = program.run(Feed{{"ids", test::ints({5, rows - 1, 6})}}, {})[0];
        QVERIFY(y.sizes() == at::IntArrayRef({3, columns}));
        for (std::int64_t i = 0; i < 3; ++i)
            QCOMPARE(y[i].sum().item().toFloat(), float(columns) * (i == 0 ? 5.f : i == 1 ? -1.f : 0.f));
        QVERIFY2(ownMegabytes() - before < 256, qPrintable(QString::number(ownMegabytes() - before)));
    }

    void mappedWeightsAreNotWrittenBack()
    {
        const QTemporaryDir folder;
        const fs::path weights = fs::path(folder.path().toStdString()) / "weights.bin";
        std::ofstream(weights).close();
        std::error_code code;
        fs::resize_file(weights, std::uintmax_t(rows * columns) * sizeof(float), code);
        if (code) QSKIP(("no sparse file of 2.25 GiB can be made here: " + code.message()).c_str());
        const Graph graph = importOnnx(writeTable(folder.path().toStdString()));
        graph.variable(graph.findVariable("table")).value[7].fill_(3);
        std::ifstream in(weights, std::ios::binary);
        in.seekg(7 * columns * 4);
        float first = -1;
        in.read(reinterpret_cast<char *>(&first), sizeof first);
        QCOMPARE(first, 0.f);
    }

    void dataFilesBelongToTheModel()
    {
        const QTemporaryDir folder;
        ImportRequest request;
        request.file = writeTable(folder.path().toStdString());
        const ImporterEntry &importer = importerFor(request.file);
        QVERIFY(importer.otherFiles(request).empty()); // not there yet
        const fs::path weights = request.file.parent_path() / "weights.bin";
        std::ofstream(weights) << "x";
        QCOMPARE(importer.otherFiles(request), std::vector<fs::path>{weights});
    }

    void aMillionNodesAreRefused()
    {
        // bytes by hand: NodeProto {1: input, 2: output, 4: op_type} in GraphProto.node (1)
        const auto field = [](int number, const std::string &payload) {
            std::string out(1, char(number << 3 | 2));
            std::size_t size = payload.size();
            for (; size > 127; size >>= 7) out += char((size & 127) | 128);
            return out + char(size) + payload;
        };
        const std::string node = field(1, field(1, "x") + field(2, "x") + field(4, "Relu"));
        std::string graph;
        graph.reserve(node.size() * 1000001);
        for (int i = 0; i < 1000001; ++i) graph += node;
        const QTemporaryDir folder;
        const fs::path file = fs::path(folder.path().toStdString()) / "million.onnx";
        std::ofstream(file, std::ios::binary) << std::string{8, 7} << field(7, graph) << field(8, std::string{16, 13});
        try {
            importOnnx(file);
            QFAIL("nothing was refused");
        } catch (const Error &error) {
            QVERIFY2(std::string(error.what()).find("more than 4000000 nodes, attributes") != std::string::npos,
                     error.what());
        }
    }
};

QL_TEST(TestLargeModel)
#include "tst_large_model.moc"
