#include "views/models/list_models.h"

#include "views/bridge/engine_text.h"
#include "views/bridge/problem_list.h"
#include "views/bridge/run_history.h"
#include "views/models/operation_model.h"

#include <QLocale>
#include <algorithm>

namespace ql {

ProblemModel::ProblemModel(Document &document, QObject *parent) : QAbstractTableModel(parent)
{
    const auto refresh = [this, &document] {
        QVector<ProblemInfo> problems = document.problems().rows();
        const auto weight = [](const ProblemInfo &p) { return p.isGain ? -1 : int(p.severity); };
        std::stable_sort(problems.begin(), problems.end(),
                         [&](const auto &a, const auto &b) { return weight(a) < weight(b); });
        // After an edit they are the same ones, from the previous run: the list stays in place
        const bool same = std::equal(problems.begin(), problems.end(), m_problems.begin(), m_problems.end(),
                                     [](ProblemInfo a, const ProblemInfo &b) {
                                         a.isPrevious = b.isPrevious;
                                         return a == b;
                                     });
        if (!same) beginResetModel();
        m_problems = std::move(problems);
        if (!same) return endResetModel();
        if (!m_problems.isEmpty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    };
    connect(&document.problems(), &ProblemList::changed, this, refresh);
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
    const QString operation = QString::fromStdString(problem.op), variable = QString::fromStdString(problem.variable);
    if (role == OperationRole) return operation;
    if (role == IsInfoRole) return problem.severity == api::Severity::Info;
    if (role == IsGainRole) return problem.isGain;
    if (role == VariableRole) return variable;
    if (role == ActionsRole) return QVariant::fromValue(problem.actions);
    if (role == PlotRole) return QVariant::fromValue(QVector<double>(problem.values.begin(), problem.values.end()));
    if (role == IsPreviousRole) return problem.isPrevious;
    if (role == Qt::ToolTipRole && index.column() == Evidence && !problem.values.empty())
        return engineText(problem.valuesMeaning);
    if (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole) {
        QStringList lines{engineText(problem.message), engineText(problem.remedy),
                          problem.isPrevious ? tr("From a run before the last edit: press F5 to check again.")
                                             : QString()};
        if (role == Qt::AccessibleTextRole) lines.prepend(operation.isEmpty() ? variable : operation);
        lines.removeAll(QString());
        return lines.join(QLatin1Char('\n'));
    }
    if (role != Qt::DisplayRole) return {};
    switch (Column(index.column())) {
    case Operation: return operation.isEmpty() ? variable : operation;
    case Message: return engineText(problem.message);
    case Evidence: { // painted as bars; for files
        QStringList values;
        for (std::size_t i = 0; i < std::min<std::size_t>(problem.values.size(), 64); ++i)
            values.append(QLocale().toString(problem.values[i], 'g', 4));
        return values.join(QLatin1Char(' '));
    }
    case Remedy: return engineText(problem.remedy);
    case ColumnCount: break;
    }
    return {};
}

QVariant ProblemModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (Column(section)) {
    case Operation: return tr("Operation");
    case Message: return tr("Problem");
    case Evidence: return tr("Evidence");
    case Remedy: return tr("Remedy");
    case ColumnCount: break;
    }
    return {};
}

static QString platformOf(const RunRecord &run)
{
    return QString::fromStdString(run.data->recipe.platform);
}

QVector<RunModel::Group> RunModel::groupsOf(const QVector<RunRecord> &runs)
{
    QVector<Group> groups;
    // The platform of the last run comes first
    for (auto it = runs.rbegin(); it != runs.rend(); ++it) {
        const QString platform = platformOf(*it);
        auto group = std::find_if(groups.begin(), groups.end(), [&](const Group &g) { return g.platform == platform; });
        if (group == groups.end()) group = groups.insert(groups.end(), {platform, {}});
        group->runs.append(*it);
    }
    return groups;
}

RunModel::RunModel(Document &document, QObject *parent) : QAbstractItemModel(parent), m_document(document)
{
    const auto refresh = [this] {
        QVector<Group> groups = groupsOf(m_document.history().runs());
        const bool same = std::equal(
            groups.begin(), groups.end(), m_groups.begin(), m_groups.end(), [](const Group &a, const Group &b) {
                return a.platform == b.platform &&
                       std::equal(a.runs.begin(), a.runs.end(), b.runs.begin(), b.runs.end(),
                                  [](const RunRecord &x, const RunRecord &y) { return x.number == y.number; });
            });
        if (!same) beginResetModel();
        m_groups = std::move(groups);
        if (!same) return endResetModel();
        for (int g = 0; g < m_groups.size(); ++g) {
            const QModelIndex group = index(g, 0);
            Q_EMIT dataChanged(group, index(g, ColumnCount - 1));
            Q_EMIT dataChanged(index(0, 0, group), index(int(m_groups[g].runs.size()) - 1, ColumnCount - 1, group));
        }
    };
    connect(&document.history(), &RunHistory::runsChanged, this, refresh);
    connect(&document.history(), &RunHistory::shownChanged, this, refresh);
    refresh();
}

// The internal id is 0 for a group, and the group's index + 1 for its runs.

QModelIndex RunModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent)) return {};
    return createIndex(row, column, parent.isValid() ? quintptr(parent.row()) + 1 : quintptr(0));
}

