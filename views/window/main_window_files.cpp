// Files of the main window: opened, saved, recent, recovered, dropped, and changed on disk.
#include "views/window/main_window.h"

#include "core/base/error.h"
#include "views/bridge/command_text.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/engine_text.h"
#include "views/bridge/journal.h"
#include "views/bridge/run_history.h"
#include "views/bridge/sample.h"
#include "views/commands/recipe_command.h"
#include "views/panels/data_dialog.h"
#include "views/panels/side_panels.h"
#include "views/style/drop.h"
#include "views/style/file_writer.h"
#include "views/window/center_view.h"
#include "views/window/start_page.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QCloseEvent>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <utility>

namespace ql {

using nlohmann::json;

static constexpr int recentFiles = 10;

void MainWindow::openFile(const QString &path, const std::function<void()> &then)
{
    if (path.isEmpty()) return;
    m_afterOpen = then;
    if (m_document->isEmpty() || Document::isRecipeFile(path)) return replaceDocument(path);
    m_messageBar->hide();
    m_document->requests().probe(path); // replaceDocument() follows when the engine can read it
}

void MainWindow::openSample(const QString &path)
{
    if (!path.isEmpty()) return openFile(path);
    showMessage(tr("This installation has no sample."),
                tr("Install Quantloupe again, or copy the folder resources/sample of its sources to %1.")
                    .arg(QDir::toNativeSeparators(sampleFolders().front())));
}

void MainWindow::replaceDocument(const QString &path)
{
    try {
        m_document->open(path);
        m_search->clear(); // it was about another model
        m_history.clear();
        m_historyAt = -1;
        refreshHistory();
        m_messageBar->hide();
        m_recentWanted = path; // when its model has been read
        if (m_engine->isRemote()) addRecent(std::exchange(m_recentWanted, {}));
        if (const auto then = std::exchange(m_afterOpen, {})) then();
    } catch (const Error &error) {
        showMessage(exceptionText(error));
    } catch (const std::exception &error) {
        showMessage(tr("%1 cannot be opened: %2").arg(path, exceptionText(error)));
    }
}

void MainWindow::open()
{
    if (!mayDiscard()) return;
    const QString path = QFileDialog::getOpenFileName(this, tr("Open"), m_document->folder(), openFilter());
    if (!path.isEmpty()) openFile(path);
}

/// Extensions of all model formats that the engine reads.
QStringList MainWindow::modelPatterns() const
{
    QStringList patterns;
    for (const api::ImporterItem &importer : m_document->requests().known().importers)
        for (const std::string &ending : importer.extensions)
            patterns.append(QLatin1Char('*') + QString::fromStdString(ending));
    return patterns;
}

QString MainWindow::openFilter() const
{
    const QStringList patterns =
        QStringList{QStringLiteral("*.quantloupe"), QStringLiteral("*.json")} + modelPatterns();
    return tr("Models and recipes (%1);;All files (*)").arg(patterns.join(QLatin1Char(' ')));
}

/// A file of the recipe's model, as an edit: all other settings are kept.
void MainWindow::chooseModelFile(const QString &title, std::string api::Recipe::*member, const QString &filter)
{
    if (m_document->isEmpty()) return;
    const QString now = QString::fromStdString(m_document->recipe().*member);
    bool isChosen = true;
    const QString path =
        m_engine->isRemote()
            ? QInputDialog::getText(this, title, tr("Path on the engine's machine"), QLineEdit::Normal, now, &isChosen)
                  .trimmed()
            : m_document->recipePath(QFileDialog::getOpenFileName(this, title, m_document->folder(), filter));
    if (!isChosen || (path.isEmpty() && !m_engine->isRemote())) return;
    editRecipe(*m_document, title, [&](api::Recipe &recipe) {
        recipe.*member = path.toStdString();
        recipe.sha256.clear(); // of the previous file
    });
}

/// Another file for the same recipe: the model has moved, or was trained again.
void MainWindow::chooseModel()
{
    chooseModelFile(tr("Model"), &api::Recipe::model,
                    tr("Models (%1);;All files (*)").arg(modelPatterns().join(QLatin1Char(' '))));
}

/// Of a model with a separate weights file.
void MainWindow::chooseWeights()
{
    chooseModelFile(tr("Weights"), &api::Recipe::weights, tr("Weights (*.caffemodel);;All files (*)"));
}

void MainWindow::chooseEncodings()
{
    if (m_document->isEmpty()) return;
    const QString title = tr("Import encodings");
    const QString path = m_engine->isRemote()
                             ? QInputDialog::getText(this, title, tr("Path on the engine's machine")).trimmed()
                             : QFileDialog::getOpenFileName(
                                   this, title, m_document->folder(),
                                   tr("Encodings and quantized models (*.json *.encodings *.onnx);;All files (*)"));
    importEncodings(path);
}

void MainWindow::importEncodings(const QString &file)
{
    if (file.isEmpty() || m_document->isEmpty()) return;
    m_messageBar->hide();
    m_encodings = file;
    m_document->requests().importEncodings(file);
}

void MainWindow::takeEncodings(const api::EncodingsImported &imported)
{
    const QString name = QFileInfo(m_encodings).fileName();
    editRecipe(*m_document, tr("Import %1").arg(name), [&](api::Recipe &recipe) {
        // Everything else may have been edited since
        recipe.platform = imported.recipe.platform;
        recipe.platformParams = imported.recipe.platformParams;
        recipe.dispatcher = imported.recipe.dispatcher;
        recipe.dispatch = imported.recipe.dispatch;
        recipe.passes = imported.recipe.passes;
        recipe.overrides = imported.recipe.overrides;
    });
    QStringList details{tr("%1 of %2 tensors with encodings are in the model; the platform is %3.")
                            .arg(imported.matched)
                            .arg(imported.tensors)
                            .arg(QString::fromStdString(imported.recipe.platform))};
    for (const api::Problem &problem : imported.problems)
        if (problem.severity != api::Severity::Info) details.append(engineText(problem.message));
    showMessage(tr("The recipe now has the scales of %1.").arg(name), details.join(QLatin1Char('\n')), tr("Run"),
                [this] { m_document->requests().run(); });
    m_messageEnd = MessageEnd::NextRun;
    for (const api::Problem &problem : imported.problems) m_jobs->addLine(engineText(problem.message));
}

void MainWindow::closeDocument()
{
    if (m_document->isEmpty() || !mayDiscard()) return;
    m_document->close();
    m_history.clear();
    m_historyAt = -1;
    refreshHistory();
    m_messageBar->hide();
}

void MainWindow::openRemote()
{
    if (!mayDiscard()) return;
    const QString path = QInputDialog::getText(this, tr("Open"),
                                               tr("Path of a model on the engine's machine (%1). Data and export paths "
                                                  "also refer to that machine; the recipe is saved on this one.")
                                                   .arg(commandText(m_engine->command())))
                             .trimmed();
    if (!path.isEmpty()) openFile(path);
}

bool MainWindow::saveFile(const QString &path)
{
    try {
        m_document->save(path);
        addRecent(path);
        return true;
    } catch (const Error &error) {
        showMessage(exceptionText(error), tr("The recipe is not saved."), tr("Save as…"), [this] { saveAs(); });
    } catch (const std::exception &error) {
        showMessage(exceptionText(error), tr("The recipe is not saved."), tr("Save as…"), [this] { saveAs(); });
    }
    m_messageEnd = MessageEnd::RecipeSaved;
    return false;
}

void MainWindow::takeTyped()
{
    QWidget *typed = focusWidget();
    if (auto *line = qobject_cast<QLineEdit *>(typed); line && line != m_search && line->isModified())
        Q_EMIT line->editingFinished();
    else if (auto *number = qobject_cast<QAbstractSpinBox *>(typed))
        number->interpretText();
}

bool MainWindow::save()
{
    takeTyped();
    const QString file = m_document->filePath();
    if (file.isEmpty()) return saveAs();
    if (m_isFileForeign) {
        QMessageBox box(QMessageBox::Question, tr("Changed by another program"),
                        tr("The recipe file %1 was changed by another program.").arg(QFileInfo(file).fileName()),
                        QMessageBox::Cancel, this);
        box.setInformativeText(tr("Saving overwrites the other program's changes."));
        const auto *replace = box.addButton(tr("Overwrite it"), QMessageBox::DestructiveRole);
        const auto *another = box.addButton(tr("Save as…"), QMessageBox::AcceptRole);
        box.exec();
        if (box.clickedButton() == another) return saveAs();
        if (box.clickedButton() != replace) return false;
    }
    return saveFile(file);
}

bool MainWindow::saveAs()
{
    if (m_document->isEmpty()) return false;
    takeTyped();
    const QString file = m_document->filePath();
    const QString name =
        file.isEmpty() ? m_document->title() + QStringLiteral(".quantloupe") : QFileInfo(file).fileName();
    const QString proposal = QDir(m_document->outputFolder()).filePath(name);
    // With an extension that identifies it
    const QString path =
        chooseFile(this, tr("Save recipe"), proposal, {tr("Recipes (*.quantloupe)"), QStringLiteral("JSON (*.json)")});
    return !path.isEmpty() && saveFile(path);
}

bool MainWindow::mayDiscard()
{
    takeTyped();
    if (m_document->isEmpty() || m_document->undoStack().isClean()) return true;
    const auto answer =
        QMessageBox::question(this, tr("Unsaved changes"), tr("Save the changes to %1?").arg(m_document->title()),
                              QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
    return answer == QMessageBox::Save ? save() : answer == QMessageBox::Discard;
}

/// All windows, or none: each is asked before the first one closes.
bool MainWindow::quit()
{
    QVector<MainWindow *> windows;
    for (QWidget *widget : QApplication::topLevelWidgets())
        if (auto *window = qobject_cast<MainWindow *>(widget); window && window->isVisible()) windows.append(window);
    for (MainWindow *window : windows)
        if (!window->mayDiscard()) return false;
    for (MainWindow *window : windows) window->m_mayClose = true;
    QApplication::closeAllWindows();
    return true;
}

void MainWindow::restart()
{
    const bool isSaved = !m_document->filePath().isEmpty();
    const QString file = isSaved ? m_document->filePath() : m_document->absolutePath(m_document->recipe().model);
    if (quit()) qApp->setProperty(restartFile, m_document->isEmpty() ? QString() : file);
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    if (!m_mayClose && !mayDiscard()) return event->ignore();
    m_document->requests().stop();
    saveLayout();
    event->accept();
}

/// For files on the machine of a remote engine, each engine has its own list.
QString MainWindow::recentRemote() const
{
    // Keys of settings must not contain slashes
    return QStringLiteral("recent there/") + QString::fromLatin1(commandText(m_engine->command()).toUtf8().toHex());
}

void MainWindow::addRecent(const QString &path)
{
    QSettings settings;
    const bool isThere = m_engine->isRemote() && !QFileInfo::exists(path);
    const QString list = isThere ? recentRemote() : QStringLiteral("recent");
    QStringList files = settings.value(list).toStringList();
    const QString whole = isThere ? path : QFileInfo(path).absoluteFilePath();
    files.removeAll(whole);
    files.prepend(whole);
    settings.setValue(list, QStringList(files.mid(0, recentFiles)));
    fillRecentMenu();
}

void MainWindow::fillRecentMenu()
{
    QStringList files = QSettings().value(QStringLiteral("recent")).toStringList();
    files.erase(
        std::remove_if(files.begin(), files.end(), [](const QString &file) { return !QFileInfo::exists(file); }),
        files.end());
    if (m_engine->isRemote()) files += QSettings().value(recentRemote()).toStringList();
    m_recentMenu->clear();
    for (const QString &file : files)
        m_recentMenu->addAction(file, this, [this, file] {
            if (mayDiscard()) openFile(file);
        });
    m_recentMenu->setEnabled(!files.isEmpty());
    m_start->setRecentFiles(files);
}

/// The file of lost edits; its model, if it was never saved.
static QString nameOf(const Journal::Entry &entry)
{
    if (!entry.file.isEmpty()) return entry.file;
    try {
        return QString::fromStdString(entry.recipe().model);
    } catch (const Error &) { // written by another version
        return entry.folder;
    }
}

void MainWindow::offerRecovery()
{
    MainWindow *window = this;
    for (const Journal::Entry &entry : Journal::lost()) {
        QMessageBox box(QMessageBox::Question, tr("Recover unsaved changes"),
                        tr("The program ended before the changes to %1 were saved. Open them?").arg(nameOf(entry)),
                        QMessageBox::Yes | QMessageBox::Discard | QMessageBox::Cancel, this);
        box.setInformativeText(tr("Last change: %1").arg(QLocale().toString(entry.time, QLocale::ShortFormat)) +
                               QLatin1Char('\n') + tr("Cancel asks again at the next start."));
        const int answer = box.exec();
        if (answer == QMessageBox::Cancel) return;
        bool isDone = answer == QMessageBox::Discard;
        if (answer == QMessageBox::Yes) {
            // Each in its own window; a file that is already open stays in its window, except for edits of two windows
            const bool isOpenHere = !entry.file.isEmpty() && window->m_document->filePath() == entry.file &&
                                    window->m_document->undoStack().isClean();
            if (!window->m_document->isEmpty() && !isOpenHere) {
                window = new MainWindow(m_engine->command());
                window->setAttribute(Qt::WA_DeleteOnClose);
                if (!m_runFolder.isEmpty()) window->keepRuns(m_runFolder);
                window->show();
            }
            isDone = window->recover(entry.written, entry.file, entry.folder);
        }
        if (isDone) Journal::discard(entry); // otherwise it is offered again
    }
}

bool MainWindow::recover(const api::JsonText &written, const QString &file, const QString &folder)
{
    api::Recipe recipe;
    const auto change = [&](const QString &path) {
        m_document->open(path);
        // Its paths start at the folder of that time, which is not that of the model if the recipe's file is gone
        replaceRecipe(*m_document, tr("Recovered changes"), m_document->recipeFrom(recipe, folder));
    };
    try {
        recipe = api::recipeFromJson(written);
        const QString model = QDir(folder).filePath(QString::fromStdString(recipe.model));
        try {
            change(!file.isEmpty() && QFileInfo::exists(file) ? file : model);
        } catch (const Error &error) { // the file is damaged: the recovered recipe is not
            if (file.isEmpty()) throw;
            change(model);
            showMessage(exceptionText(error), tr("Your changes are still open; save them under another name."),
                        tr("Save as…"), [this] { saveAs(); });
        }
        return true;
    } catch (const std::exception &error) {
        showMessage(exceptionText(error), tr("Your changes are kept and offered at the next start."));
        return false;
    }
}

/// Changes by another program, as one more edit.
void MainWindow::reloadRecipe(const QString &file)
{
    try {
        replaceRecipe(*m_document, tr("Reload recipe from disk"), Document::recipeOfFile(file));
        m_document->undoStack().setClean();
        m_isFileForeign = false;
    } catch (const std::exception &error) {
        showMessage(exceptionText(error), tr("The open recipe is unchanged."), tr("Save as…"), [this] { saveAs(); });
        m_messageEnd = MessageEnd::RecipeSaved;
    }
}

/// Another program has written a file of the document.
void MainWindow::onFileChanged(const QString &file)
{
    if (file == m_document->filePath()) {
        showMessage(tr("The recipe file %1 was changed by another program.").arg(QFileInfo(file).fileName()),
                    m_document->undoStack().isClean() ? QString() : tr("Undo then restores your changes."),
                    tr("Load it"), [this, file] { reloadRecipe(file); });
        m_isFileForeign = true;
        m_messageEnd = MessageEnd::RecipeSaved;
        return;
    }
    m_document->requests().stop();
    m_document->history().markReplaced();
    showMessage(tr("The model file %1 has changed.").arg(QFileInfo(file).fileName()),
                tr("The window still shows the old model."), tr("Reload"),
                [this] { m_document->requests().inspectSoon(); });
    m_messageEnd = MessageEnd::ModelRead;
}

void MainWindow::onFileRemoved(const QString &file)
{
    const QString name = QFileInfo(file).fileName();
    if (file == m_document->filePath()) {
        m_document->undoStack().resetClean(); // it is no longer in any file
        showMessage(tr("The recipe file %1 was deleted or renamed.").arg(name),
                    tr("The recipe is still open; save it to write the file again."), tr("Save"),
                    [this, file] { saveFile(file); });
        m_messageEnd = MessageEnd::RecipeSaved;
        return;
    }
    showMessage(tr("The model file %1 was deleted or renamed.").arg(name),
                tr("Results stay; running or exporting needs the file."), tr("Model…"), [this] { chooseModel(); });
    m_messageEnd = MessageEnd::ModelRead;
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    acceptAsCopy(*event);
}

void MainWindow::dragMoveEvent(QDragMoveEvent *event)
{
    acceptAsCopy(*event);
}

/// Arrays, an image or a list of samples: a JSON file that is not a recipe.
static bool isData(const QFileInfo &info)
{
    const QString ending = info.suffix().toLower();
    if (info.isDir() || DataSide::isPicture(info.filePath()) || ending == QLatin1String("npz") ||
        ending == QLatin1String("npy"))
        return true;
    if (ending != QLatin1String("json")) return false;
    QFile file(info.filePath());
    return file.open(QIODevice::ReadOnly) && !file.readAll().contains("\"quantloupe-recipe/");
}

void MainWindow::dropEvent(QDropEvent *event)
{
    acceptAsCopy(*event);
    static const QStringList endings{QStringLiteral("onnx"), QStringLiteral("prototxt"), QStringLiteral("quantloupe"),
                                     QStringLiteral("json"), QStringLiteral("qln")};
    if (m_messageEnd == MessageEnd::NextDrop) m_messageBar->hide();
    QStringList models, weights, samples, raw, others, remote;
    for (const QUrl &url : event->mimeData()->urls()) {
        const QString path = url.toLocalFile();
        const QFileInfo info(path);
        const QString ending = info.suffix().toLower();
        if (path.isEmpty())
            remote.append(url.toDisplayString());
        else if (isData(info))
            samples.append(path);
        else if (ending == QLatin1String("caffemodel"))
            weights.append(path);
        else if (endings.contains(ending))
            models.append(path);
        else if (DataSide::isRaw(path))
            raw.append(path);
        else
            others.append(info.fileName());
    }
    if (models.isEmpty()) samples += raw; // otherwise they are weights next to the model
    const auto inform = [this](const QString &text, const QString &details = {}) {
        showMessage(text, details);
        m_messageEnd = MessageEnd::NextDrop;
    };
    if (!remote.isEmpty())
        inform(tr("%1 is not on this machine.").arg(remote.join(QStringLiteral(", "))),
               tr("Download it, then open the file."));
    if (!others.isEmpty())
        inform(tr("%1 is not a model, a recipe or data.").arg(others.join(QStringLiteral(", "))),
               tr("Models are .onnx, .qln and .prototxt with its .caffemodel, recipes are .quantloupe; data is images, "
                  ".npz, .npy, .bin, manifests (JSON) or folders of them."));
    // The model first, in whatever order they were dropped
    if (!models.isEmpty()) {
        if (!mayDiscard()) return;
        openFile(models.front(), [=, this] {
            if (models.size() > 1)
                inform(tr("Opened %1; a window shows one model.").arg(QFileInfo(models.front()).fileName()));
            takeDropped(weights, samples);
        });
        return;
    }
    takeDropped(weights, samples);
}

/// Files dropped with a model, or on the open document.
void MainWindow::takeDropped(QStringList weights, QStringList samples)
{
    const auto inform = [this](const QString &text) {
        showMessage(text);
        m_messageEnd = MessageEnd::NextDrop;
    };
    if (m_document->isEmpty() && !weights.isEmpty()) openFile(weights.takeFirst()); // with the net stored in them
    if (m_document->isEmpty()) {
        if (!samples.isEmpty()) inform(tr("Open a model first, then drop its data."));
        return;
    }
    if (!weights.isEmpty())
        editRecipe(*m_document, tr("Weights"), [&](api::Recipe &recipe) {
            recipe.weights = m_document->recipePath(weights.front()).toStdString();
        });
    if (weights.size() > 1)
        inform(tr("Using %1; a model has one weights file.").arg(QFileInfo(weights.front()).fileName()));
    samples.removeDuplicates();
    if (samples.isEmpty()) return;
    auto *dialog = new DataDialog(*m_document, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->calibration()->take(samples);
    dialog->open();
}

} // namespace ql
