// Before: GRU, LSTM        After: Gemm, Sigmoid, Tanh, Mul and Add of each step
//
// Quantized platforms have no GRU and LSTM, but have the operations that these consist of. For each direction and each
// of the steps, with one Gemm per gate for the input and one for the state:
//   GRU   z, r = sigmoid(Gemm(x) + Gemm(h)); n = tanh(Gemm(x) + r Gemm(h)), or tanh(Gemm(x) + Gemm(r h)) if
//         linear_before_reset is 0; h = (1 - z) n + z h
//   LSTM  i, o, f = sigmoid(Gemm(x) + Gemm(h)); c = f c + i tanh(Gemm(x) + Gemm(h)); h = o tanh(c)
// A streaming model has sequences of one step and its states as inputs and outputs: this is the network that PPQ's
// GRUSplitPass makes (PPQ 0.6.6, which ignores linear_before_reset, deletes what reads the whole sequence, and computes
// z and r in one Gemm). The float result is the same.
//
// Conditions: sequences of a known length, at most max_steps; the default activations; no clip, no peepholes, no
// lengths per sequence, layout 0, weights and biases as float32 parameters. Others stay, with a problem. It runs before
// dispatching, so that the new operations are assigned like all others.
#include "core/pass/recurrent_split.h"

#include "core/ir/op_traits.h"
#include "core/pass/format_tools.h"
#include "core/pass/pass.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include <array>
#include <optional>

namespace ql {

namespace {

/// Writes the operations of one recurrent operation.
class Unrolling
{
public:
    Unrolling(Graph &graph, OpId id) : m_graph(graph), m_op(graph.operation(id)), m_isLstm(m_op.type == "LSTM")
    {
        m_hidden = parameterOf(graph, m_op, 2).size(-1);
        m_opset = std::max<std::int64_t>(m_op.opset, 11);
    }

    void run(std::int64_t steps, OpId id)
    {
        const at::Tensor w = parameterOf(m_graph, m_op, 1);
        const std::int64_t directions = w.size(0);
        for (std::size_t i = 0; i < m_op.outputs.size(); ++i)
            if (m_op.outputs[i] != noVar) m_graph.setOutput(id, i, m_graph.addVariable(m_graph.freshName(m_op.name)));
        m_one = m_isLstm ? noVar : parameter("one", at::ones({1}));
        std::vector<std::vector<VarId>> hidden(static_cast<std::size_t>(steps)); // by step and direction
        std::vector<VarId> lastHidden, lastCell;
        for (std::int64_t d = 0; d < directions; ++d) {
            const bool reversed = d == 1 || m_op.stringAttribute("direction", "forward") == "reverse";
            setWeights(d);
            VarId h = start(5, d), c = m_isLstm ? start(6, d) : noVar;
            for (std::int64_t t = 0; t < steps; ++t) {
                const std::int64_t at = reversed ? steps - 1 - t : t;
                const VarId x = gather(m_op.inputs[0], at);
                m_isLstm ? lstm(x, h, c) : gru(x, h);
                hidden[std::size_t(at)].push_back(h);
            }
            lastHidden.push_back(h);
            if (m_isLstm) lastCell.push_back(c);
        }
        if (isWanted(0)) {
            std::vector<VarId> all;
            for (const std::vector<VarId> &step : hidden) all.push_back(stack(step, {1, 1, -1, m_hidden}, 1, noVar));
            join(all, 0, m_op.outputs[0]);
        }
        if (isWanted(1)) stack(lastHidden, {1, -1, m_hidden}, 0, m_op.outputs[1]);
        if (isWanted(2)) stack(lastCell, {1, -1, m_hidden}, 0, m_op.outputs[2]);
        m_graph.removeOperation(id);
    }

private:
    bool isWanted(std::size_t output) const
    {
        if (output >= m_op.outputs.size() || m_op.outputs[output] == noVar) return false;
        return !m_graph.variable(m_op.outputs[output]).uses.empty() || m_graph.isGraphOutput(m_op.outputs[output]);
    }

    VarId parameter(const std::string &suffix, const at::Tensor &value)
    {
        return m_graph.addParameter(m_graph.freshName(m_op.name + "_" + suffix), value.contiguous());
    }

