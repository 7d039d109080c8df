#pragma once

#include <QVector>
#include <QWidget>

class QToolButton;

namespace ql {

/// The path of the current operation: the model, the groups and bodies around it, as buttons. If there is not enough
/// room, the middle ones are omitted first.
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
    QStringList m_texts;   ///< of the buttons if there is room
    QVector<int> m_widths; ///< of the buttons with these texts and the following signs
    QString m_note;
    QVector<QPoint> m_signs; ///< positions of the signs between the buttons
    QPoint m_dots;           ///< position of the omitted crumbs; null: none are omitted
    QRect m_notePlace;
};

} // namespace ql
