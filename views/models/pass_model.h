#pragma once

#include "core/api/pass_traits.h"
#include "views/bridge/document.h"

#include <QAbstractTableModel>

namespace ql {

/// The ordered passes of a recipe: check box, title, results of the shown run, the output error after each. Checks and
/// moves are emitted as edits of the list, which become commands; the model itself never changes a recipe.
class PassModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    /// A list shows the first two and the others as roles; a saved table has all.
    enum Column { Title, After, Gain, Enabled, Changed, Seconds, ColumnCount };
    enum Role {
        IdRole = Qt::UserRole,
        IsStaleRole, ///< figures of an earlier recipe
        ProblemRole,
        IndexRole,
        FactsRole,     ///< changed slots and seconds of the shown run, in words
        GainRole,      ///< change of the output SQNR by this pass, dB; invalid if unknown
        BeginsRole,    ///< whether the pass is the first that rounds weights or activations: its loss is that of low
                       ///< precision
        OperationsRole ///< its changes
    };

    explicit PassModel(Document &document, QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;
    Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    QStringList mimeTypes() const override;
    QMimeData *mimeData(const QModelIndexList &indexes) const override;
    bool dropMimeData(const QMimeData *data, Qt::DropAction action, int row, int column,
                      const QModelIndex &parent) override;

    const std::vector<api::StepRequest> &steps() const { return m_steps; }
    /// Shows these from now on, without recipe and run: the pipeline of a platform.
    void showSteps(std::vector<api::StepRequest> steps, bool isReadOnly);
    /// The catalogue's entry of a pass; null while unknown.
    const api::PassItem *entry(const std::string &id) const;
    /// The declarations of a pass; nothing while unknown.
    api::PassTraits traits(const std::string &id) const;
    /// Why a step cannot work at its position, or with its parameters; empty if it can.
    static QString problemOf(const std::vector<api::StepRequest> &steps, int row,
                             const std::vector<api::PassItem> &known);
    /// The operations with a tensor that an observer does not support, if chosen for all slots observed by a step.
    QStringList operationsNotServed(const api::StepRequest &step, const api::ObserverItem &observer) const;

Q_SIGNALS:
    void edited(const QString &what, const std::vector<ql::api::StepRequest> &steps);
    void movedTo(int row); ///< a dragged pass, after edited()

private:
    void refresh();
    void findProblems();
    const api::ObserverItem *observerOf(const api::StepRequest &step) const;
    void take(std::vector<api::StepRequest> steps);
    /// Number of enabled steps with the same id after a row.
    int laterInstances(int row) const;
    const api::PassRow *runOf(int row) const;
    /// The entry of the pass history, null if there is none; before: output SQNR before it.
    const api::PassHistoryRow *historyOf(int row, std::optional<double> *before = nullptr) const;

    Document &m_document;
    std::vector<api::StepRequest> m_steps;
    QStringList m_problems;                     ///< of m_steps
    bool m_isOwn = false, m_isReadOnly = false; ///< own: the steps of showSteps()
};

} // namespace ql