    VarId add(const char *type, std::vector<VarId> inputs,
              std::map<std::string, Attribute, std::less<>> attributes = {}, VarId to = noVar)
    {
        Operation node;
        node.name = m_graph.freshName(m_op.name + "_" + type);
        node.type = type;
        node.opset = m_opset;
        node.attributes = std::move(attributes);
        node.inputs = std::move(inputs);
        if (to == noVar) {
            TensorType floats;
            floats.dtype = at::kFloat;
            to = m_graph.addVariable(m_graph.freshName(node.name + "_output"), floats);
        }
        node.outputs = {to};
        m_graph.addOperation(std::move(node));
        return to;
    }

    VarId gather(VarId from, std::int64_t at)
    {
        return add("Gather", {from, parameter("index", at::zeros({}, at::kLong) + at)}, {{"axis", std::int64_t{0}}});
    }

    VarId start(std::size_t input, std::int64_t direction)
    {
        if (m_op.hasInput(input)) return gather(m_op.inputs[input], direction);
        return parameter("start", at::zeros({1, m_hidden})); // for any batch
    }

    void setWeights(std::int64_t direction)
    {
        const std::int64_t gates = m_isLstm ? 4 : 3;
        const at::Tensor w = parameterOf(m_graph, m_op, 1)[direction], r = parameterOf(m_graph, m_op, 2)[direction];
        const at::Tensor all = parameterOf(m_graph, m_op, 3);
        const at::Tensor b = all.defined() ? all[direction] : at::zeros({2 * gates * m_hidden});
        for (std::int64_t g = 0; g < gates; ++g) {
            const auto place = std::size_t(g);
            m_w[place] = parameter("w", w.narrow(0, g * m_hidden, m_hidden));
            m_r[place] = parameter("r", r.narrow(0, g * m_hidden, m_hidden));
            m_wb[place] = parameter("wb", b.narrow(0, g * m_hidden, m_hidden));
            m_rb[place] = parameter("rb", b.narrow(0, (gates + g) * m_hidden, m_hidden));
        }
    }

    VarId gemm(VarId x, VarId weight, VarId bias)
    {
        return add("Gemm", {x, weight, bias}, {{"transB", std::int64_t{1}}});
    }

    VarId gate(const char *function, std::size_t g, VarId x, VarId h)
    {
        return add(function, {add("Add", {gemm(x, m_w[g], m_wb[g]), gemm(h, m_r[g], m_rb[g])})});
    }

    void gru(VarId x, VarId &h)
    {
        const VarId z = gate("Sigmoid", 0, x, h), r = gate("Sigmoid", 1, x, h);
        const bool after = m_op.intAttribute("linear_before_reset", 0) != 0;
        const VarId state =
            after ? add("Mul", {r, gemm(h, m_r[2], m_rb[2])}) : gemm(add("Mul", {r, h}), m_r[2], m_rb[2]);
        const VarId n = add("Tanh", {add("Add", {gemm(x, m_w[2], m_wb[2]), state})});
        h = add("Add", {add("Mul", {z, h}), add("Mul", {add("Sub", {m_one, z}), n})});
    }

    void lstm(VarId x, VarId &h, VarId &c)
    {
        const VarId i = gate("Sigmoid", 0, x, h), o = gate("Sigmoid", 1, x, h);
        const bool joined = m_op.intAttribute("input_forget", 0) != 0;
        if (joined && m_one == noVar) m_one = parameter("one", at::ones({1}));
        const VarId f = joined ? add("Sub", {m_one, i}) : gate("Sigmoid", 2, x, h);
        c = add("Add", {add("Mul", {f, c}), add("Mul", {i, gate("Tanh", 3, x, h)})});
        h = add("Mul", {o, add("Tanh", {c})});
    }

    /// All of them in this shape, joined along axis.
    VarId stack(const std::vector<VarId> &tensors, const std::vector<std::int64_t> &shape, std::int64_t axis, VarId to)
    {
        std::vector<VarId> shaped;
        for (const VarId tensor : tensors)
            shaped.push_back(
                add("Reshape", {tensor, parameter("shape", int64List(shape))}, {}, tensors.size() == 1 ? to : noVar));
        return shaped.size() == 1 ? shaped[0] : join(shaped, axis, to);
    }

    VarId join(const std::vector<VarId> &tensors, std::int64_t axis, VarId to)
    {
        if (tensors.size() == 1) return add("Identity", tensors, {}, to);
        return add("Concat", tensors, {{"axis", axis}}, to);
    }

