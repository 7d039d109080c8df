#include "core/pass/observation.h"

#include "core/base/error.h"
#include "core/pass/slots.h"
#include "core/quant/device.h"
#include "core/quant/groups.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace ql {

/// From here on an outlier costs more than three bits of the remaining range; a percentile normally clips far less.
static constexpr double remarkableClipping = 8;

TensorView viewOf(const at::Tensor &tensor, std::optional<int> axis, at::Tensor *copy, bool onDevice)
{
    const at::Tensor *dense = &tensor;
    if (!(onDevice || tensor.is_cpu()) || !tensor.is_non_overlapping_and_dense()) {
        *copy = (onDevice ? tensor : toHost(tensor)).contiguous();
        dense = copy;
    }
    TensorView view;
    if (!dense->is_cpu()) {
        const DeviceKernels there = kernelsFor(*dense);
        view.kernels = there.kernels;
        view.stream = there.stream;
    }
    view.data = dense->data_ptr<float>();
    view.size = dense->numel();
    if (axis && dense->size(*axis) > 1) { // the stride of an axis of one entry means nothing
        view.channels = dense->size(*axis);
        view.channelStride = dense->stride(*axis);
    }
    return view;
}

Observation::Observation(const TensorQuantConfig &config, std::size_t batches)
    : m_config(config), m_observer(makeObserver(config))
{
    callObserver(m_config, [&] { m_observer->expectBatches(batches); });
}

void Observation::observe(const at::Tensor &tensor)
{
    m_seen = true;
    if (!m_failure.isEmpty()) return;
    if (tensor.scalar_type() != at::kFloat) {
        m_failure = QL_TEXT("the tensor is %1, not float32").with(dtypeName(tensor.scalar_type()));
        m_remedy = QL_TEXT("Keep its type: set the state of this config to fp32.");
        return;
    }
    try {
        const auto axis = observedAxis(m_config, int(tensor.dim()));
        if (axis && *axis >= tensor.dim()) {
            m_failure = QL_TEXT("channel axis %1 is out of range for a tensor of rank %2").with(*axis, tensor.dim());
            m_remedy = QL_TEXT("Quantize this tensor per tensor, or choose one of its axes.");
            return;
        }
        at::Tensor copy;
        const at::Tensor &seen = m_config.isGrouped() ? (m_rows = groupRows(tensor, m_config)) : tensor;
        const TensorView view = viewOf(seen, m_config.isGrouped() ? 0 : axis, &copy, m_observer->readsAnyDevice());
        callObserver(m_config, [&] { m_observer->observe(view); });
    } catch (const Error &error) {
        if (error.kind == ErrorKind::Internal) throw; // not about the values
        m_failure = error.message;
        m_remedy = error.remedy;
    }
}

void Observation::nextPhase()
{
    callObserver(m_config, [&] { m_observer->nextPhase(); });
}

bool Observation::finish(QuantModel &model, Slot slot, const Origin &origin, const PassContext &context) const
{
    const auto report = [&](api::Severity severity, const Text &message, const Text &remedy) {
        reportSlot(context, model.graph, slot, severity, message, remedy);
    };
    Text failure = m_seen ? m_failure : QL_TEXT("the tensor was never computed"), remedy = m_remedy;
    Observer::Result result;
    if (failure.isEmpty()) {
        try {
            result = resultOf(*m_observer, m_config);
        } catch (const Error &error) {
            if (error.kind == ErrorKind::Internal) throw;
            failure = error.message;
            remedy = error.remedy;
        }
    }
    if (!failure.isEmpty()) {
        model.plan.setState(slot, QuantState::Off, origin);
        const Variable &variable = model.graph.variable(variableOf(model.graph, slot));
        if (variable.value.defined() && variable.value.numel() == 0) return false; // nothing to round
        report(api::Severity::Warning, QL_TEXT("left in float32: %1").with(failure), remedy);
        return false;
    }
    roundScales(result.scale, m_config);
    model.plan.setScale(slot, result.scale, result.zeroPoint, QuantState::Active, origin);
    if (m_observer->nanCount() > 0)
        report(api::Severity::Warning,
               QL_TEXT("NaN values left out of the statistics: %1").with(m_observer->nanCount()),
               QL_TEXT("Find the operation that produces them; targets do not define how they treat NaN."));
    const double min = m_observer->seenMin(), max = m_observer->seenMax();
    if (min > max || isParameterSlot(model.graph, slot)) return true;
    if (min == max)
        report(api::Severity::Warning, QL_TEXT("every value was %1 in the calibration data").with(Text::number(min)),
               QL_TEXT("Check that the data reaches this part of the network and is preprocessed as in training."));
    if (result.scale.size() != 1 || m_config.isFloating()) return true;
    const double scale = result.scale[0], zero = result.zeroPoint[0];
    const double low = (double(m_config.quantMin) - zero) * scale, high = (double(m_config.quantMax) - zero) * scale;
    const double excess = std::max(low < 0 ? min / low : 0, high > 0 ? max / high : 0);
    if (excess >= remarkableClipping)
        report(api::Severity::Warning,
               QL_TEXT("values range from %1 to %2, but the scale represents only %3 to %4")
                   .with(Text::number(min), Text::number(max), Text::number(low), Text::number(high)),
               QL_TEXT("If these outliers matter, calibrate this tensor with minmax or a higher percentile."));
    return true;
}

} // namespace ql
