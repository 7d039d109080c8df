#pragma once

#include "views/models/pass_model.h"

#include <QWidget>

class QLabel;
class QMenu;
class QToolButton;
class QTreeView;

namespace ql {

class ParamEditor;

/// The pass pipeline: tick, drag to reorder, parameters, add, remove, duplicate. Every change is one undoable step.
class PipelinePanel : public QWidget
{
    Q_OBJECT

public:
    explicit PipelinePanel(Document &document, QWidget *parent = nullptr);
    QTreeView *view() const { return m_view; }
    PassModel *model() const { return m_model; }

private:
    void apply(const QString &what, const std::vector<api::StepRequest> &steps);
    void showParams();
    void fillAddMenu();
    int currentRow() const;
    void select(int row);

    Document &m_document;
    PassModel *m_model;
    QTreeView *m_view;
    QLabel *m_origin, *m_title, *m_meaning, *m_problem;
    ParamEditor *m_params;
    QMenu *m_addMenu;
    QToolButton *m_remove, *m_duplicate, *m_up, *m_down, *m_reset;
};

} // namespace ql
