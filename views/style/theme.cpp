#include "views/style/theme.h"

#include <QApplication>
#include <QFontDatabase>
#include <QStyle>
#include <QStyleFactory>
#include <QTimer>
#include <QWidget>
#include <algorithm>
#include <cmath>
#include <optional>

namespace ql {

static std::array<QColor, 8> colors(const std::array<const char *, 8> &names)
{
    std::array<QColor, 8> out;
    std::transform(names.begin(), names.end(), out.begin(), [](const char *name) { return QColor(name); });
    return out;
}

const Theme &Theme::light()
{
    static const Theme theme{
        false,
        "#f4f5f7",
        "#ffffff",
        "#fafbfc",
        "#d9dce1",
        "#1d232b",
        "#69727d",
        "#2463c9",
        "#e4ecfa",
        "#ffffff",
        "#b8500a",
        "#1f7a45",
        "#f4f5f7",
        colors({"#fff4e6", "#ffe0ba", "#ffc483", "#fba04b", "#ea7a1f", "#c9560c", "#9a3a06", "#6b2503"}),
        colors({"#4a7fd1", "#a9b1bb", "#c9a227", "#2a9d8f", "#b5629b", "#7fb7e6", "#8c6d46", "#5b5f97"})};
    return theme;
}

const Theme &Theme::dark()
{
    static const Theme theme{
        true,
        "#1b1e23",
        "#23272e",
        "#1f2329",
        "#363c45",
        "#e3e7ec",
        "#97a1ad",
        "#6ea8ff",
        "#263a5c",
        "#12161c",
        "#e8a33d",
        "#5cc489",
        "#2a2f37",
        colors({"#3a2f26", "#573c24", "#7a4d22", "#a05f20", "#c5752b", "#e39147", "#f4b57c", "#ffdcb8"}),
        colors({"#5d8fe0", "#717b87", "#d6b342", "#3fb6a7", "#cc7fb4", "#8fc4f0", "#b0905f", "#8a8fd0"})};
    return theme;
}

/// askAgain: the palette of the application is the system's afterwards.
static bool systemIsDark(bool askAgain = false)
{
    static std::optional<bool> dark;
    if (askAgain) QApplication::setPalette(QPalette()); // ours is drawn over it
    if (askAgain || !dark) dark = QApplication::palette().color(QPalette::Window).lightnessF() < 0.5;
    return *dark;
}

const Theme &Theme::current()
{
    switch (ThemeManager::instance().choice()) {
    case ThemeManager::Choice::Light: return light();
    case ThemeManager::Choice::Dark: return dark();
    case ThemeManager::Choice::System: break;
    }
    return systemIsDark() ? dark() : light();
}

int Theme::errorStep(double noiseRatio)
{
    if (!(noiseRatio > 0)) return 0;
    const double decades = std::log10(noiseRatio) + 5; // 0..5 for 1e-5..1
    return std::clamp(int(std::floor(decades / 5 * 8)), 0, 7);
}

static double luminance(const QColor &color)
{
    const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

QColor Theme::textOn(const QColor &background)
{
    const double l = luminance(background);
    const double onWhite = 1.05 / (l + 0.05), onDark = (l + 0.05) / (luminance(QColor("#1d232b")) + 0.05);
    return onWhite >= onDark ? QColor(Qt::white) : QColor("#1d232b");
}

ThemeManager &ThemeManager::instance()
{
    static ThemeManager manager;
    return manager;
}

void ThemeManager::choose(Choice choice)
{
    if (m_choice == choice) return;
    m_choice = choice;
    apply();
}

static QPalette paletteOf(const Theme &t)
{
    QPalette p;
    p.setColor(QPalette::Window, t.window);
    p.setColor(QPalette::WindowText, t.text);
    p.setColor(QPalette::Base, t.panel);
    p.setColor(QPalette::AlternateBase, t.raised);
    p.setColor(QPalette::Text, t.text);
    p.setColor(QPalette::Button, t.panel);
    p.setColor(QPalette::ButtonText, t.text);
    p.setColor(QPalette::BrightText, t.amber);
    p.setColor(QPalette::Highlight, t.accent);
    p.setColor(QPalette::HighlightedText, t.accentText);
    p.setColor(QPalette::Link, t.accent);
    p.setColor(QPalette::LinkVisited, t.accent);
    p.setColor(QPalette::ToolTipBase, t.panel);
    p.setColor(QPalette::ToolTipText, t.text);
    p.setColor(QPalette::PlaceholderText, t.dim);
    p.setColor(QPalette::Light, t.panel);
    p.setColor(QPalette::Midlight, t.line);
    p.setColor(QPalette::Mid, t.line);
    p.setColor(QPalette::Dark, t.dim);
    p.setColor(QPalette::Shadow, t.line);
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, t.dim);
    p.setColor(QPalette::Disabled, QPalette::Highlight, t.line);
    return p;
}

static QString styleSheetOf(const Theme &t)
{
    QString sheet = QStringLiteral(R"(
* { outline: none; }
QMainWindow, QDialog { background: @window; }
QMainWindow::separator { background: @line; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: @accent; }
QToolBar { background: @panel; border: none; border-bottom: 1px solid @line; spacing: 6px; padding: 6px 8px; }
QToolBar::separator { background: @line; width: 1px; margin: 5px 4px; }
QToolButton { color: @text; background: transparent; border: 1px solid transparent; border-radius: 6px; padding: 4px 8px; }
QToolButton:hover { background: @raised; }
QToolButton:pressed, QToolButton:checked { background: @soft; color: @accent; }
QToolButton:focus { border-color: @accent; }
QToolButton:disabled { color: @dim; }
QToolButton[chip="true"] { border: 1px solid @line; background: @panel; }
QToolButton[chip="true"]:hover { border-color: @dim; }
QToolButton[segment="true"] { border: 1px solid @line; border-radius: 0px; padding: 3px 7px; background: @panel; color: @dim; }
QToolButton[segment="true"]:checked { background: @soft; color: @accent; font-weight: 600; }
QToolButton[segment="true"]:focus { border-color: @accent; }
QToolButton::menu-indicator { image: none; width: 0px; }
QPushButton { color: @text; background: @panel; border: 1px solid @line; border-radius: 6px; padding: 4px 12px; min-height: 16px; }
QPushButton:hover { border-color: @dim; }
QPushButton:pressed { background: @soft; }
QPushButton:focus { border-color: @accent; }
QPushButton:disabled { color: @dim; background: @window; }
QPushButton:default, QPushButton[primary="true"], QToolButton[primary="true"] { background: @accent; color: @onaccent; border: 1px solid @accent; font-weight: 600; }
QPushButton:default:disabled, QPushButton[primary="true"]:disabled, QToolButton[primary="true"]:disabled { background: @line; border-color: @line; color: @dim; }
QPushButton[link="true"] { border: none; background: transparent; color: @accent; padding: 0px; text-align: left; }
QPushButton[link="true"]:hover { text-decoration: underline; }
QPushButton[remedy="true"] { color: @accent; padding: 2px 8px; min-height: 16px; }
QPushButton[member="true"] { background: @soft; border: 1px solid @soft; border-radius: 8px; padding: 0px 8px; min-height: 16px; text-align: left; }
QPushButton[member="true"]:hover, QPushButton[member="true"]:focus { border-color: @accent; }
QPushButton::menu-indicator { image: url(:/icons/chevron-@mode.svg); width: 9px; height: 9px; subcontrol-origin: padding; subcontrol-position: center right; right: 7px; }
QPushButton[menu="true"] { padding-right: 22px; }
QPushButton[flat="true"] { border-color: transparent; background: transparent; }
QLineEdit, QPlainTextEdit, QTextEdit, QSpinBox, QDoubleSpinBox, QComboBox { color: @text; background: @panel; border: 1px solid @line; border-radius: 6px; padding: 3px 7px; min-height: 16px; selection-background-color: @accent; selection-color: @onaccent; }
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus { border-color: @accent; }
QLineEdit:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled, QComboBox:disabled { color: @dim; background: @window; }
QWidget[tight="true"] > QLineEdit, QWidget[tight="true"] > QComboBox { padding: 2px 7px; }
QComboBox[edited="true"], QLineEdit[edited="true"], QSpinBox[edited="true"], QDoubleSpinBox[edited="true"] { border-color: @accent; color: @accent; font-weight: 600; }
QLineEdit[wrong="true"] { border-color: @amber; color: @amber; }
QComboBox { combobox-popup: 0; }
QComboBox::drop-down { border: none; width: 18px; }
QComboBox::down-arrow { image: url(:/icons/chevron-@mode.svg); width: 9px; height: 9px; }
QComboBox QAbstractItemView { background: @panel; border: 1px solid @line; selection-background-color: @soft; selection-color: @text; padding: 2px; }
QSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::up-button, QDoubleSpinBox::down-button { width: 0px; border: none; }
QCheckBox { color: @text; spacing: 6px; }
QCheckBox:focus { color: @accent; }
QCheckBox::indicator, QAbstractItemView::indicator { width: 13px; height: 13px; border: 1px solid @dim; border-radius: 3px; background: @panel; }
QCheckBox::indicator:checked, QAbstractItemView::indicator:checked { background: @accent; border-color: @accent; image: url(:/icons/check-@mode.svg); }
QCheckBox::indicator:disabled { border-color: @line; }
QRadioButton { color: @text; }
QTabWidget::pane { border: none; }
QTabBar { background: transparent; qproperty-drawBase: 0; }
QMainWindow > QTabBar { background: @panel; qproperty-elideMode: ElideNone; }
QTabBar[dock="true"]::tab { padding: 4px 8px 5px 8px; }
QTabBar[dock="true"]::tab:only-one, QTabBar[dock="true"]::tab:only-one:selected { color: @text; border-bottom-color: transparent; }
QToolButton[square="true"] { padding: 0px; min-width: 24px; min-height: 24px; max-height: 24px; border-radius: 4px; }
QTabBar::tab { color: @dim; background: transparent; border: none; border-bottom: 2px solid transparent; padding: 5px 10px; }
QTabBar[compact="true"]::tab { padding: 5px 7px; }
QTabBar::tab:hover { color: @text; }
QTabBar::tab:selected { color: @text; font-weight: 600; border-bottom: 2px solid @accent; }
QTabBar::tab:focus { color: @accent; }
QDockWidget { color: @text; }
QDockWidget > QWidget { background: @panel; }
QAbstractItemView { color: @text; background: @panel; border: none; alternate-background-color: @raised; selection-background-color: @soft; selection-color: @text; gridline-color: @line; }
QAbstractItemView::item:hover { background: @raised; }
QAbstractItemView::item:selected { background: @soft; color: @text; }
QTableView::item, QTreeView::item { padding: 2px 6px; border: none; }
QListView::item { padding: 4px 8px; border: none; }
QListView[framed="true"]::item { border: 2px solid transparent; border-radius: 6px; padding: 2px 4px; }
QListView[framed="true"]::item:selected { background: @panel; border-color: @accent; }
QHeaderView { background: @panel; }
QHeaderView::section { color: @dim; background: @panel; border: none; border-bottom: 1px solid @line; padding: 5px 6px; font-weight: 400; }
QHeaderView::down-arrow { image: url(:/icons/chevron-@mode.svg); width: 8px; height: 8px; subcontrol-position: center right; right: 2px; }
QHeaderView::up-arrow { image: url(:/icons/chevron-up-@mode.svg); width: 8px; height: 8px; subcontrol-position: center right; right: 2px; }
QTableCornerButton::section { background: @panel; border: none; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: @line; border-radius: 4px; margin: 1px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: @dim; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QScrollArea { border: none; background: @panel; }
QScrollArea > QWidget > QWidget { background: @panel; }
QScrollArea[note="true"], QScrollArea[note="true"] > QWidget > QWidget { background: transparent; }
QSplitter::handle { background: @line; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QLineEdit { lineedit-clear-button-icon: url(:/icons/close-@mode.svg); }
QMenuBar { background: @panel; color: @text; border-bottom: 1px solid @line; }
QMenuBar::item { padding: 4px 9px; background: transparent; }
QMenuBar::item:selected { background: @soft; }
QMenu { background: @panel; color: @text; border: 1px solid @line; padding: 4px; }
QMenu::item { padding: 5px 28px 5px 12px; border-radius: 4px; }
QMenu::item:selected { background: @soft; color: @text; }
QMenu::item:disabled { color: @dim; }
QMenu::separator { height: 1px; background: @line; margin: 4px 8px; }
QStatusBar { background: @panel; color: @dim; border-top: 1px solid @line; }
QStatusBar::item { border: none; }
QStatusBar QLabel { color: @dim; padding: 2px 6px; }
QProgressBar { background: @line; border: none; border-radius: 3px; max-height: 6px; min-height: 6px; text-align: center; }
QProgressBar::chunk { background: @accent; border-radius: 3px; }
QToolTip { color: @text; background: @panel; border: 1px solid @line; padding: 5px 7px; }
QLabel { background: transparent; }
QLabel[dim="true"] { color: @dim; }
QLabel[heading="true"] { font-weight: 600; }
QLabel[chip="true"] { background: @soft; color: @text; border-radius: 8px; padding: 1px 8px; }
QLabel[warn="true"] { color: @amber; }
QFrame[card="true"] { background: @raised; border: none; border-radius: 6px; }
QFrame[outlined="true"] { background: @panel; border: 1px solid @line; border-radius: 6px; }
QFrame[rule="true"] { background: @line; border: none; max-height: 1px; min-height: 1px; }
QWidget[surface="panel"] { background: @panel; }
QWidget[surface="canvas"] { background: @canvas; }
QWidget[strip="true"] { background: @panel; border-bottom: 1px solid @line; }
QGroupBox { border: 1px solid @line; border-radius: 6px; margin-top: 9px; padding-top: 6px; }
QGroupBox::title { subcontrol-origin: margin; left: 8px; padding: 0 4px; color: @dim; }
)");
    const QList<QPair<QString, QString>> names{
        {QStringLiteral("@window"), t.window.name()},
        {QStringLiteral("@panel"), t.panel.name()},
        {QStringLiteral("@canvas"), t.canvas.name()},
        {QStringLiteral("@line"), t.line.name()},
        {QStringLiteral("@text"), t.text.name()},
        {QStringLiteral("@dim"), t.dim.name()},
        {QStringLiteral("@accent"), t.accent.name()},
        {QStringLiteral("@onaccent"), t.accentText.name()},
        {QStringLiteral("@soft"), t.accentSoft.name()},
        {QStringLiteral("@amber"), t.amber.name()},
        {QStringLiteral("@raised"), t.raised.name()},
        {QStringLiteral("@mode"), t.isDark ? QStringLiteral("dark") : QStringLiteral("light")}};
    for (const auto &[name, value] : names) sheet.replace(name, value);
    return sheet;
}

bool ThemeManager::eventFilter(QObject *watched, QEvent *event)
{
    // Sent to each window: handled once for all of them
    if (event->type() == QEvent::ThemeChange && !m_isAsking) {
        m_isAsking = true;
        QTimer::singleShot(0, this, [this] {
            systemIsDark(true);
            apply();
            m_isAsking = false;
        });
    }
    return QObject::eventFilter(watched, event);
}

QStringList textFamilies(const QString &system, const QStringList &known)
{
    QStringList families;
    for (const char *latin : {"Inter", "", "Noto Sans", "Segoe UI", "Cantarell", "Ubuntu", "Roboto", "Open Sans",
                              "DejaVu Sans", "Liberation Sans", "Arial"}) {
        const QString family = *latin ? QString::fromLatin1(latin) : system;
        if (family.isEmpty() || (*latin && !known.contains(family))) continue;
        families.append(family);
        break;
    }
    // Chinese characters in their Chinese shapes, regardless of the CJK font that the system prefers
    if (const QString cjk = QStringLiteral("Noto Sans CJK SC"); known.contains(cjk)) families.append(cjk);
    return families.isEmpty() ? QStringList{system} : families;
}

void ThemeManager::apply()
{
    systemIsDark(); // queried before the palette is ours
    static bool styled = false;
    if (!styled) {
        styled = true;
        qApp->installEventFilter(this);
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
        QFont font = QApplication::font();
        const QString system = QFontInfo(font).family();
        const bool isCjk = QFontDatabase::writingSystems(system).contains(QFontDatabase::SimplifiedChinese);
        font.setFamilies(textFamilies(isCjk ? QString() : system, QFontDatabase::families()));
        font.setPixelSize(12);
        QApplication::setFont(font);
    }
    const Theme &theme = Theme::current();
    QApplication::setPalette(paletteOf(theme));
    qApp->setStyleSheet(styleSheetOf(theme));
    Q_EMIT changed();
}

void polishAgain(QWidget &widget)
{
    widget.style()->unpolish(&widget);
    widget.style()->polish(&widget);
    widget.update();
}

QFont textFont(bool bold)
{
    QFont font = QApplication::font();
    if (bold) font.setWeight(QFont::DemiBold);
    return font;
}

QString severityMark(bool isInfo)
{
    const Theme &theme = Theme::current();
    return QStringLiteral("<b style=\"color:%1\">%2</b> ")
        .arg((isInfo ? theme.accent : theme.amber).name(), isInfo ? QStringLiteral("i") : QStringLiteral("!"));
}

} // namespace ql
