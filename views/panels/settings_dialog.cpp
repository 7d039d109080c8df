#include "views/panels/settings_dialog.h"

#include "core/base/error.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/engine_text.h"
#include "views/commands/recipe_command.h"
#include "views/style/screen.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QRegularExpression>
#include <QSpinBox>
#include <QTableWidget>
#include <QVBoxLayout>

namespace ql {

enum Column { Input, Type, Shape, Wanted, ColumnCount };

static QString shapeText(const std::vector<std::int64_t> &sizes)
{
    QStringList parts;
    for (const std::int64_t size : sizes) parts.append(size < 0 ? QStringLiteral("?") : QString::number(size));
    return parts.join(QLatin1Char('x'));
}

/// "1x3x?x?" as sizes, -1 for those to keep; nothing if it is not a shape.
static std::optional<std::vector<std::int64_t>> sizesOf(const QString &text)
{
    static const QRegularExpression separator(QStringLiteral("[x×X,*\\s]+"));
    std::vector<std::int64_t> sizes;
    for (const QString &part : text.trimmed().split(separator)) {
        bool isNumber = false;
        const qint64 size = part.toLongLong(&isNumber);
        if (part == QLatin1String("?") || part == QLatin1String("-1"))
            sizes.push_back(-1);
        else if (isNumber && size > 0)
            sizes.push_back(size);
        else
            return std::nullopt;
    }
    return sizes;
}

SettingsDialog::SettingsDialog(Document &document, QWidget *parent)
    : QDialog(parent), m_document(document), m_shapes(new QTableWidget(0, ColumnCount)), m_device(new QComboBox),
      m_threads(new QSpinBox), m_error(new QLabel)
{
    setWindowTitle(tr("Model inputs and device"));
    resizeOnScreen(*this, {620, 380});
    const api::Recipe &recipe = document.recipe();
    auto *about = new QLabel(tr("Sizes that the model leaves open are taken from the data. To set them yourself, write "
                                "them here: 1x3x224x224, with ? for sizes to keep."));
    about->setWordWrap(true);
    about->setProperty("dim", true);
    m_shapes->setHorizontalHeaderLabels({tr("Input"), tr("Type"), tr("Shape"), tr("New shape")});
    m_shapes->setAccessibleName(tr("Shapes of the model's inputs"));
    m_shapes->verticalHeader()->hide();
    m_shapes->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_shapes->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_shapes->horizontalHeader()->setHighlightSections(false);
    m_shapes->setTabKeyNavigation(false);
    if (const GraphPtr &graph = document.graph())
        for (const QString &name : graph->inputs) {
            const int row = m_shapes->rowCount();
            const TensorInfo tensor = graph->tensors.value(graph->tensorByName.value(name, -1));
            const auto given = recipe.inputShapes.find(name.toStdString());
            const QString wanted = given == recipe.inputShapes.end() ? QString() : shapeText(given->second);
            m_shapes->insertRow(row);
            int column = 0;
            for (const QString &text : {name, tensor.type, tensor.shape, wanted}) {
                auto *item = new QTableWidgetItem(text);
                item->setToolTip(text);
                if (column != Wanted) item->setFlags(item->flags() & ~Qt::ItemIsEditable);
                m_shapes->setItem(row, column++, item);
            }
        }
    QStringList devices{QStringLiteral("cpu")};
    for (const std::string &device : document.requests().known().devices)
        if (const QString text = QString::fromStdString(device); !devices.contains(text)) devices.append(text);
    const QString current = QString::fromStdString(recipe.device);
    if (!devices.contains(current)) devices.append(current);
    m_device->addItems(devices);
    m_device->setCurrentText(current);
    m_device->setToolTip(tr("Devices on the engine's machine: cpu, or a GPU by its number. Scales may differ in the "
                            "last digits between devices."));
    m_threads->setRange(0, 4096);
    m_threads->setSpecialValueText(tr("one per core"));
    m_threads->setValue(int(recipe.threads));
    m_threads->setToolTip(tr("CPU threads of the engine."));
    auto *form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::FieldsStayAtSizeHint);
    form->addRow(tr("Device"), m_device);
    form->addRow(tr("Threads"), m_threads);
    m_error->setProperty("warn", true);
    m_error->setWordWrap(true);
    m_error->hide();
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    connect(buttons, &QDialogButtonBox::accepted, this, &SettingsDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *box = new QVBoxLayout(this);
    box->addWidget(about);
    box->addWidget(m_shapes, 1);
    box->addLayout(form);
    box->addWidget(m_error);
    box->addWidget(buttons);
}

void SettingsDialog::accept()
{
    setFocus(); // an open editor commits its text
    const auto refuse = [this](const QString &why) {
        m_error->setText(why);
        m_error->show();
    };
    api::Recipe recipe = m_document.recipe();
    for (int row = 0; row < m_shapes->rowCount(); ++row) {
        const QString name = m_shapes->item(row, Input)->text(), text = m_shapes->item(row, Wanted)->text().trimmed();
        recipe.inputShapes.erase(name.toStdString());
        if (text.isEmpty()) continue;
        const auto sizes = sizesOf(text);
        if (!sizes)
            return refuse(tr("%1: “%2” is not a shape. Write sizes such as 1x3x224x224, with ? for sizes to keep.")
                              .arg(name, text));
        recipe.inputShapes[name.toStdString()] = *sizes;
    }
    recipe.device = m_device->currentText().toStdString();
    recipe.threads = m_threads->value();
    try {
        replaceRecipe(m_document, windowTitle(), recipe);
        QDialog::accept();
    } catch (const Error &error) {
        refuse(exceptionText(error));
    }
}

} // namespace ql
