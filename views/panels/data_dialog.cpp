#include "views/panels/data_dialog.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/engine_text.h"
#include "views/commands/recipe_command.h"
#include "views/plots/plot_style.h"
#include "views/plots/qcp.h"
#include "views/style/buttons.h"
#include "views/style/drop.h"
#include "views/style/screen.h"
#include "views/style/theme.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QLocale>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QScrollArea>
#include <QSet>
#include <QSettings>
#include <QSpinBox>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

namespace ql {

using nlohmann::json;

/// Typing is waited out before a sample is read.
static constexpr int dataPreviewDelayMs = 250;
static constexpr int pictureSide = 112;
static constexpr int mostInLegend = 6, legendHeight = 28;

/// What a step looks like when it is added; the user changes its numbers.
static QString exampleOf(const QString &id)
{
    static const QHash<QString, QString> examples{{QStringLiteral("resize"), QStringLiteral("resize 256 short")},
                                                  {QStringLiteral("stretch"), QStringLiteral("stretch 224x224")},
                                                  {QStringLiteral("crop"), QStringLiteral("crop 224")},
                                                  {QStringLiteral("letterbox"), QStringLiteral("letterbox 416")},
                                                  {QStringLiteral("pad"), QStringLiteral("pad multiple 32")},
                                                  {QStringLiteral("rot"), QStringLiteral("rot 90")},
                                                  {QStringLiteral("flip"), QStringLiteral("flip horizontal")},
                                                  {QStringLiteral("scale"), QStringLiteral("scale 1/255")},
                                                  {QStringLiteral("mean"), QStringLiteral("mean .485,.456,.406")},
                                                  {QStringLiteral("std"), QStringLiteral("std .229,.224,.225")},
                                                  {QStringLiteral("shift"), QStringLiteral("shift 0")},
                                                  {QStringLiteral("gamma"), QStringLiteral("gamma 1")},
                                                  {QStringLiteral("clip"), QStringLiteral("clip 0,1")},
                                                  {QStringLiteral("layout"), QStringLiteral("layout nchw")}};
    return examples.value(id, id);
}

static QString numberText(const json &object, const char *key)
{
    const auto it = object.find(key);
    return it != object.end() && it->is_number() ? QLocale().toString(it->get<double>(), 'g', 4) : QStringLiteral("–");
}

DataSide::DataSide(Document &document, const QString &explanation, const api::DataRequest &given, DataSide *fallback,
                   QWidget *parent)
    : QWidget(parent), m_document(document), m_fallback(fallback),
      m_path(new QLineEdit(QString::fromStdString(given.path))),
      m_preprocess(new QLineEdit(QString::fromStdString(given.preprocess))), m_samples(new QSpinBox),
      m_sample(new QSpinBox), m_input(new QComboBox), m_steps(new QListWidget), m_stages(new QListWidget),
      m_facts(new QLabel), m_warnings(new QLabel), m_taken(new QLabel), m_plot(new QCustomPlot)
{
    auto *about = new QLabel(explanation);
    about->setWordWrap(true);
    about->setProperty("dim", true);
    auto *folder = new QPushButton(tr("Folder…"));
    auto *file = new QPushButton(tr("File…"));
    folder->setAutoDefault(false);
    file->setAutoDefault(false);
    m_path->setAccessibleName(tr("Path"));
    m_path->setAcceptDrops(false); // this takes them, as files and not as text
    setAcceptDrops(true);
    m_taken->setWordWrap(true);
    m_taken->setProperty("dim", true);
    m_taken->hide();
    auto *pathRow = new QHBoxLayout;
    pathRow->addWidget(m_path, 1);
    pathRow->addWidget(folder);
    pathRow->addWidget(file);
    // What the engine reads is elsewhere
    if (document.requests().engine().isRemote())
        for (QPushButton *button : {folder, file}) button->hide();
    m_samples->setRange(1, 1000000);
    m_samples->setValue(int(given.samples));
    m_preprocess->setPlaceholderText(
        tr("for example %1")
            .arg(QStringLiteral(
                "rgb; resize 256 short; crop 224; scale 1/255; mean .485,.456,.406; std .229,.224,.225")));
    auto *form = new QFormLayout;
    form->setLabelAlignment(Qt::AlignLeft);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("Path"), pathRow);
    form->addRow(m_taken);
    form->addRow(tr("Samples"), m_samples);
    form->addRow(tr("Preprocessing"), m_preprocess);

