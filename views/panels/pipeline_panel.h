#pragma once

#include "views/models/pass_model.h"

#include <QWidget>
#include <functional>

class QLabel;
class QMenu;
class QScrollArea;
class QSplitter;
class QToolButton;
class QTreeView;

namespace ql {

class ParamEditor;

/// The pass pipeline: check, drag to reorder, parameters, add, remove, duplicate, save under a name. Every change is
/// one undoable step. After a run: the changes of each pass, and the output error after it; a click highlights them in
/// the graph.
class PipelinePanel : public QWidget
{
    Q_OBJECT

public:
    explicit PipelinePanel(Document &document, QWidget *parent = nullptr);
    QTreeView *view() const { return m_view; }
    PassModel *model() const { return m_model; }
    QLabel *facts() const { return m_facts; }
    QWidget *tools() const { return m_tools; } ///< for the title row of the dock
    /// Saves the pipeline under a name, or loads the one with that name.
    void savePipeline(const QString &name);
    void loadPipeline(const QString &name);

Q_SIGNALS:
    /// Operations to highlight in the graph: those changed by the clicked pass; empty: none.
    void markRequested(const QStringList &operations);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void makeTools();
    void makeLayout();
    void connectAll();
    void apply(const QString &what, const std::vector<api::StepRequest> &steps);
    void showParams();
    void fitDetails();
    void fillAddMenu();
    void fillPipelineMenu();
    void showFacts();
    int currentRow() const;
    void select(int row);

    Document &m_document;
    PassModel *m_model;
    QTreeView *m_view;
    QLabel *m_origin, *m_title, *m_meaning, *m_problem, *m_facts;
    ParamEditor *m_params;
    QScrollArea *m_details = nullptr; ///< of the selected pass
    QSplitter *m_splitter;
    bool m_isSplitByUser = false;
    QMenu *m_addMenu, *m_moreMenu, *m_pipelineMenu;
    QPair<int, QString> m_marked{-1, {}}; ///< row and title of the pass whose changes the graph shows
    QWidget *m_tools;
    QAction *m_remove, *m_duplicate, *m_up, *m_down, *m_reset;
};

/// Fills a menu with the passes of the catalogue. add: called with the selected one, with its defaults, and whether it
/// belongs before all quantization passes.
void fillPassMenu(QMenu &menu, const std::vector<api::PassItem> &passes,
                  const std::function<void(const api::StepRequest &step, const QString &title, bool isFirst)> &add);

} // namespace ql
