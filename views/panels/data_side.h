#pragma once

#include "views/bridge/document.h"
#include "views/bridge/engine_client.h"

#include <QTimer>
#include <QWidget>

class QComboBox;
class QFormLayout;
class QLabel;
class QLayout;
class QLineEdit;
class QListWidget;
class QMenu;
class QPushButton;
class QSpinBox;

namespace ql {

class DataPreview;

/// Calibration or evaluation data: path, number of samples, preprocessing as a list of steps, and one sample after each
/// step: image and values of every channel. The engine reads and computes.
class DataSide : public QWidget
{
    Q_OBJECT

public:
    /// fallback: previewed while this side has no path
    DataSide(Document &document, const QString &explanation, const api::DataRequest &given,
             DataSide *fallback = nullptr, QWidget *parent = nullptr);

    api::DataRequest value() const;
    /// Files or folders that were dropped. Several files of one folder represent the folder; otherwise the first is
    /// used, with a note.
    void take(const QStringList &paths);
    // By their extensions; both represent their folder
    static bool isPicture(const QString &path);
    static bool isRaw(const QString &path); ///< numbers without a header
    QLineEdit *path() const { return m_path; }
    QLineEdit *preprocess() const { return m_preprocess; }
    QSpinBox *samples() const { return m_samples; }
    QComboBox *sampling() const { return m_sampling; } ///< its data: even, first
    QSpinBox *seed() const { return m_seed; }
    QListWidget *steps() const { return m_steps; }
    DataPreview *preview() const { return m_preview; }
    QPushButton *fit() const { return m_fit; } ///< resizes samples to the model's input
    QLabel *warnings() const { return m_warnings; }
    /// The preview of what was entered last is still to come.
    bool isReading() const { return m_request != 0 || m_delay.isActive(); }
    void addStep(const QString &text);
    /// Steps of the engine's catalogue for an input of 224 x 224, adapted to the model's.
    QString presetFor(const QString &example) const;
    void removeStep();
    void moveStep(int by);
    /// Remembers the current data, so that a change is reported next time.
    void remember() const;

protected:
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    QFormLayout *makeForm(const api::DataRequest &given);
    QWidget *makeSteps();
    void connectAll(const api::DataRequest &given);
    void fillAddMenu(QMenu &menu);
    void fillPresetMenu(QMenu &menu);
    void describeSteps(); ///< tool tips, from the engine's catalogue
    void offerFit();
    /// Height and width of the shown model input; nothing for one that takes no images of a fixed size.
    std::optional<QSize> inputSize() const;
    void takeSteps(); ///< from the list into the line
    void takeLine();  ///< from the line into the list
    api::DataRequest shownData() const;
    QLayout *makeSampling(const api::DataRequest &given);
    void request();
    void showPreview(const api::Preview &preview);
    QString hashKey() const;

    Document &m_document;
    DataSide *m_fallback;
    QLineEdit *m_path, *m_preprocess;
    QSpinBox *m_samples;
    QComboBox *m_sampling;
    QSpinBox *m_seed;
    QListWidget *m_steps;
    DataPreview *m_preview;
    QLabel *m_warnings, *m_taken;
    QPushButton *m_fit;
    QStringList m_fitted; ///< the steps that m_fit creates from the current ones
    QTimer m_delay;
    RequestId m_request = 0;
    QString m_hash, m_hashKey; ///< of the last previewed data, and the name under which it is remembered
    bool m_isTaking = false;
};

} // namespace ql
