#include "views/panels/inspector.h"

#include "core/base/error.h"
#include "views/bridge/engine_text.h"
#include "views/models/operation_model.h"
#include "views/panels/scale_group_card.h"
#include "views/panels/table_export.h"
#include "views/style/elided_label.h"
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

namespace ql {

using nlohmann::json;

QString readableOrigin(const QString &origin)
{
    if (origin.isEmpty() || origin == QLatin1String("default")) return Inspector::tr("default");
    if (origin.startsWith(QLatin1String("override"))) return Inspector::tr("you · override");
    if (origin.startsWith(QLatin1String("platform "))) {
        const qsizetype rule = origin.indexOf(QLatin1String("rule "));
        if (rule > 0)
            return Inspector::tr("platform rule %1").arg(origin.mid(rule + 5).section(QLatin1Char(' '), 0, 0));
    }
    if (origin.startsWith(QLatin1String("pass "))) return Inspector::tr("pass %1").arg(origin.mid(5));
    return origin;
}

static QLabel *dimLabel(const QString &text = {})
{
    auto *label = new QLabel(text);
    label->setProperty("dim", true);
    return label;
}

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
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    outer->addWidget(scroll);
    // As wide as the dock, whatever its content wants
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
    runsOn->setFixedWidth(78);
    whereBox->addWidget(runsOn);
    whereBox->addWidget(m_platform, 1);
    whereBox->addWidget(m_platformSetBy);
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
    m_attributes->setTextElideMode(Qt::ElideMiddle); // the shape stands at the end
    m_attributes->setAccessibleName(tr("Attributes"));

    m_groupCard = new ScaleGroupCard;

    auto *scopeRow = new QWidget;
    auto *scopeBox = new QGridLayout(scopeRow);
    scopeBox->setContentsMargins(0, 0, 0, 0);
    scopeBox->setColumnStretch(1, 1);
    scopeBox->setColumnMinimumWidth(0, 72);
    m_reset = new QPushButton(tr("Reset"));
    m_reset->setToolTip(tr("Back to the platform's values: removes what you set for this slot and these operations."));
    m_scope = new QComboBox;
    m_scope->setAccessibleName(tr("What edits apply to"));
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
    m_error = wrappedLabel();
    m_error->setProperty("warn", true);
    m_error->hide();

    for (QWidget *widget : std::initializer_list<QWidget *>{m_title, m_subtitle, m_empty, m_whyCard, where, m_tabs,
                                                            m_formHolder, m_attributes, m_error, m_groupCard, scopeRow})
        box->addWidget(widget);
    box->addStretch(1);

    connect(m_tabs, &QTabBar::currentChanged, this, &Inspector::refreshSlot);
    connect(m_platform, &QComboBox::activated, this, [this] { sendTo(m_platform->currentData().toString()); });
    connect(m_scope, &QComboBox::activated, this, &Inspector::refreshScope);
    connect(m_pattern, &QLineEdit::textChanged, this, &Inspector::refreshScope);
    connect(m_reset, &QPushButton::clicked, this, [this] {
        try {
            json recipe = m_document.recipeJson();
            recipe = withoutOverride(recipe, scope());
            OverrideScope whole = scope();
            whole.role.clear();
            whole.index = -1;
            recipe = withoutOverride(recipe, whole);
            replaceRecipe(m_document, tr("Reset %1").arg(m_document.current()), recipe);
        } catch (const Error &error) {
            showError(QString::fromUtf8(error.what()));
        }
    });
    connect(m_groupCard, &ScaleGroupCard::chosen, &document, &Document::setCurrent);
    connect(m_groupCard, &ScaleGroupCard::allChosen, this, [this] {
        const int at = slot();
        if (at < 0) return;
        const QString key = m_document.configs()[at].scaleGroup();
        QStringList names;
        for (const ConfigInfo &config : m_document.configs())
            if (config.scaleGroup() == key && !names.contains(config.operation)) names.append(config.operation);
        m_document.setSelection(names, m_document.current());
    });
    connect(&document, &Document::currentChanged, this, &Inspector::refresh);
    connect(&document, &Document::selectionChanged, this, &Inspector::refreshScope);
    connect(&document, &Document::configsChanged, this, &Inspector::refresh); // follows a new graph, too
    connect(&document, &Document::catalogueChanged, this, &Inspector::refresh);
    refresh();
}

