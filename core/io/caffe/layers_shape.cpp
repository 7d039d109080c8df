// Layers that move, select or reduce values.
#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/io/caffe/layer.h"

#include <algorithm>

namespace ql::caffe_io {

namespace {

void concat(Layer &layer)
{
    const auto &p = layer.proto.concat_param();
    const Value &first = layer.bottom(0);
    const std::int64_t axis =
        layer.axis(p.has_concat_dim() ? std::int64_t(p.concat_dim()) : std::int64_t(p.axis()), first.rank());
    Shape shape = first.shape;
    std::vector<Value> inputs{first};
    for (std::size_t i = 1; i < layer.bottomCount(); ++i) {
        const Value &x = layer.bottom(i);
        bool fits = x.rank() == first.rank();
        for (std::int64_t a = 0; fits && a < x.rank(); ++a) fits = a == axis || x.size(a) == first.size(a);
        if (!fits)
            layer.fail(QL_TEXT("bottoms of %1 and %2 cannot be concatenated along axis %3")
                           .with(sizesText(first.shape), sizesText(x.shape), axis));
        shape[std::size_t(axis)] += x.size(axis);
        inputs.push_back(x);
    }
    if (inputs.size() == 1) return layer.top(0, first);
    layer.top(0, layer.emit("Concat", inputs, {{"axis", axis}}, shape));
}

void slice(Layer &layer)
{
    const auto &p = layer.proto.slice_param();
    const Value &x = layer.bottom(0);
    const std::int64_t axis =
        layer.axis(p.has_slice_dim() ? std::int64_t(p.slice_dim()) : std::int64_t(p.axis()), x.rank());
    const auto tops = std::int64_t(layer.topCount());
    std::vector<std::int64_t> sizes;
    if (p.slice_point_size() > 0) {
        if (p.slice_point_size() != tops - 1)
            layer.fail(QL_TEXT("it has %1 slice points for %2 tops").with(p.slice_point_size(), tops));
        std::int64_t before = 0;
        for (const std::uint32_t point : p.slice_point()) {
            sizes.push_back(std::int64_t(point) - before);
            before = point;
        }
        sizes.push_back(x.size(axis) - before);
    } else {
        if (tops < 1 || x.size(axis) % tops != 0)
            layer.fail(
                QL_TEXT("axis %1 of %2 cannot be split into %3 equal parts").with(axis, sizesText(x.shape), tops));
        sizes.assign(std::size_t(tops), x.size(axis) / tops);
    }
    std::vector<Shape> shapes;
    for (const std::int64_t size : sizes) {
        if (size < 1) layer.fail(QL_TEXT("its slice points are not increasing, or exceed %1").with(sizesText(x.shape)));
        shapes.push_back(x.shape);
        shapes.back()[std::size_t(axis)] = size;
    }
    if (tops == 1) return layer.top(0, x);
    const std::vector<Value> parts = layer.emitMany("Split", {x, layer.ints("split", sizes)}, {{"axis", axis}}, shapes);
    for (std::size_t i = 0; i < parts.size(); ++i) layer.top(i, parts[i]);
}

void pass(Layer &layer)
{
    for (std::size_t i = 0; i < layer.topCount(); ++i) layer.top(i, layer.bottom(0));
}

void dropout(Layer &layer)
{
    const auto &p = layer.proto.dropout_param();
    const Value &x = layer.bottom(0);
    // With scale_train the layer divides during training; without, it multiplies at inference
    layer.top(0, p.scale_train() ? layer.unary("Dropout", x) : layer.affine(x, 1 - double(p.dropout_ratio()), 0));
}

void reshape(Layer &layer)
{
    const auto &p = layer.proto.reshape_param();
    const Value &x = layer.bottom(0);
    // [0, start) stays, [start, end) is replaced by the given sizes, [end, rank) stays
    const std::int64_t start = layer.axis(p.axis(), x.rank(), true);
    const std::int64_t end = p.num_axes() == -1 ? x.rank() : start + p.num_axes();
    if (p.num_axes() < -1 || end > x.rank())
        layer.fail(QL_TEXT("num_axes %1 from axis %2 is outside %3").with(p.num_axes(), start, sizesText(x.shape)));
    Shape shape(x.shape.begin(), x.shape.begin() + start);
    std::vector<std::int64_t> target(std::size_t(start), 0);
    std::ptrdiff_t inferred = -1;
    for (const std::int64_t dim : p.shape().dim()) {
        const auto here = std::int64_t(shape.size());
        if (dim == 0 && here >= end)
            layer.fail(QL_TEXT("a size of 0 refers to an axis that %1 does not have").with(sizesText(x.shape)));
        if (dim < -1) layer.fail(QL_TEXT("a size of %1 is neither positive nor 0 or -1").with(dim));
        if (dim == -1 && inferred >= 0) layer.fail(QL_TEXT("two sizes are -1"));
        if (dim == -1) inferred = here;
        shape.push_back(dim == 0 ? x.size(here) : dim == -1 ? 1 : dim);
        target.push_back(dim);
    }
    for (std::int64_t i = end; i < x.rank(); ++i) {
        // ONNX's 0 copies the size at the same position
        target.push_back(std::int64_t(shape.size()) == i ? 0 : x.size(i));
        shape.push_back(x.size(i));
    }
    if (inferred >= 0) {
        std::int64_t known = 1;
        for (const std::int64_t size : shape) {
            if (size > 0 && known > x.count() / size) known = 0; // larger than the blob
            known *= size;
        }
        if (known == 0 || x.count() % known != 0)
            layer.fail(QL_TEXT("a blob of %1 gives no integer size for the axis that is -1").with(sizesText(x.shape)));
        shape[std::size_t(inferred)] = x.count() / known;
    }
    layer.top(0, layer.reshape(x, target, shape));
}

void flatten(Layer &layer)
{
    const auto &p = layer.proto.flatten_param();
    const Value &x = layer.bottom(0);
    const std::int64_t start = layer.axis(p.axis(), x.rank()), end = layer.axis(p.end_axis(), x.rank());
    if (end < start) layer.fail(QL_TEXT("end_axis is before axis"));
    Shape shape(x.shape.begin(), x.shape.begin() + start);
    shape.push_back(x.count(start, end + 1));
    shape.insert(shape.end(), x.shape.begin() + end + 1, x.shape.end());
    if (start == 1 && end == x.rank() - 1)
        return layer.top(0, layer.emit("Flatten", {x}, {{"axis", std::int64_t{1}}}, shape));
    std::vector<std::int64_t> target(std::size_t(start), 0);
    target.push_back(-1);
    target.insert(target.end(), x.shape.begin() + end + 1, x.shape.end());
    layer.top(0, layer.reshape(x, target, shape));
}

void permuteTo(Layer &layer, std::vector<std::int64_t> order)
{
    const Value &x = layer.bottom(0);
    std::vector<bool> used(x.shape.size(), false);
    for (const std::int64_t a : order) {
        if (a < 0 || a >= x.rank() || used[std::size_t(a)])
            layer.fail(QL_TEXT("the order lists an axis twice, or one that %1 does not have").with(sizesText(x.shape)));
        used[std::size_t(a)] = true;
    }
    for (std::int64_t a = 0; a < x.rank(); ++a)
        if (!used[std::size_t(a)]) order.push_back(a); // unnamed axes follow in order
    layer.top(0, layer.transpose(x, order));
}

void crop(Layer &layer)
{
    const auto &p = layer.proto.crop_param();
    const Value &x = layer.bottom(0), &like = layer.bottom(1);
    if (x.rank() != like.rank())
        layer.fail(QL_TEXT("its bottoms %1 and %2 are incompatible").with(sizesText(x.shape), sizesText(like.shape)));
    const std::int64_t axis = layer.axis(p.axis(), x.rank());
    const std::vector<std::int64_t> axes = axesFrom(axis, x.rank());
    if (p.offset_size() > 1 && std::size_t(p.offset_size()) != axes.size())
        layer.fail(QL_TEXT("it has %1 offsets for %2 axes").with(p.offset_size(), axes.size()));
    std::vector<std::int64_t> begins, sizes;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        begins.push_back(p.offset_size() == 0 ? 0 : p.offset(p.offset_size() == 1 ? 0 : int(i)));
        sizes.push_back(like.size(axes[i]));
    }
    layer.top(0, layer.slice(x, axes, begins, sizes));
}

void tile(Layer &layer)
{
    const auto &p = layer.proto.tile_param();
    const Value &x = layer.bottom(0);
    const std::int64_t axis = layer.axis(p.axis(), x.rank());
    if (p.tiles() < 1) layer.fail(QL_TEXT("tiles must be positive"));
    std::vector<std::int64_t> repeats(x.shape.size(), 1);
    repeats[std::size_t(axis)] = p.tiles();
    Shape shape = x.shape;
    shape[std::size_t(axis)] *= p.tiles();
    layer.top(0, layer.emit("Tile", {x, layer.ints("repeats", repeats)}, {}, shape));
}

/// Channel g * k + i becomes i * group + g.
void shuffle(Layer &layer)
{
    const auto &p = layer.proto.has_channel_shuffle_param() ? layer.proto.channel_shuffle_param()
                                                            : layer.proto.shuffle_channel_param();
    const Value &x = layer.bottom(0);
    const std::int64_t group = p.group();
    if (x.rank() < 2 || group < 1 || x.size(1) % group != 0)
        layer.fail(QL_TEXT("group %1 does not divide the channels of %2").with(group, sizesText(x.shape)));
    Shape parts{x.size(0), group, x.size(1) / group};
    parts.insert(parts.end(), x.shape.begin() + 2, x.shape.end());
    std::vector<std::int64_t> target = parts, order = axesFrom(0, std::int64_t(parts.size())), back = x.shape;
    target[0] = back[0] = 0;
    std::swap(order[1], order[2]);
    const Value split = layer.reshape(x, target, parts);
    layer.top(0, layer.reshape(layer.transpose(split, order), back, x.shape));
}

void softmax(Layer &layer)
{
    const Value &x = layer.bottom(0);
    const std::int64_t axis = layer.axis(layer.proto.softmax_param().axis(), x.rank());
    layer.top(0, layer.unary("Softmax", x, {{"axis", axis}}));
}

void reduction(Layer &layer)
{
    using P = format::ReductionParameter;
    const auto &p = layer.proto.reduction_param();
    const Value &x = layer.bottom(0);
    const std::int64_t axis = layer.axis(p.axis(), x.rank());
    const char *type = p.operation() == P::SUM    ? "ReduceSum"
                       : p.operation() == P::ASUM ? "ReduceL1"
                       : p.operation() == P::MEAN ? "ReduceMean"
                                                  : "ReduceSumSquare";
    layer.top(0, layer.affine(layer.reduce(type, x, axesFrom(axis, x.rank()), false), double(p.coeff()), 0));
}

Value asFloat(Layer &layer, const Value &indices)
{
    layer.setType(indices, at::kLong);
    return layer.unary("Cast", indices, {{"to", std::int64_t{1}}});
}

/// With an axis: the k indices (or, with out_max_val, values) along it. Without: of each sample as a whole, [N, 1, k]
/// indices or [N, 2, k] indices and values. Equal values: the last one, when k is 1.
void argMax(Layer &layer)
{
    const auto &p = layer.proto.argmax_param();
    Value x = layer.bottom(0);
    const std::int64_t k = p.top_k();
    std::int64_t axis = 0;
    if (p.has_axis()) {
        axis = layer.axis(p.axis(), x.rank());
    } else {
        axis = 2;
        x = layer.reshape(x, {x.size(0), 1, -1}, {x.size(0), 1, x.count(1, x.rank())});
    }
    if (k < 1 || k > x.size(axis)) layer.fail(QL_TEXT("top_k %1 is outside %2").with(k, sizesText(x.shape)));
    Shape shape = x.shape;
    shape[std::size_t(axis)] = k;
    if (k == 1 && !p.out_max_val())
        return layer.top(
            0,
            asFloat(layer,
                    layer.emit("ArgMax", {x},
                               {{"axis", axis}, {"keepdims", std::int64_t{1}}, {"select_last_index", std::int64_t{1}}},
                               shape)));
    const std::vector<Value> best = layer.emitMany("TopK", {x, layer.ints("k", {k})}, {{"axis", axis}}, {shape, shape});
    if (p.has_axis()) return layer.top(0, p.out_max_val() ? best[0] : asFloat(layer, best[1]));
    const Value indices = asFloat(layer, best[1]);
    if (!p.out_max_val()) return layer.top(0, indices);
    layer.top(0, layer.emit("Concat", {indices, best[0]}, {{"axis", std::int64_t{1}}}, {x.size(0), 2, k}));
}

const LayerRegistrar concats{{"Concat"}, {"Concat", "axis or concat_dim", concat}};
const LayerRegistrar slices{{"Slice"}, {"Split", "axis or slice_dim, slice_point", slice}};
const LayerRegistrar splits{{"Split"}, {"Identity", "removed by formatting", pass}};
const LayerRegistrar dropouts{{"Dropout"}, {"Dropout", "Mul when scale_train is false", dropout}};
const LayerRegistrar silences{{"Silence"}, {"nothing", "its bottoms are not outputs", [](Layer &) {}}};
const LayerRegistrar reshapes{{"Reshape"}, {"Reshape", "sizes of 0 and -1, axis, num_axes", reshape}};
const LayerRegistrar flattens{{"Flatten"}, {"Flatten, Reshape", "axis, end_axis", flatten}};
const LayerRegistrar permutes{{"Permute"}, {"Transpose", "order", [](Layer &layer) {
                                                const auto &order = layer.proto.permute_param().order();
                                                permuteTo(layer, {order.begin(), order.end()});
                                            }}};
const LayerRegistrar transposes{{"Transpose"}, {"Transpose", "transpose_param: dim", [](Layer &layer) {
                                                    const auto &order = layer.proto.transpose_param().dim();
                                                    permuteTo(layer, {order.begin(), order.end()});
                                                }}};
const LayerRegistrar crops{{"Crop"}, {"Slice", "axis, offset", crop}};
const LayerRegistrar tiles{{"Tile"}, {"Tile", "axis, tiles", tile}};
const LayerRegistrar shuffles{{"ShuffleChannel", "ChannelShuffle"}, {"Reshape, Transpose, Reshape", "group", shuffle}};
const LayerRegistrar softmaxes{{"Softmax"}, {"Softmax", "axis", softmax}};
const LayerRegistrar reductions{
    {"Reduction"}, {"ReduceSum, ReduceL1, ReduceSumSquare, ReduceMean", "operation, axis, coeff", reduction}};
const LayerRegistrar argMaxes{{"ArgMax"}, {"ArgMax, TopK, Cast", "axis, top_k, out_max_val", argMax}};

} // namespace
} // namespace ql::caffe_io
