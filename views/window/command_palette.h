#pragma once

#include <QDialog>
#include <QVector>

class QAction;
class QLineEdit;
class QListWidget;

namespace ql {

/// Every action by name: type a few letters, Enter does it.
class CommandPalette : public QDialog
{
    Q_OBJECT

public:
    explicit CommandPalette(const QVector<QAction *> &actions, QWidget *parent = nullptr);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void fill(const QString &text);
    void act();

    QVector<QAction *> m_actions;
    QLineEdit *m_line;
    QListWidget *m_list;
};

/// Whether the letters of typed come in text in this order; @returns how scattered they are, -1 when they do not.
int fuzzyDistance(const QString &typed, const QString &text);

} // namespace ql
