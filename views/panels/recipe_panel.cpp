#include "views/panels/recipe_panel.h"

#include "core/base/error.h"
#include "core/base/strings.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/engine_text.h"
#include "views/bridge/recipe_difference.h"
#include "views/bridge/run_history.h"
#include "views/commands/recipe_command.h"
#include "views/panels/param_editor.h"
#include "views/panels/table_export.h"
#include "views/style/buttons.h"
#include "views/style/strip.h"
#include "views/style/theme.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QShortcut>
#include <QSplitter>
#include <QToolButton>
#include <QTreeWidget>
#include <algorithm>
#include <utility>

namespace ql {

using nlohmann::json;

struct RecipePanel::ListInfo
{
    const char *title, *meaning;
};

const RecipePanel::ListInfo &RecipePanel::infoOf(List list)
{
    static const ListInfo infos[] = {
        {QT_TRANSLATE_NOOP("ql::RecipePanel", "Dispatch"),
         QT_TRANSLATE_NOOP("ql::RecipePanel", "Operations whose platform you set yourself. Later rules win.")},
        {QT_TRANSLATE_NOOP("ql::RecipePanel", "Overrides"),
         QT_TRANSLATE_NOOP("ql::RecipePanel",
                           "Your changes to tensor configs, applied after the platform's rules. Later overrides win.")},
        {QT_TRANSLATE_NOOP("ql::RecipePanel", "Analyses"),
         QT_TRANSLATE_NOOP("ql::RecipePanel",
                           "Measurements of each run. Graph outputs are always measured, unless the list is empty.")},
        {QT_TRANSLATE_NOOP("ql::RecipePanel", "Exports"),
         QT_TRANSLATE_NOOP("ql::RecipePanel", "Files that each run writes.")}};
    return infos[std::size_t(list)];
}

namespace {

enum Role { ListRole = Qt::UserRole, RowRole };

QString valueText(const json &value)
{
    if (value.is_string()) return QString::fromStdString(value.get<std::string>());
    if (!value.is_array()) return QString::fromStdString(value.dump());
    QStringList parts;
    for (const json &part : value) parts.append(valueText(part));
    return parts.join(QStringLiteral(", "));
}

/// "bits 4 · observer kl".
QString membersText(const json &object)
{
    QStringList parts;
    for (const auto &[key, value] : object.items())
        parts.append(engineText(readableName(key)) + QLatin1Char(' ') + valueText(value));
    return parts.join(QStringLiteral(" · "));
}

/// Which operations or tensors a rule applies to, the name first.
QString matchText(api::RuleMatch match)
{
    QStringList parts, roles;
    for (const api::SlotRole role : match.roles) roles.append(roleText(role));
    for (const QString &part : {QString::fromStdString(match.op), QString::fromStdString(match.variable),
                                QString::fromStdString(join(match.types, ", ")), roles.join(QStringLiteral(", "))})
        if (!part.isEmpty()) parts.append(part);
    match.op.clear();
    match.variable.clear();
    match.types.clear();
    match.roles.clear();
    if (const QString others = membersText(api::toJson(match)); !others.isEmpty()) parts.append(others);
    return parts.isEmpty() ? RecipePanel::tr("everything") : parts.join(QStringLiteral(" · "));
}

template <class T>
bool isOneOf(const std::vector<T> &wanted, const T &given)
{
    return std::find(wanted.begin(), wanted.end(), given) != wanted.end();
}

bool fitsPattern(const std::string &pattern, const QString &name)
{
    return pattern.empty() || globMatch(pattern, name.toStdString());
}

/// Whether an override could apply to a slot, by the window's knowledge of it.
bool couldMatch(const api::RuleMatch &match, const ConfigInfo &config, const QString &type)
{
    using Role = api::SlotRole;
    if (!fitsPattern(match.op, config.operation) || !fitsPattern(match.variable, config.variable)) return false;
    if (!match.types.empty() && !isOneOf(match.types, type.toStdString())) return false;
    const auto asks = [&](Role role) { return isOneOf(match.roles, role); };
    const Role role = config.role;
    const bool isOutput = role == Role::Output;
    const bool wantsInner = asks(Role::Weight) || asks(Role::Bias); // of operations that the engine knows
    if (!match.roles.empty() && !asks(role) && !(asks(Role::Activation) && role == Role::Input) &&
        !(wantsInner && !isOutput && config.index == (asks(Role::Weight) ? 1 : 2)))
        return false;
    return !match.index || (config.index == *match.index && (!isOutput || asks(Role::Output)));
}

} // namespace

// Dispatch and overrides are lists of rules, the others of steps

static api::RuleKind ruleKindOf(bool isDispatch)
{
    return isDispatch ? api::RuleKind::Dispatch : api::RuleKind::Override;
}

static api::StepKind stepKindOf(bool isExport)
{
    return isExport ? api::StepKind::Export : api::StepKind::Analysis;
}

RecipePanel::Entries RecipePanel::entriesOf(const api::Recipe &recipe, List list)
{
    const auto all = [](const auto &entries) { return Entries(entries.begin(), entries.end()); };
    switch (list) {
    case List::Dispatch: return all(recipe.dispatch);
    case List::Overrides: return all(recipe.overrides);
    case List::Analyses: return all(recipe.analyses);
    case List::Exports: return all(recipe.exports);
    }
    return {};
}

json RecipePanel::entryJson(List list, const Entry &entry)
{
    if (const auto *rule = std::get_if<api::Rule>(&entry))
        return api::toJson(*rule, ruleKindOf(list == List::Dispatch));
    return api::toJson(std::get<api::StepRequest>(entry), stepKindOf(list == List::Exports));
}

RecipePanel::Entry RecipePanel::entryFromText(List list, const std::string &text)
{
    const api::JsonText parsed = api::JsonText::parse(text, {});
    const api::JsonNode node(parsed);
    if (list == List::Dispatch || list == List::Overrides)
        return api::ruleFromJson(node, ruleKindOf(list == List::Dispatch));
    return api::stepFromJson(node, stepKindOf(list == List::Exports));
}

QString RecipePanel::firstText(List, const Entry &entry)
{
    if (const auto *rule = std::get_if<api::Rule>(&entry)) return matchText(rule->match);
    return QString::fromStdString(std::get<api::StepRequest>(entry).id);
}

QString RecipePanel::secondText(List list, const Entry &entry)
{
    if (const auto *rule = std::get_if<api::Rule>(&entry))
        return list == List::Dispatch ? QString::fromStdString(rule->set.platform)
                                      : membersText(api::toJson(rule->set));
    const auto &step = std::get<api::StepRequest>(entry);
    return list == List::Exports ? QString::fromStdString(step.path) : membersText(step.params);
}

RecipePanel::RecipePanel(Document &document, QWidget *parent)
    : QWidget(parent), m_document(document), m_tree(new QTreeWidget)
{
    m_tree->setColumnCount(2);
    m_tree->setHeaderLabels({tr("Entry"), tr("Settings")});
    m_tree->setHeaderHidden(true);
    m_tree->setUniformRowHeights(true);
    m_tree->setIndentation(14);
    m_tree->header()->setStretchLastSection(true);
    m_tree->header()->setSectionResizeMode(0, QHeaderView::Interactive);
    m_tree->header()->resizeSection(0, 150);
    m_tree->setTextElideMode(Qt::ElideMiddle);
    m_tree->setAccessibleName(tr("Recipe lists"));
    attachTableMenu(*m_tree, QStringLiteral("recipe"));

    makeTools();
    makeLayout();
    connectAll();
    refresh();
}

void RecipePanel::makeTools()
{
    m_addMenu = new QMenu(tr("Add to the recipe"), this);
    m_addMenu->setToolTipsVisible(true);
    connect(m_addMenu, &QMenu::aboutToShow, this, &RecipePanel::fillAddMenu);
    auto *more = new QMenu(tr("Recipe"), this);
    const auto command = [this, more](const QString &icon, const QString &text, const auto &act) {
        QAction *action = more->addAction(lineIcon(icon), text);
        connect(action, &QAction::triggered, this, act);
        return action;
    };
    m_up = command(QStringLiteral("up"), tr("Move the recipe entry up"), [this] { move(-1); });
    m_down = command(QStringLiteral("down"), tr("Move the recipe entry down"), [this] { move(1); });
    m_remove = command(QStringLiteral("close"), tr("Remove the recipe entry"), [this] { remove(); });
    m_duplicate = command(QStringLiteral("copy"), tr("Duplicate the recipe entry"), [this] {
        const Place place = current();
        if (place.row < 0) return;
        Entries entries = entriesOf(m_document.recipe(), *place.list);
        const Entry entry = entries[std::size_t(place.row)];
        entries.insert(entries.begin() + place.row + 1, entry);
        if (apply(tr("Duplicate %1").arg(firstText(*place.list, entry)), *place.list, entries))
            select({place.list, place.row + 1});
    });
    auto *strip = new Strip;
    strip->row()->setContentsMargins(0, 0, 0, 0);
    strip->row()->setSpacing(0);
    strip->row()->addStretch();
    strip->row()->addWidget(menuButton(QStringLiteral("plus"), tr("Add a rule, an analysis or an export"), *m_addMenu));
    strip->row()->addWidget(menuButton(QStringLiteral("more"), tr("Order of the entries"), *more));
    m_tools = strip;
}

void RecipePanel::makeLayout()
{
    const auto wrapped = [](const char *property) {
        auto *label = new QLabel;
        label->setWordWrap(true);
        label->setProperty(property, true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        return label;
    };
    m_title = wrapped("heading");
    m_meaning = wrapped("dim");
    m_facts = wrapped("dim");
    m_error = wrapped("warn");
    m_params = new ParamEditor;
    m_text = new QPlainTextEdit;
    m_text->setAccessibleName(tr("Entry as JSON"));
    m_text->setObjectName(QStringLiteral("recipeEntry"));
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setTabChangesFocus(true);
    m_text->setFixedHeight(130);
    m_apply = new QPushButton(tr("Apply"));
    m_apply->setObjectName(QStringLiteral("applyEntry"));
    auto *body = new QWidget;
    auto *details = new QVBoxLayout(body);
    details->setContentsMargins(12, 8, 12, 8);
    for (QWidget *widget : std::initializer_list<QWidget *>{m_title, m_meaning, m_facts, m_params, m_text, m_error})
        details->addWidget(widget);
    details->addWidget(m_apply, 0, Qt::AlignRight);
    details->addStretch();
    auto *scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(body);
    m_details = scroll;

    auto *upper = new QWidget;
    auto *upperBox = new QVBoxLayout(upper);
    upperBox->setContentsMargins(0, 4, 0, 0);
    upperBox->setSpacing(2);
    upperBox->addWidget(m_tree, 1);
    auto *splitter = new QSplitter(Qt::Vertical);
    splitter->setHandleWidth(1);
    splitter->addWidget(upper);
    splitter->addWidget(scroll);
    splitter->setChildrenCollapsible(false);
    splitter->setSizes({260, 260});
    auto *box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    box->addWidget(m_tools);
    box->addWidget(splitter, 1);
}

void RecipePanel::connectAll()
{
    connect(m_tree, &QTreeWidget::currentItemChanged, this, &RecipePanel::showEntry);
    connect(m_tree, &QTreeWidget::itemClicked, this, &RecipePanel::mark);
    // Not activated(): a double click, whose clicks are two, would be a third
    for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Enter}) {
        auto *enter = new QShortcut(QKeySequence(key), m_tree);
        enter->setContext(Qt::WidgetShortcut);
        connect(enter, &QShortcut::activated, this, &RecipePanel::mark);
    }
    connect(m_apply, &QPushButton::clicked, this, &RecipePanel::applyText);
    connect(m_text, &QPlainTextEdit::textChanged, this, [this] { m_apply->setEnabled(true); });
    connect(m_params, &ParamEditor::edited, this, [this](const QString &name, const json &value) {
        const Place place = current();
        if (place.row < 0) return;
        Entries entries = entriesOf(m_document.recipe(), *place.list);
        auto *step = std::get_if<api::StepRequest>(&entries[std::size_t(place.row)]);
        if (!step) return;
        step->params[name.toStdString()] = value;
        apply(tr("%1 of %2").arg(engineText(readableName(name.toStdString())), m_title->text()), *place.list, entries);
    });
    connect(&m_document, &Document::recipeChanged, this, &RecipePanel::refresh);
    connect(&m_document.history(), &RunHistory::configsChanged, this, &RecipePanel::showEntry);
    connect(&m_document.requests(), &EngineRequests::catalogueChanged, this, &RecipePanel::showEntry);
}

