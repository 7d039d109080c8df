#pragma once

// Waiting in programs that measure: without the processor time that a test's polling takes.
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>
#include <functional>

namespace ql {

inline bool waitFor(const std::function<bool()> &isDone, int limitMs = 300000)
{
    QElapsedTimer timer;
    timer.start();
    // processEvents() with a time to spend would spin, and take the processor from the engine
    QTimer tick;
    tick.start(5);
    while (!isDone()) {
        if (timer.elapsed() > limitMs) return false;
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
    return true;
}

inline void idle(int ms)
{
    QEventLoop loop;
    QTimer::singleShot(ms, &loop, &QEventLoop::quit);
    loop.exec();
}

} // namespace ql
