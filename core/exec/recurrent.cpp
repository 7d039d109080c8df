// LSTM, GRU and RNN with all their attributes. The products of the whole sequence with W are computed in one pass,
// those of the state with R step by step. Sequences shorter than the longest keep their last state, and their outputs
// past the end are 0. The reverse direction reads each sequence from its own end. Source: ONNX LSTM-14, GRU-14,
// RNN-14; com.microsoft DynamicQuantizeLSTM-1.
#include "core/base/strings.h"
#include "core/exec/matmul.h"
#include "core/exec/quantized.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/clamp_min.h>
#include <ATen/ops/elu.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/lerp.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>

namespace ql {

namespace {

using Function = std::function<at::Tensor(const at::Tensor &)>;

/// The activation called name. alphas and betas are consumed in order by the functions that have such parameters.
class Activations
{
public:
    explicit Activations(const Operation &op)
        : m_op(op), m_alphas(op.floatsAttribute("activation_alpha")), m_betas(op.floatsAttribute("activation_beta"))
    {}

    Function make(const std::string &name)
    {
        const std::string key = lower(name);
        if (key == "tanh") return [](const at::Tensor &x) { return at::tanh(x); };
        if (key == "sigmoid") return [](const at::Tensor &x) { return at::sigmoid(x); };
        if (key == "relu") return [](const at::Tensor &x) { return at::relu(x); };
        if (key == "softsign") return [](const at::Tensor &x) { return x / (x.abs() + 1); };
        if (key == "softplus") return [](const at::Tensor &x) { return at::softplus(x, 1, 20); };
        if (key == "leakyrelu") return [a = alpha(0.01)](const at::Tensor &x) { return at::leaky_relu(x, a); };
        if (key == "thresholdedrelu") return [a = alpha(1)](const at::Tensor &x) { return x * (x > a); };
        if (key == "elu") return [a = alpha(1)](const at::Tensor &x) { return at::elu(x, a); };
        // Affine, ScaledTanh or HardSigmoid; others are refused
        const double a = alpha(key == "hardsigmoid" ? 0.2 : 1);
        const double b = beta(key == "hardsigmoid" ? 0.5 : key == "scaledtanh" ? 1 : 0);
        if (key == "affine") return [a, b](const at::Tensor &x) { return x * a + b; };
        if (key == "scaledtanh") return [a, b](const at::Tensor &x) { return at::tanh(x * b) * a; };
        return [a, b](const at::Tensor &x) { return at::clamp(x * a + b, 0, 1); };
    }

private:
    double alpha(double fallback) { return m_nextAlpha < m_alphas.size() ? m_alphas[m_nextAlpha++] : fallback; }
    double beta(double fallback) { return m_nextBeta < m_betas.size() ? m_betas[m_nextBeta++] : fallback; }

    const Operation &m_op;
    std::vector<double> m_alphas, m_betas;
    std::size_t m_nextAlpha = 0, m_nextBeta = 0;
};

/// Inputs of a cell besides the products with W and R.
struct Cell
{
    std::vector<Function> functions;
    std::optional<double> clip;
    at::Tensor peepholes; ///< [3 * hidden], or undefined
    Function operand;     ///< transforms x and h before the products with W and R; empty: identity
    bool inputForget = false;
    bool linearBeforeReset = false;
    std::int64_t hidden = 0;

