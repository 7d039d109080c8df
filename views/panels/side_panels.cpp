#include "views/panels/side_panels.h"

#include "views/bridge/engine_requests.h"
#include "views/bridge/engine_text.h"
#include "views/bridge/run_history.h"
#include "views/commands/recipe_command.h"
#include "views/panels/compare_dialog.h"
#include "views/panels/table_export.h"
#include "views/style/elided_label.h"
#include "views/style/theme.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QMessageBox>
#include <QPainter>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QTime>
#include <QTreeView>
#include <algorithm>
#include <utility>

namespace ql {

using nlohmann::json;

QString durationText(double seconds)
{
    if (seconds < 0) return {};
    if (seconds < 60) return JobsPanel::tr("%1 s").arg(QLocale().toString(seconds, 'f', seconds < 10 ? 1 : 0));
    return JobsPanel::tr("%1 min %2 s").arg(int(seconds) / 60).arg(int(seconds) % 60);
}

namespace {

/// Margins of the text of a table's cell, on both sides together.
constexpr int runCellPadding = 14;

class RunDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        if (index.data(RunModel::IsShownRole).toBool()) option->font = textFont(true);
        const bool isGroup = !index.parent().isValid();
        if (isGroup || index.column() == RunModel::Time) option->palette.setColor(QPalette::Text, Theme::current().dim);
    }
    /// A name that does not fit next to the figures has a line of its own.
    void paint(QPainter *painter, const QStyleOptionViewItem &given, const QModelIndex &index) const override
    {
        const auto *view = qobject_cast<const QTreeView *>(given.widget);
        if (!view || !needsTwoLines(*view, index)) return QStyledItemDelegate::paint(painter, given, index);
        QStyleOptionViewItem option = given;
        initStyleOption(&option, index);
        const QString text = std::exchange(option.text, QString());
        view->style()->drawControl(QStyle::CE_ItemViewItem, &option, painter, view);
        const QModelIndex name = index.siblingAtColumn(RunModel::Name);
        constexpr int margin = runCellPadding / 2 + 2;                  // where other rows have their texts
        QRect upper = view->visualRect(name).adjusted(margin, 3, 0, 0); // over all columns, each paints its part
        upper.setRight(view->viewport()->width() - margin);
        upper.setHeight((option.rect.height() - 6) / 2);
        const QRect lower = upper.translated(0, upper.height()).intersected(option.rect.adjusted(0, 0, -margin, 0));
        painter->save();
        painter->setClipRect(option.rect, Qt::IntersectClip);
        painter->setFont(option.font);
        painter->setPen(option.palette.color(QPalette::Text));
        painter->drawText(
            upper, Qt::AlignLeft | Qt::AlignVCenter,
            QFontMetrics(option.font).elidedText(name.data().toString(), view->textElideMode(), upper.width()));
        if (index.column() != RunModel::Name) painter->drawText(lower, Qt::AlignRight | Qt::AlignVCenter, text);
        painter->restore();
    }
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const auto *view = qobject_cast<const QTreeView *>(option.widget);
        return {QStyledItemDelegate::sizeHint(option, index).width(), view && needsTwoLines(*view, index) ? 42 : 26};
    }

private:
    static bool needsTwoLines(const QTreeView &view, const QModelIndex &index)
    {
        if (!index.parent().isValid()) return false; // a group spans all columns
        const int indentation = 2 * view.indentation();
        const int room = view.columnWidth(RunModel::Name) - indentation - runCellPadding;
        const QString name = index.siblingAtColumn(RunModel::Name).data().toString();
        return QFontMetrics(textFont(index.data(RunModel::IsShownRole).toBool())).horizontalAdvance(name) > room;
    }
};

QTreeView *plainTree(QAbstractItemModel *model, const QString &name)
{
    auto *view = new QTreeView;
    view->setModel(model);
    view->setRootIsDecorated(false);
    view->setUniformRowHeights(true);
    view->setAllColumnsShowFocus(true);
    view->setAccessibleName(name);
    view->header()->setStretchLastSection(false);
    return view;
}

} // namespace

