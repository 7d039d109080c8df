#include "views/panels/recipe_panel.h"

#include "core/base/error.h"
#include "core/base/strings.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/engine_text.h"
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
#include <QSet>
#include <QShortcut>
#include <QSplitter>
#include <QToolButton>
#include <QTreeWidget>
#include <algorithm>
#include <utility>

namespace ql {

using nlohmann::json;
using namespace nlohmann::literals;

namespace {

struct RecipeList
{
    const char *key, *title, *meaning;
};

const RecipeList recipeLists[] = {
    {"dispatch", QT_TRANSLATE_NOOP("ql::RecipePanel", "Dispatch"),
     QT_TRANSLATE_NOOP("ql::RecipePanel", "Operations whose platform you set yourself. Later rules win.")},
    {"overrides", QT_TRANSLATE_NOOP("ql::RecipePanel", "Overrides"),
     QT_TRANSLATE_NOOP("ql::RecipePanel",
                       "Your changes to tensor configs, applied after the platform's rules. Later overrides win.")},
    {"analyses", QT_TRANSLATE_NOOP("ql::RecipePanel", "Analyses"),
     QT_TRANSLATE_NOOP("ql::RecipePanel",
                       "Measurements of each run. Graph outputs are always measured, unless the list is empty.")},
    {"exports", QT_TRANSLATE_NOOP("ql::RecipePanel", "Exports"),
     QT_TRANSLATE_NOOP("ql::RecipePanel", "Files that each run writes.")}};

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
    if (object.is_object())
        for (const auto &[key, value] : object.items())
            parts.append(engineText(readableName(key)) + QLatin1Char(' ') + valueText(value));
    return parts.join(QStringLiteral(" · "));
}

/// Which operations or tensors a rule is about, the name first.
QString matchText(const json &match)
{
    QStringList parts;
    for (const char *key : {"op", "variable", "types", "role"})
        if (const json &value = memberOf(match, key); !value.is_null()) parts.append(valueText(value));
    json rest = match.is_object() ? match : json::object();
    for (const char *key : {"op", "variable", "types", "role", "platform"}) rest.erase(key);
    if (const QString others = membersText(rest); !others.isEmpty()) parts.append(others);
    return parts.isEmpty() ? RecipePanel::tr("everything") : parts.join(QStringLiteral(" · "));
}

QString firstText(const std::string &list, const json &entry)
{
    if (entry.is_string()) return valueText(entry);
    if (list == "dispatch") return matchText(entry);
    if (list == "overrides") return matchText(memberOf(entry, "match"));
    return textOf(entry, list == "exports" ? "format" : "id");
}

QString secondText(const std::string &list, const json &entry)
{
    if (list == "dispatch") return textOf(entry, "platform");
    if (list == "overrides") return membersText(memberOf(entry, "set"));
    if (list == "exports") return textOf(entry, "path");
    return membersText(memberOf(entry, "params"));
}

bool isOneOf(const json &wanted, const std::string &given)
{
    if (wanted.is_string()) return wanted == given;
    return wanted.is_array() && std::find(wanted.begin(), wanted.end(), json(given)) != wanted.end();
}

bool fitsPattern(const json &pattern, const QString &name)
{
    return pattern.is_null() || (pattern.is_string() && globMatch(pattern.get<std::string>(), name.toStdString()));
}

/// Whether an override could be about a slot, by what the window knows of it.
bool couldMatch(const json &match, const ConfigInfo &config, const QString &type)
{
    if (!fitsPattern(memberOf(match, "op"), config.operation) ||
        !fitsPattern(memberOf(match, "variable"), config.variable))
        return false;
    if (const json &types = memberOf(match, "types"); !types.is_null() && !isOneOf(types, type.toStdString()))
        return false;
    const json &role = memberOf(match, "role");
    const bool isOutput = config.role == QLatin1String("output");
    const bool wantsInner = isOneOf(role, "weight") || isOneOf(role, "bias"); // of operations that the engine knows
    if (!role.is_null() && !isOneOf(role, config.role.toStdString()) &&
        !(isOneOf(role, "activation") && config.role == QLatin1String("input")) &&
        !(wantsInner && !isOutput && config.index == (isOneOf(role, "weight") ? 1 : 2)))
        return false;
    const json &index = memberOf(match, "index");
    return !index.is_number() || (config.index == index.get<int>() && (!isOutput || isOneOf(role, "output")));
}

} // namespace

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
        json entries = m_document.recipeJson()[place.list];
        const json entry = entries[std::size_t(place.row)];
        entries.insert(entries.begin() + place.row + 1, entry);
        if (apply(tr("Duplicate %1").arg(firstText(place.list, entry)), place.list, entries))
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
        json entries = m_document.recipeJson()[place.list];
        entries[std::size_t(place.row)]["params"][name.toStdString()] = value;
        apply(tr("%1 of %2").arg(engineText(readableName(name.toStdString())), m_title->text()), place.list, entries);
    });
    connect(&m_document, &Document::recipeChanged, this, &RecipePanel::refresh);
    connect(&m_document.history(), &RunHistory::configsChanged, this, &RecipePanel::showEntry);
    connect(&m_document.requests(), &EngineRequests::catalogueChanged, this, &RecipePanel::showEntry);
}