int Inspector::slot() const
{
    const int tab = m_tabs->currentIndex();
    // Configs may be gone already, with the news of it still on its way
    const bool isThere = tab >= 0 && tab < m_slots.size() && m_slots[tab] < m_document.configs().size();
    return isThere ? m_slots[tab] : -1;
}

void Inspector::showSlot(const QString &role, int index)
{
    for (int i = 0; i < m_slots.size(); ++i) {
        if (m_slots[i] >= m_document.configs().size()) break;
        const ConfigInfo &config = m_document.configs()[m_slots[i]];
        if (config.role == role && config.index == index) m_tabs->setCurrentIndex(i);
    }
}

void Inspector::sendTo(const QString &platform)
{
    try {
        // Of what lies in the bodies of If and Loop nothing can be dispatched
        QStringList names;
        for (const QString &name : m_document.selection())
            if (const int op = m_document.graph() ? m_document.graph()->find(name) : -1;
                op < 0 || m_document.graph()->operations[op].body < 0)
                names.append(name);
        if (names.isEmpty()) return;
        const QString text = platform.isEmpty()
                                 ? tr("Dispatch %n operation(s) as before", nullptr, int(names.size()))
                                 : tr("Send %n operation(s) to %1", nullptr, int(names.size())).arg(platform);
        replaceRecipe(m_document, text, withDispatch(m_document.recipeJson(), names, platform));
        showError({});
    } catch (const Error &error) {
        showError(QString::fromUtf8(error.what()));
    }
}

void Inspector::showError(const QString &text)
{
    m_error->setText(text);
    m_error->setVisible(!text.isEmpty());
}

OverrideScope Inspector::scope() const
{
    OverrideScope scope;
    scope.kind = OverrideScope::Kind(m_scope->currentData().toInt() % 10);
    const bool all = m_scope->currentData().toInt() == 10;
    scope.operations = all ? m_document.selection() : QStringList{m_document.current()};
    const int op = m_document.graph() ? m_document.graph()->find(m_document.current()) : -1;
    if (scope.kind == OverrideScope::Kind::Type && op >= 0) scope.text = m_document.graph()->operations[op].type;
    if (scope.kind == OverrideScope::Kind::Pattern) scope.text = m_pattern->text();
    if (const int at = slot(); at >= 0) {
        const ConfigInfo &config = m_document.configs()[at];
        scope.role = config.role;
        scope.index = config.index;
    }
    return scope;
}

void Inspector::refreshScope()
{
    if (!m_document.graph()) return;
    const int op = m_document.graph()->find(m_document.current());
    if (op < 0) return;
    const int before = m_scope->currentData().isValid() ? m_scope->currentData().toInt() : 0;
    const int count = int(m_document.selection().size());
    m_scope->blockSignals(true);
    m_scope->clear();
    m_scope->addItem(tr("this operation"), 0);
    if (count > 1) m_scope->addItem(tr("the selection (%n)", nullptr, count), 10);
    m_scope->addItem(tr("every %1").arg(m_document.graph()->operations[op].type), 1);
    m_scope->addItem(tr("a name pattern"), 2);
    m_scope->setCurrentIndex(std::max(0, m_scope->findData(before)));
    m_scope->blockSignals(false);
    m_pattern->setVisible(m_scope->currentData().toInt() == 2);
    const QStringList names = operationsIn(scope(), *m_document.graph());
    const bool one = m_scope->currentData().toInt() == 0;
    m_scopeText->setVisible(!one);
    if (names.isEmpty())
        m_scopeText->setText(tr("matches no operation"));
    else
        m_scopeText->setText(tr("%n operation(s): %1", nullptr, int(names.size()))
                                 .arg(names.mid(0, 4).join(QStringLiteral(", ")) +
                                      (names.size() > 4 ? QStringLiteral(" …") : QString())));
    m_scopeText->setToolTip(names.mid(0, 60).join(QLatin1Char('\n')));
}

