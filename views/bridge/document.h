#pragma once

#include "core/api/recipe.h"
#include "views/bridge/snapshot.h"

#include <QStringList>
#include <QUndoStack>

namespace ql {

class EngineClient;
class EngineRequests;
class ProblemList;
class RunHistory;

/// The engine's description of a recipe without running it.
struct Inspection
{
    GraphPtr graph;
    std::shared_ptr<const QVector<ConfigInfo>> configs; ///< as set by rules, dispatch and overrides, before any pass
    QVector<ProblemInfo> problems;
};

/// The document of the user: the recipe with its undo stack and file, and the selection in its graph. Recipes are
/// changed only by commands on the undo stack (views/commands). The document owns its companions: the runs of the
/// recipe (RunHistory), its problems (ProblemList) and the requests to the engine (EngineRequests).
class Document : public QObject
{
    Q_OBJECT

public:
    explicit Document(EngineClient &engine, QObject *parent = nullptr);
    ~Document() override;

    RunHistory &history() { return *m_history; }
    const RunHistory &history() const { return *m_history; }
    ProblemList &problems() { return *m_problems; }
    const ProblemList &problems() const { return *m_problems; }
    EngineRequests &requests() { return *m_requests; }
    const EngineRequests &requests() const { return *m_requests; }

    // The recipe
    bool isEmpty() const { return m_recipe.model.empty(); }
    const api::Recipe &recipe() const { return m_recipe; }
    /// With the platform's dispatcher, passes and all defaults, as the engine last reported.
    const api::Recipe &completeRecipe() const { return m_complete; }
    /// Of the parts of the recipe that affect results.
    QString resultHash() const { return m_hash; }
    static QString resultHashOf(const api::Recipe &recipe);
    /// A recipe whose relative paths start from folder, with those of the document's.
    api::Recipe recipeFrom(const api::Recipe &recipe, const QString &folder) const;
    void setRecipe(const api::Recipe &recipe); ///< for commands
    nlohmann::json recipeJson() const { return api::toJson(m_recipe); }
    QUndoStack &undoStack() { return m_undo; }
    const QUndoStack &undoStack() const { return m_undo; }

    // Files
    /// Whether a file is a recipe, by its name; otherwise it is a model.
    static bool isRecipeFile(const QString &path);
    /// The recipe in a file, or a new one for a model. @throws Error
    static api::Recipe recipeOfFile(const QString &path);
    /// A recipe, or a model for which a new recipe is created. @throws Error
    void open(const QString &path);
    /// @throws Error (Io)
    void save(const QString &path);
    /// Closes the document without asking the user.
    void close();
    QString filePath() const { return m_file; }
    QString folder() const { return m_base; } ///< that relative paths of the recipe start from
    /// Where new files are proposed: folder(), or the user's documents or home folder if that is read-only or the
    /// sample's.
    QString outputFolder() const;
    /// The files of the document: recipe, model, weights; absolute.
    QStringList files() const;
    /// Data of calibration and evaluation; absolute.
    QStringList data() const;
    /// Of the platform, if it is a user platform; absolute, otherwise empty.
    QString platformFile() const;
    /// A file or folder is read-only if nobody may write it, whoever asks; those of the sample always are.
    static bool isReadOnly(const QString &path);
    QString title() const;
    QString absolutePath(const std::string &path) const;
    /// A selected file as named in the recipe: relative to folder() if it is near, so that both can move together.
    QString recipePath(const QString &path) const;
    bool isModel(const QString &path) const
    {
        return !path.isEmpty() && absolutePath(path.toStdString()) == absolutePath(m_recipe.model);
    }

    // The graph
    const GraphPtr &graph() const { return m_inspection.graph; }
    const Inspection &inspection() const { return m_inspection; }
    const QVector<ConfigInfo> &inspectedConfigs() const;
    QVector<int> inspectedConfigsOf(const QString &operation) const { return m_configsOf.value(operation); }
    /// complete: the recipe as the engine completed it.
    void setInspection(Inspection inspection, const api::Recipe &complete);
    /// The recipe cannot be inspected: the last graph stays.
    void setInspectionProblems(const QVector<ProblemInfo> &problems);

    // The current operation
    const QString &current() const { return m_current; }
    const QStringList &selection() const { return m_selection; } ///< holds current()
    /// One tensor of an operation: panels that show tensors show this one.
    void chooseSlot(const QString &operation, api::SlotRole role, int index)
    {
        Q_EMIT slotChosen(operation, role, index);
    }
    void setCurrent(const QString &operation)
    {
        setSelection(operation.isEmpty() ? QStringList() : QStringList{operation}, operation);
    }
    void setSelection(const QStringList &operations, const QString &current);

Q_SIGNALS:
    void recipeChanged();
    void fileChanged();
    void graphChanged();
    void inspectionProblemsChanged();
    void currentChanged(const QString &operation);
    void selectionChanged(const QStringList &operations);
    void slotChosen(const QString &operation, ql::api::SlotRole role, int index);
    void note(const QString &text); ///< for the log

private:
    void clear(); ///< everything but the recipe and its file

    QUndoStack m_undo;
    api::Recipe m_recipe, m_complete;
    QString m_hash, m_file, m_base;
    Inspection m_inspection;
    QHash<QString, QVector<int>> m_configsOf;
    QString m_current;
    QStringList m_selection;
    RunHistory *m_history;
    ProblemList *m_problems;
    EngineRequests *m_requests;
};

} // namespace ql
