#include "views/panels/distribution_panel.h"

#include "core/base/error.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/run_history.h"
#include "views/commands/recipe_command.h"
#include "views/models/operation_model.h"
#include "views/plots/plot_style.h"
#include "views/plots/qcp.h"
#include "views/style/buttons.h"
#include "views/style/elided_combo.h"
#include "views/style/elided_label.h"
#include "views/style/strip.h"
#include "views/style/theme.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QRegularExpression>
#include <QToolButton>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace ql {

/// No distribution is requested for operations passed while stepping through the graph.
static constexpr int requestDelayMs = 40;
/// Pixels of an operation's name next to the tensor's.
static constexpr int longestName = 90;

/// Data of an entry in the list of tensors: row() decodes it.
static QString slotKey(api::SlotRole role, int index)
{
    return QLatin1String(toString(role)) + QLatin1Char(' ') + QString::number(index);
}

DistributionPanel::DistributionPanel(Document &document, QWidget *parent)
    : QWidget(parent), m_document(document), m_cache(document), m_plot(new QCustomPlot), m_slot(new ElidedCombo),
      m_facts(new ElidedLabel)
{
    makeTools();
    m_facts->setToolTip(tr("step: difference between adjacent codes; clipped: float values outside the limits; dB: −10 "
                           "log₁₀ of Σ(float − quantized)² / Σ float² of this tensor"));
    m_slot->setAccessibleName(tr("Tensor"));
    m_slot->setMinimumContentsLength(6);
    m_slot->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_facts->setProperty("dim", true);
    m_roundedAt = new QPushButton;
    m_roundedAt->setObjectName(QStringLiteral("roundedAt"));
    m_facts->setObjectName(QStringLiteral("facts"));
    m_roundedAt->setProperty("link", true);
    m_roundedAt->hide();
    auto *box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    auto *slotRow = new QHBoxLayout;
    slotRow->setContentsMargins(10, 6, 10, 0);
    slotRow->addWidget(m_slot);
    box->addLayout(slotRow);
    box->addWidget(m_tools);
    box->addWidget(m_plot, 1);
    auto *factRow = new QHBoxLayout;
    factRow->setContentsMargins(12, 0, 12, 6);
    factRow->setSpacing(12);
    factRow->addWidget(m_facts, 1);
    factRow->addWidget(m_roundedAt);
    box->addLayout(factRow);
    m_plot->setObjectName(QStringLiteral("plot"));
    m_plot->setMinimumHeight(112);
    m_plot->setAccessibleName(tr("Distribution of values"));
    m_plot->installEventFilter(this);
    makeItems();
    connectAll();
    restyle();
}

void DistributionPanel::makeTools()
{
    auto *strip = new Strip;
    m_tools = strip;
    QHBoxLayout *row = strip->row();
    row->setContentsMargins(10, 4, 6, 2);
    row->setSpacing(4);
    m_modes = addSegments(*strip, {tr("values"), tr("scatter"), tr("channels")});
    m_modes->button(0)->setToolTip(tr("Histogram of the float values, with the quantized values marked."));
    m_modes->button(1)->setToolTip(tr("One point per value: float against quantized."));
    m_modes->button(2)->setToolTip(
        tr("Minimum, quartiles and maximum of each channel; the amber lines are the limits of its scale."));
    row->addStretch();
    m_logarithmic =
        toggleButton(tr("log"), tr("Logarithmic axis: counts, or the largest |value| of each channel"), true);
    row->addWidget(m_logarithmic);
    QVector<QToolButton *> toggles;
    for (QAbstractButton *mode : m_modes->buttons()) toggles.append(static_cast<QToolButton *>(mode));
    toggles.append(m_logarithmic);
    QToolButton *save = exportButton(
        *m_plot, tr("distribution"), [this] { return csv(); }, toggles);
    row->addWidget(save);
    strip->setOptional(
        {m_logarithmic, save, m_modes->button(2), m_modes->button(1), m_modes->button(0)}); // in the context menu, too
}

