#include "views/panels/platform_comparison.h"

#include "views/bridge/engine_requests.h"
#include "views/bridge/engine_text.h"
#include "views/bridge/platform_item.h"
#include "views/bridge/run_history.h"
#include "views/models/operation_model.h"
#include "views/models/platform_difference.h"
#include "views/panels/table_export.h"
#include "views/style/plain_table.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QStyle>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace ql {

using nlohmann::json;

/// Rows of a table whose height fits their words.
static constexpr int maxFittedRows = 1000;
static constexpr int columnCount = 7;

PlatformComparison::PlatformComparison(Document &document, QWidget *parent)
    : QWidget(parent), m_document(document), m_other(new QComboBox),
      m_differences(
          plainTable(QStringList(columnCount), tr("Operations that differ"))), // headed by the platforms compared
      m_summary(new QLabel)
{
    auto *box = new QVBoxLayout(this);
    auto *choice = new QHBoxLayout;
    auto *against = new QLabel(tr("Compare on this model with"));
    against->setBuddy(m_other);
    choice->addWidget(against);
    choice->addWidget(m_other);
    choice->addStretch();
    box->addLayout(choice);
    m_summary->setWordWrap(true);
    m_summary->setObjectName(QStringLiteral("comparison"));
    box->addWidget(m_summary);
    box->addWidget(m_differences, 1);
    attachTableMenu(*m_differences, QStringLiteral("platforms"));
    connect(m_other, &QComboBox::activated, this, [this] { compareWith(m_other->currentText()); });
    connect(m_differences, &QTableWidget::currentCellChanged, this, [this](int row) {
        if (const QStringList operations = operationsAt(row); !operations.isEmpty())
            m_document.setSelection(operations, operations.front());
    });
    connect(&document.requests(), &EngineRequests::catalogueChanged, this, &PlatformComparison::fillOthers);
    connect(&document, &Document::recipeChanged, this, &PlatformComparison::fillOthers);
    connect(&document.history(), &RunHistory::configsChanged, this, [this] { // of another platform here
        if (isVisible() && m_other->count() > 0) compareWith(m_other->currentText());
    });
    connect(&document.requests().engine(), &EngineClient::finished, this,
            [this](RequestId id, const EngineAnswer &answer) {
                if (id == 0 || id != m_id) return;
                m_id = 0;
                showDifferences(answer.graph, answer.configs ? *answer.configs : QVector<ConfigInfo>());
            });
    connect(&document.requests().engine(), &EngineClient::failed, this, [this](RequestId id, const EngineError &error) {
        if (id == 0 || id != m_id) return;
        m_id = 0;
        m_summary->setText(engineSentences(error.message, error.remedy));
    });
    fillOthers();
}

void PlatformComparison::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (m_other->count() > 0) compareWith(m_other->currentText());
}

void PlatformComparison::fillOthers()
{
    const QString chosen = m_other->currentText();
    m_other->clear();
    for (const api::PlatformItem &item : platformItems(m_document))
        if (item.id != m_document.recipe().platform) m_other->addItem(QString::fromStdString(item.id));
    m_other->setCurrentIndex(std::max(0, m_other->findText(chosen)));
}

void PlatformComparison::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    layout()->activate(); // the table has its new width
    fitColumns();
}

/// An id in lines as wide as a column, broken after underscores.
static QString brokenId(const QString &id, const QFontMetrics &metrics, int width)
{
    QStringList lines{QString()};
    const QStringList parts = id.split(QLatin1Char('_'));
    for (qsizetype i = 0; i < parts.size(); ++i) {
        const QString part = i + 1 < parts.size() ? parts[i] + QLatin1Char('_') : parts[i];
        if (!lines.back().isEmpty() && metrics.horizontalAdvance(lines.back() + part) > width) lines.append(QString());
        lines.back() += part;
    }
    return lines.join(QLatin1Char('\n'));
}

void PlatformComparison::fitHeader()
{
    constexpr int around = 16; // padding of a section
    const QHeaderView *header = m_differences->horizontalHeader();
    const int width = header->sectionSize(columnCount - 1) - around;
    const QString here = QString::fromStdString(m_document.recipe().platform), there = m_other->currentText();
    const auto errorOf = [&](const QString &id) {
        return tr("Error\n%1").arg(brokenId(id, QFontMetrics(header->font()), width));
    };
    m_differences->setHorizontalHeaderLabels(
        {tr("Operations"), tr("Type"), here, there, tr("Why"), errorOf(here), errorOf(there)});
}

