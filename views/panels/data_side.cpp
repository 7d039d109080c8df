#include "views/panels/data_side.h"

#include "core/base/file.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/engine_text.h"
#include "views/panels/data_preview.h"
#include "views/style/buttons.h"
#include "views/style/drop.h"
#include "views/style/theme.h"

#include <QComboBox>
#include <QCryptographicHash>
#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QRegularExpression>
#include <QSet>
#include <QSettings>
#include <QSpinBox>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ql {

using nlohmann::json;

/// Wait for a pause in typing before reading a sample.
static constexpr int dataPreviewDelayMs = 250;

DataSide::DataSide(Document &document, const QString &explanation, const api::DataRequest &given, DataSide *fallback,
                   QWidget *parent)
    : QWidget(parent), m_document(document), m_fallback(fallback),
      m_path(new QLineEdit(QString::fromStdString(given.path))),
      m_preprocess(new QLineEdit(QString::fromStdString(given.preprocess))), m_samples(new QSpinBox),
      m_sampling(new QComboBox), m_seed(new QSpinBox), m_steps(new QListWidget), m_preview(new DataPreview),
      m_warnings(new QLabel), m_taken(new QLabel), m_fit(new QPushButton)
{
    auto *about = new QLabel(explanation);
    about->setWordWrap(true);
    about->setProperty("dim", true);
    setAcceptDrops(true);
    auto *splitter = new QSplitter;
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(makeSteps());
    splitter->addWidget(m_preview);
    splitter->setSizes({230, 640});
    splitter->setStretchFactor(1, 1);
    m_warnings->setWordWrap(true);
    m_warnings->setTextFormat(Qt::RichText);
    m_warnings->setObjectName(QStringLiteral("warnings"));
    m_fit->setObjectName(QStringLiteral("fitSteps"));
    m_fit->setAutoDefault(false);
    m_fit->hide();
    auto *problems = new QHBoxLayout;
    problems->addWidget(m_warnings, 1);
    problems->addWidget(m_fit, 0, Qt::AlignTop);
    auto *box = new QVBoxLayout(this);
    box->addWidget(about);
    box->addLayout(makeForm(given));
    box->addWidget(splitter, 1);
    box->addLayout(problems);
    connectAll(given);
    takeLine();
    m_delay.start();
}

QFormLayout *DataSide::makeForm(const api::DataRequest &given)
{
    auto *folder = new QPushButton(tr("Folder…"));
    auto *file = new QPushButton(tr("File…"));
    for (QPushButton *button : {folder, file}) {
        button->setAutoDefault(false);
        if (m_document.requests().engine().isRemote()) button->hide(); // the engine reads files elsewhere
    }
    m_path->setAccessibleName(tr("Path"));
    m_path->setAcceptDrops(false); // this accepts them, as files and not as text
    m_taken->setWordWrap(true);
    m_taken->setProperty("dim", true);
    m_taken->hide();
    auto *pathRow = new QHBoxLayout;
    pathRow->addWidget(m_path, 1);
    pathRow->addWidget(folder);
    pathRow->addWidget(file);
    m_samples->setRange(1, 1000000);
    m_samples->setAccessibleName(tr("Samples"));
    m_samples->setValue(int(given.samples));
    m_preprocess->setAccessibleName(tr("Preprocessing"));
    m_preprocess->setPlaceholderText(tr("steps separated by semicolons, or choose a preset"));
    auto *presets = new QPushButton(tr("Presets"));
    presets->setObjectName(QStringLiteral("presets"));
    presets->setAutoDefault(false);
    auto *menu = new QMenu(presets);
    menu->setToolTipsVisible(true);
    presets->setMenu(menu);
    presets->setProperty("menu", true);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] { fillPresetMenu(*menu); });
    auto *stepRow = new QHBoxLayout;
    stepRow->addWidget(m_preprocess, 1);
    stepRow->addWidget(presets);
    auto *form = new QFormLayout;
    form->setLabelAlignment(Qt::AlignLeft);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("Path"), pathRow);
    form->addRow(m_taken);
    form->addRow(tr("Samples"), makeSampling(given));
    form->addRow(tr("Preprocessing"), stepRow);
    connect(folder, &QPushButton::clicked, this, [this] {
        const QString path = QFileDialog::getExistingDirectory(this, tr("Data folder"), m_document.folder());
        if (!path.isEmpty()) m_path->setText(path);
    });
    connect(file, &QPushButton::clicked, this, [this] {
        QStringList kinds{QStringLiteral("*.npz"), QStringLiteral("*.npy"), QStringLiteral("*.json"),
                          QStringLiteral("*.bin")};
        for (const std::string &ending : imageEndings())
            kinds.append(QStringLiteral("*.") + QString::fromStdString(ending));
        take(QFileDialog::getOpenFileNames(this, tr("Data files"), m_document.folder(),
                                           tr("Data (%1);;All files (*)").arg(kinds.join(QLatin1Char(' ')))));
    });
    return form;
}