static QString roleTitle(const ConfigInfo &config, const GraphSnapshot &graph, const OperationInfo &op)
{
    static const QStringList computing{QStringLiteral("Conv"), QStringLiteral("ConvTranspose"), QStringLiteral("Gemm"),
                                       QStringLiteral("MatMul")};
    if (config.role == QLatin1String("output"))
        return op.outputs.size() > 1 ? Inspector::tr("Output %1").arg(config.index + 1) : Inspector::tr("Output");
    if (computing.contains(op.type) && config.index == 1) return Inspector::tr("Weight");
    if (computing.contains(op.type) && config.index == 2) return Inspector::tr("Bias");
    const bool single = std::count_if(op.inputs.begin(), op.inputs.end(),
                                      [&](int input) { return input >= 0 && !graph.tensors[input].isParameter; }) == 1;
    if (config.role == QLatin1String("parameter")) return Inspector::tr("Parameter %1").arg(config.index + 1);
    return single ? Inspector::tr("Input") : Inspector::tr("Input %1").arg(config.index + 1);
}

void Inspector::refresh()
{
    const GraphPtr &graph = m_document.graph();
    const int at = graph ? graph->find(m_document.current()) : -1;
    for (QWidget *child : m_body->findChildren<QWidget *>(QString(), Qt::FindDirectChildrenOnly))
        child->setVisible(at >= 0 && child != m_empty && (child != m_error || !m_error->text().isEmpty()));
    m_empty->setVisible(at < 0);
    if (at < 0) {
        m_slots.clear(); // of configs that are gone
        return;
    }
    const OperationInfo &op = graph->operations[at];
    m_title->setText(op.name.isEmpty() ? op.type : op.name);
    m_title->setToolTip(op.name);
    QStringList facts{op.type, op.platform};
    if (const QString shape = graph->outputShape(op); !shape.isEmpty())
        facts.append(QString(shape).replace(QLatin1Char('x'), QChar(0x00d7)));
    if (const QString details = graph->essentials(op); !details.isEmpty()) facts.append(details);
    m_subtitle->setText(facts.join(QStringLiteral(" · ")));

    const bool overridden = [&] {
        for (const json &entry : m_document.recipe().dispatch)
            if (textOf(entry, "op") == escapedPattern(op.name)) return true;
        return false;
    }();
    const QString what = op.isQuantized ? tr("Why is it quantized?") : tr("Why %1?").arg(op.platform);
    m_why->setText(QStringLiteral("<b>%1</b> %2").arg(what.toHtmlEscaped(), engineText(op.reason).toHtmlEscaped()) +
                   (graph->unsupported.contains(op.name) ? QStringLiteral("<br><b>%1</b> %2")
                                                               .arg(tr("Not supported:").toHtmlEscaped(),
                                                                    graph->unsupported.value(op.name).toHtmlEscaped())
                                                         : QString()));
    m_platform->blockSignals(true);
    m_platform->clear();
    m_platform->addItem(tr("as dispatched"), QString());
    const QString target = QString::fromStdString(m_document.recipe().platform);
    QStringList platforms{target, QStringLiteral("FP32")};
    if (m_document.catalogue())
        for (const json &platform : m_document.catalogue()->value("platforms", json::array()))
            if (const QString id = textOf(platform, "id"); !platforms.contains(id)) platforms.append(id);
    for (const QString &id : platforms) m_platform->addItem(id, id);
    m_platform->setCurrentIndex(overridden ? std::max(0, m_platform->findData(op.platform)) : 0);
    if (!overridden) m_platform->setItemText(0, op.platform);
    m_platform->setProperty("edited", overridden);
    m_platform->setStyleSheet(QString());
    m_platform->blockSignals(false);
    m_platformSetBy->setText(overridden ? tr("you · override") : tr("dispatcher"));

    // Output first, then weights, inputs, biases; the tab that was open stays open
    const QString before = m_tabs->tabText(m_tabs->currentIndex());
    m_isFilling = true;
    while (m_tabs->count() > 0) m_tabs->removeTab(0);
    m_slots = m_document.configsOf(op.name);
    const QVector<ConfigInfo> &configs = m_document.configs();
    const auto weight = [&](int i) {
        return configs[i].role == QLatin1String("output")      ? 0
               : configs[i].role == QLatin1String("parameter") ? 2 + configs[i].index
                                                               : 1;
    };
    std::stable_sort(m_slots.begin(), m_slots.end(), [&](int a, int b) { return weight(a) < weight(b); });
    for (const int i : m_slots) {
        const int tab = m_tabs->addTab(roleTitle(configs[i], *graph, op));
        m_tabs->setTabToolTip(tab, configs[i].variable);
    }
    m_tabs->addTab(tr("Attributes"));
    for (int i = 0; i < m_tabs->count(); ++i)
        if (m_tabs->tabText(i) == before) m_tabs->setCurrentIndex(i);
    m_isFilling = false;

    m_attributes->setRowCount(0);
    const auto addLine = [&](const QString &name, const QString &value) {
        const int row = m_attributes->rowCount();
        m_attributes->insertRow(row);
        m_attributes->setItem(row, 0, new QTableWidgetItem(name));
        m_attributes->setItem(row, 1, new QTableWidgetItem(value));
        m_attributes->item(row, 1)->setToolTip(value);
    };
    for (const auto &[name, value] : op.attributes) addLine(name, value);
    const auto addTensors = [&](const QVector<int> &tensors, const QString &title) {
        for (int i = 0; i < tensors.size(); ++i) {
            if (tensors[i] < 0) continue;
            const TensorInfo &tensor = graph->tensors[tensors[i]];
            addLine(title.arg(i + 1), tr("%1 · %2 %3").arg(tensor.name, tensor.type, tensor.shape));
        }
    };
    addTensors(op.inputs, tr("input %1"));
    addTensors(op.outputs, tr("output %1"));
    m_attributes->setFixedHeight(m_attributes->rowCount() * 24 + 4);
    m_attributes->resizeColumnToContents(0);
    refreshSlot();
    refreshScope();
}

