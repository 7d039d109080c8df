#include "views/panels/pipeline_panel.h"

#include "core/base/error.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/engine_text.h"
#include "views/bridge/run_history.h"
#include "views/bridge/saved_pipelines.h"
#include "views/commands/recipe_command.h"
#include "views/models/operation_model.h"
#include "views/panels/param_editor.h"
#include "views/panels/table_export.h"
#include "views/style/buttons.h"
#include "views/style/elided_label.h"
#include "views/style/strip.h"
#include "views/style/theme.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QMessageBox>
#include <QPainter>
#include <QScrollArea>
#include <QShortcut>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>
#include <algorithm>

namespace ql {

using nlohmann::json;

namespace {

/// Title, and below it the results of the run: amber for problems and costs, green for gains.
const QPair<int, QString> noPass(-1, {});

class PassDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &given, const QModelIndex &index) const override
    {
        QStyleOptionViewItem option = given;
        initStyleOption(&option, index);
        const Theme &theme = Theme::current();
        const QStyle *style = option.widget ? option.widget->style() : QApplication::style();
        QString title = std::exchange(option.text, QString());
        style->drawControl(QStyle::CE_ItemViewItem, &option, painter, option.widget);
        if (index.data(PassModel::IsStaleRole).toBool()) { // results of the run before the last edit
            painter->setBrushOrigin(0, 0);
            const int indent = index.column() == PassModel::Title ? 32 : 0;
            painter->fillRect(option.rect.adjusted(indent, 0, 0, 0), theme.staleBrush());
        }
        const bool on = index.siblingAtColumn(0).data(Qt::CheckStateRole).toInt() == Qt::Checked;
        const bool problem = !index.data(PassModel::ProblemRole).toString().isEmpty();
        const QVariant gain = index.data(PassModel::GainRole);
        QString below = index.column() == PassModel::Title ? index.data(PassModel::FactsRole).toString() : QString();
        QColor color = theme.dim;
        if (index.column() == PassModel::After && gain.isValid() && std::abs(gain.toDouble()) >= 0.05) {
            below = changeText(gain.toDouble());
            const bool isHurt = gain.toDouble() < 0 && !index.data(PassModel::BeginsRole).toBool();
            color = gain.toDouble() > 0 ? theme.good : isHurt ? theme.amber : theme.dim;
        }
        QRect area = option.rect.adjusted(index.column() == PassModel::Title ? 32 : 4, 3, -6, -3);
        int align = index.column() == PassModel::Title ? Qt::AlignLeft : Qt::AlignRight;
        QFont font = textFont();
        painter->save();
        painter->setClipRect(option.rect, Qt::IntersectClip);
        // A title that is alone in its row continues in the next column
        const auto *view = qobject_cast<const QTreeView *>(option.widget);
        if (view && index.siblingAtColumn(PassModel::After).data().toString().isEmpty()) {
            if (index.column() == PassModel::Title) {
                area.setRight(area.right() + view->columnWidth(PassModel::After));
            } else {
                const QModelIndex name = index.siblingAtColumn(PassModel::Title);
                title = name.data().toString();
                below = name.data(PassModel::FactsRole).toString();
                area.setLeft(area.left() - 4 - view->columnWidth(PassModel::Title) + 32);
                align = Qt::AlignLeft;
            }
        }
        painter->setFont(font);
        painter->setPen(problem ? theme.amber : on ? theme.text : theme.dim);
        const int half = area.height() / 2;
        const QRect upper(area.left(), area.top(), area.width(), below.isEmpty() ? area.height() : half);
        painter->drawText(upper, align | Qt::AlignVCenter,
                          painter->fontMetrics().elidedText(title, Qt::ElideRight, area.width()));
        font.setPixelSize(11);
        painter->setFont(font);
        painter->setPen(color);
        painter->drawText(QRect(area.left(), area.top() + half, area.width(), half), align | Qt::AlignVCenter,
                          painter->fontMetrics().elidedText(below, Qt::ElideRight, area.width()));
        painter->restore();
    }
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        return {QStyledItemDelegate::sizeHint(option, index).width(), 38};
    }
};

} // namespace

