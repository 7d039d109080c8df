#include "views/panels/data_preview.h"

#include "views/bridge/engine_text.h"
#include "views/bridge/snapshot.h"
#include "views/plots/plot_style.h"
#include "views/plots/qcp.h"
#include "views/style/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QLocale>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace ql {

static constexpr int pictureSide = 112;
static constexpr int maxInLegend = 6;

static QString numberOrDash(const std::optional<double> &value)
{
    return value ? QLocale().toString(*value, 'g', 4) : QStringLiteral("–");
}

/// None of a stage that failed.
static std::vector<api::ChannelValues> channelsOf(const api::PreviewStage &stage)
{
    return stage.values ? stage.values->channels : std::vector<api::ChannelValues>();
}

DataPreview::DataPreview(QWidget *parent)
    : QWidget(parent), m_stages(new QListWidget), m_plot(new QCustomPlot), m_facts(new QLabel), m_input(new QComboBox),
      m_sample(new QSpinBox)
{
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
    putLegendAbove(*m_plot);
    m_plot->setAccessibleName(tr("Values of the sample, per channel"));
    m_facts->setProperty("dim", true);
    m_facts->setWordWrap(true);
    auto *box = new QVBoxLayout(this);
    box->setContentsMargins(8, 0, 0, 0);
    box->addWidget(makeHead());
    box->addWidget(m_stages);
    box->addWidget(m_facts);
    box->addWidget(m_plot, 1);
    connect(m_stages, &QListWidget::currentRowChanged, this, &DataPreview::showStage);
    connect(m_sample, &QSpinBox::valueChanged, this, &DataPreview::sampleChosen);
    connect(m_input, &QComboBox::currentIndexChanged, this, &DataPreview::sampleChosen);
    showStage(-1);
}

QWidget *DataPreview::makeHead()
{
    m_sample->setRange(1, 1);
    m_sample->setAccessibleName(tr("Sample"));
    auto *title = new QLabel(tr("Sample after each step"));
    title->setProperty("heading", true);
    auto *number = new QLabel(tr("Sample"));
    number->setBuddy(m_sample);
    m_input->setAccessibleName(tr("Model input"));
    m_input->setToolTip(tr("Model input whose sample is shown"));
    auto *head = new QWidget;
    auto *row = new QHBoxLayout(head);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(title);
    row->addStretch();
    for (QWidget *widget : std::initializer_list<QWidget *>{m_input, number, m_sample}) row->addWidget(widget);
    row->addWidget(exportButton(*m_plot, tr("sample"), [this] { return csv(); }));
    return head;
}

QString DataPreview::csv() const
{
    QString out = QStringLiteral("step,channel,bin,count\n");
    int step = 0;
    for (const api::PreviewStage &stage : m_preview.stages) {
        int channel = 0;
        for (const api::ChannelValues &values : channelsOf(stage)) {
            int bin = 0;
            for (const std::int64_t count : values.counts)
                out += QStringLiteral("%1,%2,%3,%4\n").arg(step).arg(channel).arg(bin++).arg(count);
            ++channel;
        }
        ++step;
    }
    return out;
}

int DataPreview::sample() const
{
    return m_sample->value() - 1;
}

void DataPreview::setInputs(const QStringList &inputs)
{
    const QString chosen = m_input->currentText();
    m_input->clear();
    m_input->addItems(inputs);
    m_input->setCurrentIndex(std::max(0, int(inputs.indexOf(chosen))));
    m_input->setVisible(inputs.size() > 1);
}

QVector<qint64> DataPreview::lastShape() const
{
    if (m_preview.stages.empty() || !m_preview.stages.back().values) return {};
    const std::vector<std::int64_t> &shape = m_preview.stages.back().values->shape;
    return {shape.begin(), shape.end()};
}

