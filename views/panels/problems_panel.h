#pragma once

#include "views/models/list_models.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QTreeView;

namespace ql {

/// Everything that deserves attention, whole sentences, with what can be done about it as buttons. What an earlier
/// recipe's run has told is hatched, and its buttons still work.
class ProblemsPanel : public QWidget
{
    Q_OBJECT

public:
    explicit ProblemsPanel(Document &document, QWidget *parent = nullptr);
    QTreeView *view() const { return m_view; }
    /// What is shown instead of an empty list; empty when there is a list.
    QString emptyText() const;

Q_SIGNALS:
    void countChanged(int count); ///< of errors and warnings

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void refresh();
    /// Of these rows, where they have none yet. @returns the width that their column needs
    int makeButtons(int from, int to);
    QWidget *makeCell(const QModelIndex &index);

    Document &m_document;
    ProblemModel *m_model;
    QTreeView *m_view;
    QLabel *m_none;
    bool m_isNarrow = false;
    QTimer m_layoutTimer;
};

} // namespace ql