PipelinePanel::PipelinePanel(Document &document, QWidget *parent)
    : QWidget(parent), m_document(document), m_model(new PassModel(document, this)), m_view(new QTreeView)
{
    m_view->setModel(m_model);
    m_view->setRootIsDecorated(false);
    m_view->setHeaderHidden(true);
    m_view->setItemDelegate(new PassDelegate(m_view));
    m_view->setDragDropMode(QAbstractItemView::InternalMove);
    m_view->setDragEnabled(true);
    m_view->setAcceptDrops(true);
    m_view->setDropIndicatorShown(true);
    m_view->setDefaultDropAction(Qt::MoveAction);
    m_view->setUniformRowHeights(true);
    m_view->header()->setStretchLastSection(false);
    m_view->header()->setSectionResizeMode(PassModel::Title, QHeaderView::Stretch);
    m_view->header()->setMinimumSectionSize(20);
    m_view->header()->setSectionResizeMode(PassModel::After, QHeaderView::Fixed);
    m_view->header()->resizeSection(PassModel::After, 74);
    for (int column = PassModel::Gain; column < PassModel::ColumnCount; ++column) m_view->setColumnHidden(column, true);
    m_view->setAccessibleName(tr("Pass pipeline"));
    attachTableMenu(*m_view, QStringLiteral("passes"));

    m_origin = new ElidedLabel;
    m_origin->setProperty("dim", true);
    makeTools();
    makeLayout();
    connectAll();
}

void PipelinePanel::makeTools()
{
    m_addMenu = new QMenu(tr("Add a pass"), this);
    m_moreMenu = new QMenu(tr("Pass pipeline"), this);
    m_pipelineMenu = m_moreMenu->addMenu(tr("Pipelines"));
    connect(m_pipelineMenu, &QMenu::aboutToShow, this, &PipelinePanel::fillPipelineMenu);
    m_moreMenu->addSeparator();
    const auto command = [this](const QString &icon, const QString &text, const auto &act) {
        QAction *action = m_moreMenu->addAction(lineIcon(icon), text);
        connect(action, &QAction::triggered, this, act);
        return action;
    };
    const auto move = [this](int by) {
        const int row = currentRow();
        auto steps = m_model->steps();
        if (row < 0 || row + by < 0 || row + by >= int(steps.size())) return;
        std::iter_swap(steps.begin() + row, steps.begin() + row + by);
        apply(tr("Move %1").arg(m_title->text()), steps);
        select(row + by);
    };
    m_up = command(QStringLiteral("up"), tr("Move the pass up"), [move] { move(-1); });
    m_up->setShortcut(QKeySequence(QStringLiteral("Alt+Up")));
    m_down = command(QStringLiteral("down"), tr("Move the pass down"), [move] { move(1); });
    m_down->setShortcut(QKeySequence(QStringLiteral("Alt+Down")));
    m_duplicate = command(QStringLiteral("copy"), tr("Duplicate the pass"), [this] {
        const int row = currentRow();
        if (row < 0) return;
        auto steps = m_model->steps();
        steps.insert(steps.begin() + row + 1, steps[std::size_t(row)]);
        apply(tr("Duplicate %1").arg(m_title->text()), steps);
        select(row + 1);
    });
    m_remove = command(QStringLiteral("close"), tr("Remove the pass"), [this] {
        const int row = currentRow();
        if (row < 0) return;
        auto steps = m_model->steps();
        steps.erase(steps.begin() + row);
        apply(tr("Remove %1").arg(m_title->text()), steps);
        select(std::min(row, int(steps.size()) - 1));
    });
    m_remove->setShortcut(QKeySequence::Delete);
    m_remove->setShortcutContext(Qt::WidgetShortcut); // in the list, not in the fields of its parameters
    m_view->addAction(m_remove);
    addActions({m_up, m_down}); // their keys, while the menu is closed
    m_moreMenu->addSeparator();
    m_reset = command(QStringLiteral("reset"), tr("Restore the platform's pipeline"), [this] {
        editRecipe(m_document, tr("The platform's pipeline"), [](api::Recipe &recipe) { recipe.passes.reset(); });
    });
    auto *strip = new Strip;
    strip->row()->setContentsMargins(0, 0, 0, 0);
    strip->row()->setSpacing(0);
    strip->row()->addStretch();
    strip->row()->addWidget(menuButton(QStringLiteral("plus"), tr("Add a pass after the current one"), *m_addMenu));
    strip->row()->addWidget(
        menuButton(QStringLiteral("more"), tr("Order of the passes, saved pipelines"), *m_moreMenu));
    m_tools = strip;
}

