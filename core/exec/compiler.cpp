// Creates the steps of a program: which operations are needed, folded and fused, which tensors are quantized, when
// values are released.
#include "core/exec/compiler.h"

#include "core/exec/runtime_kernels.h"
#include "core/exec/step_list.h"
#include "core/exec/target_fusion.h"
#include "core/exec/target_kernel.h"
#include "core/exec/unsupported.h"
#include "core/ir/op_traits.h"
#include "core/quant/integer_arithmetic.h"
#include "core/quant/quantize.h"

#include <algorithm>
#include <map>
#include <optional>

namespace ql {

namespace {

/// Builds one Program.
class Compiler
{
public:
    Compiler(const CompilerInput &input, const ProgramSpec &spec)
        : m_graph(input.graph), m_spec(spec), m_order(input.order), m_constants(input.constants),
          m_folded(input.folded), m_undefined(input.undefined), m_impl(std::make_shared<Program::Impl>())
    {
        m_impl->graph = &m_graph;
        m_impl->trainable = spec.trainable;
    }

    std::shared_ptr<Program::Impl> compile(const PrepareKernel &prepare, bool fuse, const PlaceSteps &place)
    {
        m_fuse = fuse;
        m_impl->feeds = m_spec.feeds.empty() ? m_graph.inputs() : m_spec.feeds;
        m_impl->outputs = m_spec.outputs.empty() ? m_graph.outputs() : m_spec.outputs;
        m_feeds.insert(m_impl->feeds.begin(), m_impl->feeds.end());
        for (const Probe &probe : m_spec.probes) m_probed.insert(probe.slot);
        findFolded();
        findNeeded();
        if (m_spec.feeds.empty()) dropUnusedFeeds();
        requireKernels(m_graph, m_order, m_needed);
        for (const VarId id : m_impl->feeds) {
            m_impl->feedValues.push_back(valueOf(id));
            m_impl->feedNames.push_back(m_graph.variable(id).name);
        }
        for (const OpId id : m_order)
            if (m_needed.contains(id) && !m_fusedAway.contains(id)) addOperation(m_graph.operation(id), prepare);
        for (const VarId id : m_impl->outputs) m_impl->outputValues.push_back(shownValue(id));
        dropUnusedConversions(*m_impl);
        if (m_spec.trainable) makeDifferentiable();
        if (place) place(*m_impl);
        planReleases(*m_impl);
        return std::move(m_impl);
    }

private:
    bool followsPlan(OpId op) const
    {
        return m_spec.plan && (!m_spec.onlyQuantized || m_spec.onlyQuantized->contains(op));
    }

    /// The config that is applied to slot in this program, or null.
    const TensorQuantConfig *applied(Slot slot) const
    {
        return followsPlan(slot.op) ? m_spec.plan->simulated(roundingSlot(slot)) : nullptr;
    }
    /// The slot that rounds the tensor of slot: itself, unless the target rounds a float result as its readers do.
    Slot roundingSlot(Slot slot) const
    {
        const auto its = [this](Slot of) { return followsPlan(of.op) ? m_spec.plan->simulated(of) : nullptr; };
        return m_spec.trainable ? slot : roundingByReaders(m_graph, *m_spec.plan, slot, its).value_or(slot);
    }

    /// Not computed by this program: also not the float result of a chain of constants that it quantizes.
    bool isMadeBefore(VarId id) const
    {
        const OpId producer = m_graph.variable(id).producer;
        return producer == noOp || isFolded(producer);
    }
    bool isConstant(VarId id) const
    {
        return m_constants.contains(index(id)) && !m_feeds.contains(id) && isMadeBefore(id);
    }

    /// Folded in float, and unaffected by this program's quantization. Filled in topological order, so each operation
    /// is visited once, however many paths lead to it.
    void findFolded()
    {
        for (const OpId id : m_order) {
            if (!m_folded.contains(id)) continue;
            const Operation &op = m_graph.operation(id);
            const std::vector<Slot> slots = slotsOf(op);
            const bool changed = std::any_of(slots.begin(), slots.end(),
                                             [&](Slot slot) { return applied(slot) || m_probed.contains(slot); });
            const bool constant = std::all_of(op.inputs.begin(), op.inputs.end(), [&](VarId v) {
                return v == noVar || (!isTrained(v) && (m_feeds.contains(v) || isMadeBefore(v)));
            });
            if (!changed && constant) m_foldedHere.insert(id);
        }
    }
    bool isFolded(OpId id) const { return m_foldedHere.contains(id); }

