#pragma once

#include "views/models/operation_rows.h"
#include "views/models/search.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

namespace ql {

/// The operations of a graph as a table; a view of an immutable snapshot.
class OperationModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    /// The most important columns come first: identity, then cost. Errors as ratios are at the end, hidden in the table
    /// by default.
    enum Column {
        Position,
        Name,
        Type,
        GraphwiseSqnr,
        LayerwiseSqnr,
        Change,
        Cosine,
        Shape,
        Platform,
        Precision,
        State,
        Reason,
        Graphwise,
        Layerwise,
        ColumnCount
    };
    enum Role { SortRole = Qt::UserRole, OperationRole, IsStaleRole };

    explicit OperationModel(QObject *parent = nullptr);
    void setRows(OperationRows rows);
    /// The run of the rows' errors, for the tool tips of the headers.
    void setRun(RunPtr run) { m_run = std::move(run); }
    const OperationRows &rows() const { return m_rows; }
    /// Row of an operation, -1 if there is none.
    int rowOf(const QString &operation) const { return m_rowOf.value(operation, -1); }

    /// The order of two rows by a column: below 0 if a comes first, 0 if they are equal. Unknown values are last in
    /// both orders, given by descending.
    int compare(int a, int b, Column column, bool descending) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    /// Of a numeric column; unset if there is none.
    static std::optional<double> number(const OperationRow &row, int position, Column column);
    static bool isNumber(Column column)
    {
        return column == Position || (column >= GraphwiseSqnr && column <= Cosine) || column >= Graphwise;
    }
    static const QString &plainText(const OperationRow &row, Column column);
    QVariant sortValue(const OperationRow &row, int position, Column column) const;
    QString text(const OperationRow &row, int position, Column column) const;

    OperationRows m_rows;
    RunPtr m_run;
    QHash<QString, int> m_rowOf;
};

/// Sorts by value (not by text; unknown values last) and filters by a query.
class OperationFilter : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    explicit OperationFilter(QObject *parent = nullptr);
    void setQuery(const SearchQuery &query);

protected:
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override;
    bool lessThan(const QModelIndex &left, const QModelIndex &right) const override;

private:
    SearchQuery m_query;
};

/// "0.00186", "1.7e-05": a noise ratio with three digits.
QString noiseText(std::optional<double> value);
/// "≈ 0.0123": the text of a number that may be an estimate.
QString estimateText(const QString &text, bool isEstimated);
/// "19.2 dB", "∞ dB", "–".
QString decibelText(std::optional<double> value);
/// The definition of a run's SQNR, for tool tips.
QString outputSqnrMeaning();
QString accuracyMeaning(); ///< and of the metric
/// The definitions of an operation's errors.
QString graphwiseMeaning();
QString layerwiseMeaning();
QString changeMeaning();
/// "8 evaluation samples on cpu": how the errors of a run were measured; empty without such errors.
QString measuredText(const RunPtr &run, ErrorRows RunData::*errors);
/// "19.2 dB, noise / signal 0.012", "–".
QString errorText(std::optional<double> noiseRatio);
/// "+1.2 dB", "-0.3 dB", "0.0 dB" without a sign.
QString changeText(double decibel);
/// "+1.2", "0.0", "-0.3"
QString signedText(double change);
/// −10 log₁₀ of a noise ratio, infinite without any noise; unset without one.
std::optional<double> decibels(std::optional<double> noiseRatio);

} // namespace ql
