#pragma once

#include "core/observer/observer.h"
#include "core/pass/pass.h"

#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace ql {

/// A product of an activation with a constant matrix: MatMul, Gemm and the like, with float32 weights that no other
/// operation reads.
struct MatrixWeight
{
    OpId op = noOp;
    VarId input = noVar, weight = noVar;
    std::int64_t inputs = 0, outputs = 0; ///< channels
    bool isTransposed = false;            ///< stored as [outputs, inputs]

    /// A matrix as stored, or the scales of one, as [outputs, inputs].
    at::Tensor oriented(const at::Tensor &stored) const { return isTransposed ? stored : stored.transpose(0, 1); }
    at::Tensor stored(const at::Tensor &oriented) const
    {
        return (isTransposed ? oriented : oriented.transpose(0, 1)).contiguous();
    }
};
/// Nothing for other operations.
std::optional<MatrixWeight> matrixWeight(const Graph &graph, OpId op);
/// A Conv without groups as the product of its weights [outputs, inputs x kernel] with the patches of its input.
std::optional<MatrixWeight> patchWeight(const Graph &graph, OpId op);
/// Whether the weights of a quantized operation have a slot that waits for its scale or has one.
bool isQuantized(const QuantPlan &plan, const MatrixWeight &matrix);

/// Matrices that read the same activation, in execution order.
struct MatrixGroup
{
    VarId input = noVar;
    std::vector<MatrixWeight> matrices;
    bool isOnlyReader = false; ///< no other operation reads input, and it is no graph output
};
std::vector<MatrixGroup> matrixGroups(const Graph &graph);
/// The groups in which a matrix of a quantized operation has a slot that waits for its scale or has one.
std::vector<MatrixGroup> quantizedGroups(const QuantModel &model);

/// What the float network feeds to a group of matrices, over the calibration samples.
struct InputStatistics
{
    at::Tensor products; ///< [inputs, inputs], float64: the mean of x x^T
    at::Tensor largest;  ///< [inputs]: max |x|
    at::Tensor mean;     ///< [inputs]: mean |x|
};
/// By input. @throws Error (BadData) without calibration data; what names the pass.
std::map<VarId, InputStatistics> inputStatistics(const Graph &graph, const std::vector<MatrixGroup> &groups,
                                                 const PassContext &context, const Text &what);

/// value, as stored, rounded by the scales of config; if it has none, by those that its observer finds for value.
at::Tensor roundedBy(const at::Tensor &value, const TensorQuantConfig &config);
/// The mean squared error at the output of a matrix [outputs, inputs] that is changed by `change`: sum of D products
/// D^T.
double outputError(const at::Tensor &change, const at::Tensor &products);

/// [inputs]: what the input channels of a group are multiplied by in its matrices, and divided by where they are
/// produced; undefined: nothing is to change. configured: the model with the configs of the platform.
using InputFactors =
    std::function<at::Tensor(const QuantModel &configured, const MatrixGroup &, const InputStatistics &)>;
/// Scales the inputs of all groups whose input is read by nothing else. The division is done in the parameters of the
/// operations that produce the input: LayerNormalization, Mul and Add of a constant, a matrix; through Relu and
/// products of activations, all of them read by nothing else. Other groups stay as they are.
/// @returns the number of matrices that changed. @throws Error (BadData) without calibration data; what names the pass.
int scaleInputs(QuantModel &model, const PassContext &context, const Text &what, const InputFactors &factorsOf);

} // namespace ql
