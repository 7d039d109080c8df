#include "views/panels/tune_panel.h"

#include "core/base/error.h"
#include "core/base/strings.h"
#include "views/bridge/engine_text.h"
#include "views/bridge/recipe_difference.h"
#include "views/bridge/run_history.h"
#include "views/commands/recipe_command.h"
#include "views/models/operation_model.h"
#include "views/panels/program_field.h"
#include "views/panels/side_panels.h"
#include "views/panels/table_export.h"
#include "views/plots/pareto_plot.h"
#include "views/style/buttons.h"
#include "views/style/note_area.h"
#include "views/style/plain_table.h"
#include "views/style/theme.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSettings>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>

namespace ql {

namespace {

constexpr int tuneFormWidth = 250, roomyTuneWidth = 1000, maxTuneSummary = 96;

enum class TrialColumn { Trial, Sqnr, Metric, Int8, Change, Gain, Time, Count };

/// SQNR of a trial; without any noise it is infinite.
std::optional<double> sqnrOf(const api::TuneTrial &trial)
{
    if (trial.search.sqnrDb) return trial.search.sqnrDb;
    if (trial.search.noiseRatio == 0.0) return std::numeric_limits<double>::infinity();
    return std::nullopt;
}

QString percents(double share, int digits = 1)
{
    return QStringLiteral("%1 %").arg(QLocale().toString(100 * share, 'f', digits));
}

/// "0.90 ± 2.90": a share in percent with half of its 95 % interval.
QString uncertainText(double share, double uncertainty)
{
    const QLocale locale;
    return QStringLiteral("%1 ± %2").arg(locale.toString(100 * share, 'f', 2),
                                         locale.toString(100 * uncertainty, 'f', 2));
}

/// The value of a goal, in the unit of its limit. score: of the same part of the data; null: unknown
QString goalValue(const api::TuneGoal &goal, const std::optional<double> &value, const api::TuneScore *score)
{
    if (!value) return QStringLiteral("–");
    const bool isShare = !goal.expr.empty() && goal.expr.back() == '%';
    if (!isShare) return QLocale().toString(*value, 'g', 4);
    const bool isDrop = goal.expr.starts_with("metric") && goal.expr.find(".drop") != std::string::npos;
    if (isDrop && score && score->uncertainty.value_or(0) > 0)
        return QStringLiteral("%1 %").arg(uncertainText(*value, *score->uncertainty));
    return percents(*value, 2);
}

/// How far the metric is below that of float, and whether that is more than chance; empty if no sample changes.
QString dropText(const api::TuneScore &score)
{
    if (!score.metric || !score.fp32 || score.uncertainty.value_or(0) <= 0) return {};
    const double drop = *score.fp32 - *score.metric;
    const QString text = uncertainText(drop, *score.uncertainty);
    if (std::abs(drop) > *score.uncertainty) return TunePanel::tr("drop %1 points").arg(text);
    return TunePanel::tr("drop %1 points: equal to float within the uncertainty").arg(text);
}

} // namespace

TunePanel::TunePanel(Document &document, QWidget *parent)
    : QWidget(parent), m_document(document), m_form(new TuneForm(document)), m_plot(new ParetoPlot),
      m_table(lineTable({tr("Trial"), tr("SQNR"), tr("Metric"), tr("INT8"), tr("Change"), tr("Gain"), tr("Time")},
                        tr("Trials"))),
      m_result(new QLabel), m_start(new QPushButton(tr("Start"))), m_stop(new QPushButton(tr("Stop"))),
      m_mark(new QPushButton(tr("Mark in graph"))), m_adopt(new QPushButton), m_bar(new QProgressBar),
      m_settings(toggleButton(tr("Goals"), tr("Shows goals, limits and locks."), true))
{
    makeTools();
    auto *box = new QHBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    box->addWidget(makeForm());
    box->addWidget(makeResult(), 1);
    followEngine();
    followDocument();
    showTrials();
}

void TunePanel::makeTools()
{
    m_tools = new QWidget;
    auto *row = new QHBoxLayout(m_tools);
    row->setContentsMargins(12, 2, 12, 2);
    m_bar->setRange(0, 1000);
    m_bar->setTextVisible(false);
    m_bar->setMaximumWidth(120);
    m_bar->setAccessibleName(tr("Progress of the search"));
    m_start->setObjectName(QStringLiteral("tuneStart"));
    m_start->setToolTip(tr("Changes the recipe step by step, and keeps what brings the outputs closer to float."));
    m_stop->setObjectName(QStringLiteral("tuneStop"));
    m_stop->setToolTip(tr("Stops the search; the trials so far are kept."));
    m_mark->setObjectName(QStringLiteral("tuneMark"));
    m_mark->setToolTip(tr("Marks the operations that the chosen trial changes."));
    m_adopt->setObjectName(QStringLiteral("tuneAdopt"));
    m_adopt->setToolTip(tr("Replaces the document's recipe with that of the chosen trial. Undo restores yours."));
    row->addWidget(m_start);
    row->addWidget(m_stop);
    row->addWidget(m_bar);
    row->addStretch();
    connect(m_start, &QPushButton::clicked, this, &TunePanel::start);
    connect(m_stop, &QPushButton::clicked, &m_document.requests(), &EngineRequests::stopTuning);
    connect(m_adopt, &QPushButton::clicked, this, &TunePanel::adopt);
    connect(m_mark, &QPushButton::clicked, this, [this] {
        if (const api::TuneStep *step = chosen()) Q_EMIT markRequested(changedOperations(*step));
    });
}

QWidget *TunePanel::makeForm()
{
    auto *scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidgetResizable(true);
    scroll->setWidget(m_form);
    scroll->setFixedWidth(tuneFormWidth);
    connect(m_settings, &QToolButton::toggled, scroll, &QWidget::setVisible);
    connect(m_form, &TuneForm::edited, this, &TunePanel::showJob);
    return scroll;
}

QWidget *TunePanel::makeResult()
{
    m_result->setTextFormat(Qt::RichText);
    m_result->setObjectName(QStringLiteral("tuneResult"));
    m_result->setContentsMargins(12, 6, 12, 6);
    m_result->setTextInteractionFlags(Qt::TextBrowserInteraction);
    connect(m_result, &QLabel::linkActivated, this, [this](const QString &operation) {
        if (m_document.graph() && m_document.graph()->find(operation) >= 0) m_document.setCurrent(operation);
    });
    m_resultArea = new NoteArea(m_result, maxTuneSummary);
    m_table->setObjectName(QStringLiteral("tuneTable"));
    m_table->setMinimumWidth(40);
    attachTableMenu(*m_table, QStringLiteral("tune"));
    connect(m_table, &QTableWidget::itemSelectionChanged, this, [this] {
        const QList<QTableWidgetItem *> selected = m_table->selectedItems();
        if (!selected.isEmpty() && selected.front()->row() != m_current) pick(selected.front()->row());
    });
    connect(m_plot, &ParetoPlot::trialRequested, this, &TunePanel::pick);
    constexpr int errorsDelayMs = 300;
    m_errorsTimer.setSingleShot(true);
    m_errorsTimer.setInterval(errorsDelayMs);
    connect(&m_errorsTimer, &QTimer::timeout, this, &TunePanel::showErrors);
    auto *list = new QWidget;
    auto *listBox = new QVBoxLayout(list);
    listBox->setContentsMargins(0, 0, 0, 0);
    listBox->setSpacing(0);
    auto *buttons = new QHBoxLayout;
    buttons->setContentsMargins(8, 2, 8, 2);
    buttons->setSpacing(6);
    buttons->addWidget(m_adopt);
    buttons->addWidget(m_mark);
    buttons->addStretch();
    buttons->addWidget(m_settings);
    listBox->addLayout(buttons);
    listBox->addWidget(m_table, 1);
    m_found = sideBySide({m_plot, list}, {1200, 1400});
    auto *whole = new QWidget;
    auto *box = new QVBoxLayout(whole);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    box->addWidget(m_resultArea);
    box->addWidget(m_found, 1);
    box->addStretch();
    return whole;
}

void TunePanel::followEngine()
{
    const EngineRequests &requests = m_document.requests();
    connect(&requests, &EngineRequests::tried, this, &TunePanel::take);
    connect(&requests, &EngineRequests::tuneProgress, this,
            [this](const EngineProgress &progress, const QString &step) {
                m_bar->setValue(int(progress.fraction * 1000));
                const QString left =
                    tr("at most %1 left").arg(durationText(m_budget * std::max(0.0, 1 - progress.fraction)));
                const std::int64_t limit = m_form->trials();
                const QString count = limit > 0 ? tr("%1 of %2 trials").arg(trialCount()).arg(limit)
                                                : tr("%n trial(s)", nullptr, trialCount());
                m_progress = QStringList{count, left, step}.join(QStringLiteral(" · "));
                showSummary();
            });
    connect(&requests, &EngineRequests::tuned, this, [this](const TuneReportPtr &report) {
        m_report = report;
        m_isChosen = false;
        showTrials();
        choose(int(report->bestTrial));
    });
    connect(&requests, &EngineRequests::tuneStopped, this, [this](const QString &why) {
        m_why = why.isEmpty() ? tr("Stopped.") : why;
        showTrials();
    });
}

void TunePanel::followDocument()
{
    connect(&m_document, &Document::recipeChanged, this, &TunePanel::showSummary);
    connect(&m_document, &Document::graphChanged, this, [this] {
        if (!m_document.graph()) clear(); // another document
        restoreLocks();
        showJob();
    });
    connect(&m_document, &Document::fileChanged, this, [this] {
        // Saved under another name: the locks go with it
        if (m_document.isEmpty() || !m_document.graph() || m_lockedFile.isEmpty()) return;
        m_lockedFile = lockKey();
        QSettings().setValue(m_lockedFile, m_form->lockLines());
    });
    connect(m_form, &TuneForm::locksChanged, this, [this] {
        if (!m_lockedFile.isEmpty()) QSettings().setValue(m_lockedFile, m_form->lockLines());
    });
    connect(&m_document.history(), &RunHistory::shownChanged, this, &TunePanel::showSummary);
}

void TunePanel::clear()
{
    m_steps.clear();
    m_report = nullptr;
    m_why.clear();
    m_current = -1;
    m_lockedFile.clear();
    m_form->setLocks({});
    showTrials();
}

void TunePanel::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    const RunPtr &run = m_document.history().shown();
    m_form->proposeGoals(run && std::any_of(run->outputs.begin(), run->outputs.end(),
                                            [](const api::OutputRow &row) { return row.metric.has_value(); }));
}

