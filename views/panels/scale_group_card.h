#pragma once

#include "views/bridge/snapshot.h"

#include <QFrame>

class QGridLayout;
class QLabel;

namespace ql {

/// Who shares the scale of a slot: each of them as a button that leads there, and all of them to be selected.
class ScaleGroupCard : public QFrame
{
    Q_OBJECT

public:
    explicit ScaleGroupCard(QWidget *parent = nullptr);
    /// members: those of one scale group; hidden when it is no group.
    void setMembers(const QVector<const ConfigInfo *> &members, const QString &scale);

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
