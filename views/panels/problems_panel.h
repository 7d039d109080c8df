#pragma once

#include "views/models/list_models.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QTreeView;

namespace ql {

/// All problems, as whole sentences, with remedies as buttons. Those from a run of an earlier recipe are hatched, and
/// their buttons still work.
class ProblemsPanel : public QWidget
{
    Q_OBJECT

public:
    explicit ProblemsPanel(Document &document, QWidget *parent = nullptr);
    QTreeView *view() const { return m_view; }
    /// The text shown instead of an empty list; empty if there is a list.
    QString emptyText() const;

Q_SIGNALS:
    void countChanged(int count); ///< of errors and warnings

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void refresh();
    /// Of these rows, if they have none yet. @returns the width that their column needs
    int makeButtons(int from, int to);
    QWidget *makeCell(const QModelIndex &index);

    Document &m_document;
    ProblemModel *m_model;
    QTreeView *m_view;
    QLabel *m_none;
    int m_buttonsInRow = 2; ///< remedies that have a button; the others are in a menu
    QTimer m_refreshTimer, m_layoutTimer;
};

} // namespace ql
