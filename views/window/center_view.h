#pragma once

#include "views/graph/graph_view.h"
#include "views/models/operation_model.h"

#include <QWidget>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QStackedWidget;
class QTabBar;
class QTableView;
class QToolButton;

namespace ql {

/// The strip of colours that explains the overlay.
class LegendBar : public QWidget
{
    Q_OBJECT

public:
    using QWidget::QWidget;
    void setEntries(QVector<QPair<QColor, QString>> entries, bool isRamp);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, 20}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QVector<QPair<QColor, QString>> m_entries;
    bool m_isRamp = false;
};

/// Graph and table of the same operations, with the colour chooser; Space swaps them at the same operation.
class CenterView : public QWidget
{
    Q_OBJECT

public:
    explicit CenterView(Document &document, QWidget *parent = nullptr);

    GraphView *graph() const { return m_graph; }
    QTableView *table() const { return m_table; }
    OperationModel *model() const { return m_model; }
    OperationFilter *filter() const { return m_filter; }
    const OperationRows &rows() const { return m_model->rows(); }
    void setStartPage(QWidget *page);
    void showTable(bool table);
    bool showsTable() const;
    void setOverlay(OverlayKind kind);
    /// Searches the table and marks in the graph. @returns why the text is no query, empty when it is one
    QString search(const QString &text);
    void nextHit(int step);
    int hitCount() const { return int(m_hits.size()); }
    /// Folds or unfolds a group; the empty prefix is shape computation.
    void setFolded(const QString &prefix, bool fold);
    void setFoldsFused(bool fold);
    bool foldsFused() const { return m_foldsFused; }

Q_SIGNALS:
    void rowsChanged();
    void contextMenuRequested(const QString &operation, const QPoint &globalPosition);

private:
    void relayout();
    QHash<int, int> fused() const;
    void refreshRows();
    void refreshLegend();
    void refreshPage();
    void takeTableSelection();
    void showSelection();
    void chooseColumns(const QPoint &at);

    Document &m_document;
    OperationModel *m_model;
    OperationFilter *m_filter;
    GraphView *m_graph;
    QTableView *m_table;
    QTabBar *m_tabs;
    QComboBox *m_overlay;
    LegendBar *m_legend;
    QLabel *m_path;
    QStackedWidget *m_stack;
    QWidget *m_startPage = nullptr, *m_strip;
    LayoutJob m_layout;
    Folding m_folding;
    bool m_foldsFused = true, m_isTaking = false, m_hadErrors = false;
    QString m_query;
    QVector<int> m_hits;
    GraphPtr m_laidOut;
};

} // namespace ql