QWidget *DataSide::makeSteps()
{
    m_steps->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                             QAbstractItemView::SelectedClicked);
    m_steps->setDragDropMode(QAbstractItemView::InternalMove);
    m_steps->setAccessibleName(tr("Preprocessing steps"));
    m_steps->setToolTip(tr("Drag to reorder, double-click to edit."));
    auto *menu = new QMenu(this);
    menu->setToolTipsVisible(true);
    QToolButton *add = menuButton(QStringLiteral("plus"), tr("Add a step after the current one"), *menu);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] { fillAddMenu(*menu); });
    QToolButton *up = iconButton(QStringLiteral("up"), tr("Move up"));
    QToolButton *down = iconButton(QStringLiteral("down"), tr("Move down"));
    QToolButton *remove = iconButton(QStringLiteral("close"), tr("Remove"));
    connect(up, &QToolButton::clicked, this, [this] { moveStep(-1); });
    connect(down, &QToolButton::clicked, this, [this] { moveStep(1); });
    connect(remove, &QToolButton::clicked, this, &DataSide::removeStep);
    auto *title = new QLabel(tr("Steps"));
    title->setProperty("heading", true);
    auto *tools = new QHBoxLayout;
    tools->setSpacing(0);
    tools->addWidget(title);
    tools->addStretch();
    for (QToolButton *button : {add, up, down, remove}) tools->addWidget(button);
    auto *side = new QWidget;
    auto *box = new QVBoxLayout(side);
    box->setContentsMargins(0, 0, 0, 0);
    box->addLayout(tools);
    box->addWidget(m_steps, 1);
    return side;
}

