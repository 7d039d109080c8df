// Scenes of graphs as the window draws them. No engine.
#include "tests/support/test_main.h"
#include "views/graph/graph_view.h"

#include <QApplication>
#include <QFontMetrics>
#include <QtTest>

using namespace ql;
using nlohmann::json;

namespace {

const std::atomic<bool> never{false};

struct Op
{
    std::string name, type;
    std::vector<std::string> inputs, outputs;
};

GraphPtr graphOf(const std::vector<Op> &ops, const std::vector<std::string> &inputs,
                 const std::vector<std::string> &outputs)
{
    json inspection = {{"schema", "quantloupe-inspection/1"}, {"model", {{"path", "m.onnx"}, {"sha256", "1"}}}};
    for (const std::string &name : inputs) inspection["model"]["inputs"].push_back({{"name", name}});
    for (const std::string &name : outputs) inspection["model"]["outputs"].push_back({{"name", name}});
    inspection["tensors"] = json::array();
    for (const Op &op : ops)
        inspection["operations"].push_back({{"name", op.name},
                                            {"type", op.type},
                                            {"platform", "TRT_INT8"},
                                            {"quantized", true},
                                            {"reason", "because"},
                                            {"inputs", op.inputs},
                                            {"outputs", op.outputs}});
    return graphFromInspection(inspection);
}

ConfigInfo overlapped(const char *operation)
{
    ConfigInfo config;
    config.operation = QString::fromLatin1(operation);
    config.role = QStringLiteral("output");
    config.state = QStringLiteral("overlapped");
    return config;
}

int boxOf(const Scene &scene, const QString &operation)
{
    return scene.view.nodeOf[scene.graph->find(operation)];
}

OperationRows rowsOf(const GraphSnapshot &graph)
{
    auto rows = std::make_shared<QVector<OperationRow>>();
    for (const OperationInfo &op : graph.operations) {
        OperationRow row;
        row.name = op.name;
        row.type = op.type;
        row.shape = op.shape;
        row.essentials = op.essentials;
        rows->append(row);
    }
    return rows;
}

} // namespace

class TestScene : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fusedActivationsAreOneBox_data()
    {
        QTest::addColumn<QStringList>("types");
        QTest::addColumn<QString>("title");
        QTest::newRow("Relu") << QStringList{QStringLiteral("Relu")} << "Conv + Relu";
        QTest::newRow("SiLU") << QStringList{QStringLiteral("Sigmoid"), QStringLiteral("Mul")} << "Conv + SiLU";
        QTest::newRow("Mish") << QStringList{QStringLiteral("Softplus"), QStringLiteral("Tanh"), QStringLiteral("Mul")}
                              << "Conv + Mish";
    }
    void fusedActivationsAreOneBox()
    {
        QFETCH(QStringList, types);
        QFETCH(QString, title);
        std::vector<Op> ops{{"conv", "Conv", {"in"}, {"t0"}}};
        QVector<ConfigInfo> configs{overlapped("conv")};
        for (int i = 0; i < types.size(); ++i) {
            const std::string from = "t" + std::to_string(i), to = "t" + std::to_string(i + 1);
            ops.push_back({"a" + std::to_string(i), types[i].toStdString(), {from}, {to}});
            if (types[i] == QStringLiteral("Mul")) ops.back().inputs = {"t0", from};
            if (i + 1 < types.size()) configs.append(overlapped(ops.back().name.c_str()));
        }
        const std::string end = "t" + std::to_string(types.size());
        ops.push_back({"next", "Conv", {end}, {"out"}});
        const GraphPtr graph = graphOf(ops, {"in"}, {"out"});
        Folding folding;
        folding.fusedInto = fusedActivations(*graph, configs);
        const ScenePtr scene = makeScene(graph, folding, {}, never);
        const int box = boxOf(*scene, QStringLiteral("conv"));
        QCOMPARE(scene->view.nodes[box].operations.size(), types.size() + 1);
        GraphPicture picture;
        picture.set(scene, rowsOf(*graph));
        QCOMPARE(picture.titleOf(box), title);
        QVERIFY(boxOf(*scene, QStringLiteral("next")) != box);
        // Where the parts keep roundings of their own they are boxes of their own
        QVERIFY(fusedActivations(*graph, {}).isEmpty());
        if (types.size() > 1)
            QVERIFY(!fusedActivations(*graph, {overlapped("conv")}).contains(graph->find(QStringLiteral("a0"))));
    }

    void outputChannelsAreWhole()
    {
        OperationRow row;
        row.essentials = QStringLiteral("3×3 · 1024→2048 · /2");
        row.shape = QStringLiteral("1x2048x112x112");
        const QFontMetrics metrics(qApp->font());
        QSet<QString> texts;
        for (int width = metrics.horizontalAdvance(QStringLiteral("2048×112×112")); width < 400; width += 3) {
            const QString text = operationDetail(row, metrics, width);
            QVERIFY(metrics.horizontalAdvance(text) <= width);
            QVERIFY2(text.contains(QStringLiteral("2048")) && !text.contains(QChar(0x2026)), qPrintable(text));
            texts.insert(text);
        }
        QVERIFY(texts.contains(QStringLiteral("3×3 · 1024→2048 · /2  2048×112×112")));
        QVERIFY(texts.size() >= 3);
    }
};

QL_TEST(TestScene)
#include "tst_scene.moc"
