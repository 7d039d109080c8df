#pragma once

#include <QBrush>
#include <QColor>
#include <QFont>
#include <QIcon>
#include <QObject>
#include <QPalette>
#include <array>

class QApplication;
class QWidget;

namespace ql {

/// The colours of the window, light or dark. Neutral greys; colour is reserved for three meanings: accent (current,
/// edited, selected), the error ramp, amber (needs attention).
struct Theme
{
    bool isDark = false;
    QColor window, panel, canvas, line, text, dim, accent, accentSoft, accentText, amber, good, raised;
    std::array<QColor, 8> ramp;     ///< error: one hue, lightness monotonic, 1e-5 to 1 on a log scale
    std::array<QColor, 8> category; ///< platforms, precisions, scale groups; distinguishable without colour vision

    static const Theme &light();
    static const Theme &dark();
    static const Theme &current();

    /// Step of the ramp for a noise ratio: 0 up to 1e-5 ... 7 from 10^-0.625 on.
    static int errorStep(double noiseRatio);
    QColor errorColor(double noiseRatio) const { return ramp[std::size_t(errorStep(noiseRatio))]; }
    /// Hatched background of results of an earlier recipe.
    QBrush staleBrush() const { return {line, Qt::BDiagPattern}; }
    /// Dark or white, whichever is more readable on background (WCAG contrast).
    static QColor textOn(const QColor &background);
};

/// Makes the style sheet evaluate the widget's properties again, after one of its selectors has changed.
void repolish(QWidget &widget);

/// The theme of the application; follows the system or stays as selected.
class ThemeManager : public QObject
{
    Q_OBJECT

public:
    enum class Choice { System, Light, Dark };
    Q_ENUM(Choice)

    static ThemeManager &instance();
    void choose(Choice choice);
    Choice choice() const { return m_choice; }
    /// Sets palette, style sheet and font of the application. Called once, and by choose().
    void apply();

Q_SIGNALS:
    void changed();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override; ///< the system's theme has changed

private:
    ThemeManager();

    Choice m_choice = Choice::System;
    bool m_isAsking = false;
};

/// The background of an icon: a button or menu in the colours of the panel, or the accent colour.
enum class IconRole { OnPanel, OnAccent };

/// An icon drawn with lines in the text colour of the theme at painting time: "open", "save", "undo", "redo", "run",
/// "stop", "find", "export", "plus", "fit", "warning", "error", "info", "minus", "copy", "reset", "up", "down", "left",
/// "right", "close", "more", "float", "fold left", "fold right", "fold down".
QIcon lineIcon(const QString &name, IconRole role = IconRole::OnPanel);
/// Font families for the interface: a Latin font first, even if the system prefers a CJK font for all text. system: the
/// family that the system uses; empty if that is a CJK font. known: installed families.
QStringList textFamilies(const QString &system, const QStringList &known);
/// "!", or "i" for information, as the start of a line of rich text. Not every font has signs for it.
QString severityMark(bool isInfo);
/// The application's font with tabular figures; bold for headings.
QFont textFont(bool bold = false);

} // namespace ql
