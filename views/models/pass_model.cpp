#include "views/models/pass_model.h"

#include "core/api/pass_order.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/engine_text.h"
#include "views/bridge/run_history.h"
#include "views/models/operation_model.h"

#include <QLocale>
#include <QMimeData>
#include <algorithm>

namespace ql {

using nlohmann::json;

static const QString mimeType = QStringLiteral("application/x-quantloupe-pass");

PassModel::PassModel(Document &document, QObject *parent) : QAbstractTableModel(parent), m_document(document)
{
    connect(&document, &Document::recipeChanged, this, &PassModel::refresh);
    connect(&document, &Document::graphChanged, this, &PassModel::refresh);
    connect(&document.history(), &RunHistory::shownChanged, this, &PassModel::refresh);
    connect(&document.requests(), &EngineRequests::catalogueChanged, this, &PassModel::refresh);
    connect(&document.history(), &RunHistory::passHistoryChanged, this, &PassModel::refresh);
    connect(&document.history(), &RunHistory::configsChanged, this, &PassModel::refresh);
    refresh();
}

void PassModel::showSteps(std::vector<api::StepRequest> steps, bool isReadOnly)
{
    m_isOwn = true;
    m_isReadOnly = isReadOnly;
    take(std::move(steps));
}

void PassModel::refresh()
{
    if (m_isOwn) return take(m_steps);
    const auto &recipe = m_document.recipe();
    const auto &source = recipe.passes ? recipe.passes : m_document.completeRecipe().passes;
    take(source ? *source : std::vector<api::StepRequest>());
}

void PassModel::take(std::vector<api::StepRequest> steps)
{
    const bool sameList = std::equal(steps.begin(), steps.end(), m_steps.begin(), m_steps.end(),
                                     [](const auto &a, const auto &b) { return a.id == b.id; });
    if (!sameList) {
        beginResetModel();
        m_steps = std::move(steps);
        findProblems();
        endResetModel();
        return;
    }
    m_steps = std::move(steps);
    findProblems();
    if (!m_steps.empty()) Q_EMIT dataChanged(index(0, 0), index(int(m_steps.size()) - 1, ColumnCount - 1));
}

const api::PassItem *PassModel::entry(const std::string &id) const
{
    return api::findItem(m_document.requests().known().passes, id);
}

api::PassTraits PassModel::traits(const std::string &id) const
{
    const api::PassItem *pass = entry(id);
    return pass ? pass->traits : api::PassTraits();
}

/// Values outside the schema of a pass; a recipe and a saved pipeline may contain anything.
static QString parameterProblem(const api::StepRequest &step, const std::vector<api::ParamSpec> &specs)
{
    if (!step.params.is_object()) return {};
    for (const auto &[key, value] : step.params.items()) {
        const std::string &name = key;
        const auto spec =
            std::find_if(specs.begin(), specs.end(), [&](const api::ParamSpec &one) { return one.name == name; });
        const QString readable = engineText(readableName(name));
        if (spec == specs.end()) return PassModel::tr("It has no parameter '%1'.").arg(readable);
        if (!api::isLegal(*spec, value))
            return PassModel::tr("Its parameter '%1' cannot be %2.")
                .arg(readable, QString::fromStdString(value.dump()));
    }
    return {};
}

QString PassModel::problemOf(const std::vector<api::StepRequest> &steps, int row,
                             const std::vector<api::PassItem> &known)
{
    const api::StepRequest &step = steps[std::size_t(row)];
    if (!step.enabled) return {};
    const api::PassItem *pass = api::findItem(known, step.id);
    if (!pass) return tr("The engine has no such pass.");
    if (const QString problem = parameterProblem(step, pass->params); !problem.isEmpty()) return problem;
    const auto problem = api::passOrderProblem(steps, std::size_t(row), api::passTraitsOf(known));
    if (!problem) return {};
    const api::PassItem *second = api::findItem(known, problem->other);
    const QString other =
        second && !second->title.isEmpty() ? engineText(second->title) : QString::fromStdString(problem->other);
    switch (problem->kind) {
    case api::PassOrderProblem::Kind::FloatAfterQuant:
        return tr(
            "It changes the float graph and runs before the quantization passes, regardless of its position here.");
    case api::PassOrderProblem::Kind::ReadsLater: return tr("It reads scales that '%1' sets later.").arg(other);
    case api::PassOrderProblem::Kind::ReadsMissing: return tr("It reads scales that '%1' would set.").arg(other);
    case api::PassOrderProblem::Kind::ChangedLater: return tr("'%1' runs later and changes its result.").arg(other);
    case api::PassOrderProblem::Kind::JoinsCalibrated:
        return tr("It merges slots that have already been calibrated separately.");
    case api::PassOrderProblem::Kind::Repeated: return tr("It has just run with the same parameters.");
    }
    return {};
}

/// The limits of an observer that some tensor exceeds.
static QString limitsOf(const api::ObserverItem &observer)
{
    QStringList limits;
    if (!observer.integer) limits.append(PassModel::tr("it supports only floating-point codes"));
    if (!observer.floating) limits.append(PassModel::tr("it supports only integer codes"));
    if (!observer.asymmetric) limits.append(PassModel::tr("only symmetric codes"));
    if (!observer.perChannel) limits.append(PassModel::tr("only one scale per tensor"));
    return limits.join(PassModel::tr(", "));
}

QStringList PassModel::operationsNotServed(const api::StepRequest &step, const api::ObserverItem &observer) const
{
    // The slots observed by a pass that sets scales: all that are not derived from others
    QStringList operations;
    if (m_isOwn) return operations; // of no model
    const bool parameters = traits(step.id).doesWrite(api::PassAspect::ParameterScales);
    for (const ConfigInfo &config : m_document.history().configs()) {
        const bool follows =
            !config.rootOperation.isEmpty() || config.state == api::QuantState::Passive || config.isOverlapped();
        if (config.isFloat() || follows || parameters != (config.role == api::SlotRole::Parameter)) continue;
        if (observer.serves(observerDemand(config)) || operations.contains(config.operation)) continue;
        operations.append(config.operation);
        if (operations.size() > 99) break; // this many are as bad as all
    }
    return operations;
}

/// The observer that a step chooses for all; null if it leaves that to each tensor.
const api::ObserverItem *PassModel::observerOf(const api::StepRequest &step) const
{
    if (const api::PassItem *pass = entry(step.id))
        for (const api::ParamSpec &spec : pass->params)
            if (const auto value = api::paramOf(step.params, spec); spec.type == "observer" && value.is_string())
                return api::findItem(m_document.requests().known().observers, value.get<std::string>());
    return nullptr;
}

void PassModel::findProblems()
{
    m_problems.clear();
    if (!m_document.requests().catalogue()) return;
    for (int row = 0; row < int(m_steps.size()); ++row) {
        const api::StepRequest &step = m_steps[std::size_t(row)];
        QString problem = problemOf(m_steps, row, m_document.requests().known().passes);
        const api::ObserverItem *observer = step.enabled ? observerOf(step) : nullptr;
        if (problem.isEmpty() && observer)
            if (const QStringList operations = operationsNotServed(step, *observer); !operations.isEmpty())
                problem = tr("The observer '%1' does not support %2: %3.")
                              .arg(QString::fromStdString(observer->id), operations.front(), limitsOf(*observer));
        m_problems.append(problem);
    }
}

int PassModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_steps.size());
}

int PassModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

int PassModel::laterInstances(int row) const
{
    const std::string &id = m_steps[std::size_t(row)].id;
    return int(std::count_if(m_steps.begin() + row + 1, m_steps.end(),
                             [&](const auto &step) { return step.enabled && step.id == id; }));
}

const api::PassRow *PassModel::runOf(int row) const
{
    const RunPtr &run = m_document.history().shown();
    const api::StepRequest &step = m_steps[std::size_t(row)];
    if (!run || !step.enabled || m_isOwn) return nullptr;
    // A pass may be listed more than once, and some run on every model before the listed ones
    int fromEnd = laterInstances(row);
    for (auto it = run->passes.rbegin(); it != run->passes.rend(); ++it)
        if (it->id == step.id && fromEnd-- == 0) return &*it;
    return nullptr;
}

static std::optional<double> worstSqnr(const api::PassHistoryRow &row)
{
    std::optional<double> worst;
    if (!row.outputs) return worst;
    for (const api::OutputRow &output : *row.outputs)
        if (output.sqnrDb) worst = std::min(worst.value_or(1e30), *output.sqnrDb);
    return worst;
}

const api::PassHistoryRow *PassModel::historyOf(int row, std::optional<double> *before) const
{
    const PassHistoryPtr history = m_document.history().passHistory();
    const api::StepRequest &step = m_steps[std::size_t(row)];
    if (!history || !step.enabled || m_isOwn) return nullptr;
    const std::vector<api::PassHistoryRow> &passes = history->passes;
    int fromEnd = laterInstances(row);
    const auto entry = std::find_if(passes.rbegin(), passes.rend(), [&](const api::PassHistoryRow &other) {
        return other.id == step.id && fromEnd-- == 0;
    });
    if (entry == passes.rend()) return nullptr;
    for (auto earlier = entry + 1; before && earlier != passes.rend() && !*before; ++earlier)
        *before = worstSqnr(*earlier);
    return &*entry;
}

