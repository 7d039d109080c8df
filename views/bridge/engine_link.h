#pragma once

#include "core/api/message.h"
#include "core/base/text.h"
#include "views/bridge/snapshot.h"

#include <QElapsedTimer>
#include <QObject>
#include <QProcess>
#include <QStringList>
#include <QTimer>
#include <memory>

namespace ql {

using RequestId = qint64;

/// Why a request failed: the engine's Error as a value.
struct EngineError
{
    QString kind;
    Text message;
    QString operation = {}, variable = {}, file = {};
    Text remedy = {};
    QString fix = {}; ///< of core/base/error.h; empty: none

    /// An error of the window, in its language.
    static EngineError ofWindow(const QString &kind, const QString &message, const QString &remedy = {})
    {
        return {.kind = kind, .message = message.toStdString(), .remedy = remedy.toStdString()};
    }
};

struct EngineProgress
{
    double fraction = 0, etaSeconds = -1, residentMib = 0;
    Text what;
    QString detail; ///< as in core/base/job.h
};

/// An answer, or a part of one, already parsed for the views: data no longer contains graph, configs and run.
struct EngineAnswer
{
    RequestId id = 0;
    QString section; ///< empty: the whole answer
    JsonPtr data;
    GraphPtr graph;                                     ///< of inspections and the section "graph"
    std::shared_ptr<const QVector<ConfigInfo>> configs; ///< of inspections
    RunPtr run;                                         ///< of runs, or the part of one named by section
};

/// The engine process and its messages. Lives in its own thread, so that decoding large answers never blocks the
/// window; EngineClient communicates with it through queued signals and slots.
class EngineLink : public QObject
{
    Q_OBJECT

public:
    explicit EngineLink(QObject *parent = nullptr);
    ~EngineLink() override;

public Q_SLOTS:
    /// Ends a running engine and starts program with arguments.
    void start(const QString &program, const QStringList &arguments);
    void stop();
    void kill();
    void send(const ql::JsonPtr &message);

Q_SIGNALS:
    void ready(const QString &version, qint64 pid);
    void progress(ql::RequestId id, const ql::EngineProgress &progress);
    void section(ql::RequestId id, const ql::EngineAnswer &answer);
    void finished(ql::RequestId id, const ql::EngineAnswer &answer);
    void failed(ql::RequestId id, const ql::EngineError &error);
    void cancelled(ql::RequestId id);
    void log(const QString &text);
    /// It has not identified itself as an engine within greetingMs; written: the end of its output.
    void silent(const QString &written);
    /// The engine has ended unexpectedly; what: a sentence, tail: the end of its output.
    void died(const QString &what, const QString &tail);

private:
    void read();
    void readErrors();
    void handle(nlohmann::json &message);
    QString written() const;
    /// Ends a program that is not a suitable engine; why: a sentence for died().
    void reject(const QString &why);
    void onFinished(int code, QProcess::ExitStatus status);
    void onFailedToStart(QProcess::ProcessError error);

    std::unique_ptr<QProcess> m_process;
    std::unique_ptr<api::FrameReader> m_reader;
    QString m_tail;     ///< last lines of standard error
    QString m_rejected; ///< why it was ended here
    QString m_program;
    bool m_greeted = false;
    qint64 m_received = 0;  ///< bytes since the last whole message
    QTimer m_calmTimer;     ///< after large answers
    QTimer m_greetingTimer; ///< until it identifies itself as an engine
};

} // namespace ql

Q_DECLARE_METATYPE(ql::EngineError)
Q_DECLARE_METATYPE(ql::EngineProgress)
Q_DECLARE_METATYPE(ql::EngineAnswer)
