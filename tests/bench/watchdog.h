#pragma once

#include <QElapsedTimer>
#include <QFile>
#include <QObject>
#include <QString>
#include <QTimer>
#include <algorithm>
#include <cstdio>

namespace ql {

/// Measures how long the event loop of this thread is blocked: the time between two ticks of a timer, minus the time
/// the thread waited for a processor used by other programs (from Linux' schedstat; elsewhere nothing is subtracted).
class Watchdog : public QObject
{
public:
    Watchdog()
    {
        m_timer.setTimerType(Qt::PreciseTimer);
        connect(&m_timer, &QTimer::timeout, this, &Watchdog::tick);
        reset();
        m_timer.start(5);
    }
    /// Starts again. what: recorded with the pauses from here on
    void reset(const QString &what = {})
    {
        m_what = what;
        m_longest = 0;
        m_clock.start();
        m_waited = waitedMs();
    }
    /// Milliseconds of the longest pause since reset().
    double longest()
    {
        tick(); // one in progress
        return m_longest;
    }
    const QString &what() const { return m_what; }

private:
    /// Milliseconds that this thread has waited for a processor since it began. Without memory of the heap: that would
    /// wait for others, too.
    double waitedMs()
    {
        char text[128] = {};
        QFile file(QStringLiteral("/proc/thread-self/schedstat"));
        if (!file.open(QIODevice::ReadOnly | QIODevice::Unbuffered) || file.read(text, sizeof text - 1) <= 0) return 0;
        double ran = 0, waited = 0;
        return std::sscanf(text, "%lf %lf", &ran, &waited) == 2 ? waited / 1e6 : 0;
    }
    void tick()
    {
        const double waited = waitedMs();
        const double pause = double(m_clock.nsecsElapsed()) / 1e6 - (waited - m_waited);
        m_longest = std::max(m_longest, pause);
        m_waited = waited;
        m_clock.restart();
    }

    QTimer m_timer;
    QElapsedTimer m_clock;
    QString m_what;
    double m_longest = 0, m_waited = 0;
};

} // namespace ql