void DistributionPanel::makeItems()
{
    m_float = new QCPBars(m_plot->xAxis, m_plot->yAxis);
    m_ranges = new QCPBars(m_plot->xAxis, m_plot->yAxis);
    m_quantized = m_plot->addGraph();
    m_quantized->setLineStyle(QCPGraph::lsImpulse);
    m_grid = m_plot->addGraph();
    m_grid->setLineStyle(QCPGraph::lsImpulse);
    m_scatter = m_plot->addGraph();
    m_scatter->setLineStyle(QCPGraph::lsNone);
    m_boxes = new QCPStatisticalBox(m_plot->xAxis, m_plot->yAxis);
    m_channelLow = m_plot->addGraph();
    m_channelHigh = m_plot->addGraph();
    for (QCPGraph *limit : {m_channelLow, m_channelHigh}) limit->setLineStyle(QCPGraph::lsStepCenter);
    m_diagonal = new QCPItemStraightLine(m_plot);
    m_diagonal->point1->setCoords(0, 0);
    m_diagonal->point2->setCoords(1, 1);
    m_plot->setInteractions(QCP::iRangeZoom | QCP::iRangeDrag);
    m_plot->axisRect()->setRangeZoom(Qt::Horizontal);
    m_plot->axisRect()->setRangeDrag(Qt::Horizontal);
    m_plot->setFocusPolicy(Qt::StrongFocus);
    m_plot->setAccessibleDescription(keysText());
    for (int i = 0; i < 2; ++i) {
        m_lines[i] = new QCPItemStraightLine(m_plot);
        m_handles[i] = new QCPItemText(m_plot);
        m_handles[i]->position->setTypeX(QCPItemPosition::ptPlotCoords);
        m_handles[i]->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
        m_handles[i]->setPositionAlignment((i == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignTop);
        m_handles[i]->setPadding(QMargins(4, 1, 4, 1));
        m_handles[i]->setClipToAxisRect(false);
    }
    m_empty = new QCPItemText(m_plot);
    m_empty->position->setType(QCPItemPosition::ptAxisRectRatio);
    m_empty->position->setCoords(0.5, 0.5);
    m_empty->setClipToAxisRect(false);
}

void DistributionPanel::connectAll()
{
    m_delay.setSingleShot(true);
    m_delay.setInterval(requestDelayMs);

    connect(&m_delay, &QTimer::timeout, this, &DistributionPanel::request);
    connect(m_slot, &QComboBox::activated, this, [this] {
        rebuild();
        if (const api::DistributionRow *shown = this->row())
            m_document.chooseSlot(m_operation, shown->role, shown->index);
    });
    connect(&m_document, &Document::slotChosen, this, [this](const QString &operation, api::SlotRole role, int index) {
        if (operation == m_operation) return showSlot(role, index);
        m_wantedOperation = operation; // when it arrives
        m_wantedSlot = slotKey(role, index);
    });
    connect(m_roundedAt, &QPushButton::clicked, this, &DistributionPanel::goToRounded);
    connect(m_modes, &QButtonGroup::idClicked, this, [this](int mode) { setMode(Mode(mode)); });
    connect(m_logarithmic, &QToolButton::clicked, this, &DistributionPanel::setLogarithmic);
    connect(m_plot->xAxis, qOverload<const QCPRange &>(&QCPAxis::rangeChanged), this, &DistributionPanel::rebuildGrid);
    connect(m_plot, &QCustomPlot::afterLayout, this, &DistributionPanel::placeLimits);
    connect(m_plot, &QCustomPlot::mouseDoubleClick, this, &DistributionPanel::rebuild); // reset to the whole range
    connect(&m_document, &Document::currentChanged, this, &DistributionPanel::showCurrent);
    connect(&m_document.history(), &RunHistory::shownChanged, this, [this] {
        // The model for distributions exists during a run
        if (m_document.history().shown() && m_document.history().shown()->isComplete) showCurrent();
        prefetch();
    });
    connect(&m_document.requests(), &EngineRequests::distributionStopped, this,
            [this](const QString &, const QString &why) {
                m_asked.clear();
                m_stopped = why.isEmpty() ? tr("Stopped; press F5 to read it") : tr("Cannot be read:\n%1").arg(why);
                rebuild();
            });
    connect(&m_document, &Document::graphChanged, this, [this] {
        if (m_document.graph()) return;
        // Another model is being read: nothing of the previous one stays
        m_rows.clear();
        m_details.clear();
        m_operation.clear();
        m_asked.clear();
        m_slot->clear();
        rebuild();
    });
    connect(&m_document.history(), &RunHistory::configsChanged, this, &DistributionPanel::rebuild);
    connect(&m_document.requests(), &EngineRequests::distributionReady, this,
            [this](const QString &operation, const DistributionsPtr &answer) {
                m_cache.keep(operation, answer);
                if (operation == m_document.current()) take(operation, answer);
            });
    connect(&m_cache, &DistributionCache::fetched, this, [this](const QString &operation) {
        const bool isShown = m_operation == operation && m_asked == keyOf(operation);
        if (operation == m_document.current() && !isShown) showCurrent();
    });
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &DistributionPanel::restyle);
}

