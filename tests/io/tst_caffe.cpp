// The Caffe importer: nets of one layer against numpy's values (tests/data/caffe), names and operations of the graph,
// and files that must be refused.
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/exec/executor.h"
#include "core/io/caffe/import.h"
#include "core/io/caffe/limits.h"
#include "core/io/npz.h"
#include "core/pass/format_pipeline.h"
#include "core/pass/pass.h"
#include "tests/support/test_main.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/max.h>
#include <QDir>
#include <QTemporaryDir>
#include <QtTest>

#include <cstring>

using namespace ql;
namespace fs = std::filesystem;

namespace {

const fs::path cases = fs::path(QL_TEST_DATA) / "caffe";

std::vector<at::Tensor> runGraph(const Graph &graph, const NpzFile &golden)
{
    Feed feed;
    for (const VarId id : graph.inputs())
        feed[graph.variable(id).name] = golden.array("in__" + graph.variable(id).name)->all();
    return Executor(graph, {"cpu", 1}).compile({}).run(feed, {});
}

std::string varint(std::uint64_t value)
{
    std::string out;
    for (; value > 127; value >>= 7) out += char((value & 127) | 128);
    return out + char(value);
}
std::string field(int number, const std::string &data)
{
    return varint(std::uint64_t(number) << 3 | 2) + varint(data.size()) + data;
}
/// A blob of zeros; claims more values than it has when `held` is smaller.
std::string blob(const std::vector<std::uint64_t> &shape, std::size_t held, float value = 0)
{
    std::string dims, data;
    for (const std::uint64_t d : shape) dims += varint(d);
    for (std::size_t i = 0; i < held; ++i) data.append(reinterpret_cast<const char *>(&value), 4);
    return field(7, field(1, dims)) + field(5, data);
}
std::string layerWith(const std::string &name, const std::string &type, const std::string &blobs)
{
    return field(100, field(1, name) + field(2, type) + blobs);
}

const char *const header = "input: \"data\" input_shape { dim: 1 dim: 2 dim: 4 dim: 4 }\n";

} // namespace