    m_steps->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                             QAbstractItemView::SelectedClicked);
    m_steps->setDragDropMode(QAbstractItemView::InternalMove);
    m_steps->setAccessibleName(tr("Steps of the preprocessing"));
    m_steps->setToolTip(tr("Drag to reorder, double click to change."));
    auto *add = textButton(tr("+ Add step"), tr("Add a step behind the current one"));
    auto *menu = new QMenu(add);
    menu->setToolTipsVisible(true);
    add->setMenu(menu);
    add->setPopupMode(QToolButton::InstantPopup);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] { fillAddMenu(*menu); });
    auto *up = textButton(QStringLiteral("↑"), tr("Move up"));
    auto *down = textButton(QStringLiteral("↓"), tr("Move down"));
    auto *remove = textButton(QStringLiteral("✕"), tr("Remove"));
    auto *tools = new QHBoxLayout;
    tools->setSpacing(0);
    tools->addWidget(add);
    tools->addStretch();
    for (QToolButton *b : {up, down, remove}) tools->addWidget(b);
    auto *stepSide = new QWidget;
    auto *stepBox = new QVBoxLayout(stepSide);
    stepBox->setContentsMargins(0, 0, 0, 0);
    auto *stepTitle = new QLabel(tr("Steps"));
    stepTitle->setProperty("heading", true);
    stepBox->addWidget(stepTitle);
    stepBox->addWidget(m_steps, 1);
    stepBox->addLayout(tools);

    m_stages->setViewMode(QListView::IconMode);
    m_stages->setFlow(QListView::LeftToRight);
    m_stages->setWrapping(false);
    m_stages->setMovement(QListView::Static);
    m_stages->setIconSize({pictureSide, pictureSide});
    m_stages->setSpacing(6);
    m_stages->setFixedHeight(pictureSide + 2 * fontMetrics().lineSpacing() + 44);
    m_stages->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_stages->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_stages->setAccessibleName(tr("The sample after each step"));
    m_stages->setProperty("framed", true);
    m_plot->setMinimumHeight(140);
    m_plot->setAccessibleName(tr("Values of the sample, for each channel"));
    m_facts->setProperty("dim", true);
    m_facts->setWordWrap(true);
    m_sample->setRange(1, 1);
    auto *sampleRow = new QHBoxLayout;
    auto *sampleTitle = new QLabel(tr("Sample after each step"));
    sampleTitle->setProperty("heading", true);
    sampleRow->addWidget(sampleTitle);
    sampleRow->addStretch();
    auto *number = new QLabel(tr("Sample"));
    number->setBuddy(m_sample);
    m_input->setAccessibleName(tr("Input of the model"));
    m_input->setToolTip(tr("The input of the model whose sample is shown"));
    const auto fillInputs = [this] {
        const QStringList inputs = m_document.graph() ? m_document.graph()->inputs : QStringList();
        const QString chosen = m_input->currentText();
        m_input->clear();
        m_input->addItems(inputs);
        m_input->setCurrentIndex(std::max(0, int(inputs.indexOf(chosen))));
        m_input->setVisible(inputs.size() > 1);
    };
    fillInputs();
    connect(&document, &Document::graphChanged, this, fillInputs); // the model may have been dropped with its data
    sampleRow->addWidget(m_input);
    sampleRow->addWidget(number);
    sampleRow->addWidget(m_sample);
    sampleRow->addWidget(exportButton(*m_plot, tr("sample"), [this] {
        QString out = QStringLiteral("step,channel,bin,count\n");
        int step = 0;
        for (const json &stage : m_preview.value("stages", json::array())) {
            int channel = 0;
            for (const json &values : stage.value("channels", json::array())) {
                int bin = 0;
                for (const json &count : values.value("counts", json::array()))
                    out += QStringLiteral("%1,%2,%3,%4\n").arg(step).arg(channel).arg(bin++).arg(count.get<qint64>());
                ++channel;
            }
            ++step;
        }
        return out;
    }));
    auto *previewSide = new QWidget;
    auto *previewBox = new QVBoxLayout(previewSide);
    previewBox->setContentsMargins(8, 0, 0, 0);
    previewBox->addLayout(sampleRow);
    previewBox->addWidget(m_stages);
    previewBox->addWidget(m_facts);
    previewBox->addWidget(m_plot, 1);
    auto *splitter = new QSplitter;
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(stepSide);
    splitter->addWidget(previewSide);
    splitter->setSizes({230, 640});
    splitter->setStretchFactor(1, 1);
    m_warnings->setWordWrap(true);
    m_warnings->setTextFormat(Qt::RichText);
    m_warnings->setObjectName(QStringLiteral("warnings"));
    auto *box = new QVBoxLayout(this);
    box->addWidget(about);
    box->addLayout(form);
    box->addWidget(splitter, 1);
    box->addWidget(m_warnings);

    m_delay.setSingleShot(true);
    m_delay.setInterval(dataPreviewDelayMs);
    connect(&m_delay, &QTimer::timeout, this, &DataSide::request);
    connect(m_path, &QLineEdit::textChanged, &m_delay, qOverload<>(&QTimer::start));
    connect(m_path, &QLineEdit::textEdited, m_taken, &QWidget::hide); // it was about what was dropped
    connect(m_samples, &QSpinBox::valueChanged, &m_delay, qOverload<>(&QTimer::start));
    connect(m_sample, &QSpinBox::valueChanged, &m_delay, qOverload<>(&QTimer::start));
    connect(m_input, &QComboBox::currentIndexChanged, &m_delay, qOverload<>(&QTimer::start));
    connect(m_preprocess, &QLineEdit::textChanged, this, &DataSide::takeLine);
    connect(m_steps, &QListWidget::itemChanged, this, &DataSide::takeSteps);
    connect(m_steps->model(), &QAbstractItemModel::rowsMoved, this, &DataSide::takeSteps, Qt::QueuedConnection);
    connect(m_steps, &QListWidget::currentRowChanged, this, [this](int row) {
        if (row >= 0 && row + 1 < m_stages->count()) m_stages->setCurrentRow(row + 1);
    });
    connect(m_stages, &QListWidget::currentRowChanged, this, &DataSide::showStage);
    connect(up, &QToolButton::clicked, this, [this] { moveStep(-1); });
    connect(down, &QToolButton::clicked, this, [this] { moveStep(1); });
    connect(remove, &QToolButton::clicked, this, &DataSide::removeStep);
    connect(folder, &QPushButton::clicked, this, [this] {
        const QString path = QFileDialog::getExistingDirectory(this, tr("Folder of data"), m_document.folder());
        if (!path.isEmpty()) m_path->setText(path);
    });
    connect(file, &QPushButton::clicked, this, [this] {
        QStringList kinds{QStringLiteral("*.npz"), QStringLiteral("*.npy"), QStringLiteral("*.json"),
                          QStringLiteral("*.bin")};
        for (const std::string &ending : imageEndings())
            kinds.append(QStringLiteral("*.") + QString::fromStdString(ending));
        take(QFileDialog::getOpenFileNames(this, tr("Files of data"), m_document.folder(),
                                           tr("Data (%1);;All files (*)").arg(kinds.join(QLatin1Char(' ')))));
    });
    if (m_fallback && given.path.empty())
        // Data of its own are most often prepared like the other side's
        connect(m_path, &QLineEdit::textChanged, this, [this, wasEmpty = true](const QString &path) mutable {
            if (std::exchange(wasEmpty, path.isEmpty()) && !path.isEmpty() && m_preprocess->text().isEmpty())
                m_preprocess->setText(m_fallback->m_preprocess->text());
        });
    if (m_fallback)
        for (QLineEdit *line : {m_fallback->m_path, m_fallback->m_preprocess})
            connect(line, &QLineEdit::textChanged, &m_delay, qOverload<>(&QTimer::start));
    connect(&document.requests().engine(), &EngineClient::finished, this,
            [this](RequestId id, const EngineAnswer &answer) {
                if (id != m_request || id == 0) return;
                m_request = 0;
                showPreview(*answer.data);
            });
    connect(&document.requests().engine(), &EngineClient::failed, this, [this](RequestId id, const EngineError &error) {
        if (id != m_request || id == 0) return;
        m_request = 0;
        json problem = {
            {"severity", "error"}, {"message", error.message.toStdString()}, {"remedy", error.remedy.toStdString()}};
        showPreview({{"stages", json::array()}, {"problems", json::array({problem})}});
    });
    takeLine();
    showStage(-1);
    m_delay.start();
}