QModelIndex RunModel::parent(const QModelIndex &index) const
{
    if (!index.isValid() || index.internalId() == 0) return {};
    return createIndex(int(index.internalId()) - 1, 0, quintptr(0));
}

int RunModel::rowCount(const QModelIndex &parent) const
{
    if (!parent.isValid()) return int(m_groups.size());
    return parent.internalId() == 0 && parent.column() == 0 ? int(m_groups[parent.row()].runs.size()) : 0;
}

int RunModel::columnCount(const QModelIndex &) const
{
    return ColumnCount;
}

const RunRecord *RunModel::at(const QModelIndex &index) const
{
    if (!index.isValid() || index.internalId() == 0) return nullptr;
    return &m_groups[int(index.internalId()) - 1].runs[index.row()];
}

QModelIndex RunModel::indexOf(int number) const
{
    for (int g = 0; g < m_groups.size(); ++g)
        for (int r = 0; r < m_groups[g].runs.size(); ++r)
            if (m_groups[g].runs[r].number == number) return index(r, 0, index(g, 0));
    return {};
}

QVariant RunModel::groupData(const Group &group, int column, int role) const
{
    if (role == Qt::TextAlignmentRole) return int((column == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    if (column == Name)
        return QStringLiteral("%1 · %2").arg(group.platform, tr("%n run(s)", nullptr, int(group.runs.size())));
    return {};
}

/// The run, and the meaning of its number: the tree has no headers.
QString RunModel::tipOf(const RunRecord &run, Column column)
{
    const auto percent = [](double share) { return QLocale().toString(share * 100, 'f', 1); };
    const api::Metric *metric = run.data->metric();
    QStringList lines;
    if (!run.name.isEmpty()) lines.append(run.name); // a narrow column elides it
    if (column == Sqnr)
        lines += {tr("Output SQNR %1").arg(decibelText(run.data->outputSqnr())), outputSqnrMeaning(),
                  measuredText(run.data, &RunData::outputs), QString()};
    if (column == Metric && metric)
        lines += {tr("Accuracy %1 %, float %2 %").arg(percent(metric->quantized), percent(metric->fp32)),
                  accuracyMeaning(), measuredText(run.data, &RunData::outputs), QString()};
    lines.append(tr("Run %1 on %2, %3 s, %4\nRecipe %5\n%6")
                     .arg(run.number)
                     .arg(platformOf(run), QLocale().toString(run.data->seconds, 'f', 2),
                          QLocale().toString(run.time, QLocale::ShortFormat), run.data->recipeHash.left(12), run.note)
                     .trimmed());
    return lines.join(QLatin1Char('\n'));
}

QVariant RunModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const RunRecord *found = at(index);
    if (!found) return groupData(m_groups[index.row()], index.column(), role);
    const RunRecord &run = *found;
    switch (role) {
    case NumberRole: return run.number;
    case IsBaselineRole: return run.number == m_document.history().baselineNumber();
    case IsShownRole: return run.data == m_document.history().shown();
    case NoteRole: return run.note;
    case Qt::EditRole: return run.name;
    case Qt::ToolTipRole: return tipOf(run, Column(index.column()));
    case Qt::TextAlignmentRole:
        return int((index.column() == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::DisplayRole: break;
    default: return {};
    }
    switch (Column(index.column())) {
    case Name: {
        const QString name = run.name.isEmpty() ? platformOf(run) : run.name;
        // The signs first: a narrow column elides the end
        QString text = QStringLiteral("#%1 ").arg(run.number);
        if (run.number == m_document.history().baselineNumber()) text += QStringLiteral("★ ");
        if (!run.note.isEmpty()) text += QStringLiteral("✎ ");
        return text + name;
    }
    case Sqnr: return decibelText(run.data->outputSqnr());
    case Metric:
        return run.data->metric() ? tr("%1 %").arg(QLocale().toString(run.data->metric()->quantized * 100, 'f', 1))
                                  : QString();
    case Time: return QLocale().toString(run.time, QLocale::ShortFormat);
    case ColumnCount: break;
    }
    return {};
}

QVariant RunModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::ToolTipRole && section == Sqnr) return outputSqnrMeaning();
    if (role == Qt::ToolTipRole && section == Metric) return accuracyMeaning();
    if (role != Qt::DisplayRole) return {};
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
    const RunRecord *run = at(index);
    if (role != Qt::EditRole || !run) return false;
    m_document.history().setNote(run->number, value.toString(), run->note);
    return true;
}

Qt::ItemFlags RunModel::flags(const QModelIndex &index) const
{
    Qt::ItemFlags flags = QAbstractItemModel::flags(index);
    if (at(index) && index.column() == Name) flags |= Qt::ItemIsEditable;
    return flags;
}

} // namespace ql
