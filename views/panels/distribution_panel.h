#pragma once

#include "views/bridge/document.h"
#include "views/plots/plot_style.h"

#include <QTimer>
#include <QWidget>
#include <array>

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
class QPushButton;
class QToolButton;

namespace ql {

/// Values of a tensor of the current operation, float and quantized, with grid and clip limits: drag one to fix the
/// range (an override, one undoable step, and run at once). Scatter: quantized against float. Channels: minimum,
/// quartiles and maximum of every channel, against what its scale can hold.
class DistributionPanel : public QWidget
{
    Q_OBJECT

public:
    explicit DistributionPanel(Document &document, QWidget *parent = nullptr);
    QCustomPlot *plot() const { return m_plot; }
    /// Clip limits as drawn; low == high when there are none.
    QPair<double, double> limits() const { return {m_low, m_high}; }
    bool hasData() const { return !m_rows.empty(); }
    /// What is written in place of a plot; empty when there is one.
    QString notice() const;
    enum class Mode { Values, Scatter, Channels };
    Mode mode() const;
    void setMode(Mode mode);
    void setLogarithmic(bool on);
    QString csv() const;
    /// How many points or boxes the mode draws.
    int pointCount() const;
    /// Each mode that has data, for "all plots at once".
    QVector<PlotSource> plots();
    /// Shows the slot with this role and number when there is one.
    void showSlot(const QString &role, int index);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void request();
    void fillSlots();
    void rebuild();
    void rebuildValues(const nlohmann::json &row);
    void goToRounded();
    /// The clip limits of the tensor, which can be dragged. @returns whether it has one pair of them, of its own
    bool takeLimits();
    void rebuildScatter(const nlohmann::json &details);
    void rebuildChannels(const nlohmann::json &channels);
    void rebuildBars(const nlohmann::json &channels);
    void rebuildGrid();
    void tellClipped();
    QString tipAt(const QPoint &position) const;
    static QString keysText();
    static QVector<double> numbersOf(const nlohmann::json &row, const char *key);
    bool keyPressed(const QKeyEvent &event);
    void restyle();
    void placeLimits();
    void applyLimits();
    const nlohmann::json *row() const;
    const nlohmann::json *detailsRow() const;
    const ConfigInfo *config() const;

    Document &m_document;
    QCustomPlot *m_plot;
    QComboBox *m_slot;
    QLabel *m_facts;
    QButtonGroup *m_modes;
    QToolButton *m_logarithmic;
    /// By mode: counts span decades; of channels, minimum, quartiles and maximum are told first.
    std::array<bool, 3> m_isLogarithmic{true, false, false};
    QPushButton *m_roundedAt; ///< goes to the tensor that is rounded instead of the shown one
    QCPBars *m_float, *m_ranges;
    QCPGraph *m_quantized, *m_grid, *m_scatter, *m_channelLow, *m_channelHigh;
    QCPStatisticalBox *m_boxes;
    QCPItemStraightLine *m_diagonal;
    QCPItemStraightLine *m_lines[2];
    QCPItemText *m_handles[2], *m_empty;
    QTimer m_delay;
    QString m_operation, m_asked;
    QString m_askedOf, m_rowsOf;             ///< recipeHash of the run that is asked about, and that the rows are of
    QString m_stopped;                       ///< why no answer came; empty: one did, or will
    QString m_wantedOperation, m_wantedSlot; ///< to be shown when that operation's distributions come
    std::vector<nlohmann::json> m_rows, m_details;
    QStringList m_rowFacts; ///< without what a dragged limit changes
    double m_low = 0, m_high = 0, m_mostCount = 1;
    QVector<double> m_bins; ///< counts of the float values, finer than the bars
    double m_binLow = 0, m_binWidth = 1;
    double m_zeros = 0;  ///< among the float values
    int m_dragging = -1; ///< which limit, by the mouse; -1: none
    QPair<double, double> m_draggedFrom;
    double m_draggedPixel = 0;
    bool m_isStale = false;
};

} // namespace ql
