#pragma once

#include "views/bridge/document.h"
#include "views/bridge/engine_requests.h"

#include <QWidget>
#include <string>
#include <vector>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QTableWidget;
class QToolButton;

namespace ql {

class NoteArea;
class ParamEditor;
class ProgramField;

/// An exported file, run in a runtime and compared with the simulation and with float: outputs and inner tensors, the
/// first one that diverges, and the cause. A click on a row selects its operation.
class VerifyPanel : public QWidget
{
    Q_OBJECT

public:
    explicit VerifyPanel(Document &document, QWidget *parent = nullptr);
    /// Buttons and progress, for the title row of the dock.
    QWidget *tools() const { return m_tools; }
    QTableWidget *table() const { return m_table; }
    QString summary() const; ///< of the last verification, or why there is none
    QString runtime() const; ///< id of the chosen one
    void chooseRuntime(const QString &id);
    void setFile(const QString &path);
    void showReport(const VerifyReportPtr &report);
    /// The operation at a row of the table; empty: none.
    QString operationAt(int row) const;

Q_SIGNALS:
    /// Operations whose tensors differ from the simulation.
    void markRequested(const QStringList &operations);

protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    QWidget *makeForm();
    QWidget *makeResult();
    void makeTools();
    void makeRecipesCommand();
    void editWords();
    void showWords();
    void followEngine();
    void search();
    void showRuntimes(const RuntimeListPtr &list);
    void showRuntime();
    void showJob();
    void showSummary();
    void addRow(const api::TensorAgreement &tensor, bool isOutput);
    void start();
    void fitColumns();
    const api::RuntimeItem *chosen() const;

    Document &m_document;
    QComboBox *m_runtime;
    QLineEdit *m_file;
    QWidget *m_recipesCommand;
    QLineEdit *m_words;      ///< of the recipe's command
    QCheckBox *m_allowWords; ///< consent to start it, as it is now
    ProgramField *m_command;
    QLineEdit *m_python;
    QLabel *m_state, *m_result;
    QPushButton *m_install, *m_verify, *m_stop, *m_mark;
    QCheckBox *m_inner;
    QToolButton *m_settings;
    ParamEditor *m_params;
    QProgressBar *m_bar;
    QLabel *m_step;
    QWidget *m_tools = nullptr;
    QFormLayout *m_form = nullptr;
    NoteArea *m_resultArea = nullptr;
    QWidget *m_compared = nullptr; ///< the table, and the buttons above it
    QTableWidget *m_table;
    std::vector<std::string> m_shownWords;
    RuntimeListPtr m_runtimes;
    VerifyReportPtr m_report;
    QString m_hash, m_verifiedHash; ///< of the recipe: at the time of the request, of m_report
    QString m_why;                  ///< there is no report
};

} // namespace ql
