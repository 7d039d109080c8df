#pragma once

#include <QComboBox>

namespace ql {

/// A chooser that may be narrower than its texts: the middle is elided, and the tool tip shows what is chosen.
class ElidedCombo : public QComboBox
{
    Q_OBJECT

public:
    explicit ElidedCombo(QWidget *parent = nullptr);
    QString shownText() const; ///< as painted

protected:
    void paintEvent(QPaintEvent *event) override;
};

} // namespace ql