bool DistributionPanel::hasRun() const
{
    return m_document.history().measurable() && !m_document.requests().job().isRunning;
}

void DistributionPanel::showCurrent()
{
    const QString operation = m_document.current();
    const DistributionsPtr known = hasRun() ? m_cache.find(operation) : DistributionsPtr();
    if (!known || operation.isEmpty()) {
        m_delay.start();
        return rebuild();
    }
    m_delay.stop();
    m_stopped.clear();
    m_asked = keyOf(operation);
    m_askedOf = m_document.history().shown()->recipeHash;
    take(operation, known);
}

QString DistributionPanel::keyOf(const QString &operation) const
{
    return operation + m_document.history().shownKey() + m_document.absolutePath(m_document.recipe().model);
}

void DistributionPanel::request()
{
    const QString operation = m_document.current();
    if (operation.isEmpty() || !hasRun()) return;
    const QString key = keyOf(operation);
    if ((key == m_asked && m_operation == operation) || m_cache.isFetching(operation)) return;
    m_asked = key;
    m_askedOf = m_document.history().shown()->recipeHash;
    m_stopped.clear();
    m_cache.cancelPrefetch();
    m_document.requests().requestDistribution(operation);
}

void DistributionPanel::take(const QString &operation, const DistributionsPtr &answer)
{
    m_operation = operation;
    m_rowsOf = m_askedOf;
    m_rows = answer->rows;
    m_details = answer->details;
    // Without data, only weights can be shown
    m_rows.insert(m_rows.end(), answer->parameters.begin(), answer->parameters.end());
    fillSlots();
    rebuild();
    prefetch();
}

void DistributionPanel::prefetch()
{
    if (hasRun() && m_document.graph())
        m_cache.setWanted(
            operationsToPrefetch(*m_document.graph(), *m_document.history().shown(), m_document.current()));
}

void DistributionPanel::fillSlots()
{
    const QString before = m_wantedOperation == m_operation ? m_wantedSlot : m_slot->currentData().toString();
    m_wantedOperation.clear();
    m_slot->clear();
    // The output first: the errors refer to it
    for (const bool output : {true, false})
        for (const api::DistributionRow &row : m_rows) {
            if ((row.role == api::SlotRole::Output) != output) continue;
            const int op = m_document.graph() ? m_document.graph()->find(m_operation) : -1;
            const QString title =
                op < 0 ? QString(toString(row.role))
                       : slotTitle(*m_document.graph(), m_document.graph()->operations[op], row.role, row.index);
            m_slot->addItem(QStringLiteral("%1 · %2").arg(title, QString::fromStdString(row.variable)),
                            slotKey(row.role, row.index));
        }
    m_slot->setCurrentIndex(std::max(0, m_slot->findData(before)));
}

void DistributionPanel::showSlot(api::SlotRole role, int index)
{
    if (const int at = m_slot->findData(slotKey(role, index)); at >= 0) {
        m_slot->setCurrentIndex(at);
        rebuild();
    }
}

QString DistributionPanel::notice() const
{
    return m_empty->visible() ? m_empty->text() : QString();
}

DistributionPanel::Mode DistributionPanel::mode() const
{
    return Mode(m_modes->checkedId());
}

void DistributionPanel::setMode(Mode mode)
{
    m_modes->button(int(mode))->setChecked(true);
    m_logarithmic->setChecked(m_isLogarithmic[int(mode)]);
    rebuild();
}

