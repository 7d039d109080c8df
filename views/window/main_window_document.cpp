// The window's reactions to changes of the document, the engine or a file.
#include "core/base/error.h"
#include "views/bridge/command_text.h"
#include "views/bridge/consent.h"
#include "views/bridge/data_watch.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/engine_text.h"
#include "views/bridge/file_watch.h"
#include "views/bridge/run_history.h"
#include "views/bridge/sample.h"
#include "views/commands/recipe_command.h"
#include "views/panels/side_panels.h"
#include "views/plots/error_plot.h"
#include "views/style/buttons.h"
#include "views/window/center_view.h"
#include "views/window/main_window.h"
#include "views/window/start_page.h"

#include <QDir>
#include <QFileInfo>
#include <QStatusBar>
#include <algorithm>
#include <utility>

namespace ql {

using nlohmann::json;

/// How long the status bar shows a log message.
static constexpr int noteMs = 4000;

void MainWindow::connectDocument()
{
    connect(m_document, &Document::recipeChanged, this, &MainWindow::refreshChips);
    connect(m_document, &Document::recipeChanged, this, &MainWindow::refreshStatus);
    connect(m_document, &Document::fileChanged, this, &MainWindow::refreshTitle);
    connect(m_document, &Document::fileChanged, this, [this] {
        showDocks(!m_document->isEmpty());
        m_isFileForeign = false;
        if (m_messageEnd == MessageEnd::RecipeSaved) m_messageBar->hide();
    });
    connect(m_document, &Document::graphChanged, this, &MainWindow::refreshChips);
    connect(&m_document->requests(), &EngineRequests::catalogueChanged, this, &MainWindow::fillPlatformMenu);
    connect(m_document, &Document::recipeChanged, this, [this] {
        if (m_document->recipe().platforms != m_carriedPlatforms) fillPlatformMenu();
    });
    // The engine now accepts what it refused. A graph does not show why a run was refused.
    const auto engineTakes = [this] {
        if (m_messageEnd == MessageEnd::EngineTakes && m_document->graph()) m_messageBar->hide();
    };
    connect(m_document, &Document::graphChanged, this, engineTakes);
    connect(&m_document->history(), &RunHistory::runsChanged, this, engineTakes);
    connect(m_document, &Document::graphChanged, this, [this] {
        if (m_document->graph() && !m_recentWanted.isEmpty()) addRecent(std::exchange(m_recentWanted, {}));
        if (m_messageEnd == MessageEnd::ModelRead || m_messageEnd == MessageEnd::NextDrop) m_messageBar->hide();
    });
    const auto nextRun = [this] {
        if (m_messageEnd == MessageEnd::NextRun) m_messageBar->hide();
    };
    connect(m_document, &Document::recipeChanged, this, nextRun);
    connect(&m_document->history(), &RunHistory::runsChanged, this, nextRun);
    connect(&m_document->history(), &RunHistory::runsChanged, this, &MainWindow::fillRunMenus);
    connect(&m_document->history(), &RunHistory::shownChanged, this, &MainWindow::refreshStatus);
    connect(&m_document->history(), &RunHistory::shownChanged, this, &MainWindow::fillRunMenus);
    connect(&m_document->requests(), &EngineRequests::jobChanged, this, &MainWindow::refreshStatus);
    connect(&m_document->requests(), &EngineRequests::gatheringChanged, this, &MainWindow::refreshStatus);
    connect(&m_document->requests(), &EngineRequests::exported, this,
            [this](const std::shared_ptr<const api::Exported> &answer) {
                if (m_messageEnd == MessageEnd::EngineTakes) m_messageBar->hide(); // of a refused export
                for (const api::Exported::File &file : answer->files)
                    m_jobs->addLine(tr("Wrote %1").arg(QString::fromStdString(file.path)));
            });
    connect(m_document, &Document::note, this, [this](const QString &text) { statusBar()->showMessage(text, noteMs); });
    connect(&m_document->requests(), &EngineRequests::canOpen, this, &MainWindow::replaceDocument);
    connect(&m_document->requests(), &EngineRequests::failed, this, &MainWindow::showFailure);
    connect(&m_document->requests(), &EngineRequests::encodingsRead, this,
            [this](const EncodingsPtr &imported) { takeEncodings(*imported); });
    connect(m_center, &CenterView::rowsChanged, this, &MainWindow::refreshErrors);
    connect(m_center, &CenterView::contextMenuRequested, this, &MainWindow::showContextMenu);
    connect(m_document, &Document::currentChanged, this, [this](const QString &operation) {
        m_errors->setCurrent(operation);
        if (m_isStepping || operation.isEmpty()) return;
        m_history = m_history.mid(0, m_historyAt + 1);
        if (m_history.isEmpty() || m_history.back() != operation) m_history.append(operation);
        m_historyAt = int(m_history.size()) - 1;
        refreshHistory();
    });
    connect(m_center, &CenterView::pictureSaved, this, [this](const QString &path, const QString &error) {
        if (error.isEmpty())
            m_jobs->addLine(tr("Wrote %1").arg(path));
        else
            showMessage(error);
    });
    connect(m_start, &StartPage::openRequested, this, &MainWindow::open);
    connect(m_start, &StartPage::sampleRequested, this, [this] { openSample(samplePath()); });
    connect(m_start, &StartPage::fileRequested, this, [this](const QString &path) { openFile(path); });
    connectEngine();
    watchFiles();
    connectUndo();
}

/// A file that the recipe names as a plug-in.
static bool isPluginOf(const Document &document, const QString &file)
{
    const std::vector<std::string> &plugins = document.recipe().plugins;
    return !file.isEmpty() && std::any_of(plugins.begin(), plugins.end(), [&](const std::string &plugin) {
        return document.absolutePath(plugin) == QDir::cleanPath(file);
    });
}

void MainWindow::showFailure(const EngineError &error, FailureOf of)
{
    if (error.kind == engineDied) return; // reported by died()
    const QString operation = QString::fromStdString(error.op), file = QString::fromStdString(error.file);
    QString where = operation.isEmpty() ? QString() : tr("%1: ").arg(operation);
    if (!file.isEmpty()) where.prepend(tr("%1: ").arg(file));
    if (!operation.isEmpty() && m_document->graph() && m_document->graph()->find(operation) >= 0)
        m_document->setCurrent(operation);
    const QWidget *panel = nullptr;
    if (of == FailureOf::Verification) panel = m_verify;
    if (of == FailureOf::Search) panel = m_tune;
    // Command-line options correspond to a dialog here
    const bool isOfFile = error.kind == toString(ErrorKind::Io);
    const bool isOfData =
        isOfFile && !file.isEmpty() && m_document->data().contains(m_document->absolutePath(error.file));
    if (isOfData || error.fix == toString(Fix::ChooseData))
        showMessage(where + engineText(error.message), {}, tr("Data…"), [this] { chooseData(); });
    else if (isPluginOf(*m_document, file))
        showMessage(where + engineText(error.message), engineText(error.remedy), tr("Plug-ins…"),
                    [this] { showPlugins(); });
    else if (isOfFile && m_document->isModel(file))
        showMessage(where + engineText(error.message), tr("All other settings are kept."), tr("Model…"),
                    [this] { chooseModel(); });
    else if (error.fix == toString(Fix::AcceptModel))
        showMessage(where + engineText(error.message), {}, tr("Use this file"), [this] {
            editRecipe(*m_document, tr("Model"), [](api::Recipe &recipe) { recipe.sha256.clear(); });
        });
    else if (error.fix == toString(Fix::AllowPrograms) && !(panel && isConsentOfPage(*m_document, error)))
        showMessage(where + engineText(error.message), tr("It does not start until you allow it."), tr("Allow…"),
                    [this] { showPlugins(); });
    else if (error.fix == toString(Fix::RemoveWeights))
        showMessage(where + engineText(error.message), {}, tr("No weights"), [this] {
            editRecipe(*m_document, tr("No weights"), [](api::Recipe &recipe) { recipe.weights.clear(); });
        });
    else if (error.fix == toString(Fix::ChooseWeights))
        showMessage(where + engineText(error.message), {}, tr("Weights…"), [this] { chooseWeights(); });
    else if (panel && panel->isVisible())
        return; // it shows this itself
    else
        showMessage(where + engineText(error.message),
                    isConsentOfPage(*m_document, error) ? consentOfPage() : engineText(error.remedy));
    m_messageEnd = of == FailureOf::Run ? MessageEnd::NextRun : MessageEnd::EngineTakes;
}

void MainWindow::connectEngine()
{
    connect(m_engine, &EngineClient::died, this, [this](const QString &what, bool again) {
        if (again) {
            showMessage(what, tr("It restarts automatically. The recipe is unchanged and finished stages are cached: "
                                 "press F5 to run again."));
            m_messageEnd = MessageEnd::NextRun;
        } else {
            const QString why =
                tr("It crashed several times in a row. Press F5 to try again; the log shows its output.");
            if (m_engine->isRemote())
                showMessage(what, why, tr("Engine…"), [this] { chooseEngine(); });
            else
                showMessage(what, why, tr("Restart"), [this] { m_engine->restart(); });
            m_messageEnd = MessageEnd::EngineIsReady;
        }
        m_jobs->addLine(what);
    });
    connect(m_engine, &EngineClient::silent, this, [this](const QString &written) {
        const QString command = commandText(m_engine->command());
        showMessage(tr("The engine has not answered yet: %1").arg(command),
                    written.isEmpty() ? tr("It may be waiting for a password or for the network.") : written,
                    tr("Engine…"), [this] { chooseEngine(); });
        m_messageEnd = MessageEnd::EngineIsReady;
    });
    connect(m_engine, &EngineClient::stateChanged, this, [this](EngineClient::State state) {
        if (m_messageEnd == MessageEnd::EngineIsReady && state != EngineClient::State::Failed) m_messageBar->hide();
        refreshChips();
        refreshStatus();
    });
}

void MainWindow::watchFiles()
{
    m_watch = new FileWatch(this);
    const auto watch = [this] {
        // In their current state when another document is opened or this one is saved, not at every edit
        if (QStringList files = m_document->files(); QSet<QString>(files.begin(), files.end()) != m_watched) {
            m_watched = {files.begin(), files.end()};
            m_watch->setFiles(files);
        }
    };
    connect(m_document, &Document::fileChanged, this, [this, watch] {
        m_watched.clear();
        watch();
    });
    connect(m_document, &Document::recipeChanged, this, watch);
    connect(m_document, &Document::graphChanged, this, watch); // knows which formats have separate weights files
    m_dataWatch = new DataWatch(this);
    const auto watchData = [this] {
        QStringList paths = m_document->data();
        if (const QString platform = m_document->platformFile(); !platform.isEmpty()) paths.append(platform);
        m_dataWatch->setPaths(m_engine->isRemote() ? QStringList() : paths);
    };
    connect(m_document, &Document::fileChanged, this, watchData);
    connect(m_document, &Document::recipeChanged, this, watchData);
    connect(&m_document->requests(), &EngineRequests::catalogueChanged, this, watchData);
    const auto lookAgain = [this](const QString &path) {
        if (path == std::exchange(m_missingData, {}) && m_messageEnd == MessageEnd::NextRun) m_messageBar->hide();
        m_changedData = path;
        m_document->requests().reloadCatalogue();
        m_document->requests().inspectSoon(); // detects whether they have changed
    };
    connect(m_dataWatch, &DataWatch::changed, this, lookAgain);
    connect(m_dataWatch, &DataWatch::removed, this, [this, lookAgain](const QString &path) {
        if (path == m_document->platformFile()) return lookAgain(path);
        m_document->requests().inspectSoon();
        showMessage(tr("The data %1 was deleted or renamed.").arg(QFileInfo(path).fileName()),
                    tr("Results stay; running needs the data."), tr("Data…"), [this] { chooseData(); });
        m_messageEnd = MessageEnd::NextRun;
        m_missingData = path;
    });
    connect(&m_document->history(), &RunHistory::shownChanged, this, [this] {
        if (m_changedData.isEmpty() || !m_document->history().isStale()) return;
        showMessage(tr("%1 has changed on disk.").arg(QFileInfo(std::exchange(m_changedData, {})).fileName()),
                    tr("Results were measured on the old version."), tr("Run again"),
                    [this] { m_document->requests().run(); });
        m_messageEnd = MessageEnd::NextRun;
    });
    connect(m_watch, &FileWatch::changed, this, &MainWindow::onFileChanged);
    connect(m_watch, &FileWatch::removed, this, &MainWindow::onFileRemoved);
}

void MainWindow::connectUndo()
{
    QUndoStack &undo = m_document->undoStack();
    connect(&undo, &QUndoStack::cleanChanged, this, &MainWindow::refreshTitle);
    const auto undoTexts = [this, &undo] {
        m_undo->setEnabled(undo.canUndo());
        m_redo->setEnabled(undo.canRedo());
        m_undo->setText(undo.canUndo() ? tr("&Undo: %1").arg(undo.undoText()) : tr("&Undo"));
        m_redo->setText(undo.canRedo() ? tr("&Redo: %1").arg(undo.redoText()) : tr("&Redo"));
        m_undo->setToolTip(plainText(m_undo->text()));
        m_redo->setToolTip(plainText(m_redo->text()));
        refreshStatus();
    };
    connect(&undo, &QUndoStack::indexChanged, this, undoTexts);
    undoTexts();
}

} // namespace ql
