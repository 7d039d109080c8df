#include "core/pass/input_products.h"

#include "core/exec/convolution.h"
#include "core/exec/matmul.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/argsort.h>
#include <ATen/ops/cholesky_inverse.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/full.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/linalg_cholesky.h>
#include <ATen/ops/outer.h>
#include <ATen/ops/where.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace ql {

at::Tensor product(const at::Tensor &a, const at::Tensor &b)
{
    return matrixProduct(a.to(at::kFloat), b.to(at::kFloat)).to(at::kDouble);
}

void ProductSums::add(const at::Tensor &products, std::int64_t rows)
{
    m_sum = m_sum.defined() ? m_sum + products : products;
    m_squares = m_squares.defined() ? m_squares + products.square() : products.square();
    m_rows += double(rows);
    ++m_batches;
}

bool ProductSums::isFinite() const
{
    return m_rows > 0 && m_sum.isfinite().all().item().toBool();
}

at::Tensor ProductSums::mean() const
{
    return m_sum / m_rows;
}

at::Tensor ProductSums::shrunkMean() const
{
    at::Tensor products = mean();
    if (m_batches < 2) return products;
    const auto sumOfOthers = [](const at::Tensor &t) { return (t.sum() - t.diagonal().sum()).item().toDouble(); };
    const double count = double(m_batches);
    const at::Tensor variance = (m_squares - m_sum.square() / count) / (m_rows * m_rows) * (count / (count - 1));
    const double all = sumOfOthers(products.square());
    const double share = all > 0 ? std::clamp(sumOfOthers(variance) / all, 0.0, 1.0) : 0.0;
    const at::Tensor diagonal = products.diagonal().clone();
    products *= 1 - share;
    products.diagonal().copy_(diagonal);
    return products;
}

GroupInputs::GroupInputs(const InputMoments &moments, double damping, double share)
    : products(moments.products), mean(moments.mean), exactMean(moments.exactMean)
{
    const at::Tensor diagonal = products.diagonal();
    const double mean = diagonal.mean().item().toDouble();
    const auto number = [&](double value) { return at::full({}, value, products.options()); };
    const at::Tensor added = at::where(diagonal == 0, number(mean > 0 ? mean : 1.0), number(mean * damping));
    damped = products + added.diag();
    order = damped.diagonal().argsort(0, true);
    const at::Tensor root = at::linalg_cholesky(damped.index_select(0, order).index_select(1, order));
    factor = at::linalg_cholesky(at::cholesky_inverse(root), true);
    target = product(moments.change, at::cholesky_inverse(at::linalg_cholesky(damped))) * share;
    target.diagonal() += 1;
}

/// Of the rows of all batches, float32.
static at::Tensor meanOfRows(std::size_t batches, const std::function<at::Tensor(std::size_t)> &rowsOf,
                             const JobContext &job)
{
    at::Tensor sum;
    double count = 0;
    for (std::size_t batch = 0; batch < batches; ++batch) {
        job.checkpoint();
        const at::Tensor rows = rowsOf(batch), total = rows.sum(0, false, at::kDouble);
        sum = sum.defined() ? sum + total : total;
        count += double(rows.size(0));
    }
    return (sum / count).to(at::kFloat);
}

