#include "views/panels/inspector.h"

#include "core/base/error.h"
#include "core/base/strings.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/engine_text.h"
#include "views/bridge/platform_item.h"
#include "views/bridge/run_history.h"
#include "views/models/operation_model.h"
#include "views/panels/config_form.h"
#include "views/panels/scale_group_card.h"
#include "views/panels/table_export.h"
#include "views/style/elided_label.h"
#include "views/style/labels.h"
#include "views/style/theme.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>
#include <QTabBar>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace ql {

using nlohmann::json;

static QLabel *wrappedLabel()
{
    auto *label = new QLabel;
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

static QWidget *card(const char *kind)
{
    auto *frame = new QFrame;
    frame->setProperty(kind, true);
    auto *box = new QVBoxLayout(frame);
    box->setContentsMargins(10, 8, 10, 8);
    box->setSpacing(5);
    return frame;
}

Inspector::Inspector(Document &document, QWidget *parent) : QWidget(parent), m_document(document)
{
    setMinimumWidth(290);
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto *scroll = new QScrollArea;
    scroll->setAccessibleName(tr("Inspector"));
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    outer->addWidget(scroll);
    // As wide as the dock, regardless of its content
    class Body : public QWidget
    {
    public:
        QSize minimumSizeHint() const override { return {0, QWidget::minimumSizeHint().height()}; }
    };
    m_body = new Body;
    scroll->setWidget(m_body);
    auto *box = new QVBoxLayout(m_body);
    box->setContentsMargins(12, 8, 12, 10);
    box->setSpacing(5);

    makeTexts();
    QWidget *where = makePlatformRow(), *scopeRow = makeScopeRow();
    m_tabs = new QTabBar;
    m_tabs->setExpanding(false);
    m_tabs->setProperty("compact", true);
    m_tabs->setDrawBase(false);
    m_tabs->setUsesScrollButtons(true);
    m_tabs->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_tabs->setAccessibleName(tr("Inputs, parameters and outputs"));
    m_formHolder = new QWidget;
    new QVBoxLayout(m_formHolder);
    m_formHolder->layout()->setContentsMargins(0, 0, 0, 0);
    makeAttributes();
    m_groupCard = new ScaleGroupCard;

    for (QWidget *widget : std::initializer_list<QWidget *>{m_title, m_subtitle, m_empty, m_whyCard, where, scopeRow,
                                                            m_error, m_tabs, m_groupCard, m_formHolder, m_attributes})
        box->addWidget(widget);
    box->addStretch(1);
    connectAll(*scroll);
    refresh();
}

void Inspector::makeTexts()
{
    m_title = new ElidedLabel({}, Qt::ElideMiddle);
    m_title->setTextInteractionFlags(Qt::TextSelectableByMouse);
    QFont titleFont = textFont(true);
    titleFont.setPixelSize(13);
    m_title->setFont(titleFont);
    m_subtitle = wrappedLabel();
    m_subtitle->setProperty("dim", true);
    m_empty = dimLabel(tr("Select an operation in the graph, the table or the error chart."));
    m_empty->setWordWrap(true);
    m_whyCard = card("card");
    m_why = wrappedLabel();
    m_whyCard->layout()->addWidget(m_why);
    m_error = wrappedLabel();
    m_error->setObjectName(QStringLiteral("error"));
    m_error->setProperty("warn", true);
    m_error->hide();
}

QWidget *Inspector::makePlatformRow()
{
    auto *where = new QWidget;
    auto *whereBox = new QHBoxLayout(where);
    whereBox->setContentsMargins(0, 0, 0, 0);
    m_platform = new QComboBox;
    m_platform->setAccessibleName(tr("Platform of the operation"));
    m_platform->setObjectName(QStringLiteral("platformOfOperation"));
    m_platform->setMinimumContentsLength(8);
    m_platform->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_platformSetBy = dimLabel();
    auto *runsOn = dimLabel(tr("Runs on"));
    runsOn->setFixedWidth(ConfigForm::labelWidth);
    whereBox->setSpacing(ConfigForm::labelGap);
    whereBox->addWidget(runsOn);
    whereBox->addWidget(m_platform, 1);
    whereBox->addWidget(m_platformSetBy);
    return where;
}

QWidget *Inspector::makeScopeRow()
{
    auto *scopeRow = new QWidget;
    auto *scopeBox = new QGridLayout(scopeRow);
    scopeBox->setContentsMargins(0, 0, 0, 0);
    scopeBox->setColumnStretch(1, 1);
    scopeBox->setColumnMinimumWidth(0, ConfigForm::labelWidth);
    scopeBox->setHorizontalSpacing(ConfigForm::labelGap);
    m_reset = new QPushButton(tr("Reset"));
    m_reset->setToolTip(
        tr("Resets this slot to the platform's values: removes your settings for the operations in scope."));
    m_scope = new QComboBox;
    m_scope->setAccessibleName(tr("Scope of edits"));
    m_scope->setObjectName(QStringLiteral("scope"));
    m_scope->setMinimumContentsLength(8);
    m_scope->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_pattern = new QLineEdit;
    m_pattern->setPlaceholderText(tr("name pattern, e.g. block?_conv*"));
    m_pattern->setAccessibleName(tr("Name pattern"));
    m_scopeText = new ElidedLabel;
    m_scopeText->setProperty("dim", true);
    scopeBox->addWidget(dimLabel(tr("Edits for")), 0, 0);
    scopeBox->addWidget(m_scope, 0, 1);
    scopeBox->addWidget(m_reset, 0, 2);
    scopeBox->addWidget(m_pattern, 1, 1, 1, 2);
    scopeBox->addWidget(m_scopeText, 2, 1, 1, 2);
    return scopeRow;
}

void Inspector::makeAttributes()
{
    m_attributes = new QTableWidget;
    m_attributes->setColumnCount(2);
    m_attributes->setHorizontalHeaderLabels({tr("Attribute"), tr("Value")});
    m_attributes->horizontalHeader()->setVisible(false);
    m_attributes->verticalHeader()->setVisible(false);
    m_attributes->verticalHeader()->setDefaultSectionSize(24);
    m_attributes->horizontalHeader()->setStretchLastSection(true);
    m_attributes->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_attributes->setShowGrid(false);
    m_attributes->setWordWrap(false);
    attachTableMenu(*m_attributes, QStringLiteral("attributes"));
    m_attributes->setTextElideMode(Qt::ElideRight); // type and shape precede the name
    m_attributes->setAccessibleName(tr("Attributes"));
}

void Inspector::connectAll(QScrollArea &scroll)
{
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int tab) {
        if (!m_isFilling && m_tabs->count() > 1) m_tab = m_tabs->tabText(tab);
        refreshSlot();
        if (const int at = slot(); !m_isFilling && at >= 0) {
            const ConfigInfo &config = m_document.history().configs()[at];
            m_document.chooseSlot(config.operation, config.role, config.index);
        }
    });
    connect(m_platform, &QComboBox::activated, this, [this] {
        if (!m_document.graph()) return;
        const QStringList names = operationsIn(scope(), *m_document.graph());
        send(names, m_platform->currentData().toString());
        if (names.isEmpty()) showError(tr("The pattern matches no operation."));
        refresh(); // default dispatch, if nothing was set
    });
    connect(m_scope, &QComboBox::activated, this, [this, &scroll] {
        choose(chosen());
        if (m_pattern->isHidden()) return;
        m_pattern->setFocus();
        m_body->layout()->activate();
        scroll.ensureWidgetVisible(m_pattern);
    });
    connect(m_pattern, &QLineEdit::textChanged, this, &Inspector::refreshScope);
    connect(m_reset, &QPushButton::clicked, this, [this] { reset(m_document.current(), {}); });
    connect(m_groupCard, &ScaleGroupCard::chosen, &m_document, &Document::setCurrent);
    connect(m_groupCard, &ScaleGroupCard::allChosen, this, [this] {
        if (slot() < 0) return;
        m_document.setSelection(groupOperations(), m_document.current());
        choose(Group);
    });
    connect(&m_document, &Document::slotChosen, this, [this](const QString &operation, api::SlotRole role, int index) {
        if (operation == m_document.current()) showSlot(role, index);
    });
    connect(&m_document, &Document::currentChanged, this, [this] {
        showError({}); // was about another one
        m_chosen = scopeOfSelection();
        refresh();
    });
    connect(&m_document, &Document::selectionChanged, this, [this] { choose(scopeOfSelection()); });
    // In visual order, which differs from the order of creation
    QWidget *above = m_platform;
    for (QWidget *next : std::initializer_list<QWidget *>{m_scope, m_reset, m_pattern, m_tabs}) {
        setTabOrder(above, next);
        above = next;
    }
    connect(&m_document.history(), &RunHistory::configsChanged, this, &Inspector::refresh); // also after a new graph
    connect(&m_document.requests(), &EngineRequests::catalogueChanged, this, &Inspector::refresh);
}

