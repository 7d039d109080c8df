#include "views/panels/table_export.h"

#include "views/bridge/translate.h"
#include "views/style/theme.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QHeaderView>
#include <QMenu>
#include <QMessageBox>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <QTableView>
#include <algorithm>
#include <functional>

namespace ql {

static constexpr int maxPictureRows = 500;
static constexpr int rowHeight = 24, padding = 8, widestColumn = 1200;

/// Every row from top to bottom, children after their parent: its first cell and its texts. take returns whether it
/// needs more.
static bool forEachRow(const QAbstractItemModel &model, const QModelIndex &parent, int level,
                       const std::function<bool(const QModelIndex &, const QStringList &)> &take)
{
    const int columns = model.columnCount(parent);
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex first = model.index(row, 0, parent);
        QStringList cells{QString(level * 2, QLatin1Char(' ')) + first.data().toString()};
        for (int column = 1; column < columns; ++column)
            cells.append(model.index(row, column, parent).data().toString());
        if (!take(first, cells)) return false;
        if (model.hasChildren(first) && !forEachRow(model, first, level + 1, take)) return false;
    }
    return true;
}

static QVector<Qt::Alignment> alignmentsOf(const QModelIndex &first, qsizetype columns)
{
    QVector<Qt::Alignment> alignments;
    for (int column = 0; column < columns; ++column) {
        const QVariant alignment = first.siblingAtColumn(column).data(Qt::TextAlignmentRole);
        alignments.append(alignment.isValid() ? Qt::Alignment(alignment.toInt()) : Qt::AlignLeft | Qt::AlignVCenter);
    }
    return alignments;
}

static qsizetype rowsOf(const QAbstractItemModel &model, const QModelIndex &parent = {})
{
    const int rows = model.rowCount(parent);
    qsizetype count = rows;
    for (int row = 0; row < rows; ++row)
        if (const QModelIndex first = model.index(row, 0, parent); model.hasChildren(first))
            count += rowsOf(model, first);
    return count;
}

static QStringList headsOf(const QAbstractItemModel &model)
{
    QStringList heads;
    for (int column = 0; column < model.columnCount(); ++column)
        heads.append(model.headerData(column, Qt::Horizontal).toString());
    return heads;
}

QString tableCsv(const QAbstractItemModel &model)
{
    QString out;
    const auto add = [&out](const QStringList &cells) {
        for (const QString &cell : cells) {
            out += QLatin1Char('"');
            if (cell.contains(QLatin1Char('"')))
                out += QString(cell).replace(QLatin1Char('"'), QStringLiteral("\"\""));
            else
                out += cell;
            out += QStringLiteral("\",");
        }
        out.back() = QLatin1Char('\n');
    };
    add(headsOf(model));
    forEachRow(model, {}, 0, [&](const QModelIndex &, const QStringList &cells) {
        add(cells);
        return true;
    });
    return out;
}

namespace {

/// A copy of a table for an image: laid out and painted on any thread.
class PaintedTable
{
public:
    explicit PaintedTable(const QAbstractItemModel &model) : m_heads(headsOf(model))
    {
        forEachRow(model, {}, 0, [this](const QModelIndex &first, const QStringList &cells) {
            m_rows.append({cells, alignmentsOf(first, cells.size())});
            return m_rows.size() < maxPictureRows;
        });
        if (const qsizetype more = rowsOf(model) - m_rows.size(); more > 0)
            m_more = tr("%n more row(s): save as CSV for all", nullptr, int(more));
    }

    /// Before the rest. Measuring thousands of texts takes a tenth of a second.
    void layOut()
    {
        const QFontMetrics plain(m_font), bold(m_bold);
        for (int column = 0; column < m_heads.size(); ++column) {
            int width = bold.horizontalAdvance(m_heads[column]);
            for (auto &[cells, alignments] : m_rows) {
                if (column >= cells.size()) continue;
                const int advance = plain.horizontalAdvance(cells[column]);
                if (advance > widestColumn)
                    cells[column] = plain.elidedText(cells[column], Qt::ElideMiddle, widestColumn);
                width = std::max(width, advance);
            }
            // Measured as on the screen; an image may set the same text slightly wider
            m_widths.append(std::min(width + width / 16 + 2, widestColumn) + 2 * padding);
        }
    }

    QSize size() const
    {
        int width = 0;
        for (const int w : m_widths) width += w;
        return {std::max(width, 80), (int(m_rows.size()) + 1 + (m_more.isEmpty() ? 0 : 1)) * rowHeight};
    }

