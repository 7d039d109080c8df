#include "views/panels/compare_dialog.h"

#include "views/models/operation_model.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>
#include <QTableWidget>
#include <QVBoxLayout>

namespace ql {

using nlohmann::json;

QStringList recipeDifference(const json &before, const json &after)
{
    QStringList lines;
    const auto text = [](const json &value) {
        const QString all = QString::fromStdString(value.dump());
        return all.size() > 160 ? all.left(157) + QStringLiteral("…") : all;
    };
    for (const json &edit : json::diff(before, after)) {
        const std::string path = edit.value("path", "");
        QString where = QString::fromStdString(path).mid(1);
        where.replace(QLatin1Char('/'), QStringLiteral(" / "));
        const std::string op = edit.value("op", "");
        const json::json_pointer pointer(path);
        if (op == "add")
            lines.append(CompareDialog::tr("%1: added %2").arg(where, text(edit["value"])));
        else if (op == "remove")
            lines.append(CompareDialog::tr("%1: removed").arg(where));
        else
            lines.append(CompareDialog::tr("%1: %2 → %3")
                             .arg(where, before.contains(pointer) ? text(before.at(pointer)) : QStringLiteral("–"),
                                  text(edit["value"])));
    }
    return lines;
}

CompareDialog::CompareDialog(Document &document, int number, QWidget *parent)
    : QDialog(parent), m_document(document), m_table(new QTableWidget), m_title(new QLabel), m_difference(new QLabel)
{
    setWindowTitle(tr("Compare runs"));
    resize(820, 460);
    const QStringList heads{tr("Run"),      tr("Name"),        tr("Platform"), tr("Output SQNR"),
                            tr("Accuracy"), tr("Worst layer"), tr("Seconds"),  tr("Edits to baseline")};
    m_table->setColumnCount(int(heads.size()));
    m_table->setHorizontalHeaderLabels(heads);
    m_table->verticalHeader()->hide();
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->setAccessibleName(tr("Runs"));
    const RunPtr baseline = document.baseline();
    int chosen = 0;
    for (const RunRecord &run : document.runs()) {
        const int row = m_table->rowCount();
        m_table->insertRow(row);
        if (run.number == number) chosen = row;
        QString worst;
        double most = -1;
        for (const ErrorInfo &error : run.data->layerwise)
            if (error.noiseRatio.value_or(0) > most) {
                most = error.noiseRatio.value_or(0);
                worst = error.operation;
            }
        const bool isBaseline = run.number == document.baselineNumber();
        const QStringList cells{
            QStringLiteral("#%1%2").arg(run.number).arg(isBaseline ? QStringLiteral(" ★") : QString()),
            run.name,
            textOf(run.data->recipe, "platform"),
            decibelText(run.data->outputSqnr()),
            run.data->metricQuantized ? tr("%1 %").arg(QLocale().toString(*run.data->metricQuantized * 100, 'f', 1))
                                      : QString(),
            worst,
            QLocale().toString(run.data->seconds, 'f', 2),
            baseline ? QLocale().toString(recipeDifference(baseline->recipe, run.data->recipe).size()) : QString()};
        for (int column = 0; column < cells.size(); ++column) {
            auto *item = new QTableWidgetItem(cells[column]);
            item->setToolTip(cells[column]);
            const bool isNumber = column == 3 || column == 4 || column == 6 || column == 7;
            item->setTextAlignment((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
            item->setData(Qt::UserRole, run.number);
            m_table->setItem(row, column, item);
        }
    }
    m_table->resizeColumnsToContents();
    m_table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    m_title->setProperty("heading", true);
    m_difference->setWordWrap(true);
    m_difference->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_difference->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_difference->setContentsMargins(2, 2, 2, 2);
    auto *scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setWidget(m_difference);
    scroll->setAccessibleName(tr("Differences of the recipes"));
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto *copy = buttons->addButton(tr("Copy as CSV"), QDialogButtonBox::ActionRole);
    connect(copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(csv()); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *box = new QVBoxLayout(this);
    box->addWidget(m_table, 3);
    box->addWidget(m_title);
    box->addWidget(scroll, 2);
    box->addWidget(buttons);
    connect(m_table, &QTableWidget::itemSelectionChanged, this, &CompareDialog::showDifference);
    m_table->selectRow(chosen);
}

void CompareDialog::showDifference()
{
    const int row = m_table->currentRow();
    if (row < 0) return;
    const int number = m_table->item(row, 0)->data(Qt::UserRole).toInt();
    const RunPtr baseline = m_document.baseline();
    m_title->setText(tr("From the baseline #%1 to #%2").arg(m_document.baselineNumber()).arg(number));
    QStringList lines;
    for (const RunRecord &run : m_document.runs())
        if (run.number == number && baseline) lines = recipeDifference(baseline->recipe, run.data->recipe);
    m_difference->setText(lines.isEmpty() ? tr("The recipes are the same.") : lines.join(QLatin1Char('\n')));
}

QString CompareDialog::differences() const
{
    return m_difference->text();
}

QString CompareDialog::csv() const
{
    QString out;
    const auto quoted = [](QString text) {
        return QStringLiteral("\"%1\"").arg(text.replace(QLatin1Char('"'), QStringLiteral("\"\"")));
    };
    for (int row = -1; row < m_table->rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < m_table->columnCount(); ++column)
            cells.append(
                quoted((row < 0 ? m_table->horizontalHeaderItem(column) : m_table->item(row, column))->text()));
        out += cells.join(QLatin1Char(',')) + QLatin1Char('\n');
    }
    return out;
}

} // namespace ql