QVariant PassModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const int row = index.row();
    const api::StepRequest &step = m_steps[std::size_t(row)];
    switch (role) {
    case IdRole: return QString::fromStdString(step.id);
    case IndexRole: return row;
    case IsStaleRole: return m_document.history().isStale() && step.enabled && (runOf(row) || historyOf(row));
    case ProblemRole: return m_problems.value(row);
    case FactsRole: {
        if (!step.enabled) return tr("off");
        const api::PassRow *done = runOf(row);
        if (!done) return QString();
        const QString changed = tr("%n change(s)", nullptr, done->changed);
        // Passes that take no time show none
        if (done->seconds < 0.005) return changed;
        return changed + QStringLiteral(" · ") + tr("%1 s").arg(QLocale().toString(done->seconds, 'f', 2));
    }
    case GainRole: {
        std::optional<double> before;
        const api::PassHistoryRow *entry = historyOf(row, &before);
        const auto after = entry ? worstSqnr(*entry) : std::nullopt;
        return after && before ? QVariant(*after - *before) : QVariant();
    }
    case BeginsRole: return traits(step.id).startsRounding();
    case OperationsRole: {
        QStringList names;
        if (const api::PassHistoryRow *entry = historyOf(row))
            for (const auto &operation : entry->operations) names.append(QString::fromStdString(operation.op));
        return names;
    }
    case Qt::CheckStateRole:
        return index.column() == Title ? QVariant(int(step.enabled ? Qt::Checked : Qt::Unchecked)) : QVariant();
    case Qt::TextAlignmentRole:
        return int((index.column() == Title ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::ToolTipRole: {
        if (index.column() == After) {
            const QString meaning = tr("SQNR of the worst output with the model quantized up to this pass, on the "
                                       "evaluation samples; below it, the change due to this pass.");
            return data(index, BeginsRole).toBool()
                       ? meaning + QLatin1Char(' ') +
                             tr("From here on weights or activations are rounded: the loss is the cost of low "
                                "precision, minus what earlier passes have saved.")
                       : meaning;
        }
        QStringList lines{data(index, ProblemRole).toString()};
        if (!lines.front().isEmpty()) lines.append(QString()); // a blank line
        if (const api::PassItem *pass = entry(step.id)) lines += {engineText(pass->title), engineText(pass->meaning)};
        return lines.join(QLatin1Char('\n')).trimmed();
    }
    case Qt::DisplayRole: break;
    default: return {};
    }
    switch (Column(index.column())) {
    case Title: {
        const api::PassItem *pass = entry(step.id);
        return pass && !pass->title.isEmpty() ? engineText(pass->title) : QString::fromStdString(step.id);
    }
    case After: {
        const api::PassHistoryRow *done = historyOf(row);
        const auto after = done ? worstSqnr(*done) : std::nullopt;
        return after ? decibelText(after) : QString();
    }
    case Gain: {
        const QVariant gain = data(index, GainRole);
        return gain.isValid() ? changeText(gain.toDouble()) : QString();
    }
    case Enabled: return step.enabled ? tr("on") : tr("off");
    case Changed: {
        const api::PassRow *done = runOf(row);
        return done ? QVariant(done->changed) : QVariant();
    }
    case Seconds: {
        const api::PassRow *done = runOf(row);
        return done ? QVariant(QLocale().toString(done->seconds, 'f', 3)) : QVariant();
    }
    case ColumnCount: break;
    }
    return {};
}

QVariant PassModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (Column(section)) {
    case Title: return tr("Pass");
    case After: return tr("Output SQNR");
    case Gain: return tr("Change");
    case Enabled: return tr("Runs");
    case Changed: return tr("Changes");
    case Seconds: return tr("Seconds");
    case ColumnCount: break;
    }
    return {};
}

bool PassModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (role != Qt::CheckStateRole || !index.isValid() || m_isReadOnly) return false;
    auto steps = m_steps;
    api::StepRequest &step = steps[std::size_t(index.row())];
    step.enabled = value.toInt() == Qt::Checked;
    const QString title = index.siblingAtColumn(Title).data().toString();
    Q_EMIT edited(step.enabled ? tr("Turn on %1").arg(title) : tr("Turn off %1").arg(title), steps);
    return true;
}

Qt::ItemFlags PassModel::flags(const QModelIndex &index) const
{
    if (m_isReadOnly) return index.isValid() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::NoItemFlags;
    if (!index.isValid()) return Qt::ItemIsDropEnabled;
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsDragEnabled | Qt::ItemNeverHasChildren;
    if (index.column() == Title) flags |= Qt::ItemIsUserCheckable;
    return flags;
}

QStringList PassModel::mimeTypes() const
{
    return {mimeType};
}

QMimeData *PassModel::mimeData(const QModelIndexList &indexes) const
{
    auto *data = new QMimeData;
    if (!indexes.isEmpty()) data->setData(mimeType, QByteArray::number(indexes.front().row()));
    return data;
}

bool PassModel::dropMimeData(const QMimeData *data, Qt::DropAction, int row, int, const QModelIndex &parent)
{
    if (!data->hasFormat(mimeType)) return false;
    const int from = data->data(mimeType).toInt();
    int to = row >= 0 ? row : parent.isValid() ? parent.row() : int(m_steps.size());
    if (from < 0 || from >= int(m_steps.size())) return false;
    auto steps = m_steps;
    const api::StepRequest moved = steps[std::size_t(from)];
    steps.erase(steps.begin() + from);
    if (to > from) --to;
    to = std::clamp(to, 0, int(steps.size()));
    steps.insert(steps.begin() + to, moved);
    Q_EMIT edited(tr("Move %1").arg(index(from, 0).data().toString()), steps);
    Q_EMIT movedTo(to);
    return false; // the view must not remove the old row: the edit comes back through the document
}

} // namespace ql
