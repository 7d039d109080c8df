#include "views/window/start_page.h"

#include "views/bridge/sample.h"
#include "views/style/theme.h"

#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

namespace ql {

StartPage::StartPage(QWidget *parent) : QWidget(parent), m_engine(new QLabel)
{
    setProperty("surface", "canvas");
    setAttribute(Qt::WA_StyledBackground);
    auto *outer = new QGridLayout(this);
    auto *column = new QWidget;
    column->setMaximumWidth(640);
    auto *box = new QVBoxLayout(column);
    box->setSpacing(10);

    auto *title = new QLabel(QStringLiteral("Quantloupe"));
    QFont font = textFont(true);
    font.setPixelSize(26);
    title->setFont(font);
    auto *subtitle = new QLabel(tr("Find out why a network loses accuracy in low precision, fix it, and export it."));
    subtitle->setProperty("dim", true);
    auto *buttons = new QHBoxLayout;
    auto *open = new QPushButton(tr("Open a model or recipe…"));
    open->setProperty("primary", true);
    auto *sample = new QPushButton(tr("Try the sample"));
    sample->setObjectName(QStringLiteral("openSample"));
    sample->setVisible(!samplePath().isEmpty());
    buttons->addWidget(open);
    buttons->addWidget(sample);
    buttons->addStretch();
    auto *drop = new QLabel(tr("…or drop a model or recipe here."));
    drop->setProperty("dim", true);

    auto *steps = new QGridLayout;
    steps->setHorizontalSpacing(14);
    steps->setVerticalSpacing(8);
    const QStringList heads{tr("1  Open and attach data"), tr("2  Run"), tr("3  Fix and export")};
    const QStringList texts{
        tr("Open an ONNX or Caffe model, choose a platform, and drop a folder of images or arrays for calibration."),
        tr("Press F5 to quantize and measure: the graph and the bars show where the error comes from. [ and ] step "
           "through the worst operations."),
        tr("Change bits, scales or passes in the inspector, run an operation in FP32 with Q, compare with the "
           "baseline, and write the file for your runtime with Ctrl+E.")};
    for (int i = 0; i < 3; ++i) {
        auto *card = new QFrame;
        card->setProperty("outlined", true);
        auto *cardBox = new QVBoxLayout(card);
        cardBox->setContentsMargins(12, 10, 12, 10);
        auto *head = new QLabel(heads[i]);
        head->setProperty("heading", true);
        auto *text = new QLabel(texts[i]);
        text->setWordWrap(true);
        text->setProperty("dim", true);
        cardBox->addWidget(head);
        cardBox->addWidget(text);
        cardBox->addStretch();
        steps->addWidget(card, 0, i);
        steps->setColumnStretch(i, 1);
    }
    auto *recentHead = new QLabel(tr("Recent"));
    recentHead->setProperty("heading", true);
    m_recent = new QVBoxLayout;
    m_recent->setSpacing(2);
    m_engine->setProperty("dim", true);
    m_engine->setWordWrap(true);

    box->addWidget(title);
    box->addWidget(subtitle);
    box->addSpacing(6);
    box->addLayout(buttons);
    box->addWidget(drop);
    box->addSpacing(12);
    box->addLayout(steps);
    box->addSpacing(12);
    box->addWidget(recentHead);
    box->addLayout(m_recent);
    box->addSpacing(10);
    box->addWidget(m_engine);
    outer->setRowStretch(0, 2);
    outer->setRowStretch(2, 3);
    outer->setColumnStretch(0, 1);
    outer->setColumnStretch(2, 1);
    outer->addWidget(column, 1, 1);
    column->setMinimumWidth(560);

    connect(open, &QPushButton::clicked, this, &StartPage::openRequested);
    connect(sample, &QPushButton::clicked, this, &StartPage::sampleRequested);
}

void StartPage::setRecentFiles(const QStringList &files)
{
    while (QLayoutItem *item = m_recent->takeAt(0)) {
        // Opening a file rebuilds this list, and a click on one of its links may open the file
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    for (const QString &file : files.mid(0, 6)) {
        auto *link = new QPushButton(QFileInfo(file).fileName() + QStringLiteral("   ") + QFileInfo(file).path());
        link->setProperty("link", true);
        link->setCursor(Qt::PointingHandCursor);
        link->setToolTip(file);
        connect(link, &QPushButton::clicked, this, [this, file] { Q_EMIT fileRequested(file); });
        m_recent->addWidget(link);
    }
    if (files.isEmpty()) {
        auto *none = new QLabel(tr("Nothing yet."));
        none->setProperty("dim", true);
        m_recent->addWidget(none);
    }
}

void StartPage::setEngineText(const QString &text)
{
    m_engine->setText(text);
}

} // namespace ql
