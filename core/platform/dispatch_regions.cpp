#include "core/platform/dispatch_regions.h"

#include "core/ir/op_traits.h"

#include <algorithm>
#include <array>

namespace ql {

namespace {

/// "the shape input of ", with the specified name of the input.
Text inputName(const Operation &op, std::int32_t i)
{
    const std::string name = slotName(op, inputSlot(op.id, std::size_t(i)));
    return name.empty() ? QL_TEXT("input %1").with(i) : QL_TEXT("the %1 input").with(name);
}

} // namespace

RegionFinder::RegionFinder(const GraphSearch &search, const DispatchRequest &request)
    : m_search(search), m_graph(search.graph()), m_request(request), m_order(m_graph.topological()), m_receivers(none())
{
    m_sockets.resize(std::size_t(m_graph.operationIdBound()));
    for (const OpId op : search.operations()) {
        const Operation &operation = m_graph.operation(op);
        const Socket &socket = m_sockets[std::size_t(index(op))] = socketOf(operation);
        for (std::size_t i = 0; i < operation.inputs.size(); ++i)
            if (socket.inputs[i] != SlotKind::Quantizable && producerOf(operation, i) != noOp)
                m_receivers.set(producerOf(operation, i));
    }
}

OpId RegionFinder::producerOf(const Operation &op, std::size_t input) const
{
    return op.hasInput(input) ? m_graph.variable(op.inputs[input]).producer : noOp;
}

RegionFinder::Marks RegionFinder::marks(const std::set<OpId> &ops) const
{
    Marks out = none();
    for (const OpId op : ops) out.set(op);
    return out;
}

bool RegionFinder::isGenerator(const Operation &op)
{
    return traitsOf(op).source != ValueSource::Inputs;
}

bool RegionFinder::isValueSink(const Operation &op)
{
    const ValueSource source = traitsOf(op).source;
    return source != ValueSource::Inputs && source != ValueSource::Fill;
}

bool RegionFinder::isLinked(const Operation &producer, const Operation &consumer) const
{
    const std::vector<bool> &links = socket(consumer.id).links;
    for (std::size_t i = 0; i < links.size(); ++i)
        if (links[i] && producerOf(consumer, i) == producer.id) return true;
    return false;
}

bool RegionFinder::carriesDown(const Operation &from, const Operation &to) const
{
    const OpTraits &traits = traitsOf(to);
    if (traits.regionsFollowValues) return isLinked(from, to);
    return traits.source == ValueSource::Inputs || traits.source == ValueSource::Selection;
}

bool RegionFinder::carriesUp(const Operation &from, const Operation &to) const
{
    const ValueSource above = traitsOf(to).source;
    if (above == ValueSource::Shape || above == ValueSource::Selection) return false;
    const OpTraits &traits = traitsOf(from);
    if (traits.regionsFollowValues) return isLinked(to, from);
    return traits.source != ValueSource::Indices && traits.source != ValueSource::Shape;
}

RegionFinder::Marks RegionFinder::conservativeRegion() const
{
    const auto found = m_search.reachable(
        isComputing, [this](const Operation &a, const Operation &b) { return carriesDown(a, b); },
        [this](const Operation &op) { return !isQuantizable(op) || isBoundary(op); }, Direction::Down);
    Marks region = none();
    for (const OpId op : found)
        if (isQuantizable(m_graph.operation(op))) region.set(op);
    return region;
}

RegionFinder::Marks RegionFinder::computedRegion() const
{
    return marks(m_search.reachable(
        isComputing, [this](const Operation &a, const Operation &b) { return carriesDown(a, b); },
        [this](const Operation &op) { return isValueSink(op) || isBoundary(op); }, Direction::Down));
}

RegionFinder::Marks RegionFinder::shapeRegion(const Marks &region) const
{
    Marks shapes = m_receivers;
    const auto add = [&](const std::set<OpId> &found) {
        bool hasNew = false;
        for (const OpId op : found) {
            if (region(op) || shapes(op) || isComputing(m_graph.operation(op))) continue;
            shapes.set(op);
            hasNew = true;
        }
        return hasNew;
    };
    add(m_search.reachable(
        isGenerator, [this](const Operation &a, const Operation &b) { return carriesDown(a, b); },
        [&](const Operation &op) { return m_receivers(op) || region(op) || isBoundary(op) || isComputing(op); },
        Direction::Down));
    // Operations that lead to shape arithmetic are shape arithmetic; new members end further searches.
    while (add(m_search.reachable(
        [&](const Operation &op) { return shapes(op) && !readsShapeOnly(op); },
        [this](const Operation &a, const Operation &b) { return carriesUp(a, b); },
        [&](const Operation &op) { return shapes(op) || region(op) || isBoundary(op) || isComputing(op); },
        Direction::Up))) {
    }
    return shapes;
}

Dispatch RegionFinder::divide(const Marks &region, const std::function<Text(OpId)> &floatReason) const
{
    const Marks computed = computedRegion();
    const Marks shapes = shapeRegion(region);
    Dispatch out;
    for (const OpId op : m_order) {
        if (shapes(op) && !computed(op))
            out[op] = {soiPlatform, shapeReason(op, shapes)};
        else if (region(op))
            out[op] = {m_request.platform, regionReason(op)};
        else
            out[op] = {fp32Platform, floatReason(op)};
    }
    followProducers(out, {fp32Platform, QL_TEXT("reads the size of a graph input or parameter")});
    return out;
}

void RegionFinder::followProducers(Dispatch &dispatch, const DispatchEntry &fallback) const
{
    for (const OpId op : m_order) {
        const Operation &operation = m_graph.operation(op);
        const bool isActivation = isLinearActivation(operation);
        if (!isValueSink(operation) && !isActivation) continue;
        const OpId producer = producerOf(operation, 0);
        if (producer == noOp) {
            if (!isActivation) dispatch[op] = fallback;
            continue;
        }
        const std::string &target = dispatch[producer].platform;
        // keep the reason of the decision if following changes nothing
        if (dispatch[op].platform != target)
            dispatch[op] = {target, QL_TEXT("follows its producer %1").with(label(producer))};
    }
}

std::string RegionFinder::label(OpId op) const
{
    const Operation &operation = m_graph.operation(op);
    return operation.type + " '" + operation.name + "'";
}

void RegionFinder::explainFloats() const
{
    if (m_isExplained) return;
    m_isExplained = true;
    const std::size_t bound = std::size_t(m_graph.operationIdBound());
    m_lead.assign(bound, noOp);
    m_blocker.assign(bound, noOp);
    m_leadsToComputing.assign(bound, false);
    for (const OpId op : m_order) {
        const Operation &operation = m_graph.operation(op);
        OpId &lead = m_lead[std::size_t(index(op))];
        OpId &blocker = m_blocker[std::size_t(index(op))];
        for (const OpId producer : m_search.producers(op)) {
            if (!carriesDown(m_graph.operation(producer), operation)) continue;
            const std::size_t p = std::size_t(index(producer));
            if (lead == noOp) lead = m_lead[p];
            if (blocker == noOp && m_lead[p] != noOp)
                blocker = isQuantizable(m_graph.operation(producer)) ? m_blocker[p] : producer;
        }
        if (!isComputing(operation)) continue;
        lead = op;
        if (isQuantizable(operation)) blocker = noOp;
    }
    for (auto it = m_order.rbegin(); it != m_order.rend(); ++it)
        for (const OpId consumer : m_search.consumers(*it))
            if (isComputing(m_graph.operation(consumer)) || m_leadsToComputing[std::size_t(index(consumer))])
                m_leadsToComputing[std::size_t(index(*it))] = true;
}

Text RegionFinder::floatReason(OpId op) const
{
    explainFloats();
    const Operation &operation = m_graph.operation(op);
    const std::size_t i = std::size_t(index(op));
    if (!isQuantizable(operation))
        return QL_TEXT("type %1 is not quantizable on %2").with(operation.type, m_request.platform);
    if (isComputing(operation))
        return m_search.consumers(op).empty()
                   ? QL_TEXT("compute operation %1 ends the graph and no quantizable operations lead to it from "
                             "another compute operation")
                         .with(operation.type)
                   : QL_TEXT("the results of compute operation %1 are used only as shapes or indices")
                         .with(operation.type);
    if (m_lead[i] == noOp)
        return m_leadsToComputing[i] ? QL_TEXT("before the first compute operation: nothing to gain")
                                     : QL_TEXT("no compute operation upstream: nothing to gain");
    if (m_blocker[i] != noOp)
        return QL_TEXT("downstream of %1, which %2 does not quantize: float32 until the next compute operation")
            .with(label(m_blocker[i]), m_request.platform);
    return QL_TEXT("its values reach neither a quantizable operation nor the end of the graph");
}

Text RegionFinder::regionReason(OpId op) const
{
    explainFloats();
    const Operation &operation = m_graph.operation(op);
    if (isComputing(operation))
        return QL_TEXT("compute operation %1 between quantizable operations").with(operation.type);
    const OpId lead = m_lead[std::size_t(index(op))];
    return QL_TEXT("quantizable %1 downstream of compute operation %2")
        .with(operation.type, (lead == noOp ? std::string() : label(lead)));
}

Text RegionFinder::shapeReason(OpId op, const Marks &shapes) const
{
    const Operation &operation = m_graph.operation(op);
    for (const VarId output : operation.outputs) {
        if (output == noVar) continue;
        for (const Use &use : m_graph.variable(output).uses) {
            const Operation &reader = m_graph.operation(use.op);
            if (socket(use.op).inputs[std::size_t(use.index)] != SlotKind::Quantizable)
                return QL_TEXT("feeds %1 of %2").with(inputName(reader, use.index), label(use.op));
        }
    }
    if (isGenerator(operation)) return QL_TEXT("produces shapes or indices");
    for (const OpId producer : m_search.producers(op))
        if (shapes(producer)) return QL_TEXT("computes with shapes or indices from %1").with(label(producer));
    for (const OpId consumer : m_search.consumers(op))
        if (shapes(consumer)) return QL_TEXT("upstream of the shape or index arithmetic of %1").with(label(consumer));
    return QL_TEXT("shape or index arithmetic");
}

} // namespace ql