void TunePanel::start()
{
    auto wanted = m_document.requests().about<api::TuneRequest>();
    wanted.goals = m_form->goals();
    wanted.locks = m_form->locks();
    wanted.seconds = m_budget = m_form->seconds();
    wanted.trials = m_form->trials();
    wanted.resume = m_form->resumes();
    if (const QString metric = m_form->metric().path(); !metric.isEmpty()) {
        wanted.metric = m_document.absolutePath(metric.toStdString()).toStdString();
        wanted.allowCommands = m_form->metric().takeConsent();
    }
    m_form->remember();
    m_hashes = {m_document.resultHash()};
    m_folder = m_document.folder();
    m_steps.clear();
    m_report = nullptr;
    m_why.clear();
    m_current = -1;
    m_isChosen = false;
    m_bar->setValue(0);
    m_progress.clear();
    if (width() < roomyTuneWidth) m_settings->setChecked(false); // the trials need the room
    m_document.requests().tune(wanted);
    showTrials();
}

void TunePanel::take(const TuneStepPtr &step)
{
    const auto id = qsizetype(step->trial.id);
    if (id > m_steps.size()) return;
    m_steps.resize(id);
    m_steps.append(step);
    if (id == 0) m_current = -1;
    m_table->setRowCount(int(id));
    addRow(step->trial);
    m_found->show();
    std::vector<api::TuneTrial> trials;
    for (const TuneStepPtr &known : m_steps) trials.push_back(known->trial);
    m_plot->setTrials(std::move(trials), step->front);
    if (step->trial.kept && !m_isChosen) return choose(int(id));
    showSummary();
}

