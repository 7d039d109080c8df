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

private:
    QTextBrowser *m_text;
    QLineEdit *m_find;
};

} // namespace ql
