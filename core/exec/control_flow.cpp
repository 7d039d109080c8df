// If, Loop, Scan and SequenceMap: operations whose bodies are graphs. A body is compiled once per operation; captured
// values (core/ir/subgraphs.h) are fed to it, or built in if constant, so that weights are packed. Source: ONNX If-11,
// Loop-16, Scan-8, Scan-9, SequenceMap-17.
#include "core/exec/executor.h"
#include "core/exec/kernel.h"
#include "core/exec/opaque.h"
#include "core/ir/subgraphs.h"
#include "core/quant/quant_plan.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/stack.h>

#include <map>
#include <mutex>
#include <optional>

namespace ql {

namespace {

/// One body, compiled for runs with the inputs of its operation.
class Body
{
public:
    /// constants: the constant inputs of the operation.
    Body(const KernelContext &context, std::string_view attribute, Inputs constants) : m_name(attribute)
    {
        const auto it = context.op.attributes.find(attribute);
        const auto *graph =
            it == context.op.attributes.end() ? nullptr : std::get_if<std::shared_ptr<const Graph>>(&it->second);
        if (!graph || !*graph)
            throw Error(ErrorKind::InvalidModel, QL_TEXT("%1: the body '%2' is missing").with(context.op.type, m_name),
                        context.op.name);
        if (context.bodies)
            if (const auto quantized = context.bodies->find(m_name); quantized != context.bodies->end())
                m_quantized = quantized->second;
        m_graph = std::make_unique<Graph>(m_quantized ? m_quantized->graph : **graph);
        m_formal = m_graph->inputs().size();
        std::vector<VarId> feeds = m_graph->inputs();
        const std::vector<std::string> names = captureNames(context.op);
        const std::size_t first = formalInputCount(context.op);
        for (std::size_t k = 0; k < names.size(); ++k) {
            const VarId id = m_graph->findVariable(names[k]);
            if (id == noVar || m_graph->variable(id).producer != noOp || m_graph->isParameter(id) ||
                m_graph->isGraphInput(id))
                continue; // another body of the operation reads it
            const at::Tensor constant = inputOr(constants, first + k);
            if (constant.defined() && constant.scalar_type() != at::ScalarType::Undefined) {
                m_graph->setValue(id, constant);
            } else {
                feeds.push_back(id);
                m_captures.push_back(first + k);
            }
        }
        for (const VarId feed : feeds) m_names.push_back(m_graph->variable(feed).name);
        m_executor = std::make_unique<Executor>(*m_graph, ExecOptions{"cpu", callersThreads});
        ProgramSpec spec;
        if (m_quantized) spec.plan = &m_quantized->plan;
        spec.feeds = feeds;
        if (context.bodySlotProbes) addProbes(spec, context.op.id, *context.bodySlotProbes);
        if (context.trainable) {
            m_trainable = partOf(*context.trainable, context.op.id);
            spec.trainable = &*m_trainable;
        }
        m_program.emplace(m_executor->compile(spec));
    }

    /// formal: values of the body's own inputs; inputs: all inputs of the operation, including captured ones.
    std::vector<at::Tensor> run(const KernelContext &context, std::vector<at::Tensor> formal, Inputs inputs) const
    {
        if (formal.size() != m_formal)
            throw Error(ErrorKind::InvalidModel,
                        QL_TEXT("%1: the body '%2' has %3 inputs, the operation gives %4")
                            .with(context.op.type, m_name, m_formal, formal.size()),
                        context.op.name);
        for (const std::size_t i : m_captures) formal.push_back(requiredInput(context, inputs, i));
        if (context.bodyProbe) {
            Feed values;
            for (std::size_t i = 0; i < formal.size(); ++i) values.emplace(m_names[i], formal[i]);
            (*context.bodyProbe)(context.op.id, m_name, values);
        }
        static const JobContext nothing;
        try {
            return m_program->run(formal, context.job ? *context.job : nothing, {}, context.batch);
        } catch (Error &error) {
            error.op = context.op.name + "/" + m_name + (error.op.empty() ? "" : "/" + error.op);
            throw;
        }
    }

