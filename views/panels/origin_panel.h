#pragma once

#include "views/bridge/document.h"
#include "views/plots/heat_map.h"

#include <QWidget>
#include <vector>

class QLabel;
class QListWidget;
class QPushButton;
class QTableWidget;

namespace ql {

class LegendBar;
class NoteArea;

/// Where the noise comes from: what each operation adds and what comes in through its inputs, as a table and, for each
/// sample, as a heat map; the samples with most noise as images; and how certain the numbers of the outputs are. A
/// click selects the operation or marks the sample.
class OriginPanel : public QWidget
{
    Q_OBJECT

public:
    explicit OriginPanel(Document &document, QWidget *parent = nullptr);
    QWidget *tools() const { return m_tools; } ///< for the title row of the dock
    HeatMap *map() const { return m_map; }
    QTableWidget *table() const { return m_table; } ///< most added noise first
    QListWidget *worst() const { return m_worst; }  ///< samples with most noise, as images
    QString summary() const;

private:
    void makeTools();
    void follow();
    void showExplanation(const ExplanationPtr &explanation);
    void showWorst();
    void showSummary();
    void followCurrent(); ///< the document's operation
    QStringList outputLines() const;
    QString currentLine() const;

    Document &m_document;
    HeatMap *m_map;
    QTableWidget *m_table;
    QListWidget *m_worst;
    QLabel *m_summary;
    LegendBar *m_legend; ///< of the colours of the map
    QPushButton *m_start, *m_stop;
    QWidget *m_tools = nullptr, *m_found = nullptr;
    NoteArea *m_area = nullptr;
    ExplanationPtr m_explanation;
    QString m_hash, m_asked;  ///< of the recipe: of m_explanation, of the request
    std::vector<int> m_order; ///< rows of m_explanation in the order of the table
};

} // namespace ql
