#pragma once

#include "views/bridge/document.h"
#include "views/bridge/engine_client.h"

#include <QMainWindow>
#include <QSet>
#include <QVector>
#include <functional>
#include <memory>

class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QProgressBar;
class QPushButton;
class QToolBar;
class QToolButton;

namespace ql {

namespace api {
struct EncodingsImported;
}
class CenterView;
class Dock;
class DockEdge;
class DistributionPanel;
class ErrorChoice;
class ErrorPlot;
class DataWatch;
class FileWatch;
struct FileTask;
class Inspector;
class JobsPanel;
class OriginPanel;
class PipelinePanel;
class ProblemsPanel;
class RunsPanel;
class StartPage;
class TrainingPanel;
class TunePanel;
class VerifyPanel;
enum class FailureOf;

/// Property of the application after its last window was closed to restart: the file to open, or an empty text.
inline constexpr char restartFile[] = "restartFile";

/// One document, one engine, and the docks around the graph.
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    /// @param engineCommand empty: the setting, otherwise quantloupe-cli next to this program
    explicit MainWindow(const QStringList &engineCommand = {}, QWidget *parent = nullptr);
    ~MainWindow() override;

    Document &document() { return *m_document; }
    EngineClient &engine() { return *m_engine; }
    CenterView *center() const { return m_center; }
    ErrorPlot *errors() const { return m_errors; }
    Inspector *inspector() const { return m_inspector; }
    PipelinePanel *pipeline() const { return m_pipeline; }
    RunsPanel *runsPanel() const { return m_runs; }
    JobsPanel *jobs() const { return m_jobs; }
    VerifyPanel *verification() const { return m_verify; }
    TunePanel *tuning() const { return m_tune; }
    TrainingPanel *training() const { return m_training; }
    OriginPanel *origin() const { return m_origin; }
    DistributionPanel *distribution() const { return m_distribution; }
    /// By its name; null if there is none.
    Dock *dock(const QString &name) const;