void TunePanel::showTrials()
{
    if (m_steps.isEmpty()) {
        m_table->setRowCount(0);
        m_plot->setTrials({}, {});
    }
    m_plot->setCurrent(m_current);
    m_found->setVisible(!m_steps.isEmpty());
    if (m_steps.isEmpty() && !m_document.requests().isTuning()) m_settings->setChecked(true);
    fitColumns();
    showSummary();
    showJob();
}

double TunePanel::gainOf(const api::TuneTrial &trial) const
{
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    const auto parent = qsizetype(trial.parent.value_or(-1));
    if (parent < 0 || parent >= m_steps.size()) return unknown;
    const api::TuneScore &before = m_steps[parent]->trial.search, &after = trial.search;
    if (before.divergence && after.divergence) return 10 * std::log10(*before.divergence / *after.divergence);
    return sqnrOf(trial).value_or(unknown) - sqnrOf(m_steps[parent]->trial).value_or(unknown);
}

void TunePanel::addRow(const api::TuneTrial &trial)
{
    const int row = m_table->rowCount();
    m_table->insertRow(row);
    const double gain = gainOf(trial);
    const QStringList cells{QString::number(trial.id),
                            decibelText(sqnrOf(trial)),
                            trial.search.metric ? percents(*trial.search.metric) : QString(),
                            trial.cost ? percents(trial.cost->int8Macs, 0) : QString(),
                            engineText(trial.move),
                            std::isfinite(gain) ? changeText(gain) : QString(),
                            durationText(trial.seconds)};
    for (int column = 0; column < int(TrialColumn::Count); ++column) {
        auto *item = new QTableWidgetItem(cells[column]);
        if (column == int(TrialColumn::Change))
            item->setToolTip(cells[column]);
        else
            item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        if (trial.kept)
            item->setFont(textFont(true));
        else
            item->setForeground(Theme::current().dim);
        m_table->setItem(row, column, item);
    }
    m_table->setColumnHidden(int(TrialColumn::Metric),
                             std::none_of(m_steps.begin(), m_steps.end(), [](const TuneStepPtr &step) {
                                 return step->trial.search.metric.has_value();
                             }));
    fitColumns();
    if (!m_isChosen) m_table->scrollToBottom();
}

