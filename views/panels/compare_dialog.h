#pragma once

#include "views/bridge/document.h"

#include <QDialog>

class QLabel;
class QTableWidget;

namespace ql {

/// What leads from one recipe to another, one line for each value: "overrides: added ...", "passes / 3 / enabled: ...".
QStringList recipeDifference(const nlohmann::json &before, const nlohmann::json &after);

/// All runs of a document in one table, and the edits that lead from the baseline to the chosen one.
class CompareDialog : public QDialog
{
    Q_OBJECT

public:
    CompareDialog(Document &document, int number, QWidget *parent = nullptr);
    QTableWidget *table() const { return m_table; }
    QString differences() const;
    /// The table as comma-separated values.
    QString csv() const;

private:
    void showDifference();

    Document &m_document;
    QTableWidget *m_table;
    QLabel *m_title, *m_difference;
};

} // namespace ql