    bool isTrained(VarId parameter) const
    {
        return m_spec.trainable && m_spec.trainable->parameters.contains(parameter);
    }
    /// Whether the quantization of slot differs from run to run.
    bool isTrained(Slot slot) const
    {
        return m_spec.trainable && (m_spec.trainable->quantizers.contains(slot) ||
                                    m_spec.trainable->scales.contains(m_spec.plan->root(slot)));
    }
    /// The value of a parameter that each run reads.
    ValueId trainedValue(VarId id)
    {
        if (const auto known = m_values.find(id); known != m_values.end()) return known->second;
        const ValueId value = newValue(id);
        m_impl->trained.emplace_back(id, value);
        return m_values[id] = value;
    }

    void findNeeded()
    {
        std::vector<OpId> open;
        const auto want = [&](VarId id) {
            if (id == noVar || m_feeds.contains(id)) return;
            const OpId producer = m_graph.variable(id).producer;
            if (producer != noOp && !isFolded(producer) && m_needed.insert(producer).second) open.push_back(producer);
        };
        for (const VarId id : m_impl->outputs) want(id);
        for (const Probe &probe : m_spec.probes)
            if (m_needed.insert(probe.slot.op).second) open.push_back(probe.slot.op);
        while (!open.empty()) {
            const OpId id = open.back();
            open.pop_back();
            for (const VarId input : m_graph.operation(id).inputs) want(input);
        }
    }

    void dropUnusedFeeds()
    {
        const auto used = [&](VarId id) {
            if (std::find(m_impl->outputs.begin(), m_impl->outputs.end(), id) != m_impl->outputs.end()) return true;
            const auto &uses = m_graph.variable(id).uses;
            return std::any_of(uses.begin(), uses.end(), [&](const Use &use) { return m_needed.contains(use.op); });
        };
        std::erase_if(m_impl->feeds, [&](VarId id) { return !used(id); });
    }

    ValueId newValue(VarId variable)
    {
        m_impl->constants.emplace_back();
        m_impl->valueVariables.push_back(variable);
        return ValueId(m_impl->constants.size() - 1);
    }

    /// The value of a variable before any slot's quantization: fed, constant, or computed by an earlier step.
    ValueId valueOf(VarId id)
    {
        const auto known = m_values.find(id);
        if (known != m_values.end()) return known->second;
        const ValueId value = newValue(id);
        m_values.emplace(id, value);
        if (isConstant(id))
            m_impl->constants[std::size_t(value)] = m_constants.at(index(id));
        else if (!m_feeds.contains(id))
            throw Error(ErrorKind::BadData,
                        QL_TEXT("the tensor has no value: it is neither computed nor constant nor fed"), {},
                        m_graph.variable(id).name);
        return value;
    }

    /// The float constant of a parameter in this program: the plan's own value if it has one and op is quantized.
    at::Tensor parameterValue(VarId id, Slot slot) const
    {
        if (followsPlan(slot.op)) {
            const auto own = m_spec.plan->parameterValues.find(id);
            if (own != m_spec.plan->parameterValues.end()) return own->second;
        }
        return m_constants.at(index(id));
    }

    void probe(Slot slot, ProbePoint point, ValueId value)
    {
        if (!m_probed.contains(slot)) return;
        Step step;
        step.kind = Step::Kind::Probe;
        step.op = slot.op;
        step.inputs = {value};
        for (const Probe &probe : m_spec.probes)
            if (probe.slot == slot && probe.point == point) step.callbacks.push_back(probe.callback);
        if (!step.callbacks.empty()) m_impl->steps.push_back(std::move(step));
    }

