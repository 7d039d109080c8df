#include "views/style/theme.h"

#include <QApplication>
#include <QFile>
#include <QFontDatabase>
#include <QStyle>
#include <QStyleFactory>
#include <QTimer>
#include <QWidget>
#include <algorithm>
#include <cmath>
#include <optional>

/// Outside of the namespace, as the macro wants it.
static void initWindowResources()
{
    Q_INIT_RESOURCE(window);
}

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

ThemeManager::ThemeManager()
{
    initWindowResources(); // the style sheet and its icons
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
    QFile file(QStringLiteral(":/style/window.qss"));
    if (!file.open(QIODevice::ReadOnly)) qFatal("the style sheet is missing from the program");
    QString sheet = QString::fromUtf8(file.readAll());
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

void repolish(QWidget &widget)
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
