// Before: Gemm (W)        After: Gemm (B) -> Gemm (A), W = A B        The same for a Conv with a 1x1 kernel.
//
// The singular values of W = U S V' are distributed equally, A = U sqrt(S) and B = sqrt(S) V', which have smaller and
// more even ranges than W. (PPQ 0.6.6, MatrixFactorizationPass.) Method svd keeps the float function. Method training
// is the minimum of PPQ's training objective, mean (W - A B)^2 + 0.1 (mean A^2 + mean B^2): for a given product, the
// smallest penalty is proportional to the sum of its singular values, so that the minimum has those of W minus 0.1
// sqrt(rows * columns) / k, at least 0, for k = min(rows, columns); A and B are scaled to equal terms of the penalty.
// It changes the function. rank: that many singular values are kept, the largest ones; 0: all.
//
// Conditions: an operation that interested_layers names, with float32 weights as a parameter; a Gemm without transposed
// input, or a Conv with a kernel of one element and without groups; others that are named stay, with a problem. The
// first operation keeps the name and the attributes, the second, called NAME_factor, has the bias.
#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/ir/op_traits.h"
#include "core/pass/block_params.h"
#include "core/pass/format_tools.h"
#include "core/pass/pass.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/linalg_svd.h>

#include <algorithm>
#include <cmath>

namespace ql {

class MatrixFactorization final : public Pass
{
public:
    explicit MatrixFactorization(const nlohmann::json &params)
        : m_interested(params["interested_layers"].get<std::vector<std::string>>()),
          m_isExact(params["method"] == "svd"), m_rank(params["rank"])
    {}

    std::string_view id() const override { return "matrix_factorization"; }

    int run(QuantModel &model, const PassContext &context) const override
    {
        const Graph &graph = model.graph;
        const std::vector<OpId> all = graph.operations();
        if (m_interested.empty())
            throw Error(ErrorKind::BadConfig, QL_TEXT("interested_layers is empty: no layer to factorize"))
                .withRemedy(QL_TEXT("Name layers in interested_layers (* and ? allowed)."));
        requireLayers(graph, m_interested, isComputing);
        int changed = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Operation &op = graph.operation(all[i]);
            if (std::none_of(m_interested.begin(), m_interested.end(),
                             [&](const std::string &pattern) { return isNamed(op, pattern); }))
                continue;
            context.job.checkpoint(double(i) / double(all.size()), QL_TEXT("matrix factorization"));
            const at::Tensor weight = parameterOf(graph, op, 1);
            if (!isMatrix(op, weight)) {
                context.report({.severity = api::Severity::Warning,
                                .op = op.name,
                                .message = QL_TEXT("%1 was not factorized: it is not a Gemm, or a Conv with a 1x1 "
                                                   "kernel and without groups, that has float32 weights as a parameter")
                                               .with(op.type),
                                .remedy = QL_TEXT("Remove it from interested_layers.")});
                continue;
            }
            factorize(model, all[i], weight);
            ++changed;
        }
        return changed;
    }

private:
    static bool isNamed(const Operation &op, const std::string &pattern)
    {
        return isComputing(op) && globMatch(pattern, op.name);
    }

    static bool isMatrix(const Operation &op, const at::Tensor &weight)
    {
        if (!weight.defined() || weight.scalar_type() != at::kFloat || weight.numel() == 0) return false;
        if (op.type == "Gemm") return weight.dim() == 2 && op.intAttribute("transA", 0) == 0;
        return op.type == "Conv" && op.intAttribute("group", 1) == 1 && weight.dim() > 2 &&
               weight.numel() == weight.size(0) * weight.size(1);
    }

