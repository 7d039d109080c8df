// Requests about files of other tools and runtimes, and searches for a better recipe.
#include "views/bridge/consent.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/engine_text.h"

namespace ql {

/// For the page that sent the request.
static QString whyOf(const Document &document, const EngineError &error)
{
    const Text remedy = isConsentOfPage(document, error) ? Text(consentOfPage().toStdString()) : error.remedy;
    return engineSentences(error.message, remedy, error.file);
}

// Explanations

void EngineRequests::explain()
{
    drop(Kind::Explain);
    auto wanted = about<api::AnalysisRequest>();
    wanted.id = "explanation";
    send(Kind::Explain, api::method::analysis, wanted);
    if (!id(Kind::Run)) startJob(Kind::Explain);
}

void EngineRequests::onExplained(const EngineAnswer &answer)
{
    setId(Kind::Explain, 0);
    endJob(Kind::Explain);
    const auto whole = answer.as(api::method::analysis);
    if (whole->measures.explanation) Q_EMIT explained({whole, &*whole->measures.explanation});
}

// Scales of other tools

void EngineRequests::importEncodings(const QString &file)
{
    drop(Kind::Encodings);
    auto wanted = about<api::EncodingsImportRequest>();
    wanted.file = file.toStdString();
    send(Kind::Encodings, api::method::importEncodings, wanted);
}

void EngineRequests::onEncodings(const EngineAnswer &answer)
{
    setId(Kind::Encodings, 0);
    Q_EMIT encodingsRead(answer.as(api::method::importEncodings));
}

// Exported files in their runtimes

void EngineRequests::verify(const api::VerifyRequest &wanted)
{
    send(Kind::Verify, api::method::verify, wanted);
    if (!id(Kind::Run)) startJob(Kind::Verify);
}

void EngineRequests::findRuntimes(const QString &python)
{
    drop(Kind::Runtimes);
    send(Kind::Runtimes, api::method::runtimes, {python.toStdString()});
}

void EngineRequests::installRuntime(const QString &runtime)
{
    send(Kind::Install, api::method::runtimeInstall, {runtime.toStdString()});
    if (!id(Kind::Run)) startJob(Kind::Install);
}

void EngineRequests::onVerified(const EngineAnswer &answer)
{
    setId(Kind::Verify, 0);
    endJob(Kind::Verify);
    Q_EMIT verified(answer.as(api::method::verify));
}

void EngineRequests::onInstalled(const EngineAnswer &answer)
{
    setId(Kind::Install, 0);
    endJob(Kind::Install);
    Q_EMIT runtimesFound(answer.as(api::method::runtimeInstall));
}

void EngineRequests::onRuntimes(const EngineAnswer &answer)
{
    setId(Kind::Runtimes, 0);
    Q_EMIT runtimesFound(answer.as(api::method::runtimes));
}

void EngineRequests::verifyFailed(const EngineError &error)
{
    Q_EMIT verifyStopped(whyOf(m_document, error));
}

// Searches

void EngineRequests::tune(const api::TuneRequest &wanted)
{
    drop(Kind::Tune);
    send(Kind::Tune, api::method::tune, wanted);
}

void EngineRequests::stopTuning()
{
    // A trial that is being measured may end: killing the engine would lose its cache
    if (const RequestId pending = id(Kind::Tune)) m_engine.cancel(pending, EngineClient::dropPatienceMs);
}

void EngineRequests::onTuned(const EngineAnswer &answer)
{
    setId(Kind::Tune, 0);
    Q_EMIT tuned(answer.as(api::method::tune));
}

void EngineRequests::tuneFailed(const EngineError &error)
{
    Q_EMIT tuneStopped(whyOf(m_document, error));
}

} // namespace ql