    /// Scales of another tool for the document's model, as one undoable edit.
    void importEncodings(const QString &file);
    /// A model that cannot be read leaves the current document open. then: called when the document is that of the
    /// file.
    void openFile(const QString &path, const std::function<void()> &then = {});
    /// An empty path: a message that this installation has no sample.
    void openSample(const QString &path);
    /// Keeps runs after the program ends: in folder, by default one of the user's data.
    void keepRuns(QString folder = {});
    /// Every plot and table that has data, as PNG, SVG, PDF and CSV, one after the other; allSaved() reports the files.
    void saveAllTo(const QString &folder);
    /// Journals of windows that did not end properly.
    void offerRecovery();
    bool saveFile(const QString &path);
    /// The last message of the bar above the graph; empty if there is none.
    QString message() const;
    const QVector<QAction *> &allActions() const { return m_actions; }

Q_SIGNALS:
    void allSaved(const QStringList &files);

protected:
    void closeEvent(QCloseEvent *event) override;
    void changeEvent(QEvent *event) override;
    QMenu *createPopupMenu() override;
    void resizeEvent(QResizeEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dragMoveEvent(QDragMoveEvent *event) override;
    void dropEvent(QDropEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    Dock *addDock(const QString &name, Qt::DockWidgetArea area);
    QAction *pageAction(Dock &dock, const QString &page);
    void refreshEdges();
    QAction *addAction(QMenu *menu, const QString &text, const QKeySequence &shortcut, const QString &icon,
                       const std::function<void()> &act);
    /// Without shortcut and icon.
    QAction *addAction(QMenu *menu, const QString &text, const std::function<void()> &act);
    void makeActions();
    void makeFileMenu();
    void makeEditMenu();
    void makeRunMenu();
    void makeViewMenu();
    void makeHelpMenu();
    void addArrangementActions(); ///< left to right, and in columns
    void makeFoldMenu();
    void makeThemeMenu();
    void makeLanguageMenu();
    void makeToolBar();
    void addChips();
    void addSearch();
    void makeDocks();
    void makeStatusBar();
    void connectDocument();
    void connectEngine();
    void connectUndo();
    void watchFiles();
    void showFailure(const EngineError &error, FailureOf of);
    void refreshTitle();
    void refreshChips();
    /// In the tool bar: names and values, values only, only those that an icon or a number cannot replace, or not even
    /// those of the data.
    enum class Words { All, Values, Few, Least };
    void fillToolBar(Words words);
    void fitToolBar();
    void refreshStatus();
    QString stateText() const; ///< while no job runs, for the status bar
    void refreshErrors();
    void fillPlatformMenu();
    void addTargetActions(QMenu &menu); ///< presets, parameters of the platform
    void choosePlatformParams();
    void choosePreset(const std::string &id);
    void makeCutMenu(QMenu *edit);
    void cutAtSelection(bool start); ///< otherwise: end
    void fillRunMenus();
    void addLockMenu(QMenu &menu); ///< of the selected operations, for searches
    void fillRecentMenu();
    void showContextMenu(const QString &operation, const QPoint &at);
    /// @param action a button next to the text, and its function
    void showMessage(const QString &text, const QString &details = {}, const QString &action = {},
                     const std::function<void()> &act = {});
    void onFileChanged(const QString &file);
    void onFileRemoved(const QString &file);
    /// @returns false if nothing could be recovered
    bool recover(const api::JsonText &written, const QString &file, const QString &folder);
    void replaceDocument(const QString &path);
    void reloadRecipe(const QString &file);
    void takeDropped(QStringList weights, QStringList samples);
    void showPalette();
    bool quit(); ///< @returns false if the user cancelled
    void restart();
    void showShortcuts();
    void showPlatforms();
    void showPlugins();
    void showManual();
    void fillLayoutMenu();
    void chooseEngine();
    void exportGraph();
    void exportPlots();
    QVector<FileTask> fileTasks(const QString &folder);
    struct FileWork;
    void writeNext(const std::shared_ptr<FileWork> &work, const QString &folder);
    void takeTyped(); ///< text in fields of the docks that was not confirmed
    bool mayDiscard();
    bool save();
    bool saveAs();
    void open();
    void chooseData();
    void openRemote(); ///< a file on the engine's machine
    void closeDocument();
    void chooseModelFile(const QString &title, std::string api::Recipe::*member, const QString &filter);
    void chooseModel();
    void chooseWeights();
    void chooseEncodings();
    void takeEncodings(const api::EncodingsImported &imported);
    QStringList modelPatterns() const;
    QString openFilter() const;
    void stepWorst(int step);
    void stepDock(int step);
    void swapViews();
    void addRecent(const QString &path);
    QString recentRemote() const;
    void saveLayout();
    void restoreLayout();
    void resetLayout();
    void showDocks(bool on);
    void arrangeDocks();
    void makeRoomForPage();
    void foldAndArrange();
    void goBack(int step);
    void refreshHistory();

    EngineClient *m_engine;
    Document *m_document;
    CenterView *m_center = nullptr;
    StartPage *m_start = nullptr;
    ErrorPlot *m_errors = nullptr;
    ErrorChoice *m_choice = nullptr;
    DistributionPanel *m_distribution = nullptr;
    Inspector *m_inspector = nullptr;
    PipelinePanel *m_pipeline = nullptr;
    RunsPanel *m_runs = nullptr;
    ProblemsPanel *m_problems = nullptr;
    JobsPanel *m_jobs = nullptr;
    VerifyPanel *m_verify = nullptr;
    TunePanel *m_tune = nullptr;
    TrainingPanel *m_training = nullptr;
    OriginPanel *m_origin = nullptr;
    QVector<QAction *> m_actions;
    QAction *m_undo = nullptr, *m_redo = nullptr, *m_run = nullptr, *m_stop = nullptr, *m_save = nullptr,
            *m_open = nullptr, *m_export = nullptr, *m_live = nullptr, *m_back = nullptr, *m_forward = nullptr;
    std::vector<api::PlatformFile> m_carriedPlatforms; ///< of the recipe, in the menu
    QToolButton *m_platformChip = nullptr, *m_dataChip = nullptr, *m_engineChip = nullptr, *m_runChip = nullptr,
                *m_baselineChip = nullptr, *m_runButton = nullptr, *m_stopButton = nullptr, *m_openButton = nullptr,
                *m_saveButton = nullptr;
    QVector<Dock *> m_docks;
    QVector<DockEdge *> m_edges; ///< left, right, bottom
    QMenu *m_recentMenu = nullptr, *m_viewMenu = nullptr, *m_layoutMenu = nullptr, *m_dockMenu = nullptr;
    QToolBar *m_tools = nullptr;
    QLineEdit *m_search = nullptr;
    QString m_found; ///< result of the search, for the status bar
    QLabel *m_statusText = nullptr, *m_statusRight = nullptr, *m_statusEngine = nullptr, *m_messageText = nullptr;
    QProgressBar *m_statusBar = nullptr;
    QWidget *m_messageBar = nullptr;
    QPushButton *m_messageButton = nullptr;
    std::function<void()> m_messageAct;
    QVector<QAction *> m_ofDocument;   ///< actions that need a document
    std::function<void()> m_afterOpen; ///< see openFile()
    QString m_recentWanted;            ///< a file that becomes a recent one
    /// What ends a message, besides its buttons: the engine accepts the recipe again, or the recipe's file is written.
    enum class MessageEnd {
        None,
        EngineIsReady,
        EngineTakes,
        ModelRead,
        NextDrop,
        NextRun,
        NextSave,
        RecipeSaved
    } m_messageEnd = MessageEnd::None;
    bool m_mayClose = false;      ///< asked already
    bool m_isFileForeign = false; ///< another program has written the recipe's file since it was read or saved here
    FileWatch *m_watch = nullptr;
    DataWatch *m_dataWatch = nullptr;
    QString m_changedData; ///< that may have changed; empty once that is known
    QString m_missingData; ///< that the message bar is about
    QString m_encodings;   ///< file that is being imported
    QSet<QString> m_watched;
    QByteArray m_defaultState;
    QString m_runFolder;
    QVector<Dock *> m_hiddenDocks; ///< while the start page fills the window
    QStringList m_history;
    int m_historyAt = -1;
    bool m_isStepping = false;
    QSet<QString> m_roomyPages; ///< see makeRoomForPage()
    bool m_isArranged = false;  ///< docks have the heights of this window, or the saved ones
    std::unique_ptr<class Journal> m_journal;
};

} // namespace ql