void PipelinePanel::makeLayout()
{
    auto *paramBody = new QWidget;
    auto *paramBox = new QVBoxLayout(paramBody);
    paramBox->setContentsMargins(12, 8, 12, 8);
    m_title = new QLabel;
    m_title->setProperty("heading", true);
    m_meaning = new QLabel;
    m_meaning->setWordWrap(true);
    m_meaning->setProperty("dim", true);
    m_problem = new QLabel;
    m_problem->setWordWrap(true);
    m_problem->setProperty("warn", true);
    m_params = new ParamEditor;
    m_facts = new QLabel;
    m_facts->setWordWrap(true);
    m_facts->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    m_facts->setObjectName(QStringLiteral("passFacts"));
    for (QWidget *w : std::initializer_list<QWidget *>{m_title, m_problem, m_facts, m_meaning, m_params})
        paramBox->addWidget(w);
    paramBox->addStretch();
    auto *paramScroll = new QScrollArea;
    m_details = paramScroll;
    paramScroll->setWidgetResizable(true);
    paramScroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    paramScroll->setWidget(paramBody);

    auto *upper = new QWidget;
    auto *upperBox = new QVBoxLayout(upper);
    upperBox->setContentsMargins(0, 6, 0, 0);
    upperBox->setSpacing(4);
    auto *originRow = new QHBoxLayout;
    originRow->setContentsMargins(12, 0, 12, 0);
    originRow->addWidget(m_origin);
    upperBox->addLayout(originRow);
    upperBox->addWidget(m_view, 1);
    m_splitter = new QSplitter(Qt::Vertical);
    m_splitter->setHandleWidth(1);
    m_splitter->addWidget(upper);
    m_splitter->addWidget(paramScroll);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setChildrenCollapsible(false);
    connect(m_splitter, &QSplitter::splitterMoved, this, [this] { m_isSplitByUser = true; });
    auto *box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    box->addWidget(m_tools);
    box->addWidget(m_splitter, 1);
}

void PipelinePanel::connectAll()
{
    connect(m_model, &PassModel::edited, this, &PipelinePanel::apply);
    // The view makes the row under the pointer current when the drop has ended
    connect(m_model, &PassModel::movedTo, this, &PipelinePanel::select, Qt::QueuedConnection);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, &PipelinePanel::showParams);
    const auto changed = [this] {
        m_tools->setEnabled(!m_document.isEmpty());
        m_origin->setText(m_document.recipe().passes
                              ? tr("pipeline of this recipe")
                              : tr("%1 default").arg(QString::fromStdString(m_document.recipe().platform)));
        m_reset->setEnabled(m_document.recipe().passes.has_value());
        m_origin->setVisible(!m_document.isEmpty());
        showParams();
    };
    // A click or Enter, not every step of the keyboard: the graph shows the pass's changes
    const auto mark = [this](const QModelIndex &index) {
        const QStringList operations = index.data(PassModel::OperationsRole).toStringList();
        const QPair<int, QString> pass(index.row(), index.siblingAtColumn(0).data().toString());
        m_marked = m_marked == pass || operations.isEmpty() ? noPass : pass;
        Q_EMIT markRequested(m_marked == noPass ? QStringList() : operations);
        showFacts();
    };
    connect(m_view, &QTreeView::clicked, this, mark);
    // Not activated(): a double click, whose clicks are two, would be a third
    for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Enter}) {
        auto *enter = new QShortcut(QKeySequence(key), m_view);
        enter->setContext(Qt::WidgetShortcut);
        connect(enter, &QShortcut::activated, this, [this, mark] { mark(m_view->currentIndex()); });
    }
    connect(m_facts, &QLabel::linkActivated, this, [this] {
        m_marked = noPass;
        Q_EMIT markRequested({});
        showFacts();
    });
    const auto results = [this] {
        const QString title = m_model->index(m_marked.first, 0).data().toString(); // another one if passes have moved
        if (m_marked != noPass && (!m_document.history().passHistory() || title != m_marked.second)) {
            m_marked = noPass;
            Q_EMIT markRequested({});
        }
        showFacts();
    };
    connect(&m_document.history(), &RunHistory::passHistoryChanged, this, results);
    connect(&m_document.history(), &RunHistory::shownChanged, this, results);
    connect(&m_document, &Document::recipeChanged, this, changed);
    connect(m_model, &QAbstractItemModel::modelReset, this, results);
    connect(&m_document, &Document::graphChanged, this, changed);
    connect(&m_document.requests(), &EngineRequests::catalogueChanged, this, [this, changed] {
        fillAddMenu();
        changed();
    });
    connect(m_params, &ParamEditor::edited, this, [this](const QString &name, const json &value) {
        const int row = currentRow();
        if (row < 0) return;
        auto steps = m_model->steps();
        steps[std::size_t(row)].params[name.toStdString()] = value;
        apply(tr("%1 of %2").arg(engineText(readableName(name.toStdString())), m_title->text()), steps);
    });
    changed();
}