/// readableOrigin() with a pass by its title, as the pipeline names it.
QString Inspector::originText(const QString &origin) const
{
    if (origin.startsWith(QLatin1String("pass ")) && m_document.catalogue())
        for (const json &entry : memberOf(*m_document.catalogue(), "passes"))
            if (textOf(entry, "id") == origin.mid(5))
                if (const QString title = engineText(textOf(entry, "title")); !title.isEmpty()) return title;
    return readableOrigin(origin);
}

void Inspector::addRow(const QString &label, const QString &field, QWidget *editor, const QString &setBy,
                       const QString &explanation)
{
    const int row = m_grid->rowCount();
    auto *name = dimLabel(label);
    name->setToolTip(explanation);
    name->setBuddy(editor);
    editor->setToolTip(explanation);
    editor->setAccessibleName(label);
    editor->setObjectName(field);
    editor->setProperty("edited", setBy.startsWith(QLatin1String("override")));
    auto *who = new ElidedLabel(originText(setBy));
    who->setProperty("dim", true);
    who->setToolTip(setBy);
    who->setMinimumWidth(64);
    who->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    QFont small = textFont();
    small.setPixelSize(11);
    who->setFont(small);
    m_grid->addWidget(name, row, 0);
    m_grid->addWidget(editor, row, 1);
    m_grid->addWidget(who, row, 2);
}

void Inspector::addText(const QString &label, const QString &text, const QString &setBy, const QString &explanation)
{
    auto *value = new ElidedLabel(text, Qt::ElideMiddle);
    addRow(label, QString(), value, setBy, explanation.isEmpty() ? text : explanation);
}