    ValueId quantize(ValueId from, Slot slot, const TensorQuantConfig &config, VarId variable)
    {
        const TargetKernel::Result result = resultAt(m_graph, *m_spec.plan, slot);
        if (result == TargetKernel::Result::Exact) return from;
        Step step = quantizeStep(*m_spec.plan, slot, config);
        const auto its = m_grids.find(from);
        if (!m_spec.trainable) setRounding(step, m_graph, *m_spec.plan, its == m_grids.end() ? nullptr : &its->second);
        step.inputs = {from};
        step.outputs = {newValue(variable)};
        if (result == TargetKernel::Result::Clamped) clampOnly(step);
        m_impl->steps.push_back(step);
        if (isByteGrid(step.config)) m_grids.emplace(step.outputs[0], gridOf(step));
        return step.outputs[0];
    }

    /// The value that op reads at input i, with the steps that quantize it.
    ValueId inputValue(const Operation &op, std::size_t i)
    {
        const VarId id = op.inputs[i];
        if (id == noVar) return noValue;
        const Slot slot = inputSlot(op.id, i);
        const TensorQuantConfig *config = applied(slot);
        if (isConstant(id) && isTrained(id)) {
            const ValueId raw = trainedValue(id);
            return config ? quantize(raw, slot, *config, noVar) : raw;
        }
        if (isConstant(id)) {
            at::Tensor constant = m_graph.isParameter(id) ? parameterValue(id, slot) : m_constants.at(index(id));
            if (config && isTrained(slot)) {
                const ValueId raw = newValue(id);
                m_impl->constants[std::size_t(raw)] = constant;
                return quantize(raw, slot, *config, noVar);
            }
            const bool own = config || (m_graph.isParameter(id) && !constant.is_same(m_constants.at(index(id))));
            if (config && constant.scalar_type() == at::kFloat)
                constant = roundedParameter(constant, m_graph, *m_spec.plan, slot);
            ValueId value;
            if (own) {
                value = newValue(noVar);
                m_impl->constants[std::size_t(value)] = constant;
            } else {
                value = valueOf(id);
            }
            probe(slot, ProbePoint::Raw, valueOf(id));
            probe(slot, ProbePoint::Quantized, value);
            return value;
        }
        const ValueId raw = valueOf(id);
        probe(slot, ProbePoint::Raw, shownValue(id));
        if (!config) {
            probe(slot, ProbePoint::Quantized, shownValue(id));
            return raw;
        }
        // Slots that quantize the same tensor on the same grid share the result.
        for (const auto &[known, value] : m_quantized[id])
            if (!config->dynamic && !isTrained(slot) && !isTrained(known) &&
                m_spec.plan->find(known)->sameScheme(*config) &&
                m_spec.plan->scale(known) == m_spec.plan->scale(slot) &&
                m_spec.plan->zeroPoint(known) == m_spec.plan->zeroPoint(slot)) {
                probe(slot, ProbePoint::Quantized, value);
                return value;
            }
        const ValueId value = quantize(raw, slot, *config, noVar);
        m_quantized[id].emplace_back(slot, value);
        probe(slot, ProbePoint::Quantized, value);
        return value;
    }

    /// The epilogue of op's kernel and the operations it replaces; the output of the last one is written.
    struct Activation
    {
        Epilogue epilogue;
        std::vector<OpId> operations;
    };

    /// Whether the only output of op can stay inside a kernel: not requested, not fed, not quantized and not probed.
    bool isHidden(const Operation &op) const
    {
        if (op.outputs.size() != 1 || op.outputs[0] == noVar || m_feeds.contains(op.outputs[0])) return false;
        const auto touched = [&](Slot slot) { return applied(slot) || m_probed.contains(slot); };
        if (std::find(m_impl->outputs.begin(), m_impl->outputs.end(), op.outputs[0]) != m_impl->outputs.end())
            return false;
        const auto &uses = m_graph.variable(op.outputs[0]).uses;
        return !touched(outputSlot(op.id)) && std::all_of(uses.begin(), uses.end(), [&](const Use &use) {
            return m_needed.contains(use.op) && !touched(inputSlot(use.op, std::size_t(use.index)));
        });
    }