void PlatformComparison::fitColumns()
{
    const std::array<double, columnCount> shares{0.13, 0.14, 0.17, 0.17, 0.2, 0.095, 0.095};
    // Next to the scroll bar, which appears when the rows are as high as their texts
    const int width = m_differences->width() - style()->pixelMetric(QStyle::PM_ScrollBarExtent) - 2;
    for (int column = 0; column < columnCount; ++column)
        m_differences->setColumnWidth(column, int(shares[std::size_t(column)] * width));
    fitHeader();
    if (m_differences->rowCount() <= maxFittedRows) m_differences->resizeRowsToContents();
}

void PlatformComparison::choose(const QString &platform)
{
    if (platform.toStdString() == m_document.recipe().platform || platform == m_other->currentText()) return;
    m_other->setCurrentText(platform);
    if (isVisible()) compareWith(platform); // otherwise when it is shown
}

void PlatformComparison::compareWith(const QString &platform)
{
    if (m_document.isEmpty() || platform.isEmpty()) return;
    m_other->setCurrentText(platform);
    auto wanted = m_document.requests().about<api::RecipeRequest>();
    wanted.recipe.platform = platform.toStdString();
    wanted.recipe.dispatcher.clear();
    wanted.recipe.passes.reset();
    m_summary->setText(tr("Reading…"));
    m_id = m_document.requests().engine().request(api::method::inspect, wanted);
}

QStringList PlatformComparison::operationsAt(int row) const
{
    const QTableWidgetItem *item = row < 0 ? nullptr : m_differences->item(row, 0);
    return item ? item->data(Qt::UserRole).toStringList() : QStringList();
}

RunPtr PlatformComparison::runOn(const QString &platform) const
{
    RunPtr found;
    for (const RunRecord &run : m_document.history().runs())
        if (run.data->recipe.platform == platform.toStdString()) found = run.data;
    return found;
}

/// The largest error that a run measured for these operations; empty if there is none.
static QString worstError(const RunPtr &run, const QStringList &operations)
{
    if (!run) return {};
    const bool isLayerwise = !run->layerwise.isEmpty();
    std::optional<double> worst;
    for (const QString &operation : operations)
        if (const auto noise = noiseOf(isLayerwise ? run->layerwise : run->graphwise,
                                       isLayerwise ? run->layerwiseOf : run->graphwiseOf, operation))
            worst = std::max(worst.value_or(0), *noise);
    return worst ? decibelText(decibels(worst)) : QString();
}

/// A few names, and the number of others.
static QString operationWords(const QStringList &operations)
{
    constexpr int most = 3;
    if (operations.size() <= most) return operations.join(QStringLiteral(", "));
    return PlatformComparison::tr("%n operation(s): %1 …", nullptr, int(operations.size()))
        .arg(operations.mid(0, most - 1).join(QStringLiteral(", ")));
}

void PlatformComparison::showDifferences(const GraphPtr &other, const QVector<ConfigInfo> &configs)
{
    const GraphPtr &graph = m_document.graph();
    m_differences->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_differences->setRowCount(0);
    if (!graph || !other) return;
    const QVector<PlatformDifference> differences =
        platformDifferences(*graph, m_document.inspectedConfigs(), *other, configs);
    const QVector<PlatformDifferenceGroup> groups = groupedDifferences(differences);
    const QString here = QString::fromStdString(m_document.recipe().platform), there = m_other->currentText();
    const RunPtr runHere = runOn(here), runThere = runOn(there);
    m_differences->setRowCount(int(groups.size()));
    for (int row = 0; row < int(groups.size()); ++row) {
        const auto &[operations, types, difference] = groups[row];
        const QStringList cells{operationWords(operations),
                                types.join(QStringLiteral(", ")),
                                difference.here,
                                difference.there,
                                difference.why,
                                worstError(runHere, operations),
                                worstError(runThere, operations)};
        const QString tip = difference.details.isEmpty() ? difference.why : difference.details;
        for (int column = 0; column < cells.size(); ++column) {
            auto *item = new QTableWidgetItem(cells[column]);
            item->setToolTip(column == 0 ? operations.join(QLatin1Char('\n'))
                             : column >= 5
                                 ? tr("Worst SQNR of these operations in the last run on this platform; empty: "
                                      "not run yet")
                                 : tip);
            if (column == 0) item->setData(Qt::UserRole, operations);
            m_differences->setItem(row, column, item);
        }
    }
    fitColumns();
    // As high as their words need; for thousands of rows that takes too long to determine
    const bool many = m_differences->rowCount() > maxFittedRows;
    m_differences->verticalHeader()->setDefaultSectionSize(many ? 48 : 30);
    m_differences->verticalHeader()->setSectionResizeMode(many ? QHeaderView::Fixed : QHeaderView::ResizeToContents);
    m_summary->setText(
        tr("%n operation(s) differ between %1 and %2.", nullptr, int(differences.size())).arg(here, there));
}

} // namespace ql