    /// Function number i of its clipped argument.
    at::Tensor apply(std::size_t i, const at::Tensor &x) const
    {
        return functions[i](clip ? at::clamp(x, -*clip, *clip) : x);
    }
    at::Tensor gate(const at::Tensor &all, std::int64_t i) const { return all.narrow(-1, i * hidden, hidden); }
};

/// One step: xw [N, gates * hidden] = x * W' + Wb, recurrent weights r [hidden, gates * hidden] (transposed), rb
/// [gates * hidden]; h and c [N, hidden] are replaced.
using StepFunction = void (*)(const Cell &, const at::Tensor &xw, const at::Tensor &r, const at::Tensor &rb,
                              at::Tensor &h, at::Tensor &c);

void rnnStep(const Cell &cell, const at::Tensor &xw, const at::Tensor &r, const at::Tensor &rb, at::Tensor &h,
             at::Tensor &)
{
    h = cell.apply(0, xw + matrixProduct(h, r) + rb);
}

/// Gates z, r, h: H = (1 - z) * h~ + z * H
void gruStep(const Cell &cell, const at::Tensor &xw, const at::Tensor &r, const at::Tensor &rb, at::Tensor &h,
             at::Tensor &)
{
    const std::int64_t n = cell.hidden;
    if (cell.linearBeforeReset) {
        const at::Tensor hr = matrixProduct(h, r) + rb;
        const at::Tensor z = cell.apply(0, cell.gate(xw, 0) + cell.gate(hr, 0));
        const at::Tensor reset = cell.apply(0, cell.gate(xw, 1) + cell.gate(hr, 1));
        const at::Tensor candidate = cell.apply(1, cell.gate(xw, 2) + reset * cell.gate(hr, 2));
        h = (1 - z) * candidate + z * h;
        return;
    }
    const at::Tensor hr = matrixProduct(h, r.narrow(-1, 0, 2 * n)) + rb.narrow(-1, 0, 2 * n);
    const at::Tensor z = cell.apply(0, cell.gate(xw, 0) + cell.gate(hr, 0));
    const at::Tensor reset = cell.apply(0, cell.gate(xw, 1) + cell.gate(hr, 1));
    const at::Tensor candidate =
        cell.apply(1, cell.gate(xw, 2) + matrixProduct(reset * h, cell.gate(r, 2)) + cell.gate(rb, 2));
    h = (1 - z) * candidate + z * h;
}

/// Gates i, o, f, c; peepholes i, o, f
void lstmStep(const Cell &cell, const at::Tensor &xw, const at::Tensor &r, const at::Tensor &rb, at::Tensor &h,
              at::Tensor &c)
{
    const at::Tensor sum = xw + matrixProduct(cell.operand ? cell.operand(h) : h, r) + rb;
    const auto peep = [&](std::int64_t i, const at::Tensor &state) {
        const at::Tensor gate = cell.gate(sum, i);
        return cell.peepholes.defined() ? gate + cell.gate(cell.peepholes, i) * state : gate;
    };
    const at::Tensor input = cell.apply(0, peep(0, c));
    const at::Tensor forget = cell.inputForget ? 1 - input : cell.apply(0, peep(2, c));
    c = forget * c + input * cell.apply(1, cell.gate(sum, 3));
    const at::Tensor output = cell.apply(0, peep(1, c));
    h = output * cell.functions[2](c); // clip bounds the gates
}

/// The standard LSTM over a whole sequence, without temporary tensors per gate and step. xw [T, N, 4 * hidden]: x * W'
/// and both biases, overwritten. r [4 * hidden, hidden]. h and c [N, hidden]: replaced. y [T, N, hidden]: written.
void lstmSequence(const KernelContext &context, const at::Tensor &xw, const at::Tensor &r, at::Tensor &h, at::Tensor &c,
                  const at::Tensor &y)
{
    const std::int64_t n = r.size(1);
    c = c.clone();
    at::Tensor bounded = at::empty_like(c);
    for (std::int64_t t = 0; t < xw.size(0); ++t) {
        if (context.job) context.job->checkpoint();
        const at::Tensor gates = xw.select(0, t);
        addProduct(h, r, gates);
        at::Tensor inputOutputForget = gates.narrow(1, 0, 3 * n), candidate = gates.narrow(1, 3 * n, n);
        inputOutputForget.sigmoid_();
        candidate.tanh_();
        c.mul_(gates.narrow(1, 2 * n, n)).addcmul_(gates.narrow(1, 0, n), candidate);
        at::tanh_out(bounded, c);
        at::Tensor output = y.select(0, t);
        at::mul_out(output, bounded, gates.narrow(1, n, n));
        h = output;
    }
}

/// The standard GRU, likewise. xw [T, N, 3 * hidden]: x * W' and its bias. rb [3 * hidden]: the bias of the state.
void gruSequence(const KernelContext &context, at::Tensor xw, const at::Tensor &r, const at::Tensor &rb,
                 bool linearBeforeReset, at::Tensor &h, const at::Tensor &y)
{
    const std::int64_t n = r.size(1);
    const at::Tensor updateReset = r.narrow(0, 0, 2 * n), ofCandidate = r.narrow(0, 2 * n, n);
    xw.narrow(2, 0, 2 * n).add_(rb.narrow(0, 0, 2 * n));
    if (!linearBeforeReset) xw.narrow(2, 2 * n, n).add_(rb.narrow(0, 2 * n, n));
    const at::Tensor candidateBias = rb.narrow(0, 2 * n, n).expand({xw.size(1), n});
    at::Tensor scratch = at::empty({xw.size(1), n}, xw.options());
    for (std::int64_t t = 0; t < xw.size(0); ++t) {
        if (context.job) context.job->checkpoint();
        const at::Tensor gates = xw.select(0, t);
        at::Tensor both = gates.narrow(1, 0, 2 * n), candidate = gates.narrow(1, 2 * n, n);
        addProduct(h, updateReset, both);
        both.sigmoid_();
        if (linearBeforeReset) {
            scratch.copy_(candidateBias);
            addProduct(h, ofCandidate, scratch);
            candidate.addcmul_(scratch, gates.narrow(1, n, n));
        } else {
            at::mul_out(scratch, h, gates.narrow(1, n, n));
            addProduct(scratch, ofCandidate, candidate);
        }
        candidate.tanh_();
        at::Tensor output = y.select(0, t);
        at::lerp_out(output, candidate, h, gates.narrow(1, 0, n));
        h = output;
    }
}

/// [T, N, ...] with the first length[n] entries of column n in reverse order.
at::Tensor reversed(const at::Tensor &x, const at::Tensor &lengths)
{
    if (!lengths.defined()) return x.flip({0});
    const at::Tensor t = at::arange(x.size(0), lengths.options()).unsqueeze(1);
    at::Tensor index = at::where(t < lengths, lengths - 1 - t, t);
    return at::gather(x, 0, index.unsqueeze(-1).expand(x.sizes()));
}

struct Kind
{
    std::int64_t gates;
    std::vector<std::string> activations;
    StepFunction step;
};

/// One call of a recurrent operator. Inputs X, W, R, B, sequence_lens, initial_h, (LSTM: initial_c, P). Outputs Y, Y_h,
/// (LSTM: Y_c). operand: see Cell.
class Recurrence
{
public:
    Recurrence(const KernelContext &context, Inputs inputs, const Kind &kind, const Function &operand)
        : m_context(context), m_op(context.op), m_inputs(inputs), m_kind(kind), m_operand(operand),
          m_batchFirst(m_op.intAttribute("layout", 0) != 0), m_lstm(kind.step == lstmStep),
          m_x(requiredInput(context, inputs, 0)), m_w(requiredInput(context, inputs, 1)),
          m_r(requiredInput(context, inputs, 2)), m_bias(inputOr(inputs, 3)),
          m_direction(m_op.stringAttribute("direction", "forward")), m_activations(m_op)
    {
        if (m_x.dim() != 3 || m_w.dim() != 3 || m_r.dim() != 3) fail(QL_TEXT("X, W and R must have rank 3"));
        if (m_batchFirst) m_x = m_x.transpose(0, 1);
        m_steps = m_x.size(0);
        m_batch = m_x.size(1);
        m_hidden = m_r.size(2);
        m_directions = m_w.size(0);
        checkShapes();
        readLengths();
        m_names = m_op.stringsAttribute("activations");
        if (m_names.empty())
            for (std::int64_t d = 0; d < m_directions; ++d)
                m_names.insert(m_names.end(), kind.activations.begin(), kind.activations.end());
        if (m_names.size() != kind.activations.size() * std::size_t(m_directions))
            fail(QL_TEXT("the number of activations does not match the number of directions"));
    }