    /// Kernels that clamp their own result take NaN for less than the bound.
    bool losesNan(const Operation &op, const Epilogue &epilogue) const
    {
        const bool clamps = epilogue.kind == Epilogue::Kind::Relu || epilogue.kind == Epilogue::Kind::Clip;
        return clamps && std::any_of(op.inputs.begin(), op.inputs.end(),
                                     [&](VarId input) { return m_undefined.contains(input); });
    }

    bool isInteger(OpId op) const { return followsPlan(op) && m_spec.plan->integerOps.contains(op); }

    /// Whether op is computed by the runtime's own formula: also if it stays in float, as the runtime executes it, too.
    bool isAsRuntime(const Operation &op) const
    {
        const KernelEntry *kernel = findKernel(op);
        return kernel && kernel->asRuntime && followsPlan(op.id) && !m_spec.plan->integerOps.empty();
    }

    /// The activation that can be fused into op's kernel: sole consumer of op's only output, or the two operations of
    /// x * sigmoid(x).
    std::optional<Activation> fusableActivation(const Operation &op) const
    {
        if (!m_fuse || !isHidden(op)) return std::nullopt;
        const auto &uses = m_graph.variable(op.outputs[0]).uses;
        if (uses.size() == 2) return fusableSilu(op);
        if (uses.size() != 1 || uses[0].index != 0) return std::nullopt;
        const OpId next = uses[0].op;
        const Operation &activation = m_graph.operation(next);
        if (isAsRuntime(activation) || isTargetActivation(m_spec.plan, activation)) return std::nullopt;
        std::vector<at::Tensor> constants(activation.inputs.size());
        for (std::size_t i = 1; i < activation.inputs.size(); ++i) {
            const VarId id = activation.inputs[i];
            if (id == noVar || !isConstant(id) || m_probed.contains(inputSlot(next, i))) continue;
            const TensorQuantConfig *config = applied(inputSlot(next, i));
            constants[i] = m_constants.at(index(id));
            if (config && constants[i].scalar_type() == at::kFloat)
                constants[i] = fakeQuant(constants[i], *m_spec.plan, inputSlot(next, i));
        }
        const auto epilogue = epilogueOf(activation, constants);
        if (!epilogue || losesNan(op, *epilogue)) return std::nullopt;
        return Activation{*epilogue, {next}};
    }

    /// op -> x; Sigmoid(x) -> s; Mul(x, s) in either order, with no other consumers of x or s.
    std::optional<Activation> fusableSilu(const Operation &op) const
    {
        const auto &uses = m_graph.variable(op.outputs[0]).uses;
        for (const auto &[gate, product] : {std::pair{uses[0].op, uses[1].op}, std::pair{uses[1].op, uses[0].op}}) {
            const Operation &sigmoid = m_graph.operation(gate), &mul = m_graph.operation(product);
            if (isAsRuntime(sigmoid) || sigmoid.type != "Sigmoid" || mul.type != "Mul" || !sigmoid.domain.empty() ||
                !mul.domain.empty())
                continue;
            if (!isHidden(sigmoid) || isTargetActivation(m_spec.plan, sigmoid)) return std::nullopt;
            const auto &readers = m_graph.variable(sigmoid.outputs[0]).uses;
            if (readers.size() != 1 || readers[0].op != product || mul.outputs.size() != 1) return std::nullopt;
            return Activation{{Epilogue::Kind::Silu}, {gate, product}};
        }
        return std::nullopt;
    }

