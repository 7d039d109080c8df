#include "views/bridge/engine_link.h"

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
    constexpr qsizetype mostLines = 8;
    const QStringList lines = text.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    if (lines.size() <= mostLines) return lines.join(QLatin1Char('\n'));
    return QStringLiteral("…\n") + lines.mid(lines.size() - mostLines).join(QLatin1Char('\n'));
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

void EngineLink::send(const JsonPtr &message)
{
    if (!m_process || m_process->state() == QProcess::NotRunning) return;
    const std::string frame = api::encodeFrame(*message);
    m_process->write(frame.data(), qint64(frame.size()));
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

/// Large answers are parsed, and freed, here: neither may block the window's thread. Freeing takes as long as parsing:
/// consumed parts are collected in spent, to be freed after the answer has been sent.
static EngineAnswer answerOf(json &message, json &spent)
{
    spent = json::array();
    EngineAnswer answer;
    answer.id = message.value("id", std::int64_t(0));
    answer.section = textOf(message, "name");
    json data = message.contains("data") ? std::move(message["data"]) : json();
    if (textOf(data, "schema").startsWith(QLatin1String("quantloupe-inspection"))) {
        answer.graph = graphFromInspection(data);
        if (data.contains("configs"))
            answer.configs =
                makeShared<const QVector<ConfigInfo>>(configsFromJson(data["configs"], memberOf(data, "schemes")));
        for (const char *taken : {"operations", "tensors", "configs", "schemes"})
            if (data.contains(taken)) {
                spent.push_back(std::move(data[taken]));
                data.erase(taken);
            }
    } else if (!answer.section.isEmpty()) {
        auto part = makeShared<RunData>();
        addSection(*part, answer.section.toStdString(), data);
        answer.run = part;
        if (answer.section == QLatin1String("configs") || answer.section == QLatin1String("graphwise") ||
            answer.section == QLatin1String("layerwise"))
            spent.push_back(std::move(data));
    } else if (data.is_object() && data.contains("report")) {
        answer.run = runFromReport(data["report"]);
        spent.push_back(std::move(data["report"]));
        data.erase("report");
    }
    answer.data = makeShared<const json>(std::move(data)); // NOLINT(bugprone-use-after-move): null where it was spent
    return answer;
}

void EngineLink::handle(json &message)
{
    const std::string type = message.value("type", "");
    const RequestId id = message.value("id", std::int64_t(0));
    if (type == "hello") {
        if (message.value("protocol", 0) != api::protocolVersion) {
            reject(tr("The engine speaks protocol %1, this window %2: one of them is out of date.")
                       .arg(message.value("protocol", 0))
                       .arg(api::protocolVersion));
            return;
        }
        m_greeted = true;
        m_greetingTimer.stop();
        send(std::make_shared<const json>(json{{"type", "hello"}, {"protocol", api::protocolVersion}}));
        Q_EMIT ready(textOf(message, "version"), message.value("pid", std::int64_t(0)));
    } else if (type == "progress") {
        EngineProgress value;
        value.fraction = message.value("fraction", 0.0);
        value.etaSeconds = message.value("eta", -1.0);
        value.residentMib = message.value("rss_mib", 0.0);
        value.what = engineTextOf(message, "what");
        value.detail = textOf(message, "detail");
        Q_EMIT progress(id, value);
    } else if (type == "section") {
        json spent;
        Q_EMIT section(id, answerOf(message, spent));
    } else if (type == "result") {
        json spent;
        Q_EMIT finished(id, answerOf(message, spent));
    } else if (type == "cancelled") {
        Q_EMIT cancelled(id);
    } else if (type == "error") {
        const json &e = message.value("error", json::object());
        Q_EMIT failed(id, {textOf(e, "kind"), engineTextOf(e, "message"), textOf(e, "op"), textOf(e, "variable"),
                           textOf(e, "file"), engineTextOf(e, "remedy"), textOf(e, "fix")});
    } else if (type == "log") {
        Q_EMIT log(engineText(message, "text"));
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
