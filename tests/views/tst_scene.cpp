// Scenes of graphs as drawn by the window: fused boxes, orientation, columns, and stable positions. No engine, except
// for the real models, which are inspected by the program and skipped without the corpus.
#include "tests/support/test_main.h"
#include "tests/views/scene_test.h"
#include "views/graph/graph_view.h"
#include "views/style/theme.h"

#include <QApplication>
#include <QFontMetrics>
#include <QProcess>
#include <QSignalSpy>
#include <QWheelEvent>
#include <QtTest>
#include <cmath>

using namespace ql;
using nlohmann::json;

namespace {

struct Node
{
    std::string name, type;
    std::vector<std::string> inputs, outputs;
};

GraphPtr graphOf(const std::vector<Node> &ops, const std::vector<std::string> &inputs,
                 const std::vector<std::string> &outputs)
{
    api::Inspection inspection;
    inspection.model.path = "m.onnx";
    inspection.model.sha256 = "1";
    for (const std::string &name : inputs) inspection.model.inputs.push_back({name, "float32", std::nullopt});
    for (const std::string &name : outputs) inspection.model.outputs.push_back({name, "float32", std::nullopt});
    for (const Node &op : ops) {
        api::InspectedOperation &row = inspection.operations.emplace_back();
        row.name = op.name;
        row.type = op.type;
        row.platform = "TRT_INT8";
        row.quantized = true;
        row.reason = "because";
        row.activation = op.type == "Relu";
        row.inputs = op.inputs;
        row.outputs = op.outputs;
    }
    return graphFromInspection(inspection);
}

/// Blocks of a convolution, x * Sigmoid(x) and an addition of what came before; names "/b3/conv".
GraphPtr blocks(int count)
{
    std::vector<Node> ops;
    std::string last = "in";
    for (int b = 0; b < count; ++b) {
        const std::string name = "/b" + std::to_string(b) + "/";
        ops.push_back({name + "conv", "Conv", {last}, {name + "c"}});
        ops.push_back({name + "sigmoid", "Sigmoid", {name + "c"}, {name + "s"}});
        ops.push_back({name + "mul", "Mul", {name + "c", name + "s"}, {name + "m"}});
        ops.push_back({name + "add", "Add", {name + "m", last}, {name + "a"}});
        last = name + "a";
    }
    return graphOf(ops, {"in"}, {last});
}

ConfigInfo overlapped(const char *operation)
{
    ConfigInfo config;
    config.operation = QString::fromLatin1(operation);
    config.role = api::SlotRole::Output;
    config.state = api::QuantState::Overlapped;
    return config;
}

OperationRows rowsOfTypes(const GraphSnapshot &graph)
{
    auto rows = std::make_shared<QVector<OperationRow>>();
    for (const OperationInfo &op : graph.operations) {
        OperationRow row;
        row.name = op.name;
        row.type = op.type;
        row.shape = op.shape;
        row.essentials = op.essentials;
        row.channels = graph.isConvolution(op) ? op.outputChannels : 0;
        rows->append(row);
    }
    return rows;
}

/// The zoom at which all of a scene is seen in an area.
double zoomOf(const Scene &scene, const QSizeF &area)
{
    return std::min(area.width() / scene.bounds.width(), area.height() / scene.bounds.height());
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
        std::vector<Node> ops{{"conv", "Conv", {"in"}, {"t0"}}};
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
        picture.set(scene, rowsOfTypes(*graph));
        QCOMPARE(picture.titleOf(box), title);
        QVERIFY(boxOf(*scene, QStringLiteral("next")) != box);
        // Parts with their own rounding are separate boxes
        QVERIFY(fusedActivations(*graph, {}).isEmpty());
        if (types.size() > 1)
            QVERIFY(!fusedActivations(*graph, {overlapped("conv")}).contains(graph->find(QStringLiteral("a0"))));
    }