int PipelinePanel::currentRow() const
{
    return m_view->currentIndex().isValid() ? m_view->currentIndex().row() : -1;
}

void PipelinePanel::select(int row)
{
    if (row >= 0 && row < m_model->rowCount()) m_view->setCurrentIndex(m_model->index(row, 0));
}

void PipelinePanel::apply(const QString &what, const std::vector<api::StepRequest> &steps)
{
    const int row = currentRow();
    try {
        editRecipe(m_document, what, [&](api::Recipe &recipe) { recipe.passes = steps; });
    } catch (const Error &error) {
        QMessageBox::warning(this, what, exceptionText(error));
    }
    select(row);
}

void PipelinePanel::fitDetails()
{
    if (m_isSplitByUser || m_details->isHidden() || height() < 1) return;
    // As high as their content needs, so that the list keeps the rest
    QWidget *body = m_details->widget();
    body->layout()->activate();
    const int wanted = body->layout()->totalHeightForWidth(m_details->viewport()->width());
    const int details = std::min(wanted + 4, height() * 2 / 5);
    m_splitter->setSizes({height() - details, details});
}

void PipelinePanel::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fitDetails();
}

void PipelinePanel::showFacts()
{
    const int row = currentRow();
    const QModelIndex index = row >= 0 && row < m_model->rowCount() ? m_model->index(row, 0) : QModelIndex();
    QStringList parts;
    if (index.isValid() && m_document.history().shown()) {
        const QStringList operations = index.data(PassModel::OperationsRole).toStringList();
        const QString facts = index.data(PassModel::FactsRole).toString();
        if (!facts.isEmpty() && index.data(Qt::CheckStateRole).toInt() == Qt::Checked) parts.append(facts);
        if (!operations.isEmpty()) parts.append(tr("in %n operation(s)", nullptr, int(operations.size())));
        const QString after = index.siblingAtColumn(PassModel::After).data().toString();
        const QVariant gain = index.data(PassModel::GainRole);
        if (!after.isEmpty()) parts.append(tr("output SQNR %1").arg(after));
        if (gain.isValid()) parts.append(tr("change %1").arg(changeText(gain.toDouble())));
    }
    QString text = parts.join(QStringLiteral(" · ")).toHtmlEscaped();
    if (!text.isEmpty() && m_document.history().isStale()) text = tr("before the edit: %1").arg(text);
    if (index.isValid() && m_marked == QPair<int, QString>(index.row(), index.siblingAtColumn(0).data().toString()))
        text += QStringLiteral("<br>") + tr("Marked in the graph. <a href=\"clear\">Clear</a>");
    m_facts->setText(text);
    m_facts->setVisible(!text.isEmpty());
}

void PipelinePanel::savePipeline(const QString &name)
{
    try {
        if (savedPipelines::names().contains(name) &&
            QMessageBox::question(this, tr("Save pipeline"), tr("Replace the saved pipeline '%1'?").arg(name)) !=
                QMessageBox::Yes)
            return;
        savedPipelines::save(name, m_model->steps());
    } catch (const Error &error) {
        QMessageBox::warning(this, tr("Save pipeline"), exceptionText(error));
    }
}

void PipelinePanel::loadPipeline(const QString &name)
{
    try {
        apply(tr("Pipeline %1").arg(name), savedPipelines::load(name));
    } catch (const Error &error) {
        QMessageBox::warning(this, tr("Pipeline %1").arg(name), exceptionText(error));
    }
}