void TunePanel::choose(int trial)
{
    if (trial < 0 || trial >= trialCount()) return;
    m_current = trial;
    m_plot->setCurrent(trial);
    m_table->selectRow(trial);
    m_table->scrollTo(m_table->model()->index(trial, 0)); // also if it is selected already
    showSummary();
    showJob();
}

void TunePanel::pick(int trial)
{
    m_isChosen = true;
    choose(trial);
    m_errorsTimer.start();
}

api::Recipe TunePanel::recipeOf(const api::TuneStep &step) const
{
    api::Recipe recipe = m_document.recipeFrom(step.recipe, m_folder);
    const api::Recipe &now = m_document.recipe();
    recipe.evaluation = now.evaluation;
    recipe.analyses = now.analyses;
    recipe.exports = now.exports;
    return recipe;
}

/// Which errors of single operations a trial has: quickly, those of each operation's output in the whole network.
static api::Recipe withGraphwise(api::Recipe recipe)
{
    std::erase_if(recipe.analyses, [](const api::StepRequest &analysis) { return analysis.id != "graphwise"; });
    if (recipe.analyses.empty()) recipe.analyses.push_back({"graphwise", true, {}});
    recipe.exports.clear();
    return recipe;
}

void TunePanel::showErrors()
{
    const api::TuneStep *step = chosen();
    if (!step) return;
    RunHistory &history = m_document.history();
    const api::Recipe whole = recipeOf(*step), quick = withGraphwise(whole);
    const QStringList hashes{Document::resultHashOf(whole), Document::resultHashOf(quick)};
    const QVector<RunRecord> &runs = history.runs();
    const auto known = std::find_if(runs.crbegin(), runs.crend(), [&](const RunRecord &run) {
        return hashes.contains(run.data->recipeHash) && !run.data->graphwise.isEmpty();
    });
    if (known != runs.crend())
        history.show(known->number);
    else if (m_document.requests().isRunning())
        m_errorsTimer.start(); // after the run
    else
        m_document.requests().runOther(quick, tr("Trial %1: %2").arg(step->trial.id).arg(engineText(step->trial.move)));
    showSummary();
}