void RecipePanel::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    refresh(); // nothing is updated while it is hidden: a recipe may have thousands of rules
}

RecipePanel::Place RecipePanel::current() const
{
    const QTreeWidgetItem *item = m_tree->currentItem();
    if (!item) return {};
    return {List(item->data(0, ListRole).toInt()), item->parent() ? item->data(0, RowRole).toInt() : -1};
}

void RecipePanel::select(const Place &place)
{
    for (int i = 0; i < m_tree->topLevelItemCount(); ++i) {
        QTreeWidgetItem *section = m_tree->topLevelItem(i);
        if (!place.list || List(section->data(0, ListRole).toInt()) != *place.list) continue;
        const int row = std::min(place.row, section->childCount() - 1);
        m_tree->setCurrentItem(row < 0 ? section : section->child(row));
    }
}

void RecipePanel::refresh()
{
    if (!isVisible()) return;
    const Place before = current();
    {
        const QSignalBlocker blocker(m_tree);
        m_tree->clear();
        QList<QTreeWidgetItem *> sections;
        for (const List list : {List::Dispatch, List::Overrides, List::Analyses, List::Exports}) {
            const Entries entries = entriesOf(m_document.recipe(), list);
            auto *section = new QTreeWidgetItem({tr(infoOf(list).title), QString::number(entries.size())});
            section->setData(0, ListRole, int(list));
            section->setToolTip(0, tr(infoOf(list).meaning));
            QFont bold = textFont(true);
            section->setFont(0, bold);
            section->setForeground(1, Theme::current().dim);
            QList<QTreeWidgetItem *> rows;
            for (std::size_t row = 0; row < entries.size(); ++row) {
                const QString first = firstText(list, entries[row]), second = secondText(list, entries[row]);
                auto *item = new QTreeWidgetItem({first, second});
                item->setData(0, ListRole, int(list));
                item->setData(0, RowRole, int(row));
                item->setToolTip(0, first);
                item->setToolTip(1, second);
                rows.append(item);
            }
            section->addChildren(rows);
            sections.append(section);
        }
        m_tree->addTopLevelItems(sections);
        m_tree->expandAll();
        select(before);
    }
    showEntry();
}