void PipelinePanel::fillPipelineMenu()
{
    for (QMenu *before : m_pipelineMenu->findChildren<QMenu *>()) before->deleteLater(); // clear() leaves them
    m_pipelineMenu->clear();
    const QStringList names = savedPipelines::names();
    for (const QString &name : names) m_pipelineMenu->addAction(name, this, [this, name] { loadPipeline(name); });
    if (!names.isEmpty()) m_pipelineMenu->addSeparator();
    QAction *save = m_pipelineMenu->addAction(tr("Save this pipeline as…"), this, [this] {
        const QString name = QInputDialog::getText(this, tr("Save pipeline"), tr("Name of the pipeline")).trimmed();
        if (!name.isEmpty()) savePipeline(name);
    });
    save->setEnabled(m_model->rowCount() > 0);
    QAction *measure = m_pipelineMenu->addAction(tr("Measure the output after each pass"), this,
                                                 [this] { m_document.requests().requestPassHistory(); });
    measure->setEnabled(!m_document.isEmpty());
    if (names.isEmpty()) return;
    QMenu *remove = m_pipelineMenu->addMenu(tr("Remove"));
    for (const QString &name : names)
        remove->addAction(name, this, [this, name] {
            if (QMessageBox::question(this, tr("Remove pipeline"),
                                      tr("Remove the saved pipeline '%1'? This cannot be undone.").arg(name)) ==
                QMessageBox::Yes)
                savedPipelines::remove(name);
        });
}

void fillPassMenu(QMenu &menu, const std::vector<api::PassItem> &passes,
                  const std::function<void(const api::StepRequest &, const QString &, bool)> &add)
{
    menu.clear();
    menu.setToolTipsVisible(true);
    using Kind = api::PassKind;
    for (const Kind kind : {Kind::Float, Kind::Quant, Kind::Format}) {
        menu.addSection(kind == Kind::Float   ? PipelinePanel::tr("Float graph")
                        : kind == Kind::Quant ? PipelinePanel::tr("Quantization")
                                              : PipelinePanel::tr("Format"));
        for (const api::PassItem &pass : passes) {
            if (pass.traits.kind != kind) continue;
            const QString title = engineText(pass.title);
            auto *action = menu.addAction(title);
            action->setToolTip(engineText(pass.meaning));
            api::StepRequest step;
            step.id = pass.id;
            step.params = api::defaultParams(pass.params);
            QObject::connect(action, &QAction::triggered, &menu,
                             [add, step, title, kind] { add(step, title, kind != Kind::Quant); });
        }
    }
}

void PipelinePanel::fillAddMenu()
{
    if (!m_document.requests().catalogue()) return m_addMenu->clear();
    fillPassMenu(*m_addMenu, m_document.requests().known().passes,
                 [this](const api::StepRequest &step, const QString &title, bool isFirst) {
                     auto steps = m_model->steps();
                     // At the start, where it runs anyway; a quantization pass after the current one
                     const int row = isFirst ? 0 : currentRow() < 0 ? int(steps.size()) : currentRow() + 1;
                     steps.insert(steps.begin() + row, step);
                     apply(tr("Add %1").arg(title), steps);
                     select(row);
                 });
}

void PipelinePanel::showParams()
{
    const int row = currentRow();
    const bool has = row >= 0 && row < int(m_model->steps().size());
    for (QWidget *w : std::initializer_list<QWidget *>{m_title, m_meaning, m_params}) w->setVisible(has);
    m_details->setVisible(has); // the list keeps its place until a pass is selected
    for (QAction *action : {m_up, m_down, m_duplicate, m_remove}) action->setEnabled(has);
    m_problem->setVisible(false);
    showFacts();
    if (!has) return;
    const api::StepRequest &step = m_model->steps()[std::size_t(row)];
    const api::PassItem *pass = m_model->entry(step.id);
    m_title->setText(m_model->index(row, 0).data().toString());
    m_meaning->setText(pass ? engineText(pass->meaning) : QString());
    const QString problem = m_model->index(row, 0).data(PassModel::ProblemRole).toString();
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    std::vector<api::ParamSpec> specs = pass ? pass->params : std::vector<api::ParamSpec>();
    for (api::ParamSpec &spec : specs) {
        if (spec.type != "observer") continue;
        const json chosen = api::paramOf(step.params, spec);
        spec.choices.clear(); // values that this model's tensors allow, and the current one
        for (const api::ObserverItem &observer : m_document.requests().known().observers)
            if (chosen == observer.id || m_model->operationsNotServed(step, observer).isEmpty())
                spec.choices.push_back(observer.id);
    }
    m_params->setParams(specs, step.params);
    QTimer::singleShot(0, this, &PipelinePanel::fitDetails); // when its new fields have their style
}

} // namespace ql
