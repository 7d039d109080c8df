#pragma once

#include <QDialog>

class QLineEdit;
class QTextBrowser;

namespace ql {

/// The manual (docs/manual.md, or its translation) with its headings at the side and a search.
class ManualDialog : public QDialog
{
    Q_OBJECT

public:
    explicit ManualDialog(QWidget *parent = nullptr);
    QTextBrowser *text() const { return m_text; }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void setSpaces();
    void fitPictures(); ///< as wide as the text, at full screen resolution

    QTextBrowser *m_text;
    QLineEdit *m_find;
};

} // namespace ql
