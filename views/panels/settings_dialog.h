#pragma once

#include "views/bridge/document.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QSpinBox;
class QTableWidget;

namespace ql {

/// What the recipe says of the model's inputs and of the machine: sizes that the model leaves open, device, threads.
/// Accepted as one undoable step.
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
    QTableWidget *m_shapes; ///< input, type, shape, shape that is asked for
    QComboBox *m_device;
    QSpinBox *m_threads;
    QLabel *m_error;
};

} // namespace ql
