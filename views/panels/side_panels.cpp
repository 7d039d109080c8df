#include "views/panels/side_panels.h"

#include "core/base/error.h"
#include "views/commands/recipe_command.h"
#include "views/commands/remedies.h"
#include "views/panels/compare_dialog.h"
#include "views/panels/table_export.h"
#include "views/style/theme.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QPainter>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTime>
#include <QToolButton>
#include <QTreeView>
#include <algorithm>
#include <cmath>

namespace ql {

using nlohmann::json;

QString durationText(double seconds)
{
    if (seconds < 0) return {};
    if (seconds < 60) return JobsPanel::tr("%1 s").arg(QLocale().toString(seconds, 'f', seconds < 10 ? 1 : 0));
    return JobsPanel::tr("%1 min %2 s").arg(int(seconds) / 60).arg(int(seconds) % 60);
}

namespace {

/// Buttons cost memory and time; a list longer than this has them for its worst.
constexpr int mostButtonRows = 60;
/// More of them are in a menu: the problem itself needs the room.
constexpr int buttonsInRow = 2;

class ProblemDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        const Theme &theme = Theme::current();
        if (index.column() == ProblemModel::Operation) {
            option->font = textFont(true);
            const QString severity = index.data(ProblemModel::SeverityRole).toString();
            option->features |= QStyleOptionViewItem::HasDecoration;
            option->icon =
                lineIcon(severity == QLatin1String("info") ? QStringLiteral("info") : QStringLiteral("warning"));
            option->decorationSize = {14, 14};
        }
        if (index.column() == ProblemModel::Remedy) {
            option->palette.setColor(QPalette::Text, theme.dim);
            const auto *view = qobject_cast<const QAbstractItemView *>(option->widget);
            if (view && view->indexWidget(index)) option->text.clear(); // buttons say it, the tool tip in words
        }
    }
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        return {QStyledItemDelegate::sizeHint(option, index).width(), 30};
    }
    /// The evidence as bars: heights on a log scale over three decades, the largest in amber.
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::paint(painter, option, index);
        if (index.column() != ProblemModel::Evidence) return;
        QVector<double> bars = index.data(ProblemModel::PlotRole).value<QVector<double>>();
        if (bars.isEmpty()) return;
        const QRect area = option.rect.adjusted(4, 4, -4, -4);
        const double most = *std::max_element(bars.begin(), bars.end());
        if (most <= 0 || area.width() < 8) return;
        // More bars than pixels: the largest of each group, in its place
        const int places = std::min(int(bars.size()), area.width() / 2);
        const double width = std::min(12.0, double(area.width()) / places);
        painter->save();
        painter->setPen(Qt::NoPen);
        for (int p = 0; p < places; ++p) {
            const int from = int(qint64(p) * bars.size() / places), to = int(qint64(p + 1) * bars.size() / places);
            const double value = *std::max_element(bars.begin() + from, bars.begin() + std::max(to, from + 1));
            const double level = value > 0 ? std::clamp(1 + std::log10(value / most) / 3, 0.04, 1.0) : 0.0;
            const double height = level * area.height();
            painter->setBrush(value == most ? Theme::current().amber : Theme::current().accent);
            painter->drawRect(
                QRectF(area.left() + p * width, area.bottom() + 1 - height, std::max(1.0, width - 1), height));
        }
        painter->restore();
    }
};

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
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        return {QStyledItemDelegate::sizeHint(option, index).width(), 26};
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

ProblemsPanel::ProblemsPanel(Document &document, QWidget *parent)
    : QWidget(parent), m_document(document), m_model(new ProblemModel(document, this)),
      m_view(plainTree(m_model, tr("Problems")))
{
    m_view->setItemDelegate(new ProblemDelegate(m_view));
    m_view->setHeaderHidden(true);
    m_view->header()->setSectionResizeMode(ProblemModel::Operation, QHeaderView::ResizeToContents);
    m_view->header()->setSectionResizeMode(ProblemModel::Message, QHeaderView::Stretch);
    m_view->header()->setSectionResizeMode(ProblemModel::Evidence, QHeaderView::Fixed);
    m_view->header()->resizeSection(ProblemModel::Evidence, 96);
    m_view->header()->setSectionResizeMode(ProblemModel::Remedy, QHeaderView::Fixed);
    attachTableMenu(*m_view, QStringLiteral("problems"));
    m_none = new QLabel(tr("Nothing deserves attention."));
    m_none->setProperty("dim", true);
    m_none->setContentsMargins(12, 8, 12, 8);
    auto *box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    box->addWidget(m_none);
    box->addWidget(m_view, 1);

    const auto refresh = [this] {
        const int count = m_model->rowCount();
        m_none->setVisible(count == 0);
        m_view->setVisible(count > 0);
        makeButtons();
        Q_EMIT countChanged(count);
    };
    connect(m_model, &QAbstractItemModel::modelReset, this, refresh, Qt::QueuedConnection);
    connect(&document, &Document::graphChanged, this, refresh, Qt::QueuedConnection); // which operations there are
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex &index) {
        const QString operation = index.data(ProblemModel::OperationRole).toString();
        if (m_document.graph() && m_document.graph()->find(operation) >= 0) m_document.setCurrent(operation);
    });
    refresh();
}

