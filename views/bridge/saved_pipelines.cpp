#include "views/bridge/saved_pipelines.h"

#include "core/base/error.h"
#include "core/base/file.h"

#include <QCoreApplication>
#include <QDir>
#include <QMap>
#include <QStandardPaths>
#include <QUrl>

namespace ql::savedPipelines {

using nlohmann::json;

static const char *const format = "quantloupe-pipeline/1";

QString folder()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/pipelines");
}

/// A name may contain any character, a file name may not.
static QString encoded(const QString &name)
{
    QString text;
    for (const QChar c : name)
        if (c.unicode() < 32 || QStringLiteral("/\\:*?\"<>|%").contains(c) ||
            (c == QLatin1Char('.') && text.isEmpty())) // otherwise it would be hidden, or a folder
            text += QStringLiteral("%%1").arg(int(c.unicode()), 2, 16, QLatin1Char('0'));
        else
            text += c;
    return text;
}

/// Names with their files.
static QMap<QString, QString> files()
{
    QMap<QString, QString> found;
    for (const QFileInfo &file : QDir(folder()).entryInfoList({QStringLiteral("*.json")}, QDir::Files))
        found[QUrl::fromPercentEncoding(file.completeBaseName().toUtf8())] = file.filePath();
    return found;
}

static QString pathOf(const QString &name)
{
    return files().value(name, folder() + QLatin1Char('/') + encoded(name) + QStringLiteral(".json"));
}

QStringList names()
{
    return files().keys();
}

void save(const QString &name, const std::vector<api::StepRequest> &passes)
{
    if (encoded(name).toUtf8().size() >
        200) // of the 255 that file systems allow; while it is written it has a longer one
        throw Error(ErrorKind::BadConfig,
                    QCoreApplication::translate("SavedPipelines", "the name is too long").toStdString())
            .withRemedy(QCoreApplication::translate("SavedPipelines", "Use a shorter one.").toStdString());
    json list = json::array();
    for (const api::StepRequest &step : passes)
        list.push_back({{"id", step.id}, {"enabled", step.enabled}, {"params", step.params}});
    QDir().mkpath(folder());
    const json document = {{"format", format}, {"name", name.toStdString()}, {"passes", list}};
    writeFileAtomically(pathOf(name).toStdString(), document.dump(2) + "\n");
}

std::vector<api::StepRequest> load(const QString &name)
{
    const std::string file = pathOf(name).toStdString();
    const api::JsonText text = api::JsonText::parse(readFile(file), file);
    const api::JsonNode root(text);
    root.expectKeys({"format", "name", "passes"});
    if (root.at("format").string() != format)
        root.at("format").fail(
            QCoreApplication::translate("SavedPipelines", "must be \"%1\"").arg(QLatin1String(format)).toStdString());
    std::vector<api::StepRequest> passes;
    for (const api::JsonNode &node : root.at("passes").elements()) {
        node.expectKeys({"id", "enabled", "params"});
        api::StepRequest step;
        step.id = node.at("id").string();
        if (const auto enabled = node.find("enabled")) step.enabled = enabled->boolean();
        if (const auto params = node.find("params")) step.params = params->value();
        passes.push_back(std::move(step));
    }
    return passes;
}

void remove(const QString &name)
{
    QFile::remove(pathOf(name));
}

} // namespace ql::savedPipelines