void DistributionPanel::setLogarithmic(bool on)
{
    m_isLogarithmic[int(mode())] = on;
    m_logarithmic->setChecked(on);
    rebuild();
}

const api::DistributionRow *DistributionPanel::row() const
{
    const QString key = m_slot->currentData().toString();
    for (const api::DistributionRow &row : m_rows)
        if (slotKey(row.role, row.index) == key) return &row;
    return nullptr;
}

const api::DetailRow *DistributionPanel::detailsRow() const
{
    const api::DistributionRow *shown = row();
    if (!shown) return nullptr;
    for (const api::DetailRow &details : m_details)
        if (details.role == shown->role && details.index == shown->index) return &details;
    return nullptr;
}

/// The config of the row's slot among those of an operation; null: none.
static const ConfigInfo *configOf(const api::DistributionRow *row, const QVector<ConfigInfo> &configs,
                                  const QVector<int> &ofOperation)
{
    for (const int i : ofOperation)
        if (row && configs[i].role == row->role && configs[i].index == row->index) return &configs[i];
    return nullptr;
}

const ConfigInfo *DistributionPanel::currentConfig() const
{
    const RunHistory &history = m_document.history();
    return configOf(row(), history.configs(), history.configsOf(m_operation));
}

const ConfigInfo *DistributionPanel::config() const
{
    const ConfigInfo *current = currentConfig();
    const RunPtr &run = m_document.history().shown();
    if ((current && !current->scale.isEmpty()) || !run || run->recipeHash != m_rowsOf) return current;
    const ConfigInfo *ofRun = configOf(row(), run->configs, run->configsOf.value(m_operation));
    return ofRun ? ofRun : current;
}