class TestCaffe : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    fs::path write(const char *name, const std::string &bytes) const
    {
        const fs::path file = fs::path(m_folder.path().toStdString()) / name;
        writeFileAtomically(file, bytes);
        return file;
    }
    void clear() const
    {
        for (const QString &name : QDir(m_folder.path()).entryList(QDir::Files)) QDir(m_folder.path()).remove(name);
    }
    static ImportRequest request(const fs::path &file, std::vector<api::Problem> *problems = nullptr)
    {
        ImportRequest out;
        out.file = file;
        if (problems) out.report = [problems](api::Problem p) { problems->push_back(std::move(p)); };
        return out;
    }
    Graph import(const std::string &layers, std::vector<api::Problem> *problems = nullptr) const
    {
        return importModel(request(write("net.prototxt", header + layers), problems));
    }

    static QByteArray bytesOf(const std::string &s) { return {s.data(), qsizetype(s.size())}; }
    static void net(const char *what, const std::string &text, const QStringList &words)
    {
        QTest::newRow(what) << bytesOf(text) << QByteArray() << words;
    }
    static void layer(const char *what, const std::string &text, const QStringList &words)
    {
        net(what, header + text, words);
    }
    static std::string op(const std::string &type, const std::string &params = "", const std::string &bottoms = "data")
    {
        std::string text = "layer { name: \"the layer\" type: \"" + type + "\" top: \"y\" " + params;
        for (const QString &b : QString::fromStdString(bottoms).split(' '))
            text += " bottom: \"" + b.toStdString() + "\"";
        return text + " }";
    }

    /// Files that are no nets, and nets whose inputs or structure cannot be.
    void addRefusedNets()
    {
        net("empty", "", {"an empty file"});
        layer("written twice", op("ReLU") + "layer { name: \"r2\" type: \"TanH\" bottom: \"data\" top: \"y\" }",
              {"two layers write", "'the layer'", "r2", "'y'"});
        layer("input written", op("ReLU") + "layer { name: \"r2\" type: \"TanH\" bottom: \"y\" top: \"data\" }",
              {"two layers write", "input of the net", "r2"});
        net("web page", "<!DOCTYPE html><html></html>", {"a web page", "Download"});
        net("LFS pointer", "version https://git-lfs.github.com/spec/v1\n", {"Git LFS"});
        net("not a net", "hello world", {"line 1", "cannot be read"});
        net("unbalanced", "layer { name: \"x\" ", {"line 1", "cannot be read"});
        net("nested", std::string(200000, '{'), {"nested more than 24"});
        net("nested unknown", "foo { " + QString("a { ").repeated(5000).toStdString(), {"nested more than 24"});
        net("nested lists", "input: " + std::string(100000, '['), {"nested more than 24"});
        net("twice", "name: \"a\" name: \"b\"", {"line 1", "specified multiple times"});
        net("no layers", "name: \"a\"", {"no layers"});
        net("solver", "net: \"x.prototxt\" base_lr: 0.1", {"no layers"});
        net("no shape", "input: \"data\" layer { name: \"r\" type: \"ReLU\" bottom: \"data\" top: \"y\" }",
            {"'data'", "does not specify the size", "--input-shape"});
        net("no crop",
            "layer { name: \"d\" type: \"Data\" top: \"x\" } layer { name: \"r\" type: \"ReLU\" bottom: \"x\" "
            "top: \"y\" }",
            {"op 'd'", "does not specify the size", "reads a database", "--input-shape x="});
        net("huge input",
            "input: \"data\" input_dim: 100000 input_dim: 100000 input_dim: 9 input_dim: 9 layer { name: "
            "\"r\" type: \"ReLU\" bottom: \"data\" top: \"y\" }",
            {"'data'", "more than 4294967296 elements"});
        net("huge dims",
            "input: \"data\" input_shape { dim: 4611686018427387904 dim: 4611686018427387904 } layer { name: "
            "\"r\" type: \"ReLU\" bottom: \"data\" top: \"y\" }",
            {"'data'", "more than 4294967296 elements"});
        net("inputs twice", "input: \"a\" input: \"a\" layer { name: \"r\" type: \"ReLU\" bottom: \"a\" top: \"y\" }",
            {"two inputs of the same name"});
        net("both forms", "layers { name: \"a\" type: RELU } layer { name: \"b\" type: \"ReLU\" }", {"older form"});
    }

    /// Layers that are unknown, or whose parameters do not suit their inputs.
    void addRefusedLayers()
    {
        layer("unknown types", op("Recurrent") + op("Relu") + op("SPP"),
              {"layers of unknown types: 3", "'the layer' (Recurrent)", "did you mean 'ReLU'", "(SPP)",
               "importers caffe"});
        layer("unknown bottom", op("ReLU", "", "dat"), {"'the layer'", "'dat'", "no input or layer", "'data'"});
        layer("only training", op("ReLU", "include { phase: TRAIN }"), {"computes nothing"});
        layer("only a loss", op("EuclideanLoss"), {"computes nothing"});
        layer("both rules", op("ReLU", "include { phase: TEST } exclude { phase: TRAIN }"),
              {"'the layer'", "Keep only one"});
        layer("no weights",
              op("Convolution", "convolution_param { num_output: 2 kernel_size: 1 }") +
                  "layer { name: \"ip\" type: \"InnerProduct\" bottom: \"y\" top: \"z\" }",
              {"layers without weights: 2", "'the layer' (Convolution)", "'ip' (InnerProduct)", "--weights"});
        layer("unsupported twice",
              op("Pooling", "pooling_param { pool: STOCHASTIC kernel_size: 2 }") +
                  "layer { name: \"i\" type: \"Interp\" bottom: \"data\" top: \"z\" interp_param { "
                  "pad_beg: 2 } }",
              {"layers that cannot be imported: 2", "STOCHASTIC", "'i' Interp", "pad_beg"});
        layer("too few bottoms", op("Crop"), {"'the layer'", "needs 2 bottoms and has 1"});
        layer("axis", op("Softmax", "softmax_param { axis: 4 }"), {"axis 4 is outside a blob of 4"});
        layer("axis below", op("Concat", "concat_param { axis: -5 }"), {"axis -5 is outside"});
        layer("reshape", op("Reshape", "reshape_param { shape { dim: 5 dim: -1 } }"), {"1x2x4x4", "no integer size"});
        layer("reshape twice", op("Reshape", "reshape_param { shape { dim: -1 dim: -1 } }"), {"two sizes are -1"});
        layer("reshape huge", op("Reshape", "reshape_param { shape { dim: 4611686018427387904 dim: 4 dim: -1 } }"),
              {"no integer size"});
        layer("reshape count", op("Reshape", "reshape_param { shape { dim: 7 } }"), {"cannot become 7"});
        layer("permute", op("Permute", "permute_param { order: 1 order: 1 }"), {"lists an axis twice"});
        layer("slice points", op("Slice", "slice_param { slice_point: 1 slice_point: 2 }"),
              {"2 slice points for 1 tops"});
        layer("slice outside", op("Slice", "top: \"b\" slice_param { slice_point: 9 }"),
              {"slice points are not increasing"});
        layer("pool kernel", op("Pooling", "pooling_param { kernel_size: 9 }"), {"do not fit 1x2x4x4"});
        layer("pool zero", op("Pooling", "pooling_param { kernel_size: 0 }"), {"do not fit 1x2x4x4"});
        layer("pool stride", op("Pooling", "pooling_param { kernel_size: 2 stride: 0 }"), {"do not fit"});
        layer("pool pad", op("Pooling", "pooling_param { kernel_size: 2 pad: 2 }"), {"smaller than the kernel"});
        layer("conv group", op("Convolution", "convolution_param { num_output: 3 kernel_size: 1 group: 2 }"),
              {"group 2 does not divide"});
        layer("conv kernel", op("Convolution", "convolution_param { num_output: 3 }"), {"must be positive"});
        layer("conv axis", op("Convolution", "convolution_param { num_output: 3 kernel_size: 1 axis: 2 }"),
              {"is not 1"});
        layer("conv pads", op("Convolution", "convolution_param { num_output: 3 kernel_size: 1 pad: 1 pad: 1 pad: 1 }"),
              {"3 values of pad for 2"});
    }
    void addRefusedShapes()
    {
        layer("bilinear",
              op("Deconvolution", "convolution_param { num_output: 60000 kernel_size: 60000 bias_term: false "
                                  "weight_filler { type: \"bilinear\" } }"),
              {"its filler would create"});
        layer("eltwise shapes",
              "layer { name: \"p\" type: \"Flatten\" bottom: \"data\" top: \"f\" }" + op("Eltwise", "", "data f"),
              {"1x2x4x4", "1x32", "must be equal"});
        layer("eltwise coeff", op("Eltwise", "eltwise_param { coeff: 1 }", "data data"), {"1 values of coeff"});
        layer("concat shapes",
              "layer { name: \"p\" type: \"Flatten\" bottom: \"data\" top: \"f\" }" + op("Concat", "", "data f"),
              {"1x2x4x4", "1x32"});
        layer("tile", op("Tile", "tile_param { tiles: 2000000000 }"), {"more than 4294967296 elements"});
        layer("interp", op("Interp", "interp_param { zoom_factor: 100000 }"), {"more than 4294967296 elements"});
        layer("interp negative", op("Interp", "interp_param { height: 3 width: 3 pad_beg: -4 }"), {"leave nothing"});
        layer("upsample", op("Upsample", "upsample_param { scale: -1 }"), {"scale must be positive"});
        layer("unpool", op("Upsample", "", "data data"), {"must be the mask"});
        layer("lrn", op("LRN", "lrn_param { local_size: 4 }"), {"must be odd"});
        layer("exp", op("Exp", "exp_param { base: -2 }"), {"base must be positive"});
        layer("clip", op("Clip"), {"min or max is missing"});
        layer("top k", op("ArgMax", "argmax_param { top_k: 100 }"), {"top_k 100 is outside"});
        layer("prior box", op("PriorBox", "", "data data"), {"min_size is missing"});
        layer("prior box sizes", op("PriorBox", "prior_box_param { min_size: 4 max_size: 3 }", "data data"),
              {"larger than its min_size"});
        layer("detection", op("DetectionOutput", "detection_output_param { num_classes: 2 }", "data data data"),
              {"do not match"});
        layer("crop", "input: \"like\" input_shape { dim: 1 dim: 2 dim: 9 dim: 9 }" + op("Crop", "", "data like"),
              {"outside axis 2 of 1x2x4x4"});
        layer("enum", op("Pooling", "pooling_param { pool: MEDIAN }"), {"line 2", "MEDIAN"});
    }

    /// Weights that are not those of the net.
    void addRefusedWeights()
    {
        const std::string conv = std::string(header) +
                                 "layer { name: \"c\" type: \"Convolution\" bottom: \"data\" top: "
                                 "\"y\" convolution_param { num_output: 3 kernel_size: 1 bias_term: "
                                 "false } }";
        const auto weights = [&](const char *what, const std::string &file, const QStringList &words) {
            QTest::newRow(what) << bytesOf(conv) << bytesOf(file) << words;
        };
        const std::string good = layerWith("c", "Convolution", field(7, blob({3, 2, 1, 1}, 6)));
        weights("other shape", layerWith("c", "Convolution", field(7, blob({3, 4, 1, 1}, 12))),
                {"weights.caffemodel", "op 'c'", "shape 3x4x1x1", "needs 3x2x1x1", "trained with this prototxt"});
        weights("other layers", layerWith("d", "Convolution", field(7, blob({3, 2, 1, 1}, 6))),
                {"without weights in", "weights.caffemodel", "'c' (Convolution)"});
        weights("truncated", good.substr(0, good.size() - 5),
                {"weights.caffemodel", "truncated or damaged", "remaining 47 at byte 0 of 50"});
        weights("fewer values", layerWith("c", "Convolution", field(7, blob({3, 2, 1, 1}, 5))),
                {"needs 6 values, the file holds 5"});
        weights("huge shape", layerWith("c", "Convolution", field(7, blob({1ull << 40, 1ull << 40}, 1))),
                {"invalid shape"});
        weights("negative shape", layerWith("c", "Convolution", field(7, blob({~0ull}, 1))), {"invalid shape -1"});
        weights("NaN", layerWith("c", "Convolution", field(7, blob({3, 2, 1, 1}, 6, std::nanf("")))),
                {"op 'c'", "6 of 6 values", "NaN"});
        weights("no layers", field(1, "just a name"), {"contains no layers"});
        weights("noise", std::string("\x07\x01\xff\xff\xff", 5), {"truncated or damaged"});
        weights("HDF5", "\x89HDF\r\n\x1a\n", {"an HDF5 file", "BINARYPROTO"});
    }