void DataSide::connectAll(const api::DataRequest &given)
{
    const auto fillInputs = [this] {
        m_preview->setInputs(m_document.graph() ? m_document.graph()->inputs : QStringList());
    };
    fillInputs();
    connect(&m_document, &Document::graphChanged, this, fillInputs); // the model may have been dropped with its data
    m_delay.setSingleShot(true);
    m_delay.setInterval(dataPreviewDelayMs);
    const auto soon = qOverload<>(&QTimer::start);
    connect(&m_delay, &QTimer::timeout, this, &DataSide::request);
    connect(m_path, &QLineEdit::textChanged, &m_delay, soon);
    connect(m_path, &QLineEdit::textEdited, m_taken, &QWidget::hide); // it was about the dropped files
    for (QSpinBox *number : {m_samples, m_seed}) connect(number, &QSpinBox::valueChanged, &m_delay, soon);
    connect(m_sampling, &QComboBox::currentIndexChanged, this, [this] {
        m_seed->setEnabled(m_sampling->currentIndex() == 0);
        m_delay.start();
    });
    connect(m_preview, &DataPreview::sampleChosen, &m_delay, soon);
    connect(m_preprocess, &QLineEdit::textChanged, this, &DataSide::takeLine);
    connect(m_steps, &QListWidget::itemChanged, this, &DataSide::takeSteps);
    connect(m_steps->model(), &QAbstractItemModel::rowsMoved, this, &DataSide::takeSteps, Qt::QueuedConnection);
    connect(m_steps, &QListWidget::currentRowChanged, this, [this](int row) {
        if (row >= 0 && row + 1 < m_preview->stages()->count()) m_preview->stages()->setCurrentRow(row + 1);
    });
    connect(m_fit, &QPushButton::clicked, this, [this] { m_preprocess->setText(m_fitted.join(QStringLiteral("; "))); });
    if (m_fallback && given.path.empty())
        // Separate data usually has the same preprocessing as the other side
        connect(m_path, &QLineEdit::textChanged, this, [this, wasEmpty = true](const QString &path) mutable {
            if (std::exchange(wasEmpty, path.isEmpty()) && !path.isEmpty() && m_preprocess->text().isEmpty())
                m_preprocess->setText(m_fallback->m_preprocess->text());
        });
    if (m_fallback)
        for (QLineEdit *line : {m_fallback->m_path, m_fallback->m_preprocess})
            connect(line, &QLineEdit::textChanged, &m_delay, soon);
    connect(&m_document.requests().engine(), &EngineClient::finished, this,
            [this](RequestId id, const EngineAnswer &answer) {
                if (id != m_request || id == 0) return;
                m_request = 0;
                showPreview(*answer.as(api::method::preview));
            });
    connect(&m_document.requests().engine(), &EngineClient::failed, this,
            [this](RequestId id, const EngineError &error) {
                if (id != m_request || id == 0) return;
                m_request = 0;
                api::Preview nothing;
                nothing.problems.push_back(
                    {.severity = api::Severity::Error, .message = error.message, .remedy = error.remedy});
                showPreview(nothing);
            });
}

api::DataRequest DataSide::value() const
{
    QString path = m_path->text().trimmed();
    const api::Recipe &recipe = m_document.recipe();
    const bool isKnown = path.toStdString() == recipe.calibration.path || path.toStdString() == recipe.evaluation.path;
    // Unchanged text of the recipe is kept
    if (!isKnown) path = m_document.recipePath(path);
    return {.path = path.toStdString(),
            .samples = m_samples->value(),
            .preprocess = m_preprocess->text().trimmed().toStdString(),
            .sampling = api::Sampling(m_sampling->currentData().toInt()),
            .seed = m_seed->value()};
}

QLayout *DataSide::makeSampling(const api::DataRequest &given)
{
    m_sampling->addItem(tr("drawn evenly"), int(api::Sampling::Even));
    m_sampling->addItem(tr("first samples"), int(api::Sampling::First));
    m_sampling->setCurrentIndex(m_sampling->findData(int(given.sampling)));
    m_sampling->setAccessibleName(tr("Sampling"));
    m_sampling->setToolTip(tr("Which samples to use if the data has more."));
    m_seed->setRange(0, std::numeric_limits<int>::max());
    m_seed->setValue(int(std::min<std::int64_t>(given.seed, m_seed->maximum())));
    m_seed->setPrefix(tr("seed "));
    m_seed->setAccessibleName(tr("Seed"));
    m_seed->setToolTip(tr("A different seed selects different samples."));
    m_seed->setEnabled(given.sampling == api::Sampling::Even);
    auto *row = new QHBoxLayout;
    row->addWidget(m_samples);
    row->addWidget(m_sampling);
    row->addWidget(m_seed);
    row->addStretch();
    return row;
}

bool DataSide::isPicture(const QString &path)
{
    return isImageName(path.toStdString());
}

bool DataSide::isRaw(const QString &path)
{
    return QFileInfo(path).suffix().compare(QLatin1String("bin"), Qt::CaseInsensitive) == 0;
}

