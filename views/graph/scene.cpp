#include "views/graph/scene.h"

#include "views/bridge/disposal.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>
#include <algorithm>
#include <cmath>

namespace ql {

namespace {

/// One graph with a layout of its own, with the graphs inside its operations.
struct Level
{
    ViewGraph view;
    Layout layout;
    struct Inside
    {
        int node = 0;
        QVector<int> bodies;
        std::vector<std::unique_ptr<Level>> levels;
    };
    std::vector<Inside> insides;
};

class SceneBuilder
{
public:
    SceneBuilder(const GraphPtr &graph, const Folding &folding, const Arrangement &arrangement, const ScenePtr &before,
                 const std::atomic<bool> &cancelled)
        : m_graph(*graph), m_folding(folding), m_cancelled(cancelled), m_scene(makeShared<Scene>())
    {
        m_scene->graph = graph;
        m_scene->arrangement = arrangement;
        if (before)
            for (int n = 0; n < before->view.nodes.size(); ++n)
                m_old.insert(before->view.nodes[n].key, before->across[n]);
    }

    ScenePtr build()
    {
        const std::unique_ptr<Level> top = layLevel(-1);
        if (m_cancelled) return nullptr;
        m_scene->view.nodeOf.fill(-1, m_graph.operations.size());
        add(*top, {}, -1);
        // Operations of a closed body are shown by its owner
        for (int o = m_graph.topLevel; o < m_graph.operations.size(); ++o)
            if (m_scene->view.nodeOf[o] < 0)
                m_scene->view.nodeOf[o] = m_scene->view.nodeOf[m_graph.bodies[m_graph.operations[o].body].owner];
        fillBands();
        return m_scene;
    }

private:
    std::unique_ptr<Level> layLevel(int body)
    {
        auto level = std::make_unique<Level>();
        level->view = makeViewGraph(m_graph, m_folding, body);
        LayoutGraph input;
        for (int n = 0; n < level->view.nodes.size(); ++n) {
            const ViewNode &node = level->view.nodes[n];
            const bool pill = node.kind == ViewNode::Kind::Input || node.kind == ViewNode::Kind::Output;
            QSizeF size(m_metrics.operationWidth, m_metrics.operationHeight);
            if (pill)
                size = {std::clamp(double(node.label.size()) * m_metrics.charWidth + 28, 56.0, 260.0),
                        m_metrics.pillHeight};
            if (node.isOpen) size = layInside(*level, n);
            input.sizes.append(size);
            if (!m_old.isEmpty()) input.hints.append(m_old.value(node.key, NAN));
            if (m_cancelled) return level;
        }
        for (const ViewEdge &edge : level->view.edges)
            input.edges.append({std::min(edge.from, edge.to), std::max(edge.from, edge.to), edge.tensor});
        LayoutOptions options;
        options.leftToRight = m_scene->arrangement.leftToRight;
        if (body < 0) options.wrapAspect = m_scene->arrangement.wrapAspect;
        level->layout = layOut(input, options, m_cancelled);
        if (m_cancelled) return level;
        for (int e = 0; e < level->view.edges.size(); ++e)
            if (level->view.edges[e].isReversed) {
                std::reverse(level->layout.edges[e].begin(), level->layout.edges[e].end());
                level->layout.ownFrom[e] = 0;
            }
        return level;
    }

    QSizeF bodySize(const Level &level) const
    {
        return {level.layout.bounds.width() + 2 * m_metrics.frameMargin,
                level.layout.bounds.height() + m_metrics.frameHeader + 2 * m_metrics.frameMargin};
    }

    QSizeF layInside(Level &level, int node)
    {
        Level::Inside inside;
        inside.node = node;
        inside.bodies = m_graph.operations[level.view.nodes[node].operations.front()].bodies;
        double width = m_metrics.frameMargin, height = 0;
        for (const int body : inside.bodies) {
            inside.levels.push_back(layLevel(body));
            if (m_cancelled) return {};
            const QSizeF size = bodySize(*inside.levels.back());
            width += size.width() + m_metrics.frameMargin;
            height = std::max(height, size.height());
        }
        level.insides.push_back(std::move(inside));
        return {std::max(width, m_metrics.operationWidth), height + m_metrics.frameTop + m_metrics.frameMargin};
    }