const api::CatalogueItem *RecipePanel::catalogueEntry(List list, const Entry &entry) const
{
    const auto *step = std::get_if<api::StepRequest>(&entry);
    const api::Catalogue &known = m_document.requests().known();
    if (!step) return nullptr;
    if (list == List::Exports) return api::findItem(known.exporters, step->id);
    return api::findItem(known.analyses, step->id);
}

QStringList RecipePanel::operationsOf(List list, const Entry &entry, bool *isAtMost) const
{
    QStringList names;
    *isAtMost = false;
    const GraphPtr &graph = m_document.graph();
    const auto *rule = std::get_if<api::Rule>(&entry);
    if (!graph || !rule) return names;
    const api::RuleMatch &match = rule->match;
    if (list == List::Dispatch) {
        for (const OperationInfo &op : graph->operations) {
            if (op.body >= 0) break;
            if (fitsPattern(match.op, op.name) && (match.types.empty() || isOneOf(match.types, op.type.toStdString())))
                names.append(op.name);
        }
    } else {
        const api::RuleMatch known{.op = match.op,
                                   .variable = match.variable,
                                   .types = match.types,
                                   .roles = match.roles,
                                   .index = match.index};
        *isAtMost =
            match != known || isOneOf(match.roles, api::SlotRole::Weight) || isOneOf(match.roles, api::SlotRole::Bias);
        for (const ConfigInfo &config : m_document.history().configs()) {
            const int op = graph->find(config.operation);
            if (op < 0 || (!names.isEmpty() && names.back() == config.operation)) continue;
            if (couldMatch(match, config, graph->operations[op].type)) names.append(config.operation);
        }
    }
    return names;
}

