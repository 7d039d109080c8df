// The form of a platform's definition: its fields, its rules, and what the engine says of it.
#include "views/bridge/engine_requests.h"
#include "views/bridge/engine_text.h"
#include "views/panels/platform_dialog.h"
#include "views/panels/platform_inheritance.h"
#include "views/panels/platform_passes.h"
#include "views/panels/rule_form.h"
#include "views/style/buttons.h"
#include "views/style/theme.h"

#include <QComboBox>
#include <QFormLayout>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QShortcut>
#include <QTableWidget>
#include <QToolButton>
#include <algorithm>

namespace ql {

using nlohmann::json;

static constexpr int checkDelayMs = 250;
// Of a definition that names none
static constexpr const char *usualDispatcher = "conservative", *usualArithmetic = "float";

static QString wordsOf(const json &list)
{
    QStringList words;
    for (const json &word : list.is_array() ? list : json::array())
        words.append(word.is_string() ? QString::fromStdString(word.get<std::string>())
                                      : QString::fromStdString(word.dump()));
    return words.join(QStringLiteral(", "));
}

static json listOf(const QString &text)
{
    json list = json::array();
    for (const QString &word : text.split(QLatin1Char(','), Qt::SkipEmptyParts))
        if (const QString plain = word.trimmed(); !plain.isEmpty()) list.push_back(plain.toStdString());
    return list;
}

void PlatformDialog::makeForm()
{
    m_form = new QWidget;
    auto *form = new QFormLayout(m_form);
    form->setLabelAlignment(Qt::AlignLeft);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("Id"), m_id);
    form->addRow(tr("Title"), m_title);
    form->addRow(tr("Description"), m_description);
    m_base->setObjectName(QStringLiteral("extends"));
    m_arithmetic->setObjectName(QStringLiteral("arithmetic"));
    form->addRow(tr("Extends"), m_base);
    m_base->setToolTip(tr("Settings that are omitted here are inherited from this platform, and its rules apply first. "
                          "Changes to it also affect this platform."));
    form->addRow(tr("Dispatcher"), m_dispatcher);
    form->addRow(tr("Quantizable types"), m_quantizable);
    form->addRow(tr("Fused activations"), m_fuse);
    form->addRow(tr("Passive types"), m_passive);
    form->addRow(tr("Exporters"), m_exporters);
    m_arithmetic->addItem(tr("float"), QStringLiteral("float"));
    m_arithmetic->addItem(tr("integer"), QStringLiteral("integer"));
    m_arithmetic->setToolTip(tr("How the target computes quantized layers: in floating point, or with integer "
                                "accumulators and fixed-point rescaling."));
    form->addRow(tr("Arithmetic"), m_arithmetic);
    m_rulesTitle->setProperty("heading", true);
    form->addRow(m_rulesTitle);
    form->addRow(m_rules);
    makeRuleTools();
    form->addRow(m_ruleTools);
    form->addRow(m_rule);
    auto *passesTitle = new QLabel(tr("Passes, in order"));
    passesTitle->setProperty("heading", true);
    form->addRow(passesTitle);
    form->addRow(m_passes);
}

void PlatformDialog::makeRuleTools()
{
    m_ruleTools = new QWidget;
    auto *add = textButton(tr("+ Add rule"), tr("Add a rule after the current one"));
    auto *up = textButton(QStringLiteral("↑"), tr("Move the rule up (Alt+Up)"));
    auto *down = textButton(QStringLiteral("↓"), tr("Move the rule down (Alt+Down)"));
    auto *remove = textButton(QStringLiteral("✕"), tr("Remove the rule (Delete)"));
    auto *tools = new QHBoxLayout(m_ruleTools);
    tools->setContentsMargins(0, 0, 0, 0);
    tools->setSpacing(0);
    tools->addWidget(add);
    tools->addStretch();
    for (QToolButton *button : {up, down, remove}) tools->addWidget(button);
    connect(add, &QToolButton::clicked, this, &PlatformDialog::addRule);
    connect(up, &QToolButton::clicked, this, [this] { moveRule(-1); });
    connect(down, &QToolButton::clicked, this, [this] { moveRule(1); });
    connect(remove, &QToolButton::clicked, this, &PlatformDialog::removeRule);
    const auto shortcut = [this](const QString &keys, const auto &act) {
        connect(new QShortcut(QKeySequence(keys), m_rules, nullptr, nullptr, Qt::WidgetShortcut), &QShortcut::activated,
                this, act);
    };
    shortcut(QStringLiteral("Alt+Up"), [this] { moveRule(-1); });
    shortcut(QStringLiteral("Alt+Down"), [this] { moveRule(1); });
    shortcut(QStringLiteral("Del"), [this] { removeRule(); });
}

