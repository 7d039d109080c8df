#include "views/bridge/consent.h"

#include "core/base/error.h"
#include "views/bridge/document.h"

#include <QCoreApplication>

#include <algorithm>
#include <string>
#include <vector>

namespace ql {

bool isConsentOfPage(const Document &document, const EngineError &error)
{
    if (error.fix != toString(Fix::AllowPrograms)) return false;
    const QString file = document.absolutePath(error.file);
    const std::vector<std::string> &plugins = document.recipe().plugins;
    const auto isFile = [&](const std::string &plugin) { return document.absolutePath(plugin) == file; };
    return !document.data().contains(file) && std::none_of(plugins.begin(), plugins.end(), isFile);
}

QString consentOfPage()
{
    return QCoreApplication::translate("Consent", "If you trust it, tick the box below the command on this page.");
}

} // namespace ql
