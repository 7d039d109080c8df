#pragma once

#include "views/bridge/document.h"
#include "views/bridge/engine_client.h"

#include <QDialog>
#include <QTimer>

class QComboBox;
class QCustomPlot;
class QLabel;
class QLineEdit;
class QListWidget;
class QMenu;
class QSpinBox;
class QTabWidget;

namespace ql {

/// Calibration or evaluation data: path, number of samples, preprocessing as a list of steps, and one of its samples
/// after each step: picture and values of every channel. The engine reads and computes.
class DataSide : public QWidget
{
    Q_OBJECT

public:
    /// fallback: what is previewed while this side has no path of its own
    DataSide(Document &document, const QString &explanation, const api::DataRequest &given,
             DataSide *fallback = nullptr, QWidget *parent = nullptr);

    nlohmann::json value() const;
    /// Files or folders that were dropped. Several files of one folder stand for the folder; else the first is taken,
    /// which is told.
    void take(const QStringList &paths);
    // By their endings; both stand for the folder that they are in
    static bool isPicture(const QString &path);
    static bool isRaw(const QString &path); ///< numbers without a header
    QLineEdit *path() const { return m_path; }
    QLineEdit *preprocess() const { return m_preprocess; }
    QSpinBox *samples() const { return m_samples; }
    QComboBox *input() const { return m_input; } ///< whose sample is shown
    QListWidget *steps() const { return m_steps; }
    /// The stages of the preview: the sample as it was read, then after each step.
    QListWidget *stages() const { return m_stages; }
    QCustomPlot *plot() const { return m_plot; }
    QLabel *warnings() const { return m_warnings; }
    void addStep(const QString &text);
    void removeStep();
    void moveStep(int by);
    /// Remembers what the data are now, so that a change is told the next time.
    void remember() const;

Q_SIGNALS:
    void previewChanged();

protected:
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    void fillAddMenu(QMenu &menu);
    void takeSteps(); ///< from the list into the line
    void takeLine();  ///< from the line into the list
    nlohmann::json shownData() const;
    void request();
    void showPreview(const nlohmann::json &preview);
    void showStage(int stage);
    QString hashKey() const;

    Document &m_document;
    DataSide *m_fallback;
    QLineEdit *m_path, *m_preprocess;
    QSpinBox *m_samples, *m_sample;
    QComboBox *m_input;
    QListWidget *m_steps, *m_stages;
    QLabel *m_facts, *m_warnings, *m_taken;
    QCustomPlot *m_plot;
    QTimer m_delay;
    RequestId m_request = 0;
    nlohmann::json m_preview = nlohmann::json::object();
    QString m_hash, m_hashKey; ///< of what was looked at last, and under which name it is remembered
    bool m_isTaking = false;
};

/// Calibration and evaluation data. Accepted as one undoable step.
class DataDialog : public QDialog
{
    Q_OBJECT

public:
    explicit DataDialog(Document &document, QWidget *parent = nullptr);
    DataSide *calibration() const { return m_calibration; }
    DataSide *evaluation() const { return m_evaluation; }
    void accept() override;

private:
    Document &m_document;
    QTabWidget *m_tabs;
    DataSide *m_calibration, *m_evaluation;
    QLabel *m_error;
};

} // namespace ql
