#pragma once

#include "views/bridge/document.h"

#include <QTimer>
#include <QWidget>

class QButtonGroup;
class QCPBars;
class QCPGraph;
class QCPItemRect;
class QCPItemStraightLine;
class QCPItemText;
class QCPItemTracer;
class QComboBox;
class QCustomPlot;
class QLabel;

namespace ql {

/// Values of a tensor of the current operation, float and quantized, with the clip limits: drag one to fix the range
/// (an override, one undoable step). Channels: the range of every channel of a weight.
class DistributionPanel : public QWidget
{
    Q_OBJECT

public:
    explicit DistributionPanel(Document &document, QWidget *parent = nullptr);
    QCustomPlot *plot() const { return m_plot; }
    /// Clip limits as drawn; low == high when there are none.
    QPair<double, double> limits() const { return {m_low, m_high}; }
    bool hasData() const { return !m_rows.empty(); }
    QString csv() const;
    void showChannels(bool channels);
    /// Shows the slot with this role and number when there is one.
    void showSlot(const QString &role, int index);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void request();
    void fillSlots();
    void rebuild();
    void rebuildValues(const nlohmann::json &row);
    void rebuildChannels(const nlohmann::json &row);
    void restyle();
    void updateLimits();
    void applyLimits();
    const nlohmann::json *row() const;
    const nlohmann::json *parameterRow() const;
    const ConfigInfo *config() const;

    Document &m_document;
    QCustomPlot *m_plot;
    QComboBox *m_slot;
    QLabel *m_facts;
    QButtonGroup *m_modes;
    QCPBars *m_float, *m_ranges;
    QCPGraph *m_quantized;
    QCPItemStraightLine *m_lines[2];
    QCPItemText *m_handles[2], *m_empty;
    QTimer m_delay;
    QString m_operation, m_asked;
    std::vector<nlohmann::json> m_rows, m_parameters;
    double m_low = 0, m_high = 0;
    int m_dragging = -1;
    bool m_isStale = false;
};

} // namespace ql