QString TunePanel::shownRun(const api::TuneStep &step) const
{
    const RunPtr &shown = m_document.history().shown();
    if (!shown) return {};
    const api::Recipe whole = recipeOf(step);
    const QStringList hashes{Document::resultHashOf(whole), Document::resultHashOf(withGraphwise(whole))};
    for (const RunRecord &run : m_document.history().runs())
        if (run.data == shown && hashes.contains(shown->recipeHash)) return QString::number(run.number);
    return {};
}

/// Locks belong to a document; an unsaved one has those of its model.
QString TunePanel::lockKey() const
{
    const QString file =
        m_document.filePath().isEmpty() ? m_document.absolutePath(m_document.recipe().model) : m_document.filePath();
    return QStringLiteral("tune/locks of ") + QString::fromLatin1(file.toUtf8().toHex());
}

void TunePanel::restoreLocks()
{
    if (!m_document.graph() || m_lockedFile == lockKey()) return;
    m_lockedFile = lockKey();
    m_form->setLocks(QSettings().value(m_lockedFile).toStringList());
}

const api::TuneStep *TunePanel::chosen() const
{
    return m_current >= 0 && m_current < m_steps.size() ? m_steps[m_current].get() : nullptr;
}

void TunePanel::showJob()
{
    const bool isBusy = m_document.requests().isTuning();
    m_start->setEnabled(!isBusy && !m_document.isEmpty() && !m_form->goals().empty());
    m_start->setVisible(!isBusy); // the row is narrow
    m_stop->setVisible(isBusy);
    m_bar->setVisible(isBusy);
    const api::TuneStep *step = chosen();
    m_mark->setVisible(step);
    m_adopt->setVisible(step);
    if (step) m_adopt->setText(tr("Adopt trial %1").arg(m_current));
}

QString TunePanel::summary() const
{
    return m_result->text();
}

QStringList TunePanel::reportLines() const
{
    QStringList lines;
    const api::TuneTrial *best = std::size_t(m_report->bestTrial) < m_report->trials.size()
                                     ? &m_report->trials[std::size_t(m_report->bestTrial)]
                                     : nullptr;
    const api::TuneScore *search = best ? &best->search : nullptr;
    const api::TuneScore *confirm = best && best->confirm ? &*best->confirm : nullptr;
    for (const api::TuneGoal &goal : m_report->goals) {
        const QString expr = QStringLiteral("<b>%1</b>").arg(QString::fromStdString(goal.expr).toHtmlEscaped());
        if (best && !confirm && goal.met) {
            const QString alone = tr("%1 is met on the searched data (%2). There is no other data to confirm it.");
            lines.append(severityMark(goal.met) + alone.arg(expr, goalValue(goal, goal.value, search)));
            continue;
        }
        const QString text = goal.met ? tr("%1 is met: %2 on the searched data, %3 on the other part.")
                                      : tr("%1 is not met: %2 on the searched data, %3 on the other part.");
        lines.append(severityMark(goal.met) +
                     text.arg(expr, goalValue(goal, goal.value, search), goalValue(goal, goal.confirmed, confirm)));
    }
    for (const Text &note : m_report->notes) lines.append(severityMark(true) + engineText(note).toHtmlEscaped());
    QStringList causes;
    constexpr std::size_t mostCauses = 3;
    for (std::size_t i = 0; i < std::min(mostCauses, m_report->causes.size()); ++i) {
        const api::TuneCause &cause = m_report->causes[i];
        const QString op = QString::fromStdString(cause.op).toHtmlEscaped();
        causes.append(QStringLiteral("<a href=\"%1\">%1</a> (%2)").arg(op, noiseText(cause.noiseRatio)));
    }
    if (!causes.isEmpty()) lines.append(tr("Most noise at the start: %1").arg(causes.join(QStringLiteral(", "))));
    return lines;
}