void RecipePanel::showEntry()
{
    if (!isVisible()) return;
    const Place place = current();
    const bool has = place.row >= 0;
    for (QAction *action : {m_up, m_down, m_duplicate, m_remove}) action->setEnabled(has);
    for (QWidget *widget : std::initializer_list<QWidget *>{m_facts, m_params, m_text, m_apply})
        widget->setVisible(has);
    m_error->hide();
    m_details->setVisible(place.list.has_value());
    if (!place.list) return;
    const List list = *place.list;
    m_title->setText(tr(infoOf(list).title));
    m_meaning->setText(tr(infoOf(list).meaning));
    if (!has) return;
    const Entries entries = entriesOf(m_document.recipe(), list);
    if (place.row >= int(entries.size())) return; // already removed, before the signal arrives
    const Entry &entry = entries[std::size_t(place.row)];
    m_up->setEnabled(place.row > 0);
    m_down->setEnabled(place.row + 1 < int(entries.size()));
    const api::CatalogueItem *item = catalogueEntry(list, entry);
    if (item) {
        m_title->setText(engineText(item->title));
        m_meaning->setText(engineText(item->meaning));
    }
    const std::vector<api::ParamSpec> specs = item ? item->params : std::vector<api::ParamSpec>();
    m_params->setVisible(!specs.empty());
    const auto *step = std::get_if<api::StepRequest>(&entry);
    m_params->setParams(specs, step ? step->params : json::object());
    bool isAtMost = false;
    const QStringList names = operationsOf(list, entry, &isAtMost);
    m_facts->setVisible(!step && m_document.graph());
    m_facts->setText(names.isEmpty() ? tr("It matches nothing in this model.")
                     : isAtMost      ? tr("It matches at most %n operation(s). Click to highlight them in the graph.",
                                          nullptr, int(names.size()))
                                     : tr("It matches %n operation(s). Click to highlight them in the graph.", nullptr,
                                          int(names.size())));
    // Text typed into the same entry stays when results arrive
    const QString text = QString::fromStdString(entryJson(list, entry).dump(2));
    if (m_apply->isEnabled() && place == m_shown && text == m_shownText) return;
    m_shown = place;
    m_shownText = text;
    if (m_text->toPlainText() != text) m_text->setPlainText(text);
    m_apply->setEnabled(false);
}