QComboBox *Inspector::addChoice(const QString &label, const QString &field, const QStringList &texts,
                                const std::vector<json> &values, int current, const QString &setBy,
                                const QString &explanation)
{
    auto *box = new QComboBox;
    box->addItems(texts);
    box->setCurrentIndex(current);
    box->setMinimumContentsLength(6); // who set it has to fit beside it
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    connect(box, &QComboBox::activated, this, [this, label, field, values, current](int chosen) {
        if (chosen == current || chosen >= int(values.size())) return;
        set(label, values[std::size_t(chosen)].is_object() && field.isEmpty()
                       ? values[std::size_t(chosen)]
                       : json{{field.toStdString(), values[std::size_t(chosen)]}});
    });
    addRow(label, field, box, setBy, explanation);
    return box;
}

void Inspector::set(const QString &label, const json &values)
{
    const OverrideScope where = scope();
    try {
        const QStringList names = operationsIn(where, *m_document.graph());
        if (names.isEmpty()) throw Error(ErrorKind::BadConfig, tr("The pattern matches no operation.").toStdString());
        const QString target = names.size() == 1 ? names.front() : tr("%n operation(s)", nullptr, int(names.size()));
        replaceRecipe(m_document, tr("%1 of %2").arg(label, target),
                      withOverride(m_document.recipeJson(), where, values));
        showError({});
    } catch (const Error &error) {
        showError(QString::fromUtf8(error.what()));
    }
}

static QString numbers(const QVector<double> &values, int digits = 6)
{
    if (values.isEmpty()) return QStringLiteral("–");
    const auto text = [digits](double v) { return QLocale().toString(v, 'g', digits); };
    if (values.size() == 1) return text(values.front());
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return Inspector::tr("%1 … %2 (%n channel(s))", nullptr, int(values.size())).arg(text(*low), text(*high));
}

void Inspector::fillRange(const ConfigInfo &config)
{
    if (config.scale.size() != 1 || config.exponentBits > 0 || config.quantMax <= config.quantMin) return;
    const double zero = config.zeroPoint.isEmpty() ? 0 : double(config.zeroPoint.front());
    const double low = (double(config.quantMin) - zero) * config.scale.front();
    const double high = (double(config.quantMax) - zero) * config.scale.front();
    auto *line =
        new QLineEdit(QStringLiteral("%1 … %2").arg(QString::number(low, 'g', 4), QString::number(high, 'g', 4)));
    line->setCursorPosition(0);
    connect(line, &QLineEdit::editingFinished, this, [this, line, low, high] {
        const QStringList parts = line->text().split(QRegularExpression(QStringLiteral("\\s*(…|\\.\\.\\.?|;)\\s*")));
        bool goodLow = false, goodHigh = false;
        const double from = parts.value(0).toDouble(&goodLow), to = parts.value(1).toDouble(&goodHigh);
        if (parts.size() != 2 || !goodLow || !goodHigh || from >= to)
            return showError(tr("A clip range is two numbers, low … high; got '%1'.").arg(line->text()));
        if (std::abs(from - low) < 1e-3 * std::abs(low) && std::abs(to - high) < 1e-3 * std::abs(high)) return;
        set(tr("Clip range"), {{"range", {from, to}}});
    });
    addRow(tr("Clip range"), QStringLiteral("range"), line, config.setBy.value(QStringLiteral("scale")),
           tr("The float values that the lowest and the highest code stand for. Outside, values are clipped."));
}

/// What passes make of a state; others are their own name.
static QString stateText(const QString &state)
{
    if (state == QLatin1String("active")) return Inspector::tr("active");
    if (state == QLatin1String("overlapped")) return Inspector::tr("overlapped");
    if (state == QLatin1String("baked")) return Inspector::tr("baked");
    return state;
}