    void turnsLeftToRight()
    {
        const GraphPtr graph = blocks(6);
        Arrangement turned;
        turned.leftToRight = true;
        const ScenePtr down = makeScene(graph, {}, {}, never), right = makeScene(graph, {}, down, never, turned);
        QVERIFY(down->bounds.height() > down->bounds.width() && right->bounds.width() > right->bounds.height());
        for (const ViewEdge &edge : right->view.edges) {
            QVERIFY(right->boxes[edge.to].left() > right->boxes[edge.from].right());
            QVERIFY(down->boxes[edge.to].top() > down->boxes[edge.from].bottom());
        }
        for (int n = 0; n < right->boxes.size(); ++n) { // boxes are not turned themselves
            QCOMPARE(right->boxes[n].size(), down->boxes[n].size());
            const auto [first, last] = right->bandsOf(right->boxes[n]);
            QVERIFY(first <= last);
            for (int band = first; band <= last; ++band) QVERIFY(right->bandNodes[band].contains(n));
        }
        // The arrow keys point towards the boxes
        GraphView view;
        view.resize(700, 400);
        view.show();
        view.setRows(rowsOfTypes(*graph));
        view.setScene(right);
        view.setSelection({}, QStringLiteral("/b0/conv"));
        QSignalSpy current(&view, &GraphView::currentRequested);
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(current.count(), 1);
        QCOMPARE(current[0][0].toString(), QStringLiteral("/b0/sigmoid"));
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(current.count(), 1); // nothing is next to it
        // The wheel moves along the graph
        const QPointF before = view.toWidget({}), at(350, 200);
        QWheelEvent wheel(at, view.mapToGlobal(at), {}, {0, -120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                          false);
        QApplication::sendEvent(&view, &wheel);
        QVERIFY(view.toWidget({}).x() < before.x() && view.toWidget({}).y() == before.y());
    }

    /// The initial zoom is as large as the first boxes allow, regardless of boxes far below.
    void beginsLarge()
    {
        std::vector<Node> ops;
        const auto chain = [&](const std::string &name, std::string from, int length) {
            for (int i = 0; i < length; ++i) {
                const std::string to = name + std::to_string(i);
                ops.push_back({to, "Conv", {from}, {to + "_t"}});
                from = to + "_t";
            }
            return from;
        };
        const std::string fork = chain("trunk", "in", 20);
        std::vector<std::string> ends;
        for (int b = 0; b < 12; ++b) ends.push_back(chain("branch" + std::to_string(b) + "_", fork, 3));
        ops.push_back({"join", "Concat", ends, {"out"}});
        const GraphPtr graph = graphOf(ops, {"in"}, {"out"});
        GraphView view;
        view.resize(700, 500);
        view.show();
        view.setRows(rowsOfTypes(*graph));
        const ScenePtr scene = makeScene(graph, {}, {}, never);
        QVERIFY(scene->bounds.width() > 2500);
        view.setScene(scene);
        QVERIFY2(view.zoom() >= 0.8, qPrintable(QString::number(view.zoom())));
        for (int i = 0; i < 8; ++i) {
            const QRectF &box = scene->boxes[boxOf(*scene, QStringLiteral("trunk%1").arg(i))];
            const QRectF shown(view.toWidget(box.topLeft()), view.toWidget(box.bottomRight()));
            QVERIFY2(QRectF(view.rect()).contains(shown), qPrintable(QString::number(i)));
        }
        // With room for them it is no larger than usual
        view.resize(700, 1000);
        view.setScene({});
        view.setScene(scene);
        QCOMPARE(view.zoom(), 1.0);
    }

    /// The minimap covers no boxes: at the start of a graph with wide rows only the space above is free.
    void minimapGoesUp()
    {
        std::vector<Node> ops{{"first", "Relu", {"in"}, {"t"}}};
        std::vector<std::string> ends;
        for (int branch = 0; branch < 8; ++branch) {
            std::string from = "t";
            for (int i = 0; i < 4; ++i) {
                const std::string name = "op" + std::to_string(branch) + "_" + std::to_string(i);
                ops.push_back({name, "Relu", {from}, {name + "_t"}});
                from = name + "_t";
            }
            ends.push_back(from);
        }
        ops.push_back({"last", "Concat", ends, {"out"}});
        const GraphPtr graph = graphOf(ops, {"in"}, {"out"});
        GraphView view;
        view.resize(700, 500);
        view.show();
        view.setRows(rowsOfTypes(*graph));
        view.setScene(makeScene(graph, {}, {}, never));
        view.reveal(QStringLiteral("first"), true);
        QTRY_VERIFY(!view.isGliding());
        const QImage image = view.grab().toImage();
        const QColor map = Theme::current().panel;
        QCOMPARE(image.pixelColor(14 + 6, 14 + 2), map);
        QVERIFY(image.pixelColor(view.width() - 20, 16) != map);
    }

    /// Rows that are too wide for the window even in small text do not make the text small. When boxes fuse while
    /// nothing is current, the first view is again the start.
    void staysAtTheStart()
    {
        std::vector<Node> ops;
        std::vector<std::string> parts;
        for (int i = 0; i < 6; ++i) {
            const std::string name = "slice" + std::to_string(i);
            ops.push_back({name, "Slice", {"in"}, {name + "_t"}});
            parts.push_back(name + "_t");
        }
        ops.push_back({"join", "Concat", parts, {"x0"}});
        QVector<ConfigInfo> configs;
        for (int i = 0; i < 10; ++i) {
            const std::string n = std::to_string(i), conv = "conv" + n, relu = "relu" + n;
            ops.push_back({conv, "Conv", {"x" + n}, {conv + "_t"}});
            ops.push_back({relu, "Relu", {conv + "_t"}, {"x" + std::to_string(i + 1)}});
            configs.append(overlapped(conv.c_str()));
        }
        const GraphPtr graph = graphOf(ops, {"in"}, {"x10"});
        GraphView view;
        view.resize(640, 500);
        view.show();
        view.setRows(rowsOfTypes(*graph));
        const ScenePtr scene = makeScene(graph, {}, {}, never);
        QVERIFY(scene->bounds.width() * 0.8 > 640);
        view.setScene(scene);
        QVERIFY2(view.zoom() >= 0.8, qPrintable(QString::number(view.zoom())));
        const auto topOf = [&](const Scene &shown) { return view.toWidget(shown.bounds.topLeft()).y(); };
        const double top = topOf(*scene);
        Folding folding;
        folding.fusedInto = fusedActivations(*graph, configs);
        const ScenePtr fused = makeScene(graph, folding, scene, never);
        QVERIFY(fused->boxes.size() < scene->boxes.size());
        view.setScene(fused);
        QCOMPARE(topOf(*fused), top);
        // After a movement it stays where it is
        view.zoomBy(1.1, {320, 250});
        const double moved = topOf(*fused);
        view.setScene(makeScene(graph, folding, fused, never));
        QCOMPARE(topOf(*fused), moved);
    }

    /// A long network in one column is a thread; fitted, it is wrapped so that it can be read.
    void fitsAllInColumns()
    {
        const GraphPtr graph = blocks(16);
        GraphView view;
        view.resize(1000, 620);
        view.show();
        view.setRows(rowsOfTypes(*graph));
        const ScenePtr tall = makeScene(graph, {}, {}, never);
        view.setScene(tall);
        QSignalSpy wraps(&view, &GraphView::wrapRequested);
        view.fitAll();
        QCOMPARE(wraps.count(), 1);
        Arrangement columns;
        columns.wrapAspect = wraps[0][0].toDouble();
        QVERIFY(std::abs(columns.wrapAspect - 1000.0 / 620) < 0.1);
        const ScenePtr wrapped = makeScene(graph, {}, tall, never, columns);
        view.setScene(wrapped);
        QTRY_VERIFY(std::all_of(wrapped->boxes.begin(), wrapped->boxes.end(), [&](const QRectF &box) {
            return QRectF(view.rect()).contains(QRectF(view.toWidget(box.topLeft()), view.toWidget(box.bottomRight())));
        }));
        QTRY_VERIFY(view.zoom() > 0.42);
        QVERIFY(zoomOf(*tall, view.size()) < 0.15);
        // It is not requested again
        view.fitAll();
        QCOMPARE(wraps.count(), 1);
        // A short graph is not wrapped
        view.setScene(makeScene(blocks(1), {}, {}, never));
        view.fitAll();
        QCOMPARE(wraps.count(), 1);
    }

    void currentBoxStaysOnItsPlace_data()
    {
        QTest::addColumn<QString>("change");
        for (const char *change : {"fold above", "fold itself", "fuse", "left to right", "wrap"})
            QTest::newRow(change) << QString::fromLatin1(change);
    }
    void currentBoxStaysOnItsPlace()
    {
        QFETCH(QString, change);
        const GraphPtr graph = blocks(30);
        GraphView view;
        view.resize(900, 600);
        view.show();
        view.setRows(rowsOfTypes(*graph));
        ScenePtr scene = makeScene(graph, {}, {}, never);
        view.setScene(scene);
        const QString current = QStringLiteral("/b17/conv");
        view.setSelection({current}, current);
        view.reveal(current, true);
        QTRY_VERIFY(QRectF(view.rect()).contains(view.toWidget(scene->boxes[boxOf(*scene, current)].center())));
        QTRY_VERIFY(!view.isGliding());
        const auto place = [&] {
            const QRectF &box = view.scene()->boxes[boxOf(*view.scene(), current)];
            return view.toWidget({box.center().x(), box.top()});
        };
        const QPointF before = place();
        Folding folding;
        Arrangement arrangement;
        arrangement.leftToRight = change == QStringLiteral("left to right");
        if (change == QStringLiteral("wrap")) arrangement.wrapAspect = 1.5;
        if (change == QStringLiteral("fold above"))
            for (int b = 0; b < 15; ++b) folding.folded.insert(QStringLiteral("/b%1").arg(b));
        if (change == QStringLiteral("fold itself")) folding.folded.insert(QStringLiteral("/b17"));
        if (change == QStringLiteral("fuse"))
            for (int b = 0; b < 30; ++b) {
                const int conv = graph->find(QStringLiteral("/b%1/conv").arg(b));
                for (const int part : {conv + 1, conv + 2}) folding.fusedInto.insert(part, conv);
            }
        view.setScene(makeScene(graph, folding, scene, never, arrangement));
        QVERIFY(QLineF(place(), before).length() < 0.5);
        // And back
        view.setScene(makeScene(graph, {}, view.scene(), never));
        QVERIFY(QLineF(place(), before).length() < 0.5);
        // Moving the graph afterwards does not make it jump
        const QPointF old = place();
        view.zoomBy(1.0, QPointF(450, 300));
        QVERIFY(QLineF(place(), old).length() < 0.5);
    }

    void outputChannelsAreNotElided()
    {
        OperationRow row;
        row.essentials = QStringLiteral("3×3 · 1024→2048 · /2");
        row.channels = 2048;
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

    void realModels_data()
    {
        QTest::addColumn<double>("least"); // zoom at which all of it is seen in 1160 x 680
        QTest::newRow("squeezenet1.1") << 0.4;
        QTest::newRow("resnet50v2_backbone") << 0.35;
        QTest::newRow("yolox_nano") << 0.15;
        QTest::newRow("stories260k") << 0.1;
        QTest::newRow("deeplabv3_dm05") << 0.25;
        QTest::newRow("ppocr_v3_det") << 0.15;
        QTest::newRow("gtcrn_simple") << 0.1;
        QTest::newRow("minifasnet_v2") << 0.3;
    }
    void realModels()
    {
        QFETCH(double, least);
        const QString name = QString::fromLatin1(QTest::currentDataTag());
        const QString file = QStringLiteral(QL_CORPUS "/%1/%1.onnx").arg(name);
        if (!QFileInfo::exists(file)) QSKIP("the corpus is not here");
        QProcess program;
        program.start(QStringLiteral(QL_BIN "/quantloupe-cli"),
                      {QStringLiteral("inspect"), file, QStringLiteral("--json"), QStringLiteral("-")});
        QVERIFY(program.waitForFinished(120000));
        const GraphPtr graph =
            graphFromInspection(json::parse(program.readAllStandardOutput().toStdString()).get<api::Inspection>());
        const ScenePtr tall = makeScene(graph, {}, {}, never);
        QHash<int, int> readers, producers;
        for (const ViewEdge &edge : tall->view.edges) {
            ++readers[edge.from];
            ++producers[edge.to];
        }
        for (int e = 0; e < tall->edges.size(); ++e) {
            const ViewEdge &edge = tall->view.edges[e];
            const QVector<QPointF> &points = tall->edges[e];
            // A chain is a straight line
            if (readers[edge.from] == 1 && producers[edge.to] == 1) {
                const double from = tall->boxes[edge.from].center().x(), to = tall->boxes[edge.to].center().x();
                QVERIFY2(std::abs(from - to) < 0.01, qPrintable(tall->view.nodes[edge.to].key));
                for (const QPointF &point : points) QVERIFY(std::abs(point.x() - from) < 0.6);
            }
            // No edge is a staircase
            int steps = 0;
            for (qsizetype i = 1; i < points.size(); ++i) steps += std::abs(points[i].x() - points[i - 1].x()) > 1;
            QVERIFY2(steps <= 3, qPrintable(tall->view.nodes[edge.to].key));
        }
        Arrangement columns;
        columns.wrapAspect = 1160.0 / 680;
        const ScenePtr wrapped = makeScene(graph, {}, tall, never, columns);
        const double zoom = zoomOf(*wrapped, {1160, 680});
        QVERIFY2(zoom > least && zoom > 2 * zoomOf(*tall, {1160, 680}), qPrintable(QString::number(zoom)));
    }

    /// A whole ResNet, fitted into what a window of 1280 x 800 leaves for the graph, has texts in its boxes.
    void aWholeResNetIsReadable()
    {
        std::vector<Node> ops;
        std::string last = "in";
        const auto add = [&](const char *type, std::vector<std::string> inputs) {
            const std::string name = std::to_string(ops.size());
            ops.push_back({name, type, std::move(inputs), {"t" + name}});
            return "t" + name;
        };
        last = add("MaxPool", {add("Relu", {add("Conv", {last})})});
        for (const int stage : {3, 4, 6, 3})
            for (int b = 0; b < stage; ++b) {
                std::string way = last;
                for (int i = 0; i < 3; ++i) way = add("Conv", {i > 0 ? add("Relu", {way}) : way});
                last = add("Relu", {add("Add", {way, b == 0 ? add("Conv", {last}) : last})});
            }
        last = add("Gemm", {add("GlobalAveragePool", {last})});
        const GraphPtr graph = graphOf(ops, {"in"}, {last});
        QCOMPARE(graph->operations.size(), 121);
        GraphView view;
        view.resize(660, 505);
        view.show();
        view.setRows(rowsOfTypes(*graph));
        const ScenePtr tall = makeScene(graph, {}, {}, never);
        view.setScene(tall);
        QSignalSpy wraps(&view, &GraphView::wrapRequested);
        view.fitAll();
        QCOMPARE(wraps.count(), 1);
        Arrangement columns;
        columns.wrapAspect = wraps[0][0].toDouble();
        view.setScene(makeScene(graph, {}, tall, never, columns));
        QTRY_VERIFY2(view.zoom() >= GraphPicture::titleZoom, qPrintable(QString::number(view.zoom())));
        QTRY_VERIFY(QRectF(view.rect())
                        .contains(QRectF(view.toWidget(view.scene()->bounds.topLeft()),
                                         view.toWidget(view.scene()->bounds.bottomRight()))));
    }
};

QL_TEST(TestScene)
#include "tst_scene.moc"
