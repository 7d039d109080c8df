// Files of a document: resolving paths, opening and saving.
#include "core/base/error.h"
#include "core/base/file.h"
#include "views/bridge/document.h"
#include "views/bridge/engine_client.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/run_history.h"
#include "views/bridge/sample.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>
#include <utility>

namespace ql {

QString Document::absolutePath(const std::string &path) const
{
    const QString text = QString::fromStdString(path);
    if (text.isEmpty()) return {};
    return QDir::cleanPath(QFileInfo(text).isAbsolute() ? text : m_base + QLatin1Char('/') + text);
}

QString Document::recipePath(const QString &path) const
{
    if (m_base.isEmpty() || !QFileInfo(path).isAbsolute()) return path;
    return QString::fromStdString(api::pathFrom(path.toStdString(), m_base.toStdString()).string());
}

QString Document::title() const
{
    if (!m_file.isEmpty()) return QFileInfo(m_file).fileName();
    return isEmpty() ? QString() : QFileInfo(QString::fromStdString(m_recipe.model)).completeBaseName();
}

bool Document::isRecipeFile(const QString &path)
{
    const QString ending = QFileInfo(path).suffix().toLower();
    return ending == QLatin1String("quantloupe") || ending == QLatin1String("json");
}

api::Recipe Document::recipeOfFile(const QString &path)
{
    if (isRecipeFile(path))
        return api::recipeFromJson(api::JsonText::parse(readFile(path.toStdString()), path.toStdString()));
    const QFileInfo info(path);
    api::Recipe recipe;
    recipe.model = info.fileName().toStdString();
    if (info.suffix().toLower() == QLatin1String("prototxt")) {
        const QString weights = info.dir().filePath(info.completeBaseName() + QStringLiteral(".caffemodel"));
        if (QFileInfo::exists(weights)) recipe.weights = QFileInfo(weights).fileName().toStdString();
    }
    return recipe;
}

void Document::open(const QString &path)
{
    const QFileInfo info(path);
    const api::Recipe recipe = recipeOfFile(path);
    m_requests->close();
    m_file = isRecipeFile(path) ? info.absoluteFilePath() : QString();
    m_base = info.absolutePath();
    clear();
    m_recipe = {};
    m_complete = {};
    setRecipe(recipe);
    if (!isEmpty()) m_requests->inspectNow(); // nothing more to wait for
    Q_EMIT fileChanged();
    m_history->load();
}

QStringList Document::files() const
{
    QStringList files;
    const QString model = absolutePath(m_recipe.model);
    for (const QString &file : {m_file, model, absolutePath(m_recipe.weights)})
        if (!file.isEmpty()) files.append(file);
    if (graph())
        for (const QString &name : graph()->otherFiles)
            if (const QString file = QDir::cleanPath(QFileInfo(model).dir().absoluteFilePath(name));
                !files.contains(file))
                files.append(file);
    return files;
}

QStringList Document::data() const
{
    QStringList paths;
    for (const auto *source : {&m_recipe.calibration, &m_recipe.evaluation})
        if (const QString path = absolutePath(source->path); !path.isEmpty() && !paths.contains(path))
            paths.append(path);
    return paths;
}

QString Document::platformFile() const
{
    const api::PlatformItem *platform = api::findItem(m_requests->known().platforms, m_recipe.platform);
    return platform ? QString::fromStdString(platform->file) : QString();
}

bool Document::isReadOnly(const QString &path)
{
    const QFileInfo info(path);
    if (!info.exists()) return false;
    // WriteUser would be true for an administrator
    const auto write = QFileDevice::WriteOwner | QFileDevice::WriteGroup | QFileDevice::WriteOther;
    return !info.isWritable() || !(info.permissions() & write) || isOfSample(path);
}

QString Document::outputFolder() const
{
    if (!isReadOnly(m_base)) return m_base;
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    return QFileInfo(documents).isDir() ? documents : QDir::homePath();
}

void Document::save(const QString &path)
{
    const QFileInfo target(path);
    if (!m_requests->engine().isRemote())
        for (const QString &file : files() + data() + QStringList{platformFile()})
            if (file != m_file && QFileInfo::exists(file) && target == QFileInfo(file))
                throw Error(ErrorKind::Io, tr("The recipe reads %1.").arg(path).toStdString());
    // A rename would replace it anyway
    if (isReadOnly(path)) throw Error(ErrorKind::Io, tr("%1 is read-only.").arg(path).toStdString());
    const QDir folder(target.absolutePath());
    const api::Recipe moved = api::movedTo(m_recipe, m_base.toStdString(), folder.absolutePath().toStdString());
    writeFileAtomically(path.toStdString(), api::toJson(moved).dump(2) + "\n");
    m_file = target.absoluteFilePath();
    const QString before = std::exchange(m_base, folder.absolutePath());
    if (QDir(before) != folder) {
        m_history->move(before, m_base);
        setRecipe(moved);
    }
    m_undo.setClean();
    Q_EMIT fileChanged();
}

} // namespace ql