    std::vector<at::Tensor> run()
    {
        for (std::int64_t d = 0; d < m_directions; ++d) runDirection(d);
        at::Tensor y = at::stack(m_y, 1);               // [T, directions, N, hidden]
        if (m_batchFirst) y = y.permute({2, 0, 1, 3});  // [N, T, directions, hidden]
        const std::int64_t axis = m_batchFirst ? 1 : 0; // of the directions in the final states
        std::vector<at::Tensor> results{y, at::stack(m_h, axis)};
        if (m_lstm) results.push_back(at::stack(m_c, axis));
        return results;
    }

private:
    [[noreturn]] void fail(const Text &what) const
    {
        throw Error(ErrorKind::Kernel, QL_TEXT("%1: %2").with(m_op.type, what), m_op.name);
    }

    void checkShapes() const
    {
        if (m_direction != "forward" && m_direction != "reverse" && m_direction != "bidirectional")
            fail(QL_TEXT("unknown direction '%1'").with(m_direction));
        if (m_directions != (m_direction == "bidirectional" ? 2 : 1) || m_w.size(1) != m_kind.gates * m_hidden ||
            m_w.size(2) != m_x.size(2) || m_r.size(0) != m_directions || m_r.size(1) != m_kind.gates * m_hidden) {
            std::ostringstream shapes;
            shapes << "X " << m_x.sizes() << ", W " << m_w.sizes() << " and R " << m_r.sizes();
            fail(QL_TEXT("the shapes are incompatible: %1").with(shapes.str()));
        }
        if (m_op.intAttribute("hidden_size", m_hidden) != m_hidden)
            fail(QL_TEXT("hidden_size differs from the shape of R"));
        if (m_bias.defined() &&
            (m_bias.dim() != 2 || m_bias.size(0) != m_directions || m_bias.size(1) != 2 * m_kind.gates * m_hidden))
            fail(QL_TEXT("the shape of B does not match"));
    }

