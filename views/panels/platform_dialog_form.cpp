// The form of a platform's definition: its fields, its rules, and the engine's answer about it.
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
#include <utility>

namespace ql {

static constexpr int checkDelayMs = 250;
/// Words with commas between, as a list is edited.
static QString wordsOf(const std::vector<std::string> &list)
{
    QStringList words;
    for (const std::string &word : list) words.append(QString::fromStdString(word));
    return words.join(QStringLiteral(", "));
}

static std::vector<std::string> listOf(const QString &text)
{
    std::vector<std::string> list;
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
    m_arithmetic->addItem(tr("float"), false);
    m_arithmetic->addItem(tr("integer"), true);
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
        m_afterSave = [this] { use(); }; // the used definition is the visible one: it is saved first
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
    connect(m_rule, &RuleForm::refused, this, &PlatformDialog::refuseRule);
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
                    if (const QString platform = m_file ? QString::fromStdString(m_file->id) : QString();
                        platform != m_shown && itemOf(platform)) {
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
                    onSaved(*answer.as(api::method::platformSave));
                } else if (id == m_removeId) {
                    m_removeId = 0;
                    onRemoved(*answer.as(api::method::platformRemove));
                }
                repolish(*m_status);
            });
    connect(&m_document.requests().engine(), &EngineClient::failed, this,
            [this](RequestId id, const EngineError &error) {
                if (id == 0 || (id != m_checkId && id != m_saveId && id != m_removeId)) return;
                warn(engineSentences(error.message, error.remedy));
                if (id == m_checkId) m_save->setEnabled(false); // a text that cannot be saved
                m_checkId = m_saveId = m_removeId = 0;
                m_afterSave = nullptr;
                m_replaced.clear();
            });
}

void PlatformDialog::fillForm()
{
    m_isTaking = true;
    m_id->setText(QString::fromStdString(m_file->id));
    m_title->setText(QString::fromStdString(m_file->title));
    const std::string description =
        m_file->description.value_or(std::string()); // the user's own text is kept as written
    m_description->setPlainText(m_isBuiltIn && !description.empty() ? engineText(Text::ofTemplate(description.c_str()))
                                                                    : QString::fromStdString(description));
    const api::PlatformDefinition *base = this->base();
    m_base->clear();
    m_base->addItem(tr("nothing"), QString());
    for (int row = 0; row < m_list->count(); ++row)
        if (const QString id = m_list->item(row)->text(); id != m_id->text()) m_base->addItem(id, id);
    m_base->setCurrentIndex(m_base->findData(QString::fromStdString(m_file->extends))); // none if it is missing
    // Absent members are inherited, and shown with their values
    const api::PlatformDefinition whole = api::resolved(*m_file, base);
    const auto fill = [](QLineEdit &line, const auto &own, const std::vector<std::string> &inherited) {
        line.setText(own ? wordsOf(*own) : QString());
        line.setPlaceholderText(own ? QString() : wordsOf(inherited));
    };
    m_dispatcher->setCurrentIndex(m_dispatcher->findText(QString::fromStdString(whole.dispatcher)));
    m_arithmetic->setCurrentIndex(m_arithmetic->findData(whole.integerArithmetic));
    fill(*m_quantizable, m_file->quantizable, whole.quantizable);
    fill(*m_fuse, m_file->fuseActivations, whole.fuseActivations);
    fill(*m_passive, m_file->passiveTypes, whole.passiveTypes);
    fill(*m_exporters, m_file->exporters, whole.exporters);
    m_passes->setPasses(whole.passes, m_isBuiltIn);
    fillRules(base);
    for (QLineEdit *line : {m_title, m_quantizable, m_fuse, m_passive, m_exporters}) {
        line->setReadOnly(m_isBuiltIn);
        line->setCursorPosition(0);
    }
    m_description->setReadOnly(m_isBuiltIn);
    m_text->setReadOnly(m_isBuiltIn);
    for (QComboBox *box : {m_base, m_dispatcher, m_arithmetic}) box->setEnabled(!m_isBuiltIn);
    m_ruleTools->setVisible(!m_isBuiltIn);
    const bool isKept = itemOf(m_id->text());
    m_use->setEnabled(isKept && !m_document.isEmpty());
    m_rename->setEnabled(!m_isBuiltIn);
    m_delete->setEnabled(!m_isBuiltIn && isKept);
    m_isTaking = false;
    showRule();
}

void PlatformDialog::fillRules(const api::PlatformDefinition *base)
{
    m_rulesTitle->setText(base && !base->rules.empty() ? tr("Rules, after the %1 inherited from %2 (later ones win)")
                                                             .arg(base->rules.size())
                                                             .arg(QString::fromStdString(base->id))
                                                       : tr("Rules (later ones win)"));
    const std::vector<api::Rule> rules = m_file->rules.value_or(std::vector<api::Rule>());
    m_rules->setRowCount(int(rules.size()));
    for (int row = 0; row < m_rules->rowCount(); ++row) fillRow(row, rules[std::size_t(row)]);
    if (m_rules->currentRow() < 0 && m_rules->rowCount() > 0) m_rules->setCurrentCell(0, 0);
}

