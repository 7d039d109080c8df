#include "views/panels/training_panel.h"

#include "views/bridge/engine_requests.h"
#include "views/bridge/engine_text.h"
#include "views/bridge/run_history.h"
#include "views/models/operation_model.h"
#include "views/panels/side_panels.h"
#include "views/panels/table_export.h"
#include "views/plots/training_plot.h"
#include "views/style/elided_label.h"
#include "views/style/plain_table.h"
#include "views/style/theme.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

namespace ql {

namespace {

enum class BlockColumn { Block, Operations, Change, Result, Before, After, Steps, Count };

QString blockError(double value)
{
    return QLocale().toString(value, 'g', 3);
}

} // namespace

TrainingPanel::TrainingPanel(Document &document, QWidget *parent)
    : QWidget(parent), m_document(document), m_plot(new TrainingPlot),
      m_table(
          lineTable({tr("Block"), tr("Operations"), tr("Change"), tr("Result"), tr("Before"), tr("After"), tr("Steps")},
                    tr("Trained blocks"))),
      m_summary(new QLabel), m_stop(new QPushButton(tr("Stop")))
{
    makeTools();
    m_summary->setObjectName(QStringLiteral("trainingSummary"));
    m_summary->setWordWrap(true);
    m_summary->setContentsMargins(12, 6, 12, 6);
    m_table->setObjectName(QStringLiteral("trainingTable"));
    m_table->setMinimumWidth(40);
    m_table->setToolTip(tr("Errors are mean squared errors of the block's outputs on held-out calibration samples."));
    m_table->setTextElideMode(Qt::ElideMiddle); // of the first and the last operation
    attachTableMenu(*m_table, QStringLiteral("training"));
    m_found = sideBySide({m_plot, m_table}, {900, 1300});
    auto *box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    box->addWidget(m_summary);
    box->addWidget(m_found, 1);
    box->addStretch();
    follow();
    showRun();
}

void TrainingPanel::makeTools()
{
    m_tools = new QWidget;
    auto *row = new QHBoxLayout(m_tools);
    row->setContentsMargins(12, 2, 12, 2);
    m_stop->setObjectName(QStringLiteral("trainingStop"));
    m_stop->setToolTip(tr("Stops the run."));
    row->addWidget(m_stop);
    row->addStretch();
    row->addWidget(m_plot->exportButton());
    connect(m_stop, &QPushButton::clicked, &m_document.requests(), &EngineRequests::stop);
}

void TrainingPanel::follow()
{
    const EngineRequests &requests = m_document.requests();
    connect(&requests, &EngineRequests::trained, this, &TrainingPanel::take);
    connect(&requests, &EngineRequests::jobChanged, this, [this] {
        if (!m_isLive) return;
        const JobState &job = m_document.requests().job();
        m_secondsLeft = job.progress.etaSeconds;
        if (!m_document.requests().isRunning()) showRun();
        if (m_isLive && !m_document.requests().isRunning()) { // it was stopped, or failed
            m_isLive = false;
            m_isStopped = true;
            Q_EMIT progressed(0, 0);
        }
        showSummary();
    });
    connect(&requests, &EngineRequests::catalogueChanged, this, &TrainingPanel::showSummary);
    connect(&m_document.history(), &RunHistory::shownChanged, this, &TrainingPanel::showRun);
    connect(&m_document, &Document::recipeChanged, this, &TrainingPanel::showSummary);
    connect(&m_document, &Document::graphChanged, this, [this] {
        if (m_document.graph()) return showSummary();
        m_isLive = m_isStopped = false; // another document
        showRun();
    });
    connect(m_plot, &TrainingPlot::blockRequested, this, &TrainingPanel::choose);
    connect(m_table, &QTableWidget::itemSelectionChanged, this, [this] {
        const QList<QTableWidgetItem *> selected = m_table->selectedItems();
        if (!selected.isEmpty() && selected.front()->row() != m_current) choose(selected.front()->row());
    });
}

void TrainingPanel::take(const api::TrainingEvent &event)
{
    if (!m_isLive) {
        m_isLive = true;
        m_isStopped = false;
        m_log = {};
        m_current = -1;
    }
    m_log.add(event);
    showLog();
    Q_EMIT progressed(event.done ? event.block : event.block - 1, event.blocks);
}

void TrainingPanel::showRun()
{
    const RunPtr &run = m_document.history().shown();
    const bool isOfRun = run && run->isComplete;
    if (m_isLive) {
        // Of the run in progress, until its report arrives
        if (!isOfRun || m_document.requests().isRunning() || m_document.history().isStale()) return;
        m_isLive = false;
        Q_EMIT progressed(0, 0);
        constexpr qsizetype mostKnown = 8;
        if (!m_known.contains(run->key())) m_order.append(run->key());
        m_known.insert(run->key(), m_log);
        if (m_order.size() > mostKnown) m_known.remove(m_order.takeFirst());
    } else if (m_isStopped && (!isOfRun || !hasTrained(run->passes))) {
        return; // the blocks of the stopped run stay
    }
    m_isStopped = false;
    m_log = isOfRun ? m_known.value(run->key()) : TrainingLog();
    m_log.finish(isOfRun ? run->passes : QVector<api::PassRow>());
    if (m_current >= m_log.blocks().size()) m_current = -1;
    showLog();
}

void TrainingPanel::showLog()
{
    const QVector<BlockCurve> &blocks = m_log.blocks();
    m_table->setRowCount(int(blocks.size()));
    for (int row = 0; row < int(blocks.size()); ++row)
        if (!m_isLive || row + 1 == int(blocks.size()) || !m_table->item(row, 0) ||
            m_table->item(row, 0)->data(Qt::UserRole) != true)
            fillRow(row, blocks[row]);
    constexpr int widest = 200;
    fitColumns(*m_table, widest);
    if (m_isLive) m_table->scrollToBottom();
    m_plot->setCurrent(m_current);
    m_plot->setLog(m_log);
    m_found->setVisible(!blocks.isEmpty());
    showSummary();
}

void TrainingPanel::fillRow(int row, const BlockCurve &block)
{
    const bool isDone = block.done.has_value(), isKept = isDone && block.done->kept;
    const QString operations =
        block.first == block.last ? block.first : QStringLiteral("%1 … %2").arg(block.first, block.last);
    const double gain = block.before > 0 && block.after > 0 ? 10 * std::log10(block.before / block.after) : 0;
    const QStringList cells{QString::number(row + 1),
                            operations,
                            gain != 0 ? changeText(gain) : QString(),
                            !isDone  ? tr("training…")
                            : isKept ? tr("kept")
                                     : tr("went back"),
                            block.tests.isEmpty() ? QString() : blockError(block.before),
                            block.tests.isEmpty() ? QString() : blockError(block.after),
                            isDone ? (isKept ? QString::number(block.done->steps) : QString())
                                   : tr("%1 of %2").arg(block.step).arg(block.steps)};
    for (int column = 0; column < int(BlockColumn::Count); ++column) {
        auto *item = new QTableWidgetItem(cells[column]);
        if (column == int(BlockColumn::Operations))
            item->setToolTip(isDone ? tr("%1: %n operation(s)", nullptr, block.done->operations).arg(operations)
                                    : operations);
        else if (column == int(BlockColumn::Result))
            item->setToolTip(isDone && !isKept ? tr("Training did not lower the error on held-out samples, or worsened "
                                                    "the outputs: scales and weights are those before training.")
                                               : QString());
        else
            item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        if (isDone && !isKept) item->setForeground(Theme::current().dim);
        m_table->setItem(row, column, item);
    }
    m_table->item(row, 0)->setToolTip(passTitle(block.pass));
    m_table->item(row, 0)->setData(Qt::UserRole, isDone);
}

void TrainingPanel::choose(int block)
{
    if (block < 0 || block >= m_log.blocks().size()) return;
    m_current = block;
    m_plot->setCurrent(block);
    m_table->selectRow(block);
    const BlockCurve &chosen = m_log.blocks()[block];
    const GraphPtr &graph = m_document.graph();
    if (graph && graph->find(chosen.first) >= 0 && graph->find(chosen.last) >= 0)
        m_document.setSelection({chosen.first, chosen.last}, chosen.first);
}

QString TrainingPanel::passTitle(const QString &id) const
{
    const api::PassItem *pass = api::findItem(m_document.requests().known().passes, id.toStdString());
    return pass ? engineText(pass->title) : id;
}

bool TrainingPanel::mayTrain() const
{
    const auto &passes = m_document.recipe().passes ? m_document.recipe().passes : m_document.completeRecipe().passes;
    return passes && std::any_of(passes->begin(), passes->end(), [this](const api::StepRequest &step) {
               const api::PassItem *pass = api::findItem(m_document.requests().known().passes, step.id);
               return step.enabled && pass && pass->traits.doesWrite(api::PassAspect::TrainedValues);
           });
}

QString TrainingPanel::progressText() const
{
    const BlockCurve &block = m_log.blocks().back();
    QStringList facts{passTitle(block.pass), tr("block %1 of %2").arg(block.number).arg(block.count)};
    if (block.steps > 0) facts.append(tr("step %1 of %2").arg(block.step).arg(block.steps));
    if (block.loss > 0) facts.append(tr("loss %1").arg(blockError(block.loss)));
    if (m_secondsLeft >= 0) facts.append(tr("%1 left").arg(durationText(m_secondsLeft)));
    return facts.join(QStringLiteral(" · "));
}

QString TrainingPanel::resultText() const
{
    int kept = 0;
    for (const BlockCurve &block : m_log.blocks()) kept += block.done && block.done->kept;
    const int count = int(m_log.blocks().size());
    if (kept == count) return tr("Training improved all %n block(s).", nullptr, count);
    return tr("%1 of %n block(s) improved and were kept; the others are unchanged.", nullptr, count).arg(kept);
}

void TrainingPanel::showSummary()
{
    m_stop->setVisible(m_isLive);
    const bool isEmpty = m_log.isEmpty();
    m_plot->exportButton()->setVisible(!isEmpty);
    if (isEmpty)
        m_summary->setText(mayTrain() ? tr("A pass of this recipe trains: run it (F5) to see its progress here.")
                                      : tr("No pass of this recipe trains. Training brings each block of operations "
                                           "closer to float: add a pass such as Learned step size to the pipeline."));
    else
        m_summary->setText(m_isLive      ? progressText()
                           : m_isStopped ? tr("The run was stopped; these blocks were trained until then.")
                                         : resultText());
}

QString TrainingPanel::summary() const
{
    return m_summary->text();
}

} // namespace ql
