#include "views/window/center_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>
#include <algorithm>

namespace ql {

void LegendBar::setEntries(QVector<QPair<QColor, QString>> entries, bool isRamp)
{
    m_entries = std::move(entries);
    m_isRamp = isRamp;
    updateGeometry();
    update();
}

QSize LegendBar::sizeHint() const
{
    int w = 0;
    for (const auto &[color, text] : m_entries) w += m_isRamp ? 17 : 20 + fontMetrics().horizontalAdvance(text) + 10;
    if (m_isRamp && !m_entries.isEmpty())
        w += fontMetrics().horizontalAdvance(m_entries.front().second) +
             fontMetrics().horizontalAdvance(m_entries.back().second) + 12;
    return {w, 20};
}

void LegendBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &theme = Theme::current();
    int x = 0;
    const auto text = [&](const QString &label) {
        painter.setPen(theme.dim);
        const int w = fontMetrics().horizontalAdvance(label);
        painter.drawText(QRect(x, 0, w + 2, height()), Qt::AlignVCenter, label);
        x += w;
    };
    const auto swatch = [&](const QColor &color) {
        painter.setPen(theme.line);
        painter.setBrush(color);
        painter.drawRect(x, height() / 2 - 5, 14, 10);
    };
    for (qsizetype i = 0; i < m_entries.size(); ++i) {
        if (m_isRamp && i == 0) {
            text(m_entries[i].second);
            x += 6;
        }
        swatch(m_entries[i].first);
        x += m_isRamp ? 17 : 20;
        if (m_isRamp && i + 1 < m_entries.size()) continue;
        if (m_isRamp) x += 3;
        text(m_entries[i].second);
        x += 10;
    }
}