void PlatformDialog::connectEditors()
{
    m_delay.setSingleShot(true);
    m_delay.setInterval(checkDelayMs);
    connect(&m_delay, &QTimer::timeout, this, &PlatformDialog::check);
    connect(m_rename, &QPushButton::clicked, this, [this] {
        const QString id =
            QInputDialog::getText(this, tr("Rename platform"), tr("New id, one word"), QLineEdit::Normal, m_id->text())
                .trimmed();
        if (!id.isEmpty()) renameTo(id);
    });
    connect(m_delete, &QPushButton::clicked, this, &PlatformDialog::removePlatform);
    connect(m_save, &QPushButton::clicked, this, &PlatformDialog::save);
    connect(m_use, &QPushButton::clicked, this, [this] {
        if (!isEdited()) return use();
        m_afterSave = [this] { use(); }; // what is used is what is seen: it is saved first
        save();
    });
    connect(m_list, &QListWidget::currentTextChanged, this, [this](const QString &id) {
        if (id.isEmpty() || id == m_id->text()) return;
        const auto change = [this, id] { show(id); };
        if (mayLeave(change)) return change();
        const QSignalBlocker blocked(m_list);
        const QList<QListWidgetItem *> before = m_list->findItems(m_id->text(), Qt::MatchExactly);
        m_list->setCurrentItem(before.value(0)); // none: a copy that is not in it yet
    });
    connect(m_text, &QPlainTextEdit::textChanged, this, &PlatformDialog::takeText);
    for (QLineEdit *line : {m_title, m_quantizable, m_fuse, m_passive, m_exporters})
        connect(line, &QLineEdit::textEdited, this, &PlatformDialog::takeForm);
    connect(m_description, &QPlainTextEdit::textChanged, this, &PlatformDialog::takeForm);
    for (QComboBox *choice : {m_dispatcher, m_arithmetic})
        connect(choice, &QComboBox::activated, this, &PlatformDialog::takeForm);
    connect(m_base, &QComboBox::activated, this, &PlatformDialog::takeBase);
    connect(m_rules, &QTableWidget::currentCellChanged, this, &PlatformDialog::showRule);
    connect(m_rule, &RuleForm::edited, this, &PlatformDialog::takeRule);
    connect(m_passes, &PlatformPasses::edited, this, &PlatformDialog::takePasses);
    connect(&m_document.requests(), &EngineRequests::catalogueChanged, this, [this] { fillList(m_id->text()); });
}

void PlatformDialog::connectEngine()
{
    connect(&m_document.requests().engine(), &EngineClient::finished, this,
            [this](RequestId id, const EngineAnswer &answer) {
                if (id == 0) return;
                if (id == m_checkId) {
                    m_checkId = 0;
                    if (const QString platform = textOf(definition(), "id");
                        platform != m_shown && definitionOf(platform).is_object()) {
                        warn(tr("Platform %1 already exists: choose another id.").arg(platform));
                        m_save->setEnabled(false);
                        return;
                    }
                    m_status->setProperty("warn", false);
                    m_status->setText(m_isBuiltIn           ? tr("Built-in: copy it to edit it.")
                                      : m_savedAs.isEmpty() ? tr("The definition is valid.")
                                                            : m_savedAs);
                    m_save->setEnabled(!m_isBuiltIn);
                } else if (id == m_saveId) {
                    m_saveId = 0;
                    onSaved(*answer.data);
                } else if (id == m_removeId) {
                    m_removeId = 0;
                    onRemoved(*answer.data);
                }
                polishAgain(*m_status);
            });
    connect(&m_document.requests().engine(), &EngineClient::failed, this,
            [this](RequestId id, const EngineError &error) {
                if (id == 0 || (id != m_checkId && id != m_saveId && id != m_removeId)) return;
                warn(engineSentences(error.message, error.remedy));
                if (id == m_checkId) m_save->setEnabled(false); // a text that cannot be kept
                m_checkId = m_saveId = m_removeId = 0;
                m_afterSave = nullptr;
                m_replaced.clear();
            });
}