    void addOperation(const Operation &op, const PrepareKernel &prepare)
    {
        Step step;
        step.op = op.id;
        step.kernel = findKernel(op);
        for (std::size_t i = 0; i < op.inputs.size(); ++i) step.inputs.push_back(inputValue(op, i));
        if (addIntegerLayer(op, step.inputs)) return;
        const Operation *last = &op; // the operation whose outputs the step writes
        sumCodes(op, step);
        const std::optional<CodeGrid> scaled = onCodes(op, step);
        if (!scaled && !step.prepared && step.kernel->prepare && (!m_spec.trainable || step.kernel->hasBodies)) {
            std::vector<at::Tensor> constants;
            for (const ValueId id : step.inputs)
                constants.push_back(id == noValue ? at::Tensor() : m_impl->constants[std::size_t(id)]);
            const auto activation = m_spec.trainable ? std::nullopt : fusableActivation(op);
            step.prepared =
                prepare(op, *step.kernel, std::move(constants), activation ? activation->epilogue : Epilogue{});
            if (activation && step.prepared) {
                step.epilogue = activation->epilogue;
                step.epilogueInKernel = true;
                step.fusedOp = activation->operations.back();
                m_fusedAway.insert(activation->operations.begin(), activation->operations.end());
                last = &m_graph.operation(step.fusedOp);
            }
        }
        const AppliedConfig its = [this](Slot slot) { return applied(slot); };
        const auto moved = step.inputs.empty() ? m_grids.end() : m_grids.find(step.inputs[0]);
        std::vector<std::pair<std::size_t, ValueId>> written;
        for (std::size_t i = 0; i < last->outputs.size(); ++i) {
            const VarId id = last->outputs[i];
            if (id == noVar || m_feeds.contains(id)) {
                step.outputs.push_back(noValue);
                continue;
            }
            const ValueId value = newValue(id);
            step.outputs.push_back(value);
            written.emplace_back(i, value);
        }
        m_impl->steps.push_back(std::move(step));
        if (scaled)
            for (auto &[i, value] : written)
                value = convert(Step::Kind::Values, op.id, value, *scaled, last->outputs[i]);
        for (const auto &[i, raw] : written) {
            const Slot slot = outputSlot(last->id, i);
            const TensorQuantConfig *config = applied(slot);
            probe(slot, ProbePoint::Raw, raw);
            const ValueId value = config ? quantize(raw, roundingSlot(slot), *config, last->outputs[i]) : raw;
            if (!config && moved != m_grids.end() && passesGrid(m_graph, op, its, i))
                m_grids.emplace(raw, moved->second);
            probe(slot, ProbePoint::Quantized, value);
            m_values[last->outputs[i]] = value;
        }
    }

    /// The value of a variable as probes and callers see it: before a layer in integer arithmetic rounds it ahead of
    /// its activation.
    ValueId shownValue(VarId id)
    {
        const auto shown = m_shown.find(id);
        return shown == m_shown.end() ? valueOf(id) : shown->second;
    }

    bool isProbed(const Operation &op) const
    {
        const auto &uses = m_graph.variable(op.outputs[0]).uses;
        return m_probed.contains(outputSlot(op.id)) || std::any_of(uses.begin(), uses.end(), [&](const Use &use) {
                   return use.op != noOp && m_probed.contains(inputSlot(use.op, std::size_t(use.index)));
               });
    }

    ValueId convert(Step::Kind kind, OpId op, ValueId from, const CodeGrid &grid, VarId variable)
    {
        Step step;
        step.kind = kind;
        step.op = op;
        step.grid = grid;
        step.inputs = {from};
        step.outputs = {newValue(variable)};
        m_impl->steps.push_back(step);
        return step.outputs[0];
    }

    ValueId codesOf(OpId op, ValueId value)
    {
        const auto known = m_codes.find(value);
        if (known != m_codes.end()) return known->second;
        return m_codes[value] = convert(Step::Kind::Codes, op, value, m_grids.at(value), noVar);
    }

