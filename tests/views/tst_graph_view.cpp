// The graph view over snapshots: collapsing, bodies, overlays, images. No engine.
#include "tests/support/test_main.h"
#include "tests/views/scene_test.h"
#include "views/graph/graph_export.h"
#include "views/graph/graph_view.h"
#include "views/window/breadcrumbs.h"

#include <QImageReader>
#include <QPainter>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>
#include <cmath>

using namespace ql;
using nlohmann::json;

namespace {

struct Op
{
    std::string name, type, platform;
    std::vector<std::string> inputs, outputs;
    std::vector<api::BodyRow> bodies = {};
};

api::Inspection inspectionOf(const std::vector<Op> &ops, const std::vector<std::string> &inputs,
                             const std::vector<std::string> &outputs)
{
    api::Inspection inspection;
    inspection.model.path = "m.onnx";
    inspection.model.sha256 = "1";
    for (const std::string &name : inputs) inspection.model.inputs.push_back({name, "float32", std::nullopt});
    for (const std::string &name : outputs) inspection.model.outputs.push_back({name, "float32", std::nullopt});
    for (const Op &op : ops) {
        api::InspectedOperation &row = inspection.operations.emplace_back();
        row.name = op.name;
        row.type = op.type;
        row.platform = op.platform;
        row.quantized = op.platform == "TRT_INT8";
        row.reason = "because";
        row.inputs = op.inputs;
        row.outputs = op.outputs;
        row.activation = op.type == "Relu";
        row.bodies = op.bodies;
    }
    return inspection;
}

api::BodyOperation inBody(const char *name, const char *type, const char *input, const char *output)
{
    api::BodyOperation op;
    op.name = name;
    op.type = type;
    op.inputs = {input};
    op.outputs = {output};
    return op;
}

/// Two blocks of a convolution and an activation, a float part between them, shape computation, and an If with another
/// If inside.
GraphPtr mixed(const char *platformOfIf = "FP32")
{
    const std::vector<api::BodyRow> inner{{"then_branch",
                                           {},
                                           {"y"},
                                           {inBody("same", "Neg", "x", "y")},
                                           {{"x", "float32", "1x3", false, {}}, {"y", "float32", "1x3", false, {}}}}};
    std::vector<api::BodyRow> branches{
        {"else_branch", {}, {"e"}, {inBody("same", "Identity", "t6", "e")}, {}},
        {"then_branch", {}, {"t"}, {inBody("abs", "Abs", "t6", "a"), inBody("deep", "If", "a", "t")}, {}}};
    branches[1].operations[1].bodies = inner;
    return graphFromInspection(inspectionOf({{"/block1/conv", "Conv", "TRT_INT8", {"in"}, {"t1"}},
                                             {"/block1/relu", "Relu", "TRT_INT8", {"t1"}, {"t2"}},
                                             {"shape", "Shape", "SOI", {"t2"}, {"s1"}},
                                             {"gather", "Gather", "SOI", {"s1"}, {"s2"}},
                                             {"softmax", "Softmax", "FP32", {"t2"}, {"t3"}},
                                             {"mul", "Mul", "FP32", {"t3", "s2"}, {"t4"}},
                                             {"/block2/conv", "Conv", "TRT_INT8", {"t4"}, {"t5"}},
                                             {"/block2/relu", "Relu", "TRT_INT8", {"t5"}, {"t6"}},
                                             {"if", "If", platformOfIf, {"s2", "t6"}, {"out"}, branches}},
                                            {"in"}, {"out"}));
}

void checkBoxes(const Scene &scene)
{
    for (int a = 0; a < scene.boxes.size(); ++a)
        for (int b = 0; b < a; ++b) {
            const ViewNode &first = scene.view.nodes[a], &second = scene.view.nodes[b];
            if (first.parent == second.parent)
                QVERIFY2(!scene.boxes[a].intersects(scene.boxes[b]), qPrintable(first.key + " on " + second.key));
        }
    for (int n = 0; n < scene.boxes.size(); ++n)
        if (const int parent = scene.view.nodes[n].parent; parent >= 0) {
            QVERIFY(scene.view.nodes[parent].isOpen);
            QVERIFY2(scene.boxes[parent].contains(scene.boxes[n]), qPrintable(scene.view.nodes[n].key));
        }
    for (int e = 0; e < scene.edges.size(); ++e) {
        const ViewEdge &edge = scene.view.edges[e];
        QCOMPARE(scene.view.nodes[edge.from].parent, scene.view.nodes[edge.to].parent);
    }
    // Everything is found in its bands
    for (int n = 0; n < scene.boxes.size(); ++n) {
        if (scene.view.nodes[n].isOpen) {
            QVERIFY(scene.frames.contains(n));
            continue;
        }
        const auto [first, last] = scene.bandsOf(scene.boxes[n]);
        QVERIFY(first <= last);
        for (int band = first; band <= last; ++band) QVERIFY(scene.bandNodes[band].contains(n));
    }
}

OperationRows rowsOf(const GraphSnapshot &graph)
{
    auto rows = std::make_shared<QVector<OperationRow>>();
    int i = 0;
    for (const OperationInfo &op : graph.operations) {
        OperationRow row;
        row.name = op.name;
        row.type = op.type;
        row.platform = op.platform;
        row.isQuantized = op.isQuantized;
        row.precision = op.isQuantized ? QStringLiteral("INT8") : QStringLiteral("FP32");
        row.bits = op.isQuantized ? 8 : 0;
        if (op.isQuantized) row.graphwise = std::pow(10.0, -++i);
        rows->append(row);
    }
    return rows;
}

} // namespace