json DataSide::value() const
{
    QString path = m_path->text().trimmed();
    const api::Recipe &recipe = m_document.recipe();
    const bool isKnown = path.toStdString() == recipe.calibration.path || path.toStdString() == recipe.evaluation.path;
    // What the recipe says stays as it says it
    if (!isKnown) path = m_document.recipePath(path);
    return {{"path", path.toStdString()},
            {"samples", m_samples->value()},
            {"preprocess", m_preprocess->text().trimmed().toStdString()}};
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
    const QString first = QDir::cleanPath(paths.front()); // a folder's may end with a slash
    // One picture or one raw tensor stands for the folder that it is in
    const bool isOfFolder = areFiles && (isPicture(first) || isRaw(first));
    m_path->setText(isFolder || isOfFolder ? QFileInfo(first).absolutePath() : first);
    m_taken->setText(
        isFolder           ? tr("Several files: their folder is taken, with every file in it a sample.")
        : paths.size() > 1 ? tr("%1 is taken; data are one file or one folder.").arg(QFileInfo(first).fileName())
        : isOfFolder ? tr("The folder of %1 is taken, with every file in it a sample.").arg(QFileInfo(first).fileName())
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

void DataSide::fillAddMenu(QMenu &menu)
{
    menu.clear();
    if (!m_document.requests().catalogue()) return;
    for (const json &step : m_document.requests().catalogue()->value("steps", json::array())) {
        const QString id = textOf(step, "id");
        QAction *action = menu.addAction(id, this, [this, id] { addStep(exampleOf(id)); });
        action->setToolTip(textOf(step, "title") + QLatin1Char('\n') + engineText(textOf(step, "meaning")));
    }
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
    // A row that was emptied goes, one with a semicolon is two: when its editor has gone
    if (steps.size() < m_steps->count() || steps.join(QString()).contains(QLatin1Char(';')))
        QMetaObject::invokeMethod(this, &DataSide::takeLine, Qt::QueuedConnection);
    m_delay.start();
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
    m_delay.start();
}

/// Without a path of its own it is the other side's data that are looked at.
json DataSide::shownData() const
{
    json shown = value();
    if (shown["path"] == json("") && m_fallback) {
        const json other = m_fallback->value();
        shown["path"] = other["path"];
        if (shown["preprocess"] == json("")) shown["preprocess"] = other["preprocess"];
    }
    return shown;
}

void DataSide::request()
{
    if (m_request) m_document.requests().engine().drop(m_request);
    m_request = 0;
    const json wanted = shownData();
    m_hashKey = hashKey();
    if (wanted["path"] == json("") || m_document.isEmpty()) {
        showPreview({{"stages", json::array()}, {"problems", json::array()}});
        return;
    }
    json params = m_document.requests().params();
    params["data"] = wanted;
    params["sample"] = m_sample->value() - 1;
    params["input"] = std::max(0, m_input->currentIndex());
    m_request = m_document.requests().engine().request(api::method::preview, std::move(params));
}

QString DataSide::hashKey() const
{
    const QString model = m_document.absolutePath(m_document.recipe().model);
    return QStringLiteral("data/") +
           QString::fromLatin1(QCryptographicHash::hash(
                                   (model + m_document.folder() + QString::fromStdString(shownData().dump())).toUtf8(),
                                   QCryptographicHash::Sha1)
                                   .toHex());
}

void DataSide::remember() const
{
    if (!m_hash.isEmpty() && m_hashKey == hashKey()) QSettings().setValue(m_hashKey, m_hash);
}

void DataSide::showPreview(const json &preview)
{
    m_preview = preview;
    const int before = m_stages->currentRow();
    m_stages->clear();
    for (const json &stage : preview.value("stages", json::array())) {
        const QString step = textOf(stage, "step");
        QStringList shape;
        for (const json &size : stage.value("shape", json::array())) shape.append(QString::number(size.get<qint64>()));
        const QString title = step.isEmpty() ? tr("as it was read") : step;
        auto *item = new QListWidgetItem(title + QLatin1Char('\n') + shape.join(QChar(0x00d7)));
        item->setToolTip(title);
        QPixmap picture(pictureSide, pictureSide);
        picture.fill(Qt::transparent);
        if (const auto found = stage.find("picture"); found != stage.end()) {
            const auto &bytes = (*found)["rgb"].get_binary();
            const int width = (*found)["width"].get<int>(), height = (*found)["height"].get<int>();
            const QImage image(bytes.data(), width, height, width * 3, QImage::Format_RGB888);
            picture = QPixmap::fromImage(image).scaled(pictureSide, pictureSide, Qt::KeepAspectRatio);
        }
        // As it is also while it is selected: a tint would look like other channels
        QIcon icon(picture);
        icon.addPixmap(picture, QIcon::Selected);
        item->setIcon(icon);
        item->setSizeHint({pictureSide + 14, pictureSide + 2 * fontMetrics().lineSpacing() + 20});
        m_stages->addItem(item);
    }
    const int count = preview.value("samples", 0);
    const QSignalBlocker blocked(m_sample);
    m_sample->setRange(1, std::max(1, count));
    m_sample->setSuffix(count > 0 ? tr(" of %1").arg(count) : QString());

    QStringList lines;
    for (const json &problem : preview.value("problems", json::array())) {
        const bool isInfo = textOf(problem, "severity") == QLatin1String("info");
        lines.append(QStringLiteral("%1%2 <span style=\"color:%3\">%4</span>")
                         .arg(severityMark(isInfo), engineText(textOf(problem, "message")).toHtmlEscaped(),
                              Theme::current().dim.name(), engineText(textOf(problem, "remedy")).toHtmlEscaped()));
    }
    m_hash = textOf(preview, "hash");
    const QString known = QSettings().value(m_hashKey).toString();
    if (!m_hash.isEmpty() && !known.isEmpty() && known != m_hash)
        lines.append(severityMark(false) + tr("The data are not those of the last time: files, their content or their "
                                              "order have changed, so runs cannot be compared."));
    m_warnings->setText(lines.join(QStringLiteral("<br>")));
    m_warnings->setVisible(!lines.isEmpty());
    m_stages->setCurrentRow(before >= 0 && before < m_stages->count() ? before : m_stages->count() - 1);
    showStage(m_stages->currentRow());
    Q_EMIT previewChanged();
}

void DataSide::showStage(int index)
{
    const Theme &theme = Theme::current();
    m_plot->clearPlottables();
    stylePlot(*m_plot);
    styleLegend(*m_plot, Qt::AlignTop | Qt::AlignRight);
    makeLinear(*m_plot);
    m_plot->xAxis->setLabel(tr("value"));
    m_plot->yAxis->setLabel(tr("elements"));
    m_facts->clear();
    const json stages = m_preview.value("stages", json::array());
    const bool has = index >= 0 && index < int(stages.size());
    const json stage = has ? stages[std::size_t(index)] : json::object();
    if (stage.contains("error"))
        m_facts->setText(severityMark(false) +
                         engineSentences(textOf(stage, "error"), textOf(stage, "remedy")).toHtmlEscaped());
    const json channels = stage.value("channels", json::array());
    m_plot->xAxis->setVisible(!channels.empty());
    m_plot->yAxis->setVisible(!channels.empty());
    m_plot->legend->setFillOrder(QCPLegend::foColumnsFirst, false); // in one row
    m_plot->legend->setWrap(mostInLegend);
    m_plot->legend->setVisible(channels.size() > 1 && channels.size() <= mostInLegend);
    if (!channels.empty() && stage.contains("min")) {
        const double low = stage["min"].get<double>(), high = stage["max"].get<double>();
        QColor colors[] = {QColor(0xc0, 0x39, 0x2b), QColor(0x2e, 0x8b, 0x57), QColor(0x2c, 0x6f, 0xbb)};
        std::string order; // of the channels, as the last step that sets it says
        for (int i = 0; i <= index; ++i)
            if (const std::string step = stages[std::size_t(i)].value("step", ""); step == "bgr" || step == "rgb")
                order = step;
        if (order == "bgr") std::swap(colors[0], colors[2]); // a line has the colour of what it counts
        double most = 1;
        QStringList facts{tr("%1 to %2").arg(QLocale().toString(low, 'g', 4), QLocale().toString(high, 'g', 4))};
        for (std::size_t c = 0; c < channels.size(); ++c) {
            const json counts = channels[c].value("counts", json::array());
            const double width = counts.empty() ? 1 : (high - low) / double(counts.size());
            QVector<double> x, y;
            for (std::size_t i = 0; i < counts.size(); ++i) {
                x.append(low + (double(i) + 0.5) * width);
                y.append(counts[i].get<double>());
                most = std::max(most, y.back());
            }
            QCPGraph *graph = m_plot->addGraph();
            graph->setData(x, y, true);
            graph->setLineStyle(QCPGraph::lsStepCenter);
            const QColor color = channels.size() == 3 ? colors[c] : theme.accent;
            // The first channel solid, the others dashed: told apart without colour
            const Qt::PenStyle styles[] = {Qt::SolidLine, Qt::DashLine, Qt::DotLine};
            graph->setPen(QPen(color, 1.6, styles[c % 3]));
            graph->setName(tr("channel %1").arg(c));
            facts.append(tr("channel %1: mean %2, std %3")
                             .arg(c)
                             .arg(numberText(channels[c], "mean"), numberText(channels[c], "std")));
        }
        if (const auto bad = stage.value("not_finite", qint64(0)); bad > 0)
            facts.append(tr("%n value(s) not finite", nullptr, int(bad)));
        m_facts->setText(facts.join(QStringLiteral(" · ")));
        const double slack = std::max((high - low) * 0.04, 1e-9);
        m_plot->xAxis->setRange(low - slack, high + slack);
        // The legend stands above the lines
        const double share =
            m_plot->legend->visible() ? std::min(0.5, legendHeight / std::max(1.0, m_plot->height() - 60.0)) : 0;
        m_plot->yAxis->setRange(0, most * 1.1 / (1 - share));
    }
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

DataDialog::DataDialog(Document &document, QWidget *parent)
    : QDialog(parent), m_document(document), m_tabs(new QTabWidget), m_error(new QLabel)
{
    setWindowTitle(tr("Data"));
    resizeOnScreen(*this, {940, 720});
    m_calibration = new DataSide(document,
                                 tr("What ranges are measured on: a folder of pictures or arrays, a .npz, a .npy, a "
                                    "folder per input, or a manifest (JSON)."),
                                 document.recipe().calibration);
    m_calibration->path()->setObjectName(QStringLiteral("calibrationPath"));
    m_evaluation = new DataSide(document, tr("What the error is measured on; without a path, the calibration data."),
                                document.recipe().evaluation, m_calibration);
    for (const auto &[side, title] :
         {std::pair(m_calibration, tr("Calibration")), std::pair(m_evaluation, tr("Evaluation"))}) {
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

void DataDialog::accept()
{
    try {
        json recipe = m_document.recipeJson();
        recipe["calibration"] = m_calibration->value();
        recipe["evaluation"] = m_evaluation->value();
        replaceRecipe(m_document, tr("Data"), recipe);
        m_calibration->remember();
        m_evaluation->remember();
        QDialog::accept();
    } catch (const Error &error) {
        m_error->setText(QString::fromUtf8(error.what()));
        m_error->show();
    }
}

} // namespace ql
