#include "views/models/list_models.h"

#include "views/models/operation_model.h"

#include <QLocale>
#include <algorithm>

namespace ql {

ProblemModel::ProblemModel(Document &document, QObject *parent) : QAbstractTableModel(parent)
{
    const auto refresh = [this, &document] {
        beginResetModel();
        m_problems = document.problems();
        const auto weight = [](const ProblemInfo &p) {
            return p.severity == QLatin1String("error") ? 0 : p.severity == QLatin1String("warning") ? 1 : 2;
        };
        std::stable_sort(m_problems.begin(), m_problems.end(),
                         [&](const auto &a, const auto &b) { return weight(a) < weight(b); });
        endResetModel();
    };
    connect(&document, &Document::problemsChanged, this, refresh);
    refresh();
}

int ProblemModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_problems.size());
}

int ProblemModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ProblemModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const ProblemInfo &problem = m_problems[index.row()];
    if (role == OperationRole) return problem.operation;
    if (role == SeverityRole) return problem.severity;
    if (role == ActionsRole) return problem.actions;
    if (role == Qt::ToolTipRole) return QString(problem.message + QLatin1Char('\n') + problem.remedy).trimmed();
    if (role != Qt::DisplayRole) return {};
    switch (Column(index.column())) {
    case Operation: return problem.operation.isEmpty() ? problem.variable : problem.operation;
    case Message: return problem.message;
    case Remedy: return problem.remedy;
    case ColumnCount: break;
    }
    return {};
}

QVariant ProblemModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (Column(section)) {
    case Operation: return tr("Operation");
    case Message: return tr("What");
    case Remedy: return tr("What to do");
    case ColumnCount: break;
    }
    return {};
}

RunModel::RunModel(Document &document, QObject *parent) : QAbstractTableModel(parent), m_document(document)
{
    const auto refresh = [this] {
        const QVector<RunRecord> &runs = m_document.runs();
        if (runs.size() == m_runs.size() + 1) {
            beginInsertRows({}, 0, 0);
            m_runs = runs;
            endInsertRows();
        } else if (runs.size() != m_runs.size()) {
            beginResetModel();
            m_runs = runs;
            endResetModel();
        } else {
            m_runs = runs;
        }
        if (!m_runs.isEmpty()) Q_EMIT dataChanged(index(0, 0), index(int(m_runs.size()) - 1, ColumnCount - 1));
    };
    connect(&document, &Document::runsChanged, this, refresh);
    connect(&document, &Document::resultChanged, this, refresh);
    refresh();
}

int RunModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_runs.size());
}

int RunModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant RunModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const RunRecord &run = at(index.row());
    switch (role) {
    case NumberRole: return run.number;
    case IsBaselineRole: return run.number == m_document.baselineNumber();
    case IsShownRole: return run.data == m_document.result();
    case Qt::EditRole: return run.name;
    case Qt::ToolTipRole: {
        const QString platform = textOf(run.data->recipe, "platform");
        return tr("Run %1 on %2, %3 s\nRecipe %4\n%5")
            .arg(run.number)
            .arg(platform, QLocale().toString(run.data->seconds, 'f', 2), run.data->recipeHash.left(12), run.note)
            .trimmed();
    }
    case Qt::TextAlignmentRole:
        return int((index.column() == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::DisplayRole: break;
    default: return {};
    }
    switch (Column(index.column())) {
    case Name: {
        const QString name = run.name.isEmpty() ? textOf(run.data->recipe, "platform") : run.name;
        return QStringLiteral("#%1 %2%3")
            .arg(run.number)
            .arg(name, run.number == m_document.baselineNumber() ? QStringLiteral("  ★") : QString());
    }
    case Sqnr: return decibelText(run.data->outputSqnr());
    case Metric:
        return run.data->metricQuantized ? tr("%1 %").arg(QLocale().toString(*run.data->metricQuantized * 100, 'f', 1))
                                         : QString();
    case Time: return QLocale().toString(run.time.time(), QStringLiteral("HH:mm"));
    case ColumnCount: break;
    }
    return {};
}

QVariant RunModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (Column(section)) {
    case Name: return tr("Run");
    case Sqnr: return tr("Output SQNR");
    case Metric: return tr("Accuracy");
    case Time: return tr("Time");
    case ColumnCount: break;
    }
    return {};
}

bool RunModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (role != Qt::EditRole || !index.isValid()) return false;
    const RunRecord &run = at(index.row());
    m_document.setRunNote(run.number, value.toString(), run.note);
    return true;
}

Qt::ItemFlags RunModel::flags(const QModelIndex &index) const
{
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.isValid() && index.column() == Name) flags |= Qt::ItemIsEditable;
    return flags;
}

} // namespace ql
