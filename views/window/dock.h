#pragma once

#include <QDockWidget>
#include <QToolBar>
#include <QVector>

class QHBoxLayout;
class QTabBar;
class QToolButton;

namespace ql {

/// A dock with one row for its title and the tools of its panel. Several panels may share one: the row has a tab for
/// each of them. A collapsed (hidden) dock is a tab on a DockEdge.
class Dock : public QDockWidget
{
    Q_OBJECT

public:
    /// name: for saved layouts
    explicit Dock(const QString &name, QWidget *parent = nullptr);

    /// tools: shown in the title row with the panel; reparented from anywhere. May be null.
    void addPage(const QString &name, const QString &title, QWidget *panel, QWidget *tools = nullptr);
    QStringList pages() const;
    QString page() const; ///< the current one
    QString title(const QString &page) const;
    /// needsAttention: the tab of the collapsed dock is highlighted
    void setTitle(const QString &page, const QString &title, bool needsAttention = false);
    bool needsAttention(const QString &page) const;
    /// Shows the dock with that page, in front of others in the same area.
    void showPage(const QString &page);
    /// The keyboard goes to the first field of the page that is shown, otherwise to the tabs.
    void focusPage();
    /// Visible: neither collapsed nor covered by another dock in its place.
    bool isInFront() const { return m_isInFront; }
    /// The edge it collapses to: the side of the window that it belongs to.
    void setEdge(Qt::DockWidgetArea area);

Q_SIGNALS:
    void pagesChanged(); ///< a title, or which page is shown

private:
    struct Page
    {
        QString name;
        QWidget *panel, *tools;
        bool needsAttention = false;
    };
    int indexOf(const QString &page) const;
    void showCurrent();

    QVector<Page> m_pages;
    QTabBar *m_tabs;
    QHBoxLayout *m_row;
    int m_toolsAt = 0; ///< place in the row
    QToolButton *m_fold, *m_float;
    bool m_isInFront = false;
};

/// The tabs of collapsed docks along one side of the window; hidden if there are none.
class DockEdge : public QToolBar
{
    Q_OBJECT

public:
    explicit DockEdge(Qt::ToolBarArea area, QWidget *parent = nullptr);
    void setFolded(const QVector<Dock *> &docks);

private:
    Qt::ToolBarArea m_area;
};

} // namespace ql
