#pragma once

#include <QAction>
#include <QPushButton>
#include <QWidget>

namespace ql {

/// The button of a remedy, or its entry in the menu of a row; nullptr if no row offers it.
inline QObject *remedyIn(const QWidget *panel, const char *id)
{
    return panel->findChild<QObject *>(QStringLiteral("remedy_") + QLatin1String(id));
}

inline void press(QObject *remedy)
{
    if (auto *button = qobject_cast<QPushButton *>(remedy)) return button->click();
    if (auto *entry = qobject_cast<QAction *>(remedy)) entry->trigger();
}

} // namespace ql