int Inspector::slot() const
{
    const int tab = m_tabs->currentIndex();
    // Configs may be gone already, before the signal arrives
    const bool isThere = tab >= 0 && tab < m_slots.size() && m_slots[tab] < m_document.history().configs().size();
    return isThere ? m_slots[tab] : -1;
}

void Inspector::showSlot(api::SlotRole role, int index)
{
    for (int i = 0; i < m_slots.size(); ++i) {
        if (m_slots[i] >= m_document.history().configs().size()) break;
        const ConfigInfo &config = m_document.history().configs()[m_slots[i]];
        if (config.role == role && config.index == index) m_tabs->setCurrentIndex(i);
    }
}

void Inspector::showError(const QString &text)
{
    m_error->setText(text);
    m_error->setVisible(!text.isEmpty());
}

void Inspector::choose(Chosen what)
{
    m_chosen = what;
    refreshScope();
}

void Inspector::refreshScope()
{
    if (!m_document.graph()) return;
    const int op = m_document.graph()->find(m_document.current());
    if (op < 0) return;
    const int count = int(m_document.selection().size()), sharing = int(groupSlots().size());
    m_scope->blockSignals(true);
    m_scope->clear();
    m_scope->addItem(tr("this operation"), This);
    if (count > 1) m_scope->addItem(tr("the selection (%n)", nullptr, count), Selection);
    if (sharing > 1) m_scope->addItem(tr("the scale group (%n slot(s))", nullptr, sharing), Group);
    m_scope->addItem(tr("every %1").arg(m_document.graph()->operations[op].type), Type);
    m_scope->addItem(tr("a name pattern"), Pattern);
    m_scope->setCurrentIndex(std::max(0, m_scope->findData(int(m_chosen))));
    m_scope->blockSignals(false);
    m_pattern->setVisible(chosen() == Pattern);
    const bool isWider = chosen() != This;
    m_scopeText->setVisible(isWider);
    const QStringList matched = isWider ? operationsIn(scope(), *m_document.graph()) : QStringList();
    markScope(matched);
    if (!isWider) return;
    const QStringList names = editedOperations();
    QString text = matched.isEmpty() ? tr("matches no operation")
                                     : tr("%n operation(s): %1", nullptr, int(matched.size()))
                                           .arg(matched.mid(0, 4).join(QStringLiteral(", ")) +
                                                (matched.size() > 4 ? QStringLiteral(" …") : QString()));
    // The platform applies to all of them, a field to those that have the tensor
    if (!matched.isEmpty() && names.size() < matched.size())
        text = (names.isEmpty() ? tr("no such quantized tensor in %1")
                                : tr("this tensor in %n of %1", nullptr, int(names.size())))
                   .arg(text);
    m_scopeText->setText(text);
    m_scopeText->setToolTip(matched.mid(0, 60).join(QLatin1Char('\n')) +
                            (matched.size() > 60 ? QStringLiteral("\n…") : QString()));
}