void PlatformDialog::fillRow(int row, const api::Rule &rule)
{
    const QString matched = RuleForm::words(rule.match);
    const QStringList cells{engineText(Text::ofTemplate(rule.name.c_str())),
                            matched.isEmpty() ? tr("every slot") : matched, RuleForm::words(rule.set)};
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
    const bool has = m_file && m_file->rules && row >= 0 && row < int(m_file->rules->size());
    m_rule->setRule(has ? std::optional((*m_file->rules)[std::size_t(row)]) : std::nullopt, m_isBuiltIn);
}

void PlatformDialog::takeRule(const api::Rule &rule)
{
    const int row = m_rules->currentRow();
    if (m_isBuiltIn || !m_file || !m_file->rules || row < 0 || row >= int(m_file->rules->size())) return;
    (*m_file->rules)[std::size_t(row)] = rule;
    fillRow(row, rule);
    putFile(false);
}

void PlatformDialog::refuseRule(const QString &why)
{
    m_delay.stop(); // the text does not contain the rule that is being typed
    if (m_checkId) m_document.requests().engine().drop(m_checkId);
    m_checkId = 0;
    m_save->setEnabled(false);
    warn(why);
}

void PlatformDialog::takePasses(const std::vector<api::StepRequest> &passes)
{
    if (m_isBuiltIn || !m_file) return;
    m_file->passes = passes;
    putFile(true);
}

void PlatformDialog::takeForm()
{
    if (m_isTaking || m_isBuiltIn || !m_file) return;
    // Only edited members: absent ones are inherited
    m_file->title = m_title->text().toStdString();
    const std::string description = m_description->toPlainText().toStdString();
    if (description != m_file->description.value_or(std::string())) m_file->description = description;
    const api::PlatformDefinition whole = api::resolved(*m_file, base());
    const std::string dispatcher = m_dispatcher->currentText().toStdString();
    if (!dispatcher.empty() && dispatcher != whole.dispatcher) m_file->dispatcher = dispatcher;
    if (const QVariant chosen = m_arithmetic->currentData(); chosen.isValid() && chosen != whole.integerArithmetic)
        m_file->integerArithmetic = chosen.toBool();
    const auto take = [](std::optional<std::vector<std::string>> &own, const QLineEdit &line) {
        const std::vector<std::string> list = listOf(line.text());
        if ((own ? wordsOf(*own) : QString()) == line.text() || own == list) return false;
        own = list;
        return true;
    };
    take(m_file->quantizable, *m_quantizable);
    take(m_file->exporters, *m_exporters);
    const bool changesFusion = take(m_file->fuseActivations, *m_fuse);
    const bool changesPassive = take(m_file->passiveTypes, *m_passive);
    // The fusion follows the platform's lists unless it has its own
    if ((changesFusion || changesPassive) && m_file->passes)
        m_file->passes = withoutFollowing(*m_file->passes, m_document.requests().known().passes);
    putFile(false);
}

void PlatformDialog::takeBase()
{
    const std::string after = m_base->currentData().toString().toStdString();
    if (m_isBuiltIn || !m_file || m_file->extends == after) return;
    m_file = extending(*m_file, base(), definitionOf(after), m_document.requests().known().passes);
    putFile(true);
}

void PlatformDialog::editRules(const std::function<int(std::vector<api::Rule> &rules, int row)> &edit)
{
    if (m_isBuiltIn || !m_file) return;
    if (!m_file->rules) m_file->rules.emplace();
    const int row = edit(*m_file->rules, m_rules->currentRow());
    putFile(true);
    m_rules->setCurrentCell(row, 0);
    showRule();
}

void PlatformDialog::addRule()
{
    editRules([](std::vector<api::Rule> &rules, int row) {
        const int at = row < 0 ? int(rules.size()) : row + 1;
        // One that changes nothing where it matches, to be filled in
        rules.insert(rules.begin() + at, {.match = {.types = {"Conv"}}, .set = {.bits = 8}});
        return at;
    });
}

void PlatformDialog::removeRule()
{
    editRules([](std::vector<api::Rule> &rules, int row) {
        if (row >= 0) rules.erase(rules.begin() + row);
        return std::min(row, int(rules.size()) - 1);
    });
}

void PlatformDialog::moveRule(int by)
{
    editRules([by](std::vector<api::Rule> &rules, int row) {
        if (row < 0 || row + by < 0 || row + by >= int(rules.size())) return row;
        std::swap(rules[std::size_t(row)], rules[std::size_t(row + by)]);
        return row + by;
    });
}

void PlatformDialog::check()
{
    m_save->setEnabled(false);
    m_checkId =
        m_document.requests().engine().request(api::method::platformCheck, {m_text->toPlainText().toStdString()});
}

} // namespace ql