/// Patches of the input of a Conv [samples, channels, ...] as rows, in the order of a channel's weights: those of all
/// places, or of as many that are spread evenly.
static at::Tensor patchesOf(const Operation &op, const at::Tensor &input, at::IntArrayRef weightSizes)
{
    constexpr std::int64_t most = 512; // places of a sample: neighbours are similar
    const ConvGeometry geometry = convGeometry(op, input.sizes(), weightSizes);
    const std::vector<std::int64_t> outputs = convOutputSizes(op, geometry, input.sizes(), weightSizes);
    const std::size_t axes = geometry.strides.size();
    std::vector<std::int64_t> padding;
    for (std::size_t axis = axes; axis-- > 0;) {
        padding.push_back(geometry.padBegin[axis]);
        padding.push_back(geometry.padEnd[axis]);
    }
    const at::Tensor padded = at::constant_pad_nd(input, padding).contiguous();
    std::int64_t places = 1, step = 1;
    for (std::size_t axis = 0; axis < axes; ++axis) places *= outputs[axis + 2];
    while (places > most * std::int64_t(std::pow(double(step), double(axes)))) ++step;
    std::vector<std::int64_t> sizes{padded.size(0)}, strides{padded.stride(0)};
    std::int64_t offset = 0;
    for (std::size_t axis = 0; axis < axes; ++axis) {
        const std::int64_t width = outputs[axis + 2], own = std::min(step, width), first = own / 2;
        const std::int64_t stride = padded.stride(std::int64_t(axis) + 2) * geometry.strides[axis];
        offset += first * stride;
        sizes.push_back((width - first - 1) / own + 1);
        strides.push_back(own * stride);
    }
    sizes.push_back(padded.size(1));
    strides.push_back(padded.stride(1));
    for (std::size_t axis = 0; axis < axes; ++axis) {
        sizes.push_back(weightSizes[axis + 2]);
        strides.push_back(padded.stride(std::int64_t(axis) + 2) * geometry.dilations[axis]);
    }
    const std::int64_t row = padded.size(1) * c10::multiply_integers(weightSizes.slice(2));
    return padded.as_strided(sizes, strides, padded.storage_offset() + offset).reshape({-1, row});
}

InputSweep::InputSweep(const Graph &graph, const PassContext &context)
    : m_graph(graph), m_executor(graph, context.exec), m_store(context.memory), m_reached(m_executor, m_store)
{
    const std::size_t batches = std::min(context.calibrationSteps, context.calibration->size());
    m_reached.start(*context.calibration, batches, context.job.part(0, 0.02));
}

std::optional<GroupInputs> InputSweep::next(const MatrixGroup &group, bool isCentered, const QuantPlan &plan,
                                            double damping, double share, const JobContext &job)
{
    m_reached.moveTo(group.matrices[0].op, plan, job);
    const std::vector<VarId> &live = m_reached.quantized.variables;
    const auto found = std::find(live.begin(), live.end(), group.input);
    const std::size_t batches = m_reached.quantized.batches.size();
    if (found == live.end() || batches == 0) return std::nullopt; // constant
    const std::size_t place = std::size_t(found - live.begin());
    const auto rowsIn = [&](const CutTensors &cut) {
        return [&, place](std::size_t batch) { return rowsOf(group, cut.batches[batch][place]->get()); };
    };
    const auto quantizedRows = rowsIn(m_reached.quantized), exactRows = rowsIn(m_reached.floating);
    const at::Tensor mean = meanOfRows(batches, quantizedRows, job), exactMean = meanOfRows(batches, exactRows, job);
    ProductSums products;
    at::Tensor mixed;
    double count = 0;
    for (std::size_t batch = 0; batch < batches; ++batch) {
        job.checkpoint();
        const at::Tensor quantized = quantizedRows(batch) - mean, exact = exactRows(batch) - exactMean;
        products.add(product(quantized.t(), quantized), quantized.size(0));
        const at::Tensor both = product(exact.t(), quantized);
        mixed = mixed.defined() ? mixed + both : both;
        count += double(quantized.size(0));
    }
    if (!(products.isFinite() && mixed.isfinite().all().item().toBool())) return std::nullopt;
    InputMoments moments{products.shrunkMean(), mixed / count - products.mean(), mean, exactMean};
    if (!isCentered) {
        const at::Tensor wide = mean.to(at::kDouble);
        moments.products += at::outer(wide, wide);
        moments.change += at::outer((exactMean - mean).to(at::kDouble), wide);
    }
    return GroupInputs(moments, damping, share);
}

at::Tensor InputSweep::rowsOf(const MatrixGroup &group, const at::Tensor &x) const
{
    const Operation &op = m_graph.operation(group.matrices[0].op);
    if (op.type == "Conv") return patchesOf(op, x, m_graph.variable(op.inputs[1]).value.sizes());
    return x.contiguous().reshape({-1, x.size(-1)});
}

} // namespace ql
