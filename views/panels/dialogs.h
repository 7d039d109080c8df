#pragma once

#include "views/bridge/document.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace ql {

class ParamEditor;

/// Calibration and evaluation data: path, samples, preprocessing. Accepted as one undoable step.
class DataDialog : public QDialog
{
    Q_OBJECT

public:
    explicit DataDialog(Document &document, QWidget *parent = nullptr);
    /// Puts a dropped file or folder into the calibration path.
    void setCalibrationPath(const QString &path);

private:
    struct Side
    {
        QLineEdit *path, *preprocess;
        QSpinBox *samples;
    };
    Side addSide(const QString &title, const QString &explanation, const api::DataRequest &data);
    void accept() override;

    Document &m_document;
    Side m_calibration, m_evaluation;
    QLabel *m_error;
};

/// Formats that suit the platform, their parameters and notes; writes through the engine.
class ExportDialog : public QDialog
{
    Q_OBJECT

public:
    explicit ExportDialog(Document &document, QWidget *parent = nullptr);

private:
    void showFormat();
    void start();

    Document &m_document;
    QComboBox *m_format;
    QLineEdit *m_path;
    QLabel *m_meaning, *m_result;
    ParamEditor *m_params;
    QPushButton *m_write;
};

} // namespace ql