    bool paint(QPaintDevice &device) const
    {
        QPainter painter;
        if (!painter.begin(&device)) return false;
        painter.fillRect(QRect({}, size()), m_theme.panel);
        paintRow(painter, 0, m_heads, {}, true);
        for (int row = 0; row < m_rows.size(); ++row)
            paintRow(painter, (row + 1) * rowHeight, m_rows[row].first, m_rows[row].second, false);
        if (!m_more.isEmpty()) {
            painter.setPen(m_theme.dim);
            painter.drawText(QRect(padding, (int(m_rows.size()) + 1) * rowHeight, size().width(), rowHeight),
                             Qt::AlignLeft | Qt::AlignVCenter, m_more);
        }
        return painter.end();
    }

private:
    void paintRow(QPainter &painter, int y, const QStringList &cells, const QVector<Qt::Alignment> &alignments,
                  bool isHead) const
    {
        painter.setFont(isHead ? m_bold : m_font);
        int x = 0;
        for (int column = 0; column < m_widths.size(); ++column) {
            const QRect cell(x, y, m_widths[column], rowHeight);
            painter.setPen(isHead ? m_theme.dim : m_theme.text);
            painter.drawText(cell.adjusted(padding, 0, -padding, 0),
                             alignments.value(column, Qt::AlignLeft) | Qt::AlignVCenter, cells.value(column));
            x += m_widths[column];
        }
        painter.setPen(m_theme.line);
        painter.drawLine(0, y + rowHeight - 1, size().width(), y + rowHeight - 1);
    }

    QStringList m_heads;
    QVector<QPair<QStringList, QVector<Qt::Alignment>>> m_rows;
    QString m_more; ///< rows of the model beyond m_rows, in words
    QVector<int> m_widths;
    Theme m_theme = Theme::current();
    QFont m_font = textFont(), m_bold = textFont(true);
};

} // namespace

static bool saveTable(PaintedTable table, const QString &path)
{
    table.layOut();
    const QString ending = path.section(QLatin1Char('.'), -1).toLower();
    if (ending == QLatin1String("svg")) {
        QSvgGenerator generator;
        generator.setFileName(path);
        generator.setSize(table.size());
        generator.setViewBox(QRect({}, table.size()));
        return table.paint(generator);
    }
    if (ending == QLatin1String("pdf")) {
        QPdfWriter writer(path);
        writer.setPageSize(QPageSize(QSizeF(table.size()) * 0.75, QPageSize::Point));
        writer.setPageMargins({});
        writer.setResolution(96);
        return table.paint(writer);
    }
    QImage image(table.size() * 2, QImage::Format_RGB32);
    image.setDevicePixelRatio(2);
    return table.paint(image) && image.save(path);
}

FileWriter tableWriter(const QAbstractItemModel &model, const QString &path)
{
    if (path.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive)) return textWriter(path, tableCsv(model));
    return [path, table = PaintedTable(model)] { return saveTable(table, path); };
}

QVector<FileTask> tableTasks(const QAbstractItemModel &model, const QString &name, const QString &folder)
{
    QVector<FileTask> tasks;
    if (model.rowCount() == 0) return tasks;
    for (const QString &ending : exportEndings()) {
        const QString path = QDir(folder).filePath(name + QLatin1Char('.') + ending);
        tasks.append({path, [&model, path] { return tableWriter(model, path); }});
    }
    return tasks;
}

void fitColumns(QTableView &table, int most)
{
    // A view's size hint does not include the style sheet's margins around a text
    constexpr int slack = 14;
    table.horizontalHeader()->setHighlightSections(false);
    table.horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table.resizeColumnsToContents();
    for (int column = 0; column < table.model()->columnCount(); ++column)
        table.setColumnWidth(column, std::min(table.columnWidth(column) + slack, most));
}

void addTableActions(QMenu &menu, QAbstractItemView &view, const QString &name)
{
    QAbstractItemView *shown = &view;
    for (const QString &ending : exportEndings())
        menu.addAction(tr("Save table as %1…").arg(ending.toUpper()), shown, [shown, ending, name] {
            const QString path = chooseFile(shown->window(), tr("Save table"), name + QLatin1Char('.') + ending,
                                            {QStringLiteral("*.") + ending});
            if (path.isEmpty()) return;
            writeInBackground(tableWriter(*shown->model(), path), *shown, [shown, path](bool good) {
                if (!good)
                    QMessageBox::warning(shown->window(), tr("Save table"), tr("%1 cannot be written.").arg(path));
            });
        });
    menu.addAction(tr("Copy table"), shown, [shown] { QApplication::clipboard()->setText(tableCsv(*shown->model())); });
}

void attachTableMenu(QAbstractItemView &view, const QString &name)
{
    QAbstractItemView *shown = &view;
    view.setContextMenuPolicy(Qt::CustomContextMenu);
    auto *menu = new QMenu(shown); // kept alive: the list of all commands contains its entries
    addTableActions(*menu, view, name);
    QObject::connect(shown, &QWidget::customContextMenuRequested, menu,
                     [shown, menu](const QPoint &at) { menu->exec(shown->viewport()->mapToGlobal(at)); });
}

} // namespace ql
