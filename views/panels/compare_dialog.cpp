#include "views/panels/compare_dialog.h"

#include "views/bridge/engine_requests.h"
#include "views/bridge/run_history.h"
#include "views/commands/recipe_command.h"
#include "views/models/operation_model.h"
#include "views/panels/table_export.h"
#include "views/plots/plot_style.h"
#include "views/plots/qcp.h"
#include "views/style/buttons.h"
#include "views/style/screen.h"
#include "views/style/theme.h"

#include <QApplication>
#include <QButtonGroup>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QDir>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QTableWidget>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace ql {

using nlohmann::json;

/// Runs that are checked when the dialog opens: the baseline, the selected one and the most recent ones.
static constexpr int firstTicked = 4;
static constexpr int numberColumns[] = {3, 4, 6, 7};

CompareDialog::CompareDialog(Document &document, int number, QWidget *parent)
    : QDialog(parent), m_document(document), m_table(new QTableWidget), m_title(new QLabel), m_difference(new QLabel),
      m_plot(new QCustomPlot)
{
    setWindowTitle(tr("Compare runs"));
    resizeOnScreen(*this, {1120, 700});
    makeTable();
    auto *splitter = new QSplitter(Qt::Vertical);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(m_table);
    splitter->addWidget(makePlotSide());
    splitter->addWidget(makeDifferenceSide());
    splitter->setSizes({190, 330, 110});
    auto *box = new QVBoxLayout(this);
    box->addWidget(splitter, 1);
    box->addWidget(makeButtons());
    fill(number);
}

void CompareDialog::makeTable()
{
    const QStringList heads{tr("Run"),      tr("Name"),
                            tr("Platform"), tr("Output SQNR"),
                            tr("Accuracy"), tr("Worst operation"),
                            tr("Seconds"),  tr("Edits since baseline")};
    m_table->setColumnCount(int(heads.size()));
    m_table->setHorizontalHeaderLabels(heads);
    m_table->horizontalHeaderItem(3)->setToolTip(outputSqnrMeaning());
    m_table->horizontalHeaderItem(4)->setToolTip(accuracyMeaning());
    m_table->horizontalHeaderItem(5)->setToolTip(
        tr("Operations with the largest output error when only they are quantized."));
    m_table->horizontalHeaderItem(6)->setToolTip(tr("Time of the whole run; cached stages count as 0."));
    m_table->horizontalHeaderItem(7)->setToolTip(tr("Recipe settings that differ from the baseline."));
    m_table->verticalHeader()->hide();
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->setAccessibleName(tr("Runs"));
    attachTableMenu(*m_table, QStringLiteral("runs"));
    connect(m_table, &QTableWidget::itemSelectionChanged, this, &CompareDialog::showDifference);
    connect(m_table, &QTableWidget::itemChanged, this, [this] {
        if (!m_isFilling) rebuild();
    });
}

