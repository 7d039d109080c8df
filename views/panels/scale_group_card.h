#pragma once

#include "views/bridge/snapshot.h"

#include <QFrame>

class QGridLayout;
class QLabel;

namespace ql {

/// The slots that share a scale: each as a button that selects it, and all of them together.
class ScaleGroupCard : public QFrame
{
    Q_OBJECT

public:
    explicit ScaleGroupCard(QWidget *parent = nullptr);
    /// members: those of one scale group; hidden if it is not a group.
    void setMembers(const GraphSnapshot &graph, const QVector<const ConfigInfo *> &members, const QString &scale);

Q_SIGNALS:
    void chosen(const QString &operation);
    void allChosen();

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void elide();

    QLabel *m_text;
    QGridLayout *m_chips;
    int m_columns = 1;
};

} // namespace ql
