#pragma once

#include "core/api/message.h"
#include "core/api/methods.h"
#include "core/base/text.h"
#include "views/bridge/snapshot.h"

#include <QHash>
#include <QObject>
#include <QProcess>
#include <QStringList>
#include <QTimer>
#include <any>
#include <functional>
#include <memory>
#include <string>

namespace ql {

using RequestId = qint64;

using RequestPtr = std::shared_ptr<const api::RequestMessage>;

/// Why a request failed: the engine's Error as a value.
using EngineError = api::Failure;
using EngineProgress = api::ProgressMessage;

/// Kind of an error: the engine is gone.
inline constexpr const char *engineDied = "EngineDied";
/// An error found by the window, in its language.
EngineError windowError(const std::string &kind, const QString &message, const QString &remedy = {});

/// An answer, or a part of one, already parsed for the views.
struct EngineAnswer
{
    RequestId id = 0;
    /// A shared pointer to the answer struct of the method (methods.h), to the TuneStep of a search, or to the
    /// TrainingEvent of a run. Inspections and runs lack the parts in the members below.
    std::any data;
    GraphPtr graph;                                     ///< of inspections and parts of runs
    std::shared_ptr<const QVector<ConfigInfo>> configs; ///< of inspections
    RunPtr run;                                         ///< of runs
    std::function<void(RunData &run)> update;           ///< of parts of runs

    template <class Held>
    std::shared_ptr<const Held> held() const
    {
        const auto *found = std::any_cast<std::shared_ptr<const Held>>(&data);
        return found ? *found : nullptr;
    }
    template <class Request, class Answer>
    std::shared_ptr<const Answer> as(const api::MethodOf<Request, Answer> &) const
    {
        return held<Answer>();
    }
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
    void request(const ql::RequestPtr &request);
    void cancel(ql::RequestId id);

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
    void send(const nlohmann::json &message);
    void read();
    void readErrors();
    void handle(nlohmann::json &message);
    void takeResult(nlohmann::json &message);
    void takeSection(nlohmann::json &message);
    QString written() const;
    /// Ends a program that is not a suitable engine; why: a sentence for died().
    void reject(const QString &why);
    void onFinished(int code, QProcess::ExitStatus status);
    void onFailedToStart(QProcess::ProcessError error);

    std::unique_ptr<QProcess> m_process;
    std::unique_ptr<api::FrameReader> m_reader;
    QHash<RequestId, std::string> m_methods; ///< of pending requests, by id
    QString m_tail;                          ///< last lines of standard error
    QString m_rejected;                      ///< why it was ended here
    QString m_program;
    bool m_greeted = false;
    qint64 m_received = 0;  ///< bytes since the last whole message
    QTimer m_calmTimer;     ///< after large answers
    QTimer m_greetingTimer; ///< until it identifies itself as an engine
};

} // namespace ql

Q_DECLARE_METATYPE(ql::RequestPtr)
Q_DECLARE_METATYPE(ql::EngineError)
Q_DECLARE_METATYPE(ql::EngineProgress)
Q_DECLARE_METATYPE(ql::EngineAnswer)
