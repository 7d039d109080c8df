#include "views/panels/problems_panel.h"

#include "core/api/no_problems.h"
#include "core/base/error.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/engine_text.h"
#include "views/bridge/run_history.h"
#include "views/commands/remedies.h"
#include "views/models/operation_model.h"
#include "views/panels/table_export.h"
#include "views/style/theme.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QTextLayout>
#include <QToolButton>
#include <QTreeView>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace ql {

namespace {

/// Buttons cost memory and time; later rows get theirs when they become visible.
constexpr int maxButtonRows = 60;
/// The problem itself needs the room: a narrower panel has fewer buttons, the rest in a menu, and no bars.
constexpr int wideForTwo = 760, wideForOne = 520;
constexpr int minRowHeight = 30, iconSize = 14, textLeft = 12 + iconSize + 6, textRight = 10, textGap = 6,
              cellPadding = 12;

std::vector<api::Action> actionsOf(const QModelIndex &index)
{
    return index.data(ProblemModel::ActionsRole).value<std::vector<api::Action>>();
}

QString gainText(const RemedyGain &gain)
{
    if (gain.isDecibels) return changeText(gain.value);
    return ProblemsPanel::tr("%1 points").arg(signedText(gain.value));
}

/// A remedy, and its gain when it was tried.
struct Offer
{
    api::Action action;
    std::optional<RemedyGain> gain;
    QString title() const
    {
        const QString title = remedyTitle(action);
        return gain ? QStringLiteral("%1 (%2)").arg(title, gainText(*gain)) : title;
    }
    QString meaning() const
    {
        const QString meaning = remedyMeaning(action.id);
        if (!gain) return meaning;
        return meaning + QLatin1Char('\n') +
               (gain->isDecibels ? ProblemsPanel::tr("Tried: it changes the output SQNR by %1.")
                                 : ProblemsPanel::tr("Tried: it changes the equal integers of the output by %1."))
                   .arg(gainText(*gain));
    }
};

bool hasPlot(const QModelIndex &index)
{
    return !index.data(ProblemModel::PlotRole).value<QVector<double>>().isEmpty();
}

/// Without buttons and without a plot, it has the row for itself.
bool isAlone(const QModelIndex &index)
{
    return actionsOf(index).empty() && !hasPlot(index);
}

/// The sentence of a problem, prefixed by its operation in bold, over as many lines as necessary. A problem without
/// buttons has its remedy in words below it.
class ProblemText
{
public:
    ProblemText(const QModelIndex &index, int width)
    {
        const Theme &theme = Theme::current();
        const QString operation = index.siblingAtColumn(ProblemModel::Operation).data().toString();
        const bool hasButtons = !actionsOf(index).empty();
        const QString remedy = hasButtons ? QString() : index.siblingAtColumn(ProblemModel::Remedy).data().toString();
        QString text = operation.isEmpty() ? QString() : operation + QStringLiteral("   ");
        QVector<QTextLayout::FormatRange> formats;
        QTextCharFormat bold, dim;
        bold.setFontWeight(QFont::DemiBold);
        dim.setForeground(theme.dim);
        formats.append({0, int(text.size()), bold});
        text += index.data().toString().replace(QLatin1Char('\n'), QChar::LineSeparator);
        if (!remedy.isEmpty()) {
            formats.append({int(text.size()), int(remedy.size()) + 1, dim});
            text += QChar::LineSeparator + remedy;
        }
        m_layout.setText(text);
        m_layout.setFont(textFont());
        m_layout.setFormats(formats);
        QTextOption option;
        option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
        m_layout.setTextOption(option);
        m_layout.beginLayout();
        for (QTextLine line = m_layout.createLine(); line.isValid(); line = m_layout.createLine()) {
            line.setLineWidth(std::max(width, 40));
            line.setPosition({0, m_height});
            m_height += line.height();
        }
        m_layout.endLayout();
    }
    int height() const { return int(std::ceil(m_height)); }
    void draw(QPainter &painter, const QPointF &at) const { m_layout.draw(&painter, at); }

private:
    QTextLayout m_layout;
    qreal m_height = 0;
};

class ProblemDelegate : public QStyledItemDelegate
{
public:
    ProblemDelegate(QTreeView &view) : QStyledItemDelegate(&view), m_view(view) {}

    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &index) const override
    {
        if (index.column() != ProblemModel::Message) return {60, minRowHeight};
        const int width = isAlone(index) ? m_view.viewport()->width() : sentenceWidth(index);
        return {width, std::max(minRowHeight, ProblemText(index, textWidth(width)).height() + 2 * textGap)};
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const Theme &theme = Theme::current();
        QStyleOptionViewItem plain = option;
        initStyleOption(&plain, index);
        if (isAlone(index)) { // the sentence has the row for itself
            if (index.column() != ProblemModel::Message) return;
            plain.rect.setLeft(0);
            plain.rect.setRight(m_view.viewport()->width());
            plain.viewItemPosition = QStyleOptionViewItem::OnlyOne;
        }
        plain.text.clear();
        const QWidget *widget = option.widget;
        widget->style()->drawControl(QStyle::CE_ItemViewItem, &plain, painter, widget);
        painter->save();
        if (index.data(ProblemModel::IsPreviousRole).toBool()) {
            painter->setBrushOrigin(0, 0); // the hatching continues from column to column
            painter->fillRect(plain.rect, theme.staleBrush());
        }
        if (index.column() == ProblemModel::Evidence) paintBars(*painter, option.rect, index);
        const bool hasText =
            index.column() == ProblemModel::Message || (index.column() == ProblemModel::Evidence && !hasPlot(index));
        if (hasText) { // over both columns: each paints its part, on its background
            QRect area = plain.rect;
            if (index.column() == ProblemModel::Evidence)
                area.setLeft(area.left() - m_view.columnWidth(ProblemModel::Message));
            if (!isAlone(index)) area.setWidth(sentenceWidth(index));
            painter->setClipRect(plain.rect, Qt::IntersectClip);
            paintText(*painter, area, index.siblingAtColumn(ProblemModel::Message));
        }
        painter->restore();
    }

private:
    /// Without a plot the sentence has its column, too.
    int sentenceWidth(const QModelIndex &index) const
    {
        return m_view.columnWidth(ProblemModel::Message) +
               (hasPlot(index) ? 0 : m_view.columnWidth(ProblemModel::Evidence));
    }

