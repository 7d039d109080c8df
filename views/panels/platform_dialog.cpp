#include "views/panels/platform_dialog.h"

#include "core/base/error.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/engine_text.h"
#include "views/commands/recipe_command.h"
#include "views/panels/platform_comparison.h"
#include "views/panels/platform_inheritance.h"
#include "views/panels/platform_passes.h"
#include "views/panels/rule_form.h"
#include "views/panels/table_export.h"
#include "views/style/buttons.h"
#include "views/style/plain_table.h"
#include "views/style/screen.h"
#include "views/style/theme.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QFormLayout>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QShortcut>
#include <QSplitter>
#include <QTabWidget>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace ql {

using nlohmann::json;

PlatformDialog::PlatformDialog(Document &document, QWidget *parent)
    : QDialog(parent), m_document(document), m_list(new QListWidget), m_tabs(new QTabWidget), m_id(new QLineEdit),
      m_title(new QLineEdit), m_quantizable(new QLineEdit), m_fuse(new QLineEdit), m_passive(new QLineEdit),
      m_exporters(new QLineEdit), m_description(new QPlainTextEdit), m_text(new QPlainTextEdit), m_base(new QComboBox),
      m_dispatcher(new QComboBox), m_arithmetic(new QComboBox),
      m_rules(plainTable({tr("Rule"), tr("Matches"), tr("Sets")}, tr("Rules"))),
      m_comparison(new PlatformComparison(document)), m_rule(new RuleForm), m_passes(new PlatformPasses(document)),
      m_status(new QLabel), m_rulesTitle(new QLabel), m_rename(new QPushButton(tr("Rename…"))),
      m_delete(new QPushButton(tr("Delete…"))), m_save(new QPushButton(tr("Save"))),
      m_use(new QPushButton(tr("Use for this model")))
{
    setWindowTitle(tr("Platforms"));
    m_save->setObjectName(QStringLiteral("keepPlatform"));
    resizeOnScreen(*this, {1240, 740});
    makeTexts();
    makeForm();
    auto *formScroll = new QScrollArea;
    formScroll->setWidgetResizable(true);
    formScroll->setWidget(m_form);
    // In a narrow window the text shrinks, which wraps nothing
    formScroll->setMinimumWidth(m_form->minimumSizeHint().width() +
                                formScroll->verticalScrollBar()->sizeHint().width() + 2 * formScroll->frameWidth());
    m_text->setMinimumWidth(160);
    auto *both = new QSplitter;
    both->setChildrenCollapsible(false);
    both->addWidget(formScroll);
    both->addWidget(m_text);
    both->setSizes({580, 460});

    m_tabs->addTab(both, tr("Definition"));
    m_tabs->addTab(m_comparison, tr("Compare on this model"));
    m_tabs->setDocumentMode(true);
    m_tabs->setAccessibleName(windowTitle());
    m_status->setWordWrap(true);
    m_status->setContentsMargins(10, 2, 10, 2);
    auto *right = new QWidget;
    auto *rightBox = new QVBoxLayout(right);
    rightBox->setContentsMargins(0, 0, 0, 0);
    rightBox->addWidget(m_tabs, 1);
    rightBox->addWidget(m_status);
    auto *splitter = new QSplitter;
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(m_list);
    splitter->addWidget(right);
    splitter->setStretchFactor(1, 1);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto *copy = buttons->addButton(tr("Copy as…"), QDialogButtonBox::ActionRole);
    for (QPushButton *button : {m_rename, m_delete, m_save, m_use})
        buttons->addButton(button, QDialogButtonBox::ActionRole);
    for (QPushButton *button : {copy, m_rename, m_delete, m_save, m_use}) button->setAutoDefault(false);
    auto *box = new QVBoxLayout(this);
    box->addWidget(splitter, 1);
    box->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(copy, &QPushButton::clicked, this, [this] {
        const QString id = QInputDialog::getText(this, tr("Copy platform"), tr("Id of the copy, one word"),
                                                 QLineEdit::Normal, QStringLiteral("MY_") + m_id->text())
                               .trimmed();
        if (!id.isEmpty()) copyAs(id);
    });
    connectEditors();
    connectEngine();
    fillList(QString::fromStdString(document.recipe().platform));
    const int listWidth = std::max(170, m_list->sizeHintForColumn(0) + 12);
    splitter->setSizes({listWidth, width() - listWidth});
}