RunsPanel::RunsPanel(Document &document, QWidget *parent)
    : QWidget(parent), m_document(document), m_model(new RunModel(document, this)),
      m_view(plainTree(m_model, tr("Runs")))
{
    auto *delegate = new RunDelegate(m_view);
    m_view->setItemDelegate(delegate);
    m_view->setUniformRowHeights(false);
    connect(m_view->header(), &QHeaderView::sectionResized, delegate,
            [delegate] { Q_EMIT delegate->sizeHintChanged({}); });
    m_view->setRootIsDecorated(true);
    m_view->setIndentation(8);
    m_view->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::DoubleClicked);
    m_view->setHeaderHidden(true); // the key figures need no header, and their tool tips explain them
    m_view->header()->setMinimumSectionSize(20);
    m_view->header()->setSectionResizeMode(QHeaderView::Fixed);
    m_view->header()->setSectionResizeMode(RunModel::Name, QHeaderView::Stretch);
    m_view->setTextElideMode(Qt::ElideMiddle); // edits of one kind differ in their end
    const QFontMetrics metrics(textFont(true));
    for (const auto &[column, widest] : {std::pair(RunModel::Sqnr, "-00.0 dB"), std::pair(RunModel::Metric, "100.0 %"),
                                         std::pair(RunModel::Time, "000.0 s")})
        m_view->header()->resizeSection(column, metrics.horizontalAdvance(QLatin1String(widest)) + runCellPadding);
    m_view->setColumnHidden(RunModel::Time, true); // the tool tip has it; the name needs the room
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    const auto expand = [this] {
        m_view->expandAll();
        // A group has only a name
        for (int row = 0; row < m_model->rowCount(); ++row) m_view->setFirstColumnSpanned(row, {}, true);
    };
    expand();
    connect(m_model, &QAbstractItemModel::modelReset, m_view, expand);
    auto *none = new QLabel(tr("Every run is kept here, also after a restart."));
    none->setWordWrap(true);
    none->setProperty("dim", true);
    none->setContentsMargins(12, 8, 12, 8);
    auto *box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->addWidget(none);
    box->addWidget(m_view, 1);
    const auto refresh = [this, none] {
        none->setVisible(m_model->rowCount() == 0);
        // Without labels there is no accuracy, and the name needs the room
        const QVector<RunRecord> &runs = m_document.history().runs();
        m_view->setColumnHidden(RunModel::Metric, std::none_of(runs.begin(), runs.end(), [](const RunRecord &run) {
                                    return run.data->metric() != nullptr;
                                }));
        m_view->setVisible(m_model->rowCount() > 0);
    };
    connect(m_model, &QAbstractItemModel::modelReset, this, refresh);
    connect(&document.history(), &RunHistory::runsChanged, this, refresh);
    refresh();
    for (const auto signal : {&QTreeView::clicked, &QTreeView::activated}) // Enter does the same as a click
        connect(m_view, signal, this, [this] {
            if (number() > 0) m_document.history().show(number());
        });
    makeMenu();
}

