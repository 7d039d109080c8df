#pragma once

#include <QVector>
#include <QWidget>

class QToolButton;

namespace ql {

/// Where the current operation is: the model, the groups and bodies around it, as buttons. When there is too little
/// room, the middle ones go first.
class Breadcrumbs : public QWidget
{
    Q_OBJECT

public:
    struct Crumb
    {
        QString text, key, toolTip;
    };

    explicit Breadcrumbs(QWidget *parent = nullptr);
    void setCrumbs(const QVector<Crumb> &crumbs, const QString &note);
    const QVector<Crumb> &crumbs() const { return m_crumbs; }
    QToolButton *button(int crumb) const { return m_buttons.value(crumb); }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {100, 22}; }

Q_SIGNALS:
    void chosen(const QString &key);
    void menuRequested(const QString &key, const QPoint &globalPosition);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void arrange();

    QVector<Crumb> m_crumbs;
    QVector<QToolButton *> m_buttons;
    QStringList m_texts;   ///< of the buttons when there is room
    QVector<int> m_widths; ///< of the buttons with these texts and the sign behind
    QString m_note;
    QVector<QPoint> m_signs; ///< where the signs between the buttons are
    QPoint m_dots;           ///< where crumbs are left out; null: none are
    QRect m_notePlace;
};

} // namespace ql
