#include "views/panels/platform_passes.h"

#include "views/bridge/engine_requests.h"
#include "views/panels/param_editor.h"
#include "views/panels/pipeline_panel.h"
#include "views/style/buttons.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QShortcut>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>

namespace ql {

using nlohmann::json;

PlatformPasses::PlatformPasses(Document &document, QWidget *parent)
    : QWidget(parent), m_document(document), m_model(new PassModel(document, this)), m_view(new QTreeView),
      m_tools(new QWidget), m_problem(new QLabel), m_menu(new QMenu(this)), m_params(new ParamEditor)
{
    m_view->setModel(m_model);
    m_view->setRootIsDecorated(false);
    m_view->setHeaderHidden(true);
    m_view->setDragDropMode(QAbstractItemView::InternalMove);
    m_view->setDefaultDropAction(Qt::MoveAction);
    m_view->setUniformRowHeights(true);
    m_view->setMinimumHeight(180);
    m_view->setAccessibleName(tr("Passes of the platform"));
    for (int column = 1; column < PassModel::ColumnCount; ++column) m_view->setColumnHidden(column, true);
    auto *add = textButton(tr("+ Add pass"), tr("Add a pass after the current one"));
    add->setMenu(m_menu);
    add->setPopupMode(QToolButton::InstantPopup);
    auto *up = textButton(QStringLiteral("↑"), tr("Move the pass up (Alt+Up)"));
    auto *down = textButton(QStringLiteral("↓"), tr("Move the pass down (Alt+Down)"));
    auto *drop = textButton(QStringLiteral("✕"), tr("Remove the pass (Delete)"));
    auto *tools = new QHBoxLayout(m_tools);
    tools->setContentsMargins(0, 0, 0, 0);
    tools->setSpacing(0);
    tools->addWidget(add);
    tools->addStretch();
    for (QToolButton *button : {up, down, drop}) tools->addWidget(button);
    auto *box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(4);
    box->addWidget(m_view);
    m_problem->setProperty("warn", true);
    m_problem->setWordWrap(true);
    box->addWidget(m_problem);
    box->addWidget(m_tools);
    box->addWidget(m_params);

    connect(up, &QToolButton::clicked, this, [this] { movePass(-1); });
    connect(down, &QToolButton::clicked, this, [this] { movePass(1); });
    connect(drop, &QToolButton::clicked, this, &PlatformPasses::removePass);
    const auto shortcut = [this](const QString &keys, const auto &act) {
        connect(new QShortcut(QKeySequence(keys), m_view, nullptr, nullptr, Qt::WidgetShortcut), &QShortcut::activated,
                this, act);
    };
    shortcut(QStringLiteral("Alt+Up"), [this] { movePass(-1); });
    shortcut(QStringLiteral("Alt+Down"), [this] { movePass(1); });
    shortcut(QStringLiteral("Del"), [this] { removePass(); });
    connect(m_menu, &QMenu::aboutToShow, this, [this] {
        fillPassMenu(
            *m_menu, m_document.requests().known().passes,
            [this](const api::StepRequest &step, const QString &, bool isFirst) { addPass(step.id, isFirst); });
    });
    connect(m_model, &PassModel::edited, this,
            [this](const QString &, const std::vector<api::StepRequest> &steps) { emitEdited(steps, currentRow()); });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, &PlatformPasses::showParams);
    connect(m_params, &ParamEditor::edited, this, [this](const QString &name, const json &value) {
        const int row = currentRow();
        if (row < 0) return;
        auto steps = m_model->steps();
        steps[std::size_t(row)].params[name.toStdString()] = value;
        emitEdited(steps, row);
    });
}

int PlatformPasses::currentRow() const
{
    return m_view->currentIndex().isValid() ? m_view->currentIndex().row() : -1;
}

void PlatformPasses::setPasses(const std::vector<api::StepRequest> &passes, bool isReadOnly)
{
    const int row = currentRow();
    m_isReadOnly = isReadOnly;
    m_model->showSteps(passes, m_isReadOnly);
    m_tools->setVisible(!isReadOnly);
    QStringList problems;
    for (int pass = 0; pass < m_model->rowCount(); ++pass)
        if (const QString text = m_model->index(pass, 0).data(PassModel::ProblemRole).toString(); !text.isEmpty())
            problems.append(m_model->index(pass, 0).data().toString() + QStringLiteral(": ") + text);
    m_problem->setText(problems.join(QLatin1Char('\n')));
    m_problem->setVisible(!problems.isEmpty());
    m_params->setEnabled(!m_isReadOnly);
    if (currentRow() < 0 && row >= 0)
        m_view->setCurrentIndex(m_model->index(std::min(row, m_model->rowCount() - 1), 0));
    showParams();
}

void PlatformPasses::emitEdited(const std::vector<api::StepRequest> &steps, int current)
{
    if (m_isReadOnly) return;
    Q_EMIT edited(steps); // comes back as setPasses()
    m_view->setCurrentIndex(m_model->index(current, 0));
}

void PlatformPasses::addPass(const std::string &id, bool isFirst)
{
    auto steps = m_model->steps();
    const int row = isFirst ? 0 : currentRow() < 0 ? int(steps.size()) : currentRow() + 1;
    api::StepRequest step;
    step.id = id; // with its own parameters: a fusion takes those of the platform
    steps.insert(steps.begin() + row, step);
    emitEdited(steps, row);
}

void PlatformPasses::movePass(int by)
{
    const int row = currentRow();
    auto steps = m_model->steps();
    if (row < 0 || row + by < 0 || row + by >= int(steps.size())) return;
    std::iter_swap(steps.begin() + row, steps.begin() + row + by);
    emitEdited(steps, row + by);
}

void PlatformPasses::removePass()
{
    const int row = currentRow();
    auto steps = m_model->steps();
    if (row < 0) return;
    steps.erase(steps.begin() + row);
    emitEdited(steps, std::min(row, int(steps.size()) - 1));
}

void PlatformPasses::showParams()
{
    const int row = currentRow();
    const bool has = row >= 0 && row < int(m_model->steps().size());
    m_params->setVisible(has);
    if (!has) return;
    const api::StepRequest &step = m_model->steps()[std::size_t(row)];
    const api::PassItem *pass = m_model->entry(step.id);
    m_params->setParams(pass ? pass->params : std::vector<api::ParamSpec>(), step.params);
}

} // namespace ql
