#pragma once

#include "views/graph/graph_picture.h"

#include <QImage>
#include <QSet>
#include <QTimer>
#include <QVariantAnimation>
#include <QWidget>

class QPainter;

namespace ql {

/// The dispatched graph. Draws only the visible part of the scene, with less detail when zoomed out. Arrow keys and J/K
/// move along edges, wheel scrolls, Ctrl+wheel and pinch zoom, drag pans; Shift+drag selects.
class GraphView : public QWidget
{
    Q_OBJECT

public:
    explicit GraphView(QWidget *parent = nullptr);

    void setScene(ScenePtr scene);
    const ScenePtr &scene() const { return m_picture.scene(); }
    void setRows(OperationRows rows);
    void setOverlay(OverlayKind kind);
    OverlayKind overlay() const { return m_overlay; }
    void setSelection(const QStringList &operations, const QString &current);
    void setRun(RunPtr run) { m_run = std::move(run); } ///< operations that the errors of the rows refer to
    /// Operations found by a search; empty: no search.
    void setMarked(const QSet<int> &operations, bool isActive);
    void setPlaceholder(const QString &text);
    const QString &placeholder() const { return m_placeholder; }

    /// The whole graph. If it would be too long to read, it is wrapped into columns through wrapRequested().
    void fitAll();
    void fitSelection();
    void zoomBy(double factor, const QPointF &at);
    double zoom() const { return m_zoom; }
    /// Scrolls to an operation; with recentre to the centre, even if it is visible.
    void reveal(const QString &operation, bool recentre = false);
    /// The animation of a movement or a zoom is running.
    bool isGliding() const { return m_animation.state() == QAbstractAnimation::Running; }
    /// It is visible, or will be when the animation has ended.
    bool shows(const QString &operation) const;
    /// Scrolls to the marked boxes unless one is visible: to all of them if they stay readable, otherwise to the first.
    void revealMarked();
    /// As currently drawn, for files: a copy may be painted on another thread.
    const GraphPicture &picture()
    {
        styleNow();
        return m_picture;
    }
    QRectF sceneRect() const;
    /// The box at a position of the widget, -1 for none.
    int nodeAt(const QPointF &position) const;
    /// The tool tip of a box: its operations, and the meaning of the overlay's number.
    QString tipOf(int node) const;
    QPointF toWidget(const QPointF &scenePoint) const;
    QSize sizeHint() const override { return {800, 600}; }

Q_SIGNALS:
    void currentRequested(const QString &operation);
    void selectionRequested(const QStringList &operations, const QString &current);
    /// key: see Folding
    void foldRequested(const QString &key, bool fold);
    /// The innermost group of the current operation is to be collapsed.
    void foldCurrentRequested();
    /// The graph is to be laid out in columns for an area of this aspect ratio.
    void wrapRequested(double aspect);
    void contextMenuRequested(const QString &operation, const QPoint &globalPosition);
    void viewChanged();
    /// The colours were recomputed; picture().legend() explains them.
    void styled();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    bool event(QEvent *event) override;

private:
    void restyle(); ///< deferred: several requests become one
    void styleNow();
    void redrawMinimap();
    void showStart();
    /// The view is still that of showStart(), and nothing was chosen in it.
    bool isUntouched() const { return m_isAtStart && m_current.isEmpty() && scene(); }
    QRectF visibleScene() const;
    QRectF sceneAround(const QPointF &center, double zoom) const;
    QPointF targetCenter() const; ///< the position of the view, or the end of its animation
    double targetZoom() const;
    /// How far a box moves from this scene to another one: the current box if it is visible, otherwise the middle one.
    QPointF movementTo(const Scene &after) const;
    double fittingZoom() const; ///< at which the whole graph is visible
    double allowedZoom(double zoom) const;
    void paintMinimap(QPainter &painter) const;
    /// To the other side, if it covers boxes here and none there.
    void placeMinimap();
    QRect minimapRect() const;
    QTransform minimapTransform() const;
    void stepAlong(bool forward);  ///< to the next box along an edge
    void stepAcross(bool forward); ///< to the nearest box in the same row
    bool hasOperation(int node) const;
    void goTo(int node);
    void setView(const QPointF &center, double zoom);
    void animateTo(const QPointF &center, double zoom);
    int currentNode() const { return m_picture.current(); }
    void clickNode(int node, Qt::KeyboardModifiers modifiers);
    bool toggleFold(int node);

    GraphPicture m_picture;
    OperationRows m_rows;
    RunPtr m_run;
    OverlayKind m_overlay = OverlayKind::Platform;
    GraphPicture::Search m_search;
    QStringList m_selection;
    QString m_current, m_placeholder;
    QPointF m_center;
    double m_zoom = 1;
    bool m_hasView = false;
    bool m_isAtStart = false; ///< since showStart() nothing has moved it
    bool m_fitsNext = false;  ///< the next scene was requested by fitAll()
    QImage m_minimap;
    QTimer m_styleTimer;
    QPoint m_press, m_last;
    bool m_isDragging = false, m_isInMinimap = false;
    Qt::Corner m_minimapCorner = Qt::BottomRightCorner;
    QRect m_rubber;
    QVariantAnimation m_animation;
    QPointF m_fromCenter, m_toCenter;
    double m_fromZoom = 1, m_toZoom = 1;
};

} // namespace ql