    std::size_t outputCount() const { return m_graph->outputs().size(); }
    const TensorType &inputType(std::size_t i) const { return m_graph->variable(m_graph->inputs().at(i)).type; }
    const TensorType &outputType(std::size_t i) const { return m_graph->variable(m_graph->outputs().at(i)).type; }

private:
    /// Those of slots in this body, and in bodies of it.
    void addProbes(ProgramSpec &spec, OpId op, const std::vector<BodySlotProbe> &probes) const
    {
        for (const BodySlotProbe &probe : probes) {
            if (probe.place.path.front() != std::pair(op, m_name)) continue;
            const bool isDeeper = probe.place.path.size() > 1;
            if (!m_graph->contains(isDeeper ? probe.place.path[1].first : probe.place.slot.op)) continue;
            if (isDeeper) {
                BodySlotProbe &deeper = spec.bodySlotProbes.emplace_back(probe);
                deeper.place.path.erase(deeper.place.path.begin());
            } else {
                spec.probes.push_back({probe.place.slot, ProbePoint::Quantized, probe.callback});
            }
        }
    }

    /// What concerns this body, and bodies of it.
    Trainable partOf(const Trainable &trainable, OpId op) const
    {
        Trainable part;
        for (const auto &[place, quantizer] : trainable.bodyQuantizers) {
            if (place.path.front() != std::pair(op, m_name)) continue;
            BodySlot inner = place;
            inner.path.erase(inner.path.begin());
            if (inner.path.empty())
                part.quantizers[inner.slot] = quantizer;
            else
                part.bodyQuantizers[std::move(inner)] = quantizer;
        }
        return part;
    }