    void add(const Level &level, const QPointF &offset, int parent)
    {
        const int first = int(m_scene->view.nodes.size());
        for (int n = 0; n < level.view.nodes.size(); ++n) {
            ViewNode node = level.view.nodes[n];
            node.parent = parent;
            for (const int o : node.operations) m_scene->view.nodeOf[o] = first + n;
            if (node.isOpen) m_scene->frames.append(first + n);
            m_scene->view.nodes.append(node);
            m_scene->boxes.append(level.layout.nodes[n].translated(offset));
            m_scene->across.append(level.layout.across[n]);
        }
        for (int e = 0; e < level.view.edges.size(); ++e) {
            ViewEdge edge = level.view.edges[e];
            edge.from += first;
            edge.to += first;
            m_scene->view.edges.append(edge);
            QVector<QPointF> points = level.layout.edges[e];
            for (QPointF &point : points) point += offset;
            m_scene->edges.append(points);
            m_scene->ownFrom.append(level.layout.ownFrom[e]);
        }
        m_scene->bounds |= level.layout.bounds.translated(offset);
        for (const Level::Inside &inside : level.insides) {
            const int frame = first + inside.node;
            QPointF at = m_scene->boxes[frame].topLeft() + QPointF(m_metrics.frameMargin, m_metrics.frameTop);
            for (std::size_t i = 0; i < inside.levels.size(); ++i) {
                const Level &inner = *inside.levels[i];
                const BodyInfo &body = m_graph.bodies[inside.bodies[qsizetype(i)]];
                ViewNode node;
                node.kind = ViewNode::Kind::Body;
                node.label = body.attribute;
                node.key = QStringLiteral("body %1").arg(inside.bodies[qsizetype(i)]);
                node.isOpen = true;
                node.parent = frame;
                const int number = int(m_scene->view.nodes.size());
                m_scene->view.nodes.append(node);
                m_scene->boxes.append({at, bodySize(inner)});
                m_scene->across.append(0);
                m_scene->frames.append(number);
                const QPointF origin =
                    at + QPointF(m_metrics.frameMargin, m_metrics.frameHeader + m_metrics.frameMargin);
                add(inner, origin - inner.layout.bounds.topLeft(), number);
                at.rx() += bodySize(inner).width() + m_metrics.frameMargin;
            }
        }
    }

    void fillBands()
    {
        Scene &scene = *m_scene;
        scene.bandSize = 100;
        const double longer = std::max(scene.bounds.width(), scene.bounds.height());
        const int count = std::max(1, int(std::ceil(longer / scene.bandSize)));
        scene.bandNodes.resize(count);
        scene.bandEdges.resize(count);
        for (int n = 0; n < scene.boxes.size(); ++n) {
            if (scene.view.nodes[n].isOpen) continue;
            const auto [first, last] = scene.bandsOf(scene.boxes[n]);
            for (int band = first; band <= last; ++band) scene.bandNodes[band].append(n);
        }
        for (int e = 0; e < scene.edges.size(); ++e) {
            const auto [first, last] = scene.bandsOf(scene.ownArea(e));
            for (int band = first; band <= last; ++band) scene.bandEdges[band].append(e);
        }
    }

    const GraphSnapshot &m_graph;
    const Folding &m_folding;
    const std::atomic<bool> &m_cancelled;
    const BoxMetrics m_metrics;
    std::shared_ptr<Scene> m_scene;
    QHash<QString, double> m_old;
};

} // namespace

QPair<int, int> Scene::bandsOf(const QRectF &area) const
{
    const int count = int(bandNodes.size());
    const auto band = [&](double distance) {
        return int(std::floor(std::clamp(distance / bandSize, -1.0, double(count))));
    };
    const double begin = isWide() ? area.left() - bounds.left() : area.top() - bounds.top();
    const double end = begin + (isWide() ? area.width() : area.height());
    return {std::max(0, band(begin)), std::min(count - 1, band(end))};
}

QRectF Scene::ownArea(int edge) const
{
    const QVector<QPointF> &points = edges[edge];
    QPointF least = points.back(), most = least;
    for (qsizetype i = ownFrom[edge]; i < points.size(); ++i) {
        least = {std::min(least.x(), points[i].x()), std::min(least.y(), points[i].y())};
        most = {std::max(most.x(), points[i].x()), std::max(most.y(), points[i].y())};
    }
    return {least, most};
}

ScenePtr makeScene(const GraphPtr &graph, const Folding &folding, const ScenePtr &before,
                   const std::atomic<bool> &cancelled, const Arrangement &arrangement)
{
    return SceneBuilder(graph, folding, arrangement, before, cancelled).build();
}

void LayoutJob::cancel()
{
    if (m_cancelled) *m_cancelled = true;
    m_cancelled.reset();
}

void LayoutJob::start(GraphPtr graph, Folding folding, ScenePtr before, Arrangement arrangement)
{
    cancel();
    const auto cancelled = m_cancelled = std::make_shared<std::atomic<bool>>(false);
    QThreadPool::globalInstance()->start([self = QPointer<LayoutJob>(this), cancelled, graph = std::move(graph),
                                          folding = std::move(folding), arrangement, before = std::move(before)] {
        const ScenePtr scene = makeScene(graph, folding, before, *cancelled, arrangement);
        if (!scene || *cancelled) return;
        // Cancelled jobs of a destroyed view never reach this point: its destructor cancels
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [self, scene, cancelled] {
                if (!self || *cancelled) return;
                self->m_cancelled.reset();
                Q_EMIT self->finished(scene);
            },
            Qt::QueuedConnection);
    });
}

} // namespace ql
