#pragma once

#include "views/panels/data_side.h"

#include <QDialog>

class QLabel;
class QTabWidget;

namespace ql {

class MetricSide;

/// Calibration and evaluation data, and the metric. Accepted as one undoable step.
class DataDialog : public QDialog
{
    Q_OBJECT

public:
    explicit DataDialog(Document &document, QWidget *parent = nullptr);
    DataSide *calibration() const { return m_calibration; }
    DataSide *evaluation() const { return m_evaluation; }
    MetricSide *metric() const { return m_metric; }
    void accept() override;
    /// Asks first if something was changed.
    void reject() override;

private:
    api::Recipe edited() const; ///< the recipe with the dialog's settings

    Document &m_document;
    QTabWidget *m_tabs;
    DataSide *m_calibration, *m_evaluation;
    MetricSide *m_metric;
    QLabel *m_error;
};

} // namespace ql
