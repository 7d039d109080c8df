#include "views/window/start_page.h"

#include "views/style/labels.h"
#include "views/style/theme.h"

#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <utility>

namespace ql {

StartPage::StartPage(QWidget *parent) : QWidget(parent), m_recent(new QVBoxLayout), m_engine(new QLabel)
{
    setProperty("surface", "canvas");
    setAttribute(Qt::WA_StyledBackground);
    auto *column = new QWidget;
    column->setMinimumWidth(560);
    column->setMaximumWidth(640);
    auto *title = new QLabel(QStringLiteral("Quantloupe"));
    QFont font = textFont(true);
    font.setPixelSize(26);
    title->setFont(font);
    m_recent->setSpacing(2);
    m_engine->setProperty("dim", true);
    m_engine->setWordWrap(true);

    auto *box = new QVBoxLayout(column);
    box->setSpacing(10);
    box->addWidget(title);
    box->addWidget(dimLabel(tr("Find out why a network loses accuracy in low precision, fix it, and export it.")));
    box->addSpacing(6);
    box->addLayout(makeButtons());
    box->addWidget(dimLabel(tr("…or drop a model or recipe here.")));
    box->addSpacing(12);
    box->addLayout(makeSteps());
    box->addSpacing(12);
    box->addWidget(headingLabel(tr("Recent")));
    box->addLayout(m_recent);
    box->addSpacing(10);
    box->addWidget(m_engine);

    auto *outer = new QGridLayout(this);
    outer->setRowStretch(0, 2);
    outer->setRowStretch(2, 3);
    outer->setColumnStretch(0, 1);
    outer->setColumnStretch(2, 1);
    outer->addWidget(column, 1, 1);
}

QLayout *StartPage::makeButtons()
{
    auto *open = new QPushButton(tr("Open a model or recipe…"));
    open->setProperty("primary", true);
    auto *sample = new QPushButton(tr("Try the sample"));
    sample->setObjectName(QStringLiteral("openSample"));
    connect(open, &QPushButton::clicked, this, &StartPage::openRequested);
    connect(sample, &QPushButton::clicked, this, &StartPage::sampleRequested);
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(open);
    buttons->addWidget(sample);
    buttons->addStretch();
    return buttons;
}

/// Three cards, next to each other: what is done with the program, in order.
QLayout *StartPage::makeSteps()
{
    const std::pair<QString, QString> steps[] = {
        {tr("1  Open and attach data"),
         tr("Open an ONNX or Caffe model, choose a platform, and drop a folder of images or arrays for calibration.")},
        {tr("2  Run"),
         tr("Press F5 to quantize and measure: the graph and the bars show where the error comes from. [ and ] step "
            "through the worst operations.")},
        {tr("3  Fix and export"),
         tr("Change bits, scales or passes in the inspector, run an operation in FP32 with Q, compare with the "
            "baseline, and write the file for your runtime with Ctrl+E.")},
    };
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(14);
    int column = 0;
    for (const auto &[head, text] : steps) {
        auto *card = new QFrame;
        card->setProperty("outlined", true);
        QLabel *label = dimLabel(text);
        label->setWordWrap(true);
        auto *box = new QVBoxLayout(card);
        box->setContentsMargins(12, 10, 12, 10);
        box->addWidget(headingLabel(head));
        box->addWidget(label);
        box->addStretch();
        grid->addWidget(card, 0, column);
        grid->setColumnStretch(column++, 1);
    }
    return grid;
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
    if (files.isEmpty()) m_recent->addWidget(dimLabel(tr("Nothing yet.")));
}

void StartPage::setEngineText(const QString &text)
{
    m_engine->setText(text);
}

} // namespace ql