void DataSide::take(const QStringList &paths)
{
    if (paths.isEmpty()) return;
    QSet<QString> folders;
    for (const QString &path : paths) folders.insert(QFileInfo(path).absolutePath());
    const bool areFiles =
        std::none_of(paths.begin(), paths.end(), [](const QString &p) { return QFileInfo(p).isDir(); });
    const bool isFolder = paths.size() > 1 && areFiles && folders.size() == 1;
    const QString first = QDir::cleanPath(paths.front()); // that of a folder may end with a slash
    // One image or one raw tensor represents its folder
    const bool isOfFolder = areFiles && (isPicture(first) || isRaw(first));
    m_path->setText(isFolder || isOfFolder ? QFileInfo(first).absolutePath() : first);
    m_taken->setText(
        isFolder           ? tr("Several files: using their folder, with every file in it as a sample.")
        : paths.size() > 1 ? tr("Using %1; data is one file or one folder.").arg(QFileInfo(first).fileName())
        : isOfFolder ? tr("Using the folder of %1, with every file in it as a sample.").arg(QFileInfo(first).fileName())
                     : QString());
    m_taken->setVisible(!m_taken->text().isEmpty());
}

void DataSide::dragEnterEvent(QDragEnterEvent *event)
{
    acceptAsCopy(*event);
}

void DataSide::dropEvent(QDropEvent *event)
{
    QStringList paths;
    for (const QUrl &url : event->mimeData()->urls())
        if (url.isLocalFile()) paths.append(url.toLocalFile());
    acceptAsCopy(*event);
    take(paths);
}

/// The engine's description of the step at the start of a text; empty if unknown.
static QString stepMeaning(const api::Catalogue &known, const QString &text)
{
    const QString id = text.section(QLatin1Char(' '), 0, 0).toLower();
    const api::CatalogueItem *step = api::findItem(known.steps, id.toStdString());
    return step ? QString::fromStdString(step->title.english()) + QLatin1Char('\n') + engineText(step->meaning)
                : QString();
}

void DataSide::fillAddMenu(QMenu &menu)
{
    menu.clear();
    for (const api::CatalogueItem &step : m_document.requests().known().steps) {
        // The syntax, and its meaning as tool tip
        const QString example = QString::fromStdString(step.example);
        QAction *action = menu.addAction(QString::fromStdString(step.title.english()), this,
                                         [this, example] { addStep(presetFor(example)); });
        action->setToolTip(engineText(step.meaning));
    }
}

void DataSide::fillPresetMenu(QMenu &menu)
{
    menu.clear();
    for (const api::CatalogueItem &preset : m_document.requests().known().presets) {
        const QString steps = presetFor(QString::fromStdString(preset.example));
        QAction *action =
            menu.addAction(engineText(preset.title), this, [this, steps] { m_preprocess->setText(steps); });
        action->setToolTip(engineText(preset.meaning) + QLatin1Char('\n') + steps);
    }
}

std::optional<QSize> DataSide::inputSize() const
{
    const GraphPtr &graph = m_document.graph();
    if (!graph || graph->inputs.isEmpty()) return {};
    const QString name = graph->inputs.value(std::max(0, m_preview->input()->currentIndex()));
    const TensorInfo tensor = graph->tensors.value(graph->tensorByName.value(name, -1));
    QVector<int> sizes;
    for (const QString &part : tensor.shape.split(QLatin1Char('x'))) sizes.append(part.toInt());
    if (sizes.size() != 4) return {};
    const bool isLast = sizes[3] == 1 || sizes[3] == 3; // channels
    const QSize size = isLast ? QSize(sizes[2], sizes[1]) : QSize(sizes[3], sizes[2]);
    return size.width() > 1 && size.height() > 1 ? std::optional(size) : std::nullopt;
}

static QString sizeText(const QSize &size)
{
    return size.width() == size.height() ? QString::number(size.width())
                                         : QStringLiteral("%1x%2").arg(size.width()).arg(size.height());
}