void Inspector::markScope(const QStringList &names)
{
    if (names == m_marked) return;
    m_marked = names;
    Q_EMIT markRequested(names);
}

void Inspector::refresh()
{
    const GraphPtr &graph = m_document.graph();
    const int at = graph ? graph->find(m_document.current()) : -1;
    for (QWidget *child : m_body->findChildren<QWidget *>(QString(), Qt::FindDirectChildrenOnly))
        child->setVisible(at >= 0 && child != m_empty && (child != m_error || !m_error->text().isEmpty()));
    m_empty->setVisible(at < 0);
    if (at < 0) {
        m_slots.clear(); // of configs that no longer exist
        markScope({});
        return;
    }
    const OperationInfo &op = graph->operations[at];
    m_title->setText(op.name.isEmpty() ? op.type : op.name);
    m_title->setToolTip(op.name);
    QStringList facts{op.type, op.platform};
    if (const QString shape = graph->outputShape(op); !shape.isEmpty()) facts.append(shapeText(shape));
    if (const QString details = graph->essentials(op); !details.isEmpty()) facts.append(details);
    facts.removeAll(QString());
    m_subtitle->setText(facts.join(QStringLiteral(" · ")));
    refreshPlatform(op);
    refreshTabs(op);
    refreshAttributes(op);
    refreshSlot();
    refreshScope();
}