    std::string m_name;
    std::shared_ptr<const QuantModel> m_quantized; ///< nullptr: it runs in float32
    std::unique_ptr<Graph> m_graph;                ///< the executor refers to it
    std::vector<std::string> m_names;              ///< of the feeds
    std::unique_ptr<Executor> m_executor;
    std::optional<Trainable> m_trainable; ///< the program refers to it
    std::optional<Program> m_program;
    std::vector<std::size_t> m_captures; ///< inputs of the operation that are fed after the formal ones
    std::size_t m_formal = 0;
};

/// Tensors that the iterations append to an output; all of one shape.
class Stack
{
public:
    void add(const Operation &op, const at::Tensor &item)
    {
        if (!m_items.empty() && item.sizes() != m_items[0].sizes())
            throw Error(ErrorKind::Kernel,
                        QL_TEXT("%1: a scan output changes its shape from one iteration to the next").with(op.type),
                        op.name);
        std::vector<std::int64_t> shape = item.sizes().vec();
        shape.insert(shape.begin(), std::int64_t(m_items.size()) + 1);
        checkElements(op, shape, item.element_size());
        m_items.push_back(item);
    }
    /// declared: the item type, for an output without items.
    at::Tensor stacked(const TensorType &declared, std::int64_t axis, bool reversed, const Operation &op) const
    {
        if (m_items.empty()) {
            std::vector<std::int64_t> shape;
            if (declared.shape)
                for (const Dim &dim : *declared.shape) shape.push_back(std::max<std::int64_t>(dim.size, 0));
            shape.insert(shape.begin() + normalizeAxis(axis, std::int64_t(shape.size()) + 1, op), 0);
            const bool isKnown = declared.dtype != at::ScalarType::Undefined;
            return at::empty(shape, at::TensorOptions(isKnown ? declared.dtype : at::kFloat));
        }
        const std::int64_t at = normalizeAxis(axis, m_items[0].dim() + 1, op);
        if (!reversed) return joined(op, m_items, at, true);
        return joined(op, std::vector<at::Tensor>(m_items.rbegin(), m_items.rend()), at, true);
    }

private:
    std::vector<at::Tensor> m_items;
};

bool isTrue(const KernelContext &context, const at::Tensor &condition)
{
    if (condition.numel() != 1)
        throw Error(ErrorKind::Kernel,
                    QL_TEXT("%1: the condition has %2 elements, expected one").with(context.op.type, condition.numel()),
                    context.op.name);
    return condition.item().toBool();
}

/// A control-flow operation with its bodies.
class Control : public PreparedKernel
{
public:
    Control(const KernelContext &context, Inputs constants, const Epilogue &epilogue)
        : m_constants(constants.begin(), constants.end()), m_epilogue(epilogue)
    {
        if (context.bodies) m_quantized = *context.bodies;
        if (context.bodySlotProbes) m_probes = *context.bodySlotProbes;
        m_trainable = context.trainable;
    }
    std::vector<at::Tensor> run(const KernelContext &context, Inputs inputs) final
    {
        std::vector<at::Tensor> outputs = compute(context, inputs);
        if (m_epilogue.kind != Epilogue::Kind::None) outputs.at(0) = applyEpilogue(outputs.at(0), m_epilogue);
        return outputs;
    }
    Text hostReason() const final { return QL_TEXT("its bodies run on the CPU"); }

protected:
    virtual std::vector<at::Tensor> compute(const KernelContext &context, Inputs inputs) = 0;
    Body &body(const KernelContext &context, const char *attribute)
    {
        const std::lock_guard lock(m_mutex);
        auto &slot = m_bodies[attribute];
        if (!slot) {
            KernelContext own = context;
            own.bodies = &m_quantized;
            own.bodySlotProbes = &m_probes;
            own.trainable = m_trainable;
            slot = std::make_unique<Body>(own, attribute, m_constants);
        }
        return *slot;
    }

private:
    std::vector<at::Tensor> m_constants;
    Epilogue m_epilogue;
    QuantizedBodies m_quantized;
    std::vector<BodySlotProbe> m_probes;
    const Trainable *m_trainable = nullptr; ///< outlives the program
    std::mutex m_mutex;                     ///< of m_bodies; a body itself is run by several threads
    std::map<std::string, std::unique_ptr<Body>, std::less<>> m_bodies;
};

class If final : public Control
{
    using Control::Control;
    std::vector<at::Tensor> compute(const KernelContext &context, Inputs inputs) override
    {
        const bool condition = isTrue(context, requiredInput(context, inputs, 0));
        return body(context, condition ? "then_branch" : "else_branch").run(context, {}, inputs);
    }
};

/// A scalar, or a one-element list if the body declares it so.
at::Tensor single(const at::Scalar &value, at::ScalarType type, const TensorType &declared)
{
    const bool isList = declared.shape && declared.shape->size() == 1;
    return at::full(isList ? std::vector<std::int64_t>{1} : std::vector<std::int64_t>{}, value,
                    at::TensorOptions(type));
}

class Loop final : public Control
{
    using Control::Control;
    std::vector<at::Tensor> compute(const KernelContext &context, Inputs inputs) override
    {
        const Operation &op = context.op;
        Body &inner = body(context, "body");
        const at::Tensor limit = inputOr(inputs, 0);
        const at::Tensor start = inputOr(inputs, 1);
        const std::size_t formal = formalInputCount(op);
        std::vector<at::Tensor> carried;
        for (std::size_t i = 2; i < formal; ++i) carried.push_back(requiredInput(context, inputs, i));
        if (inner.outputCount() < carried.size() + 1)
            throw Error(ErrorKind::InvalidModel, QL_TEXT("Loop: the body has fewer outputs than loop-carried values"),
                        op.name);
        std::vector<Stack> scans(inner.outputCount() - carried.size() - 1);
        const std::int64_t trips = limit.defined() ? toInts(limit).at(0) : std::numeric_limits<std::int64_t>::max();
        bool condition = !start.defined() || isTrue(context, start);
        for (std::int64_t i = 0; i < trips && condition; ++i) {
            if (context.job) context.job->iteration();
            std::vector<at::Tensor> values{single(i, at::kLong, inner.inputType(0)),
                                           single(condition, at::kBool, inner.inputType(1))};
            values.insert(values.end(), carried.begin(), carried.end());
            const std::vector<at::Tensor> results = inner.run(context, std::move(values), inputs);
            if (start.defined()) condition = isTrue(context, results[0]); // without it, the body's result is ignored
            for (std::size_t k = 0; k < carried.size(); ++k) carried[k] = results[k + 1];
            for (std::size_t k = 0; k < scans.size(); ++k) scans[k].add(op, results[carried.size() + 1 + k]);
        }
        std::vector<at::Tensor> outputs = carried;
        for (std::size_t k = 0; k < scans.size(); ++k)
            outputs.push_back(scans[k].stacked(inner.outputType(carried.size() + 1 + k), 0, false, op));
        return outputs;
    }
};

class Scan final : public Control
{
    using Control::Control;