void DataPreview::setPreview(const api::Preview &preview)
{
    m_preview = preview;
    const int before = m_stages->currentRow();
    m_stages->clear();
    for (const api::PreviewStage &stage : preview.stages) {
        const QString step = QString::fromStdString(stage.step);
        QStringList shape;
        if (stage.values)
            for (const std::int64_t size : stage.values->shape) shape.append(QString::number(size));
        const QString title = step.isEmpty() ? tr("as read") : step;
        auto *item = new QListWidgetItem(title + QLatin1Char('\n') + shape.join(QChar(0x00d7)));
        item->setToolTip(title);
        QPixmap picture(pictureSide, pictureSide);
        picture.fill(Qt::transparent);
        if (stage.values && stage.values->picture) {
            const api::Picture &found = *stage.values->picture;
            const int width = int(found.width), height = int(found.height);
            const QImage image(found.rgb.data(), width, height, width * 3, QImage::Format_RGB888);
            picture = QPixmap::fromImage(image).scaled(pictureSide, pictureSide, Qt::KeepAspectRatio);
        }
        // Unchanged even if selected: a tint would look like other channels
        QIcon icon(picture);
        icon.addPixmap(picture, QIcon::Selected);
        item->setIcon(icon);
        item->setSizeHint({pictureSide + 14, pictureSide + 2 * fontMetrics().lineSpacing() + 20});
        m_stages->addItem(item);
    }
    const int count = int(preview.samples);
    const QSignalBlocker blocked(m_sample);
    m_sample->setRange(1, std::max(1, count));
    m_sample->setSuffix(count > 0 ? tr(" of %1").arg(count) : QString());
    m_stages->setCurrentRow(before >= 0 && before < m_stages->count() ? before : m_stages->count() - 1);
    showStage(m_stages->currentRow());
}

double DataPreview::addCurves(int stage, const api::SampleValues &values, QStringList &facts)
{
    const double low = values.min.value_or(0), high = values.max.value_or(0);
    const std::vector<api::ChannelValues> &channels = values.channels;
    const Theme &theme = Theme::current();
    QColor colors[] = {QColor(0xc0, 0x39, 0x2b), QColor(0x2e, 0x8b, 0x57), QColor(0x2c, 0x6f, 0xbb)};
    std::string order; // of the channels, as set by the last step that sets it
    for (int i = 0; i <= stage; ++i)
        if (const std::string &step = m_preview.stages[std::size_t(i)].step; step == "bgr" || step == "rgb")
            order = step;
    if (order == "bgr") std::swap(colors[0], colors[2]); // a line has the colour of its channel
    double most = 1;
    for (std::size_t c = 0; c < channels.size(); ++c) {
        const std::vector<std::int64_t> &counts = channels[c].counts;
        const double width = counts.empty() ? 1 : (high - low) / double(counts.size());
        QVector<double> x, y;
        for (std::size_t i = 0; i < counts.size(); ++i) {
            x.append(low + (double(i) + 0.5) * width);
            y.append(double(counts[i]));
            most = std::max(most, y.back());
        }
        QCPGraph *graph = m_plot->addGraph();
        graph->setData(x, y, true);
        graph->setLineStyle(QCPGraph::lsStepCenter);
        const QColor color = channels.size() == 3 ? colors[c] : theme.accent;
        // The first channel solid, the others dashed: distinguishable without colour
        const Qt::PenStyle styles[] = {Qt::SolidLine, Qt::DashLine, Qt::DotLine};
        graph->setPen(QPen(color, 1.6, styles[c % 3]));
        graph->setName(tr("channel %1").arg(c));
        facts.append(tr("channel %1: mean %2, std %3")
                         .arg(c)
                         .arg(numberOrDash(channels[c].mean), numberOrDash(channels[c].std)));
    }
    return most;
}

void DataPreview::showStage(int index)
{
    m_plot->clearPlottables();
    stylePlot(*m_plot);
    styleLegend(*m_plot);
    makeLinear(*m_plot);
    m_plot->xAxis->setLabel(tr("value"));
    m_plot->yAxis->setLabel(tr("elements"));
    m_facts->clear();
    const bool has = index >= 0 && index < int(m_preview.stages.size());
    const api::PreviewStage stage = has ? m_preview.stages[std::size_t(index)] : api::PreviewStage();
    if (!stage.error.isEmpty())
        m_facts->setText(severityMark(false) + engineSentences(stage.error, stage.remedy).toHtmlEscaped());
    const std::vector<api::ChannelValues> channels = channelsOf(stage);
    m_plot->xAxis->setVisible(!channels.empty());
    m_plot->yAxis->setVisible(!channels.empty());
    if (!channels.empty() && stage.values->min) {
        const api::SampleValues &values = *stage.values;
        const double low = *values.min, high = values.max.value_or(*values.min);
        QStringList facts{tr("%1 to %2").arg(QLocale().toString(low, 'g', 4), QLocale().toString(high, 'g', 4))};
        const double most = addCurves(index, values, facts);
        if (const std::int64_t bad = values.notFinite; bad > 0)
            facts.append(tr("%n value(s) are not finite", nullptr, int(bad)));
        m_facts->setText(facts.join(QStringLiteral(" · ")));
        const double slack = std::max((high - low) * 0.04, 1e-9);
        m_plot->xAxis->setRange(low - slack, high + slack);
        m_plot->yAxis->setRange(0, most * 1.1);
        if (channels.size() < 2 || channels.size() > maxInLegend) m_plot->legend->clearItems();
    }
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

} // namespace ql