private Q_SLOTS:
    void cleanup() { clear(); }

    void layers_data()
    {
        QTest::addColumn<QString>("name");
        for (const fs::directory_entry &entry : fs::directory_iterator(cases))
            if (entry.path().extension() == ".npz")
                QTest::newRow(entry.path().stem().c_str()) << QString::fromStdString(entry.path().stem().string());
    }

    void layers()
    {
        QFETCH(QString, name);
        const NpzFile golden(cases / (name.toStdString() + ".npz"));
        QuantModel model;
        model.graph = importModel(request(cases / (name.toStdString() + ".prototxt")));
        const std::vector<std::string> names = [&] {
            std::vector<std::string> out;
            for (const VarId id : model.graph.outputs()) out.push_back(model.graph.variable(id).name);
            return out;
        }();
        // As imported, and after the passes that every model goes through
        for (const bool formatted : {false, true}) {
            if (formatted)
                for (const std::string &id : defaultFormatPipeline()) runPass(*makePass(id, {}), model, PassContext{});
            const std::vector<at::Tensor> outputs = runGraph(model.graph, golden);
            QCOMPARE(outputs.size(), names.size());
            for (std::size_t i = 0; i < outputs.size(); ++i) {
                QVERIFY2(golden.contains("out__" + names[i]), names[i].c_str());
                const at::Tensor want = golden.array("out__" + names[i])->all(), got = outputs[i].contiguous();
                QCOMPARE(got.sizes().vec(), want.sizes().vec());
                const double limit = 2e-5 * std::max(want.abs().max().item().toDouble(), 1e-6);
                const double worst = (got.to(at::kDouble) - want.to(at::kDouble)).abs().max().item().toDouble();
                QVERIFY2(worst <= limit,
                         qPrintable(QString("%1: %2 > %3").arg(names[i].c_str()).arg(worst).arg(limit)));
                // The declared types match the results
                if (const TensorType &type = model.graph.variable(model.graph.outputs()[i]).type; type.isStatic())
                    QCOMPARE(type.sizes(), got.sizes().vec());
            }
        }
    }

    /// Every type in the registry has a case.
    void everyTypeHasACase()
    {
        std::string text;
        for (const fs::directory_entry &entry : fs::directory_iterator(cases))
            if (entry.path().extension() == ".prototxt") text += readFile(entry.path());
        const std::set<std::string> alias{"ConvolutionDepthwise",
                                          "DepthwiseConvolution",
                                          "ChannelShuffle",
                                          "NormalizeBBox",
                                          "Transpose",
                                          "AnnotatedData",
                                          "DummyData",
                                          "HDF5Data",
                                          "ImageData",
                                          "MemoryData",
                                          "VideoData",
                                          "WindowData",
                                          "HDF5Output",
                                          "DetectionEvaluate",
                                          "SigmoidCrossEntropyLoss",
                                          "...Loss"};
        for (const ImportedType &type : caffeLayers())
            if (!alias.contains(type.type))
                QVERIFY2(text.find("type: \"" + type.type + "\"") != std::string::npos, type.type.c_str());
    }

    /// docs/caffe-layers.md is generated from the registry by QL_WRITE_DOCS=1.
    void documented()
    {
        std::string text =
            "# Caffe layers\n\n"
            "How every layer is imported; `quantloupe-cli importers caffe` prints the same table. Generated by "
            "`QL_WRITE_DOCS=1 build/release/tests/tests_io tst_caffe documented` from the registry in `core/io/caffe`; "
            "to add "
            "a layer, write one function and one `LayerRegistrar`.\n\n"
            "| layer | becomes | parameters, notes |\n|---|---|---|\n";
        for (const ImportedType &type : caffeLayers())
            text += "| " + type.type + " | " + type.becomes + " | " + type.notes + " |\n";
        const fs::path file = fs::path(QL_SOURCE_DIR) / "docs/caffe-layers.md";
        if (qEnvironmentVariableIsSet("QL_WRITE_DOCS")) writeFileAtomically(file, text);
        QVERIFY2(readFile(file) == text, "docs/caffe-layers.md differs from the registry");
    }

    void names()
    {
        const Graph graph = import("layer { name: \"r1\" type: \"ReLU\" bottom: \"data\" top: \"data\" }\n"
                                   "layer { name: \"r2\" type: \"TanH\" bottom: \"data\" top: \"x\" }\n"
                                   "layer { name: \"r3\" type: \"ReLU\" bottom: \"x\" top: \"x\" }\n"
                                   "layer { name: \"r4\" type: \"AbsVal\" bottom: \"x\" top: \"x\" }\n"
                                   "layer { name: \"r4\" type: \"Sigmoid\" bottom: \"x\" top: \"x\" }\n");
        std::vector<std::string> got;
        for (const OpId id : graph.topological()) {
            const Operation &op = graph.operation(id);
            got.push_back(op.name + ":" + op.type + ">" + graph.variable(op.outputs[0]).name);
        }
        QCOMPARE(got, (std::vector<std::string>{"r1:Relu>data_ver1", "r2:Tanh>x_ver1", "r3:Relu>x_ver2",
                                                "r4:Abs>x_ver3", "r4_1:Sigmoid>x"}));
        QCOMPARE(graph.variable(graph.inputs()[0]).name, std::string("data"));
        QCOMPARE(graph.opsets, (std::map<std::string, std::int64_t>{{"", 13}}));
    }

    void namesInOtherEncodings()
    {
        const Graph graph =
            import("layer { name: \"c\\351\\001\" type: \"ReLU\" bottom: \"data\" top: \"\xe5\xb7\x9d\\300\" }");
        QCOMPARE(graph.operation(graph.operations()[0]).name, std::string("c\\xe9\\x01"));
        QCOMPARE(graph.variable(graph.outputs()[0]).name, std::string("\xe5\xb7\x9d\\xc0"));
    }

    void batchNormAndScaleAreOne()
    {
        const Graph graph = importModel(request(cases / "batchnorm_scale.prototxt"));
        QCOMPARE(graph.operationCount(), std::size_t(2));
        QCOMPARE(graph.operation(graph.operations()[0]).type, std::string("BatchNormalization"));
        QCOMPARE(importModel(request(cases / "batchnorm_read_twice.prototxt")).operationCount(), std::size_t(3));
    }

    /// A Scale that writes nothing changes nothing.
    void scaleWithoutATop()
    {
        const std::string whole = readFile(cases / "batchnorm_scale.prototxt");
        const std::string weights = readFile(cases / "batchnorm_scale.caffemodel");
        const auto outputOf = [&](const std::string &net) {
            ImportRequest r = request(write("net.prototxt", net));
            r.weights = write("net.caffemodel", weights);
            const Graph graph = importModel(r);
            return runGraph(graph, NpzFile(cases / "batchnorm_scale.npz")).at(0);
        };
        const std::size_t layer = whole.find("layer { name: \"scale\""), next = whole.find("layer { name: \"relu\"");
        std::string topless = whole, without = whole;
        topless.erase(whole.find(" top: \"data\"", layer), std::string(" top: \"data\"").size());
        without.erase(layer, next - layer);
        QVERIFY(outputOf(topless).equal(outputOf(without)));
        QVERIFY(!outputOf(whole).equal(outputOf(without)));
    }

    void priorBoxesAreConstants()
    {
        const Graph graph = importModel(request(cases / "detection.prototxt"));
        for (const OpId id : graph.operations()) QVERIFY(graph.operation(id).type != "PriorBox");
        QCOMPARE(graph.opsets.at("caffe"), std::int64_t(1));
    }

    void inputShape()
    {
        ImportRequest r = request(cases / "pool_max_3x3.prototxt");
        r.inputShapes["data"] = {2, -1, 9, 13};
        const Graph graph = importModel(r);
        QCOMPARE(graph.variable(graph.outputs()[0]).type.sizes(), (std::vector<std::int64_t>{2, 3, 4, 6}));
        r.inputShapes = {{"date", {1, 3, 9, 9}}};
        QVERIFY_THROWS_EXCEPTION(Error, importModel(r));
    }

    void findsTheOtherFile()
    {
        const std::string text = readFile(cases / "ip.prototxt"), weights = readFile(cases / "ip.caffemodel");
        const auto count = [&](const fs::path &file) { return importModel(request(file)).operationCount(); };
        const fs::path net = write("net.prototxt", text), model = write("net.caffemodel", weights);
        QCOMPARE(count(net), std::size_t(2));
        QCOMPARE(count(model), std::size_t(2));
        const ImporterEntry &entry = importerFor(net);
        QCOMPARE(entry.otherFiles(request(net)), std::vector<fs::path>{model});
        QCOMPARE(entry.otherFiles(request(model)), std::vector<fs::path>{net});
        clear();
        const fs::path deploy = write("net_deploy.prototxt", text);
        write("net.caffemodel", weights);
        QCOMPARE(count(deploy), std::size_t(2));
        QCOMPARE(count(model), std::size_t(2));
        clear();
        write("net.prototxt", text);
        const fs::path other = write("other.caffemodel", weights);
        ImportRequest named = request(net);
        named.weights = other;
        QCOMPARE(importModel(named).operationCount(), std::size_t(2));
        std::swap(named.file, named.weights);
        QCOMPARE(importModel(named).operationCount(), std::size_t(2));
    }

    void weightsAlone()
    {
        // A caffemodel contains the whole net: input (3), shape (8), one layer with its relu_param (123)
        const std::string slope("\x0d\x00\x00\x00\x3f", 5);
        const std::string layer =
            field(100, field(1, "act") + field(2, "ReLU") + field(3, "in") + field(4, "out") + field(123, slope));
        const std::string net = field(1, "n") + field(3, "in") + field(8, field(1, varint(1) + varint(2))) + layer;
        std::vector<api::Problem> problems;
        const Graph graph = importModel(request(write("alone.caffemodel", net), &problems));
        QCOMPARE(graph.operation(graph.operations()[0]).type, std::string("LeakyRelu"));
        QCOMPARE(problems.size(), std::size_t(1));
        QVERIFY(QString::fromStdString(problems[0].message.english()).contains("definition stored in them"));
    }

    void textWeights()
    {
        const Graph graph = import("layer { name: \"b\" type: \"Bias\" bottom: \"data\" top: \"y\"\n"
                                   "  blobs { shape { dim: 2 } data: 1 data: -2 } }");
        const VarId parameter = graph.operation(graph.operations()[0]).inputs[1];
        QCOMPARE(graph.variable(parameter).value.sizes().vec(), (std::vector<std::int64_t>{2, 1, 1}));
        QCOMPARE(graph.variable(parameter).value.data_ptr<float>()[1], -2.f);
    }

    void dataLayers_data()
    {
        QTest::addColumn<QString>("layer");
        QTest::addColumn<QString>("shape");
        const auto row = [](const char *type, const char *params, const char *shape) {
            QTest::newRow(type)
                << QString("layer { name: \"d\" type: \"%1\" top: \"x\" top: \"l\" %2 }").arg(type, params) << shape;
        };
        row("MemoryData", "memory_data_param { batch_size: 3 channels: 1 height: 28 width: 20 }", "3x1x28x20");
        row("Data", "data_param { batch_size: 4 } transform_param { crop_size: 5 mirror: true }", "4x3x5x5");
        row("ImageData", "image_data_param { batch_size: 2 new_height: 6 new_width: 7 is_color: false }", "2x1x6x7");
        row("DummyData", "dummy_data_param { num: 1 channels: 2 height: 3 width: 4 data_filler { type: \"xavier\" } }",
            "1x2x3x4");
    }

    void dataLayers()
    {
        QFETCH(QString, layer);
        QFETCH(QString, shape);
        std::vector<api::Problem> problems;
        const Graph graph = importModel(
            request(write("data.prototxt",
                          layer.toStdString() + " layer { name: \"r\" type: \"ReLU\" bottom: \"x\" top: \"y\" }"),
                    &problems));
        QCOMPARE(graph.inputs().size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(toString(graph.variable(graph.inputs()[0]).type)), shape);
        QVERIFY(QString::fromStdString(problems.at(0).message.english()).contains("reads a database"));
    }

    void unknownFieldsAreReported()
    {
        std::vector<api::Problem> problems;
        import("layer { name: \"r\" type: \"ReLU\" bottom: \"data\" top: \"y\"\n"
               "  relu_param { engine: CUDNN negative_slop: 0.5 } param { lr_mult: 0 } }",
               &problems);
        QCOMPARE(problems.size(), std::size_t(1));
        const QString message = QString::fromStdString(problems[0].message.english());
        QVERIFY2(message.contains("line 3") && message.contains("'negative_slop'"), qPrintable(message));
    }

    void refused_data()
    {
        QTest::addColumn<QByteArray>("net");
        QTest::addColumn<QByteArray>("weights");
        QTest::addColumn<QStringList>("words");
        addRefusedNets();
        addRefusedLayers();
        addRefusedShapes();
        addRefusedWeights();
    }

    void refused()
    {
        QFETCH(QByteArray, net);
        QFETCH(QByteArray, weights);
        QFETCH(QStringList, words);
        ImportRequest r = request(write("net.prototxt", net.toStdString()));
        if (!weights.isNull()) r.weights = write("weights.caffemodel", weights.toStdString());
        try {
            importModel(r);
            QFAIL("it was accepted");
        } catch (const Error &error) {
            const QString text = QString::fromStdString(error.text());
            QVERIFY2(text.contains(".prototxt") || text.contains(".caffemodel"), qPrintable(text));
            for (const QString &word : words)
                QVERIFY2(text.contains(word, Qt::CaseInsensitive), qPrintable(word + " is not in: " + text));
            QVERIFY(error.kind != ErrorKind::Internal);
        }
    }

    /// Cut and flipped bytes: an Error or a graph, never a crash.
    void damage_data()
    {
        QTest::addColumn<QString>("name");
        for (const char *name : {"batchnorm_scale.caffemodel", "v0.caffemodel", "v1.caffemodel", "ip_half.caffemodel",
                                 "detection.prototxt", "phases.prototxt", "unpool.prototxt", "slice_points.prototxt"})
            QTest::newRow(name) << name;
    }

    void damage()
    {
        QFETCH(QString, name);
        const fs::path source = cases / name.toStdString();
        const std::string good = readFile(source), stem = source.stem().string();
        const bool isWeights = source.extension() == ".caffemodel";
        const std::string other = isWeights ? readFile(cases / (stem + ".prototxt")) : std::string();
        if (isWeights) write("net.prototxt", other);
        const auto attempt = [&](const std::string &bytes) {
            ImportRequest r = request(write(isWeights ? "net.caffemodel" : "net.prototxt", bytes));
            if (isWeights) r.file = fs::path(m_folder.path().toStdString()) / "net.prototxt";
            if (isWeights) r.weights = fs::path(m_folder.path().toStdString()) / "net.caffemodel";
            try {
                importModel(r).verify();
            } catch (const Error &error) {
                QVERIFY2(error.kind != ErrorKind::Internal, error.what());
            }
        };
        for (std::size_t i = 0; i < 40; ++i) attempt(good.substr(0, good.size() * i / 40));
        std::uint32_t state = 1;
        for (int i = 0; i < 300; ++i) {
            std::string bad = good;
            for (int k = 0; k < 1 + i % 3; ++k) {
                state = state * 1664525 + 1013904223;
                bad[(state >> 8) % bad.size()] = char(state >> 24);
            }
            attempt(bad);
        }
    }
};

QL_TEST(TestCaffe)
#include "tst_caffe.moc"
