#include "views/bridge/saved_pipelines.h"

#include "core/base/error.h"
#include "core/base/file.h"

#include <QDir>
#include <QStandardPaths>
#include <QUrl>

namespace ql::savedPipelines {

using nlohmann::json;

static const char *const format = "quantloupe-pipeline/1";

QString folder()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/pipelines");
}

/// A name may hold any character, a file name not.
static QString fileOf(const QString &name)
{
    return folder() + QLatin1Char('/') + QString::fromLatin1(QUrl::toPercentEncoding(name, " ")) +
           QStringLiteral(".json");
}

QStringList names()
{
    QStringList list;
    for (const QString &file : QDir(folder()).entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name))
        list.append(QUrl::fromPercentEncoding(file.chopped(5).toLatin1()));
    return list;
}

void save(const QString &name, const std::vector<api::StepRequest> &passes)
{
    json list = json::array();
    for (const api::StepRequest &step : passes)
        list.push_back({{"id", step.id}, {"enabled", step.enabled}, {"params", step.params}});
    QDir().mkpath(folder());
    const json document = {{"format", format}, {"name", name.toStdString()}, {"passes", list}};
    writeFileAtomically(fileOf(name).toStdString(), document.dump(2) + "\n");
}

std::vector<api::StepRequest> load(const QString &name)
{
    const std::string file = fileOf(name).toStdString();
    const api::JsonText text = api::JsonText::parse(readFile(file), file);
    const api::JsonNode root(text);
    if (root.at("format").string() != format) root.at("format").fail("must be \"quantloupe-pipeline/1\"");
    std::vector<api::StepRequest> passes;
    for (const api::JsonNode &node : root.at("passes").elements()) {
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
    QFile::remove(fileOf(name));
}

} // namespace ql::savedPipelines
