#pragma once

#include "views/bridge/document.h"

#include <QDialog>
#include <QTimer>
#include <functional>

class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPlainTextEdit;
class QPushButton;
class QTableWidget;
class QTabWidget;

namespace ql {

/// Platforms as data: a definition in a form and as JSON side by side, checked by the engine while it is edited, kept
/// under a name of its own in the user's folder; and two platforms on the model: which operations differ, and why.
class PlatformDialog : public QDialog
{
    Q_OBJECT

public:
    explicit PlatformDialog(Document &document, QWidget *parent = nullptr);
    QListWidget *list() const { return m_list; }
    QPlainTextEdit *text() const { return m_text; }
    QTableWidget *rules() const { return m_rules; }
    QTableWidget *differences() const { return m_differences; }
    QLabel *status() const { return m_status; }
    void show(const QString &platform);
    /// A copy of the shown definition under another id, not saved yet.
    void copyAs(const QString &id);
    void save();
    void compareWith(const QString &platform);
    bool isEdited() const; ///< and not saved
    void reject() override;
    void addRule();
    void removeRule();
    void moveRule(int by);

private:
    void fillList(const QString &chosen);
    void takeText(); ///< from the JSON into the form
    void takeForm(); ///< from the form into the JSON
    bool mayLeave(); ///< asks where something is edited
    void check();
    /// edit: changes the rules, given the current row; returns the row that is current then.
    void editRules(const std::function<int(nlohmann::json &rules, int row)> &edit);
    void fillForm(const nlohmann::json &definition);
    void showDifferences(const GraphPtr &other, const QVector<ConfigInfo> &configs);
    nlohmann::json definitionOf(const QString &platform) const;

    Document &m_document;
    QListWidget *m_list;
    QTabWidget *m_tabs;
    QLineEdit *m_id, *m_title, *m_quantable, *m_fuse, *m_passive, *m_exporters, *m_passes;
    QPlainTextEdit *m_description, *m_text;
    QComboBox *m_dispatcher, *m_other;
    QTableWidget *m_rules, *m_differences;
    QWidget *m_ruleTools = nullptr;
    QLabel *m_status, *m_summary;
    QPushButton *m_save, *m_use;
    QTimer m_delay;
    QString m_saved, m_sent; ///< texts: as it is kept, and as it was sent to be kept
    RequestId m_checkId = 0, m_saveId = 0, m_compareId = 0;
    bool m_isTaking = false, m_isBuiltIn = true;
};

} // namespace ql