/// For the current run; kept alive for the list of all commands.
void RunsPanel::makeMenu()
{
    auto *menu = new QMenu(m_view);
    menu->addAction(tr("Compare with this run (set as baseline)"), this,
                    [this] { m_document.history().setBaseline(number()); });
    menu->addAction(tr("Restore this recipe"), this, [this] { goBack(number()); });
    menu->addAction(tr("Compare runs…"), this, [this] {
        auto *dialog = new CompareDialog(m_document, number(), this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    });
    menu->addSeparator();
    menu->addAction(tr("Rename"), this, [this] { m_view->edit(m_view->currentIndex().siblingAtColumn(0)); });
    menu->addAction(tr("Note…"), this, [this] { editNote(number()); });
    menu->addAction(tr("Delete this run…"), this, [this] { remove(number()); });
    menu->addSeparator();
    const QList<QAction *> ofRun = menu->actions();
    addTableActions(*menu, *m_view, QStringLiteral("runs"));
    const auto refresh = [this, ofRun] {
        for (QAction *action : ofRun) action->setVisible(number() > 0);
        for (QAction *action : ofRun) action->setEnabled(number() > 0);
    };
    connect(menu, &QMenu::aboutToShow, this, refresh);
    refresh();
    connect(m_view, &QWidget::customContextMenuRequested, menu,
            [this, menu](const QPoint &at) { menu->exec(m_view->viewport()->mapToGlobal(at)); });
}

void RunsPanel::goBack(int number)
{
    for (const RunRecord &run : m_document.history().runs())
        if (run.number == number) {
            // By value: the edit changes the list of runs
            const api::Recipe recipe = run.recipe;
            return replaceRecipe(m_document, tr("Recipe of run %1").arg(number), recipe);
        }
}

void RunsPanel::editNote(int number)
{
    for (const RunRecord &run : m_document.history().runs()) {
        if (run.number != number) continue;
        bool good = false;
        const QString name = run.name;
        const QString note =
            QInputDialog::getMultiLineText(this, tr("Note"), tr("Note of run %1").arg(number), run.note, &good);
        if (good) m_document.history().setNote(number, name, note);
        return;
    }
}

/// It cannot be undone: the report is deleted from disk, too.
void RunsPanel::remove(int number)
{
    if (number > 0 &&
        QMessageBox::question(this, tr("Delete the run"),
                              tr("Delete run #%1 with its recipe and report?").arg(number)) == QMessageBox::Yes)
        m_document.history().remove(number);
}

int RunsPanel::number() const
{
    return m_view->currentIndex().data(RunModel::NumberRole).toInt();
}

JobsPanel::JobsPanel(Document &document, QWidget *parent) : QWidget(parent), m_document(document)
{
    m_what = new ElidedLabel;
    m_facts = new ElidedLabel;
    for (QLabel *label : {m_what, m_facts}) label->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    m_facts->setProperty("dim", true);
    m_facts->setToolTip(tr("MiB: memory used by the engine; left: estimated remaining time."));
    m_bar = new QProgressBar;
    m_bar->setRange(0, 1000);
    m_bar->setTextVisible(false);
    m_stop = new QPushButton(tr("Stop"));
    m_stop->setToolTip(tr("Stop (Shift+F5)"));
    m_log = new QPlainTextEdit;
    m_log->setReadOnly(true);
    m_log->setMaximumBlockCount(5000);
    m_log->setAccessibleName(tr("Log"));
    m_log->setFrameShape(QFrame::NoFrame);
    m_tools = new QWidget;
    auto *row = new QHBoxLayout(m_tools);
    row->setContentsMargins(12, 2, 12, 2);
    row->addWidget(m_what);
    row->addWidget(m_bar, 1);
    row->addWidget(m_facts);
    row->addWidget(m_stop);
    auto *box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->addWidget(m_tools);
    box->addWidget(m_log, 1);
    connect(m_stop, &QPushButton::clicked, &document.requests(), &EngineRequests::stop);
    connect(&document.requests(), &EngineRequests::jobChanged, this, &JobsPanel::refresh);
    connect(&document.requests(), &EngineRequests::gatheringChanged, this, &JobsPanel::refresh);
    connect(&document, &Document::note, this, &JobsPanel::addLine);
    connect(&document.requests().engine(), &EngineClient::log, this, &JobsPanel::addLine);
    connect(&document.requests(), &EngineRequests::failed, this, [this](const EngineError &error) {
        if (error.kind == engineDied) return; // the window shows it
        addLine(engineSentences(error.message, error.remedy, error.file));
    });
    // The newest line is visible, unless the user has scrolled up
    QScrollBar *bar = m_log->verticalScrollBar();
    connect(bar, &QScrollBar::actionTriggered, this,
            [this, bar] { m_followsEnd = bar->sliderPosition() >= bar->maximum(); });
    connect(bar, &QScrollBar::rangeChanged, this, [this, bar] {
        if (m_followsEnd) bar->setValue(bar->maximum());
    });
    refresh();
}

void JobsPanel::addLine(const QString &text)
{
    m_log->appendPlainText(QTime::currentTime().toString(QStringLiteral("HH:mm:ss  ")) + text.trimmed());
}

/// A line per step of a job, so that the log shows what took how long.
void JobsPanel::logStep(const JobState &job)
{
    const QString step = !job.isRunning       ? QString()
                         : job.step.isEmpty() ? job.title
                                              : job.title + QStringLiteral(" · ") + job.step;
    if (std::exchange(m_step, step) != step && !step.isEmpty()) addLine(step);
}

void JobsPanel::refresh()
{
    const JobState &job = m_document.requests().job();
    logStep(job);
    const QString beside = m_document.requests().backgroundWork();
    m_bar->setVisible(job.isRunning);
    m_stop->setVisible(m_document.requests().isBusy());
    m_what->setText(job.isRunning ? job.title + (job.step.isEmpty() ? QString() : QStringLiteral(" · ") + job.step)
                    : beside.isEmpty() ? tr("No job is running.")
                                       : beside);
    m_bar->setValue(int(job.progress.fraction * 1000));
    QStringList facts;
    if (job.isRunning && job.progress.etaSeconds >= 0)
        facts.append(tr("%1 left").arg(durationText(job.progress.etaSeconds)));
    if (job.isRunning && job.progress.residentMib > 0)
        facts.append(tr("%1 MiB").arg(QLocale().toString(job.progress.residentMib, 'f', 0)));
    if (job.isRunning) facts.append(QString::fromStdString(m_document.recipe().device));
    m_facts->setText(facts.join(QStringLiteral(" · ")));
}

} // namespace ql