    /// The integer form of op, by its values; empty if it is computed in float. target: the slot whose grid its sums
    /// are rounded to.
    std::optional<IntegerLayer> integerLayer(const Operation &op, const std::vector<ValueId> &inputs, Slot target) const
    {
        const auto constant = [&](std::size_t i) {
            return i < inputs.size() && inputs[i] != noValue ? m_impl->constants[std::size_t(inputs[i])] : at::Tensor();
        };
        const auto grid = inputs.empty() ? m_grids.end() : m_grids.find(inputs[0]);
        if (grid == m_grids.end()) return std::nullopt;
        IntegerLayer layer;
        layer.input = grid->second;
        layer.output = codeGrid(*m_spec.plan, target);
        layer.outputZero = -layer.output.lowest;
        layer.outputCodes = int(layer.output.highest - layer.output.lowest) + 1;
        if (inputs.size() == 1) return layer; // a pool
        if (const auto second = m_grids.find(inputs[1]); inputs.size() == 2 && second != m_grids.end()) {
            layer.second = second->second;
            return layer;
        }
        const Slot slot = inputSlot(op.id, 1);
        const TensorQuantConfig *config = inputs.size() > 1 ? applied(slot) : nullptr;
        layer.weight = constant(1);
        if (!config || config->isFloating() || config->isGrouped() || config->dynamic || !layer.weight.defined())
            return std::nullopt;
        layer.weightScale = targetWeightScale(m_graph, *m_spec.plan, op.id);
        if (config->isPerChannel() && *config->channelAxis != weightChannelAxis(op, slot.index, layer.weight.dim()))
            return std::nullopt;
        layer.bias = constant(2);
        if (op.hasInput(2) && !layer.bias.defined()) return std::nullopt;
        return layer;
    }

    /// Lets step compute op as TargetKernel::sums says.
    void sumCodes(const Operation &op, Step &step)
    {
        if (!followsPlan(op.id) || m_spec.trainable || isInteger(op.id)) return;
        const KernelOfSums found =
            kernelOfSums(m_graph, *m_spec.plan, op, *step.kernel, [this](Slot slot) { return applied(slot); });
        step.prepared = found.kernel;
        if (!found.codes) return;
        m_grids.emplace(step.inputs[0], *found.codes);
        step.inputs[0] = codesOf(op.id, step.inputs[0]);
    }

    /// Lets step compute op on codes without rounding, or as the runtime's float kernel, if the plan requests it; not
    /// in a trainable program.
    /// @returns the grid of input 0 if the result has to be multiplied by its scale
    std::optional<CodeGrid> onCodes(const Operation &op, Step &step)
    {
        if (!m_spec.plan || m_spec.trainable || step.inputs.empty()) return std::nullopt;
        if (isAsRuntime(op)) step.prepared = runtimeKernel(step.kernel->asRuntime);
        const auto grid = m_grids.find(step.inputs[0]);
        if (grid == m_grids.end()) return std::nullopt;
        const AppliedConfig its = [this](Slot slot) { return applied(slot); };
        if (isNormalizedFromCodes(m_graph, *m_spec.plan, op.id, its)) {
            step.prepared = step.kernel->normalizeCodes(op, grid->second.scale);
            step.inputs[0] = codesOf(op.id, step.inputs[0]);
        }
        if (!isInteger(op.id)) return std::nullopt;
        const bool isScaled = isScaledAfterwards(m_graph, *m_spec.plan, op.id, its);
        if (!isScaled) {
            const auto sums = exactSums(m_graph, *m_spec.plan, op.id, grid->second, its);
            if (!sums) return std::nullopt;
            step.prepared = step.kernel->exactSums(KernelContext{op, m_graph}, *sums);
        }
        step.inputs[0] = codesOf(op.id, step.inputs[0]);
        return isScaled ? std::optional(grid->second) : std::nullopt;
    }