    void readLengths()
    {
        const at::Tensor given = inputOr(m_inputs, 4);
        if (!given.defined()) return;
        m_lengths = given.to(at::kLong).reshape({1, -1});
        if (m_lengths.size(1) != m_batch) fail(QL_TEXT("sequence_lens must have one entry per sequence"));
        if (m_batch > 0 && (m_lengths.min().item().toLong() < 0 || m_lengths.max().item().toLong() > m_steps))
            fail(QL_TEXT("sequence_lens has an entry outside 0..%1").with(m_steps));
        // Exporters write lengths even if all equal the sequence length
        if (m_batch == 0 || m_lengths.min().item().toLong() == m_steps) m_lengths = at::Tensor();
    }

    at::Tensor initial(std::size_t i, std::int64_t d) const
    {
        const at::Tensor state = inputOr(m_inputs, i);
        if (!state.defined()) return at::zeros({m_batch, m_hidden}, m_x.options());
        return state.select(m_batchFirst ? 1 : 0, d);
    }

    Cell cellOf(std::int64_t d)
    {
        Cell cell;
        cell.hidden = m_hidden;
        cell.operand = m_operand;
        for (std::size_t k = 0; k < m_kind.activations.size(); ++k)
            cell.functions.push_back(m_activations.make(m_names[std::size_t(d) * m_kind.activations.size() + k]));
        if (m_op.hasAttribute("clip")) cell.clip = m_op.floatAttribute("clip", 0);
        cell.inputForget = m_op.intAttribute("input_forget", 0) != 0;
        cell.linearBeforeReset = m_op.intAttribute("linear_before_reset", 0) != 0;
        if (m_lstm && inputOr(m_inputs, 7).defined()) cell.peepholes = m_inputs[7].select(0, d);
        return cell;
    }

    /// Whether the kernels for whole sequences apply, which have no gradient.
    bool isUsual(const Cell &cell, std::int64_t d) const
    {
        const auto hasGradient = [](const at::Tensor &t) { return t.defined() && t.requires_grad(); };
        if (at::GradMode::is_enabled() && std::any_of(m_inputs.begin(), m_inputs.end(), hasGradient)) return false;
        const auto named = m_names.begin() + std::ptrdiff_t(std::size_t(d) * m_kind.activations.size());
        return !m_operand && !cell.clip && !cell.inputForget && !cell.peepholes.defined() && !m_lengths.defined() &&
               m_kind.step != rnnStep && m_x.is_cpu() && m_x.scalar_type() == at::kFloat &&
               m_r.scalar_type() == at::kFloat && m_batch > 0 && m_hidden > 0 &&
               std::equal(m_kind.activations.begin(), m_kind.activations.end(), named,
                          [](const std::string &a, const std::string &b) { return lower(a) == lower(b); });
    }

