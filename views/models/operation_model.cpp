#include "views/models/operation_model.h"

#include "views/bridge/engine_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <cmath>

namespace ql {

QString noiseText(std::optional<double> value)
{
    if (!value) return QStringLiteral("–");
    const bool plain = *value == 0 || (std::abs(*value) >= 1e-4 && std::abs(*value) < 1e4);
    return QLocale().toString(*value, plain ? 'g' : 'e', plain ? 3 : 1);
}

QString estimateText(const QString &text, bool isEstimated)
{
    return isEstimated ? QStringLiteral("≈ ") + text : text;
}

QString accuracyMeaning()
{
    return OperationModel::tr("Fraction of evaluation samples whose largest output matches the label.");
}

QString outputSqnrMeaning()
{
    return OperationModel::tr("Lowest SQNR of the graph outputs in dB: −10 log₁₀ of Σ(float − quantized)² / Σ float², "
                              "mean over the evaluation samples.");
}

QString graphwiseMeaning()
{
    return OperationModel::tr("Noise / signal of the operation's output with the whole model quantized: mean over the "
                              "evaluation samples of Σ(float − quantized)² / Σ float², over all elements.");
}

QString layerwiseMeaning()
{
    return OperationModel::tr("Noise / signal at the worst graph output with only this operation quantized. ≈ marks "
                              "an estimate by a backward pass.");
}

QString changeMeaning()
{
    return OperationModel::tr("Change in SQNR from the baseline run in dB: −10 log₁₀ of noise / signal divided by that "
                              "of the baseline; positive is better.");
}

QString measuredText(const RunPtr &run, ErrorRows RunData::*errors)
{
    if (!run || ((*run).*errors).isEmpty()) return {};
    std::int64_t samples = 0; // estimates have none
    for (const api::OutputRow &row : (*run).*errors) samples = std::max(samples, row.samples);
    return OperationModel::tr("%n evaluation sample(s) on %1", nullptr, int(samples))
        .arg(QString::fromStdString(run->recipe.device));
}

QString errorText(std::optional<double> noiseRatio)
{
    if (!noiseRatio) return QStringLiteral("–");
    return OperationModel::tr("%1, noise / signal %2").arg(decibelText(decibels(noiseRatio)), noiseText(noiseRatio));
}

/// Rounded to one decimal, without a "-0.0".
static double tenths(double value)
{
    return std::round(value * 10) / 10 + 0.0;
}

QString decibelText(std::optional<double> value)
{
    if (!value) return QStringLiteral("–");
    return QCoreApplication::translate("ql", "%1 dB")
        .arg(std::isinf(*value) ? QStringLiteral("∞") : QLocale().toString(tenths(*value), 'f', 1));
}

QString signedText(double change)
{
    const double rounded = tenths(change);
    const QString number = QLocale().toString(rounded, 'f', 1);
    return rounded > 0 ? QLatin1Char('+') + number : number;
}

QString changeText(double decibel)
{
    return QCoreApplication::translate("ql", "%1 dB").arg(signedText(decibel));
}

std::optional<double> decibels(std::optional<double> noiseRatio)
{
    if (!noiseRatio || !(*noiseRatio >= 0)) return {};
    return -10 * std::log10(*noiseRatio);
}

OperationModel::OperationModel(QObject *parent)
    : QAbstractTableModel(parent), m_rows(std::make_shared<const QVector<OperationRow>>())
{}

void OperationModel::setRows(OperationRows rows)
{
    const auto sameNames = [&] {
        if (rows->size() != m_rows->size()) return false;
        for (qsizetype i = 0; i < rows->size(); ++i)
            if (rows->at(i).name != m_rows->at(i).name) return false;
        return true;
    };
    if (sameNames()) { // new values only: selection and scroll position stay
        m_rows = std::move(rows);
        // Not of position and name, by which a table may be sorted
        if (!m_rows->isEmpty()) Q_EMIT dataChanged(index(0, Type), index(int(m_rows->size()) - 1, ColumnCount - 1));
        return;
    }
    beginResetModel();
    m_rows = std::move(rows);
    m_rowOf.clear();
    for (int i = 0; i < m_rows->size(); ++i) m_rowOf.insert(m_rows->at(i).name, i);
    endResetModel();
}

int OperationModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows->size());
}

int OperationModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant OperationModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const OperationRow &row = m_rows->at(index.row());
    const auto column = Column(index.column());
    switch (role) {
    case OperationRole: return row.name;
    case IsStaleRole: return row.isStale && isNumber(column) && column != Position;
    case Qt::DisplayRole: return text(row, index.row(), column);
    case SortRole: return sortValue(row, index.row(), column);
    case Qt::ToolTipRole: return column == Reason || column == Name ? text(row, index.row(), column) : QVariant();
    case Qt::TextAlignmentRole: {
        const bool number = isNumber(column);
        return int((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    default: return {};
    }
}

QString OperationModel::text(const OperationRow &row, int position, Column column) const
{
    switch (column) { // no default: a forgotten column is an error
    case Position: return QString::number(position + 1);
    case Name: return row.name;
    case Type: return row.type;
    case Shape: return shapeText(row.shape);
    case Platform: return row.platform;
    case Precision: return row.precision;
    case State: return row.state ? engineText(wordOf(*row.state)) : QString();
    case Graphwise: return noiseText(row.graphwise);
    case GraphwiseSqnr: return decibelText(decibels(row.graphwise));
    case LayerwiseSqnr: return estimateText(decibelText(decibels(row.layerwise)), row.isLayerwiseEstimated);
    case Layerwise: return estimateText(noiseText(row.layerwise), row.isLayerwiseEstimated);
    case Change: return row.changeDb() ? changeText(*row.changeDb()) : QStringLiteral("–");
    case Cosine: return row.cosine ? QLocale().toString(*row.cosine, 'f', 5) : QStringLiteral("–");
    case Reason: return row.reason;
    case ColumnCount: break;
    }
    return {};
}

std::optional<double> OperationModel::number(const OperationRow &row, int position, Column column)
{
    switch (column) {
    case Position: return position;
    case Graphwise: return row.graphwise;
    case GraphwiseSqnr: return decibels(row.graphwise);
    case LayerwiseSqnr: return decibels(row.layerwise);
    case Layerwise: return row.layerwise;
    case Cosine: return row.cosine;
    case Change: return row.changeDb();
    case Name:
    case Type:
    case Shape:
    case Platform:
    case Precision:
    case State:
    case Reason:
    case ColumnCount: break;
    }
    return {};
}

const QString &OperationModel::plainText(const OperationRow &row, Column column)
{
    static const QString none;
    switch (column) {
    case Name: return row.name;
    case Type: return row.type;
    case Shape: return row.shape;
    case Platform: return row.platform;
    case Precision: return row.precision;
    case State: return row.state ? wordOf(*row.state) : none;
    case Reason: return row.reason;
    case Position:
    case Graphwise:
    case GraphwiseSqnr:
    case LayerwiseSqnr:
    case Layerwise:
    case Change:
    case Cosine:
    case ColumnCount: break;
    }
    return none;
}

QVariant OperationModel::sortValue(const OperationRow &row, int position, Column column) const
{
    if (!isNumber(column)) return plainText(row, column);
    const std::optional<double> value = number(row, position, column);
    return value ? QVariant(*value) : QVariant();
}

int OperationModel::compare(int a, int b, Column column, bool descending) const
{
    const OperationRow &first = m_rows->at(a), &second = m_rows->at(b);
    if (!isNumber(column))
        return QString::compare(plainText(first, column), plainText(second, column), Qt::CaseInsensitive);
    const std::optional<double> x = number(first, a, column), y = number(second, b, column);
    if (x.has_value() != y.has_value()) return x.has_value() != descending ? -1 : 1;
    if (!x) return 0;
    return *x < *y ? -1 : *x > *y ? 1 : 0;
}

QVariant OperationModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) {
        const bool number = isNumber(Column(section));
        return int((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    if (role == Qt::ToolTipRole) {
        const auto withRun = [this](const QString &meaning, ErrorRows RunData::*errors) {
            const QString measured = measuredText(m_run, errors);
            return measured.isEmpty() ? meaning : meaning + QLatin1Char('\n') + measured;
        };
        switch (Column(section)) {
        case Position: return tr("Position in execution order");
        case Graphwise: return withRun(graphwiseMeaning(), &RunData::graphwise);
        case GraphwiseSqnr:
            return withRun(
                tr("SQNR of the operation's output with the whole model quantized, in dB: −10 log₁₀ of graphwise noise "
                   "/ signal, the mean over the evaluation samples of Σ(float − quantized)² / Σ float²."),
                &RunData::graphwise);
        case LayerwiseSqnr:
            return withRun(tr("SQNR at the worst graph output with only this operation quantized, in dB: −10 log₁₀ of "
                              "layerwise noise / signal."),
                           &RunData::layerwise);
        case Layerwise: return withRun(layerwiseMeaning(), &RunData::layerwise);
        case Change: return withRun(changeMeaning(), &RunData::graphwise);
        case Cosine:
            return withRun(tr("Cosine similarity of float and quantized output, Σ float · quantized / √(Σ float² · Σ "
                              "quantized²), mean over the samples."),
                           &RunData::graphwise);
        default: return {};
        }
    }
    if (role != Qt::DisplayRole) return {};
    switch (Column(section)) {
    case Position: return tr("#");
    case Name: return tr("Operation");
    case Type: return tr("Type");
    case Shape: return tr("Output");
    case Platform: return tr("Platform");
    case Precision: return tr("Precision");
    case State: return tr("State");
    case GraphwiseSqnr: return tr("Graphwise");
    case LayerwiseSqnr: return tr("Layerwise");
    case Graphwise: return tr("Graphwise noise");
    case Layerwise: return tr("Layerwise noise");
    case Change: return tr("Δ baseline");
    case Cosine: return tr("Cosine");
    case Reason: return tr("Reason");
    case ColumnCount: break;
    }
    return {};
}

OperationFilter::OperationFilter(QObject *parent) : QSortFilterProxyModel(parent)
{
    setSortRole(OperationModel::SortRole);
}

void OperationFilter::setQuery(const SearchQuery &query)
{
    m_query = query;
    invalidate(); // all together: invalidateFilter() emits a signal for each range of rows
}

bool OperationFilter::filterAcceptsRow(int row, const QModelIndex &) const
{
    const auto *model = qobject_cast<const OperationModel *>(sourceModel());
    return !model || m_query.isEmpty() || m_query.matches(model->rows()->at(row));
}

bool OperationFilter::lessThan(const QModelIndex &left, const QModelIndex &right) const
{
    // Directly from the rows: sorting ten thousands of them compares a million times
    const auto *model = qobject_cast<const OperationModel *>(sourceModel());
    if (!model) return QSortFilterProxyModel::lessThan(left, right);
    return model->compare(left.row(), right.row(), OperationModel::Column(left.column()),
                          sortOrder() == Qt::DescendingOrder) < 0;
}

} // namespace ql
