#include "core/tune/cost.h"

#include "core/analysis/work_estimate.h"
#include "core/ir/op_traits.h"
#include "core/ir/subgraphs.h"

#include <algorithm>
#include <numeric>

namespace ql {

static constexpr int floatBits = 32, narrowBits = 8;

/// Bits of the values that an operation reads at a slot: those of its own config, or of the one whose scale it shares.
static int bitsOf(const QuantPlan &plan, Slot slot)
{
    const TensorQuantConfig *config = plan.find(slot);
    if (!config) return floatBits;
    if (config->state == QuantState::Overlapped) config = plan.find(plan.root(slot));
    return config && config->state != QuantState::Off ? config->bits : floatBits;
}

/// Of the wider operand of a multiplication by the weights of op; in bodies, activations are float32 unless the plan
/// has the bodies, too.
static int bitsOfProducts(const QuantModel &model, const Operation &op)
{
    if (!model.isQuantized(op.id)) return floatBits;
    if (bodies(op).empty())
        return std::max(bitsOf(model.plan, inputSlot(op.id, 0)),
                        bitsOf(model.plan, inputSlot(op.id, std::size_t(traitsOf(op).weights->weight))));
    int bits = model.plan.bodies.contains(op.id) ? 0 : floatBits;
    for (const std::size_t i : weightsOfBodies(model.graph, op))
        bits = std::max(bits, bitsOf(model.plan, inputSlot(op.id, i)));
    return bits;
}

static std::map<OpId, double> macsOf(const Graph &graph)
{
    std::map<OpId, double> macs;
    for (const OpId id : graph.topological())
        if (const double products = productsOf(graph, graph.operation(id)); products > 0) macs[id] = products;
    return macs;
}

static double sumOf(const std::map<OpId, double> &macs)
{
    return std::accumulate(macs.begin(), macs.end(), 0.0, [](double sum, const auto &m) { return sum + m.second; });
}

std::map<OpId, double> shareOfMacs(const Graph &graph)
{
    std::map<OpId, double> macs = macsOf(graph);
    const double all = sumOf(macs);
    for (auto &[id, products] : macs) products /= all;
    return macs;
}

std::vector<OpId> wideOperations(const QuantModel &model)
{
    std::vector<OpId> wide;
    const std::map<OpId, double> macs = macsOf(model.graph);
    for (const OpId id : model.graph.topological())
        if (macs.contains(id) && bitsOfProducts(model, model.graph.operation(id)) > narrowBits) wide.push_back(id);
    return wide;
}

bool isCheaper(const api::TuneCost &a, const api::TuneCost &b)
{
    return a.macBits <= b.macBits && a.weightBytes <= b.weightBytes &&
           (a.macBits < b.macBits || a.weightBytes < b.weightBytes);
}

double addedWeightBytes(const QuantModel &model, OpId id, int bits)
{
    const Operation &op = model.graph.operation(id);
    double bytes = 0;
    for (std::size_t i = 1; i < op.inputs.size(); ++i) {
        if (op.inputs[i] == noVar || !model.graph.isParameter(op.inputs[i])) continue;
        const int now = bitsOf(model.plan, inputSlot(id, i));
        bytes += double(model.graph.variable(op.inputs[i]).value.numel()) * std::max(bits - now, 0) / 8;
    }
    return bytes;
}

api::TuneCost costOf(const QuantModel &model)
{
    api::TuneCost cost;
    const Graph &graph = model.graph;
    const std::map<OpId, double> macs = macsOf(graph);
    const double all = sumOf(macs); // of integers: without rounding, so that all of them are 100 %
    for (const auto &[id, products] : macs) {
        const int bits = bitsOfProducts(model, graph.operation(id));
        if (bits <= narrowBits) cost.int8Macs += products;
        cost.macBits += products * bits;
    }
    if (all > 0) {
        cost.int8Macs /= all;
        cost.macBits /= all;
    }
    std::map<VarId, int> bitsOfValue; // a parameter of several operations is stored once, with the most bits
    for (const OpId id : graph.topological()) {
        const Operation &op = graph.operation(id);
        if (!isComputing(op) && bodies(op).empty()) continue;
        for (std::size_t i = 1; i < op.inputs.size(); ++i)
            if (op.inputs[i] != noVar && graph.isParameter(op.inputs[i])) {
                int &bits = bitsOfValue[op.inputs[i]];
                bits = std::max(bits, bitsOf(model.plan, inputSlot(id, i)));
            }
    }
    for (const auto &[id, bits] : bitsOfValue) cost.weightBytes += double(graph.variable(id).value.numel()) * bits / 8;
    return cost;
}

} // namespace ql