void Inspector::refreshPlatform(const OperationInfo &op)
{
    const GraphPtr &graph = m_document.graph();
    QString sentTo; // by the recipe, which the graph may not reflect yet
    for (const api::Rule &rule : m_document.recipe().dispatch)
        if (rule.match.op == globEscaped(op.name.toStdString())) sentTo = QString::fromStdString(rule.set.platform);
    const bool overridden = !sentTo.isEmpty();
    const QString what = op.isQuantized ? tr("Why is it quantized?") : tr("Why %1?").arg(op.platform);
    m_why->setText(QStringLiteral("<b>%1</b> %2").arg(what.toHtmlEscaped(), op.reason.toHtmlEscaped()) +
                   (graph->unsupported.contains(op.name) ? QStringLiteral("<br><b>%1</b> %2")
                                                               .arg(tr("Not supported:").toHtmlEscaped(),
                                                                    graph->unsupported.value(op.name).toHtmlEscaped())
                                                         : QString()));
    const bool isInBody = op.body >= 0;
    if (isInBody) m_why->setText(tr("Part of the body of an If, Loop or Scan: %1.").arg(op.reason.toHtmlEscaped()));
    m_platform->setEnabled(!isInBody);
    m_platform->blockSignals(true);
    m_platform->clear();
    m_platform->addItem(tr("default"), QString());
    const QString target = QString::fromStdString(m_document.recipe().platform);
    QStringList platforms{target, QStringLiteral("FP32")};
    for (const api::PlatformItem &platform : platformItems(m_document))
        if (const QString id = QString::fromStdString(platform.id); !platforms.contains(id)) platforms.append(id);
    for (const QString &id : platforms) m_platform->addItem(id, id);
    m_platform->setCurrentIndex(overridden ? std::max(0, m_platform->findData(sentTo)) : 0);
    if (!overridden) m_platform->setItemText(0, op.platform);
    m_platform->setProperty("edited", overridden);
    repolish(*m_platform);
    m_platform->blockSignals(false);
    m_platformSetBy->setText(overridden || op.isByOverride ? tr("you") : tr("dispatcher"));
    m_platformSetBy->setToolTip(op.reason);
}

void Inspector::refreshTabs(const OperationInfo &op)
{
    const GraphPtr &graph = m_document.graph();
    // Output first, then weights, inputs, biases; the selected tab stays open
    m_isFilling = true;
    while (m_tabs->count() > 0) m_tabs->removeTab(0);
    m_slots = m_document.history().configsOf(op.name);
    const QVector<ConfigInfo> &configs = m_document.history().configs();
    const auto weight = [&](int i) {
        return configs[i].role == api::SlotRole::Output      ? 0
               : configs[i].role == api::SlotRole::Parameter ? 2 + configs[i].index
                                                             : 1;
    };
    std::stable_sort(m_slots.begin(), m_slots.end(), [&](int a, int b) { return weight(a) < weight(b); });
    for (const int i : m_slots) {
        const int tab = m_tabs->addTab(slotTitle(*graph, op, configs[i].role, configs[i].index));
        m_tabs->setTabToolTip(tab, configs[i].variable);
    }
    m_tabs->addTab(tr("Attributes"));
    for (int i = 0; i < m_tabs->count(); ++i)
        if (m_tabs->tabText(i) == m_tab) m_tabs->setCurrentIndex(i);
    m_isFilling = false;
}

