#include "core/pass/matrix_weights.h"

#include "core/ir/op_traits.h"
#include "core/pass/calibration_data.h"
#include "core/pass/format_tools.h"
#include "core/pass/observation.h"
#include "core/quant/groups.h"
#include "core/quant/quantize.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/maximum.h>

#include <algorithm>

namespace ql {

namespace {

bool isOwnMatrixValue(const Graph &graph, VarId id)
{
    return graph.isParameter(id) && graph.variable(id).value.scalar_type() == at::kFloat && isOwnedByOneSlot(graph, id);
}

bool isReadOnce(const Graph &graph, VarId id)
{
    return graph.variable(id).uses.size() == 1 && !graph.isGraphOutput(id);
}

/// A walk upstream that divides channels by factors, or finds out whether it could.
class ProducerScaling
{
public:
    ProducerScaling(Graph &graph, const at::Tensor &factors, bool isTrial)
        : m_graph(graph), m_factors(factors), m_isTrial(isTrial)
    {}

    bool divide(VarId id)
    {
        const OpId producer = m_graph.variable(id).producer;
        if (producer == noOp) return false;
        const Operation op = m_graph.operation(producer);
        if (op.outputs[0] != id) return false;
        if (const auto matrix = matrixWeight(m_graph, producer)) return divideMatrix(op, *matrix);
        if (!op.domain.empty()) return false;
        if (op.type == "LayerNormalization")
            return isVector(op, 1) && (!op.hasInput(2) || divideVector(op, 2)) && divideVector(op, 1);
        if (op.type == "Relu") return divideInput(op, 0);
        if (op.type == "Mul")
            return divideVector(op, 1) || divideVector(op, 0) || divideInput(op, 1) || divideInput(op, 0);
        if (op.type == "Add")
            return (isVector(op, 1) && divideInput(op, 0) && divideVector(op, 1)) ||
                   (isVector(op, 0) && divideInput(op, 1) && divideVector(op, 0));
        return false;
    }

private:
    bool isVector(const Operation &op, std::size_t i) const
    {
        if (!op.hasInput(i) || !isOwnMatrixValue(m_graph, op.inputs[i])) return false;
        const at::Tensor &value = m_graph.variable(op.inputs[i]).value;
        return value.dim() > 0 && value.numel() == m_factors.numel() && value.size(-1) == m_factors.numel();
    }
    bool divideVector(const Operation &op, std::size_t i)
    {
        if (!isVector(op, i)) return false;
        const at::Tensor &value = m_graph.variable(op.inputs[i]).value;
        if (!m_isTrial) m_graph.setValue(op.inputs[i], value / m_factors);
        return true;
    }
    bool divideInput(const Operation &op, std::size_t i)
    {
        return op.hasInput(i) && !m_graph.isParameter(op.inputs[i]) && isReadOnce(m_graph, op.inputs[i]) &&
               divide(op.inputs[i]);
    }
    bool divideMatrix(const Operation &op, const MatrixWeight &matrix)
    {
        const bool hasBias = op.hasInput(2);
        if (matrix.outputs != m_factors.numel() || (hasBias && !isVector(op, 2))) return false;
        if (hasBias) divideVector(op, 2);
        if (m_isTrial) return true;
        const at::Tensor rows = matrix.oriented(m_graph.variable(matrix.weight).value) / m_factors.reshape({-1, 1});
        m_graph.setValue(matrix.weight, matrix.stored(rows));
        return true;
    }

    Graph &m_graph;
    const at::Tensor m_factors;
    const bool m_isTrial;
};

/// Sums of one input over the batches of a run.
struct RunningSums
{
    InputStatistics sums;
    std::int64_t count = 0;

