#pragma once

#include "views/bridge/document.h"
#include "views/bridge/engine_client.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QTableWidget;

namespace ql {

/// The platform of the recipe and another one on the same model: which operations differ and why, grouped by equal
/// differences, with the errors that runs measured on each side. A click selects the operations of a row.
class PlatformComparison : public QWidget
{
    Q_OBJECT

public:
    explicit PlatformComparison(Document &document, QWidget *parent = nullptr);
    QTableWidget *differences() const { return m_differences; }
    /// Operations of a row of differences().
    QStringList operationsAt(int row) const;
    void compareWith(const QString &platform);
    /// The other one, unless it is the recipe's own: compared now, or when this is shown.
    void choose(const QString &platform);

protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void fillOthers();
    void fitColumns();
    void fitHeader(); ///< after the columns have their widths
    /// The last run of the model on a platform; null if there is none.
    RunPtr runOn(const QString &platform) const;
    void showDifferences(const GraphPtr &other, const QVector<ConfigInfo> &configs);

    Document &m_document;
    QComboBox *m_other;
    QTableWidget *m_differences;
    QLabel *m_summary;
    RequestId m_id = 0;
};

} // namespace ql