void PlatformDialog::fillForm(const json &definition)
{
    m_isTaking = true;
    m_id->setText(textOf(definition, "id"));
    m_title->setText(textOf(definition, "title"));
    const QString description = textOf(definition, "description"); // one's own is as it was written
    m_description->setPlainText(m_isBuiltIn ? engineText(description) : description);
    const QString extended = textOf(definition, "extends");
    const json base = definitionOf(extended);
    m_base->clear();
    m_base->addItem(tr("nothing"), QString());
    for (int row = 0; row < m_list->count(); ++row)
        if (const QString id = m_list->item(row)->text(); id != m_id->text()) m_base->addItem(id, id);
    m_base->setCurrentIndex(m_base->findData(extended)); // of a platform that is not there: none
    // What is absent is inherited, and shown as what it is then
    const auto member = [&](const char *key) -> const json & {
        return definition.contains(key) ? definition[key] : memberOf(base, key);
    };
    const auto fill = [&](QLineEdit &line, const char *key) {
        line.setText(wordsOf(memberOf(definition, key)));
        line.setPlaceholderText(definition.contains(key) ? QString() : wordsOf(memberOf(base, key)));
    };
    const auto word = [&](const char *key, const char *usual) {
        const json &value = member(key);
        return value.is_string() ? QString::fromStdString(value.get<std::string>()) : QString::fromLatin1(usual);
    };
    m_dispatcher->setCurrentIndex(m_dispatcher->findText(word("dispatcher", usualDispatcher)));
    m_arithmetic->setCurrentIndex(m_arithmetic->findData(word("arithmetic", usualArithmetic)));
    fill(*m_quantizable, "quantable");
    fill(*m_fuse, "fuse_activations");
    fill(*m_passive, "passive");
    fill(*m_exporters, "exporters");
    m_passes->setPasses(member("passes"), m_isBuiltIn);
    const json &inherited = memberOf(base, "rules");
    m_rulesTitle->setText(
        inherited.is_array() && !inherited.empty()
            ? tr("Rules, after the %1 inherited from %2 (later ones win)").arg(inherited.size()).arg(extended)
            : tr("Rules (later ones win)"));
    const json &rules = memberOf(definition, "rules");
    m_rules->setRowCount(rules.is_array() ? int(rules.size()) : 0);
    for (int row = 0; row < m_rules->rowCount(); ++row) fillRow(row, rules[std::size_t(row)]);
    if (m_rules->currentRow() < 0 && m_rules->rowCount() > 0) m_rules->setCurrentCell(0, 0);
    for (QLineEdit *line : {m_title, m_quantizable, m_fuse, m_passive, m_exporters}) {
        line->setReadOnly(m_isBuiltIn);
        line->setCursorPosition(0);
    }
    m_description->setReadOnly(m_isBuiltIn);
    m_text->setReadOnly(m_isBuiltIn);
    for (QComboBox *box : {m_base, m_dispatcher, m_arithmetic}) box->setEnabled(!m_isBuiltIn);
    m_ruleTools->setVisible(!m_isBuiltIn);
    const bool isKept = definitionOf(m_id->text()).is_object();
    m_use->setEnabled(isKept && !m_document.isEmpty());
    m_rename->setEnabled(!m_isBuiltIn);
    m_delete->setEnabled(!m_isBuiltIn && isKept);
    m_isTaking = false;
    showRule();
}

void PlatformDialog::fillRow(int row, const json &rule)
{
    const QString matched = RuleForm::words(memberOf(rule, "match"));
    const QStringList cells{engineText(rule, "name"), matched.isEmpty() ? tr("every slot") : matched,
                            RuleForm::words(memberOf(rule, "set"))};
    for (int column = 0; column < int(cells.size()); ++column) {
        auto *item = new QTableWidgetItem(cells[column]);
        item->setToolTip(cells[column]);
        m_rules->setItem(row, column, item);
    }
}

void PlatformDialog::showRule()
{
    if (m_isTaking) return;
    const int row = m_rules->currentRow();
    const json definition = this->definition(), rules = memberOf(definition, "rules");
    const bool has = rules.is_array() && row >= 0 && row < int(rules.size());
    m_rule->setRule(has ? rules[std::size_t(row)] : json(), m_isBuiltIn);
}

