#include "views/panels/origin_panel.h"

#include "views/bridge/engine_requests.h"
#include "views/graph/overlay.h"
#include "views/models/operation_model.h"
#include "views/panels/table_export.h"
#include "views/style/legend_bar.h"
#include "views/style/note_area.h"
#include "views/style/plain_table.h"
#include "views/style/theme.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QLocale>
#include <QPushButton>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace ql {

namespace {

constexpr int maxOriginSummary = 80, sampleSide = 44;

/// "conv1: 2.1 %, x: 0.3 %", the largest first.
QString originInputsText(const api::NoiseOrigin &origin)
{
    std::vector<api::NoiseEdge> edges = origin.inputs;
    std::sort(edges.begin(), edges.end(), [](const api::NoiseEdge &a, const api::NoiseEdge &b) {
        return a.noiseRatio.value_or(-1) > b.noiseRatio.value_or(-1);
    });
    QStringList texts;
    for (const api::NoiseEdge &edge : edges)
        texts.append(QStringLiteral("%1: %2").arg(QString::fromStdString(edge.from.empty() ? edge.variable : edge.from),
                                                  noiseText(edge.noiseRatio)));
    return texts.join(QStringLiteral(", "));
}

} // namespace

OriginPanel::OriginPanel(Document &document, QWidget *parent)
    : QWidget(parent), m_document(document), m_map(new HeatMap),
      m_table(lineTable({tr("Operation"), tr("Noise"), tr("Added"), tr("Came in through")}, tr("Origin of the noise"))),
      m_worst(new QListWidget), m_summary(new QLabel), m_legend(new LegendBar), m_start(new QPushButton(tr("Measure"))),
      m_stop(new QPushButton(tr("Stop")))
{
    makeTools();
    m_summary->setTextFormat(Qt::RichText);
    m_summary->setObjectName(QStringLiteral("originSummary"));
    m_summary->setContentsMargins(12, 6, 12, 6);
    m_area = new NoteArea(m_summary, maxOriginSummary);
    m_table->setObjectName(QStringLiteral("originTable"));
    m_table->setMinimumWidth(40);
    m_table->setTextElideMode(Qt::ElideMiddle); // the end of a name differs
    m_table->setToolTip(
        tr("Noise: noise / signal in the operation's result in the quantized network. Added: by its own "
           "rounding, with float inputs. Came in through: with only this input from the quantized "
           "network."));
    for (int column = 1; column < 3; ++column) // long names would leave no room for these
        m_table->horizontalHeader()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setStretchLastSection(true);
    attachTableMenu(*m_table, QStringLiteral("origin"));
    m_worst->setObjectName(QStringLiteral("originSamples"));
    m_worst->setAccessibleName(tr("Samples with most noise"));
    m_worst->setToolTip(tr("Samples with most noise at the outputs. A click marks one in the map."));
    m_worst->setIconSize({sampleSide, sampleSide});
    m_worst->setTextElideMode(Qt::ElideMiddle);
    m_worst->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_worst->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_worst->setMinimumWidth(40);
    m_found = sideBySide({m_map, m_table, m_worst}, {700, 1100, 500});
    auto *box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    box->addWidget(m_area);
    box->addWidget(m_found, 1);
    box->addStretch();
    follow();
    showExplanation(nullptr);
}

void OriginPanel::makeTools()
{
    m_tools = new QWidget;
    auto *row = new QHBoxLayout(m_tools);
    row->setContentsMargins(12, 2, 12, 2);
    m_start->setObjectName(QStringLiteral("originStart"));
    m_start->setToolTip(tr("Measures on the evaluation data what each operation adds and what it passes on."));
    m_stop->setObjectName(QStringLiteral("originStop"));
    m_stop->setToolTip(tr("Stops the measurement."));
    row->addWidget(m_start);
    row->addWidget(m_stop);
    row->addStretch();
    row->addWidget(m_legend);
    row->addWidget(m_map->exportButton());
    const auto colourLegend = [this] { m_legend->setEntries(errorLegend(Theme::current()), true); };
    colourLegend();
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, colourLegend);
    connect(m_start, &QPushButton::clicked, this, [this] {
        m_asked = m_document.resultHash();
        m_document.requests().explain();
        showSummary();
    });
    connect(m_stop, &QPushButton::clicked, &m_document.requests(), &EngineRequests::stop);
}

