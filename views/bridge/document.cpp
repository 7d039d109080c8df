#include "views/bridge/document.h"

#include "views/bridge/engine_requests.h"
#include "views/bridge/problem_list.h"
#include "views/bridge/run_history.h"

#include <QDir>
#include <utility>

namespace ql {

Document::Document(EngineClient &engine, QObject *parent)
    : QObject(parent), m_hash(resultHashOf(m_recipe)), m_history(new RunHistory(*this)),
      m_problems(new ProblemList(*this)), m_requests(new EngineRequests(*this, engine))
{}

Document::~Document() = default;

QString Document::resultHashOf(const api::Recipe &recipe)
{
    api::Recipe plain = recipe;
    plain.exports.clear();
    plain.sha256.clear();
    // Parameters of disabled entries change nothing
    if (plain.passes) std::erase_if(*plain.passes, [](const api::StepRequest &pass) { return !pass.enabled; });
    return QString::fromStdString(api::recipeHash(plain));
}

api::Recipe Document::recipeFrom(const api::Recipe &recipe, const QString &folder) const
{
    return QDir(folder) == QDir(m_base) ? recipe : api::movedTo(recipe, folder.toStdString(), m_base.toStdString());
}

void Document::setRecipe(const api::Recipe &recipe)
{
    const bool sameGraph = api::sameGraph(recipe, m_recipe);
    // The inspection also checks whether the data fits
    const bool sameData = recipe.calibration == m_recipe.calibration && recipe.evaluation == m_recipe.evaluation;
    if (!isEmpty()) m_history->leave(m_hash);
    m_recipe = recipe;
    m_hash = resultHashOf(recipe);
    if (sameGraph) {
        const auto passes = m_complete.passes;
        const std::string dispatcher = m_complete.dispatcher;
        m_complete = recipe;
        if (!m_complete.passes) m_complete.passes = passes;
        if (m_complete.dispatcher.empty()) m_complete.dispatcher = dispatcher;
    }
    if (!sameGraph || !sameData) m_history->forgetInputs();
    m_requests->takeEdit(!sameGraph || !sameData);
    m_history->chooseRun();
    // Once: views build their content from the configs again
    if (!m_requests->hasOtherKnown()) m_history->announceConfigs();
    m_requests->runLive();
    Q_EMIT recipeChanged();
    m_requests->showKnown(); // announces its configs
}

void Document::close()
{
    m_requests->close();
    m_file.clear();
    m_base.clear();
    clear();
    m_complete = {};
    setRecipe({});
    Q_EMIT fileChanged();
}

void Document::clear()
{
    m_undo.clear();
    m_undo.setClean();
    m_inspection = {};
    m_configsOf.clear();
    m_history->clear();
    m_problems->clear();
    setSelection({}, {});
    Q_EMIT graphChanged();
    m_history->announce();
}

const QVector<ConfigInfo> &Document::inspectedConfigs() const
{
    static const QVector<ConfigInfo> none;
    return m_inspection.configs ? *m_inspection.configs : none;
}

void Document::setInspection(Inspection inspection, const api::Recipe &complete)
{
    m_inspection = std::move(inspection);
    m_complete = complete;
    m_configsOf.clear();
    const QVector<ConfigInfo> &configs = inspectedConfigs();
    for (int i = 0; i < configs.size(); ++i) m_configsOf[configs[i].operation].append(i);
    QStringList kept;
    for (const QString &op : m_selection)
        if (graph() && graph()->find(op) >= 0) kept.append(op);
    setSelection(kept, kept.contains(m_current) ? m_current : kept.value(0));
    Q_EMIT graphChanged();
    m_history->announceConfigs();
    Q_EMIT inspectionProblemsChanged();
}

void Document::setInspectionProblems(const QVector<ProblemInfo> &problems)
{
    m_inspection.problems = problems;
    Q_EMIT inspectionProblemsChanged();
}

void Document::setSelection(const QStringList &operations, const QString &current)
{
    const bool moved = current != m_current, changed = operations != m_selection;
    m_current = current;
    m_selection = operations;
    if (changed) Q_EMIT selectionChanged(m_selection);
    if (moved) Q_EMIT currentChanged(m_current);
}

} // namespace ql