/// Classifiers are trained on the centre of an image whose shorter side is larger by 256 / 224.
static int sideBeforeCrop(const QSize &size)
{
    return int(std::lround(std::max(size.width(), size.height()) * 256.0 / 224.0));
}

QString DataSide::presetFor(const QString &example) const
{
    const std::optional<QSize> size = inputSize();
    if (!size) return example;
    static const QRegularExpression both(QStringLiteral("\\b224x224\\b")), one(QStringLiteral("\\b(224|416)\\b")),
        before(QStringLiteral("\\b256\\b"));
    return QString(example)
        .replace(both, QStringLiteral("%1x%2").arg(size->width()).arg(size->height()))
        .replace(before, QString::number(sideBeforeCrop(*size)))
        .replace(one, sizeText(*size));
}

/// Offers steps that resize samples to the model's input, if their sizes differ.
void DataSide::offerFit()
{
    constexpr int largestCrop = 320; // larger inputs are those of detectors, which need the whole image
    const std::optional<QSize> wanted = inputSize();
    const QVector<qint64> shape = m_preview->lastShape();
    const bool isImage = shape.size() == 3 && wanted;
    const bool isLast = isImage && shape[0] > 4;
    const QSize size = isImage ? QSize(int(shape[isLast ? 1 : 2]), int(shape[isLast ? 0 : 1])) : QSize();
    m_fit->setVisible(isImage && size != *wanted);
    if (m_fit->isHidden()) return;
    const bool isCrop = wanted->width() == wanted->height() && wanted->width() <= largestCrop;
    const int before = sideBeforeCrop(*wanted);
    const QStringList added =
        isCrop ? QStringList{QStringLiteral("resize %1 short").arg(before), QStringLiteral("crop ") + sizeText(*wanted)}
               : QStringList{QStringLiteral("letterbox ") + sizeText(*wanted)};
    m_fit->setText(isCrop ? tr("Add resize %1, crop %2").arg(before).arg(sizeText(*wanted))
                          : tr("Add letterbox %1").arg(sizeText(*wanted)));
    static const QStringList geometry{QStringLiteral("resize"), QStringLiteral("stretch"), QStringLiteral("crop"),
                                      QStringLiteral("letterbox"), QStringLiteral("pad")},
        colors{QStringLiteral("rgb"), QStringLiteral("bgr"), QStringLiteral("gray"),
               QStringLiteral("y"),   QStringLiteral("rot"), QStringLiteral("flip")};
    m_fitted.clear();
    qsizetype at = 0; // after the colour steps, before value steps
    for (int i = 0; i < m_steps->count(); ++i) {
        const QString step = m_steps->item(i)->text().trimmed(), id = step.section(QLatin1Char(' '), 0, 0);
        if (geometry.contains(id)) continue; // did not help
        m_fitted.append(step);
        if (colors.contains(id)) at = m_fitted.size();
    }
    for (const QString &step : added) m_fitted.insert(at++, step);
}

void DataSide::addStep(const QString &text)
{
    auto *item = new QListWidgetItem(text);
    item->setFlags(item->flags() | Qt::ItemIsEditable);
    const int row = m_steps->currentRow() < 0 ? m_steps->count() : m_steps->currentRow() + 1;
    m_steps->insertItem(row, item);
    m_steps->setCurrentRow(row);
    takeSteps();
}

void DataSide::removeStep()
{
    delete m_steps->takeItem(m_steps->currentRow());
    takeSteps();
}

void DataSide::moveStep(int by)
{
    const int row = m_steps->currentRow();
    if (row < 0 || row + by < 0 || row + by >= m_steps->count()) return;
    QListWidgetItem *item = m_steps->takeItem(row);
    m_steps->insertItem(row + by, item);
    m_steps->setCurrentRow(row + by);
    takeSteps();
}

