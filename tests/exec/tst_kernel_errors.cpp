// Inputs that do not fit an operation: the message names op, inputs, shapes and the reason in words about the model.
#include "core/base/error.h"
#include "core/exec/executor.h"
#include "core/exec/kernel.h"
#include "tests/support/small_graph.h"
#include "tests/support/test_main.h"

#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <QtTest>

using namespace ql;
using test::SmallGraph;

using Sizes = std::vector<std::int64_t>;

class TestKernelErrors : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void unknownAutoPad()
    {
        for (const char *type : {"Conv", "MaxPool"}) {
            for (const char *word : {"SAME", "", "VALID"}) {
                SmallGraph small;
                small.input("a", {});
                small.input("b");
                std::map<std::string, Attribute, std::less<>> attributes{{"auto_pad", std::string(word)}};
                if (std::string(type) == "MaxPool") attributes["kernel_shape"] = std::vector<std::int64_t>{3, 3};
                const bool isConv = std::string(type) == "Conv";
                small.op(type, "node", isConv ? std::vector<std::string>{"a", "b"} : std::vector<std::string>{"a"},
                         {"y"}, attributes);
                small.output("y");
                const Executor executor(small.graph);
                QString message;
                try {
                    executor.compile({}).run(Feed{{"a", at::zeros({1, 2, 8, 8})}, {"b", at::zeros({4, 2, 3, 3})}}, {});
                } catch (const Error &error) {
                    message = error.what();
                }
                QCOMPARE(message.contains("auto_pad is 'SAME', expected NOTSET"), QByteArray(word) == "SAME");
                if (QByteArray(word) != "SAME") QCOMPARE(message, QString());
            }
        }
    }

    void unknownAttributes_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("attribute");
        QTest::addColumn<QString>("good");
        QTest::addColumn<QString>("bad");
        const auto row = [](const char *type, const char *attribute, const char *good, const char *bad) {
            QTest::addRow("%s %s", type, attribute) << type << attribute << good << bad;
        };
        row("Resize", "mode", "cubic", "lanczos");
        row("Resize", "coordinate_transformation_mode", "align_corners", "half");
        row("Resize", "nearest_mode", "ceil", "round");
        row("Pad", "mode", "reflect", "mirror");
        row("DepthToSpace", "mode", "CRD", "RCD");
        row("GridSample", "padding_mode", "border", "wrap");
        row("RoiAlign", "mode", "max", "mean");
        row("ScatterND", "reduction", "add", "mean");
        row("TensorScatter", "mode", "circular", "ring");
        row("Gelu", "approximate", "tanh", "sigmoid");
        row("BitShift", "direction", "LEFT", "UP");
        row("LSTM", "activations", "HardSigmoid", "Swish");
        row("com.microsoft:FusedConv", "activation", "Clip", "Mish");
        row("com.microsoft:MatMulNBits", "bits", "4", "3");
        row("Conv", "strides", "1 1 1", "1 1 1 1");
        row("MaxPool", "kernel_shape", "2 2 2", "2 2 2 2");
        row("SpaceToDepth", "mode", "CRD", "RCD");
        row("Cast", "to", "22", "25");
    }
    /// Unsupported features are reported for all operations together, before anything is computed; even if all inputs
    /// are constant.
    void unknownAttributes()
    {
        QFETCH(QString, type);
        QFETCH(QString, attribute);
        QFETCH(QString, good);
        QFETCH(QString, bad);
        const auto valueOf = [&](const QString &text) -> Attribute {
            if (attribute == "activations") return std::vector<std::string>{text.toStdString()};
            if (attribute == "bits" || attribute == "to") return std::int64_t(text.toLongLong());
            if (attribute != "strides" && attribute != "kernel_shape") return text.toStdString();
            std::vector<std::int64_t> numbers;
            for (const QString &word : text.split(QLatin1Char(' '))) numbers.push_back(word.toLongLong());
            return numbers;
        };
        SmallGraph small;
        small.input("x");
        small.parameter("c", at::zeros({1, 2, 2, 2}));
        const auto add = [&](const char *name, const char *input, const QString &text) {
            std::map<std::string, Attribute, std::less<>> attributes{{attribute.toStdString(), valueOf(text)}};
            if (type == "DFT") attributes["onesided"] = std::int64_t{1};
            const OpId id = small.op(type.section(QLatin1Char(':'), -1).toStdString(), name, {input},
                                     {std::string(name) + "_y"}, attributes);
            Operation &op = small.graph.edit(id);
            if (type.contains(QLatin1Char(':'))) op.domain = "com.microsoft";
            if (type == "Gelu") op.opset = 20;
            if (type == "GridSample") op.opset = 16;
            if (type == "DFT") op.opset = 17;
            if (type == "TensorScatter") op.opset = 24;
            small.output(std::string(name) + "_y");
        };
        add("good", "x", good);
        QCOMPARE(unsupportedOps(small.graph).size(), std::size_t(0));
        add("one", "x", bad);
        add("two", "c", bad);
        QString message;
        try {
            Executor(small.graph).compile({});
        } catch (const Error &error) {
            message = error.what();
            QCOMPARE(error.kind, ErrorKind::UnsupportedOp);
        }
        QVERIFY2(message.contains("'one'") && message.contains("'two'") && !message.contains("'good'") &&
                     message.contains("implemented"),
                 qPrintable(message));
    }

    void speaksOfTheModel_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<Sizes>("left");
        QTest::addColumn<Sizes>("right");
        QTest::addColumn<int>("leftType");
        QTest::addColumn<QString>("reason");
        const int f = int(at::kFloat);
        QTest::newRow("product, inner") << "MatMul" << Sizes{1, 3, 8, 8} << Sizes{4, 3, 3, 3} << f
                                        << "the inner sizes 8 and 3 differ";
        QTest::newRow("product, batch") << "MatMul" << Sizes{2, 4, 5} << Sizes{3, 5, 4} << f
                                        << "sizes 2 and 3 of axis -3 do not broadcast";
        QTest::newRow("product, vector") << "MatMul" << Sizes{3} << Sizes{4} << f << "the inner sizes 3 and 4 differ";
        QTest::newRow("sum") << "Add" << Sizes{2, 3} << Sizes{4} << f << "sizes 3 and 4 of axis -1 do not broadcast";
        QTest::newRow("choice") << "Where" << Sizes{2, 3} << Sizes{4} << int(at::kBool)
                                << "sizes 3 and 4 of axis -1 do not broadcast";
        QTest::newRow("join") << "Concat" << Sizes{2, 3} << Sizes{3, 4} << f
                              << "sizes differ along an axis that is not concatenated";
        for (const Sizes &update : {Sizes{2, 3, 6, 4}, Sizes{2, 3, 5, 1}, Sizes{2, 3, 5}})
            QTest::addRow("cache, %d", int(update.back()))
                << "TensorScatter" << Sizes{2, 3, 5, 4} << update << f
                << "the shapes of cache, update and write indices do not match";
    }
    void speaksOfTheModel()
    {
        QFETCH(QString, type);
        QFETCH(Sizes, left);
        QFETCH(Sizes, right);
        QFETCH(int, leftType);
        QFETCH(QString, reason);
        SmallGraph small(type == "TensorScatter" ? 24 : 13);
        small.input("a", {}, at::ScalarType(leftType));
        small.input("b");
        std::map<std::string, Attribute, std::less<>> attributes;
        if (type == "Concat") attributes["axis"] = std::int64_t{1};
        std::vector<std::string> inputs{"a", "b"};
        if (type == "Where") inputs.push_back("b");
        small.op(type.toStdString(), "node", inputs, {"y"}, attributes);
        small.output("y");
        const Executor executor(small.graph);
        try {
            executor.compile({}).run(Feed{{"a", at::zeros(left, at::ScalarType(leftType))}, {"b", at::zeros(right)}},
                                     {});
            QFAIL("has been computed");
        } catch (const Error &error) {
            QCOMPARE(error.op, std::string("node"));
            const QString text = error.what();
            QVERIFY2(text.startsWith(type + " cannot be computed from its inputs 'a' "), error.what());
            QVERIFY2(text.endsWith(": " + reason), error.what());
            for (const Sizes &sizes : {left, right})
                for (const std::int64_t size : sizes) QVERIFY2(text.contains(QString::number(size)), error.what());
            QVERIFY(!error.remedy.isEmpty());
        }
    }

    void writesOutsideTheCache_data()
    {
        QTest::addColumn<QString>("mode");
        QTest::addColumn<std::int64_t>("start");
        QTest::addColumn<bool>("fits");
        QTest::newRow("last place") << "linear" << std::int64_t(3) << true;
        QTest::newRow("too late") << "linear" << std::int64_t(4) << false;
        QTest::newRow("negative") << "circular" << std::int64_t(-1) << false;
        QTest::newRow("wraps") << "circular" << std::int64_t(4) << true;
    }
    void writesOutsideTheCache()
    {
        QFETCH(QString, mode);
        QFETCH(std::int64_t, start);
        QFETCH(bool, fits);
        SmallGraph small(24);
        small.input("cache");
        small.input("update");
        small.parameter("start", at::full({1}, start, at::kLong));
        small.op("TensorScatter", "node", {"cache", "update", "start"}, {"y"}, {{"mode", mode.toStdString()}});
        small.output("y");
        QString message;
        try {
            Executor(small.graph)
                .compile({})
                .run(Feed{{"cache", at::zeros({1, 2, 5, 4})}, {"update", at::zeros({1, 2, 2, 4})}}, {});
        } catch (const Error &error) {
            message = error.what();
        }
        const QString expected = QStringLiteral(": 2 entries at index %1 do not fit into a cache of 5").arg(start);
        QVERIFY2(fits ? message.isEmpty() : message.endsWith(expected), qPrintable(message));
    }

    void kernelsOfOthersSayWhatIsWrong_data()
    {
        QTest::addColumn<double>("what");
        QTest::addColumn<QString>("message");
        QTest::newRow("words") << 0.0 << "ThrowsWords cannot be computed from its inputs 'a' 1: the moon is full";
        QTest::newRow("unknown type") << 1.0 << "ThrowsWords: an exception of an unknown type";
    }
    void kernelsOfOthersSayWhatIsWrong()
    {
        QFETCH(double, what);
        QFETCH(QString, message);
        SmallGraph small;
        small.input("a");
        small.op("ThrowsWords", "node", {"a"}, {"y"});
        small.output("y");
        try {
            Executor(small.graph).compile({}).run(Feed{{"a", at::full({1}, what)}}, {});
            QFAIL("has been computed");
        } catch (const Error &error) {
            QCOMPARE(QString(error.what()), message);
            QCOMPARE(error.op, std::string("node"));
        }
    }
};

/// A kernel that throws as a plug-in may.
static std::vector<at::Tensor> throwsWords(const KernelContext &, Inputs inputs)
{
    if (inputs[0].item<float>() == 0) throw std::runtime_error("the moon is full");
    throw 42;
}
static const KernelRegistrar throwsWordsKernel{{"ThrowsWords"}, {.run = throwsWords, .family = "test"}};

QL_TEST(TestKernelErrors)
#include "tst_kernel_errors.moc"
