#include "views/window/dock.h"

#include "views/style/buttons.h"
#include "views/style/theme.h"

#include <QAbstractButton>
#include <QAction>
#include <QHBoxLayout>
#include <QLayout>
#include <QPainter>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>
#include <algorithm>

namespace ql {

Dock::Dock(const QString &name, QWidget *parent)
    : QDockWidget(parent), m_tabs(new QTabBar), m_row(nullptr),
      m_fold(iconButton(QStringLiteral("fold right"), tr("Collapse to a tab"))),
      m_float(iconButton(QStringLiteral("float"), tr("Float, or dock again")))
{
    setObjectName(name);
    toggleViewAction()->setVisible(false); // each of its pages has its own command
    auto *row = new QWidget;
    row->setProperty("strip", true);
    row->setAttribute(Qt::WA_StyledBackground);
    m_row = new QHBoxLayout(row);
    m_row->setContentsMargins(4, 2, 4, 2);
    m_row->setSpacing(2);
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setUsesScrollButtons(false);
    m_tabs->setElideMode(Qt::ElideNone);
    m_tabs->setProperty("dock", true);
    m_row->addWidget(m_tabs);
    m_toolsAt = m_row->count();
    m_row->addStretch();
    m_row->addWidget(m_float);
    m_row->addWidget(m_fold);
    setTitleBarWidget(row);
    auto *stack = new QStackedWidget;
    setWidget(stack);
    connect(this, &QDockWidget::visibilityChanged, this, [this](bool seen) { m_isInFront = seen; });
    connect(m_tabs, &QTabBar::currentChanged, this, &Dock::showCurrent);
    connect(m_fold, &QToolButton::clicked, this, &QWidget::hide);
    connect(m_float, &QToolButton::clicked, this, [this] { setFloating(!isFloating()); });
    connect(this, &QDockWidget::dockLocationChanged, this, &Dock::setEdge);
}

void Dock::addPage(const QString &name, const QString &title, QWidget *panel, QWidget *tools)
{
    panel->setProperty("surface", "panel");
    panel->setAttribute(Qt::WA_StyledBackground);
    static_cast<QStackedWidget *>(widget())->addWidget(panel);
    if (tools) {
        if (tools->layout()) tools->layout()->setContentsMargins(4, 0, 0, 0);
        tools->setMinimumWidth(60); // the window may be small
        m_row->insertWidget(m_toolsAt, tools, 1);
    }
    m_pages.append({name, panel, tools});
    m_tabs->addTab(title);
    m_tabs->setUsesScrollButtons(m_pages.size() > 5); // more than fit into the smallest window
    m_tabs->setAccessibleName(windowTitle());
    showCurrent();
}

QStringList Dock::pages() const
{
    QStringList names;
    for (const Page &page : m_pages) names.append(page.name);
    return names;
}

int Dock::indexOf(const QString &page) const
{
    return int(pages().indexOf(page));
}

QString Dock::page() const
{
    return m_pages.value(m_tabs->currentIndex()).name;
}

QString Dock::title(const QString &page) const
{
    return m_tabs->tabText(indexOf(page));
}

bool Dock::needsAttention(const QString &page) const
{
    return m_pages.value(indexOf(page)).needsAttention;
}

void Dock::setTitle(const QString &page, const QString &title, bool needsAttention)
{
    const int at = indexOf(page);
    if (at < 0) return;
    m_pages[at].needsAttention = needsAttention;
    m_tabs->setTabText(at, title);
    setWindowTitle(m_tabs->tabText(m_tabs->currentIndex()));
    Q_EMIT pagesChanged();
}

void Dock::showPage(const QString &page)
{
    if (const int at = indexOf(page); at >= 0) m_tabs->setCurrentIndex(at);
    show();
    raise();
}

void Dock::focusPage()
{
    QWidget *page = widget();
    for (QWidget *next = page->nextInFocusChain(); next != page; next = next->nextInFocusChain())
        if (page->isAncestorOf(next) && next->isVisible() && next->isEnabled() && !next->focusProxy() &&
            (next->focusPolicy() & Qt::TabFocus))
            return next->setFocus(Qt::ShortcutFocusReason);
    m_tabs->setFocus(Qt::ShortcutFocusReason);
}

void Dock::showCurrent()
{
    const int at = m_tabs->currentIndex();
    // Never two at a time: the dock would become as wide as both need, and stay so
    for (int i = 0; i < m_pages.size(); ++i)
        if (m_pages[i].tools && i != at) m_pages[i].tools->hide();
    if (at < 0 || at >= m_pages.size()) return;
    if (m_pages[at].tools) m_pages[at].tools->show();
    static_cast<QStackedWidget *>(widget())->setCurrentWidget(m_pages[at].panel);
    m_tabs->updateGeometry(); // the text of the current tab is bold, and wider
    setWindowTitle(m_tabs->tabText(at));
    Q_EMIT pagesChanged();
}

void Dock::setEdge(Qt::DockWidgetArea area)
{
    m_fold->setIcon(lineIcon(area == Qt::LeftDockWidgetArea    ? QStringLiteral("fold left")
                             : area == Qt::RightDockWidgetArea ? QStringLiteral("fold right")
                                                               : QStringLiteral("fold down")));
}

namespace {

/// The tab of one panel of a collapsed dock; its text runs along the edge.
class EdgeTab : public QAbstractButton
{
public:
    EdgeTab(Dock &dock, const QString &page, bool isVertical) : m_isVertical(isVertical)
    {
        setText(dock.title(page));
        setToolTip(DockEdge::tr("Show %1").arg(text()));
        setAccessibleName(toolTip());
        setObjectName(QStringLiteral("folded ") + page);
        setFocusPolicy(Qt::TabFocus);
        setAttribute(Qt::WA_Hover);
        m_needsAttention = dock.needsAttention(page);
        // The tab disappears when its dock is shown
        connect(
            this, &QAbstractButton::clicked, &dock, [&dock, page] { dock.showPage(page); }, Qt::QueuedConnection);
    }
    QSize sizeHint() const override
    {
        constexpr int thickness = 24, padding = 20;
        const QSize flat(QFontMetrics(textFont()).horizontalAdvance(text()) + padding, thickness);
        return m_isVertical ? flat.transposed() : flat;
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        const Theme &theme = Theme::current();
        QPainter painter(this);
        if (underMouse()) painter.fillRect(rect(), theme.raised);
        painter.setPen(hasFocus() ? theme.accent : theme.line);
        if (hasFocus()) painter.drawRect(rect().adjusted(0, 0, -1, -1));
        painter.setFont(textFont());
        painter.setPen(m_needsAttention ? theme.amber : underMouse() || hasFocus() ? theme.text : theme.dim);
        QRect area = rect();
        if (m_isVertical) { // read from top to bottom, as on the spine of a book
            painter.translate(width(), 0);
            painter.rotate(90);
            area = QRect(0, 0, height(), width());
        }
        painter.drawText(area, Qt::AlignCenter, text());
    }

private:
    bool m_isVertical, m_needsAttention = false;
};

} // namespace

DockEdge::DockEdge(Qt::ToolBarArea area, QWidget *parent) : QToolBar(parent), m_area(area)
{
    const bool isLeft = area == Qt::LeftToolBarArea, isRight = area == Qt::RightToolBarArea;
    setObjectName(isLeft    ? QStringLiteral("edge left")
                  : isRight ? QStringLiteral("edge right")
                            : QStringLiteral("edge bottom"));
    setWindowTitle(tr("Collapsed docks"));
    toggleViewAction()->setVisible(false); // visible while something is collapsed
    setStyleSheet(QStringLiteral("QToolBar { border: none; padding: 0px; spacing: 0px; }")); // other bars have room
    setMovable(false);
    setContextMenuPolicy(Qt::PreventContextMenu);
    constexpr int thickness = 25; // a tab and a line
    if (area == Qt::BottomToolBarArea)
        setFixedHeight(thickness);
    else
        setFixedWidth(thickness);
    layout()->setContentsMargins(0, 0, 0, 0);
    layout()->setSpacing(0);
    hide();
}

void DockEdge::setFolded(const QVector<Dock *> &docks)
{
    const QList<QAction *> before = actions();
    for (QAction *tab : before) delete tab; // with its widget, which clear() would leave behind
    const bool isVertical = m_area != Qt::BottomToolBarArea;
    for (Dock *dock : docks)
        for (const QString &page : dock->pages()) addWidget(new EdgeTab(*dock, page, isVertical));
    setVisible(!docks.isEmpty());
}

} // namespace ql
