#pragma once

#include "views/graph/overlay.h"
#include "views/graph/scene.h"

#include <QFont>
#include <QSet>
#include <QTransform>

class QPainter;

namespace ql {

/// Attributes and output shape of an operation in one line. If there is not enough room, whole parts are omitted; the
/// number of output channels stays.
QString operationDetail(const OperationRow &row, const QFontMetrics &metrics, int width);

/// A scene with its colours, ready to be painted in the view or to a file. A plain value whose copies share the large
/// parts, so that a copy can be painted on another thread.
class GraphPicture
{
public:
    GraphPicture();

    /// Which operations a search found; not active: no search.
    struct Search
    {
        QSet<int> found;
        bool isActive = false;
    };
    /// @param rows one per operation of the scene; otherwise nothing is coloured
    void set(ScenePtr scene, OperationRows rows);
    /// Colours of the current theme under an overlay.
    void style(OverlayKind kind, const Search &search);
    const QVector<QPair<QColor, QString>> &legend() const { return m_legend; }
    void select(QSet<int> nodes, int current);

    const ScenePtr &scene() const { return m_scene; }
    const QSet<int> &selected() const { return m_selected; }
    int current() const { return m_current; } ///< node, -1 for none
    QColor colorOf(int node) const { return m_styles[node].color; }
    bool isMarked(int node) const { return node < m_styles.size() && m_styles[node].isMarked; }
    /// The bold text of a box.
    QString titleOf(int node) const;
    /// The corner that collapses or expands a box; empty if it cannot be collapsed.
    QRectF foldRect(int node) const;

    /// @param painter in scene coordinates, at zoom: less detail when zoomed out
    void paint(QPainter &painter, const QRectF &area, double zoom) const;
    /// Every box as a coloured dot.
    void paintOverview(QPainter &painter, double scaleY) const;

    /// Below: a box is a coloured block without details.
    static constexpr double blockZoom = 0.6;
    /// Below: a block has no text.
    static constexpr double titleZoom = 0.2;
    /// Below: edges are plain lines and boxes are not outlined.
    static constexpr double dotZoom = 0.16;

private:
    struct NodeStyle
    {
        QColor color;
        QString pill;
        double level = 1;
        bool isDashed = false, isMarked = false, isStale = false;
    };

    void paintFrames(QPainter &painter, const QRectF &area, double zoom) const;
    void paintEdges(QPainter &painter, const QRectF &area, double zoom) const;
    void paintDots(QPainter &painter, const QRectF &area, double zoom) const;
    void paintNode(QPainter &painter, int node, double zoom) const;
    void paintBlock(QPainter &painter, int node, double zoom) const;
    void paintTexts(QPainter &painter, int node) const;
    void paintFold(QPainter &painter, int node) const;
    /// The colour; hatched if the error is from an earlier recipe.
    static QBrush brushOf(const NodeStyle &style, const QPainter &painter, float opacity = 1);
    QString detailOf(int node, const QFontMetrics &metrics, int width) const;
    const OperationRow *rowOf(int node) const;
    bool isPill(int node) const;
    template <typename Use>
    void eachNode(const QRectF &area, const Use &use) const;

    ScenePtr m_scene;
    OperationRows m_rows;
    QVector<NodeStyle> m_styles;
    QVector<QPair<QColor, QString>> m_legend;
    QSet<int> m_selected;
    QVector<int> m_highlighted; ///< edges of the current box and between selected ones
    int m_current = -1;
    bool m_isSearching = false;
    Theme m_theme;
    QFont m_font, m_bold;
    mutable QVector<int> m_seen; ///< edges drawn in this frame, by a stamp
    mutable int m_stamp = 0;
};

} // namespace ql