void OriginPanel::follow()
{
    const EngineRequests &requests = m_document.requests();
    connect(&requests, &EngineRequests::explained, this, [this](const ExplanationPtr &explanation) {
        m_hash = m_asked;
        showExplanation(explanation);
    });
    connect(&requests, &EngineRequests::jobChanged, this, &OriginPanel::showSummary);
    connect(&m_document, &Document::recipeChanged, this, &OriginPanel::showSummary);
    connect(&m_document, &Document::currentChanged, this, &OriginPanel::followCurrent);
    connect(&m_document, &Document::graphChanged, this, [this] {
        if (!m_document.graph()) showExplanation(nullptr); // another document
        showSummary();
    });
    connect(m_map, &HeatMap::rowRequested, this, [this](int row) {
        m_document.setCurrent(QString::fromStdString(m_explanation->operations[std::size_t(row)].op));
    });
    connect(m_worst, &QListWidget::currentRowChanged, this,
            [this](int row) { m_map->setSample(row < 0 ? -1 : int(m_explanation->worst[std::size_t(row)].index)); });
    connect(m_table, &QTableWidget::itemSelectionChanged, this, [this] {
        const QList<QTableWidgetItem *> selected = m_table->selectedItems();
        if (!selected.isEmpty() && selected.front()->text() != m_document.current())
            m_document.setCurrent(selected.front()->text());
    });
}

void OriginPanel::showExplanation(const ExplanationPtr &explanation)
{
    m_explanation = explanation;
    m_map->setExplanation(explanation);
    m_order.clear();
    m_table->setRowCount(0);
    if (explanation) {
        const std::vector<api::NoiseOrigin> &operations = explanation->operations;
        m_order.resize(operations.size());
        std::iota(m_order.begin(), m_order.end(), 0);
        std::stable_sort(m_order.begin(), m_order.end(), [&](int a, int b) {
            return operations[std::size_t(a)].added.value_or(-1) > operations[std::size_t(b)].added.value_or(-1);
        });
        m_table->setRowCount(int(m_order.size()));
        for (int row = 0; row < int(m_order.size()); ++row) {
            const api::NoiseOrigin &origin = operations[std::size_t(m_order[std::size_t(row)])];
            const QStringList cells{QString::fromStdString(origin.op), noiseText(origin.noiseRatio),
                                    noiseText(origin.added), originInputsText(origin)};
            for (int column = 0; column < int(cells.size()); ++column) {
                auto *item = new QTableWidgetItem(cells[column]);
                if (column == 1 || column == 2) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
                if (column == 0 || column == 3) item->setToolTip(cells[column]);
                m_table->setItem(row, column, item);
            }
        }
        constexpr int widestName = 190;
        m_table->resizeColumnToContents(0);
        m_table->setColumnWidth(0, std::min(m_table->columnWidth(0), widestName));
    }
    showWorst();
    const bool has = explanation && !explanation->operations.empty();
    m_found->setVisible(has);
    m_map->exportButton()->setVisible(has);
    m_legend->setVisible(has);
    followCurrent();
}

void OriginPanel::showWorst()
{
    m_worst->clear();
    if (!m_explanation) return;
    for (const api::NoisySample &sample : m_explanation->worst) {
        const QString name = QString::fromStdString(sample.name);
        const std::optional<double> decibels =
            sample.noiseRatio ? std::optional(-10 * std::log10(*sample.noiseRatio)) : std::nullopt;
        auto *item = new QListWidgetItem(name + QLatin1Char('\n') + decibelText(decibels));
        item->setToolTip(name);
        if (!sample.image.empty()) {
            QPixmap picture;
            picture.loadFromData(QByteArray::fromBase64(QByteArray::fromStdString(sample.image)), "PNG");
            QIcon icon(picture);
            icon.addPixmap(picture, QIcon::Selected); // without a tint
            item->setIcon(icon);
        }
        m_worst->addItem(item);
    }
}