class TestGraphView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void bodiesAreRead()
    {
        const GraphPtr graph = mixed();
        QCOMPARE(graph->topLevel, 9);
        QCOMPARE(graph->operations.size(), 13);
        QCOMPARE(graph->bodies.size(), 3);
        // Repeated names are distinguished by position
        QVERIFY(graph->find(QStringLiteral("same")) >= 0);
        const int second = graph->find(QStringLiteral("deep/then_branch/same"));
        QVERIFY(second >= 0);
        const QVector<int> owners = graph->ownersOf(second);
        QCOMPARE(owners.size(), 2);
        QCOMPARE(graph->operations[owners[0]].name, QStringLiteral("if"));
        QCOMPARE(graph->operations[owners[1]].name, QStringLiteral("deep"));
        QVERIFY(graph->operations[second].reason.contains(QStringLiteral("deep")));
        QVERIFY(graph->operations[second].reason.contains(QStringLiteral("float32")));
        QCOMPARE(graph->operations[second].platform, QStringLiteral("FP32"));
        const GraphPtr quantized = mixed("TRT_INT8");
        const OperationInfo &inQuantized = quantized->operations[second];
        QVERIFY2(!inQuantized.reason.contains(QStringLiteral("float32")), qPrintable(inQuantized.reason));
        QCOMPARE(inQuantized.platform, QStringLiteral("TRT_INT8"));
        QVERIFY(graph->ownersOf(0).isEmpty());
        QCOMPARE(graph->tensors[graph->operations[second].outputs[0]].shape, QStringLiteral("1x3"));
    }

    void bodiesOpenAndClose()
    {
        const GraphPtr graph = mixed();
        Folding folding;
        const ScenePtr closed = makeScene(graph, folding, {}, never);
        QCOMPARE(boxOf(*closed, QStringLiteral("deep/then_branch/same")), boxOf(*closed, QStringLiteral("if")));
        QVERIFY(!closed->view.nodes[boxOf(*closed, QStringLiteral("if"))].isOpen);

        folding.toggled = {QStringLiteral("body:if")};
        const ScenePtr open = makeScene(graph, folding, closed, never);
        checkBoxes(*open);
        QVERIFY(open->view.nodes[boxOf(*open, QStringLiteral("if"))].isOpen);
        // The inner one is still closed
        QCOMPARE(boxOf(*open, QStringLiteral("deep/then_branch/same")), boxOf(*open, QStringLiteral("deep")));
        QVERIFY(boxOf(*open, QStringLiteral("deep")) != boxOf(*open, QStringLiteral("abs")));
        // Tensors that a branch captures are pills in it
        QCOMPARE(std::count_if(open->view.nodes.begin(), open->view.nodes.end(),
                               [](const ViewNode &n) {
                                   return n.kind == ViewNode::Kind::Input && n.label == QStringLiteral("t6");
                               }),
                 2);

        folding = {};
        folding.opensBodies = true;
        const ScenePtr all = makeScene(graph, folding, open, never);
        checkBoxes(*all);
        QVERIFY(boxOf(*all, QStringLiteral("deep/then_branch/same")) != boxOf(*all, QStringLiteral("deep")));
        QCOMPARE(all->frames.size(), 5); // two operations, three bodies
    }

    void groupsFold_data()
    {
        QTest::addColumn<QStringList>("folded");
        QTest::addColumn<bool>("regions");
        QTest::addColumn<bool>("shapes");
        QTest::addColumn<QStringList>("together"); // operations of the first group
        QTest::addColumn<QString>("title");
        const QStringList block1{QStringLiteral("/block1/conv"), QStringLiteral("/block1/relu")};
        QTest::newRow("name") << QStringList{QStringLiteral("/block1")} << false << false << block1
                              << "/block1 · 2 ops";
        QTest::newRow("region") << QStringList{QStringLiteral("region:softmax")} << false << false
                                << QStringList{QStringLiteral("softmax"), QStringLiteral("mul")} << "FP32 · 2 ops";
        QTest::newRow("all regions") << QStringList() << true << false << block1 << "TRT_INT8 · 2 ops";
        QTest::newRow("shapes") << QStringList() << false << true
                                << QStringList{QStringLiteral("shape"), QStringLiteral("gather")}
                                << "shape computation · 2 ops";
    }
    void groupsFold()
    {
        QFETCH(QStringList, folded);
        QFETCH(bool, regions);
        QFETCH(bool, shapes);
        QFETCH(QStringList, together);
        QFETCH(QString, title);
        const GraphPtr graph = mixed();
        Folding folding;
        folding.folded = QSet<QString>(folded.begin(), folded.end());
        folding.foldsRegions = regions;
        folding.foldsShapeWork = shapes;
        const ScenePtr scene = makeScene(graph, folding, {}, never);
        checkBoxes(*scene);
        const int box = boxOf(*scene, together.front());
        QCOMPARE(scene->view.nodes[box].operations.size(), together.size());
        for (const QString &name : together) QCOMPARE(boxOf(*scene, name), box);
        QCOMPARE(scene->view.nodes[box].kind, ViewNode::Kind::Group);
        // It shows what it is, and how to expand it
        GraphPicture picture;
        picture.set(scene, rowsOf(*graph));
        QVERIFY2(picture.titleOf(box).startsWith(title.section(QLatin1Char(' '), 0, 1)),
                 qPrintable(picture.titleOf(box)));
        const QString key = scene->view.nodes[box].fold;
        QVERIFY(!key.isEmpty());
        folding.folded.remove(key);
        folding.unfolded.insert(key);
        const ScenePtr after = makeScene(graph, folding, scene, never);
        QVERIFY(boxOf(*after, together[0]) != boxOf(*after, together[1]));
    }

    void regionsNeverDependOnEachOther()
    {
        // a(INT8) -> b(FP32) -> c(INT8) and a -> c: a and c must not be one region
        const GraphPtr graph = graphFromInspection(inspectionOf({{"a", "Conv", "TRT_INT8", {"in"}, {"x"}},
                                                                 {"b", "Softmax", "FP32", {"x"}, {"y"}},
                                                                 {"c", "Add", "TRT_INT8", {"x", "y"}, {"z"}},
                                                                 {"d", "Relu", "TRT_INT8", {"z"}, {"out"}}},
                                                                {"in"}, {"out"}));
        QCOMPARE(dispatchRegions(*graph), (QVector<int>{0, 1, 2, 2}));
        Folding folding;
        folding.foldsRegions = true;
        const ViewGraph view = makeViewGraph(*graph, folding);
        for (const ViewEdge &edge : view.edges) QVERIFY(!edge.isReversed);
    }

    void collapsingKeepsTheOthersInOrder()
    {
        // Four branches of three operations each between a fork and a join
        std::vector<Op> ops{{"fork", "Relu", "TRT_INT8", {"in"}, {"f"}}};
        std::vector<std::string> ends;
        for (int b = 0; b < 4; ++b) {
            std::string from = "f";
            for (int i = 0; i < 3; ++i) {
                const std::string name = "/b" + std::to_string(b) + "/op" + std::to_string(i);
                ops.push_back({name, "Conv", "TRT_INT8", {from}, {name + "_t"}});
                from = name + "_t";
            }
            ends.push_back(from);
        }
        ops.push_back({"join", "Concat", "TRT_INT8", ends, {"out"}});
        const GraphPtr graph = graphFromInspection(inspectionOf(ops, {"in"}, {"out"}));
        const ScenePtr before = makeScene(graph, {}, {}, never);
        const auto order = [&](const Scene &scene) {
            QVector<QPair<double, int>> places;
            for (const int b : {0, 1, 3})
                places.append({scene.boxes[boxOf(scene, QStringLiteral("/b%1/op0").arg(b))].center().x(), b});
            std::sort(places.begin(), places.end());
            QVector<int> branches;
            for (const auto &[x, b] : places) branches.append(b);
            return branches;
        };
        Folding folding;
        folding.folded.insert(QStringLiteral("/b2"));
        const ScenePtr after = makeScene(graph, folding, before, never);
        QCOMPARE(order(*after), order(*before));
        const ScenePtr again = makeScene(graph, {}, after, never);
        QCOMPARE(order(*again), order(*before));
    }

    void overlaysShowMoreThanColour_data()
    {
        QTest::addColumn<int>("kind");
        for (int kind = 0; kind < 6; ++kind) QTest::newRow(qPrintable(overlayName(OverlayKind(kind)))) << kind;
    }
    void overlaysShowMoreThanColour()
    {
        QFETCH(int, kind);
        QVector<OperationRow> rows = *rowsOf(*mixed());
        for (OperationRow &row : rows) {
            row.layerwise = row.graphwise;
            if (row.graphwise) row.baseline = *row.graphwise * (row.type == QStringLiteral("Conv") ? 4 : 0.2);
            if (row.isQuantized) row.scaleGroup = row.name.left(7);
        }
        for (const Theme &theme : {Theme::light(), Theme::dark()}) {
            const Overlay overlay = makeOverlay(OverlayKind(kind), rows, theme);
            QCOMPARE(overlay.values.size(), rows.size());
            QVERIFY(!overlay.legend.isEmpty());
            int coloured = 0;
            for (const OverlayValue &value : overlay.values) {
                if (!value.color.isValid()) continue;
                ++coloured;
                QVERIFY(!value.text.isEmpty());
                QVERIFY(value.level >= 0 && value.level <= 1);
            }
            QVERIFY(coloured >= 4);
        }
        // Errors on a log scale: each power of ten is as long
        if (isRamp(OverlayKind(kind))) {
            const Overlay overlay = makeOverlay(OverlayKind(kind), rows, Theme::light());
            QVERIFY(std::abs((overlay.values[0].level - overlay.values[1].level) - 0.2) < 1e-9);
        }
    }

    /// It covers no box if there is room for it in another corner.
    void minimapAvoidsBoxes()
    {
        std::vector<Op> ops;
        for (int i = 0; i < 40; ++i)
            ops.push_back({"op" + std::to_string(i),
                           "Relu",
                           "TRT_INT8",
                           {"t" + std::to_string(i)},
                           {"t" + std::to_string(i + 1)}});
        const GraphPtr graph = graphFromInspection(inspectionOf(ops, {"t0"}, {"t40"}));
        GraphView view;
        view.resize(420, 700);
        view.show();
        view.setRows(rowsOf(*graph));
        view.setScene(makeScene(graph, {}, {}, never));
        view.reveal(QStringLiteral("op20"), true);
        QTRY_VERIFY(!view.isGliding());
        const auto isMap = [&](int x) {
            return view.grab().toImage().pixelColor(x, view.height() - 14) == Theme::current().panel;
        };
        const int left = 30, right = view.width() - 30;
        QVERIFY(isMap(right) && !isMap(left));
        const auto drag = [&](int by) {
            QTest::mousePress(&view, Qt::LeftButton, {}, {210, 5});
            QMouseEvent move(QEvent::MouseMove, QPointF(210 + by, 5), view.mapToGlobal(QPointF(210 + by, 5)),
                             Qt::NoButton, Qt::LeftButton, {});
            QCoreApplication::sendEvent(&view, &move);
            QTest::mouseRelease(&view, Qt::LeftButton, {}, {210 + by, 5});
        };
        drag(150);
        QVERIFY(isMap(left));
        drag(-300);
        QVERIFY(isMap(right));
    }

    /// A pass's changes may be far away: they are scrolled into view, and the minimap shows where.
    void marksAreShown()
    {
        std::vector<Op> ops;
        for (int i = 0; i < 60; ++i)
            ops.push_back({"op" + std::to_string(i),
                           "Relu",
                           "TRT_INT8",
                           {"t" + std::to_string(i)},
                           {"t" + std::to_string(i + 1)}});
        const GraphPtr graph = graphFromInspection(inspectionOf(ops, {"t0"}, {"t60"}));
        GraphView view;
        view.resize(900, 700);
        view.show();
        view.setRows(rowsOf(*graph));
        const ScenePtr scene = makeScene(graph, {}, {}, never);
        view.setScene(scene);
        view.reveal(QStringLiteral("op0"), true);
        QTRY_VERIFY(!view.isGliding());
        const auto isSeen = [&](const QString &name) {
            const QRectF box = scene->boxes[boxOf(*scene, name)];
            return QRectF(view.rect()).contains(QRectF(view.toWidget(box.topLeft()), view.toWidget(box.bottomRight())));
        };
        const auto amberAtTheRight = [&] { // position of the minimap
            const QImage image = view.grab().toImage();
            int count = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = image.width() - 170; x < image.width(); ++x) {
                    const QColor c = image.pixelColor(x, y), amber = Theme::current().amber;
                    count += std::abs(c.red() - amber.red()) + std::abs(c.green() - amber.green()) +
                                 std::abs(c.blue() - amber.blue()) <
                             40;
                }
            return count;
        };
        QVERIFY(isSeen(QStringLiteral("op0")) && !isSeen(QStringLiteral("op50")));
        const int unmarked = amberAtTheRight();
        const QPointF before = view.toWidget({});
        view.setMarked({0, 50}, true); // one of them is in view
        view.revealMarked();
        QVERIFY(!view.isGliding());
        QCOMPARE(view.toWidget({}), before);
        QVERIFY(amberAtTheRight() > unmarked);
        view.setMarked({50, 51}, true);
        view.revealMarked();
        QTRY_VERIFY(isSeen(QStringLiteral("op50")) && isSeen(QStringLiteral("op51")));
        view.reveal(QStringLiteral("op25"), true);
        QTRY_VERIFY(!view.isGliding());
        view.setMarked({0, 59}, true); // too far from each other: the first
        view.revealMarked();
        QTRY_VERIFY(isSeen(QStringLiteral("op0")));
    }

    void isFoldedByMouseAndKeyboard()
    {
        const GraphPtr graph = mixed();
        GraphView view;
        view.resize(900, 700);
        view.show();
        view.setRows(rowsOf(*graph));
        Folding folding;
        folding.folded.insert(QStringLiteral("/block1"));
        const ScenePtr scene = makeScene(graph, folding, {}, never);
        view.setScene(scene);
        view.zoomBy(1 / view.zoom(), QPointF(450, 350));
        QSignalSpy folds(&view, &GraphView::foldRequested);
        const int group = boxOf(*scene, QStringLiteral("/block1/conv"));
        view.reveal(QStringLiteral("/block1/conv"), true);
        QTRY_VERIFY(!view.isGliding());
        QTest::mouseClick(&view, Qt::LeftButton, {}, view.toWidget(view.picture().foldRect(group).center()).toPoint());
        QCOMPARE(folds.count(), 1);
        QCOMPARE(folds[0][0].toString(), QStringLiteral("/block1"));
        QCOMPARE(folds[0][1].toBool(), false);
        // A click outside the corner selects all operations in it
        QSignalSpy selected(&view, &GraphView::selectionRequested);
        QTest::mouseClick(&view, Qt::LeftButton, {},
                          view.toWidget(scene->boxes[group].center() + QPointF(-40, 0)).toPoint());
        QCOMPARE(selected.count(), 1);
        QCOMPARE(selected[0][0].toStringList().size(), 2);
        view.setSelection({QStringLiteral("if")}, QStringLiteral("if"));
        QTest::keyClick(&view, Qt::Key_Return);
        QCOMPARE(folds.count(), 2);
        QCOMPARE(folds[1][0].toString(), QStringLiteral("body:if"));
        QSignalSpy backspace(&view, &GraphView::foldCurrentRequested);
        QTest::keyClick(&view, Qt::Key_Backspace);
        QCOMPARE(backspace.count(), 1);
    }

    void isPaintedAtEveryZoom()
    {
        const GraphPtr graph = mixed();
        Folding folding;
        folding.opensBodies = true;
        folding.folded.insert(QStringLiteral("/block2"));
        const ScenePtr scene = makeScene(graph, folding, {}, never);
        GraphPicture picture;
        picture.set(scene, rowsOf(*graph));
        picture.style(OverlayKind::Graphwise, {});
        const QColor coloured = picture.colorOf(boxOf(*scene, QStringLiteral("/block1/conv")));
        QVERIFY(coloured.isValid());
        for (const double zoom : {1.5, 0.7, 0.4, 0.2, 0.1, 0.01}) {
            QImage image((scene->bounds.size() * zoom).toSize() + QSize(4, 4), QImage::Format_RGB32);
            image.fill(Qt::black);
            QPainter painter(&image);
            painter.scale(zoom, zoom);
            painter.translate(-scene->bounds.topLeft());
            picture.paint(painter, scene->bounds, zoom);
            painter.end();
            if (zoom < 0.05) continue; // a box is smaller than a pixel
            // The overlay's colour is on the left of the box
            const QRectF box = scene->boxes[boxOf(*scene, QStringLiteral("/block1/conv"))];
            const QPointF at = (box.topLeft() + QPointF(5, box.height() / 2) - scene->bounds.topLeft()) * zoom;
            QVERIFY2(image.pixelColor(at.toPoint()) == coloured ||
                         image.pixelColor(at.toPoint() + QPoint(1, 0)) == coloured,
                     qPrintable(QString::number(zoom)));
        }
    }

    void staleErrorsAreHatched()
    {
        const GraphPtr graph = mixed();
        const ScenePtr scene = makeScene(graph, {}, {}, never);
        const QRectF box = scene->boxes[boxOf(*scene, QStringLiteral("/block1/conv"))];
        // How much of the left of the box is in the colour of its error
        const auto coloured = [&](bool isStale, OverlayKind kind, double zoom, bool isOverview) {
            auto rows = std::make_shared<QVector<OperationRow>>(*rowsOf(*graph));
            for (OperationRow &row : *rows) {
                row.isStale = isStale;
                row.graphwise = 0.5; // the whole length of a block
            }
            GraphPicture picture;
            picture.set(scene, rows);
            picture.style(kind, {});
            QImage image((scene->bounds.size() * zoom).toSize() + QSize(4, 4), QImage::Format_RGB32);
            image.fill(Qt::black);
            QPainter painter(&image);
            painter.scale(zoom, zoom);
            painter.translate(-scene->bounds.topLeft());
            if (isOverview)
                picture.paintOverview(painter, zoom);
            else
                picture.paint(painter, scene->bounds, zoom);
            painter.end();
            const QRect part =
                QRectF((box.topLeft() + QPointF(2, 3) - scene->bounds.topLeft()) * zoom,
                       QSizeF(zoom < 0.5 ? box.width() * 0.8 * zoom : 5 * zoom, (box.height() - 6) * zoom))
                    .toAlignedRect();
            const QColor color = picture.colorOf(boxOf(*scene, QStringLiteral("/block1/conv")));
            int count = 0;
            for (int y = part.top(); y <= part.bottom(); ++y)
                for (int x = part.left(); x <= part.right(); ++x) count += image.pixelColor(x, y) == color;
            return double(count) / (part.width() * part.height());
        };
        struct Case
        {
            double zoom;
            bool isOverview;
        };
        for (const auto &[zoom, isOverview] :
             {Case{1.5, false}, Case{1, false}, Case{0.4, false}, Case{0.1, false}, Case{0.1, true}}) {
            const double now = coloured(false, OverlayKind::Graphwise, zoom, isOverview),
                         before = coloured(true, OverlayKind::Graphwise, zoom, isOverview);
            const QByteArray figures = QStringLiteral("zoom %1: %2, stale %3").arg(zoom).arg(now).arg(before).toUtf8();
            QVERIFY2(now > 0.5 && before < 0.6 * now, figures);
            QVERIFY2(before > 0.01, figures);
            // Platforms belong to the current recipe
            QCOMPARE(coloured(true, OverlayKind::Platform, zoom, isOverview),
                     coloured(false, OverlayKind::Platform, zoom, isOverview));
        }
    }

    void imageIsWritten_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("begin");
        QTest::newRow("png") << "图 1.png" << QByteArray("\x89PNG");
        QTest::newRow("svg") << "图 1.svg" << QByteArray("<?xml");
        QTest::newRow("pdf") << "图 1.pdf" << QByteArray("%PDF");
    }
    void imageIsWritten()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, begin);
        const GraphPtr graph = mixed();
        GraphPicture picture;
        picture.set(makeScene(graph, {}, {}, never), rowsOf(*graph));
        picture.style(OverlayKind::Platform, {});
        QTemporaryDir folder;
        const QString path = folder.filePath(name);
        QString error = QStringLiteral("not called");
        // As the window does it: on another thread
        QThread *thread = QThread::create([&] { error = writeGraphPicture(picture, path, QStringLiteral("title")); });
        thread->start();
        QVERIFY(thread->wait(patienceMs));
        delete thread;
        QCOMPARE(error, QString());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        QVERIFY(bytes.startsWith(begin));
        QVERIFY(bytes.size() > 2000);
        if (name.endsWith(QStringLiteral("svg"))) QVERIFY(bytes.contains("softmax") || bytes.contains("Softmax"));
        if (name.endsWith(QStringLiteral("png"))) QVERIFY(!QImageReader(path).read().isNull());
        // If it cannot write, it reports this and leaves nothing
        const QString nowhere = folder.filePath(QStringLiteral("no folder/") + name);
        QVERIFY(writeGraphPicture(picture, nowhere, {}).contains(name));
        QVERIFY(!QFile::exists(nowhere));
    }

    void breadcrumbsKeepTheEnds()
    {
        Breadcrumbs path;
        QVector<Breadcrumbs::Crumb> crumbs;
        for (const char *text : {"model.onnx", "encoder", "layer1", "block2", "conv"})
            crumbs.append({QLatin1String(text), QStringLiteral("/") + QLatin1String(text), {}});
        path.setCrumbs(crumbs, QStringLiteral("12 operations"));
        path.resize(600, 22);
        path.show();
        for (int i = 0; i < crumbs.size(); ++i) QVERIFY(path.button(i)->isVisible());
        path.resize(path.sizeHint()); // of a usual path, which is shorter
        QVERIFY(path.button(0)->isVisible() && path.button(4)->isVisible() && !path.button(1)->isVisible());
        QSignalSpy chosen(&path, &Breadcrumbs::chosen);
        QTest::mouseClick(path.button(4), Qt::LeftButton);
        QCOMPARE(chosen[0][0].toString(), QStringLiteral("/conv"));
    }
};

QL_TEST(TestGraphView)
#include "tst_graph_view.moc"