void PlatformDialog::takeRule(const json &rule)
{
    json changed = definition();
    const int row = m_rules->currentRow();
    if (m_isBuiltIn || !changed.is_object() || row < 0 || row >= int(memberOf(changed, "rules").size())) return;
    changed["rules"][std::size_t(row)] = rule;
    fillRow(row, rule);
    putText(changed, false);
}

void PlatformDialog::takePasses(const json &passes)
{
    json changed = definition();
    if (m_isBuiltIn || !changed.is_object()) return;
    changed["passes"] = passes;
    putText(changed, true);
}

void PlatformDialog::takeForm()
{
    if (m_isTaking || m_isBuiltIn) return;
    json changed = definition();
    if (!changed.is_object()) return;
    // Only what was edited: what is absent is inherited
    const auto put = [&](const char *key, const QString &text) {
        if (text != textOf(changed, key)) changed[key] = text.toStdString();
    };
    const auto putList = [&](const char *key, const QLineEdit &line) {
        const json list = listOf(line.text());
        if (wordsOf(memberOf(changed, key)) == line.text() || memberOf(changed, key) == list) return false;
        changed[key] = list;
        return true;
    };
    put("title", m_title->text());
    put("description", m_description->toPlainText());
    const json base = definitionOf(textOf(changed, "extends"));
    const auto putChoice = [&](const char *key, const QString &chosen, const char *usual) {
        const QString now = changed.contains(key) || !base.is_object() ? textOf(changed, key) : textOf(base, key);
        if (!chosen.isEmpty() && chosen != (now.isEmpty() ? QString::fromLatin1(usual) : now))
            changed[key] = chosen.toStdString();
    };
    putChoice("dispatcher", m_dispatcher->currentText(), usualDispatcher);
    putChoice("arithmetic", m_arithmetic->currentData().toString(), usualArithmetic);
    putList("quantable", *m_quantizable);
    putList("exporters", *m_exporters);
    const bool changesFusion = putList("fuse_activations", *m_fuse);
    const bool changesPassive = putList("passive", *m_passive);
    // The fusion follows the platform's lists unless it has its own
    if ((changesFusion || changesPassive) && changed.contains("passes"))
        changed["passes"] = withoutFollowing(changed["passes"], catalogue());
    putText(changed, false);
}

void PlatformDialog::takeBase()
{
    const json changed = definition();
    const QString before = textOf(changed, "extends"), after = m_base->currentData().toString();
    if (m_isBuiltIn || !changed.is_object() || before == after) return;
    putText(extending(changed, definitionOf(before), definitionOf(after), catalogue()), true);
}

void PlatformDialog::editRules(const std::function<int(json &rules, int row)> &edit)
{
    json changed = definition();
    if (m_isBuiltIn || !changed.is_object()) return;
    json &rules = changed["rules"];
    if (rules.is_null()) rules = json::array();
    if (!rules.is_array()) return;
    const int row = edit(rules, m_rules->currentRow());
    putText(changed, true);
    m_rules->setCurrentCell(row, 0);
    showRule();
}

void PlatformDialog::addRule()
{
    editRules([](json &rules, int row) {
        const int at = row < 0 ? int(rules.size()) : row + 1;
        // One that changes nothing where it matches, to be filled in
        rules.insert(rules.begin() + at, json{{"name", ""}, {"match", {{"types", {"Conv"}}}}, {"set", {{"bits", 8}}}});
        return at;
    });
}

void PlatformDialog::removeRule()
{
    editRules([](json &rules, int row) {
        if (row >= 0) rules.erase(std::size_t(row));
        return std::min(row, int(rules.size()) - 1);
    });
}

void PlatformDialog::moveRule(int by)
{
    editRules([by](json &rules, int row) {
        if (row < 0 || row + by < 0 || row + by >= int(rules.size())) return row;
        std::iter_swap(rules.begin() + row, rules.begin() + row + by);
        return row + by;
    });
}

void PlatformDialog::check()
{
    m_save->setEnabled(false);
    m_checkId = m_document.requests().engine().request(api::method::platformCheck,
                                                       {{"text", m_text->toPlainText().toStdString()}});
}

} // namespace ql