QWidget *CompareDialog::makePlotSide()
{
    auto *strip = new QWidget;
    auto *stripBox = new QHBoxLayout(strip);
    stripBox->setContentsMargins(0, 4, 0, 2);
    m_measures = addSegments(*strip, {tr("graphwise"), tr("layerwise"), tr("output SQNR")});
    stripBox->addStretch();
    stripBox->addWidget(exportButton(*m_plot, tr("runs"), [this] { return plotCsv(); }));
    m_plot->setMinimumHeight(150);
    putLegendAbove(*m_plot);
    m_plot->setAccessibleName(tr("Errors of the checked runs"));
    connect(m_measures, &QButtonGroup::idClicked, this, &CompareDialog::rebuild);
    connect(m_plot, &QCustomPlot::mouseMove, this, [this](const QMouseEvent *event) {
        const QString text = pointText(event->pos());
        if (text.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(event->globalPosition().toPoint(), text, m_plot);
    });
    connect(m_plot, &QCustomPlot::mouseRelease, this, [this](const QMouseEvent *event) {
        if (const QString operation = operationAt(event->pos()); !operation.isEmpty()) m_document.setCurrent(operation);
    });
    auto *side = new QWidget;
    auto *box = new QVBoxLayout(side);
    box->setContentsMargins(0, 0, 0, 0);
    box->addWidget(strip);
    box->addWidget(m_plot, 1);
    return side;
}

QWidget *CompareDialog::makeDifferenceSide()
{
    m_title->setProperty("heading", true);
    m_difference->setWordWrap(true);
    m_difference->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_difference->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_difference->setContentsMargins(2, 2, 2, 2);
    auto *scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setWidget(m_difference);
    scroll->setAccessibleName(tr("Recipe differences"));
    auto *side = new QWidget;
    auto *box = new QVBoxLayout(side);
    box->setContentsMargins(0, 4, 0, 0);
    box->addWidget(m_title);
    box->addWidget(scroll, 1);
    return side;
}

QWidget *CompareDialog::makeButtons()
{
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto *copy = buttons->addButton(tr("Copy as CSV"), QDialogButtonBox::ActionRole);
    m_setBaseline = buttons->addButton(tr("Set as baseline"), QDialogButtonBox::ActionRole);
    m_goBack = buttons->addButton(tr("Restore its recipe"), QDialogButtonBox::ActionRole);
    for (QPushButton *button : {copy, m_setBaseline, m_goBack}) button->setAutoDefault(false);
    connect(copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(csv()); });
    connect(m_setBaseline, &QPushButton::clicked, this, [this] {
        m_document.history().setBaseline(chosen());
        fill(chosen());
    });
    connect(m_goBack, &QPushButton::clicked, this, [this] {
        for (const RunRecord &run : m_document.history().runs())
            if (run.number == chosen()) replaceRecipe(m_document, tr("Recipe of run %1").arg(run.number), run.recipe);
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    return buttons;
}

void CompareDialog::fill(int number)
{
    m_isFilling = true;
    QStringList ticked;
    for (int row = 0; row < m_table->rowCount(); ++row)
        if (m_table->item(row, 0)->checkState() == Qt::Checked)
            ticked.append(m_table->item(row, 0)->data(Qt::UserRole).toString());
    const bool isFirst = m_table->rowCount() == 0;
    m_table->setRowCount(0);
    const RunPtr baseline = m_document.history().baseline();
    int chosenRow = 0;
    const QVector<RunRecord> &runs = m_document.history().runs();
    for (int r = 0; r < runs.size(); ++r) {
        const RunRecord &run = runs[r];
        const int row = m_table->rowCount();
        m_table->insertRow(row);
        if (run.number == number) chosenRow = row;
        QString worst;
        double most = -1;
        for (const api::OutputRow &error : run.data->layerwise)
            if (error.noiseRatio.value_or(0) > most) {
                most = error.noiseRatio.value_or(0);
                worst = QString::fromStdString(error.op);
            }
        const bool isBaseline = run.number == m_document.history().baselineNumber();
        const QStringList cells{
            QStringLiteral("#%1%2").arg(run.number).arg(isBaseline ? QStringLiteral(" ★") : QString()),
            run.name,
            QString::fromStdString(run.data->recipe.platform),
            decibelText(run.data->outputSqnr()),
            run.data->metric() ? tr("%1 %").arg(QLocale().toString(run.data->metric()->quantized * 100, 'f', 1))
                               : QString(),
            worst,
            QLocale().toString(run.data->seconds, 'f', 2),
            baseline ? QLocale().toString(recipeDifference(baseline->recipe, run.data->recipe).size()) : QString()};
        for (int column = 0; column < cells.size(); ++column) {
            auto *item = new QTableWidgetItem(cells[column]);
            QString tip = column == 1 && !run.note.isEmpty() ? run.note : cells[column];
            if (column >= 3 && column <= 5 && !tip.isEmpty()) // what was measured
                tip +=
                    QLatin1Char('\n') + measuredText(run.data, column == 5 ? &RunData::layerwise : &RunData::outputs);
            item->setToolTip(tip);
            const bool isNumber = std::count(std::begin(numberColumns), std::end(numberColumns), column) > 0;
            item->setTextAlignment((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
            item->setData(Qt::UserRole, run.number);
            m_table->setItem(row, column, item);
        }
        const bool isTicked = isFirst ? isBaseline || run.number == number || r >= runs.size() - firstTicked
                                      : ticked.contains(QString::number(run.number));
        m_table->item(row, 0)->setCheckState(isTicked ? Qt::Checked : Qt::Unchecked);
    }
    fitColumns(*m_table, 220);
    for (const int column : numberColumns)
        m_table->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    // Next to the check box
    m_table->setColumnWidth(0, m_table->columnWidth(0) + 10);
    // Complete names: a table that is too narrow for them is scrolled
    for (const int column : {1, 5}) {
        m_table->resizeColumnToContents(column);
        m_table->setColumnWidth(column, m_table->columnWidth(column) + 14);
    }
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_isFilling = false;
    m_table->selectRow(chosenRow);
    showDifference();
    rebuild();
}

int CompareDialog::chosen() const
{
    const int row = m_table->currentRow();
    return row < 0 ? 0 : m_table->item(row, 0)->data(Qt::UserRole).toInt();
}

void CompareDialog::setMeasure(Measure measure)
{
    m_measures->button(int(measure))->setChecked(true);
    rebuild();
}

QVector<const RunRecord *> CompareDialog::ticked() const
{
    QVector<const RunRecord *> runs;
    for (int row = 0; row < m_table->rowCount(); ++row)
        if (m_table->item(row, 0)->checkState() == Qt::Checked) runs.append(&m_document.history().runs()[row]);
    return runs;
}

void CompareDialog::rebuild()
{
    m_plot->clearPlottables();
    stylePlot(*m_plot);
    styleLegend(*m_plot);
    const auto measure = Measure(m_measures->checkedId());
    if (measure == Measure::Output)
        drawOutputs();
    else
        drawErrors(measure == Measure::Layerwise);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void CompareDialog::drawOutputs()
{
    auto *bars = new QCPBars(m_plot->xAxis, m_plot->yAxis);
    auto names = QSharedPointer<QCPAxisTickerText>::create();
    double least = 0, most = 1;
    const QVector<const RunRecord *> runs = ticked();
    for (int i = 0; i < runs.size(); ++i) {
        const double sqnr = runs[i]->data->outputSqnr().value_or(0);
        bars->addData(i, sqnr);
        names->addTick(i, QStringLiteral("#%1").arg(runs[i]->number));
        least = std::min(least, sqnr);
        most = std::max(most, sqnr);
    }
    bars->removeFromLegend();
    bars->setPen(Qt::NoPen);
    bars->setBrush(Theme::current().accent);
    bars->setWidth(0.6);
    makeLinear(*m_plot);
    m_plot->yAxis->setRange(least * 1.1, most * 1.15);
    m_plot->yAxis->setLabel(tr("output SQNR, dB"));
    m_plot->xAxis->setTicker(names);
    m_plot->xAxis->setTickLabels(true);
    m_plot->xAxis->setRange(-0.8, double(runs.size()) - 0.2);
    m_plot->xAxis->setLabel(tr("run"));
}

static QString legendName(const RunRecord &run)
{
    return QStringLiteral("#%1 %2").arg(run.number).arg(run.name);
}

/// Names next to each other, as many as fit. @returns the width that a name may have; 0 if there are too many for a
/// legend, so that only tool tips name them
int CompareDialog::arrangeLegend(const QVector<const RunRecord *> &runs)
{
    int longest = 0;
    for (const RunRecord *run : runs)
        longest = std::max(longest, QFontMetrics(m_plot->legend->font()).horizontalAdvance(legendName(*run)));
    constexpr int besidesName = 60, rowHeight = 20; // the line before a name, and the margins
    const int columns = std::max(1, m_plot->width() / (longest + besidesName));
    m_plot->legend->setWrap(columns);
    const int rows = (int(runs.size()) + columns - 1) / columns;
    return rows * rowHeight > m_plot->height() / 3 ? 0 : std::max(120, m_plot->width() / columns - besidesName);
}

void CompareDialog::drawErrors(bool isLayerwise)
{
    const Theme &theme = Theme::current();
    const GraphPtr &graph = m_document.graph();
    const QVector<const RunRecord *> runs = ticked();
    const int nameWidth = arrangeLegend(runs);
    double low = 1e-5, high = 1;
    for (int i = 0; i < runs.size(); ++i) {
        const RunData &run = *runs[i]->data;
        QVector<double> x, y;
        for (int op = 0; graph && op < graph->operations.size(); ++op) {
            const std::optional<double> noise =
                isLayerwise ? noiseOf(run.layerwise, run.layerwiseOf, graph->operations[op].name)
                            : noiseOf(run.graphwise, run.graphwiseOf, graph->operations[op].name);
            if (!noise) continue;
            const double value = std::max(*noise, 1e-12);
            x.append(op);
            y.append(value);
            low = std::min(low, value);
            high = std::max(high, value);
        }
        QCPGraph *line = m_plot->addGraph();
        line->setData(x, y, true);
        const QColor color = theme.category[std::size_t(i) % theme.category.size()];
        // Colours repeat after some, the shape of the points later
        const QCPScatterStyle::ScatterShape shapes[] = {QCPScatterStyle::ssDisc, QCPScatterStyle::ssSquare,
                                                        QCPScatterStyle::ssTriangle, QCPScatterStyle::ssDiamond,
                                                        QCPScatterStyle::ssCross};
        line->setPen(QPen(color, runs[i]->number == m_document.history().baselineNumber() ? 2.2 : 1.3));
        line->setScatterStyle(QCPScatterStyle(x.size() > 300 ? QCPScatterStyle::ssNone : shapes[i % 5], 5));
        line->setName(
            QFontMetrics(m_plot->legend->font()).elidedText(legendName(*runs[i]), Qt::ElideMiddle, nameWidth));
        if (nameWidth == 0) line->removeFromLegend();
    }
    makeLogarithmic(*m_plot);
    m_plot->yAxis->setRange(low * 0.7, high * 2);
    m_plot->yAxis->setLabel(tr("noise / signal"));
    m_plot->xAxis->setTickLabels(false);
    m_plot->xAxis->setRange(-0.8, graph ? double(graph->operations.size()) - 0.2 : 1);
    m_plot->xAxis->setLabel(tr("operations in execution order"));
}

QString CompareDialog::operationAt(const QPoint &at) const
{
    const GraphPtr &graph = m_document.graph();
    if (!graph || Measure(m_measures->checkedId()) == Measure::Output || !m_plot->axisRect()->rect().contains(at))
        return {};
    // The nearest one that was measured
    const double x = m_plot->xAxis->pixelToCoord(at.x());
    double nearest = std::numeric_limits<double>::max();
    int found = -1;
    for (int g = 0; g < m_plot->graphCount(); ++g)
        for (const QCPGraphData &point : *m_plot->graph(g)->data())
            if (const double distance = std::abs(point.key - x); distance < nearest) {
                nearest = distance;
                found = int(point.key);
            }
    return found < 0 ? QString() : graph->operations[found].name;
}

QString CompareDialog::pointText(const QPoint &at) const
{
    const QString operation = operationAt(at);
    if (operation.isEmpty()) return {};
    const bool isLayerwise = Measure(m_measures->checkedId()) == Measure::Layerwise;
    QStringList lines{operation};
    for (const RunRecord *shown : ticked()) {
        const RunRecord &run = *shown;
        const auto &errors = isLayerwise ? run.data->layerwise : run.data->graphwise;
        const auto &of = isLayerwise ? run.data->layerwiseOf : run.data->graphwiseOf;
        if (of.contains(operation))
            lines.append(QStringLiteral("#%1: %2").arg(run.number).arg(errorText(noiseOf(errors, of, operation))));
    }
    return lines.join(QLatin1Char('\n'));
}

void CompareDialog::showDifference()
{
    const int number = chosen();
    const RunPtr baseline = m_document.history().baseline();
    m_setBaseline->setEnabled(number > 0 && number != m_document.history().baselineNumber());
    m_goBack->setEnabled(number > 0);
    if (number == 0) return;
    m_title->setText(tr("From the baseline #%1 to #%2").arg(m_document.history().baselineNumber()).arg(number));
    QStringList lines;
    for (const RunRecord &run : m_document.history().runs())
        if (run.number == number && baseline) {
            lines = recipeDifference(baseline->recipe, run.data->recipe, m_document.requests().known());
            if (lines.isEmpty() && run.data->inputsKey != baseline->inputsKey)
                lines.append(tr("The recipes are the same, but the model, data or platform files have changed."));
        }
    m_difference->setText(lines.isEmpty() ? tr("The recipes are the same.") : lines.join(QLatin1Char('\n')));
}

QString CompareDialog::differences() const
{
    return m_difference->text();
}

QVector<FileTask> CompareDialog::fileTasks(Document &document, const QString &folder)
{
    QVector<FileTask> tasks;
    if (document.history().runs().isEmpty()) return tasks;
    // Each with its own dialog: runs may be added and removed between two files
    const auto make = [&document] {
        return std::make_unique<CompareDialog>(
            document, document.history().runs().isEmpty() ? 0 : document.history().runs().back().number);
    };
    const QVector<QPair<Measure, QString>> measures{{Measure::Graphwise, QStringLiteral("runs_graphwise")},
                                                    {Measure::Layerwise, QStringLiteral("runs_layerwise")},
                                                    {Measure::Output, QStringLiteral("runs_sqnr")}};
    for (const QString &ending : exportEndings()) {
        for (const auto &[measure, name] : measures) {
            const QString path = QDir(folder).filePath(name + QLatin1Char('.') + ending);
            tasks.append({path, [make, path, measure = measure] {
                              const auto dialog = make();
                              dialog->setMeasure(measure);
                              return plotWriter(*dialog->m_plot, path, [&] { return dialog->plotCsv(); });
                          }});
        }
        const QString path = QDir(folder).filePath(QStringLiteral("runs.") + ending);
        tasks.append({path, [make, path] { return tableWriter(*make()->m_table->model(), path); }});
    }
    return tasks;
}

QString CompareDialog::csv() const
{
    return tableCsv(*m_table->model());
}

QString CompareDialog::plotCsv() const
{
    if (Measure(m_measures->checkedId()) == Measure::Output) {
        QString out = QStringLiteral("run,output_sqnr_db\n");
        for (const RunRecord *run : ticked())
            if (run->data->outputSqnr())
                out += QStringLiteral("%1,%2\n").arg(run->number).arg(*run->data->outputSqnr(), 0, 'g', 9);
        return out;
    }
    QString out = QStringLiteral("run,operation,graphwise_noise_ratio,layerwise_noise_ratio\n");
    const auto number = [](const ErrorRows &errors, const QHash<QString, int> &of, const QString &op) {
        const std::optional<double> noise = noiseOf(errors, of, op);
        return noise ? QString::number(*noise, 'g', 9) : QString();
    };
    for (const RunRecord *shown : ticked()) {
        const RunRecord &run = *shown;
        for (const api::OutputRow &error : run.data->graphwise) {
            const QString operation = QString::fromStdString(error.op);
            QString name = operation;
            out += QStringLiteral("%1,\"%2\",%3,%4\n")
                       .arg(run.number)
                       .arg(name.replace(QLatin1Char('"'), QStringLiteral("\"\"")),
                            number(run.data->graphwise, run.data->graphwiseOf, operation),
                            number(run.data->layerwise, run.data->layerwiseOf, operation));
        }
    }
    return out;
}

} // namespace ql