    Graph &m_graph;
    const Operation m_op;
    const bool m_isLstm;
    std::int64_t m_hidden = 0, m_opset = 0;
    VarId m_one = noVar;
    std::array<VarId, 4> m_w{}, m_r{}, m_wb{}, m_rb{};
};

constexpr std::int64_t fewSteps = 16;

std::optional<std::int64_t> stepsOf(const Graph &graph, const Operation &op)
{
    const auto &shape = graph.variable(op.inputs.at(0)).type.shape;
    if (!shape || shape->size() != 3 || (*shape)[0].size < 1) return std::nullopt;
    return (*shape)[0].size;
}

bool isTooLong(const Graph &graph, const Operation &op, std::int64_t maxSteps)
{
    return stepsOf(graph, op).value_or(maxSteps + 1) > maxSteps;
}

std::optional<Text> obstacle(const Graph &graph, const Operation &op, std::int64_t maxSteps)
{
    for (std::size_t i : {1, 2, 3}) {
        const at::Tensor value = parameterOf(graph, op, i);
        if ((!value.defined() && (i < 3 || op.hasInput(i))) || (value.defined() && value.scalar_type() != at::kFloat))
            return QL_TEXT("its weights are not float32 parameters");
    }
    if (op.hasInput(4)) return QL_TEXT("its sequences have different lengths");
    if (op.hasInput(7)) return QL_TEXT("it has peepholes");
    if (op.hasAttribute("activations") || op.hasAttribute("clip")) {
        const std::vector<std::string> usual = op.type == "GRU" ? std::vector<std::string>{"Sigmoid", "Tanh"}
                                                                : std::vector<std::string>{"Sigmoid", "Tanh", "Tanh"};
        const std::vector<std::string> given = op.stringsAttribute("activations");
        for (std::size_t i = 0; i < given.size(); ++i)
            if (given[i] != usual[i % usual.size()]) return QL_TEXT("it has other activations than the default");
        if (op.hasAttribute("clip")) return QL_TEXT("it clips its gates");
    }
    if (op.intAttribute("layout", 0) != 0) return QL_TEXT("its batch comes first (layout 1)");
    const std::optional<std::int64_t> steps = stepsOf(graph, op);
    if (!steps) return QL_TEXT("the length of its sequences is not known");
    if (*steps > maxSteps)
        return QL_TEXT("its sequences have %1 steps, more than max_steps (%2)").with(*steps, maxSteps);
    return std::nullopt;
}

} // namespace

class RecurrentSplit final : public Pass
{
public:
    explicit RecurrentSplit(const nlohmann::json &params) : m_maxSteps(params["max_steps"]) {}

    std::string_view id() const override { return recurrentSplitPass; }

    int run(QuantModel &model, const PassContext &context) const override
    {
        int changed = 0;
        for (const OpId id : model.graph.operations()) {
            const Operation &op = model.graph.operation(id);
            if ((op.type != "GRU" && op.type != "LSTM") || !op.domain.empty()) continue;
            if (const std::optional<Text> why = obstacle(model.graph, op, m_maxSteps)) {
                context.report({.severity = api::Severity::Warning,
                                .op = op.name,
                                .message = QL_TEXT("%1 was not split: %2").with(op.type, *why),
                                .remedy = isTooLong(model.graph, op, m_maxSteps)
                                              ? QL_TEXT("Fix the input shapes of the model (%1), or raise max_steps.")
                                                    .with(Text::option("--input-shape"))
                                              : QL_TEXT("It stays one operation, which most platforms compute in "
                                                        "float32.")});
                continue;
            }
            Unrolling(model.graph, id).run(*stepsOf(model.graph, op), id);
            ++changed;
        }
        if (changed > 0) model.graph.removeUnreachable(); // unused gates and weights
        return changed;
    }

private:
    std::int64_t m_maxSteps;
};

std::optional<Text> whyNotSplit(const Graph &graph, const Operation &op)
{
    if (op.type == "RNN") return QL_TEXT("only GRU and LSTM can be split");
    return obstacle(graph, op, fewSteps);
}

static const PassRegistrar recurrentSplitRegistrar{
    {.info = {.id = recurrentSplitPass,
              .title = QL_TEXT("GRU and LSTM split"),
              .meaning = QL_TEXT("Before: GRU, LSTM. After: Gemm, Sigmoid, Tanh, Mul and Add of each step, which "
                                 "platforms can quantize; the float result is the same."),
              .params = {{.name = "max_steps",
                          .type = "int",
                          .fallback = fewSteps,
                          .meaning =
                              QL_TEXT("Longer sequences are left unchanged: each step adds about 20 operations."),
                          .min = 1,
                          .max = 10000}}},
     .traits = {.kind = PassKind::Format},
     .make = makePassOf<RecurrentSplit>}};

} // namespace ql