void DataSide::takeSteps()
{
    if (m_isTaking) return;
    QStringList steps;
    for (int i = 0; i < m_steps->count(); ++i)
        if (const QString text = m_steps->item(i)->text().trimmed(); !text.isEmpty()) steps.append(text);
    m_isTaking = true;
    m_preprocess->setText(steps.join(QStringLiteral("; ")));
    m_isTaking = false;
    // An emptied row is removed, one with a semicolon is split: when its editor has closed
    if (steps.size() < m_steps->count() || steps.join(QString()).contains(QLatin1Char(';')))
        QMetaObject::invokeMethod(this, &DataSide::takeLine, Qt::QueuedConnection);
    describeSteps();
    m_delay.start();
}

void DataSide::describeSteps()
{
    const QSignalBlocker blocked(m_steps);
    for (int i = 0; i < m_steps->count(); ++i)
        m_steps->item(i)->setToolTip(stepMeaning(m_document.requests().known(), m_steps->item(i)->text()));
}

void DataSide::takeLine()
{
    if (m_isTaking) return;
    m_isTaking = true;
    const int row = m_steps->currentRow();
    m_steps->clear();
    for (const QString &part : m_preprocess->text().split(QLatin1Char(';'), Qt::SkipEmptyParts))
        if (const QString text = part.trimmed(); !text.isEmpty()) {
            auto *item = new QListWidgetItem(text, m_steps);
            item->setFlags(item->flags() | Qt::ItemIsEditable);
        }
    m_steps->setCurrentRow(std::min(row, m_steps->count() - 1));
    m_isTaking = false;
    describeSteps();
    m_delay.start();
}

/// Without its own path, the other side's data is previewed.
api::DataRequest DataSide::shownData() const
{
    api::DataRequest shown = value();
    if (shown.path.empty() && m_fallback) {
        const api::DataRequest other = m_fallback->value();
        shown.path = other.path;
        if (shown.preprocess.empty()) shown.preprocess = other.preprocess;
    }
    return shown;
}

void DataSide::request()
{
    if (m_request) m_document.requests().engine().drop(m_request);
    m_request = 0;
    auto wanted = m_document.requests().about<api::PreviewRequest>();
    wanted.data = shownData();
    m_hashKey = hashKey();
    if (wanted.data.path.empty() || m_document.isEmpty()) {
        showPreview({});
        return;
    }
    wanted.sample = std::size_t(m_preview->sample());
    wanted.input = std::size_t(std::max(0, m_preview->input()->currentIndex()));
    m_request = m_document.requests().engine().request(api::method::preview, wanted);
}

QString DataSide::hashKey() const
{
    const QString model = m_document.absolutePath(m_document.recipe().model);
    return QStringLiteral("data/") +
           QString::fromLatin1(
               QCryptographicHash::hash(
                   (model + m_document.folder() + QString::fromStdString(api::toJson(shownData()).dump())).toUtf8(),
                   QCryptographicHash::Sha1)
                   .toHex());
}

void DataSide::remember() const
{
    if (!m_hash.isEmpty() && m_hashKey == hashKey()) QSettings().setValue(m_hashKey, m_hash);
}

void DataSide::showPreview(const api::Preview &preview)
{
    m_preview->setPreview(preview);
    offerFit();
    QStringList lines;
    for (const api::Problem &problem : preview.problems) {
        const bool isInfo = problem.severity == api::Severity::Info;
        lines.append(QStringLiteral("%1%2 <span style=\"color:%3\">%4</span>")
                         .arg(severityMark(isInfo), engineSentences(problem.message, {}).toHtmlEscaped(),
                              Theme::current().dim.name(), engineText(problem.remedy).toHtmlEscaped()));
    }
    m_hash = QString::fromStdString(preview.hash);
    const QString known = QSettings().value(m_hashKey).toString();
    if (!m_hash.isEmpty() && !known.isEmpty() && known != m_hash)
        lines.append(severityMark(false) + tr("The data has changed since the last run: different files, contents or "
                                              "order. Runs cannot be compared."));
    m_warnings->setText(lines.join(QStringLiteral("<br>")));
    m_warnings->setVisible(!lines.isEmpty());
}

} // namespace ql