void DistributionPanel::rebuild()
{
    if (m_dragging >= 0) return; // updates are shown when the limit is released
    const bool isCurrent = m_operation == m_document.current() && !m_operation.isEmpty();
    // While the next one is read, the list stays in its place, but not for an operation that is not read
    m_slot->setVisible(m_slot->count() > 0 && !m_document.current().isEmpty() && (isCurrent || hasRun()));
    // During a run, its first errors are shown before the distributions are read
    const RunPtr &run = m_document.history().shown();
    m_isStale = m_document.history().isStale() || (run && isCurrent && run->recipeHash != m_rowsOf);
    const api::DistributionRow *shown = isCurrent ? row() : nullptr;
    const api::DetailRow *details = isCurrent ? detailsRow() : nullptr;
    const Mode mode = this->mode();
    static const QString modes[] = {QStringLiteral("values"), QStringLiteral("scatter"), QStringLiteral("channels")};
    static const QRegularExpression unfit(QStringLiteral("[^\\w.-]+"), QRegularExpression::UseUnicodePropertiesOption);
    m_plot->setProperty("fileName", QStringLiteral("distribution_%1_%2_%3")
                                        .arg(modes[int(mode)], m_operation, m_slot->currentData().toString())
                                        .replace(unfit, QStringLiteral("_")));
    m_low = m_high = 0;
    m_float->data()->clear();
    m_ranges->data()->clear();
    m_boxes->data()->clear();
    for (QCPGraph *graph : {m_quantized, m_grid, m_scatter, m_channelLow, m_channelHigh}) graph->data()->clear();
    m_diagonal->setVisible(false);
    m_facts->clear();
    m_roundedAt->hide();
    m_logarithmic->setEnabled(mode != Mode::Scatter);
    const bool hasChannels = details && details->channels;
    const bool has = mode == Mode::Values ? shown != nullptr : mode == Mode::Scatter ? details != nullptr : hasChannels;
    m_empty->setVisible(!has);
    m_empty->setText(m_document.current().isEmpty()                    ? tr("Select an operation")
                     : !run && !m_document.requests().job().isRunning  ? tr("Press F5 to run first")
                     : !run || !run->isComplete                        ? tr("Available when the run has finished")
                     : !m_stopped.isEmpty()                            ? m_stopped
                     : mode == Mode::Channels && shown                 ? tr("This tensor has no channel axis")
                     : isCurrent && m_rows.empty()                     ? tr("No quantized tensors here")
                     : m_isStale && !m_document.history().measurable() ? tr("Edited: press F5 to run")
                                                                       : tr("Reading…"));
    // Of the run before the last edit
    m_plot->axisRect()->setBackground(m_isStale && has ? Theme::current().staleBrush() : QBrush(Qt::NoBrush));
    if (mode == Mode::Channels)
        makeWhole(*m_plot->xAxis);
    else
        makeRoomy(*m_plot->xAxis);
    if (shown) takeValues(*shown);
    if (has && mode == Mode::Values) rebuildValues(*shown);
    if (has && mode == Mode::Scatter) rebuildScatter(details->pairs);
    if (has && mode == Mode::Channels) rebuildChannels(*details->channels);
    m_plot->xAxis->setVisible(has);
    m_plot->yAxis->setVisible(has);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

static QVector<double> countsOf(const std::vector<std::int64_t> &counts)
{
    return {counts.begin(), counts.end()};
}

void DistributionPanel::takeValues(const api::DistributionRow &row)
{
    const api::Histogram &original = row.original.histogram;
    const double low = original.min.value_or(0), high = original.max.value_or(0);
    m_values.counts = countsOf(original.counts);
    m_values.low = low;
    m_values.width = m_values.counts.isEmpty() ? 1 : std::max((high - low) / double(m_values.counts.size()), 1e-30);
    m_values.zeros = double(row.original.zeros.value_or(0));
    m_noiseRatio = row.noiseRatio;
    m_samples = int(row.samples.value_or(0));
}

void DistributionPanel::rebuildValues(const api::DistributionRow &row)
{
    const api::Histogram &original = row.original.histogram, &quantized = row.quantized.histogram;
    const double low = original.min.value_or(0), high = original.max.value_or(0);
    // Bars wider than a step, so that they are visible behind the strokes of the codes
    constexpr qsizetype maxBars = 64;
    const QVector<double> &bins = m_values.counts;
    const qsizetype together = std::max<qsizetype>(1, bins.size() / maxBars);
    QVector<double> x, y;
    double most = 1;
    for (qsizetype i = 0; i < bins.size(); i += together) {
        x.append(low + (double(i) + double(together) / 2) * m_values.width);
        y.append(std::accumulate(bins.begin() + i, bins.begin() + std::min(i + together, bins.size()), 0.0));
        most = std::max(most, y.back());
    }
    m_float->setData(x, y, true);
    m_float->setWidth(m_values.width * double(together));
    m_float->setBaseValue(m_logarithmic->isChecked() ? 0.5 : 0);
    // The codes, if there are few; otherwise, as with a scale per channel, the centres of bins
    const std::optional<api::Levels> &levels = row.quantized.levels;
    const double qLow = quantized.min.value_or(0), qHigh = quantized.max.value_or(0);
    const QVector<double> qBins = countsOf(levels ? levels->counts : quantized.counts);
    const double qWidth = qBins.isEmpty() ? 1 : (qHigh - qLow) / double(qBins.size());
    const qsizetype qTogether = levels ? 1 : std::max<qsizetype>(1, qBins.size() / maxBars);
    QVector<double> qx, qy;
    for (qsizetype i = 0; i < qBins.size(); i += qTogether) {
        const auto end = qBins.begin() + std::min(i + qTogether, qBins.size());
        const double count = std::accumulate(qBins.begin() + i, end, 0.0);
        if (count == 0) continue;
        qx.append(levels ? levels->values[std::size_t(i)].value_or(0)
                         : qLow + (double(i) + double(qTogether) / 2) * qWidth);
        qy.append(count);
        most = std::max(most, count);
    }
    m_quantized->setData(qx, qy, true);
    double left = low, right = high;
    const ConfigInfo *c = config();
    if (c && c->hasNoOwnLimits() && !c->rootOperation.isEmpty()) {
        // The limits are visible
        const QString name = m_roundedAt->fontMetrics().elidedText(c->rootOperation, Qt::ElideMiddle, longestName);
        m_roundedAt->setText(tr("rounded at %1").arg(name));
        m_roundedAt->setToolTip(
            tr("Go to %1, where this tensor is rounded; its limits can be dragged there.").arg(c->rootOperation));
        m_roundedAt->setAccessibleName(m_roundedAt->toolTip());
        m_roundedAt->show();
    }
    if (takeLimits()) {
        // The limits of a 32-bit bias are so far out that its values would be one stroke
        constexpr double maxTimes = 64;
        if (m_high - m_low < maxTimes * (right - left) || right <= left) {
            left = std::min(left, m_low);
            right = std::max(right, m_high);
        }
    }
    showFacts();
    m_maxCount = most;
    if (m_logarithmic->isChecked()) {
        makeLogarithmic(*m_plot);
        m_plot->yAxis->setRange(0.5, most * 4);
    } else {
        makeLinear(*m_plot);
        m_plot->yAxis->setRange(0, most * 1.15);
    }
    m_plot->yAxis->setLabel(tr("count"));
    showRange(*m_plot->xAxis, left, right);
    m_plot->xAxis->setLabel(tr("value"));
}

void DistributionPanel::goToRounded()
{
    const ConfigInfo *c = config();
    if (!c || c->rootOperation.isEmpty()) return;
    m_wantedOperation = c->rootOperation;
    m_wantedSlot = slotKey(c->rootRole, c->rootIndex);
    m_document.setCurrent(m_wantedOperation);
}

void DistributionPanel::restyle()
{
    const Theme &theme = Theme::current();
    stylePlot(*m_plot);
    QColor soft = theme.accent;
    soft.setAlphaF(0.35f);
    m_float->setPen(Qt::NoPen);
    m_float->setBrush(soft);
    m_quantized->setPen(QPen(theme.accent, 1.5));
    m_ranges->setPen(Qt::NoPen);
    m_ranges->setBrush(theme.accent);
    QColor faint = theme.dim;
    faint.setAlphaF(0.5f);
    m_grid->setPen(QPen(faint, 1));
    QColor dot = theme.accent;
    dot.setAlphaF(0.6f);
    m_scatter->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, dot, dot, 3.5));
    m_diagonal->setPen(QPen(theme.dim, 1, Qt::DashLine));
    m_boxes->setPen(QPen(theme.accent, 1));
    m_boxes->setBrush(soft);
    m_boxes->setWhiskerPen(QPen(theme.accent, 1));
    m_boxes->setWhiskerBarPen(QPen(theme.accent, 1));
    m_boxes->setMedianPen(QPen(theme.text, 1.5));
    for (QCPGraph *limit : {m_channelLow, m_channelHigh}) limit->setPen(QPen(theme.amber, 1.3));
    for (int i = 0; i < 2; ++i) {
        m_lines[i]->setPen(QPen(theme.amber, 1.5));
        m_handles[i]->setBrush(theme.amber);
        m_handles[i]->setPen(Qt::NoPen);
        m_handles[i]->setColor(Theme::textOn(theme.amber));
        QFont small = textFont(true);
        small.setPixelSize(10);
        m_handles[i]->setFont(small);
    }
    m_empty->setColor(theme.dim);
    m_empty->setFont(textFont());
    rebuild();
}

bool DistributionPanel::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_plot && event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const QString tip = tipAt(help->pos());
        QToolTip::showText(help->globalPos(), tip.isEmpty() ? keysText() : tip, m_plot);
        return true;
    }
    if (watched == m_plot && event->type() == QEvent::ShortcutOverride && m_dragging >= 0) {
        event->accept(); // Escape only ends the drag
        return true;
    }
    if (watched == m_plot && event->type() == QEvent::KeyPress && keyPressed(*static_cast<QKeyEvent *>(event)))
        return true;
    const auto *mouse = dynamic_cast<QMouseEvent *>(event);
    if (watched != m_plot || !mouse || (m_dragging < 0 && !(m_low < m_high)))
        return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::MouseButtonPress) return mousePressed(*mouse);
    if (event->type() == QEvent::MouseMove && mouseMoved(*mouse)) return true;
    if (event->type() == QEvent::MouseButtonRelease && m_dragging >= 0) {
        endDrag(m_dragging == 0 ? m_low != m_draggedFrom.first : m_high != m_draggedFrom.second);
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace ql
