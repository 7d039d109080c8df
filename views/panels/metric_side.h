#pragma once

#include "views/bridge/document.h"

#include <QWidget>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;

namespace ql {

class ParamEditor;

/// How the outputs are judged by labels of the evaluation data, for runs and searches: metric, labels, parameters.
class MetricSide : public QWidget
{
    Q_OBJECT

public:
    explicit MetricSide(Document &document, QWidget *parent = nullptr);
    api::MetricRequest value() const;
    QComboBox *choice() const { return m_choice; } ///< its data: the id
    QLineEdit *labels() const { return m_labels; }

private:
    QWidget *makeLabels();
    void showMetric();

    Document &m_document;
    QComboBox *m_choice;
    QLineEdit *m_labels;
    QWidget *m_labelsRow = nullptr;
    QLabel *m_meaning;
    ParamEditor *m_params;
    QFormLayout *m_form;
    nlohmann::json m_given = nlohmann::json::object(); ///< parameters that differ from their defaults
};

} // namespace ql
