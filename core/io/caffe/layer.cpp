#include "core/io/caffe/layer.h"

#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/io/caffe/limits.h"
#include "core/io/caffe/net_builder.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/tensor.h>
#include <algorithm>
#include <numeric>

namespace ql::caffe_io {

std::vector<std::int64_t> axesFrom(std::int64_t from, std::int64_t to)
{
    std::vector<std::int64_t> axes(std::size_t(std::max<std::int64_t>(to - from, 0)));
    std::iota(axes.begin(), axes.end(), from);
    return axes;
}

std::int64_t Value::count(std::int64_t from, std::int64_t to) const
{
    std::int64_t n = 1;
    for (std::int64_t i = from; i < to; ++i) n *= size(i);
    return n;
}

Layer::Layer(NetBuilder &builder, const format::LayerParameter &p, std::vector<Value> bottoms)
    : proto(p), m_builder(builder), m_bottoms(std::move(bottoms))
{}

void Layer::fail(const Text &message, const Text &remedy) const
{
    throw Error(ErrorKind::InvalidModel, QL_TEXT("%1: %2").with(proto.type(), message), proto.name())
        .withRemedy(remedy.isEmpty() ? QL_TEXT("Correct the layer in the prototxt.") : remedy);
}

void Layer::unsupported(const Text &message, const Text &remedy) const
{
    throw Error(ErrorKind::UnsupportedOp, QL_TEXT("%1: %2").with(proto.type(), message), proto.name())
        .withRemedy(remedy);
}

void Layer::report(api::Severity severity, const Text &message, const Text &remedy) const
{
    m_builder.m_request.report({.severity = severity,
                                .op = proto.name(),
                                .message = QL_TEXT("%1: %2").with(proto.type(), message),
                                .remedy = remedy});
}

const Value &Layer::bottom(std::size_t i) const
{
    if (i >= m_bottoms.size()) fail(QL_TEXT("it needs %1 bottoms and has %2").with(i + 1, m_bottoms.size()));
    return m_bottoms[i];
}

bool Layer::isRead(std::size_t i) const
{
    return i < topCount() && m_builder.m_tops[m_builder.m_current][i].readers > 0;
}

std::int64_t Layer::axis(std::int64_t a, std::int64_t rank, bool end) const
{
    const std::int64_t at = a < 0 ? a + rank + (end ? 1 : 0) : a;
    if (at < 0 || at > (end ? rank : rank - 1)) fail(QL_TEXT("axis %1 is outside a blob of %2 axes").with(a, rank));
    return at;
}

std::size_t Layer::blobCount() const
{
    return m_builder.m_blobs.size();
}

at::Tensor Layer::blob(std::size_t i) const
{
    if (i >= m_builder.m_blobs.size() || !m_builder.m_blobs[i].defined()) throw MissingBlob{i};
    return m_builder.m_blobs[i];
}

at::Tensor Layer::blob(std::size_t i, const Shape &shape) const
{
    const at::Tensor value = blob(i);
    const auto core = [](Shape s) {
        std::erase(s, std::int64_t{1});
        return s;
    };
    if (core(value.sizes().vec()) != core(shape))
        throw Error(ErrorKind::InvalidModel,
                    QL_TEXT("%1: blob %2 has the shape %3, the layer needs %4")
                        .with(proto.type(), i, sizesText(value.sizes().vec()), sizesText(shape)),
                    proto.name())
            .inFile(m_builder.m_weights.file().string())
            .withFix(Fix::ChooseWeights)
            .withRemedy(QL_TEXT(
                "The weights belong to another version of the net: give those that were trained with this prototxt."));
    return value.reshape(shape);
}

Value Layer::parameter(std::size_t i, at::Tensor value)
{
    Graph &graph = m_builder.m_graph;
    const Shape shape = value.sizes().vec();
    const VarId id =
        graph.addParameter(graph.freshName(proto.name() + "_param_" + std::to_string(i)), std::move(value));
    recordAdded(id);
    return {id, shape};
}

Value Layer::constant(const std::string &what, at::Tensor value)
{
    Graph &graph = m_builder.m_graph;
    const Shape shape = value.sizes().vec();
    const VarId id = graph.addParameter(fresh(what), std::move(value));
    recordAdded(id);
    return {id, shape};
}

Value Layer::ints(const std::string &what, const std::vector<std::int64_t> &values)
{
    return constant(what, at::tensor(values, at::TensorOptions(at::kLong)));
}

Value Layer::scalar(const std::string &what, double value)
{
    return constant(what, at::scalar_tensor(value, at::TensorOptions(at::kFloat)));
}

std::string Layer::fresh(const std::string &what)
{
    const int number = m_names[what]++;
    return m_builder.m_graph.freshName(proto.name() + "/" + what + (number ? "_" + std::to_string(number) : ""));
}

std::vector<Value> Layer::emitMany(const std::string &type, const std::vector<Value> &inputs, Attributes attributes,
                                   const std::vector<Shape> &shapes, const std::string &domain)
{
    Graph &graph = m_builder.m_graph;
    Operation op;
    op.name = fresh(type);
    op.type = type;
    op.domain = domain;
    op.opset = domain.empty() ? graph.opsets.at("") : 1;
    if (!domain.empty()) graph.opsets[domain] = 1;
    op.attributes = std::move(attributes);
    for (const Value &input : inputs) op.inputs.push_back(input.id);
    std::vector<Value> outputs;
    for (const Shape &shape : shapes) {
        std::int64_t count = 1;
        for (const std::int64_t size : shape) {
            if (size < 0) fail(QL_TEXT("its result would have the shape %1").with(sizesText(shape)));
            if (size > 0 && count > maxElements / size)
                fail(QL_TEXT("its result would have the shape %1, more than %2 elements")
                         .with(sizesText(shape), maxElements),
                     QL_TEXT("Reduce the network's input size with %1.").with(Text::option("--input-shape")));
            count *= size;
        }
        const std::string name = graph.freshName(op.name + ":" + std::to_string(outputs.size()));
        outputs.push_back({m_builder.addVariable(name, shape, at::kFloat), shape});
        op.outputs.push_back(outputs.back().id);
        recordAdded(outputs.back().id);
    }
    graph.addOperation(std::move(op));
    return outputs;
}

Value Layer::emit(const std::string &type, const std::vector<Value> &inputs, Attributes attributes, Shape shape)
{
    // Values that depend only on constants (prior boxes) are computed here: runtimes need not support the computation
    Graph &graph = m_builder.m_graph;
    const bool isMoving = type == "Concat" || type == "Reshape" || type == "Flatten";
    const bool isConstant =
        std::all_of(inputs.begin(), inputs.end(), [&](const Value &v) { return graph.isParameter(v.id); });
    if (isMoving && isConstant) {
        std::vector<at::Tensor> parts;
        for (const Value &input : inputs) parts.push_back(graph.variable(input.id).value);
        if (type == "Concat") return constant(type, at::cat(parts, std::get<std::int64_t>(attributes.at("axis"))));
        return constant(type, parts[0].reshape(shape));
    }
    return emitMany(type, inputs, std::move(attributes), {std::move(shape)})[0];
}

void Layer::setType(const Value &value, at::ScalarType type)
{
    m_builder.m_graph.edit(value.id).type.dtype = type;
}

void Layer::setSize(const Value &value, std::size_t axis, std::int64_t size)
{
    m_builder.m_graph.edit(value.id).type.shape->at(axis) = {size, {}};
}

OpId Layer::producer(const Value &value) const
{
    return m_builder.m_graph.variable(value.id).producer;
}

Shape Layer::shapeOf(VarId id) const
{
    return m_builder.m_graph.variable(id).type.sizes();
}

Value Layer::binary(const std::string &type, const Value &a, const Value &b)
{
    Shape shape(std::max(a.shape.size(), b.shape.size()), 1);
    for (std::size_t i = 0; i < shape.size(); ++i) { // from the last axis on
        const std::int64_t x = i < a.shape.size() ? a.shape[a.shape.size() - 1 - i] : 1;
        const std::int64_t y = i < b.shape.size() ? b.shape[b.shape.size() - 1 - i] : 1;
        if (x != y && x != 1 && y != 1)
            fail(QL_TEXT("blobs of %1 and %2 are incompatible").with(sizesText(a.shape), sizesText(b.shape)));
        shape[shape.size() - 1 - i] = x == 1 ? y : x;
    }
    return emit(type, {a, b}, {}, std::move(shape));
}

Value Layer::unary(const std::string &type, const Value &x, Attributes attributes)
{
    return emit(type, {x}, std::move(attributes), x.shape);
}

Value Layer::reshape(const Value &x, const std::vector<std::int64_t> &target, Shape shape)
{
    std::int64_t count = 1;
    bool fits = true;
    for (const std::int64_t size : shape) {
        fits = fits && size >= 0 && (size == 0 || count <= maxElements / size);
        if (fits) count *= size;
    }
    if (!fits || count != x.count())
        fail(QL_TEXT("a blob of %1 cannot become %2: the numbers of elements differ")
                 .with(sizesText(x.shape), sizesText(shape)));
    return emit("Reshape", {x, ints("shape", target)}, {}, std::move(shape));
}

Value Layer::transpose(const Value &x, const std::vector<std::int64_t> &order)
{
    Shape shape;
    for (const std::int64_t a : order) shape.push_back(x.size(a));
    return emit("Transpose", {x}, {{"perm", order}}, std::move(shape));
}

Value Layer::reduce(const std::string &type, const Value &x, const std::vector<std::int64_t> &axes, bool keep)
{
    Shape shape;
    for (std::int64_t i = 0; i < x.rank(); ++i) {
        const bool isReduced = std::find(axes.begin(), axes.end(), i) != axes.end();
        if (!isReduced) shape.push_back(x.size(i));
        if (isReduced && keep) shape.push_back(1);
    }
    const std::int64_t keepDims = keep ? 1 : 0;
    if (type == "ReduceSum") // the only one with its axes as input in opset 13
        return emit(type, {x, ints("axes", axes)}, {{"keepdims", keepDims}}, std::move(shape));
    return emit(type, {x}, {{"axes", axes}, {"keepdims", keepDims}}, std::move(shape));
}

Value Layer::affine(const Value &x, double factor, double shift)
{
    Value y = x;
    if (factor != 1) y = binary("Mul", y, scalar("scale", factor));
    if (shift != 0) y = binary("Add", y, scalar("shift", shift));
    return y;
}

Value Layer::slice(const Value &x, const std::vector<std::int64_t> &axes, const std::vector<std::int64_t> &begins,
                   const std::vector<std::int64_t> &sizes)
{
    Shape shape = x.shape;
    std::vector<std::int64_t> ends;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        std::int64_t &size = shape[std::size_t(axes[i])];
        if (begins[i] < 0 || sizes[i] < 1 || sizes[i] > size || begins[i] > size - sizes[i])
            fail(QL_TEXT("elements %1 to %2 are outside axis %3 of %4")
                     .with(begins[i], begins[i] + sizes[i], axes[i], sizesText(x.shape)));
        size = sizes[i];
        ends.push_back(begins[i] + sizes[i]);
    }
    return emit("Slice", {x, ints("starts", begins), ints("ends", ends), ints("axes", axes)}, {}, std::move(shape));
}

