#pragma once

#include "core/api/preview.h"

#include <QWidget>

class QComboBox;
class QCustomPlot;
class QLabel;
class QListWidget;
class QSpinBox;

namespace ql {

/// One sample of some data after each step of the preprocessing: image and values of every channel. Shows the engine's
/// answer to "preview".
class DataPreview : public QWidget
{
    Q_OBJECT

public:
    explicit DataPreview(QWidget *parent = nullptr);

    /// The stages: the sample as read, then after each step.
    QListWidget *stages() const { return m_stages; }
    QCustomPlot *plot() const { return m_plot; }
    QComboBox *input() const { return m_input; } ///< whose sample is shown
    int sample() const;                          ///< from 0
    void setInputs(const QStringList &inputs);
    void setPreview(const api::Preview &preview);
    /// Sizes after the last step; empty if no sample could be read.
    QVector<qint64> lastShape() const;

Q_SIGNALS:
    void sampleChosen(); ///< another sample or input

private:
    QWidget *makeHead();
    void showStage(int stage);
    /// A curve per channel, and its description. @returns the largest count
    double addCurves(int stage, const api::SampleValues &values, QStringList &facts);
    QString csv() const;

    QListWidget *m_stages;
    QCustomPlot *m_plot;
    QLabel *m_facts;
    QComboBox *m_input;
    QSpinBox *m_sample;
    api::Preview m_preview;
};

} // namespace ql
