#include "views/panels/manual_dialog.h"

#include "views/style/screen.h"
#include "views/style/theme.h"

#include <QAbstractTextDocumentLayout>
#include <QEvent>
#include <QFile>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QLocale>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextList>
#include <QTextTable>
#include <QVBoxLayout>
#include <algorithm>

namespace ql {

ManualDialog::ManualDialog(QWidget *parent) : QDialog(parent), m_text(new QTextBrowser), m_find(new QLineEdit)
{
    setWindowTitle(tr("Manual"));
    resizeOnScreen(*this, {900, 640});
    QFile file(QStringLiteral(":/docs/manual_%1.md").arg(QLocale().name()));
    if (!file.exists()) file.setFileName(QStringLiteral(":/docs/manual.md"));
    if (file.open(QIODevice::ReadOnly)) {
        m_text->setMarkdown(QString::fromUtf8(file.readAll()));
        setSpaces();
    }
    m_text->viewport()->installEventFilter(this);
    m_text->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // everything wraps or is as wide as the text
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
        cursor.setPosition(item->data(Qt::UserRole).toInt());
        m_text->setTextCursor(cursor); // for screen readers, and as the start of the next search
        const QRectF heading = m_text->document()->documentLayout()->blockBoundingRect(cursor.block());
        m_text->verticalScrollBar()->setValue(int(heading.top()));
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

bool ManualDialog::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_text->viewport() && event->type() == QEvent::Resize) fitPictures();
    return QDialog::eventFilter(watched, event);
}

void ManualDialog::setSpaces()
{
    // Markdown comes without any
    const int line = fontMetrics().lineSpacing();
    for (QTextBlock block = m_text->document()->begin(); block.isValid(); block = block.next()) {
        QTextBlockFormat format = block.blockFormat();
        if (QTextCursor(block).currentTable()) continue;
        format.setTopMargin(format.headingLevel() > 1 ? line * 0.8 : 0);
        format.setBottomMargin(block.textList() ? line * 0.2 : line * 0.5);
        format.setLineHeight(115, QTextBlockFormat::ProportionalHeight);
        format.setNonBreakableLines(false); // a long command wraps
        QTextCursor(block).setBlockFormat(format);
    }
    for (QTextFrame *frame : m_text->document()->rootFrame()->childFrames())
        if (auto *table = qobject_cast<QTextTable *>(frame)) {
            QTextTableFormat format = table->format();
            format.setBorderCollapse(true);
            format.setBorderBrush(Theme::current().line);
            format.setCellPadding(5);
            format.setBottomMargin(line * 0.6);
            table->setFormat(format);
        }
}

void ManualDialog::fitPictures()
{
    QTextDocument &document = *m_text->document();
    const double ratio = devicePixelRatioF(), room = m_text->viewport()->width() - 4 * document.documentMargin();
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        for (auto it = block.begin(); !it.atEnd(); ++it) {
            const QTextImageFormat format = it.fragment().charFormat().toImageFormat();
            if (!format.isValid()) continue;
            QImage image(QStringLiteral(":/docs/") + format.name());
            if (image.isNull()) continue;
            const double width = std::max(1.0, std::min(double(image.width()), room));
            image = image.scaledToWidth(int(width * ratio), Qt::SmoothTransformation);
            image.setDevicePixelRatio(ratio);
            document.addResource(QTextDocument::ImageResource, QUrl(format.name()), image);
        }
    document.markContentsDirty(0, document.characterCount());
}

} // namespace ql