void RecipePanel::mark()
{
    const Place place = current();
    QStringList names;
    if (place.row >= 0 && m_marked != place) {
        bool isAtMost = false;
        names =
            operationsOf(*place.list, entriesOf(m_document.recipe(), *place.list)[std::size_t(place.row)], &isAtMost);
    }
    if (names.isEmpty() && m_marked.row < 0) return;
    m_marked = names.isEmpty() ? Place() : place;
    Q_EMIT markRequested(names);
}

void RecipePanel::fillAddMenu()
{
    for (QMenu *before : m_addMenu->findChildren<QMenu *>()) before->deleteLater(); // clear() leaves them
    m_addMenu->clear();
    const bool has = !m_document.isEmpty();
    const std::string current = globEscaped(m_document.current().toStdString());
    const std::string name = current.empty() ? "*" : current;
    m_addMenu
        ->addAction(
            tr("Dispatch rule"), this,
            [this, name] { add(List::Dispatch, api::Rule{.match = {.op = name}, .set = {.platform = "FP32"}}); })
        ->setEnabled(has);
    m_addMenu
        ->addAction(tr("Override"), this,
                    [this, name] {
                        add(List::Overrides,
                            api::Rule{.match = {.op = name, .roles = {api::SlotRole::Output}}, .set = {.bits = 8}});
                    })
        ->setEnabled(has);
    if (!m_document.requests().catalogue()) return;
    const auto fill = [&](const QString &title, const auto &items, List list, const auto &pathOf) {
        QMenu *menu = m_addMenu->addMenu(title);
        menu->setToolTipsVisible(true);
        menu->setEnabled(has);
        for (const auto &item : items) {
            api::StepRequest step;
            step.id = item.id;
            step.path = pathOf(item);
            QAction *action = menu->addAction(engineText(item.title), this, [this, list, step] { add(list, step); });
            action->setToolTip(engineText(item.meaning));
        }
    };
    fill(tr("Analysis"), m_document.requests().known().analyses, List::Analyses,
         [](const api::AnalysisItem &) { return std::string(); });
    const std::string stem = m_document.title().section(QLatin1Char('.'), 0, 0).toStdString();
    fill(tr("Export"), m_document.requests().known().exporters, List::Exports, [&](const api::ExporterItem &item) {
        return stem + "_" + item.id + (item.extensions.empty() ? std::string() : item.extensions.front());
    });
}

