#include "views/bridge/engine_link.h"

#include "core/api/encodings_requests.h"
#include "core/api/plugins.h"
#include "core/api/tune_requests.h"
#include "core/api/verify_requests.h"
#include "core/base/error.h"
#include "views/bridge/disposal.h"
#include "views/bridge/engine_text.h"

#include <malloc.h>
#include <sys/resource.h>
#include <utility>

namespace ql {

using nlohmann::json;

/// Of standard error: the part kept to explain why the engine ended.
static constexpr qsizetype tailSize = 2000;

/// A program that has sent nothing for this long (ms), or this many bytes of other output, is not an engine: a login
/// shell prints less first. A silent one may still ask for a password: it is waited for.
static constexpr int greetingMs = 20000;
static constexpr qint64 noiseLimit = 64 << 10;

/// Bytes of an answer from which memory is returned, and how long no other may have arrived: it takes some 20 ms,
/// during which other threads wait for memory.
static constexpr qint64 largeAnswer = 1 << 20;
static constexpr int calmMs = 1500;

/// The engine computes in the background: when processors are busy, the window and other programs have priority. A
/// delayed thread of the window that holds a lock of the heap would block the others.
static constexpr int engineNiceness = 5;

static void trimHeap()
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

/// A program's output, made readable: a few lines of it, only text.
static QString readable(const QByteArray &bytes)
{
    QString text = QString::fromUtf8(bytes).trimmed();
    qsizetype strange = 0;
    for (QChar &c : text)
        if ((!c.isPrint() && !c.isSpace()) || c == QChar::ReplacementCharacter) {
            c = QChar(0x00b7);
            ++strange;
        }
    if (8 * strange > text.size()) return EngineLink::tr("(%n byte(s) that are not text)", nullptr, int(bytes.size()));
    constexpr qsizetype maxLines = 8;
    const QStringList lines = text.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    if (lines.size() <= maxLines) return lines.join(QLatin1Char('\n'));
    return QStringLiteral("…\n") + lines.mid(lines.size() - maxLines).join(QLatin1Char('\n'));
}

EngineLink::EngineLink(QObject *parent) : QObject(parent), m_calmTimer(this), m_greetingTimer(this)
{
    m_greetingTimer.setSingleShot(true);
    m_greetingTimer.setInterval(greetingMs);
    connect(&m_greetingTimer, &QTimer::timeout, this, [this] { Q_EMIT silent(written()); });
    m_calmTimer.setSingleShot(true);
    m_calmTimer.setInterval(calmMs);
    connect(&m_calmTimer, &QTimer::timeout, this, trimHeap);
}

EngineLink::~EngineLink()
{
    stop();
}

void EngineLink::start(const QString &program, const QStringList &arguments)
{
    stop();
    m_program = program;
    m_reader = std::make_unique<api::FrameReader>();
    m_tail.clear();
    m_rejected.clear();
    m_methods.clear();
    m_greeted = false;
    m_received = 0;
    m_process = std::make_unique<QProcess>();
    connect(m_process.get(), &QProcess::readyReadStandardOutput, this, &EngineLink::read);
    connect(m_process.get(), &QProcess::readyReadStandardError, this, &EngineLink::readErrors);
    connect(m_process.get(), &QProcess::finished, this, &EngineLink::onFinished);
    connect(m_process.get(), &QProcess::errorOccurred, this, &EngineLink::onFailedToStart);
    m_process->setChildProcessModifier([] { setpriority(PRIO_PROCESS, 0, engineNiceness); });
    m_greetingTimer.start();
    m_process->start(program, arguments);
}

void EngineLink::stop()
{
    m_greetingTimer.stop();
    if (!m_process) return;
    m_process->disconnect(this);
    m_process->closeWriteChannel();
    // It may be inside a kernel. This is not the window's thread: it may wait briefly.
    if (!m_process->waitForFinished(300)) {
        m_process->kill();
        m_process->waitForFinished(2000);
    }
    m_process.reset();
}

void EngineLink::kill()
{
    if (m_process) m_process->kill(); // onFinished follows
}

void EngineLink::send(const json &message)
{
    if (!m_process || m_process->state() == QProcess::NotRunning) return;
    const std::string frame = api::encodeFrame(message);
    m_process->write(frame.data(), qint64(frame.size()));
}

void EngineLink::request(const RequestPtr &request)
{
    m_methods.insert(request->id, request->method);
    send(*request);
}

void EngineLink::cancel(RequestId id)
{
    send(api::CancelMessage{id});
}

void EngineLink::read()
{
    QByteArray bytes = m_process->readAllStandardOutput();
    m_reader->append({bytes.constData(), std::size_t(bytes.size())});
    m_received += bytes.size();
    bytes.clear();
    try {
        while (auto message = m_reader->next()) {
            handle(*message);
            message.reset();
            // A parsed answer is many times as large as its bytes and in small pieces; without this the window would
            // keep that memory permanently
            if (std::exchange(m_received, 0) > largeAnswer) m_calmTimer.start();
        }
        if (!m_greeted && m_received > noiseLimit) reject(tr("'%1' is not a Quantloupe engine.").arg(m_program));
    } catch (const std::exception &error) {
        reject(m_greeted ? tr("The engine sent an invalid message: %1.").arg(QString::fromUtf8(error.what()))
                         : tr("'%1' is not a Quantloupe engine.").arg(m_program));
    }
}

QString EngineLink::written() const
{
    QByteArray bytes = m_tail.toUtf8();
    if (!m_greeted && m_reader) bytes += QByteArray::fromStdString(m_reader->noise());
    return readable(bytes);
}

void EngineLink::reject(const QString &why)
{
    m_rejected = why;
    m_process->disconnect(this, nullptr); // it may continue writing
    connect(m_process.get(), &QProcess::finished, this, &EngineLink::onFinished);
    m_process->kill();
}

void EngineLink::readErrors()
{
    const QString text = QString::fromUtf8(m_process->readAllStandardError());
    m_tail = (m_tail + text).right(tailSize);
    for (const QString &line : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) Q_EMIT log(line);
}

EngineError windowError(const std::string &kind, const QString &message, const QString &remedy)
{
    EngineError error;
    error.kind = kind;
    error.message = message.toStdString();
    error.remedy = remedy.toStdString();
    return error;
}

namespace {

/// Consumed data, freed after the answer has been sent: freeing takes as long as parsing.
using Spent = std::shared_ptr<void>;

/// Large answers are parsed, and freed, here: neither may block the window's thread.
struct Decoder
{
    std::string_view method;
    std::function<Spent(json &data, EngineAnswer &answer)> decode;
};

template <class Request, class Answer>
Decoder decoderOf(const api::MethodOf<Request, Answer> &method)
{
    return {method.name, [](json &data, EngineAnswer &answer) -> Spent {
                answer.data = std::shared_ptr<const Answer>(makeShared<Answer>(data.get<Answer>()));
                return {};
            }};
}

Spent decodeInspection(json &data, EngineAnswer &answer)
{
    const auto whole = std::make_shared<api::Inspection>(data.get<api::Inspection>());
    answer.graph = graphFromInspection(*whole);
    if (whole->configs) answer.configs = makeShared<const QVector<ConfigInfo>>(configsFrom(*whole->configs));
    const auto rest = std::make_shared<api::Inspection>();
    rest->recipe = std::move(whole->recipe);
    rest->problems = std::move(whole->problems);
    answer.data = std::shared_ptr<const api::Inspection>(rest);
    return whole;
}

Spent decodeRun(json &data, EngineAnswer &answer)
{
    const auto whole = std::make_shared<api::RunAnswer>(data.get<api::RunAnswer>());
    answer.run = runFromReport(whole->report);
    return whole;
}

const Decoder &decoderNamed(const std::string &method)
{
    static const std::vector<Decoder> table{
        decoderOf(api::method::catalogue),       {api::method::inspect.name, decodeInspection},
        decoderOf(api::method::preview),         decoderOf(api::method::platformCheck),
        decoderOf(api::method::platformSave),    decoderOf(api::method::platformRemove),
        decoderOf(api::method::distribution),    decoderOf(api::method::exportFile),
        decoderOf(api::method::exportPreview),   {api::method::run.name, decodeRun},
        decoderOf(api::method::analysis),        decoderOf(api::method::passes),
        decoderOf(api::method::report),          decoderOf(api::method::runtimes),
        decoderOf(api::method::runtimeInstall),  decoderOf(api::method::verify),
        decoderOf(api::method::plugins),         decoderOf(api::method::programs),
        decoderOf(api::method::allow),           decoderOf(api::method::tune),
        decoderOf(api::method::importEncodings),
    };
    for (const Decoder &decoder : table)
        if (decoder.method == method) return decoder;
    throw Error(ErrorKind::Internal, "an answer that nobody asked for");
}

EngineError failureOf(const Error &error)
{
    EngineError failure;
    failure.kind = toString(error.kind);
    failure.message = error.message;
    failure.remedy = Text::ofTemplate("Window and engine versions differ.");
    return failure;
}

} // namespace

void EngineLink::takeResult(json &message)
{
    api::ResultMessage result = api::resultFrom(std::move(message));
    EngineAnswer answer;
    answer.id = result.id;
    try {
        const Spent spent = decoderNamed(m_methods.take(result.id)).decode(result.data, answer);
        Q_EMIT finished(result.id, answer);
    } catch (const Error &error) {
        Q_EMIT failed(result.id, failureOf(error));
    }
}

void EngineLink::takeSection(json &message)
{
    const api::SectionMessage part = api::sectionFrom(std::move(message));
    EngineAnswer answer;
    answer.id = part.id;
    if (m_methods.value(part.id) == api::method::tune.name) {
        answer.data = std::shared_ptr<const api::TuneStep>(makeShared<api::TuneStep>(part.data.get<api::TuneStep>()));
        Q_EMIT section(part.id, answer);
        return;
    }
    const auto data = part.data.get<api::RunPart>();
    if (data.training)
        answer.data = std::shared_ptr<const api::TrainingEvent>(makeShared<api::TrainingEvent>(*data.training));
    answer.update = updateFrom(data);
    if (data.graph) answer.graph = graphFromInspection(*data.graph);
    Q_EMIT section(part.id, answer);
}

void EngineLink::handle(json &message)
{
    const std::string type = api::messageType(message);
    if (!m_greeted) {
        if (type != api::HelloMessage::type) return reject(tr("'%1' is not a Quantloupe engine.").arg(m_program));
        if (api::protocolOf(message) != api::protocolVersion)
            return reject(tr("The engine speaks protocol %1, this window %2: one of them is out of date.")
                              .arg(api::protocolOf(message))
                              .arg(api::protocolVersion));
        const auto hello = message.get<api::HelloMessage>();
        m_greeted = true;
        m_greetingTimer.stop();
        send(api::HelloMessage{});
        Q_EMIT ready(QString::fromStdString(hello.version), hello.pid);
    } else if (type == api::ProgressMessage::type) {
        const auto value = message.get<api::ProgressMessage>();
        Q_EMIT progress(value.id, value);
    } else if (type == api::SectionMessage::type) {
        takeSection(message);
    } else if (type == api::ResultMessage::type) {
        takeResult(message);
    } else if (type == api::CancelledMessage::type) {
        const RequestId id = message.get<api::CancelledMessage>().id;
        m_methods.remove(id);
        Q_EMIT cancelled(id);
    } else if (type == api::ErrorMessage::type) {
        const auto error = message.get<api::ErrorMessage>();
        m_methods.remove(error.id);
        Q_EMIT failed(error.id, error.error);
    } else if (type == api::LogMessage::type) {
        Q_EMIT log(engineText(message.get<api::LogMessage>().text));
    }
}

void EngineLink::onFinished(int code, QProcess::ExitStatus status)
{
    m_greetingTimer.stop();
    const QString what = !m_rejected.isEmpty()           ? m_rejected
                         : status == QProcess::CrashExit ? tr("The engine was killed by a signal or ran out of memory.")
                                                         : tr("The engine exited with code %1.").arg(code);
    Q_EMIT died(what, written());
}

void EngineLink::onFailedToStart(QProcess::ProcessError error)
{
    if (error != QProcess::FailedToStart) return;
    m_greetingTimer.stop();
    Q_EMIT died(tr("The engine '%1' cannot be started.").arg(m_program), m_process->errorString());
}

} // namespace ql
