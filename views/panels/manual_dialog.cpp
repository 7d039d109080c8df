#include "views/panels/manual_dialog.h"

#include "views/style/screen.h"

#include <QFile>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QLocale>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace ql {

ManualDialog::ManualDialog(QWidget *parent) : QDialog(parent), m_text(new QTextBrowser), m_find(new QLineEdit)
{
    setWindowTitle(tr("Manual"));
    resizeOnScreen(*this, {900, 640});
    QFile file(QStringLiteral(":/docs/manual_%1.md").arg(QLocale().name()));
    if (!file.exists()) file.setFileName(QStringLiteral(":/docs/manual.md"));
    if (file.open(QIODevice::ReadOnly)) {
        QString text = QString::fromUtf8(file.readAll());
        // Pictures stay with the repository; in the program the window itself is there to look at
        text.remove(QRegularExpression(QStringLiteral("!\\[[^\\]]*\\]\\([^)]*\\)\\n?")));
        m_text->setMarkdown(text);
    }
    m_text->setOpenExternalLinks(true);
    m_text->setAccessibleName(tr("Manual"));
    m_find->setPlaceholderText(tr("find in the manual"));
    m_find->setAccessibleName(tr("Find in the manual"));
    m_find->setClearButtonEnabled(true);
    auto *list = new QListWidget;
    list->setAccessibleName(tr("Chapters"));
    list->setFixedWidth(220);
    for (QTextBlock block = m_text->document()->begin(); block.isValid(); block = block.next()) {
        const int level = block.blockFormat().headingLevel();
        if (level < 1 || level > 3) continue;
        auto *item = new QListWidgetItem(QString(2 * (level - 1), QLatin1Char(' ')) + block.text(), list);
        item->setData(Qt::UserRole, block.position());
    }
    connect(list, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem *item) {
        if (!item) return;
        QTextCursor cursor(m_text->document());
        cursor.movePosition(QTextCursor::End);
        m_text->setTextCursor(cursor); // so that the heading comes to the top
        cursor.setPosition(item->data(Qt::UserRole).toInt());
        m_text->setTextCursor(cursor);
    });
    const auto find = [this] {
        if (m_find->text().isEmpty() || m_text->find(m_find->text())) return;
        m_text->moveCursor(QTextCursor::Start);
        m_text->find(m_find->text());
    };
    connect(m_find, &QLineEdit::textEdited, this, find);
    connect(m_find, &QLineEdit::returnPressed, this, find);
    auto *side = new QVBoxLayout;
    side->addWidget(m_find);
    side->addWidget(list, 1);
    auto *box = new QHBoxLayout(this);
    box->addLayout(side);
    box->addWidget(m_text, 1);
}

} // namespace ql