    void add(const at::Tensor &tensor)
    {
        const at::Tensor x = tensor.contiguous().reshape({-1, tensor.size(-1)});
        const at::Tensor wide = x.to(at::kDouble), size = x.abs();
        const at::Tensor products = at::matmul(wide.t(), wide), largest = size.amax(0), total = size.sum(0);
        if (count == 0) {
            sums = {products, largest, total};
        } else {
            sums.products += products;
            sums.largest = at::maximum(sums.largest, largest);
            sums.mean += total;
        }
        count += x.size(0);
    }
};

} // namespace

std::optional<MatrixWeight> matrixWeight(const Graph &graph, OpId id)
{
    const Operation &op = graph.operation(id);
    const bool isProduct = op.type == "MatMul" || op.type == "Gemm" || op.type == "BiasedMatMul";
    if (!isProduct || !op.hasInput(0) || !op.hasInput(1) || op.outputs.size() != 1 || graph.isParameter(op.inputs[0]) ||
        !isOwnMatrixValue(graph, op.inputs[1]) || op.intAttribute("transA", 0) != 0)
        return std::nullopt;
    const at::Tensor &value = graph.variable(op.inputs[1]).value;
    const auto axis = value.dim() == 2 ? weightChannelAxis(op, 1, 2) : std::nullopt;
    if (!axis || value.numel() == 0) return std::nullopt;
    return MatrixWeight{.op = id,
                        .input = op.inputs[0],
                        .weight = op.inputs[1],
                        .inputs = value.size(1 - *axis),
                        .outputs = value.size(*axis),
                        .isTransposed = *axis == 0};
}

std::optional<MatrixWeight> patchWeight(const Graph &graph, OpId id)
{
    const Operation &op = graph.operation(id);
    if (op.type != "Conv" || !op.domain.empty() || op.intAttribute("group", 1) != 1 || !op.hasInput(0) ||
        !op.hasInput(1) || graph.isParameter(op.inputs[0]) || !isOwnMatrixValue(graph, op.inputs[1]))
        return std::nullopt;
    const at::Tensor &value = graph.variable(op.inputs[1]).value;
    if (value.dim() < 3 || value.numel() == 0) return std::nullopt;
    return MatrixWeight{.op = id,
                        .input = op.inputs[0],
                        .weight = op.inputs[1],
                        .inputs = value.numel() / value.size(0),
                        .outputs = value.size(0),
                        .isTransposed = true};
}

bool isQuantized(const QuantPlan &plan, const MatrixWeight &matrix)
{
    const TensorQuantConfig *config = plan.find(inputSlot(matrix.op, 1));
    return config && !config->dynamic && (config->state == QuantState::Initial || config->state == QuantState::Active);
}

std::vector<MatrixGroup> matrixGroups(const Graph &graph)
{
    std::vector<MatrixGroup> groups;
    for (const OpId id : graph.topological()) {
        const auto matrix = matrixWeight(graph, id);
        if (!matrix) continue;
        const auto known = std::find_if(groups.begin(), groups.end(),
                                        [&](const MatrixGroup &group) { return group.input == matrix->input; });
        MatrixGroup &group = known == groups.end() ? groups.emplace_back() : *known;
        group.input = matrix->input;
        group.matrices.push_back(*matrix);
    }
    for (MatrixGroup &group : groups)
        group.isOnlyReader = graph.variable(group.input).uses.size() == group.matrices.size() &&
                             !graph.isGraphOutput(group.input) && !graph.isGraphInput(group.input);
    return groups;
}

std::vector<MatrixGroup> quantizedGroups(const QuantModel &model)
{
    std::vector<MatrixGroup> groups = matrixGroups(model.graph);
    std::erase_if(groups, [&](const MatrixGroup &group) {
        return std::none_of(group.matrices.begin(), group.matrices.end(),
                            [&](const MatrixWeight &matrix) { return isQuantized(model.plan, matrix); });
    });
    return groups;
}

std::map<VarId, InputStatistics> inputStatistics(const Graph &graph, const std::vector<MatrixGroup> &groups,
                                                 const PassContext &context, const Text &what)
{
    requireCalibration(context, what);
    std::map<VarId, RunningSums> sums;
    ProgramSpec spec;
    for (const MatrixGroup &group : groups)
        spec.probes.push_back(
            {.slot = inputSlot(group.matrices[0].op, 0),
             .callback = [&own = sums[group.input]](const at::Tensor &x, std::size_t) { own.add(x); }});
    const Executor executor(graph, context.exec);
    const Program program = executor.compile(spec);
    const std::size_t steps = std::min(context.calibrationSteps, context.calibration->size());
    for (std::size_t i = 0; i < steps; ++i) {
        context.job.checkpoint(0.5 * double(i) / double(steps), what);
        program.run(context.calibration->batch(i), context.job, context.calibration->name(i));
    }
    std::map<VarId, InputStatistics> found;
    for (auto &[id, own] : sums) {
        if (own.count == 0) continue;
        // New tensors: those of a run cannot be changed in place
        found[id] = {own.sums.products / double(own.count), own.sums.largest.clone(),
                     own.sums.mean / double(own.count)};
    }
    return found;
}

/// The scales that the config's observer finds for value.
static Observer::Result observedScales(const at::Tensor &value, const TensorQuantConfig &config)
{
    const auto observer = makeObserver(config);
    const at::Tensor seen = (config.isGrouped() ? groupRows(value, config) : value).contiguous();
    at::Tensor copy;
    const TensorView view = viewOf(seen, config.isGrouped() ? 0 : observedAxis(config, int(seen.dim())), &copy);
    callObserver(config, [&] {
        for (int phase = 0; phase < observer->phases(); ++phase) {
            if (phase > 0) observer->nextPhase();
            observer->observe(view);
        }
    });
    Observer::Result result = resultOf(*observer, config);
    roundScales(result.scale, config);
    return result;
}

at::Tensor roundedBy(const at::Tensor &value, const TensorQuantConfig &config)
{
    const bool isFixed = config.state == QuantState::Active;
    const Observer::Result scales =
        isFixed ? Observer::Result{config.scale, config.zeroPoint} : observedScales(value, config);
    return fakeQuant(value.contiguous(), config, scales.scale, scales.zeroPoint);
}

double outputError(const at::Tensor &change, const at::Tensor &products)
{
    const at::Tensor wide = change.to(at::kDouble);
    return (at::matmul(wide, products) * wide).sum().item().toDouble();
}

int scaleInputs(QuantModel &model, const PassContext &context, const Text &what, const InputFactors &factorsOf)
{
    QuantModel configured = model;
    context.configure(configured);
    std::vector<MatrixGroup> groups = quantizedGroups(configured);
    std::erase_if(groups, [](const MatrixGroup &group) { return !group.isOnlyReader; });
    if (groups.empty()) return 0;
    const auto statistics = inputStatistics(model.graph, groups, context, what);
    Graph &graph = model.graph;
    int changed = 0;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        context.job.checkpoint(0.5 + 0.5 * double(i) / double(groups.size()), what);
        const VarId input = groups[i].input;
        const auto seen = statistics.find(input);
        if (seen == statistics.end()) continue;
        const at::Tensor factors = factorsOf(configured, groups[i], seen->second);
        if (!factors.defined() || !ProducerScaling(graph, factors, true).divide(input)) continue;
        ProducerScaling(graph, factors, false).divide(input);
        for (const MatrixWeight &matrix : groups[i].matrices)
            graph.setValue(matrix.weight,
                           matrix.stored(matrix.oriented(graph.variable(matrix.weight).value) * factors));
        changed += int(groups[i].matrices.size());
    }
    return changed;
}

} // namespace ql