QStringList TunePanel::trialLines(const api::TuneStep &step) const
{
    const api::TuneTrial &trial = step.trial;
    QStringList facts{decibelText(sqnrOf(trial))};
    if (trial.cost)
        facts += {tr("%1 bits per multiplication").arg(QLocale().toString(trial.cost->macBits, 'f', 1)),
                  tr("%1 of multiplications in INT8").arg(percents(trial.cost->int8Macs))};
    if (trial.search.divergence)
        facts.append(tr("classes diverge by %1 nats").arg(QLocale().toString(*trial.search.divergence, 'g', 3)));
    if (trial.search.metric)
        facts.append(
            tr("metric %1, float %2").arg(percents(*trial.search.metric), percents(trial.search.fp32.value_or(0))));
    if (const QString drop = dropText(trial.search); !drop.isEmpty()) facts.append(drop);
    QStringList lines{QStringLiteral("<b>%1</b> · %2")
                          .arg(tr("Trial %1").arg(trial.id), facts.join(QStringLiteral(" · ")).toHtmlEscaped())};
    for (const QString &line : recipeDifference(m_steps.front()->recipe, step.recipe, m_document.requests().known()))
        lines.append(line.toHtmlEscaped());
    if (const QString run = shownRun(step); !run.isEmpty())
        lines.append(tr("Chart and graph show the errors of this trial (run %1).").arg(run));
    return lines;
}

void TunePanel::showSummary()
{
    QStringList lines;
    const bool isBusy = m_document.requests().isTuning();
    if (isBusy && !m_progress.isEmpty()) lines.append(m_progress.toHtmlEscaped());
    if (!m_why.isEmpty()) lines.append(severityMark(false) + m_why.toHtmlEscaped());
    if (!m_steps.isEmpty() && !m_hashes.contains(m_document.resultHash()))
        lines.append(severityMark(true) + tr("The recipe has changed since this search began."));
    if (m_report) lines += reportLines();
    if (const api::TuneStep *step = chosen()) lines += trialLines(*step);
    if (lines.isEmpty())
        lines.append(isBusy ? tr("Measuring the unchanged recipe…")
                            : tr("Search for a recipe that meets your goals: observers, clip limits, passes and, if "
                                 "necessary, operations in float. Every trial appears here and can be adopted."));
    m_resultArea->setText(lines.join(QStringLiteral("<br>")));
}

QStringList TunePanel::changedOperations(const api::TuneStep &step) const
{
    const api::Recipe &start = m_steps.front()->recipe;
    std::vector<std::string> patterns;
    const auto collect = [&](const std::vector<api::Rule> &rules, const std::vector<api::Rule> &before) {
        for (const api::Rule &rule : rules)
            if (std::find(before.begin(), before.end(), rule) == before.end() && rule.match.op != "*")
                patterns.push_back(rule.match.op);
    };
    collect(step.recipe.overrides, start.overrides);
    collect(step.recipe.dispatch, start.dispatch);
    QStringList names;
    if (!m_document.graph()) return names;
    for (const OperationInfo &op : m_document.graph()->operations)
        if (std::any_of(patterns.begin(), patterns.end(),
                        [&](const std::string &pattern) { return globMatch(pattern, op.name.toStdString()); }))
            names.append(op.name);
    return names;
}

/// What the search does not decide stays as it is in the document.
void TunePanel::adopt()
{
    const api::TuneStep *step = chosen();
    if (!step) return;
    const api::Recipe recipe = recipeOf(*step);
    try {
        m_hashes.append(Document::resultHashOf(recipe));
        replaceRecipe(m_document, tr("Adopt trial %1").arg(step->trial.id), recipe);
    } catch (const Error &error) {
        m_why = exceptionText(error);
        showSummary();
    }
}

void TunePanel::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fitColumns();
}

void TunePanel::fitColumns()
{
    m_table->resizeColumnsToContents();
    constexpr int widest = 320, narrowest = 56; // the header of the numbers is wider than these
    m_table->setColumnWidth(0, std::max(m_table->columnWidth(0), narrowest));
    const int change = int(TrialColumn::Change);
    m_table->setColumnWidth(change, std::min(m_table->columnWidth(change), widest));
}

} // namespace ql
