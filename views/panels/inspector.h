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

/// The current operation: the reason of its dispatch, every field of each of its configs with its origin, the slots
/// that share its scale. Each edit is one undoable step on the recipe's overrides.
class Inspector : public QWidget
{
    Q_OBJECT

public:
    explicit Inspector(Document &document, QWidget *parent = nullptr);

    /// The slot shown: position in RunHistory::configs(), -1 for none.
    int slot() const;
    void showSlot(api::SlotRole role, int index);

public Q_SLOTS:
    /// Dispatches the selection to a platform; empty: default dispatch.
    void sendTo(const QString &platform);

Q_SIGNALS:
    /// The operations in scope, if not just the current one; empty: none.
    void markRequested(const QStringList &operations);

private:
    /// Scopes of edits: data of the entries of m_scope.
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
    /// Resets the user's settings for the scope: these fields of the slot, or all of them. If nothing is set for
    /// exactly the scope, and origin identifies the override, in that one.
    void reset(const QString &label, const std::vector<api::RuleField> &fields, const Origin &origin = {});
    void markScope(const QStringList &names); ///< none: of the current operation only
    void showError(const QString &text);
    Chosen chosen() const;
    /// Selecting several operations means editing them; otherwise an edit must not affect those edited last.
    Chosen scopeOfSelection() const;
    void choose(Chosen what); ///< This, while it is not in the list
    /// Indices of the configs that share the scale of the shown slot, including itself.
    QVector<int> groupSlots() const;
    QStringList groupOperations() const;
    OverrideScope scope() const;
    /// The target of an edit of these fields: scope(), or each slot of a scale group individually.
    std::vector<OverrideScope> scopes(const std::vector<api::RuleField> &fields = {}) const;
    /// Operations of the scope that have the shown slot.
    QStringList editedOperations() const;
    void fillGroup(const ConfigInfo &config);

    Document &m_document;
    QVector<int> m_slots;
    QLabel *m_title, *m_subtitle, *m_why, *m_error, *m_scopeText, *m_empty;
    QWidget *m_body, *m_whyCard, *m_formHolder;
    ConfigForm *m_form = nullptr;
    ScaleGroupCard *m_groupCard;
    QComboBox *m_platform, *m_scope;
    Chosen m_chosen = This; ///< for m_scope, even while it is not in the list: between an edit and its result
    QLabel *m_platformSetBy;
    QLineEdit *m_pattern;
    QPushButton *m_reset;
    QTabBar *m_tabs;
    QString m_tab; ///< text of the last selected one; an operation in float has no choice
    QTableWidget *m_attributes;
    bool m_isFilling = false;
    QStringList m_marked;
    QString m_formKey; ///< operation, role and index of the form's slot
};

} // namespace ql
