#pragma once

#include "views/graph/graph_view.h"
#include "views/models/operation_model.h"
#include "views/style/file_writer.h"

#include <QTimer>
#include <QWidget>
#include <memory>

class QAction;
class QComboBox;
class QLabel;
class QMenu;
class QStackedWidget;
class QTabBar;
class QTableView;

namespace ql {

class Breadcrumbs;
class OperationDelegate;
class LegendBar;
class Strip;

/// Graph and table of the same operations, with the colour chooser; Space switches between them, keeping the operation.
class CenterView : public QWidget
{
    Q_OBJECT

public:
    explicit CenterView(Document &document, QWidget *parent = nullptr);
    ~CenterView() override;

    GraphView *graph() const { return m_graph; }
    QTableView *table() const { return m_table; }
    OperationModel *model() const { return m_model; }
    OperationFilter *filter() const { return m_filter; }
    /// In the current state of the document.
    const OperationRows &rows()
    {
        refreshRowsNow();
        return m_model->rows();
    }
    void setStartPage(QWidget *page);
    void showTable(bool table);
    bool showsTable() const;
    void setOverlay(OverlayKind kind);
    /// Searches the table and marks hits in the graph. @returns why the text is not a query, otherwise empty
    QString search(const QString &text);
    /// To the next operation found by the search; groups that hide it are expanded.
    void nextHit(int step);
    int hitCount() const { return int(m_hits.size()); }
    /// Collapses or expands one group (see Folding).
    void setFolded(const QString &key, bool fold);
    enum class FoldAll { Shapes, Regions, Bodies };
    /// All shape computation, all dispatch regions, or the bodies of all If, Loop and Scan.
    void setAllFolded(FoldAll what, bool fold);
    /// Collapses every group by name with depth parts ("/block1": 1); 0 expands everything.
    void foldNames(int depth);
    const Folding &folding() const { return m_folding; }
    /// The innermost collapsible group around the current operation.
    void foldCurrent();
    /// The groups around an operation that can be collapsed or expanded.
    void addFoldActions(QMenu &menu, const QString &operation);
    void setHistoryActions(QAction *back, QAction *forward);
    /// The table's columns, to be checked.
    QMenu *columnMenu() const { return m_columnMenu; }
    Breadcrumbs *breadcrumbs() const { return m_path; }
    /// Writes the whole graph in the background; pictureSaved reports the end.
    void savePicture(const QString &path);
    /// A writer of the graph in its current state. error: the error message, after it was called
    FileWriter pictureWriter(const QString &path, const std::shared_ptr<QString> &error = {}) const;
    void setFoldsFused(bool fold);
    /// From left to right instead of from above; remembered.
    void setLeftToRight(bool on);
    bool isLeftToRight() const { return m_arrangement.leftToRight; }
    /// In columns that fill the view, or in one.
    void setWrapped(bool on);
    bool isWrapped() const { return m_arrangement.wrapAspect > 0; }

Q_SIGNALS:
    void rowsChanged();
    void overlayChanged(ql::OverlayKind kind);
    void foldingChanged();
    void arrangementChanged();
    /// error: empty if the file has been written
    void pictureSaved(const QString &path, const QString &error);
    void contextMenuRequested(const QString &operation, const QPoint &globalPosition);

private:
    void makeTable();
    void makeStrip();
    void connectViews();
    void connectDocument();
    void relayout();
    void wrap(double aspect);
    QHash<int, int> fused() const;
    void refreshRows(); ///< soon: requests in quick succession become one change
    void refreshRowsNow();
    void refreshColors();
    void refreshPage();
    QString missingText() const;
    void takeTableSelection();
    void showSelection();
    void selectInTable();
    QModelIndex currentRow() const; ///< in the table; invalid while a search hides it
    bool showsCurrentRow() const;
    void scrollToCurrentRow();
    void uncover(const QString &operation);
    void recordFolded(const QString &key, bool fold); ///< without drawing it
    void fillColumnMenu();
    void refreshPath();
    void goToCrumb(const QString &key);

    Document &m_document;
    OperationModel *m_model;
    OperationFilter *m_filter;
    GraphView *m_graph;
    QTableView *m_table;
    QMenu *m_columnMenu;
    QTabBar *m_tabs;
    QComboBox *m_overlay;
    LegendBar *m_legend;
    QLabel *m_overlayLabel;
    Breadcrumbs *m_path;
    OperationDelegate *m_delegate;
    QWidget *m_history;
    QStackedWidget *m_stack;
    QWidget *m_startPage = nullptr;
    Strip *m_strip;
    LayoutJob m_layout;
    Folding m_folding;
    Arrangement m_arrangement;
    bool m_foldsFused = true, m_isTaking = false, m_hadErrors = false,
         m_followsRow = false; ///< the current row was visible before the table was sorted
    QString m_query;
    QVector<int> m_hits;
    QTimer m_rowsTimer;
};

} // namespace ql