void RecipePanel::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    refresh(); // nothing is kept up while it is hidden: a recipe may have thousands of rules
}

RecipePanel::Place RecipePanel::current() const
{
    const QTreeWidgetItem *item = m_tree->currentItem();
    if (!item) return {};
    return {item->data(0, ListRole).toString().toStdString(), item->parent() ? item->data(0, RowRole).toInt() : -1};
}

void RecipePanel::select(const Place &place)
{
    for (int i = 0; i < m_tree->topLevelItemCount(); ++i) {
        QTreeWidgetItem *section = m_tree->topLevelItem(i);
        if (section->data(0, ListRole).toString().toStdString() != place.list) continue;
        const int row = std::min(place.row, section->childCount() - 1);
        m_tree->setCurrentItem(row < 0 ? section : section->child(row));
    }
}

void RecipePanel::refresh()
{
    if (!isVisible()) return;
    const Place before = current();
    const json recipe = m_document.recipeJson();
    {
        const QSignalBlocker blocker(m_tree);
        m_tree->clear();
        QList<QTreeWidgetItem *> sections;
        for (const RecipeList &list : recipeLists) {
            const json &entries = recipe[list.key];
            auto *section = new QTreeWidgetItem({tr(list.title), QString::number(entries.size())});
            section->setData(0, ListRole, QLatin1String(list.key));
            section->setToolTip(0, tr(list.meaning));
            QFont bold = textFont(true);
            section->setFont(0, bold);
            section->setForeground(1, Theme::current().dim);
            QList<QTreeWidgetItem *> rows;
            for (std::size_t row = 0; row < entries.size(); ++row) {
                const QString first = firstText(list.key, entries[row]), second = secondText(list.key, entries[row]);
                auto *item = new QTreeWidgetItem({first, second});
                item->setData(0, ListRole, QLatin1String(list.key));
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

json RecipePanel::catalogueEntry(const Place &place, const json &entry) const
{
    const std::string id = firstText(place.list, entry).toStdString();
    if (m_document.requests().catalogue() && (place.list == "analyses" || place.list == "exports"))
        for (const json &item :
             memberOf(*m_document.requests().catalogue(), place.list == "exports" ? "exporters" : "analyses"))
            if (item.value("id", "") == id) return item;
    return json::object();
}

QStringList RecipePanel::operationsOf(const Place &place, const json &entry, bool *isAtMost) const
{
    QStringList names;
    *isAtMost = false;
    const GraphPtr &graph = m_document.graph();
    if (!graph) return names;
    if (place.list == "dispatch") {
        for (const OperationInfo &op : graph->operations) {
            if (op.body >= 0) break;
            const json &types = memberOf(entry, "types");
            if (fitsPattern(memberOf(entry, "op"), op.name) &&
                (types.is_null() || isOneOf(types, op.type.toStdString())))
                names.append(op.name);
        }
    } else if (place.list == "overrides") {
        const json &match = memberOf(entry, "match");
        static const QSet<QString> known{QStringLiteral("op"), QStringLiteral("variable"), QStringLiteral("types"),
                                         QStringLiteral("role"), QStringLiteral("index")};
        if (match.is_object())
            for (const auto &member : match.items())
                *isAtMost = *isAtMost || !known.contains(QString::fromStdString(member.key()));
        const json &role = memberOf(match, "role");
        *isAtMost = *isAtMost || isOneOf(role, "weight") || isOneOf(role, "bias");
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
    m_details->setVisible(!place.list.empty());
    if (place.list.empty()) return;
    for (const RecipeList &list : recipeLists)
        if (place.list == list.key) {
            m_title->setText(tr(list.title));
            m_meaning->setText(tr(list.meaning));
        }
    if (!has) return;
    const json entries = m_document.recipeJson()[place.list];
    if (place.row >= int(entries.size())) return; // gone, and the news of it still on its way
    const json &entry = entries[std::size_t(place.row)];
    m_up->setEnabled(place.row > 0);
    m_down->setEnabled(place.row + 1 < int(entries.size()));
    const json item = catalogueEntry(place, entry);
    if (!item.empty()) {
        m_title->setText(engineText(item, "title"));
        m_meaning->setText(engineText(item, "meaning"));
    }
    const json specs = item.value("params", json::array());
    m_params->setVisible(!specs.empty());
    m_params->setParams(specs, entry.is_object() ? entry.value("params", json::object()) : json::object());
    bool isAtMost = false;
    const QStringList names = operationsOf(place, entry, &isAtMost);
    const bool isRule = place.list == "dispatch" || place.list == "overrides";
    m_facts->setVisible(isRule && m_document.graph());
    m_facts->setText(names.isEmpty() ? tr("It matches nothing in this model.")
                     : isAtMost      ? tr("It matches at most %n operation(s). Click to highlight them in the graph.",
                                          nullptr, int(names.size()))
                                     : tr("It matches %n operation(s). Click to highlight them in the graph.", nullptr,
                                          int(names.size())));
    // What is typed into the same entry stays when results come
    const QString text = QString::fromStdString(entry.dump(2));
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
        names = operationsOf(place, m_document.recipeJson()[place.list][std::size_t(place.row)], &isAtMost);
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
        ->addAction(tr("Dispatch rule"), this,
                    [this, name] {
                        add("dispatch", {{"op", name}, {"platform", "FP32"}});
                    })
        ->setEnabled(has);
    m_addMenu
        ->addAction(tr("Override"), this,
                    [this, name] {
                        add("overrides", {{"match", {{"op", name}, {"role", "output"}}}, {"set", {{"bits", 8}}}});
                    })
        ->setEnabled(has);
    if (!m_document.requests().catalogue()) return;
    const auto fill = [&](const QString &title, const char *items, const std::string &list) {
        QMenu *menu = m_addMenu->addMenu(title);
        menu->setToolTipsVisible(true);
        menu->setEnabled(has);
        for (const json &item : memberOf(*m_document.requests().catalogue(), items)) {
            const std::string id = item.value("id", "");
            QAction *action = menu->addAction(engineText(item, "title"), this, [this, list, id, item] {
                if (list == "analyses") return add(list, {{"id", id}, {"params", json::object()}});
                add(list, {{"format", id},
                           {"path", m_document.title().section(QLatin1Char('.'), 0, 0).toStdString() + "_" + id +
                                        item.value("/extensions/0"_json_pointer, std::string())},
                           {"params", json::object()}});
            });
            action->setToolTip(engineText(item, "meaning"));
        }
    };
    fill(tr("Analysis"), "analyses", "analyses");
    fill(tr("Export"), "exporters", "exports");
}

bool RecipePanel::apply(const QString &what, const std::string &list, const json &entries)
{
    try {
        json recipe = m_document.recipeJson();
        recipe[list] = entries;
        replaceRecipe(m_document, what, recipe);
        return true;
    } catch (const Error &error) {
        m_error->setText(QString::fromUtf8(error.what()));
        m_error->show();
        return false;
    }
}

void RecipePanel::add(const std::string &list, const json &entry)
{
    json entries = m_document.recipeJson()[list];
    entries.push_back(entry);
    if (apply(tr("Add %1").arg(firstText(list, entry)), list, entries)) select({list, int(entries.size()) - 1});
}

void RecipePanel::move(int by)
{
    const Place place = current();
    json entries = place.row >= 0 ? m_document.recipeJson()[place.list] : json::array();
    const int to = place.row + by;
    if (place.row < 0 || to < 0 || to >= int(entries.size())) return;
    std::swap(entries[std::size_t(place.row)], entries[std::size_t(to)]);
    if (apply(tr("Move %1").arg(firstText(place.list, entries[std::size_t(to)])), place.list, entries))
        select({place.list, to});
}

void RecipePanel::remove()
{
    const Place place = current();
    if (place.row < 0) return;
    json entries = m_document.recipeJson()[place.list];
    const QString name = firstText(place.list, entries[std::size_t(place.row)]);
    entries.erase(std::size_t(place.row));
    if (apply(tr("Remove %1").arg(name), place.list, entries)) select(place);
}

void RecipePanel::applyText()
{
    const Place place = current();
    if (place.row < 0) return;
    const QByteArray text = m_text->toPlainText().toUtf8();
    const json entry = json::parse(text.begin(), text.end(), nullptr, false);
    if (entry.is_discarded()) {
        m_error->setText(tr("This is not valid JSON: check for a missing quote, comma or brace."));
        m_error->show();
        return;
    }
    json entries = m_document.recipeJson()[place.list];
    entries[std::size_t(place.row)] = entry;
    apply(tr("Edit %1").arg(firstText(place.list, entry)), place.list, entries);
}

} // namespace ql
