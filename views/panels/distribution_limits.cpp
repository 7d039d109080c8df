// The clip limits of the distribution panel: dragged with the mouse, with an estimate of their cost.
#include "core/base/error.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/engine_text.h"
#include "views/bridge/run_history.h"
#include "views/commands/recipe_command.h"
#include "views/models/operation_model.h"
#include "views/panels/distribution_panel.h"
#include "views/plots/qcp.h"

#include <QLabel>
#include <QLocale>
#include <algorithm>
#include <cmath>

namespace ql {

/// Pixels around a limit where it can be grabbed.
static constexpr double grabWidth = 6;

int DistributionPanel::limitAt(double x) const
{
    if (config() != currentConfig()) return -1; // of another recipe than the one that a drag would edit
    const double values[2] = {m_low, m_high};
    for (int i = 0; i < 2; ++i)
        if (std::abs(m_plot->xAxis->coordToPixel(values[i]) - x) < grabWidth) return i;
    return -1;
}

bool DistributionPanel::mousePressed(const QMouseEvent &event)
{
    m_dragging = event.button() == Qt::LeftButton ? limitAt(event.position().x()) : -1;
    m_draggedFrom = limits();
    m_draggedPixel = event.position().x();
    return m_dragging >= 0;
}

bool DistributionPanel::mouseMoved(const QMouseEvent &event)
{
    if (m_dragging < 0) {
        m_plot->setCursor(limitAt(event.position().x()) >= 0 ? Qt::SizeHorCursor : Qt::ArrowCursor);
        return false;
    }
    const QCPAxis &axis = *m_plot->xAxis; // the mouse need not be exactly on the limit
    const double moved = axis.pixelToCoord(event.position().x()) - axis.pixelToCoord(m_draggedPixel);
    const double value = (m_dragging == 0 ? m_draggedFrom.first : m_draggedFrom.second) + moved;
    const ConfigInfo *c = config();
    double low = m_dragging == 0 ? std::min(value, 0.0) : m_low;
    double high = m_dragging == 1 ? std::max(value, 0.0) : m_high;
    // One scale on both sides of zero
    if (c && c->isSymmetric && c->quantMin < 0) {
        const double ratio = double(-c->quantMin) / double(c->quantMax);
        if (m_dragging == 0)
            high = -low / ratio;
        else
            low = -high * ratio;
    }
    if (!(low < high)) return true; // past zero: the line waits where it was
    m_low = low;
    m_high = high;
    takeEstimate();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
    return true;
}

/// The effect of the limits under the mouse. Noise from upstream operations stays: only the part of the limits is
/// estimated, before and after.
void DistributionPanel::takeEstimate()
{
    const ConfigInfo *c = config();
    if (!c) return;
    const qint64 steps = c->quantMax - c->quantMin;
    m_drag = estimateRange(m_values, m_low, m_high, steps);
    const double before = estimateRange(m_values, m_draggedFrom.first, m_draggedFrom.second, steps).noiseRatio;
    const double change = m_drag->noiseRatio - before;
    if (m_noiseRatio)
        m_drag->noiseRatio = std::max(*m_noiseRatio + change, std::min(*m_noiseRatio, m_drag->noiseRatio));
    showFacts();
    Q_EMIT estimated(m_operation, change);
}

void DistributionPanel::endDrag(bool isTaken)
{
    m_dragging = -1;
    m_drag.reset();
    if (isTaken)
        applyLimits();
    else
        Q_EMIT estimated(m_operation, {});
    rebuild();
}

void DistributionPanel::showFacts()
{
    const ConfigInfo *c = config();
    const auto number = [](double value, char format, int digits) { return QLocale().toString(value, format, digits); };
    QStringList facts;
    if (m_low < m_high && c) {
        const RangeEstimate now = m_drag ? *m_drag : estimateRange(m_values, m_low, m_high, c->quantMax - c->quantMin);
        const double share = 100 * now.clipped; // one decimal is enough for a large fraction
        facts.append(tr("step %1").arg(number(m_drag ? now.step : c->scale.front(), 'g', 4)));
        if (m_values.total() > 0) facts.append(tr("clipped %1 %").arg(number(share, 'f', share >= 1 ? 1 : 2)));
    } else if (c && c->scale.size() > 1) {
        facts.append(tr("one scale for each of %n channel(s): see “channels”", nullptr, int(c->scale.size())));
    }
    if (m_drag)
        facts.append(tr("≈ %1, estimated").arg(decibelText(decibels(m_drag->noiseRatio))));
    else if (m_noiseRatio)
        facts.append(decibelText(decibels(*m_noiseRatio)));
    if (m_samples > 0 && !m_drag) facts.append(tr("%n sample(s)", nullptr, m_samples));
    m_facts->setText(facts.join(QStringLiteral(" · ")));
}

void DistributionPanel::applyLimits()
{
    const ConfigInfo *c = config();
    if (!c) return;
    OverrideScope scope;
    scope.operations = QStringList{m_operation};
    scope.role = c->role;
    scope.index = c->index;
    try {
        replaceRecipe(m_document, tr("Clip range of %1").arg(m_operation),
                      withOverride(m_document.recipe(), scope, {.range = rangeOf(*c, m_low, m_high)}));
        // The limit is dragged for its effect on the operation
        if (m_document.history().isStale() && !m_document.requests().isLive())
            m_document.requests().run(api::Goal::Analyse);
    } catch (const Error &error) {
        m_facts->setText(exceptionText(error));
    }
}

} // namespace ql