    static int textWidth(int columnWidth) { return columnWidth - textLeft - textRight; }

    static void paintText(QPainter &painter, const QRect &area, const QModelIndex &index)
    {
        const bool isInfo = index.data(ProblemModel::IsInfoRole).toBool();
        const ProblemText text(index, textWidth(area.width()));
        const int top = area.top() + std::max(textGap, (area.height() - text.height()) / 2);
        lineIcon(isInfo ? QStringLiteral("info") : QStringLiteral("warning"))
            .paint(&painter, area.left() + 12, top + (painter.fontMetrics().height() - iconSize) / 2, iconSize,
                   iconSize);
        const bool isPrevious = index.data(ProblemModel::IsPreviousRole).toBool();
        painter.setPen(isPrevious ? Theme::current().dim : Theme::current().text);
        text.draw(painter, QPointF(area.left() + textLeft, top));
    }

    /// The evidence as bars: heights on a log scale over three decades, the largest in amber.
    static void paintBars(QPainter &painter, const QRect &cell, const QModelIndex &index)
    {
        const auto bars = index.data(ProblemModel::PlotRole).value<QVector<double>>();
        if (bars.isEmpty()) return;
        QRect area(cell.left() + 4, 0, cell.width() - 8, std::min(cell.height(), minRowHeight) - 8);
        area.moveTop(cell.center().y() - area.height() / 2);
        const double most = *std::max_element(bars.begin(), bars.end());
        if (most <= 0 || area.width() < 8) return;
        // More bars than pixels: the largest of each group, in its place
        const int places = std::min(int(bars.size()), area.width() / 2);
        const double width = std::min(12.0, double(area.width()) / places);
        painter.setPen(Qt::NoPen);
        for (int p = 0; p < places; ++p) {
            const int from = int(qint64(p) * bars.size() / places), to = int(qint64(p + 1) * bars.size() / places);
            const double value = *std::max_element(bars.begin() + from, bars.begin() + std::max(to, from + 1));
            const double level = value > 0 ? std::clamp(1 + std::log10(value / most) / 3, 0.04, 1.0) : 0.0;
            const double height = level * area.height();
            painter.setBrush(value == most ? Theme::current().amber : Theme::current().accent);
            painter.drawRect(
                QRectF(area.left() + p * width, area.bottom() + 1 - height, std::max(1.0, width - 1), height));
        }
    }

    QTreeView &m_view;
};

} // namespace