    /// states and sequences of one batch entry -> final states and stacked outputs.
    std::vector<at::Tensor> scan(const KernelContext &context, Inputs inputs, std::vector<at::Tensor> states,
                                 const std::vector<at::Tensor> &sequences, std::int64_t length)
    {
        const Operation &op = context.op;
        Body &inner = body(context, "body");
        const std::size_t count = sequences.size();
        if (inner.outputCount() < states.size())
            throw Error(ErrorKind::InvalidModel, QL_TEXT("Scan: the body has fewer outputs than states"), op.name);
        std::vector<Stack> stacks(inner.outputCount() - states.size());
        const bool old = op.opset < 9;
        const auto directions =
            op.intsAttribute(old ? "directions" : "scan_input_directions", std::vector<std::int64_t>(count, 0));
        const auto outDirections =
            op.intsAttribute("scan_output_directions", std::vector<std::int64_t>(stacks.size(), 0));
        const auto axes = op.intsAttribute("scan_input_axes", std::vector<std::int64_t>(count, 0));
        const auto outAxes = op.intsAttribute("scan_output_axes", std::vector<std::int64_t>(stacks.size(), 0));
        if (directions.size() != count || axes.size() != count || outDirections.size() != stacks.size() ||
            outAxes.size() != stacks.size())
            throw Error(ErrorKind::InvalidModel,
                        QL_TEXT("Scan: axes and directions do not match the number of sequences"), op.name);
        for (std::size_t k = 0; k < count; ++k) {
            const std::int64_t axis = normalizeAxis(axes[k], sequences[k].dim(), op);
            const std::int64_t size = sequences[k].size(axis);
            if (length < 0) length = size;
            if (old ? size < length : size != length)
                throw Error(ErrorKind::Kernel,
                            QL_TEXT("Scan: sequence %1 has length %2, expected %3").with(k, size, length), op.name);
        }
        for (std::int64_t t = 0; t < length; ++t) {
            if (context.job) context.job->iteration();
            std::vector<at::Tensor> values = states;
            for (std::size_t k = 0; k < count; ++k)
                values.push_back(sequences[k].select(normalizeAxis(axes[k], sequences[k].dim(), op),
                                                     directions[k] == 0 ? t : length - 1 - t));
            const std::vector<at::Tensor> results = inner.run(context, std::move(values), inputs);
            for (std::size_t k = 0; k < states.size(); ++k) states[k] = results[k];
            for (std::size_t k = 0; k < stacks.size(); ++k) stacks[k].add(op, results[states.size() + k]);
        }
        const std::size_t stateCount = states.size();
        for (std::size_t k = 0; k < stacks.size(); ++k)
            states.push_back(
                stacks[k].stacked(inner.outputType(stateCount + k), outAxes[k], outDirections[k] != 0, op));
        return states;
    }

