#pragma once

#include "core/api/catalogue.h"
#include "views/bridge/document.h"
#include "views/bridge/engine_client.h"

#include <QDialog>
#include <QTimer>
#include <functional>
#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPlainTextEdit;
class QPushButton;
class QTableWidget;
class QTabWidget;

namespace ql {

class PlatformComparison;
class PlatformPasses;
class RuleForm;

/// Platforms as data: a definition in a form and as JSON side by side, checked by the engine while it is edited, saved
/// under its own name in the user's folder; and compared with another one on the model.
class PlatformDialog : public QDialog
{
    Q_OBJECT

public:
    explicit PlatformDialog(Document &document, QWidget *parent = nullptr);
    QListWidget *list() const { return m_list; }
    QPlainTextEdit *text() const { return m_text; }
    QTableWidget *rules() const { return m_rules; }
    RuleForm *rule() const { return m_rule; } ///< the fields of the current one
    PlatformPasses *passes() const { return m_passes; }
    PlatformComparison *comparison() const { return m_comparison; }
    QLabel *status() const { return m_status; }
    void show(const QString &platform);
    /// A copy of the shown definition under another id, not saved yet.
    void copyAs(const QString &id);
    void save();
    /// Of a user platform: with the current edits, and in the recipe if that uses it.
    void renameTo(const QString &id);
    /// Removes a user platform permanently, after a question. One that the recipe uses cannot be removed.
    void removePlatform();
    bool isEdited() const; ///< and not saved
    void reject() override;
    void addRule();
    void removeRule();
    void moveRule(int by);

private:
    void fillList(const QString &chosen);
    void takeText(); ///< from the JSON into the form
    void takeForm(); ///< from the form into the JSON
    void takeBase(); ///< another platform to extend, or none
    /// Asks if something is edited; afterSave: called after saving, if that is the answer.
    bool mayLeave(const std::function<void()> &afterSave);
    void makeTexts();
    void makeForm();
    void makeRuleTools();
    void connectEditors();
    void connectEngine();
    void check();
    void takeRule(const api::Rule &rule);
    void refuseRule(const QString &why); ///< its input is not a rule
    void takePasses(const std::vector<api::StepRequest> &passes);
    void showRule(); ///< the current one in its form
    void fillRow(int row, const api::Rule &rule);
    /// From the form into the text.
    void putFile(bool fillsForm);
    bool isUsed(const QString &platform) const; ///< by the recipe
    void warn(const QString &text);
    void use(); ///< by the recipe, with its own passes
    void onSaved(const api::PlatformSaved &answer);
    void onRemoved(const api::PlatformRemoved &answer);
    /// edit: changes the rules, given the current row; returns the row that is current afterwards.
    void editRules(const std::function<int(std::vector<api::Rule> &rules, int row)> &edit);
    void fillForm();
    void fillRules(const api::PlatformDefinition *base);
    const api::PlatformItem *itemOf(const QString &platform) const; ///< of the catalogue; null: does not exist
    /// Complete, with inherited members filled in; null if it does not exist.
    const api::PlatformDefinition *definitionOf(const std::string &platform) const;
    const api::PlatformDefinition *base() const; ///< that the file extends; null: none

    Document &m_document;
    QListWidget *m_list;
    QTabWidget *m_tabs;
    QLineEdit *m_id, *m_title, *m_quantizable, *m_fuse, *m_passive, *m_exporters;
    QPlainTextEdit *m_description, *m_text;
    QComboBox *m_base, *m_dispatcher, *m_arithmetic;
    QTableWidget *m_rules;
    PlatformComparison *m_comparison;
    RuleForm *m_rule;
    PlatformPasses *m_passes;
    QWidget *m_form = nullptr, *m_ruleTools = nullptr;
    QLabel *m_status, *m_rulesTitle;
    QPushButton *m_rename, *m_delete, *m_save, *m_use;
    std::optional<api::PlatformFile> m_file; ///< the parsed text; unset if it is invalid
    QTimer m_delay;
    QString m_saved, m_sent; ///< texts: as saved, and as sent for saving
    QString m_shown;         ///< id of the saved platform that the text is based on; empty: a copy is not saved yet
    QString m_replaced;      ///< id of a platform before the rename in progress
    RequestId m_checkId = 0, m_saveId = 0, m_removeId = 0;
    bool m_isTaking = false, m_isBuiltIn = true;
    std::function<void()> m_afterSave; ///< null: nothing
    QString m_savedAs;                 ///< shown until the next edit
};

} // namespace ql