ProblemsPanel::ProblemsPanel(Document &document, QWidget *parent)
    : QWidget(parent), m_document(document), m_model(new ProblemModel(document, this)), m_view(new QTreeView),
      m_none(new QLabel)
{
    m_view->setModel(m_model);
    m_view->setRootIsDecorated(false);
    m_view->setAllColumnsShowFocus(true);
    m_view->setAccessibleName(tr("Problems"));
    m_view->setItemDelegate(new ProblemDelegate(*m_view));
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerItem);
    m_view->setHeaderHidden(true);
    QHeaderView *header = m_view->header();
    header->setStretchLastSection(false);
    header->setSectionResizeMode(QHeaderView::Fixed);
    header->setSectionResizeMode(ProblemModel::Message, QHeaderView::Stretch);
    header->resizeSection(ProblemModel::Evidence, 84);
    header->moveSection(ProblemModel::Message, 0);          // the column that may span a row
    m_view->setColumnHidden(ProblemModel::Operation, true); // it precedes the sentence
    attachTableMenu(*m_view, QStringLiteral("problems"));
    m_none->setProperty("dim", true);
    m_none->setWordWrap(true);
    m_none->setContentsMargins(12, 8, 12, 8);
    auto *box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    box->addWidget(m_none);
    box->addWidget(m_view, 1);
    box->addStretch();

    // Another width, other lines; when every section has its new width
    m_layoutTimer.setSingleShot(true);
    m_layoutTimer.setInterval(0);
    connect(&m_layoutTimer, &QTimer::timeout, m_view, &QTreeView::doItemsLayout);
    connect(header, &QHeaderView::sectionResized, &m_layoutTimer, qOverload<>(&QTimer::start));
    connect(m_view->verticalScrollBar(), &QScrollBar::valueChanged, this, [this] {
        const QModelIndex first = m_view->indexAt({0, 0});
        const QModelIndex last = m_view->indexAt({0, m_view->viewport()->height() - 1});
        if (!first.isValid()) return;
        // They may widen the column, but not make it narrow for the others
        const int width = makeButtons(first.row(), last.isValid() ? last.row() + 1 : m_model->rowCount());
        if (width > m_view->header()->sectionSize(ProblemModel::Remedy))
            m_view->header()->resizeSection(ProblemModel::Remedy, width);
    });
    // Once for an edit and what follows from it, and after the other views: buttons take the longest
    m_refreshTimer.setSingleShot(true);
    m_refreshTimer.setInterval(0);
    connect(&m_refreshTimer, &QTimer::timeout, this, &ProblemsPanel::refresh);
    connect(m_model, &QAbstractItemModel::modelReset, &m_refreshTimer, qOverload<>(&QTimer::start));
    connect(&document, &Document::graphChanged, &m_refreshTimer, qOverload<>(&QTimer::start)); // known operations
    const auto refreshNone = [this] { m_none->setText(emptyText()); };
    connect(&document.history(), &RunHistory::shownChanged, this, refreshNone);
    connect(&document.history(), &RunHistory::evidenceChanged, this, refreshNone);
    connect(&document.requests(), &EngineRequests::jobChanged, this, refreshNone);
    // Not the current row: a view makes its first one current when it gets the focus, without a choice of the user
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this](const QItemSelection &rows) {
        if (rows.isEmpty()) return;
        const QModelIndex index = rows.indexes().front();
        const QString operation = index.data(ProblemModel::OperationRole).toString();
        if (!m_document.graph() || m_document.graph()->find(operation) < 0) return;
        m_document.setCurrent(operation);
        const QString variable = index.data(ProblemModel::VariableRole).toString();
        for (const int i : m_document.history().configsOf(operation))
            if (const ConfigInfo &config = m_document.history().configs()[i]; config.variable == variable)
                return m_document.chooseSlot(operation, config.role, config.index);
    });
    refresh();
}

QString ProblemsPanel::emptyText() const
{
    if (m_model->rowCount() > 0 || m_document.isEmpty()) return {};
    if (const RunPtr &run = m_document.history().shown(); run && run->isComplete)
        return engineText(api::noProblemsText({.outputs = !run->outputs.isEmpty(),
                                               .graphwise = !run->graphwise.isEmpty(),
                                               .layerwise = !run->layerwise.isEmpty(),
                                               .ranges = m_document.history().evidenceOf(run) != nullptr}));
    if (m_document.requests().job().isRunning) return tr("Running. Problems appear here when the run has finished.");
    return tr("Press F5 to run the model; problems appear here.");
}

