#pragma once

#include "views/commands/recipe_command.h"
#include "views/models/operation_rows.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;
class QTabBar;
class QTableWidget;

namespace ql {

class ConfigForm;
class ScaleGroupCard;

/// The current operation: why it is where it is, every field of each of its configs with who set it, what shares its
/// scale. Each edit is one undoable step on the recipe's overrides.
class Inspector : public QWidget
{
    Q_OBJECT

public:
    explicit Inspector(Document &document, QWidget *parent = nullptr);

    /// The slot shown: position in RunHistory::configs(), -1 for none.
    int slot() const;
    void showSlot(const QString &role, int index);

public Q_SLOTS:
    /// Sends the selection to a platform, empty: where the dispatcher wants it.
    void sendTo(const QString &platform);

Q_SIGNALS:
    /// The operations that an edit would touch, while it is not the current one alone; empty: no longer.
    void markRequested(const QStringList &operations);

private:
    /// What edits apply to: data of the entries of m_scope.
    enum Chosen { This, Selection, Group, Type, Pattern };

    void makeTexts();
    QWidget *makePlatformRow();
    QWidget *makeScopeRow();
    void makeAttributes();
    void connectAll(QScrollArea &scroll);
    void send(const QStringList &operations, const QString &platform);
    void refresh();
    void refreshPlatform(const OperationInfo &op);
    void refreshTabs(const OperationInfo &op);
    void refreshAttributes(const OperationInfo &op);
    void refreshSlot();
    void refreshScope();
    void checkLegal(const OverrideScope &where, const QStringList &names, const api::RuleSet &values) const;
    void set(const QString &label, const api::RuleSet &values);
    /// Takes back what the user set for the scope: these fields of the slot, or all of them. Where nothing is set for
    /// exactly the scope, and origin says which override did it, in that one.
    void reset(const QString &label, const std::vector<api::RuleField> &fields, const Origin &origin = {});
    void markScope(const QStringList &names); ///< none: of the current operation alone
    void showError(const QString &text);
    Chosen chosen() const;
    /// Who selects several means them; else an edit must not touch what the last operation was edited with.
    Chosen scopeOfSelection() const;
    void choose(Chosen what); ///< This, while the list has it not
    /// Places among the configs of what shares the scale of the shown slot, with itself.
    QVector<int> groupSlots() const;
    QStringList groupOperations() const;
    OverrideScope scope() const;
    /// What an edit of these fields is written for: scope(), or each slot of a scale group as it stands there.
    std::vector<OverrideScope> scopes(const std::vector<api::RuleField> &fields = {}) const;
    /// Operations of the scope that have the slot which is shown.
    QStringList editedOperations() const;
    void fillGroup(const ConfigInfo &config);

    Document &m_document;
    QVector<int> m_slots;
    QLabel *m_title, *m_subtitle, *m_why, *m_error, *m_scopeText, *m_empty;
    QWidget *m_body, *m_whyCard, *m_formHolder;
    ConfigForm *m_form = nullptr;
    ScaleGroupCard *m_groupCard;
    QComboBox *m_platform, *m_scope;
    Chosen m_chosen = This; ///< for m_scope, also while its list has it not: between an edit and what it leads to
    QLabel *m_platformSetBy;
    QLineEdit *m_pattern;
    QPushButton *m_reset;
    QTabBar *m_tabs;
    QString m_tab; ///< text of the one that was chosen last; an operation in float has no choice
    QTableWidget *m_attributes;
    bool m_isFilling = false;
    QStringList m_marked;
    QString m_formKey; ///< operation, role and index of the slot that the form is about
};

} // namespace ql
