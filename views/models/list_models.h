#pragma once

#include "views/bridge/document.h"

#include <QAbstractTableModel>

namespace ql {

/// What deserves attention, errors first.
class ProblemModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Operation, Message, Remedy, ColumnCount };
    enum Role { OperationRole = Qt::UserRole, SeverityRole, ActionsRole };

    explicit ProblemModel(Document &document, QObject *parent = nullptr);
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QVector<ProblemInfo> m_problems;
};

/// The runs of a document, latest first, with their key figures.
class RunModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Name, Sqnr, Metric, Time, ColumnCount };
    enum Role { NumberRole = Qt::UserRole, IsBaselineRole, IsShownRole };

    explicit RunModel(Document &document, QObject *parent = nullptr);
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

private:
    const RunRecord &at(int row) const { return m_runs[m_runs.size() - 1 - row]; }

    Document &m_document;
    QVector<RunRecord> m_runs;
};

} // namespace ql
