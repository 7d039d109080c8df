#include "views/panels/metric_side.h"

#include "views/bridge/engine_requests.h"
#include "views/bridge/engine_text.h"
#include "views/panels/param_editor.h"
#include "views/style/labels.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace ql {

MetricSide::MetricSide(Document &document, QWidget *parent)
    : QWidget(parent), m_document(document), m_choice(new QComboBox), m_labels(new QLineEdit), m_meaning(new QLabel),
      m_params(new ParamEditor), m_form(new QFormLayout)
{
    auto *about =
        new QLabel(tr("How good the outputs are by the labels of the evaluation data, in float and quantized. "
                      "Runs report it, and searches can have it as a goal."));
    about->setWordWrap(true);
    about->setProperty("dim", true);
    m_choice->setObjectName(QStringLiteral("metric"));
    m_choice->setAccessibleName(tr("Metric"));
    m_choice->addItem(tr("Top-1, if the data has classes"), QString());
    for (const api::CatalogueItem &metric : document.requests().known().metrics)
        m_choice->addItem(QStringLiteral("%1 (%2)").arg(engineText(metric.title), QString::fromStdString(metric.id)),
                          QString::fromStdString(metric.id));
    const api::MetricRequest &given = document.recipe().metric;
    const QString id = QString::fromStdString(given.id);
    if (m_choice->findData(id) < 0) m_choice->addItem(id, id); // of a plug-in that is missing
    m_choice->setCurrentIndex(m_choice->findData(id));
    m_labels->setText(QString::fromStdString(given.labels));
    m_given = given.params;
    m_meaning->setWordWrap(true);
    m_meaning->setProperty("dim", true);
    m_labelsRow = makeLabels();
    m_form->setLabelAlignment(Qt::AlignLeft);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_form->addRow(dimLabel(tr("Metric")), m_choice);
    m_form->addRow(m_meaning);
    m_form->addRow(dimLabel(tr("Labels")), m_labelsRow);
    auto *box = new QVBoxLayout(this);
    box->addWidget(about);
    box->addLayout(m_form);
    box->addWidget(m_params);
    box->addStretch();
    connect(m_choice, &QComboBox::currentIndexChanged, this, [this] {
        m_given = nlohmann::json::object();
        showMetric();
    });
    connect(m_params, &ParamEditor::edited, this,
            [this](const QString &name, const nlohmann::json &value) { m_given[name.toStdString()] = value; });
    showMetric();
}

QWidget *MetricSide::makeLabels()
{
    auto *whole = new QWidget;
    auto *row = new QHBoxLayout(whole);
    row->setContentsMargins(0, 0, 0, 0);
    auto *folder = new QPushButton(tr("Folder…"));
    auto *file = new QPushButton(tr("File…"));
    for (QPushButton *button : {folder, file}) {
        button->setAutoDefault(false);
        if (m_document.requests().engine().isRemote()) button->hide(); // the engine reads files elsewhere
    }
    m_labels->setObjectName(QStringLiteral("labels"));
    m_labels->setAccessibleName(tr("Labels"));
    m_labels->setPlaceholderText(tr("file or folder of labels"));
    row->addWidget(m_labels, 1);
    row->addWidget(folder);
    row->addWidget(file);
    const auto take = [this](const QString &path) {
        if (!path.isEmpty()) m_labels->setText(m_document.recipePath(path));
    };
    connect(folder, &QPushButton::clicked, this,
            [this, take] { take(QFileDialog::getExistingDirectory(this, tr("Labels"), m_document.folder())); });
    connect(file, &QPushButton::clicked, this,
            [this, take] { take(QFileDialog::getOpenFileName(this, tr("Labels"), m_document.folder())); });
    return whole;
}

void MetricSide::showMetric()
{
    const std::string id = m_choice->currentData().toString().toStdString();
    const api::CatalogueItem *metric = api::findItem(m_document.requests().known().metrics, id);
    m_meaning->setText(metric       ? engineText(metric->meaning)
                       : id.empty() ? tr("The subfolders of the evaluation images, or an array of labels, are the "
                                         "classes. Without them, only errors against float are measured.")
                                    : tr("The engine does not have this metric."));
    m_form->setRowVisible(m_labelsRow, !id.empty());
    m_params->setParams(metric ? metric->params : std::vector<api::ParamSpec>(), m_given);
    m_params->setVisible(metric && !metric->params.empty());
    if (m_params->form()) alignFields({m_form, m_params->form()});
}

api::MetricRequest MetricSide::value() const
{
    api::MetricRequest request;
    request.id = m_choice->currentData().toString().toStdString();
    if (request.id.empty()) return request;
    request.labels = m_labels->text().trimmed().toStdString();
    request.params = m_given;
    return request;
}

} // namespace ql
