#pragma once

#include "core/exec/executor.h"
#include "core/pass/matrix_weights.h"
#include "core/train/cut.h"

#include <optional>

namespace ql {

/// Of float64 or float32 matrices, with the precision of float32: many times as fast with the reference BLAS.
at::Tensor product(const at::Tensor &a, const at::Tensor &b);

/// Sums over batches of the products of their rows.
class ProductSums
{
public:
    void add(const at::Tensor &products, std::int64_t rows);
    bool isFinite() const;
    at::Tensor mean() const;
    /// The mean with products of different channels closer to 0, as few batches show them too large: the smallest
    /// expected squared error. (Schaefer and Strimmer, "A Shrinkage Approach to Large-Scale Covariance Matrix
    /// Estimation", 2005, section 2.3, target D; after Ledoit and Wolf.) Batches are the independent observations: rows
    /// of one, such as the patches of an image, resemble each other.
    at::Tensor shrunkMean() const;

private:
    at::Tensor m_sum, m_squares;
    double m_rows = 0;
    std::size_t m_batches = 0;
};

/// Of the inputs of matrices: x in the float network, x' in the quantized one.
struct InputMoments
{
    at::Tensor products;        ///< the mean of x' x'^T
    at::Tensor change;          ///< the mean of (x - x') x'^T
    at::Tensor mean, exactMean; ///< of x' and x, float32
};

/// The inputs of a group of matrices: x in the float network, x' in the quantized one.
struct GroupInputs
{
    at::Tensor products;        ///< the mean of x' x'^T
    at::Tensor damped;          ///< plus a share of their mean diagonal; channels that are always 0 get the mean
    at::Tensor order;           ///< of channels, the largest first
    at::Tensor factor;          ///< the upper Cholesky factor of the inverse of damped in this order
    at::Tensor target;          ///< the weights that are approximated are w target
    at::Tensor mean, exactMean; ///< of x' and x, float32

    /// share: of the correction in target.
    GroupInputs(const InputMoments &moments, double damping, double share);
};

/// The inputs of matrices in both networks, in execution order.
class InputSweep
{
public:
    InputSweep(const Graph &graph, const PassContext &context);

    /// Nothing if an input is not finite. Later groups only. isCentered: products are relative to the means.
    std::optional<GroupInputs> next(const MatrixGroup &group, bool isCentered, const QuantPlan &plan, double damping,
                                    double share, const JobContext &job);

private:
    at::Tensor rowsOf(const MatrixGroup &group, const at::Tensor &x) const;

    const Graph &m_graph;
    const Executor m_executor;
    TensorStore m_store;
    CutPair m_reached;
};

} // namespace ql