void Inspector::refreshAttributes(const OperationInfo &op)
{
    const GraphPtr &graph = m_document.graph();
    m_attributes->setRowCount(0);
    const auto addLine = [&](const QString &name, const QString &value) {
        const int row = m_attributes->rowCount();
        m_attributes->insertRow(row);
        m_attributes->setItem(row, 0, new QTableWidgetItem(name));
        m_attributes->setItem(row, 1, new QTableWidgetItem(value));
        m_attributes->item(row, 1)->setToolTip(value);
    };
    for (const auto &[name, value] : op.attributes) addLine(name, value);
    const auto addTensors = [&](const QVector<int> &tensors, bool areOutputs) {
        for (int i = 0; i < tensors.size(); ++i) {
            if (tensors[i] < 0) continue;
            const TensorInfo &tensor = graph->tensors[tensors[i]];
            const api::SlotRole role = areOutputs           ? api::SlotRole::Output
                                       : tensor.isParameter ? api::SlotRole::Parameter
                                                            : api::SlotRole::Input;
            QStringList parts;
            // Tensors of bodies have no type unless the model declares it
            if (tensor.type != QLatin1String("unknown") || tensor.shape != QLatin1String("unknown"))
                parts.append(tensor.type + QLatin1Char(' ') + shapeText(tensor.shape));
            if (!tensor.values.isEmpty()) parts.append(valuesText(tensor.values));
            parts.append(tensor.name);
            addLine(slotTitle(*graph, op, role, i), parts.join(QStringLiteral(" · ")));
        }
    };
    addTensors(op.inputs, false);
    addTensors(op.outputs, true);
    m_attributes->setFixedHeight(m_attributes->rowCount() * 24 + 4);
    m_attributes->resizeColumnToContents(0);
}

void Inspector::refreshSlot()
{
    if (m_isFilling) return;
    const int at = slot();
    m_attributes->setVisible(at < 0);
    if (at < 0) m_groupCard->hide();
    m_reset->setVisible(at >= 0);
    const ConfigInfo *now = at >= 0 ? &m_document.history().configs()[at] : nullptr;
    const QString key =
        now ? QStringLiteral("%1\n%2\n%3").arg(now->operation, QLatin1String(toString(now->role))).arg(now->index)
            : QString();
    if (m_form && key == m_formKey && m_form->isTyping()) return refreshScope(); // results arrive; typed text stays
    const bool isSame = std::exchange(m_formKey, key) == key;
    QString focused; // an edit creates a new form: the keyboard focus stays at the field
    if (m_form) {    // not deleted immediately: the edit may come from one of its editors
        if (QWidget *field = m_form->focusWidget(); isSame && field && field->hasFocus()) {
            focused = field->objectName();
            field->clearFocus(); // hiding it with focus would pass the focus on, and the view would scroll there
        }
        m_form->blockSignals(true); // typed text was meant for the previous content
        m_form->hide();
        m_form->setParent(nullptr);
        m_form->deleteLater();
        m_form = nullptr;
    }
    refreshScope();
    if (at < 0) return;
    const ConfigInfo &config = m_document.history().configs()[at];
    const GraphPtr &graph = m_document.graph();
    const TensorInfo tensor =
        graph ? graph->tensors.value(graph->tensorByName.value(config.variable, -1)) : TensorInfo();
    m_form = new ConfigForm(config, tensor.values, m_document.requests().catalogue());
    connect(m_form, &ConfigForm::edited, this, &Inspector::set);
    connect(m_form, &ConfigForm::refused, this, &Inspector::showError);
    connect(m_form, &ConfigForm::resetRequested, this,
            [this](const QString &title, const std::vector<api::RuleField> &fields, const Origin &origin) {
                reset(tr("%1 of %2").arg(title, m_document.current()), fields, origin);
            });
    m_formHolder->layout()->addWidget(m_form);
    m_form->show(); // now: a layout does it later, and the lower part would jump up briefly
    // Tab moves down, although the form is newer than the widgets below it
    QWidget *last = m_tabs;
    for (QWidget *editor : m_form->findChildren<QWidget *>(QString(), Qt::FindDirectChildrenOnly)) {
        if (!(editor->focusPolicy() & Qt::TabFocus)) continue;
        setTabOrder(last, editor);
        last = editor;
    }
    if (auto *field = focused.isEmpty() ? nullptr : m_form->findChild<QWidget *>(focused)) field->setFocus();
    fillGroup(config);
}

void Inspector::fillGroup(const ConfigInfo &config)
{
    QVector<const ConfigInfo *> members;
    for (const int i : groupSlots())
        if (const ConfigInfo &other = m_document.history().configs()[i]; !other.isFloat()) members.append(&other);
    m_groupCard->setMembers(*m_document.graph(), config.isFloat() ? QVector<const ConfigInfo *>() : members,
                            config.scale.isEmpty() ? QString() : ConfigForm::numbers(config.scale, 4));
}

} // namespace ql