    /// Adds op, and the Relu or Clip after it if nothing probes between them, as steps on codes. Consumers that need
    /// values get them from a conversion, which is removed again if all of them read codes.
    /// @returns false if op is not computed in integer arithmetic; then nothing was added
    bool addIntegerLayer(const Operation &op, const std::vector<ValueId> &inputs)
    {
        if (!m_spec.plan || !m_spec.plan->integerOps.contains(op.id) || m_spec.trainable) return false;
        const auto target = roundedAt(m_graph, op.id, [this](Slot slot) { return applied(slot); });
        if (!target || m_feeds.contains(op.outputs[0])) return false;
        auto layer = integerLayer(op, inputs, *target);
        if (!layer) return false;
        const bool roundsLater = target->op != op.id; // rounded at the following activation
        const bool isWanted =
            std::find(m_impl->outputs.begin(), m_impl->outputs.end(), op.outputs[0]) != m_impl->outputs.end();
        layer->wantsSums = isProbed(op) || (roundsLater && isWanted);
        auto activation = roundsLater ? fusableActivation(op) : std::nullopt;
        const Operation *last = &op;
        if (activation && !m_feeds.contains(m_graph.operation(target->op).outputs[0])) {
            last = &m_graph.operation(target->op);
            const Epilogue &e = activation->epilogue;
            const bool isRelu = e.kind == Epilogue::Kind::Relu;
            CodeGrid &grid = layer->output;
            const float low = isRelu ? 0.f : std::nearbyint(e.alpha / grid.scale);
            const float high = isRelu ? grid.highest : std::nearbyint(e.beta / grid.scale);
            // clamped to the grid, clipped, and on the grid again; min above max gives max
            const auto clamped = [&](float code) {
                return std::clamp(std::min(std::max(code, low), high), grid.lowest, grid.highest);
            };
            const float lowest = clamped(grid.lowest), highest = clamped(grid.highest);
            grid.lowest = lowest;
            grid.highest = highest;
        }
        Step step;
        step.op = op.id;
        step.kernel = findKernel(op);
        step.prepared = findKernel(op)->integerForm(KernelContext{op, m_graph}, *layer);
        if (!step.prepared) return false;
        step.inputs = {codesOf(op.id, inputs[0])};
        if (layer->second) step.inputs.push_back(codesOf(op.id, inputs[1]));
        step.outputs = {newValue(noVar)};
        const ValueId codes = step.outputs[0];
        const ValueId sums = layer->wantsSums ? newValue(noVar) : noValue;
        if (layer->wantsSums) step.outputs.push_back(sums);
        m_impl->steps.push_back(std::move(step));
        const VarId written = last->outputs[0];
        const ValueId value = convert(Step::Kind::Values, op.id, codes, layer->output, written);
        m_grids.emplace(value, layer->output);
        m_codes.emplace(value, codes);
        m_values[written] = value;
        if (last != &op) {
            m_fusedAway.insert(last->id);
            probe(outputSlot(last->id), ProbePoint::Raw, value);
            probe(outputSlot(last->id), ProbePoint::Quantized, value);
            return true;
        }
        const ValueId shown = sums == noValue ? value : sums;
        if (roundsLater) m_shown[written] = shown;
        probe(outputSlot(op.id), ProbePoint::Raw, shown);
        probe(outputSlot(op.id), ProbePoint::Quantized, roundsLater ? shown : value);
        return true;
    }

    /// Autograd cannot save tensors that were made in inference mode, such as folded constants.
    void makeDifferentiable()
    {
        for (at::Tensor &constant : m_impl->constants)
            if (constant.defined() && constant.scalar_type() != at::ScalarType::Undefined && constant.is_inference())
                constant = constant.clone();
    }

    const Graph &m_graph;
    const ProgramSpec &m_spec;
    const std::vector<OpId> &m_order;
    const std::unordered_map<std::int32_t, at::Tensor> &m_constants;
    const std::set<OpId> &m_folded;
    const std::set<VarId> &m_undefined;
    std::shared_ptr<Program::Impl> m_impl;
    bool m_fuse = true;
    std::set<VarId> m_feeds;
    std::set<Slot> m_probed;
    std::set<OpId> m_foldedHere;
    std::set<OpId> m_needed;
    std::set<OpId> m_fusedAway;
    std::map<VarId, ValueId> m_values;
    std::map<VarId, ValueId> m_shown;    ///< if it differs from m_values
    std::map<ValueId, CodeGrid> m_grids; ///< values that lie on a grid
    std::map<ValueId, ValueId> m_codes;  ///< their centred codes
    std::map<VarId, std::vector<std::pair<Slot, ValueId>>> m_quantized;
};

} // namespace

std::shared_ptr<Program::Impl> compileProgram(const CompilerInput &input, const ProgramSpec &spec,
                                              const PrepareKernel &prepare, bool fuse, const PlaceSteps &place)
{
    return Compiler(input, spec).compile(prepare, fuse, place);
}

} // namespace ql