template <class T>
static std::vector<T> entriesAs(const std::vector<std::variant<api::Rule, api::StepRequest>> &entries)
{
    std::vector<T> list;
    for (const auto &entry : entries) list.push_back(std::get<T>(entry));
    return list;
}

bool RecipePanel::apply(const QString &what, List list, const Entries &entries)
{
    try {
        editRecipe(m_document, what, [&](api::Recipe &recipe) {
            switch (list) {
            case List::Dispatch: recipe.dispatch = entriesAs<api::Rule>(entries); break;
            case List::Overrides: recipe.overrides = entriesAs<api::Rule>(entries); break;
            case List::Analyses: recipe.analyses = entriesAs<api::StepRequest>(entries); break;
            case List::Exports: recipe.exports = entriesAs<api::StepRequest>(entries); break;
            }
        });
        return true;
    } catch (const Error &error) {
        m_error->setText(exceptionText(error));
        m_error->show();
        return false;
    }
}

void RecipePanel::add(List list, const Entry &entry)
{
    Entries entries = entriesOf(m_document.recipe(), list);
    entries.push_back(entry);
    if (apply(tr("Add %1").arg(firstText(list, entry)), list, entries)) select({list, int(entries.size()) - 1});
}

void RecipePanel::move(int by)
{
    const Place place = current();
    const int to = place.row + by;
    if (place.row < 0 || to < 0) return;
    Entries entries = entriesOf(m_document.recipe(), *place.list);
    if (to >= int(entries.size())) return;
    std::swap(entries[std::size_t(place.row)], entries[std::size_t(to)]);
    if (apply(tr("Move %1").arg(firstText(*place.list, entries[std::size_t(to)])), *place.list, entries))
        select({place.list, to});
}

void RecipePanel::remove()
{
    const Place place = current();
    if (place.row < 0) return;
    Entries entries = entriesOf(m_document.recipe(), *place.list);
    const QString name = firstText(*place.list, entries[std::size_t(place.row)]);
    entries.erase(entries.begin() + place.row);
    if (apply(tr("Remove %1").arg(name), *place.list, entries)) select(place);
}

void RecipePanel::applyText()
{
    const Place place = current();
    if (place.row < 0) return;
    const std::string text = m_text->toPlainText().toStdString();
    if (!json::accept(text)) {
        m_error->setText(tr("This is not valid JSON: check for a missing quote, comma or brace."));
        m_error->show();
        return;
    }
    try {
        const Entry entry = entryFromText(*place.list, text);
        Entries entries = entriesOf(m_document.recipe(), *place.list);
        entries[std::size_t(place.row)] = entry;
        apply(tr("Edit %1").arg(firstText(*place.list, entry)), *place.list, entries);
    } catch (const Error &error) {
        m_error->setText(exceptionText(error));
        m_error->show();
    }
}

} // namespace ql