void OriginPanel::followCurrent()
{
    int at = -1;
    if (m_explanation)
        for (std::size_t i = 0; i < m_explanation->operations.size(); ++i)
            if (m_explanation->operations[i].op == m_document.current().toStdString()) at = int(i);
    m_map->setCurrent(at);
    const auto row = std::find(m_order.begin(), m_order.end(), at);
    if (row == m_order.end())
        m_table->clearSelection();
    else
        m_table->selectRow(int(row - m_order.begin()));
    showSummary();
}

QStringList OriginPanel::outputLines() const
{
    QStringList lines;
    const auto decibels = [](const std::optional<double> &value) { return decibelText(value).toHtmlEscaped(); };
    for (const api::Confidence &row : m_explanation->outputs) {
        QStringList facts{tr("SQNR %1 to %2 (95 %)").arg(decibels(row.sqnrLow), decibels(row.sqnrHigh))};
        if (row.worstDb)
            facts.append(tr("worst sample %1 with %2")
                             .arg(QString::fromStdString(row.worstSample).toHtmlEscaped(), decibels(row.worstDb)));
        if (row.metricLow && row.metricHigh)
            facts.append(tr("the metric changes by %1 to %2 points")
                             .arg(QLocale().toString(100 * *row.metricLow, 'f', 1),
                                  QLocale().toString(100 * *row.metricHigh, 'f', 1)));
        QStringList alone;
        if (row.activationsDb) alone.append(tr("activations %1").arg(decibels(row.activationsDb)));
        if (row.weightsDb) alone.append(tr("weights %1").arg(decibels(row.weightsDb)));
        if (row.biasesDb) alone.append(tr("biases %1").arg(decibels(row.biasesDb)));
        if (!alone.isEmpty()) facts.append(tr("rounded alone: %1").arg(alone.join(QStringLiteral(", "))));
        lines.append(QStringLiteral("<b>%1</b>: %2")
                         .arg(QString::fromStdString(row.variable).toHtmlEscaped(), facts.join(QStringLiteral(" · "))));
    }
    return lines;
}

QString OriginPanel::currentLine() const
{
    for (const api::NoiseOrigin &origin : m_explanation->operations)
        if (origin.op == m_document.current().toStdString())
            return QStringLiteral("<b>%1</b>: %2")
                .arg(m_document.current().toHtmlEscaped(),
                     tr("noise %1, of which its own rounding adds %2; came in through %3")
                         .arg(noiseText(origin.noiseRatio), noiseText(origin.added),
                              originInputsText(origin).toHtmlEscaped()));
    return {};
}

void OriginPanel::showSummary()
{
    const EngineRequests &requests = m_document.requests();
    const bool isBusy = requests.isExplaining();
    m_stop->setVisible(isBusy);
    m_start->setVisible(!isBusy);
    const api::Recipe &recipe = m_document.recipe();
    const bool hasData = !recipe.calibration.path.empty() || !recipe.evaluation.path.empty();
    m_start->setEnabled(m_document.graph() && hasData);
    QStringList lines;
    if (isBusy) lines.append(requests.job().step.isEmpty() ? tr("Measuring…") : requests.job().step.toHtmlEscaped());
    if (m_explanation) {
        if (m_hash != m_document.resultHash())
            lines.append(severityMark(true) + tr("The recipe has changed since this was measured."));
        lines += outputLines();
        if (const QString line = currentLine(); !line.isEmpty()) lines.append(line);
    } else if (!isBusy) {
        lines.append(
            tr("Shows where the noise at the outputs comes from: what each operation adds by its own rounding, "
               "what comes in through its inputs, and which samples suffer most."));
    }
    m_area->setText(lines.join(QStringLiteral("<br>")));
}

QString OriginPanel::summary() const
{
    return m_summary->text();
}

} // namespace ql