    void runDirection(std::int64_t d)
    {
        const Cell cell = cellOf(d);
        const bool backwards = m_direction == "reverse" || d == 1;
        const at::Tensor source = backwards ? reversed(m_x, m_lengths) : m_x;
        const std::int64_t width = m_kind.gates * m_hidden;
        at::Tensor xw = matrixProduct(m_operand ? m_operand(source) : source, m_w.select(0, d).transpose(0, 1));
        const at::Tensor rb =
            m_bias.defined() ? m_bias.select(0, d).narrow(0, width, width) : at::zeros({width}, m_x.options());
        if (m_bias.defined()) xw = xw + m_bias.select(0, d).narrow(0, 0, width);
        at::Tensor h = initial(5, d);
        at::Tensor c = m_lstm ? initial(6, d) : at::Tensor();
        at::Tensor y;
        if (isUsual(cell, d)) {
            y = at::empty({m_steps, m_batch, m_hidden}, m_x.options().memory_format(at::MemoryFormat::Contiguous));
            h = h.contiguous();
            const at::Tensor weight = m_r.select(0, d).contiguous();
            if (m_lstm)
                lstmSequence(m_context, xw.add_(rb), weight, h, c, y);
            else
                gruSequence(m_context, xw, weight, rb, cell.linearBeforeReset, h, y);
            m_y.push_back(backwards ? y.flip({0}) : y);
        } else {
            y = stepByStep(cell, xw, m_r.select(0, d).transpose(0, 1), rb, h, c);
            m_y.push_back(backwards ? reversed(y, m_lengths) : y);
        }
        m_h.push_back(h);
        if (m_lstm) m_c.push_back(c);
    }

    at::Tensor stepByStep(const Cell &cell, const at::Tensor &xw, const at::Tensor &rt, const at::Tensor &rb,
                          at::Tensor &h, at::Tensor &c) const
    {
        std::vector<at::Tensor> outputs;
        for (std::int64_t t = 0; t < m_steps; ++t) {
            if (m_context.job) m_context.job->checkpoint();
            const at::Tensor beforeH = h, beforeC = c;
            m_kind.step(cell, xw.select(0, t), rt, rb, h, c);
            if (m_lengths.defined()) {
                const at::Tensor active = (m_lengths > t).reshape({m_batch, 1});
                outputs.push_back(at::where(active, h, at::zeros_like(h)));
                h = at::where(active, h, beforeH);
                if (m_lstm) c = at::where(active, c, beforeC);
            } else {
                outputs.push_back(h);
            }
        }
        return outputs.empty() ? at::zeros({0, m_batch, m_hidden}, m_x.options()) : at::stack(outputs, 0);
    }

