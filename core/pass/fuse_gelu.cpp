// Before: Div -> Erf -> Add -> Mul -> Mul, or Pow -> Mul -> Add -> Mul -> Tanh -> Add -> Mul -> Mul      After: Gelu
//
// Exporters below opset 20 write x * 0.5 * (1 + erf(x / sqrt(2))), or its approximation x * 0.5 * (1 + tanh(sqrt(2 /
// pi) * (x + 0.044715 x^3))), as these operations. The factors of the product may be in any order, the constant may be
// applied to x or to the sum, and x / sqrt(2) may be a Mul. x^3 may be x (x x), and x + 0.044715 x^3 also x (1 +
// 0.044715 x x), whose factors may be in any order. Constants must agree to 1e-4. (PPQ 0.6.6, fuse_gelu, does
// not check them, and knows only the first form.) No tensor in between has other consumers or is a graph output. Gelu
// is an activation that platforms can fuse with the Gemm or MatMul before it. Exporting then needs opset 20. Not part
// of the default formatting.
#include "core/pass/format_tools.h"
#include "core/pass/pass.h"

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace ql {

namespace {

/// One operation that multiplies a tensor by a constant (or divides it, as a factor).
struct Scaled
{
    VarId data = noVar;
    double factor = 0;
};

std::optional<double> constantOf(const Graph &graph, VarId id)
{
    if (!graph.isParameter(id) || graph.variable(id).value.numel() != 1) return std::nullopt;
    return graph.variable(id).value.to(at::kDouble).item<double>();
}

bool isNear(double value, double wanted)
{
    return std::abs(value - wanted) <= 1e-4 * std::abs(wanted);
}

std::optional<Scaled> scaledBy(const Graph &graph, const Operation &op, const char *multiply = "Mul")
{
    if (!op.domain.empty() || op.inputs.size() != 2) return std::nullopt;
    if (op.type == multiply)
        for (const std::size_t i : {std::size_t(0), std::size_t(1)})
            if (const auto constant = constantOf(graph, op.inputs[i])) return Scaled{op.inputs[1 - i], *constant};
    const std::string_view wanted = multiply;
    if (op.type == "Div" && wanted == "Mul")
        if (const auto constant = constantOf(graph, op.inputs[1])) return Scaled{op.inputs[0], 1 / *constant};
    return std::nullopt;
}

/// Follows one gelu upwards from its Erf or Tanh and downwards to its product, collecting its operations.
class GeluSearch
{
public:
    GeluSearch(const Graph &graph, OpId middle) : m_graph(graph), m_middle(middle) {}

    VarId data = noVar;
    std::vector<OpId> inner;
    OpId last = noOp;

    bool find()
    {
        const Operation &op = m_graph.operation(m_middle);
        if (!op.domain.empty() || !(op.type == "Erf" ? findErfInput(op) : op.type == "Tanh" && findTanhInput(op)))
            return false;
        inner.push_back(m_middle);
        const OpId sum = m_graph.soleConsumer(m_middle);
        if (sum == noOp) return false;
        const std::optional<Scaled> one = scaledBy(m_graph, m_graph.operation(sum), "Add");
        if (!one || !isNear(one->factor, 1)) return false;
        inner.push_back(sum);
        return findProduct(sum);
    }

private:
    /// The operation that computes tensor for one reader within the pattern.
    const Operation *owner(VarId tensor)
    {
        if (tensor == noVar) return nullptr;
        const Variable &variable = m_graph.variable(tensor);
        if (variable.producer == noOp || variable.uses.size() != 1 || m_graph.isGraphOutput(tensor)) return nullptr;
        return &m_graph.operation(variable.producer);
    }

    bool findErfInput(const Operation &erf)
    {
        const Operation *scale = owner(erf.inputs[0]);
        const std::optional<Scaled> scaled = scale ? scaledBy(m_graph, *scale) : std::nullopt;
        if (!scaled || !isNear(scaled->factor, std::sqrt(0.5))) return false;
        data = scaled->data;
        inner.push_back(scale->id);
        return true;
    }

    /// sqrt(2 / pi) (x + 0.044715 x^3), or sqrt(2 / pi) x (1 + 0.044715 x^2)
    bool findTanhInput(const Operation &tanh)
    {
        Product outer;
        collect(tanh.inputs[0], outer);
        if (!isNear(outer.factor, std::sqrt(2 / 3.14159265358979323846)) || outer.inputs.empty()) return false;
        const auto sum = std::find_if(outer.inputs.begin(), outer.inputs.end(), [this](VarId id) {
            const Operation *op = owner(id);
            return op && op->type == "Add" && op->domain.empty() && op->inputs.size() == 2;
        });
        if (sum == outer.inputs.end()) return false;
        const Operation &add = *owner(*sum);
        outer.inputs.erase(sum);
        const std::size_t power = outer.inputs.empty() ? 3 : 2;
        for (const std::size_t i : {std::size_t(0), std::size_t(1)}) {
            Product cubic;
            collect(add.inputs[i], cubic);
            if (!isNear(cubic.factor, 0.044715) || cubic.inputs.size() != power) continue;
            const VarId x = cubic.inputs[0];
            if (std::count(cubic.inputs.begin(), cubic.inputs.end(), x) != std::ptrdiff_t(power)) continue;
            const std::optional<double> one = constantOf(m_graph, add.inputs[1 - i]);
            const bool isSum =
                power == 3 ? add.inputs[1 - i] == x : one && isNear(*one, 1) && outer.inputs == std::vector{x};
            if (!isSum) continue;
            data = x;
            inner.insert(inner.end(), outer.ops.begin(), outer.ops.end());
            inner.push_back(add.id);
            inner.insert(inner.end(), cubic.ops.begin(), cubic.ops.end());
            return true;
        }
        return false;
    }

    /// A product of tensors, with powers, and a constant.
    struct Product
    {
        double factor = 1;
        std::vector<VarId> inputs;
        std::vector<OpId> ops; ///< consumers first
    };

    /// Multiplies product by tensor, or by what tensor is the product of.
    void collect(VarId tensor, Product &product)
    {
        const Operation *op = owner(tensor);
        const std::optional<Scaled> scaled = op ? scaledBy(m_graph, *op) : std::nullopt;
        const bool isTwo = op && op->domain.empty() && op->inputs.size() == 2;
        const double power = isTwo && op->type == "Pow" ? constantOf(m_graph, op->inputs[1]).value_or(0) : 0;
        if (scaled) {
            product.ops.push_back(op->id);
            product.factor *= scaled->factor;
            collect(scaled->data, product);
        } else if (power == 2 || power == 3) {
            product.ops.push_back(op->id);
            product.inputs.insert(product.inputs.end(), std::size_t(power), op->inputs[0]);
        } else if (isTwo && op->type == "Mul") {
            product.ops.push_back(op->id);
            for (const VarId input : op->inputs) collect(input, product);
        } else {
            product.inputs.push_back(tensor);
        }
    }

    /// The product of the sum, data and a half, in any order.
    bool findProduct(OpId at)
    {
        bool hasData = false, hasHalf = false;
        while (!hasData || !hasHalf) {
            const OpId next = m_graph.soleConsumer(at);
            if (next == noOp) return false;
            const Operation &op = m_graph.operation(next);
            if (const std::optional<Scaled> scaled = scaledBy(m_graph, op)) {
                if (hasHalf || !isNear(scaled->factor, 0.5)) return false;
                hasHalf = true;
            } else {
                if (op.type != "Mul" || op.inputs.size() != 2 || !op.domain.empty() || hasData) return false;
                const VarId read = m_graph.operation(at).outputs[0];
                const VarId other = op.inputs[0] == read ? op.inputs[1] : op.inputs[0];
                const Operation *half = other == data ? nullptr : owner(other);
                const std::optional<Scaled> halved = half ? scaledBy(m_graph, *half) : std::nullopt;
                if (other != data && (hasHalf || !halved || halved->data != data || !isNear(halved->factor, 0.5)))
                    return false;
                if (halved) {
                    inner.push_back(half->id);
                    hasHalf = true;
                }
                hasData = true;
            }
            if (last != noOp) inner.push_back(last);
            last = next;
            at = next;
        }
        return true;
    }

    const Graph &m_graph;
    OpId m_middle;
};

class FuseGelu final : public Pass
{
public:
    std::string_view id() const override { return "fuse_gelu"; }
    int run(QuantModel &model, const PassContext &) const override
    {
        int changed = 0;
        for (const OpId id : model.graph.operations())
            if (model.graph.contains(id)) changed += fuse(model.graph, id);
        if (changed > 0) model.graph.removeUnreachable(); // constants
        return changed;
    }

private:
    static int fuse(Graph &graph, OpId middle)
    {
        GeluSearch found(graph, middle);
        if (!found.find()) return 0;
        const bool isExact = graph.operation(middle).type == "Erf";
        graph.setInput(found.last, 0, found.data);
        graph.resizeInputs(found.last, 1);
        Operation &gelu = graph.edit(found.last);
        gelu.type = "Gelu";
        gelu.opset = std::max<std::int64_t>(gelu.opset, 20);
        gelu.attributes.clear();
        if (!isExact) gelu.attributes["approximate"] = std::string("tanh");
        std::vector<VarId> outputs;
        for (const OpId inner : found.inner) {
            outputs.push_back(graph.operation(inner).outputs[0]);
            graph.removeOperation(inner);
        }
        for (const VarId output : outputs) graph.removeVariable(output);
        return 1;
    }
};

const PassRegistrar fuseGeluRegistrar{
    {.info = {.id = "fuse_gelu",
              .title = QL_TEXT("Fuse Gelu"),
              .meaning = QL_TEXT("Before: Erf or Tanh and the products around it that exporters write for Gelu. After: "
                                 "one Gelu.")},
     .traits = {.kind = PassKind::Format},
     .make = makePassOf<FuseGelu>}};

} // namespace
} // namespace ql
