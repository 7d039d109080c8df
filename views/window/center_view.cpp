#include "views/window/center_view.h"

#include "views/bridge/engine_requests.h"
#include "views/bridge/run_history.h"
#include "views/graph/graph_export.h"
#include "views/style/buttons.h"
#include "views/style/file_writer.h"
#include "views/style/legend_bar.h"
#include "views/style/strip.h"
#include "views/window/breadcrumbs.h"
#include "views/window/operation_delegate.h"

#include <QAction>
#include <QComboBox>
#include <QFontMetrics>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QSettings>
#include <QStackedWidget>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>
#include <algorithm>
#include <memory>

namespace ql {

/// Pixels that path and legend get in the strip, beyond the minimum, before a label and the buttons of the history,
/// which also has keys, are shown.
static constexpr int roomForRest = 310;
/// Pixels of height: a small screen also has a message, docks and bars.
static constexpr int minGraph = 80;

/// Pixels around the text of the chooser of colours.
static constexpr int aroundChoice = 36;

static const auto leftToRightSetting = QStringLiteral("graph/leftToRight");

CenterView::CenterView(Document &document, QWidget *parent)
    : QWidget(parent), m_document(document), m_model(new OperationModel(this)), m_filter(new OperationFilter(this)),
      m_graph(new GraphView), m_table(new QTableView), m_tabs(new QTabBar), m_overlay(new QComboBox),
      m_legend(new LegendBar), m_path(new Breadcrumbs), m_history(new QWidget), m_stack(new QStackedWidget),
      m_strip(new Strip)
{
    makeTable();
    makeStrip();
    m_arrangement.leftToRight = QSettings().value(leftToRightSetting).toBool();
    m_graph->setMinimumHeight(minGraph);
    m_stack->addWidget(m_graph);
    m_stack->addWidget(m_table);
    auto *box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    box->addWidget(m_strip);
    box->addWidget(m_stack, 1);
    connectViews();
    connectDocument();
    m_rowsTimer.setSingleShot(true);
    m_rowsTimer.setInterval(0);
    connect(&m_rowsTimer, &QTimer::timeout, this, [this] {
        m_rowsTimer.start(); // as requested: refreshRowsNow() ends it
        refreshRowsNow();
    });
    setOverlay(OverlayKind::Platform);
}

void CenterView::makeStrip()
{
    m_strip->setProperty("strip", true);
    m_strip->setAttribute(Qt::WA_StyledBackground);
    QHBoxLayout *row = m_strip->row();
    row->setContentsMargins(8, 2, 10, 0);
    row->setSpacing(8);
    m_tabs->addTab(tr("Graph"));
    m_tabs->addTab(tr("Table"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setUsesScrollButtons(false); // which would need more room than the tabs
    m_tabs->setTabToolTip(0, tr("Space switches between graph and table, keeping the current operation"));
    m_tabs->setAccessibleName(tr("Graph or table"));
    m_overlayLabel = new QLabel(tr("Colour"));
    m_overlayLabel->setProperty("dim", true);
    for (const OverlayKind kind : {OverlayKind::Platform, OverlayKind::Precision, OverlayKind::Graphwise,
                                   OverlayKind::Layerwise, OverlayKind::Difference, OverlayKind::ScaleGroup})
        m_overlay->addItem(overlayName(kind), int(kind));
    m_overlay->setAccessibleName(tr("Colour of the graph"));
    m_overlay->setObjectName(QStringLiteral("overlay"));
    m_overlayLabel->setBuddy(m_overlay);
    m_overlay->setToolTip(tr("Colour of the graph"));
    row->addWidget(m_tabs);
    row->addWidget(m_history);
    row->addWidget(m_path); // a stretch would shrink it first
    row->addWidget(m_overlayLabel);
    row->addWidget(m_overlay);
    row->addWidget(m_legend);
    m_legend->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred); // up to its full width
    m_strip->setOptional({m_overlayLabel, m_history}, roomForRest);          // the chooser also shows the label
}

void CenterView::connectViews()
{
    connect(m_tabs, &QTabBar::currentChanged, this, [this] { refreshPage(); });
    connect(m_overlay, &QComboBox::activated, this,
            [this] { setOverlay(OverlayKind(m_overlay->currentData().toInt())); });
    connect(&m_layout, &LayoutJob::finished, this, [this](const ScenePtr &scene) {
        refreshRowsNow();
        const bool follows = !m_graph->scene() || m_graph->shows(m_document.current());
        m_graph->setScene(scene);
        if (!m_query.isEmpty()) search(m_query);
        if (follows && !m_document.current().isEmpty()) m_graph->reveal(m_document.current());
    });
    connect(m_graph, &GraphView::currentRequested, &m_document, &Document::setCurrent);
    connect(m_graph, &GraphView::selectionRequested, &m_document, &Document::setSelection);
    connect(m_graph, &GraphView::foldRequested, this, &CenterView::setFolded);
    connect(m_graph, &GraphView::foldCurrentRequested, this, &CenterView::foldCurrent);
    connect(m_graph, &GraphView::wrapRequested, this, &CenterView::wrap);
    connect(m_path, &Breadcrumbs::chosen, this, &CenterView::goToCrumb);
    connect(m_path, &Breadcrumbs::menuRequested, this, [this](const QString &key, const QPoint &at) {
        QMenu menu;
        if (key.isEmpty())
            addFoldActions(menu, m_document.current());
        else
            menu.addAction(tr("Collapse %1").arg(key.section(QLatin1Char(':'), -1)), this,
                           [this, key] { setFolded(key, true); });
        menu.exec(at);
    });
    connect(m_graph, &GraphView::contextMenuRequested, this, &CenterView::contextMenuRequested);
}

void CenterView::connectDocument()
{
    connect(&m_document, &Document::graphChanged, this, [this] {
        refreshRows();
        relayout();
        refreshPage();
    });
    connect(&m_document.history(), &RunHistory::configsChanged, this, [this] {
        refreshRows();
        if (m_document.graph() && fused() != m_folding.fusedInto) relayout();
    });
    connect(&m_document.history(), &RunHistory::shownChanged, this, [this] {
        // The first errors are what everybody wants to see
        const bool hasErrors = m_document.history().shown() && !m_document.history().shown()->graphwise.isEmpty();
        if (!m_document.graph() && m_graph->overlay() != OverlayKind::Platform) setOverlay(OverlayKind::Platform);
        if (hasErrors && !m_hadErrors && m_graph->overlay() == OverlayKind::Platform)
            setOverlay(OverlayKind::Graphwise);
        m_hadErrors = hasErrors;
        refreshRows();
    });
    connect(&m_document.history(), &RunHistory::runsChanged, this, &CenterView::refreshRows);
    connect(&m_document, &Document::recipeChanged, this, &CenterView::refreshPage);
    connect(&m_document.requests(), &EngineRequests::failed, this, &CenterView::refreshPage);
    connect(&m_document.requests().engine(), &EngineClient::stateChanged, this, &CenterView::refreshPage);
    connect(&m_document, &Document::selectionChanged, this, &CenterView::showSelection);
    connect(&m_document, &Document::currentChanged, this, [this](const QString &operation) {
        showSelection();
        m_graph->reveal(operation);
    });
    connect(m_graph, &GraphView::styled, this, &CenterView::refreshColors);
}

void CenterView::setStartPage(QWidget *page)
{
    auto *scroll = new QScrollArea; // a small window has no room for all of it
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(page);
    m_startPage = scroll;
    m_stack->addWidget(scroll);
    refreshPage();
}

void CenterView::refreshPage()
{
    const bool start = m_document.isEmpty() && m_startPage;
    m_strip->setVisible(!start);
    m_stack->setCurrentWidget(start                         ? m_startPage
                              : m_tabs->currentIndex() == 1 ? static_cast<QWidget *>(m_table)
                                                            : m_graph);
    if (!m_document.graph()) m_graph->setPlaceholder(missingText());
    refreshPath();
}

/// Why there is no graph.
QString CenterView::missingText() const
{
    switch (m_document.requests().engine().state()) {
    case EngineClient::State::Failed: return tr("The engine is not running.");
    case EngineClient::State::Starting: return tr("The engine is starting…");
    case EngineClient::State::Ready: break;
    }
    return m_document.requests().isInspecting() ? tr("The engine is reading the model…")
                                                : tr("The model cannot be read: see the message above.");
}

void CenterView::refreshPath()
{
    const GraphPtr &graph = m_document.graph();
    if (!graph) return m_path->setCrumbs({}, {});
    QVector<Breadcrumbs::Crumb> crumbs{
        {graph->modelPath.section(QLatin1Char('/'), -1), QString(), tr("The whole graph")}};
    QString note;
    if (const int op = graph->find(m_document.current()); op >= 0) {
        QSet<QString> known;
        const auto addPrefixes = [&](const QString &name) {
            for (const QString &prefix : prefixesOf(name, *graph)) {
                if (known.contains(prefix)) continue;
                known.insert(prefix);
                crumbs.append({prefix.section(QLatin1Char('/'), -1), prefix, tr("Go to %1").arg(prefix)});
            }
        };
        for (const int owner : graph->ownersOf(op)) {
            const QString &name = graph->operations[owner].name;
            addPrefixes(name);
            crumbs.append({graph->operations[owner].type, QStringLiteral("body:") + name, tr("Go to %1").arg(name)});
        }
        addPrefixes(m_document.current());
    } else {
        note = tr("%n operation(s)", nullptr, graph->topLevel);
    }
    m_path->setCrumbs(crumbs, note);
}

void CenterView::goToCrumb(const QString &key)
{
    const GraphPtr &graph = m_document.graph();
    if (!graph) return;
    if (showsTable()) showTable(false);
    if (key.isEmpty()) return m_graph->fitAll();
    if (key.startsWith(QLatin1String("body:"))) {
        m_document.setCurrent(key.mid(5));
    } else {
        QStringList names;
        for (const OperationInfo &op : graph->operations)
            if (op.name.startsWith(key + QLatin1Char('/'))) names.append(op.name);
        m_document.setSelection(names, m_document.current());
    }
    m_graph->fitSelection();
}

void CenterView::setHistoryActions(QAction *back, QAction *forward)
{
    auto *row = new QHBoxLayout(m_history);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    for (const auto &[action, icon] : {std::pair(back, "left"), std::pair(forward, "right")}) {
        QToolButton *button = iconButton(QLatin1String(icon), action->toolTip());
        button->setFocusPolicy(Qt::TabFocus);
        button->setAccessibleName(plainText(action->text()));
        button->setEnabled(action->isEnabled());
        connect(action, &QAction::changed, button,
                [action = action, button] { button->setEnabled(action->isEnabled()); });
        connect(button, &QToolButton::clicked, action, &QAction::trigger);
        row->addWidget(button);
    }
}

void CenterView::showTable(bool table)
{
    m_tabs->setCurrentIndex(table ? 1 : 0);
    (table ? static_cast<QWidget *>(m_table) : m_graph)->setFocus();
    if (table) scrollToCurrentRow();
    if (!table) m_graph->reveal(m_document.current(), true);
}

bool CenterView::showsTable() const
{
    return m_tabs->currentIndex() == 1;
}

void CenterView::setOverlay(OverlayKind kind)
{
    m_overlay->setCurrentIndex(m_overlay->findData(int(kind)));
    const int width = fontMetrics().horizontalAdvance(m_overlay->currentText()) + aroundChoice;
    m_overlay->setFixedWidth(width); // the path and the legend share the rest
    m_graph->setOverlay(kind);
    Q_EMIT overlayChanged(kind);
}

/// The column shown by an overlay; scale groups have none.
static int columnOf(OverlayKind kind)
{
    switch (kind) {
    case OverlayKind::Platform: return OperationModel::Platform;
    case OverlayKind::Precision: return OperationModel::Precision;
    case OverlayKind::Graphwise: return OperationModel::GraphwiseSqnr;
    case OverlayKind::Layerwise: return OperationModel::LayerwiseSqnr;
    case OverlayKind::Difference: return OperationModel::Change;
    case OverlayKind::ScaleGroup: break;
    }
    return OperationModel::Name;
}

void CenterView::refreshColors()
{
    m_legend->setEntries(m_graph->picture().legend(), isRamp(m_graph->overlay()));
    const Overlay overlay = makeOverlay(m_graph->overlay(), *m_model->rows(), Theme::current());
    QVector<QColor> colors;
    for (const OverlayValue &value : overlay.values) colors.append(value.color);
    m_delegate->setTint(columnOf(m_graph->overlay()), colors);
    m_table->viewport()->update();
}

void CenterView::refreshRows()
{
    m_rowsTimer.start();
}

void CenterView::refreshRowsNow()
{
    if (!m_rowsTimer.isActive()) return;
    m_rowsTimer.stop();
    m_model->setRun(m_document.history().shown());
    m_graph->setRun(m_document.history().shown());
    m_model->setRows(operationRows(m_document));
    m_graph->setRows(m_model->rows());
    if (!m_query.isEmpty()) search(m_query);
    Q_EMIT rowsChanged();
}

/// By the last run, even if it is stale: results unaffected by an edit stay in place.
QHash<int, int> CenterView::fused() const
{
    if (!m_foldsFused || !m_document.graph()) return {};
    const RunPtr &run = m_document.history().shown();
    const bool fromRun = run && !run->configs.isEmpty();
    return fusedActivations(*m_document.graph(), fromRun ? run->configs : m_document.history().configs());
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
    if (before && before->graph->modelPath != graph->modelPath && isWrapped()) {
        m_arrangement.wrapAspect = 0; // start at the top of another model
        Q_EMIT arrangementChanged();
    }
    m_layout.start(graph, m_folding, before, m_arrangement);
}

void CenterView::setLeftToRight(bool on)
{
    if (on == m_arrangement.leftToRight) return;
    m_arrangement.leftToRight = on;
    QSettings().setValue(leftToRightSetting, on);
    relayout();
    Q_EMIT arrangementChanged();
}

void CenterView::setWrapped(bool on)
{
    if (on != isWrapped()) wrap(on ? double(m_graph->width()) / std::max(1, m_graph->height()) : 0);
}

void CenterView::wrap(double aspect)
{
    m_arrangement.wrapAspect = aspect;
    relayout();
    Q_EMIT arrangementChanged();
}

void CenterView::recordFolded(const QString &key, bool fold)
{
    if (key.startsWith(QLatin1String("body:"))) {
        if (m_folding.isOpen(key) == fold && !m_folding.toggled.remove(key)) m_folding.toggled.insert(key);
    } else if (fold) {
        m_folding.unfolded.remove(key);
        if (!key.startsWith(QLatin1String("shape:"))) m_folding.folded.insert(key);
    } else {
        m_folding.folded.remove(key);
        m_folding.unfolded.insert(key);
    }
}

void CenterView::setFolded(const QString &key, bool fold)
{
    recordFolded(key, fold);
    relayout();
    Q_EMIT foldingChanged();
}

void CenterView::setAllFolded(FoldAll what, bool fold)
{
    const auto forget = [](QSet<QString> &keys, const QString &kind) {
        for (auto it = keys.begin(); it != keys.end();) it = it->startsWith(kind) ? keys.erase(it) : std::next(it);
    };
    switch (what) {
    case FoldAll::Shapes:
        m_folding.foldsShapeWork = fold;
        forget(m_folding.unfolded, QStringLiteral("shape:"));
        break;
    case FoldAll::Regions:
        m_folding.foldsRegions = fold;
        forget(m_folding.unfolded, QStringLiteral("region:"));
        forget(m_folding.folded, QStringLiteral("region:"));
        break;
    case FoldAll::Bodies:
        m_folding.opensBodies = !fold;
        m_folding.toggled.clear();
        break;
    }
    relayout();
    Q_EMIT foldingChanged();
}

void CenterView::foldNames(int depth)
{
    if (!m_document.graph()) return;
    m_folding.folded.clear();
    m_folding.unfolded.clear();
    if (depth > 0)
        for (const QString &prefix : namePrefixes(*m_document.graph()))
            if (prefix.mid(1).count(QLatin1Char('/')) + 1 == depth) m_folding.folded.insert(prefix);
    relayout();
    Q_EMIT foldingChanged();
}

void CenterView::foldCurrent()
{
    const GraphPtr &graph = m_document.graph();
    const int op = graph ? graph->find(m_document.current()) : -1;
    if (op < 0) return;
    const QVector<int> owners = graph->ownersOf(op);
    const QString inside = owners.isEmpty() ? QString() : graph->operations[owners.back()].name;
    const QStringList prefixes = prefixesOf(m_document.current(), *graph);
    // Longest first, but not collapsed ones, and not those around the body
    for (auto it = prefixes.rbegin(); it != prefixes.rend(); ++it) {
        const bool holdsBody = !inside.isEmpty() && inside.startsWith(*it + QLatin1Char('/'));
        const bool isFolded = std::any_of(m_folding.folded.begin(), m_folding.folded.end(), [&](const QString &key) {
            return *it == key || it->startsWith(key + QLatin1Char('/'));
        });
        if (!holdsBody && !isFolded) return setFolded(*it, true);
    }
    if (!inside.isEmpty()) {
        setFolded(QStringLiteral("body:") + inside, true);
        m_document.setCurrent(inside);
    }
}

void CenterView::addFoldActions(QMenu &menu, const QString &operation)
{
    const GraphPtr &graph = m_document.graph();
    const int op = graph ? graph->find(operation) : -1;
    if (op < 0) return;
    const auto add = [&](const QString &text, const QString &key, bool fold) {
        menu.addAction(text, this, [this, key, fold] { setFolded(key, fold); });
    };
    if (const ScenePtr &scene = m_graph->scene(); scene && scene->graph == graph) {
        const ViewNode &node = scene->view.nodes[scene->view.nodeOf[op]];
        if (!node.fold.isEmpty())
            add(node.isOpen ? tr("Collapse the body of %1").arg(operation)
                : node.kind == ViewNode::Kind::Operation
                    ? tr("Show the body of %1").arg(operation)
                    : tr("Expand %1").arg(m_graph->picture().titleOf(scene->view.nodeOf[op])),
                node.fold, node.isOpen);
    }
    for (const QString &prefix : prefixesOf(operation, *graph))
        if (!m_folding.folded.contains(prefix)) add(tr("Collapse %1").arg(prefix), prefix, true);
    if (op >= graph->topLevel) return;
    const QVector<int> regions = dispatchRegions(*graph);
    const QString key = QStringLiteral("region:") + graph->operations[regions[op]].name;
    const int size = int(std::count(regions.begin(), regions.end(), regions[op]));
    const bool isFolded =
        m_folding.folded.contains(key) || (m_folding.foldsRegions && !m_folding.unfolded.contains(key));
    if (size > 1 && !isFolded)
        add(tr("Collapse this region of %1 (%n operation(s))", nullptr, size).arg(graph->operations[op].platform), key,
            true);
}

void CenterView::savePicture(const QString &path)
{
    const auto error = std::make_shared<QString>();
    writeInBackground(pictureWriter(path, error), *this,
                      [this, path, error](bool) { Q_EMIT pictureSaved(path, *error); });
}

FileWriter CenterView::pictureWriter(const QString &path, const std::shared_ptr<QString> &error) const
{
    // A copy: the drawing may change before the file is written
    return [picture = m_graph->picture(), path, title = m_document.title(), error] {
        const QString wrong = writeGraphPicture(picture, path, title);
        if (error) *error = wrong;
        return wrong.isEmpty();
    };
}

void CenterView::setFoldsFused(bool fold)
{
    m_foldsFused = fold;
    relayout();
}

QString CenterView::search(const QString &text)
{
    refreshRowsNow();
    const bool isOther = text != m_query, showedCurrent = showsCurrentRow();
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
    selectInTable(); // rows that reappear are selected again
    if (isOther && !text.isEmpty() && !showedCurrent) m_table->scrollToTop();
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
    const QString name = m_model->rows()->at(next).name;
    uncover(name);
    m_document.setCurrent(name);
}

/// Expands everything that hides an operation: the bodies that contain it, and the groups around it and around them.
void CenterView::uncover(const QString &operation)
{
    const GraphPtr &graph = m_document.graph();
    const int op = graph ? graph->find(operation) : -1;
    if (op < 0) return;
    bool isChanged = false;
    const auto unfold = [&](const QString &key) {
        recordFolded(key, false);
        isChanged = true;
    };
    for (const int inner : graph->ownersOf(op) + QVector<int>{op}) {
        // A group may be inside another one
        while (true) {
            const ViewGraph view = makeViewGraph(*graph, m_folding, graph->operations[inner].body);
            const ViewNode &node = view.nodes[view.nodeOf[inner]];
            if (node.kind != ViewNode::Kind::Group) break;
            unfold(node.fold);
        }
        const QString body = QStringLiteral("body:") + graph->operations[inner].name;
        if (inner != op && !m_folding.isOpen(body)) unfold(body);
    }
    if (!isChanged) return;
    relayout();
    Q_EMIT foldingChanged();
}

} // namespace ql