void ProblemsPanel::makeButtons()
{
    int width = 220;
    for (int row = 0; row < std::min(m_model->rowCount(), mostButtonRows); ++row) {
        const QModelIndex index = m_model->index(row, ProblemModel::Remedy);
        const QString operation = index.data(ProblemModel::OperationRole).toString();
        const QStringList actions = index.data(ProblemModel::ActionsRole).toStringList();
        const bool known = m_document.graph() && m_document.graph()->find(operation) >= 0;
        if (actions.isEmpty() || !known) continue;
        auto *cell = new QWidget;
        auto *line = new QHBoxLayout(cell);
        line->setContentsMargins(4, 1, 4, 1);
        line->setSpacing(6);
        int needed = 4 + 4 + 6;
        const auto act = [this, operation](const QString &id) {
            try {
                applyRemedy(m_document, id, operation);
            } catch (const Error &error) {
                Q_EMIT m_document.note(QString::fromUtf8(error.what()));
            }
        };
        for (const QString &id : actions.mid(0, buttonsInRow)) {
            auto *button = new QPushButton(remedyTitle(id));
            button->setProperty("remedy", true);
            button->setObjectName(QStringLiteral("remedy_") + id);
            button->setToolTip(remedyMeaning(id));
            button->setAccessibleName(tr("%1: %2").arg(remedyTitle(id), operation));
            button->ensurePolished(); // the style sheet's font and padding count for the width
            button->setMinimumWidth(button->sizeHint().width());
            needed += button->minimumWidth() + line->spacing();
            line->addWidget(button);
            connect(button, &QPushButton::clicked, this, [act, id] { act(id); });
        }
        if (actions.size() > buttonsInRow) {
            auto *more = new QToolButton;
            more->setText(QStringLiteral("⋯"));
            more->setToolTip(tr("More remedies"));
            more->setAccessibleName(tr("More remedies"));
            more->setPopupMode(QToolButton::InstantPopup);
            auto *menu = new QMenu(more);
            menu->setToolTipsVisible(true);
            for (const QString &id : actions.mid(buttonsInRow))
                menu->addAction(remedyTitle(id), this, [act, id] { act(id); })->setToolTip(remedyMeaning(id));
            more->setMenu(menu);
            more->ensurePolished();
            needed += more->sizeHint().width() + line->spacing();
            line->addWidget(more);
        }
        line->addStretch();
        width = std::max({width, cell->sizeHint().width(), needed});
        m_view->setIndexWidget(index, cell);
    }
    m_view->header()->resizeSection(ProblemModel::Remedy, width);
}

