#pragma once

#include <QApplication>
#include <QDialog>
#include <QTimer>

namespace ql {

/// Calls `answer` with the next modal `Dialog` as soon as it exists, however slow the machine: exec() does not return
/// before somebody closes it. `context`: used by `answer`; nothing is called after its end.
template <typename Dialog, typename Answer>
void answerNext(QObject *context, Answer answer)
{
    auto *timer = new QTimer(context);
    QObject::connect(timer, &QTimer::timeout, timer, [timer, answer] {
        auto *dialog = qobject_cast<Dialog *>(QApplication::activeModalWidget());
        if (!dialog || !dialog->isVisible()) return;
        timer->stop();
        timer->deleteLater();
        answer(*dialog);
    });
    timer->start(20);
}

} // namespace ql