    std::vector<at::Tensor> compute(const KernelContext &context, Inputs inputs) override
    {
        const Operation &op = context.op;
        const std::int64_t sequenceCount = op.intAttribute("num_scan_inputs", 0);
        const std::size_t first = op.opset < 9 ? 1 : 0; // Scan 8 has sequence lengths first
        const std::size_t formal = formalInputCount(op);
        if (sequenceCount < 1 || std::size_t(sequenceCount) + first > formal)
            throw Error(ErrorKind::InvalidModel, QL_TEXT("Scan: num_scan_inputs does not match the inputs"), op.name);
        const std::size_t stateCount = formal - first - std::size_t(sequenceCount);
        std::vector<at::Tensor> values;
        for (std::size_t i = first; i < formal; ++i) values.push_back(requiredInput(context, inputs, i));
        const auto part = [&](const std::vector<at::Tensor> &all, bool states) {
            const auto middle = all.begin() + std::ptrdiff_t(stateCount);
            return states ? std::vector<at::Tensor>(all.begin(), middle) : std::vector<at::Tensor>(middle, all.end());
        };
        if (first == 0) return scan(context, inputs, part(values, true), part(values, false), -1);
        // Scan 8: every input and output has a leading batch axis, and each sequence its own length
        const std::vector<std::int64_t> lengths = toInts(inputs[0]);
        std::vector<std::vector<at::Tensor>> columns;
        const std::int64_t batch = values.back().size(0);
        for (std::int64_t n = 0; n < batch; ++n) {
            std::vector<at::Tensor> row;
            for (const at::Tensor &value : values) row.push_back(value.select(0, n));
            const std::int64_t length = lengths.empty() ? -1 : lengths.at(std::size_t(n));
            const auto results = scan(context, inputs, part(row, true), part(row, false), length);
            columns.resize(results.size());
            for (std::size_t k = 0; k < results.size(); ++k) columns[k].push_back(results[k]);
        }
        std::vector<at::Tensor> outputs;
        for (const auto &column : columns) outputs.push_back(at::stack(column, 0));
        return outputs;
    }
};

/// body(item of each sequence; a tensor is the same for every item) -> an item of each output.
class SequenceMap final : public Control
{
    using Control::Control;
    std::vector<at::Tensor> compute(const KernelContext &context, Inputs inputs) override
    {
        Body &inner = body(context, "body");
        const std::size_t formal = formalInputCount(context.op);
        const std::size_t length = sequenceOf(requiredInput(context, inputs, 0)).size();
        std::vector<std::vector<at::Tensor>> results(inner.outputCount());
        for (std::size_t i = 0; i < length; ++i) {
            if (context.job) context.job->iteration();
            std::vector<at::Tensor> values;
            for (std::size_t k = 0; k < formal; ++k) {
                const at::Tensor &value = requiredInput(context, inputs, k);
                if (isSequence(value) && sequenceOf(value).size() != length)
                    throw Error(ErrorKind::Kernel, QL_TEXT("SequenceMap: the sequences differ in length"),
                                context.op.name);
                values.push_back(isSequence(value) ? sequenceOf(value)[i] : value);
            }
            const auto outputs = inner.run(context, std::move(values), inputs);
            for (std::size_t k = 0; k < outputs.size(); ++k) results[k].push_back(outputs[k]);
        }
        std::vector<at::Tensor> outputs;
        for (auto &items : results) outputs.push_back(makeSequence(std::move(items)));
        return outputs;
    }
};

/// An entry whose bodies are compiled when the operation is prepared, or per run if nothing is prepared.
template <class T>
KernelEntry control(std::int64_t minOpset)
{
    return {.run = [](const KernelContext &context,
                      Inputs inputs) { return T(context, Inputs(), Epilogue()).run(context, inputs); },
            .minOpset = minOpset,
            .family = "control flow",
            .prepare = [](const KernelContext &context, Inputs constants, const Epilogue &epilogue)
                -> std::unique_ptr<PreparedKernel> { return std::make_unique<T>(context, constants, epilogue); },
            .takesShortFloats = true,
            .hasBodies = true,
            .canBeUndefined = [](Inputs) { return true; }};
}
template <class T>
KernelEntry loop(std::int64_t minOpset)
{
    KernelEntry entry = control<T>(minOpset);
    entry.isLoop = true;
    return entry;
}

/// Bodies receive and return values of any kind, which their own operations round (QuantPlan::bodies).
OpTraits controlTraits(bool dependsOnValues)
{
    return {.otherSlots = SlotKind::Float, .shapes = {.dependsOnValues = dependsOnValues}};
}

const KernelRegistrar ifKernel{{"If"}, control<If>(1), controlTraits(true)};
const KernelRegistrar loopKernel{{"Loop"}, loop<Loop>(1), controlTraits(true)};
const KernelRegistrar scanKernel{{"Scan"}, loop<Scan>(8), controlTraits(true)};
const KernelRegistrar mapKernel{{"SequenceMap"}, control<SequenceMap>(17), controlTraits(false)};

} // namespace

} // namespace ql
