#pragma once

#include "views/bridge/engine_client.h"

#include <QString>

namespace ql {

class Document;

/// Whether the error asks for consent to a command that a page has, such as a runtime or a metric: plug-ins and
/// programs that provide data, which the recipe names, are allowed in “Plug-ins and programs”.
bool isConsentOfPage(const Document &document, const EngineError &error);
/// Where that consent is given.
QString consentOfPage();

} // namespace ql