RunsPanel::RunsPanel(Document &document, QWidget *parent)
    : QWidget(parent), m_document(document), m_model(new RunModel(document, this)),
      m_view(plainTree(m_model, tr("Runs")))
{
    m_view->setItemDelegate(new RunDelegate(m_view));
    m_view->setRootIsDecorated(true);
    m_view->setIndentation(12);
    m_view->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::DoubleClicked);
    m_view->setHeaderHidden(true); // the key figures speak for themselves, and their tool tips explain them
    m_view->header()->setMinimumSectionSize(20);
    m_view->header()->setSectionResizeMode(QHeaderView::Fixed);
    m_view->header()->setSectionResizeMode(RunModel::Name, QHeaderView::Stretch);
    for (const auto &[column, width] :
         {std::pair(RunModel::Sqnr, 64), std::pair(RunModel::Metric, 70), std::pair(RunModel::Time, 52)})
        m_view->header()->resizeSection(column, width);
    m_view->setColumnHidden(RunModel::Time, true); // the tool tip tells it; the name needs the room
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->expandAll();
    connect(m_model, &QAbstractItemModel::modelReset, m_view, &QTreeView::expandAll);
    auto *none = new QLabel(tr("Every run is kept here, also when the program starts again."));
    none->setWordWrap(true);
    none->setProperty("dim", true);
    none->setContentsMargins(12, 8, 12, 8);
    auto *box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->addWidget(none);
    box->addWidget(m_view, 1);
    const auto refresh = [this, none] {
        none->setVisible(m_model->rowCount() == 0);
        m_view->setVisible(m_model->rowCount() > 0);
    };
    connect(m_model, &QAbstractItemModel::modelReset, this, refresh);
    refresh();
    connect(m_view, &QTreeView::clicked, this, [this] {
        if (number() > 0) m_document.showRun(number());
    });
    connect(m_view, &QWidget::customContextMenuRequested, this, [this](const QPoint &at) {
        const int chosen = number();
        QMenu menu;
        if (chosen > 0) {
            menu.addAction(tr("Compare with this run (baseline)"), this,
                           [this, chosen] { m_document.setBaseline(chosen); });
            menu.addAction(tr("Go back to this recipe"), this, [this, chosen] { goBack(chosen); });
            menu.addAction(tr("Compare all runs…"), this, [this, chosen] {
                auto *dialog = new CompareDialog(m_document, chosen, this);
                dialog->setAttribute(Qt::WA_DeleteOnClose);
                dialog->open();
            });
            menu.addSeparator();
            menu.addAction(tr("Rename"), this, [this] { m_view->edit(m_view->currentIndex().siblingAtColumn(0)); });
            menu.addAction(tr("Note…"), this, [this, chosen] { editNote(chosen); });
            menu.addAction(tr("Delete this run"), this, [this, chosen] { m_document.removeRun(chosen); });
            menu.addSeparator();
        }
        addTableActions(menu, *m_view, QStringLiteral("runs"));
        menu.exec(m_view->viewport()->mapToGlobal(at));
    });
}

void RunsPanel::goBack(int number)
{
    for (const RunRecord &run : m_document.runs())
        if (run.number == number) {
            // By value: the edit changes what runs there are
            const json recipe = run.recipe;
            return replaceRecipe(m_document, tr("Recipe of run %1").arg(number), recipe);
        }
}

void RunsPanel::editNote(int number)
{
    for (const RunRecord &run : m_document.runs()) {
        if (run.number != number) continue;
        bool good = false;
        const QString name = run.name;
        const QString note =
            QInputDialog::getMultiLineText(this, tr("Note"), tr("Note of run %1").arg(number), run.note, &good);
        if (good) m_document.setRunNote(number, name, note);
        return;
    }
}

int RunsPanel::number() const
{
    return m_view->currentIndex().data(RunModel::NumberRole).toInt();
}

JobsPanel::JobsPanel(Document &document, QWidget *parent) : QWidget(parent), m_document(document)
{
    m_what = new QLabel;
    m_facts = new QLabel;
    m_facts->setProperty("dim", true);
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
    auto *row = new QHBoxLayout;
    row->setContentsMargins(12, 6, 12, 2);
    row->addWidget(m_what);
    row->addWidget(m_bar, 1);
    row->addWidget(m_facts);
    row->addWidget(m_stop);
    auto *box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->addLayout(row);
    box->addWidget(m_log, 1);
    connect(m_stop, &QPushButton::clicked, &document, &Document::stop);
    connect(&document, &Document::jobChanged, this, &JobsPanel::refresh);
    connect(&document, &Document::note, this, &JobsPanel::addLine);
    connect(&document.engine(), &EngineClient::log, this, &JobsPanel::addLine);
    connect(&document, &Document::failed, this,
            [this](const EngineError &error) { addLine(error.message + QLatin1Char(' ') + error.remedy); });
    refresh();
}

void JobsPanel::addLine(const QString &text)
{
    m_log->appendPlainText(QTime::currentTime().toString(QStringLiteral("HH:mm:ss  ")) + text.trimmed());
}

void JobsPanel::refresh()
{
    const JobState &job = m_document.job();
    m_bar->setVisible(job.isRunning);
    m_stop->setVisible(job.isRunning);
    m_what->setText(job.isRunning
                        ? job.title +
                              (job.progress.what.isEmpty() ? QString() : QStringLiteral(" · ") + job.progress.what)
                        : tr("No job is running."));
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
