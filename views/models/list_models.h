#pragma once

#include "views/bridge/document.h"
#include "views/bridge/run_history.h"

#include <QAbstractTableModel>

namespace ql {

/// Problems, errors first.
class ProblemModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Operation, Message, Evidence, Remedy, ColumnCount };
    enum Role {
        OperationRole = Qt::UserRole,
        VariableRole,
        IsInfoRole,
        IsGainRole,
        ActionsRole,
        PlotRole,
        IsPreviousRole
    };

    explicit ProblemModel(Document &document, QObject *parent = nullptr);
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QVector<ProblemInfo> m_problems;
};

/// The runs of a document grouped by platform, latest first, with their key figures.
class RunModel : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum Column { Name, Sqnr, Metric, Time, ColumnCount };
    enum Role { NumberRole = Qt::UserRole, IsBaselineRole, IsShownRole, NoteRole };

    explicit RunModel(Document &document, QObject *parent = nullptr);
    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &index) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;
    /// Of a run; invalid if there is none with that number.
    QModelIndex indexOf(int number) const;

private:
    struct Group
    {
        QString platform;
        QVector<RunRecord> runs; ///< latest first
    };
    static QVector<Group> groupsOf(const QVector<RunRecord> &runs);
    const RunRecord *at(const QModelIndex &index) const;
    QVariant groupData(const Group &group, int column, int role) const;
    static QString tipOf(const RunRecord &run, Column column);

    Document &m_document;
    QVector<Group> m_groups;
};

} // namespace ql
