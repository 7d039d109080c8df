#pragma once

#include "views/bridge/document.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QSpinBox;
class QTableWidget;

namespace ql {

/// The recipe's settings for the model's inputs and for the machine: open sizes, device, threads. Accepted as one
/// undoable step.
class SettingsDialog : public QDialog
{
    Q_OBJECT

public:
    explicit SettingsDialog(Document &document, QWidget *parent = nullptr);
    QTableWidget *shapes() const { return m_shapes; }
    QComboBox *device() const { return m_device; }
    QSpinBox *threads() const { return m_threads; }
    QLabel *error() const { return m_error; }
    void accept() override;

private:
    Document &m_document;
    QTableWidget *m_shapes; ///< input, type, shape, requested shape
    QComboBox *m_device;
    QSpinBox *m_threads;
    QLabel *m_error;
};

} // namespace ql