void PlatformDialog::makeTexts()
{
    m_list->setAccessibleName(tr("Platforms"));
    m_id->setReadOnly(true); // a definition is identified by it: copies get another one
    m_description->setStyleSheet(
        QStringLiteral("min-height: 56px; max-height: 56px")); // that of the theme is for a line edit
    m_description->setTabChangesFocus(true);
    m_text->setTabChangesFocus(true);
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setAccessibleName(tr("Definition as JSON"));
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_rules->setMinimumHeight(220);
    for (const int column : {1, 2}) m_rules->horizontalHeader()->setSectionResizeMode(column, QHeaderView::Stretch);
    m_rules->setColumnWidth(0, 110);
    m_rules->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    attachTableMenu(*m_rules, QStringLiteral("rules"));
}

const api::PlatformItem *PlatformDialog::itemOf(const QString &platform) const
{
    return api::findItem(m_document.requests().known().platforms, platform.toStdString());
}

const api::PlatformDefinition *PlatformDialog::definitionOf(const std::string &platform) const
{
    const api::PlatformItem *item = api::findItem(m_document.requests().known().platforms, platform);
    return item ? &item->definition : nullptr;
}

const api::PlatformDefinition *PlatformDialog::base() const
{
    return m_file ? definitionOf(m_file->extends) : nullptr;
}

void PlatformDialog::fillList(const QString &chosen)
{
    const QSignalBlocker blocked(m_list);
    m_list->clear();
    const api::Catalogue &known = m_document.requests().known();
    for (const api::PlatformItem &platform : known.platforms) {
        auto *item = new QListWidgetItem(QString::fromStdString(platform.id), m_list);
        item->setToolTip(engineText(platform.title) + QLatin1Char('\n') + engineText(platform.meaning));
    }
    QStringList observers;
    for (const api::ObserverItem &observer : known.observers) observers.append(QString::fromStdString(observer.id));
    m_rule->setObservers(observers);
    m_dispatcher->clear();
    for (const api::CatalogueItem &dispatcher : known.dispatchers)
        m_dispatcher->addItem(QString::fromStdString(dispatcher.id));
    const QList<QListWidgetItem *> found = m_list->findItems(chosen, Qt::MatchExactly);
    if (!found.isEmpty()) {
        m_list->setCurrentItem(found.front());
        if (!isEdited()) show(chosen);
    }
}

void PlatformDialog::show(const QString &platform)
{
    const api::PlatformItem *item = itemOf(platform);
    if (!item) return;
    m_shown = platform;
    m_comparison->choose(platform);
    m_isBuiltIn = item->builtIn;
    // A user platform as written in its file, with its "extends"
    m_saved = QString::fromStdString(item->text.empty() ? api::toJson(item->definition).dump(2) : item->text);
    m_text->setPlainText(m_saved);
    m_saved = m_text->toPlainText(); // with the line endings of the text field
}

bool PlatformDialog::isEdited() const
{
    return !m_isBuiltIn && m_text->toPlainText() != m_saved;
}