    void factorize(QuantModel &model, OpId id, const at::Tensor &weight) const
    {
        Graph &graph = model.graph;
        const Operation op = graph.operation(id);
        const bool isTransposed = op.type == "Gemm" && op.intAttribute("transB", 0) == 0;
        const at::Tensor wide = (isTransposed ? weight.t() : weight.reshape({weight.size(0), -1})).to(at::kDouble);
        const auto [u, s, v] = at::linalg_svd(wide, false);
        const double rows = double(wide.size(0)), columns = double(wide.size(1)), all = double(s.numel());
        const at::Tensor kept = m_isExact ? s : (s - 0.1 * std::sqrt(rows * columns) / all).clamp_min(0);
        const std::int64_t rank = m_rank > 0 ? std::min<std::int64_t>(m_rank, s.numel()) : s.numel();
        const at::Tensor root = kept.sqrt().narrow(0, 0, rank);
        // Equal terms of the penalty, which divides by the number of elements
        const double balance = m_isExact ? 1 : std::pow(rows / columns, 0.25);
        at::Tensor second = u.narrow(1, 0, rank) * root * balance;
        at::Tensor first = root.unsqueeze(1) * v.narrow(0, 0, rank) / balance;
        std::vector<std::int64_t> kernel(std::size_t(op.type == "Conv" ? weight.dim() - 2 : 0), 1);
        const auto shaped = [&](const at::Tensor &matrix) {
            std::vector<std::int64_t> sizes = {matrix.size(0), matrix.size(1)};
            sizes.insert(sizes.end(), kernel.begin(), kernel.end());
            return (isTransposed ? matrix.t() : matrix.reshape(sizes)).to(at::kFloat).contiguous();
        };

        setParameterInput(graph, id, 1, shaped(first), "factor");
        Operation next;
        next.name = graph.freshName(op.name + "_factor");
        next.type = op.type;
        next.opset = op.opset;
        if (op.hasAttribute("transB")) next.attributes["transB"] = op.intAttribute("transB", 0);
        if (op.hasAttribute("beta")) next.attributes["beta"] = float(op.floatAttribute("beta", 1));
        const VarId result = op.outputs[0];
        TensorType type = graph.variable(result).type;
        if (type.shape && type.shape->size() > 1) (*type.shape)[1] = {rank, {}};
        const VarId between = graph.addVariable(graph.freshName(op.name + "_factor_input"), type);
        next.inputs = {between, graph.addParameter(graph.freshName(op.name + "_factor_weight"), shaped(second))};
        if (op.hasInput(2)) next.inputs.push_back(op.inputs[2]);
        next.outputs = {result};
        graph.setOutput(id, 0, between);
        if (op.inputs.size() > 2) graph.resizeInputs(id, 2);
        const OpId added = graph.addOperation(std::move(next));
        if (const auto place = model.dispatch.find(id); place != model.dispatch.end())
            model.dispatch[added] = {place->second.platform, QL_TEXT("split from '%1'").with(op.name)};
    }

    std::vector<std::string> m_interested;
    bool m_isExact;
    std::int64_t m_rank;
};

static const PassRegistrar matrixFactorizationRegistrar{
    {.info = {.id = "matrix_factorization",
              .title = QL_TEXT("Matrix factorization"),
              .meaning = QL_TEXT("Before: one layer. After: two layers whose product it is, with smaller and more even "
                                 "ranges of weights, by the singular values."),
              .params = {{.name = "interested_layers",
                          .type = "strings",
                          .fallback = nlohmann::json::array(),
                          .meaning = QL_TEXT("The layers to factorize (names, * and ? allowed); required.")},
                         {.name = "method",
                          .type = "enum",
                          .fallback = "svd",
                          .meaning = QL_TEXT("svd: the float result is the same. training: weights are also made "
                                             "smaller, which changes it."),
                          .choices = {"svd", "training"}},
                         {.name = "rank",
                          .type = "int",
                          .fallback = 0,
                          .meaning = QL_TEXT("Number of channels between the two layers; 0: as many as the product "
                                             "needs. Fewer change the float result."),
                          .min = 0,
                          .max = 1000000}}},
     .traits = {.kind = PassKind::Float},
     .make = makePassOf<MatrixFactorization>}};

} // namespace ql
