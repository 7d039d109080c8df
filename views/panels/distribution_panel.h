#pragma once

#include "views/bridge/distribution_cache.h"
#include "views/bridge/document.h"
#include "views/models/range_estimate.h"
#include "views/plots/plot_style.h"

#include <QTimer>
#include <QWidget>
#include <array>
#include <optional>

class QButtonGroup;
class QCPBars;
class QCPGraph;
class QCPItemRect;
class QCPItemStraightLine;
class QCPItemText;
class QCPStatisticalBox;
class QComboBox;
class QCustomPlot;
class QKeyEvent;
class QLabel;
class QMouseEvent;
class QPushButton;
class QToolButton;

namespace ql {

/// Values of a tensor of the current operation, float and quantized, with grid and clip limits: drag one to fix the
/// range (an override, one undoable step, run immediately). Scatter: quantized against float. Channels: minimum,
/// quartiles and maximum of every channel, with the limits of its scale.
class DistributionPanel : public QWidget
{
    Q_OBJECT

public:
    explicit DistributionPanel(Document &document, QWidget *parent = nullptr);
    QCustomPlot *plot() const { return m_plot; }
    QWidget *tools() const { return m_tools; } ///< for the title row of the dock
    /// Clip limits as drawn; low == high if there are none.
    QPair<double, double> limits() const { return {m_low, m_high}; }
    bool hasData() const { return !m_rows.empty(); }
    /// The run whose distributions are shown, and the cached answers.
    const QString &operation() const { return m_operation; }
    const DistributionCache &cache() const { return m_cache; }
    /// The message shown instead of a plot; empty if there is a plot.
    QString notice() const;
    enum class Mode { Values, Scatter, Channels };
    Mode mode() const;
    void setMode(Mode mode);
    void setLogarithmic(bool on);
    QString csv() const;
    /// Number of points or boxes drawn in the mode.
    int pointCount() const;
    /// Each mode that has data, for saving all plots.
    QVector<PlotSource> plots();
    /// Shows the slot with this role and number if there is one.
    void showSlot(api::SlotRole role, int index);

Q_SIGNALS:
    /// While a limit is dragged: the estimated change of the operation's noise / signal; unset if the drag was
    /// cancelled.
    void estimated(const QString &operation, std::optional<double> change);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void makeTools();
    void makeItems();
    void connectAll();
    void showCurrent(); ///< shows the cached answer for the current operation, or requests it soon
    void request();
    bool hasRun() const; ///< whose tensors can be read, while nothing else runs
    QString keyOf(const QString &operation) const;
    void take(const QString &operation, const DistributionsPtr &answer);
    void prefetch();
    void fillSlots();
    void rebuild();
    void takeValues(const api::DistributionRow &row);
    void rebuildValues(const api::DistributionRow &row);
    void goToRounded();
    /// The clip limits of the tensor, which can be dragged. @returns whether it has one pair of its own limits
    bool takeLimits();
    void rebuildScatter(const api::ValuePairs &pairs);
    void rebuildChannels(const api::ChannelSpread &channels);
    void rebuildBars(const api::ChannelSpread &channels);
    void rebuildGrid();
    void showFacts();
    void takeEstimate();
    bool mouseMoved(const QMouseEvent &event);
    int limitAt(double x) const; ///< near this pixel; -1: none
    bool mousePressed(const QMouseEvent &event);
    void endDrag(bool isTaken);
    QString tipAt(const QPoint &position) const;
    static QString keysText();
    bool keyPressed(const QKeyEvent &event);
    void restyle();
    void placeLimits();
    void applyLimits();
    const api::DistributionRow *row() const;
    const api::DetailRow *detailsRow() const;
    /// Of the current recipe; if that has no scale yet, of the shown run.
    const ConfigInfo *config() const;
    const ConfigInfo *currentConfig() const;

    Document &m_document;
    DistributionCache m_cache;
    QCustomPlot *m_plot;
    QWidget *m_tools = nullptr;
    QComboBox *m_slot;
    QLabel *m_facts;
    QButtonGroup *m_modes;
    QToolButton *m_logarithmic;
    /// By mode: counts span decades; for channels, minimum, quartiles and maximum come first.
    std::array<bool, 3> m_isLogarithmic{true, false, false};
    QPushButton *m_roundedAt; ///< shows the tensor that is rounded instead of the shown one
    QCPBars *m_float, *m_ranges;
    QCPGraph *m_quantized, *m_grid, *m_scatter, *m_channelLow, *m_channelHigh;
    QCPStatisticalBox *m_boxes;
    QCPItemStraightLine *m_diagonal;
    QCPItemStraightLine *m_lines[2];
    QCPItemText *m_handles[2], *m_empty;
    QTimer m_delay;
    QString m_operation, m_asked;
    QString m_askedOf, m_rowsOf;             ///< recipeHash of the run of the request, and of the rows
    QString m_stopped;                       ///< why there is no answer; empty: there is one, or will be
    QString m_wantedOperation, m_wantedSlot; ///< to be shown when that operation's distributions arrive
    std::vector<api::DistributionRow> m_rows;
    std::vector<api::DetailRow> m_details;
    double m_low = 0, m_high = 0, m_maxCount = 1;
    Histogram m_values;                 ///< of the float values, finer than the bars
    std::optional<double> m_noiseRatio; ///< of the tensor, measured
    int m_samples = 0;
    std::optional<RangeEstimate> m_drag; ///< of the dragged limits
    int m_dragging = -1;                 ///< which limit the mouse drags; -1: none
    QPair<double, double> m_draggedFrom;
    double m_draggedPixel = 0;
    bool m_isStale = false;
};

} // namespace ql