bool PlatformDialog::mayLeave(const std::function<void()> &afterSave)
{
    if (!isEdited()) return true;
    const auto answer =
        QMessageBox::question(this, tr("Unsaved changes"), tr("Save the changes to %1?").arg(m_id->text()),
                              QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
    if (answer == QMessageBox::Save) {
        m_afterSave = afterSave;
        save(); // errors in it are shown, and nothing is lost
    }
    return answer == QMessageBox::Discard;
}

void PlatformDialog::reject()
{
    const auto leave = [this] { QDialog::reject(); };
    if (mayLeave(leave)) leave();
}

void PlatformDialog::copyAs(const QString &id)
{
    if (!m_file) return;
    if (itemOf(id)) return warn(tr("Platform %1 already exists: choose another id.").arg(id));
    m_file->schema.clear(); // next to the built-in ones
    m_file->title = tr("%1 (copy of %2)").arg(id, QString::fromStdString(m_file->id)).toStdString();
    m_file->id = id.toStdString();
    m_isBuiltIn = false;
    m_shown.clear();
    m_list->clearSelection();
    putFile(true);
}

void PlatformDialog::putFile(bool fillsForm)
{
    m_isTaking = true;
    m_text->setPlainText(QString::fromStdString(api::toJson(*m_file).dump(2)));
    m_isTaking = false;
    if (fillsForm) fillForm();
    m_delay.start();
}

void PlatformDialog::warn(const QString &text)
{
    m_status->setText(text);
    m_status->setProperty("warn", true);
    repolish(*m_status);
}

bool PlatformDialog::isUsed(const QString &platform) const
{
    const api::Recipe &recipe = m_document.recipe();
    if (m_document.isEmpty()) return false;
    if (recipe.platform == platform.toStdString()) return true;
    return std::any_of(recipe.dispatch.begin(), recipe.dispatch.end(),
                       [&](const api::Rule &rule) { return rule.set.platform == platform.toStdString(); });
}

void PlatformDialog::renameTo(const QString &id)
{
    if (m_isBuiltIn || !m_file || id == m_id->text()) return;
    const QString before = m_id->text();
    if (!itemOf(before)) { // a copy that is not saved yet
        m_file->id = id.toStdString();
        return putFile(true);
    }
    api::PlatformFile renamed = *m_file;
    renamed.id = id.toStdString();
    m_replaced = before;
    m_sent = QString::fromStdString(api::toJson(renamed).dump(2));
    m_saveId =
        m_document.requests().engine().request(api::method::platformSave, {m_sent.toStdString(), before.toStdString()});
}

void PlatformDialog::removePlatform()
{
    const QString id = m_id->text();
    if (m_isBuiltIn || !itemOf(id)) return;
    if (isUsed(id))
        return warn(
            tr("The recipe uses %1: choose another platform for the model before you delete this one.").arg(id));
    if (QMessageBox::question(this, tr("Delete platform"),
                              tr("Delete the platform %1 and its file? This cannot be undone, and recipes that use it "
                                 "can no longer be run.")
                                  .arg(id),
                              QMessageBox::Yes | QMessageBox::Cancel, QMessageBox::Cancel) != QMessageBox::Yes)
        return;
    m_removeId = m_document.requests().engine().request(api::method::platformRemove, {id.toStdString()});
}

void PlatformDialog::onSaved(const api::PlatformSaved &answer)
{
    const QString before = std::exchange(m_replaced, QString());
    m_saved = m_sent;
    m_shown = QString::fromStdString(answer.id);
    if (!before.isEmpty()) m_text->setPlainText(m_sent);
    m_status->setProperty("warn", false);
    m_savedAs = tr("Saved as %1").arg(QString::fromStdString(answer.file));
    m_status->setText(m_savedAs);
    const bool follows = !before.isEmpty() && isUsed(before);
    const std::string &id = answer.id;
    m_document.requests().takeCatalogue(std::make_shared<const api::Catalogue>(answer.catalogue));
    const auto after = std::exchange(m_afterSave, nullptr);
    if (!follows) {
        if (after) after();
        return;
    }
    editRecipe(m_document, tr("Platform %1").arg(QString::fromStdString(id)), [&](api::Recipe &recipe) {
        const std::string old = before.toStdString();
        if (recipe.platform == old) recipe.platform = id;
        for (api::Rule &rule : recipe.dispatch)
            if (rule.set.platform == old) rule.set.platform = id;
    });
    if (after) after();
}

void PlatformDialog::use()
{
    choosePlatform(m_document, m_id->text());
}

void PlatformDialog::onRemoved(const api::PlatformRemoved &answer)
{
    m_saved = m_text->toPlainText(); // there is nothing to save any more
    m_document.requests().takeCatalogue(std::make_shared<const api::Catalogue>(answer.catalogue));
    fillList(QString::fromStdString(m_document.recipe().platform));
}

void PlatformDialog::save()
{
    m_sent = m_text->toPlainText();
    // Another id in the text creates another platform, and must not replace a third one
    const std::string shown = m_shown.toStdString(), replaced = m_file && m_file->id == shown ? shown : std::string();
    m_saveId = m_document.requests().engine().request(api::method::platformSave, {m_sent.toStdString(), replaced});
}

void PlatformDialog::takeText()
{
    if (m_text->toPlainText() != m_saved) m_savedAs.clear();
    if (m_isTaking) return;
    try {
        m_file = api::platformFileFromJson(api::JsonText::parse(m_text->toPlainText().toStdString(), {}));
    } catch (const Error &) { // the engine's error is shown: the text has to be corrected first
        m_file.reset();
    }
    m_form->setEnabled(m_file.has_value());
    if (m_file)
        fillForm();
    else
        m_passes->setPasses(m_passes->model()->steps(), true);
    m_delay.start();
}

} // namespace ql