void Layer::top(std::size_t i, const Value &value)
{
    if (i >= topCount()) return; // Caffe allows nets to omit tops that they do not need
    Value bound = value;
    const bool own = std::find(m_added.begin(), m_added.end(), value.id) != m_added.end();
    if (!own) bound = emit("Identity", {value}, {}, value.shape);
    m_builder.bindTop(*this, i, bound, true);
    std::erase(m_added, bound.id); // a second top of the same value needs its own variable
}

void Layer::rebindTop(std::size_t i, const Value &value)
{
    m_builder.bindTop(*this, i, value, false);
}

OpId Layer::precedingBatchNorm() const
{
    const Graph &graph = m_builder.m_graph;
    const VarId id = bottom(0).id;
    const OpId producer = graph.variable(id).producer;
    if (producer == noOp || graph.operation(producer).type != "BatchNormalization") return noOp;
    const auto readers = m_builder.m_readers.find(id);
    return readers != m_builder.m_readers.end() && readers->second == 1 ? producer : noOp;
}

void Layer::foldInto(VarId scale, VarId bias, const at::Tensor &factor, const at::Tensor &shift)
{
    Graph &graph = m_builder.m_graph;
    graph.setValue(scale, graph.variable(scale).value * factor);
    const at::Tensor moved = graph.variable(bias).value * factor;
    graph.setValue(bias, shift.defined() ? moved + shift : moved);
}

const Operation &Layer::operation(OpId id) const
{
    return m_builder.m_graph.operation(id);
}

} // namespace ql::caffe_io