CenterView::CenterView(Document &document, QWidget *parent)
    : QWidget(parent), m_document(document), m_model(new OperationModel(this)), m_filter(new OperationFilter(this)),
      m_graph(new GraphView), m_table(new QTableView), m_tabs(new QTabBar), m_overlay(new QComboBox),
      m_legend(new LegendBar), m_path(new QLabel), m_stack(new QStackedWidget), m_strip(new QWidget)
{
    m_filter->setSourceModel(m_model);
    m_table->setModel(m_filter);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(OperationModel::Position, Qt::AscendingOrder);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setShowGrid(false);
    m_table->setAlternatingRowColors(false);
    m_table->setWordWrap(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(24);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionsMovable(true);
    m_table->horizontalHeader()->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->setAccessibleName(tr("Operations"));
    const QVector<int> widths{44, 200, 110, 110, 110, 74, 84, 84, 78, 84, 84, 76, 300};
    for (int c = 0; c < widths.size(); ++c) m_table->setColumnWidth(c, widths[c]);

    m_strip->setProperty("strip", true);
    m_strip->setAttribute(Qt::WA_StyledBackground);
    auto *row = new QHBoxLayout(m_strip);
    row->setContentsMargins(8, 2, 10, 0);
    row->setSpacing(8);
    m_tabs->addTab(tr("Graph"));
    m_tabs->addTab(tr("Table"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setTabToolTip(0, tr("Space swaps graph and table at the same operation"));
    m_tabs->setAccessibleName(tr("Graph or table"));
    m_path->setProperty("dim", true);
    m_path->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto *label = new QLabel(tr("Colour"));
    label->setProperty("dim", true);
    for (const OverlayKind kind : {OverlayKind::Platform, OverlayKind::Precision, OverlayKind::Graphwise,
                                   OverlayKind::Layerwise, OverlayKind::Difference, OverlayKind::ScaleGroup})
        m_overlay->addItem(overlayName(kind), int(kind));
    m_overlay->setAccessibleName(tr("Colour of the graph"));
    m_overlay->setObjectName(QStringLiteral("overlay"));
    label->setBuddy(m_overlay);
    row->addWidget(m_tabs);
    row->addWidget(m_path, 1);
    row->addWidget(label);
    row->addWidget(m_overlay);
    row->addWidget(m_legend);
    m_stack->addWidget(m_graph);
    m_stack->addWidget(m_table);
    auto *box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    box->addWidget(m_strip);
    box->addWidget(m_stack, 1);

    connect(m_tabs, &QTabBar::currentChanged, this, [this] { refreshPage(); });
    connect(m_overlay, &QComboBox::activated, this,
            [this] { setOverlay(OverlayKind(m_overlay->currentData().toInt())); });
    connect(&m_layout, &LayoutJob::finished, this, [this](const ScenePtr &scene) {
        m_graph->setRows(m_model->rows());
        m_graph->setScene(scene);
        if (!m_query.isEmpty()) search(m_query);
        if (!m_document.current().isEmpty()) m_graph->reveal(m_document.current());
    });
    connect(m_graph, &GraphView::currentRequested, &document, &Document::setCurrent);
    connect(m_graph, &GraphView::selectionRequested, &document, &Document::setSelection);
    connect(m_graph, &GraphView::foldRequested, this, &CenterView::setFolded);
    connect(m_graph, &GraphView::contextMenuRequested, this, &CenterView::contextMenuRequested);
    connect(m_table, &QWidget::customContextMenuRequested, this, [this](const QPoint &at) {
        Q_EMIT contextMenuRequested(m_table->indexAt(at).data(OperationModel::OperationRole).toString(),
                                    m_table->viewport()->mapToGlobal(at));
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &CenterView::takeTableSelection);
    connect(m_table->horizontalHeader(), &QWidget::customContextMenuRequested, this, &CenterView::chooseColumns);
    connect(&document, &Document::graphChanged, this, [this] {
        refreshRows();
        relayout();
        refreshPage();
    });
    connect(&document, &Document::configsChanged, this, [this] {
        refreshRows();
        if (m_document.graph() && fused() != m_folding.fusedInto) relayout();
    });
    connect(&document, &Document::resultChanged, this, [this] {
        // The first errors are what everybody wants to see
        const bool hasErrors = m_document.result() && !m_document.result()->graphwise.isEmpty();
        if (hasErrors && !m_hadErrors && m_graph->overlay() == OverlayKind::Platform)
            setOverlay(OverlayKind::Graphwise);
        m_hadErrors = hasErrors;
        refreshRows();
    });
    connect(&document, &Document::runsChanged, this, &CenterView::refreshRows);
    connect(&document, &Document::recipeChanged, this, &CenterView::refreshPage);
    connect(&document, &Document::selectionChanged, this, &CenterView::showSelection);
    connect(&document, &Document::currentChanged, this, [this](const QString &operation) {
        showSelection();
        m_graph->reveal(operation);
    });
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &CenterView::refreshLegend);
    setOverlay(OverlayKind::Platform);
}

void CenterView::setStartPage(QWidget *page)
{
    m_startPage = page;
    m_stack->addWidget(page);
    refreshPage();
}

void CenterView::refreshPage()
{
    const bool start = m_document.isEmpty() && m_startPage;
    m_strip->setVisible(!start);
    m_stack->setCurrentWidget(start                         ? m_startPage
                              : m_tabs->currentIndex() == 1 ? static_cast<QWidget *>(m_table)
                                                            : m_graph);
    if (!m_document.graph()) m_graph->setPlaceholder(tr("The engine is reading the model…"));
    QString path = m_document.graph() ? m_document.graph()->modelPath.section(QLatin1Char('/'), -1) : QString();
    if (m_document.graph())
        path += QStringLiteral("  ·  ") + tr("%n operation(s)", nullptr, int(m_document.graph()->operations.size()));
    const QStringList groups = m_document.current().split(QLatin1Char('/'), Qt::SkipEmptyParts);
    if (groups.size() > 1)
        path += QStringLiteral("  ›  ") + groups.mid(0, groups.size() - 1).join(QStringLiteral(" › "));
    m_path->setText(path);
}

void CenterView::showTable(bool table)
{
    m_tabs->setCurrentIndex(table ? 1 : 0);
    (table ? static_cast<QWidget *>(m_table) : m_graph)->setFocus();
    if (!table) m_graph->reveal(m_document.current(), true);
}

bool CenterView::showsTable() const
{
    return m_tabs->currentIndex() == 1;
}

void CenterView::setOverlay(OverlayKind kind)
{
    m_overlay->setCurrentIndex(m_overlay->findData(int(kind)));
    m_graph->setOverlay(kind);
    refreshLegend();
}

void CenterView::refreshLegend()
{
    const OverlayKind kind = m_graph->overlay();
    m_legend->setEntries(overlayLegend(kind, *m_model->rows(), Theme::current()), isRamp(kind));
}

void CenterView::refreshRows()
{
    m_model->setRows(operationRows(m_document));
    m_graph->setRows(m_model->rows());
    refreshLegend();
    if (!m_query.isEmpty()) search(m_query);
    Q_EMIT rowsChanged();
}

/// By the last run, also while it is stale: what an edit does not touch stays where it is.
QHash<int, int> CenterView::fused() const
{
    if (!m_foldsFused || !m_document.graph()) return {};
    const RunPtr &run = m_document.result();
    const bool fromRun = run && !run->configs.isEmpty();
    return fusedActivations(*m_document.graph(), fromRun ? run->configs : m_document.configs());
}

void CenterView::relayout()
{
    const GraphPtr &graph = m_document.graph();
    if (!graph) {
        m_layout.cancel();
        m_graph->setScene({});
        return;
    }
    m_folding.fusedInto = fused();
    const ScenePtr &before = m_graph->scene();
    m_layout.start(graph, m_folding, before);
}

void CenterView::setFolded(const QString &prefix, bool fold)
{
    if (prefix.isEmpty())
        m_folding.foldsShapeWork = fold;
    else if (fold)
        m_folding.folded.insert(prefix);
    else
        m_folding.folded.remove(prefix);
    relayout();
}

void CenterView::setFoldsFused(bool fold)
{
    m_foldsFused = fold;
    relayout();
}

void CenterView::takeTableSelection()
{
    if (m_isTaking) return;
    QStringList names;
    for (const QModelIndex &index : m_table->selectionModel()->selectedRows())
        names.append(index.data(OperationModel::OperationRole).toString());
    const QString current = m_table->currentIndex().data(OperationModel::OperationRole).toString();
    m_isTaking = true;
    m_document.setSelection(names, names.contains(current) ? current : names.value(0));
    m_isTaking = false;
}

void CenterView::showSelection()
{
    m_graph->setSelection(m_document.selection(), m_document.current());
    refreshPage();
    if (m_isTaking) return;
    m_isTaking = true;
    QItemSelection selection;
    QModelIndex current;
    for (const QString &name : m_document.selection()) {
        const int row = m_model->rowOf(name);
        if (row < 0) continue;
        const QModelIndex index = m_filter->mapFromSource(m_model->index(row, 0));
        if (!index.isValid()) continue;
        selection.select(index, index.siblingAtColumn(OperationModel::ColumnCount - 1));
        if (name == m_document.current()) current = index;
    }
    m_table->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
    if (current.isValid()) {
        m_table->selectionModel()->setCurrentIndex(current, QItemSelectionModel::NoUpdate);
        m_table->scrollTo(current);
    }
    m_isTaking = false;
}

QString CenterView::search(const QString &text)
{
    m_query = text;
    const SearchQuery query = SearchQuery::parse(text);
    m_hits.clear();
    QSet<int> marked;
    if (!query.isEmpty())
        for (int i = 0; i < m_model->rows()->size(); ++i)
            if (query.matches(m_model->rows()->at(i))) {
                m_hits.append(i);
                marked.insert(i);
            }
    m_isTaking = true;
    m_filter->setQuery(query);
    m_isTaking = false;
    m_graph->setMarked(marked, !query.isEmpty());
    return query.error();
}

void CenterView::nextHit(int step)
{
    if (m_hits.isEmpty()) return;
    const int current = m_model->rowOf(m_document.current());
    int next = step > 0 ? m_hits.front() : m_hits.back();
    if (step > 0) {
        if (const auto it = std::upper_bound(m_hits.begin(), m_hits.end(), current); it != m_hits.end()) next = *it;
    } else if (const auto it = std::lower_bound(m_hits.begin(), m_hits.end(), current); it != m_hits.begin()) {
        next = *std::prev(it);
    }
    m_document.setCurrent(m_model->rows()->at(next).name);
}

void CenterView::chooseColumns(const QPoint &at)
{
    QMenu menu;
    for (int column = 1; column < OperationModel::ColumnCount; ++column) {
        auto *action = menu.addAction(m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        action->setCheckable(true);
        action->setChecked(!m_table->isColumnHidden(column));
        connect(action, &QAction::toggled, m_table,
                [this, column](bool shown) { m_table->setColumnHidden(column, !shown); });
    }
    menu.exec(m_table->horizontalHeader()->mapToGlobal(at));
}

} // namespace ql