    const KernelContext &m_context;
    const Operation &m_op;
    Inputs m_inputs;
    const Kind &m_kind;
    const Function &m_operand;
    bool m_batchFirst, m_lstm;
    at::Tensor m_x; ///< [T, N, inputs]
    at::Tensor m_w, m_r, m_bias;
    at::Tensor m_lengths; ///< [1, N]; undefined: all sequences have T entries
    std::string m_direction;
    Activations m_activations;
    std::vector<std::string> m_names; ///< of the activations, for all directions
    std::int64_t m_steps = 0, m_batch = 0, m_hidden = 0, m_directions = 0;
    std::vector<at::Tensor> m_y, m_h, m_c; ///< results, by direction
};

std::vector<at::Tensor> recurrent(const KernelContext &context, Inputs inputs, const Kind &kind,
                                  const Function &operand)
{
    return Recurrence(context, inputs, kind, operand).run();
}

Text recurrentRefusal(const Operation &op)
{
    static const std::set<std::string> known = {"tanh",       "sigmoid",         "relu", "softsign", "softplus",
                                                "leakyrelu",  "thresholdedrelu", "elu",  "affine",   "scaledtanh",
                                                "hardsigmoid"};
    for (const std::string &name : op.stringsAttribute("activations"))
        if (!known.contains(lower(name))) return QL_TEXT("activation '%1' is not implemented").with(name);
    return {};
}

KernelEntry entry(Kind kind)
{
    return {.run = [kind = std::move(kind)](const KernelContext &context,
                                            Inputs inputs) { return recurrent(context, inputs, kind, {}); },
            .minOpset = 7,
            .family = "recurrent",
            .refusal = recurrentRefusal,
            .onDevice = always};
}
/// The lengths of sequences do not affect shapes. W and R [directions, gates * hidden, ...] have one output channel per
/// gate and entry of the state. States stay in float32: they are accumulated from step to step.
OpTraits recurrentTraits()
{
    return {.inputs = {{"X"},
                       {"W"},
                       {"R"},
                       {"B", SlotKind::Float},
                       {"sequence_lens", SlotKind::Float},
                       {"initial_h", SlotKind::Float},
                       {"initial_c", SlotKind::Float},
                       {"P", SlotKind::Float}},
            .outputs = {{"Y"}, {"Y_h", SlotKind::Float}, {"Y_c", SlotKind::Float}},
            .weights = WeightTraits{.axis = [](const Operation &, std::int64_t rank) -> std::optional<std::int64_t> {
                                        return rank == 3 ? std::optional<std::int64_t>(1) : std::nullopt;
                                    },
                                    .outputAxis = -1},
            .shapes = {.inputs = 4}};
}

const KernelRegistrar rnn{{"RNN"}, entry({1, {"Tanh"}, rnnStep}), recurrentTraits()};
const KernelRegistrar gru{{"GRU"}, entry({3, {"Sigmoid", "Tanh"}, gruStep}), recurrentTraits()};
const Kind lstmKind{4, {"Sigmoid", "Tanh", "Tanh"}, lstmStep};

/// Inputs of LSTM, W scale, W zero, R scale, R zero. W and R are codes [directions, input or hidden, 4 * hidden] with
/// one scale per direction, or per column of each. x and, at each step, h are quantized to uint8 on their own range.
std::vector<at::Tensor> dynamicLstm(const KernelContext &context, Inputs inputs)
{
    const auto weights = [&](std::size_t i, std::size_t scale) {
        const at::Tensor codes = requiredInput(context, inputs, i);
        const auto perDirection = [&](const at::Tensor &x) { // [directions, 1 or 4 * hidden, 1]
            return x.defined() ? x.reshape({codes.size(0), -1, 1}) : x;
        };
        return realValues(codes.transpose(1, 2), perDirection(requiredInput(context, inputs, scale)),
                          perDirection(inputOr(inputs, scale + 1)));
    };
    const at::Tensor w = weights(1, 8), r = weights(2, 10);
    std::vector<at::Tensor> real(inputs.begin(), inputs.begin() + 8);
    real[1] = w;
    real[2] = r;
    const at::Tensor lengths = inputOr(inputs, 4);
    return recurrent(context, real, lstmKind, [&](const at::Tensor &x) {
        if (x.dim() == 2 || !lengths.defined() || lengths.numel() == 0) return roundedToOwnRange(x, context.op);
        // Entries past the longest sequence do not widen the range
        const std::int64_t longest = std::clamp<std::int64_t>(lengths.max().item<std::int64_t>(), 0, x.size(0));
        const at::Tensor used = roundedToOwnRange(x.narrow(0, 0, longest), context.op);
        return at::cat({used, x.narrow(0, longest, x.size(0) - longest)}, 0);
    });
}

const KernelRegistrar lstm{{"LSTM"}, entry(lstmKind), recurrentTraits()};
const KernelRegistrar quantizedLstm{{"com.microsoft:DynamicQuantizeLSTM"},
                                    {.run = dynamicLstm, .family = "recurrent", .refusal = recurrentRefusal},
                                    {.handlesCodes = true}};

} // namespace

} // namespace ql