void Inspector::refreshSlot()
{
    if (m_isFilling) return;
    const int at = slot();
    m_attributes->setVisible(at < 0);
    if (at < 0) m_groupCard->hide();
    m_reset->setVisible(at >= 0);
    if (m_form) { // not deleted at once: the edit that leads here may come from one of its editors
        m_form->hide();
        m_form->setParent(nullptr);
        m_form->deleteLater();
        m_form = nullptr;
    }
    refreshScope();
    if (at < 0) return;
    const ConfigInfo config = m_document.configs()[at];
    m_form = new QWidget;
    m_grid = new QGridLayout(m_form);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(2);
    m_form->setProperty("tight", true);
    m_grid->setColumnMinimumWidth(0, 78);
    m_grid->setColumnStretch(1, 10);
    m_grid->setColumnStretch(2, 9);
    const auto by = [&](const char *field) { return config.setBy.value(QLatin1String(field)); };
    addText(tr("Tensor"), config.variable, QString());
    static_cast<QLabel *>(m_grid->itemAtPosition(m_grid->rowCount() - 1, 2)->widget())->clear();

    static const QStringList states{QStringLiteral("initial"), QStringLiteral("passive"), QStringLiteral("fp32")};
    QStringList stateTexts{tr("quantized"), tr("passive"), tr("float")};
    std::vector<json> stateValues{"initial", "passive", "fp32"};
    int state = int(states.indexOf(config.state));
    if (state < 0) {
        // What passes have made of it: shown, and left by choosing another
        stateTexts.prepend(stateText(config.state));
        stateValues.insert(stateValues.begin(), json());
        state = 0;
    }
    addChoice(tr("State"), QStringLiteral("state"), stateTexts, stateValues, state, by("state"),
              tr("quantized: has its own scale; passive: takes the scale that follows from others; overlapped: not "
                 "rounded, because the operation behind does it; baked: the values are rounded already; float: not "
                 "quantized."));
    if (!config.isFloat()) {
        QStringList bits;
        std::vector<json> bitValues;
        for (const int b : {2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 32})
            if (b <= 16 || config.bits == b) {
                bits.append(QString::number(b));
                bitValues.emplace_back(b);
            }
        addChoice(tr("Bits"), QStringLiteral("bits"), bits, bitValues, int(bits.indexOf(QString::number(config.bits))),
                  by("bits"), tr("Width of a code. Sets the range of codes, too."));
        auto *range = new QLineEdit(QStringLiteral("%1 … %2").arg(config.quantMin).arg(config.quantMax));
        connect(range, &QLineEdit::editingFinished, this, [this, range, config] {
            const QStringList parts =
                range->text().split(QRegularExpression(QStringLiteral("\\s*(…|\\.\\.\\.?|;)\\s*")));
            bool goodLow = false, goodHigh = false;
            const qint64 low = parts.value(0).toLongLong(&goodLow), high = parts.value(1).toLongLong(&goodHigh);
            if (parts.size() != 2 || !goodLow || !goodHigh || low >= high)
                return showError(tr("Codes are two whole numbers, lowest … highest; got '%1'.").arg(range->text()));
            if (low == config.quantMin && high == config.quantMax) return;
            if (config.bits < 32 && high - low >= (qint64(1) << config.bits))
                return showError(tr("%1 … %2 has more codes than %3 bits hold.").arg(low).arg(high).arg(config.bits));
            set(tr("Codes"), {{"quant_min", low}, {"quant_max", high}});
        });
        addRow(tr("Codes"), QStringLiteral("codes"), range, by("range"), tr("Lowest and highest code."));
        if (config.exponentBits == 0)
            addChoice(tr("Symmetric"), QStringLiteral("symmetric"), {tr("yes"), tr("no")}, {true, false},
                      config.isSymmetric ? 0 : 1, by("symmetric"), tr("Symmetric: the zero point is 0."));
        const QString axis = config.channelAxis ? tr("per channel, axis %1").arg(*config.channelAxis) : QString();
        if (config.channelAxis && config.role == QLatin1String("parameter"))
            addChoice(tr("Granularity"), QStringLiteral("granularity"), {tr("per tensor"), axis},
                      {"tensor", "output_channel"}, 1, by("channel_axis"),
                      tr("One scale for all, or one per channel."));
        else
            addChoice(tr("Granularity"), QStringLiteral("granularity"), {tr("per tensor"), tr("per channel")},
                      {"tensor", "output_channel"}, config.channelAxis ? 1 : 0, by("channel_axis"),
                      tr("One scale for the whole tensor, or one for each output channel."));
        static const QStringList roundings{QStringLiteral("half_even"),
                                           QStringLiteral("half_up"),
                                           QStringLiteral("half_down"),
                                           QStringLiteral("half_towards_zero"),
                                           QStringLiteral("half_away_from_zero"),
                                           QStringLiteral("to_near_int"),
                                           QStringLiteral("up"),
                                           QStringLiteral("down")};
        QStringList roundingTexts;
        std::vector<json> roundingValues;
        for (const QString &rounding : roundings) {
            roundingTexts.append(QString(rounding).replace(QLatin1Char('_'), QLatin1Char(' ')));
            roundingValues.emplace_back(rounding.toStdString());
        }
        addChoice(tr("Rounding"), QStringLiteral("rounding"), roundingTexts, roundingValues,
                  int(roundings.indexOf(config.rounding)), by("rounding"),
                  tr("How values between two codes are rounded."));
        QStringList observers;
        std::vector<json> observerValues;
        if (m_document.catalogue())
            for (const json &entry : m_document.catalogue()->value("observers", json::array())) {
                const bool fits = entry.value("floating", false) == (config.exponentBits > 0) &&
                                  (config.isSymmetric || entry.value("asymmetric", true)) &&
                                  (!config.channelAxis || entry.value("per_channel", true));
                const QString id = textOf(entry, "id");
                if (!fits && id != config.observer) continue;
                observers.append(id);
                observerValues.emplace_back(id.toStdString());
            }
        if (!observers.contains(config.observer)) {
            observers.append(config.observer);
            observerValues.emplace_back(config.observer.toStdString());
        }
        addChoice(tr("Observer"), QStringLiteral("observer"), observers, observerValues,
                  int(observers.indexOf(config.observer)), by("observer"),
                  tr("How the range is found from the calibration data."));
        auto *scale = new QLineEdit(numbers(config.scale));
        scale->setReadOnly(config.scale.size() > 1);
        connect(scale, &QLineEdit::editingFinished, this, [this, scale, config] {
            if (!scale->isModified() || scale->isReadOnly()) return;
            bool good = false;
            const double value = QLocale().toDouble(scale->text(), &good);
            if (!good || value <= 0) return showError(tr("A scale is a number above 0; got '%1'.").arg(scale->text()));
            json values = {{"scale", json::array({value})}};
            if (config.zeroPoint.size() == 1) values["zero_point"] = json::array({config.zeroPoint.front()});
            set(tr("Scale"), values);
        });
        addRow(tr("Scale"), QStringLiteral("scale"), scale, by("scale"), tr("Distance of two neighbouring codes."));
        if (!config.isSymmetric && config.zeroPoint.size() == 1)
            addText(tr("Zero point"), QLocale().toString(config.zeroPoint.front()), by("scale"), tr("The code of 0."));
        fillRange(config);
    }
    m_formHolder->layout()->addWidget(m_form);
    fillGroup(config);
}

void Inspector::fillGroup(const ConfigInfo &config)
{
    const QString key = config.scaleGroup();
    QVector<const ConfigInfo *> members;
    for (const ConfigInfo &other : m_document.configs())
        if (!other.isFloat() && other.scaleGroup() == key) members.append(&other);
    m_groupCard->setMembers(config.isFloat() ? QVector<const ConfigInfo *>() : members,
                            config.scale.isEmpty() ? QString() : numbers(config.scale, 4));
}

} // namespace ql