void ProblemsPanel::refresh()
{
    const int count = m_model->rowCount();
    m_none->setText(emptyText());
    m_none->setVisible(count == 0);
    m_view->setVisible(count > 0);
    if (count > 0 && m_model->index(0, 0).data(ProblemModel::IsGainRole).toBool()) m_view->scrollToTop();
    m_view->header()->resizeSection(ProblemModel::Remedy, makeButtons(0, maxButtonRows));
    m_layoutTimer.start();
    int serious = 0; // the rest is information
    for (int row = 0; row < count; ++row) serious += !m_model->index(row, 0).data(ProblemModel::IsInfoRole).toBool();
    Q_EMIT countChanged(serious);
}

void ProblemsPanel::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    const int buttons = width() < wideForOne ? 0 : width() < wideForTwo ? 1 : 2;
    if (buttons == m_buttonsInRow) return;
    m_buttonsInRow = buttons;
    m_view->setColumnHidden(ProblemModel::Evidence, buttons < 2);
    for (int row = 0; row < m_model->rowCount(); ++row)
        m_view->setIndexWidget(m_model->index(row, ProblemModel::Remedy), nullptr);
    refresh();
}

int ProblemsPanel::makeButtons(int from, int to)
{
    int width = 0;
    for (int row = from; row < std::min(m_model->rowCount(), to); ++row) {
        const QModelIndex index = m_model->index(row, ProblemModel::Remedy);
        const QString operation = index.data(ProblemModel::OperationRole).toString();
        // Empty: about the whole model
        const bool known = m_document.graph() && (operation.isEmpty() || m_document.graph()->find(operation) >= 0);
        if (!known || actionsOf(index).empty()) continue;
        QWidget *cell = m_view->indexWidget(index);
        const bool isNew = !cell;
        if (isNew) cell = makeCell(index);
        // A cell is smaller than its column by the padding of the style sheet
        width = std::max(width, cell->minimumSizeHint().width() + cellPadding);
        if (isNew) m_view->setIndexWidget(index, cell);
    }
    return width;
}

QWidget *ProblemsPanel::makeCell(const QModelIndex &index)
{
    const QString operation = index.data(ProblemModel::OperationRole).toString();
    QVector<Offer> offers;
    for (const api::Action &action : actionsOf(index)) offers.append({action, measuredGain(m_document, action)});
    // Tried ones are ordered by their gain
    const auto rank = [](const Offer &offer) {
        return !offer.gain           ? std::pair(1, 0.0)
               : offer.gain->helps() ? std::pair(0, -offer.gain->value)
                                     : std::pair(2, 0.0);
    };
    std::stable_sort(offers.begin(), offers.end(), [&](const Offer &a, const Offer &b) { return rank(a) < rank(b); });
    auto *cell = new QWidget;
    auto *line = new QHBoxLayout(cell);
    line->setContentsMargins(4, 1, 8, 1);
    line->setSpacing(6);
    const auto act = [this, operation](const api::Action &action) {
        try {
            applyRemedy(m_document, action, operation);
        } catch (const Error &error) {
            Q_EMIT m_document.note(exceptionText(error));
        }
    };
    for (const Offer &offer : offers.mid(0, m_buttonsInRow)) {
        const QString title = offer.title();
        auto *button = new QPushButton(title);
        button->setProperty("remedy", true);
        button->setObjectName(QStringLiteral("remedy_") + QString::fromStdString(offer.action.id));
        button->setToolTip(offer.meaning());
        button->setAccessibleName(operation.isEmpty() ? title : tr("%1: %2").arg(title, operation));
        button->ensurePolished(); // the style sheet's font and padding affect the width
        button->setMinimumWidth(button->sizeHint().width());
        line->addWidget(button);
        connect(button, &QPushButton::clicked, this, [act, action = offer.action] { act(action); });
    }
    if (offers.size() > m_buttonsInRow) {
        auto *more = new QToolButton;
        more->setText(QStringLiteral("⋯"));
        const QString title = m_buttonsInRow == 0 ? tr("Remedies") : tr("More remedies");
        more->setToolTip(title);
        more->setAccessibleName(operation.isEmpty() ? title : QStringLiteral("%1: %2").arg(title, operation));
        more->setPopupMode(QToolButton::InstantPopup);
        auto *menu = new QMenu(more);
        menu->setToolTipsVisible(true);
        for (const Offer &offer : offers.mid(m_buttonsInRow)) {
            QAction *entry = menu->addAction(offer.title(), this, [act, action = offer.action] { act(action); });
            entry->setObjectName(QStringLiteral("remedy_") + QString::fromStdString(offer.action.id));
            entry->setToolTip(offer.meaning());
        }
        more->setMenu(menu);
        more->ensurePolished();
        more->setMinimumWidth(more->sizeHint().width());
        line->addWidget(more);
    }
    line->addStretch();
    return cell;
}

} // namespace ql
