#include "views/panels/dialogs.h"

#include "core/base/error.h"
#include "views/commands/recipe_command.h"
#include "views/panels/param_editor.h"

#include <QComboBox>
#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QGroupBox>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QSpinBox>
#include <QUrl>
#include <QVBoxLayout>

namespace ql {

using nlohmann::json;

DataDialog::Side DataDialog::addSide(const QString &title, const QString &explanation, const api::DataRequest &request)
{
    auto *group = new QGroupBox(title);
    auto *form = new QFormLayout(group);
    form->setLabelAlignment(Qt::AlignLeft);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    auto *about = new QLabel(explanation);
    about->setWordWrap(true);
    about->setProperty("dim", true);
    form->addRow(about);
    Side side{new QLineEdit(QString::fromStdString(request.path)),
              new QLineEdit(QString::fromStdString(request.preprocess)), new QSpinBox};
    auto *folder = new QPushButton(tr("Folder…"));
    auto *file = new QPushButton(tr("File…"));
    folder->setAutoDefault(false);
    file->setAutoDefault(false);
    auto *pathRow = new QHBoxLayout;
    pathRow->addWidget(side.path, 1);
    pathRow->addWidget(folder);
    pathRow->addWidget(file);
    side.samples->setRange(1, 1000000);
    side.samples->setValue(int(request.samples));
    side.preprocess->setPlaceholderText(
        QStringLiteral("rgb; resize 256 short; crop 224; scale 1/255; mean .485,.456,.406; std .229,.224,.225"));
    form->addRow(tr("Path"), pathRow);
    form->addRow(tr("Samples"), side.samples);
    form->addRow(tr("Preprocessing"), side.preprocess);
    connect(folder, &QPushButton::clicked, this, [this, side] {
        const QString path = QFileDialog::getExistingDirectory(this, tr("Folder of data"), m_document.folder());
        if (!path.isEmpty()) side.path->setText(path);
    });
    connect(file, &QPushButton::clicked, this, [this, side] {
        const QString path = QFileDialog::getOpenFileName(this, tr("File of data"), m_document.folder(),
                                                          tr("Data (*.npz *.npy *.json);;All files (*)"));
        if (!path.isEmpty()) side.path->setText(path);
    });
    static_cast<QVBoxLayout *>(layout())->addWidget(group);
    return side;
}

DataDialog::DataDialog(Document &document, QWidget *parent) : QDialog(parent), m_document(document)
{
    setWindowTitle(tr("Data"));
    setMinimumWidth(640);
    auto *box = new QVBoxLayout(this);
    m_calibration = addSide(tr("Calibration"),
                            tr("What ranges are measured on: a folder of pictures or arrays, a .npz, a .npy, a folder "
                               "per input, or a manifest (JSON)."),
                            document.recipe().calibration);
    m_calibration.path->setObjectName(QStringLiteral("calibrationPath"));
    m_evaluation = addSide(tr("Evaluation"), tr("What the error is measured on; without a path, the calibration data."),
                           document.recipe().evaluation);
    if (document.catalogue()) {
        QStringList steps;
        for (const json &step : document.catalogue()->value("steps", json::array())) steps.append(textOf(step, "id"));
        auto *known = new QLabel(tr("Steps: %1").arg(steps.join(QStringLiteral(", "))));
        known->setWordWrap(true);
        known->setProperty("dim", true);
        box->addWidget(known);
    }
    m_error = new QLabel;
    m_error->setProperty("warn", true);
    m_error->setWordWrap(true);
    m_error->hide();
    box->addWidget(m_error);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    box->addWidget(buttons);
}

void DataDialog::setCalibrationPath(const QString &path)
{
    m_calibration.path->setText(path);
}

void DataDialog::accept()
{
    const auto value = [&](const Side &side) -> json {
        QString path = side.path->text().trimmed();
        // Relative below the recipe's folder, so that both can move together
        if (!path.isEmpty() && QFileInfo(path).isAbsolute() && !m_document.folder().isEmpty()) {
            const QString relative = QDir(m_document.folder()).relativeFilePath(path);
            if (!relative.startsWith(QLatin1String(".."))) path = relative;
        }
        return {{"path", path.toStdString()},
                {"samples", side.samples->value()},
                {"preprocess", side.preprocess->text().trimmed().toStdString()}};
    };
    try {
        json recipe = m_document.recipeJson();
        recipe["calibration"] = value(m_calibration);
        recipe["evaluation"] = value(m_evaluation);
        replaceRecipe(m_document, tr("Data"), recipe);
        QDialog::accept();
    } catch (const Error &error) {
        m_error->setText(QString::fromUtf8(error.what()));
        m_error->show();
    }
}

ExportDialog::ExportDialog(Document &document, QWidget *parent)
    : QDialog(parent), m_document(document), m_format(new QComboBox), m_path(new QLineEdit), m_meaning(new QLabel),
      m_result(new QLabel), m_params(new ParamEditor), m_write(new QPushButton(tr("Write")))
{
    setWindowTitle(tr("Export"));
    setMinimumWidth(560);
    QStringList suited;
    const json catalogue = document.catalogue() ? *document.catalogue() : json::object();
    for (const json &platform : catalogue.value("platforms", json::array()))
        if (textOf(platform, "id").toStdString() == document.recipe().platform)
            for (const json &id : platform.value("definition", json::object()).value("exporters", json::array()))
                suited.append(QString::fromStdString(id.get<std::string>()));
    // What suits the platform first, in its order
    for (const bool wanted : {true, false})
        for (const json &entry : catalogue.value("exporters", json::array())) {
            const QString id = textOf(entry, "id");
            if (suited.contains(id) != wanted) continue;
            m_format->addItem(wanted
                                  ? tr("%1  (suits %2)")
                                        .arg(textOf(entry, "title"), QString::fromStdString(document.recipe().platform))
                                  : textOf(entry, "title"),
                              id);
        }
    m_format->setObjectName(QStringLiteral("exportFormat"));
    m_path->setObjectName(QStringLiteral("exportPath"));
    m_write->setObjectName(QStringLiteral("exportWrite"));
    m_meaning->setWordWrap(true);
    m_meaning->setProperty("dim", true);
    m_result->setWordWrap(true);
    m_result->setTextFormat(Qt::RichText);
    m_result->setOpenExternalLinks(true);
    m_result->setTextInteractionFlags(Qt::TextBrowserInteraction);
    auto *browse = new QPushButton(tr("Browse…"));
    browse->setAutoDefault(false);
    auto *pathRow = new QHBoxLayout;
    pathRow->addWidget(m_path, 1);
    pathRow->addWidget(browse);
    auto *form = new QFormLayout;
    form->setLabelAlignment(Qt::AlignLeft);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("Format"), m_format);
    form->addRow(QString(), m_meaning);
    form->addRow(tr("File"), pathRow);
    form->addRow(tr("Options"), m_params);
    auto *box = new QVBoxLayout(this);
    box->addLayout(form);
    box->addWidget(m_result);
    box->addStretch();
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->addButton(m_write, QDialogButtonBox::ActionRole);
    m_write->setDefault(true);
    m_write->setProperty("primary", true);
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
    box->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_format, &QComboBox::currentIndexChanged, this, &ExportDialog::showFormat);
    connect(m_write, &QPushButton::clicked, this, &ExportDialog::start);
    connect(browse, &QPushButton::clicked, this, [this] {
        const QString path = QFileDialog::getSaveFileName(this, tr("Export to"), m_path->text());
        if (!path.isEmpty()) m_path->setText(path);
    });
    connect(&document, &Document::exported, this, [this](const JsonPtr &answer) {
        m_write->setEnabled(true);
        QStringList lines;
        for (const json &file : answer->value("files", json::array())) {
            const QString path = textOf(file, "path");
            lines.append(tr("Wrote <a href=\"%1\">%2</a>, %3.")
                             .arg(QUrl::fromLocalFile(QFileInfo(path).absolutePath()).toString(), path.toHtmlEscaped(),
                                  QLocale().formattedDataSize(file.value("bytes", qint64(0)))));
        }
        for (const json &line : answer->value("notes", json::array()))
            lines.append(QString::fromStdString(line.get<std::string>()).toHtmlEscaped());
        for (const json &problem : answer->value("problems", json::array()))
            lines.append(textOf(problem, "message").toHtmlEscaped());
        m_result->setText(lines.join(QStringLiteral("<br>")));
    });
    connect(&document, &Document::failed, this, [this](const EngineError &error) {
        m_write->setEnabled(true);
        m_result->setText((error.message + QLatin1Char(' ') + error.remedy).toHtmlEscaped());
    });
    connect(&document, &Document::jobChanged, this, [this] {
        if (!m_document.job().isRunning) m_write->setEnabled(true);
    });
    showFormat();
}

void ExportDialog::showFormat()
{
    const json catalogue = m_document.catalogue() ? *m_document.catalogue() : json::object();
    for (const json &entry : catalogue.value("exporters", json::array())) {
        if (textOf(entry, "id") != m_format->currentData().toString()) continue;
        m_meaning->setText(textOf(entry, "meaning"));
        json values = json::object();
        for (const json &spec : entry.value("params", json::array()))
            values[spec.value("name", "")] = spec.value("default", json());
        m_params->setParams(entry.value("params", json::array()), values);
        const json endings = entry.value("extensions", json::array());
        const QString ending = endings.empty() ? QString() : QString::fromStdString(endings[0].get<std::string>());
        const QString stem = QFileInfo(QString::fromStdString(m_document.recipe().model)).completeBaseName();
        m_path->setText(QDir(m_document.folder()).filePath(stem + QStringLiteral("_int8") + ending));
    }
    m_write->setEnabled(m_format->count() > 0);
}

void ExportDialog::start()
{
    m_write->setEnabled(false);
    m_result->setText(tr("Writing…"));
    m_document.exportTo(m_format->currentData().toString(), m_path->text().trimmed(), m_params->values());
}

} // namespace ql
