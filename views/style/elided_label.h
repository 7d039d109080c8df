#pragma once

#include <QLabel>

namespace ql {

/// A one-line label that can shrink: text that does not fit is elided with "…", and complete in the tool tip.
class ElidedLabel : public QLabel
{
    Q_OBJECT

public:
    explicit ElidedLabel(const QString &text = {}, Qt::TextElideMode mode = Qt::ElideRight, QWidget *parent = nullptr);
    QSize minimumSizeHint() const override;
    /// Replaces a text that does not fit; it is never cut off itself.
    void setShortText(const QString &text);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Qt::TextElideMode m_mode;
    QString m_short;
};

} // namespace ql
