#include "views/panels/data_dialog.h"

#include "core/base/error.h"
#include "views/bridge/engine_text.h"
#include "views/commands/recipe_command.h"
#include "views/panels/metric_side.h"
#include "views/style/screen.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollArea>
#include <QTabWidget>
#include <QVBoxLayout>
#include <utility>

namespace ql {

using nlohmann::json;

DataDialog::DataDialog(Document &document, QWidget *parent)
    : QDialog(parent), m_document(document), m_tabs(new QTabWidget), m_error(new QLabel)
{
    setWindowTitle(tr("Data"));
    resizeOnScreen(*this, {940, 720});
    m_calibration = new DataSide(document,
                                 tr("Samples for ranges: a folder of images or arrays, a .npz, a .npy, a folder per "
                                    "input, or a manifest (JSON)."),
                                 document.recipe().calibration);
    m_calibration->path()->setObjectName(QStringLiteral("calibrationPath"));
    m_evaluation = new DataSide(document, tr("Samples for errors; without a path, the calibration data."),
                                document.recipe().evaluation, m_calibration);
    m_metric = new MetricSide(document);
    const std::pair<QWidget *, QString> sides[] = {
        {m_calibration, tr("Calibration")}, {m_evaluation, tr("Evaluation")}, {m_metric, tr("Metric")}};
    for (const auto &[side, title] : sides) {
        auto *area = new QScrollArea; // a small screen has no room for all of it
        area->setFrameShape(QFrame::NoFrame);
        area->setWidgetResizable(true);
        area->setWidget(side);
        m_tabs->addTab(area, title);
    }
    m_tabs->setDocumentMode(true);
    m_tabs->setAccessibleName(windowTitle());
    auto *box = new QVBoxLayout(this);
    box->addWidget(m_tabs, 1);
    m_error->setProperty("warn", true);
    m_error->setWordWrap(true);
    m_error->hide();
    box->addWidget(m_error);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    connect(buttons, &QDialogButtonBox::accepted, this, &DataDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    box->addWidget(buttons);
    m_calibration->path()->setFocus();
}

api::Recipe DataDialog::edited() const
{
    api::Recipe recipe = m_document.recipe();
    recipe.calibration = m_calibration->value();
    recipe.evaluation = m_evaluation->value();
    recipe.metric = m_metric->value();
    return recipe;
}

void DataDialog::reject()
{
    if (edited() != m_document.recipe()) {
        QMessageBox question(QMessageBox::Question, windowTitle(), tr("Discard the changes to the data?"),
                             QMessageBox::Discard | QMessageBox::Cancel, this);
        question.setDefaultButton(QMessageBox::Cancel);
        if (question.exec() != QMessageBox::Discard) return;
    }
    QDialog::reject();
}

void DataDialog::accept()
{
    try {
        replaceRecipe(m_document, tr("Data"), api::toJson(edited()));
        m_calibration->remember();
        m_evaluation->remember();
        QDialog::accept();
    } catch (const Error &error) {
        m_error->setText(exceptionText(error));
        m_error->show();
    }
}

} // namespace ql
