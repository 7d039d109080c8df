// Activations, arithmetic and operations that move values.
#include "core/io/caffe/layer_writer.h"

#include <ATen/TensorOperators.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace ql::caffe_io {

namespace {

void writeActivation(LayerWriter &writer)
{
    static const std::map<std::string, const char *> types{
        {"Relu", "ReLU"},      {"Sigmoid", "Sigmoid"}, {"Tanh", "TanH"},      {"Elu", "ELU"},
        {"Abs", "AbsVal"},     {"Softplus", "BNLL"},   {"LeakyRelu", "ReLU"}, {"HardSwish", "HSwish"},
        {"Identity", "Split"}, {"Dropout", "Split"}};
    format::LayerParameter &layer = writer.layer(types.at(writer.op.type));
    if (writer.op.type == "LeakyRelu")
        layer.mutable_relu_param()->set_negative_slope(float(writer.op.floatAttribute("alpha", 0.01)));
    if (writer.op.type == "Elu") layer.mutable_elu_param()->set_alpha(float(writer.op.floatAttribute("alpha", 1)));
}

void writePRelu(LayerWriter &writer)
{
    writer.require(writer.isConstant(1), QL_TEXT("its slope is not constant"));
    const at::Tensor slope = writer.constant(1).reshape({-1});
    const Shape in = writer.inputShape(0);
    writer.require(slope.numel() == 1 || (in.size() > 1 && slope.numel() == in[1]), QL_TEXT("one slope per channel"));
    format::LayerParameter &layer = writer.layer("PReLU");
    layer.mutable_prelu_param()->set_channel_shared(slope.numel() == 1);
    LayerWriter::addBlob(layer, slope);
}

void writeClip(LayerWriter &writer)
{
    const auto bound = [&](std::size_t input, float fallback) {
        if (!writer.op.hasInput(input)) return fallback;
        writer.require(writer.isConstant(input), QL_TEXT("its limits are not constant"));
        return writer.constant(input).item().toFloat();
    };
    const float low = bound(1, -3e38f), high = bound(2, 3e38f);
    if (low == 0 && high == 6) {
        writer.layer("ReLU6");
        return;
    }
    auto &p = *writer.layer("Clip").mutable_clip_param();
    p.set_min(low);
    p.set_max(high);
}

/// (shift + scale x) ^ power
void writePower(LayerWriter &writer, double scale, double shift, double power)
{
    auto &p = *writer.layer("Power").mutable_power_param();
    p.set_power(float(power));
    p.set_scale(float(scale));
    p.set_shift(float(shift));
}

/// A constant with one value, or one per channel of a tensor of this shape; undefined for any other.
at::Tensor perChannelValue(const at::Tensor &value, const Shape &shape)
{
    if (value.numel() == 1) return value.reshape({-1});
    const bool isChannels = shape.size() > 1 && value.numel() == shape[1];
    const std::int64_t axis = 1 - std::int64_t(shape.size()) + value.dim(); // of the value, which is aligned at the end
    return isChannels && axis >= 0 && value.size(axis) == shape[1] ? value.reshape({-1}) : at::Tensor();
}

void writeWithConstant(LayerWriter &writer, std::size_t constant)
{
    const std::string &type = writer.op.type;
    const Shape shape = writer.inputShape(1 - constant);
    writer.require(writer.outputShape() == shape, QL_TEXT("its constant extends the tensor"));
    const at::Tensor value = perChannelValue(writer.constant(constant), shape);
    writer.require(value.defined(), QL_TEXT("its constant has neither one value nor one per channel"));
    writer.require(constant == 1 || type == "Add" || type == "Mul", QL_TEXT("its first input is constant"));
    if (value.numel() == 1) {
        const double x = value.item().toDouble();
        if (type == "Mul" || type == "Div") return writePower(writer, type == "Mul" ? x : 1 / x, 0, 1);
        return writePower(writer, 1, type == "Add" ? x : -x, 1);
    }
    const bool isShift = type == "Add" || type == "Sub";
    format::LayerParameter &layer = writer.layer(isShift ? "Bias" : "Scale");
    if (isShift)
        layer.mutable_bias_param()->set_axis(1);
    else
        layer.mutable_scale_param()->set_axis(1);
    LayerWriter::addBlob(layer, type == "Sub" ? -value : type == "Div" ? 1 / value : value);
}

/// x [N, C, H, W] times one factor per channel [N, C, 1, 1].
void writeChannelProduct(LayerWriter &writer)
{
    const std::size_t factor = writer.inputShape(0) == writer.outputShape() ? 1 : 0;
    const Shape x = writer.inputShape(1 - factor), s = writer.inputShape(factor);
    const bool isChannels = s.size() == x.size() && s.size() > 2 && s[0] == x[0] && s[1] == x[1] &&
                            std::all_of(s.begin() + 2, s.end(), [](std::int64_t size) { return size == 1; });
    writer.require(writer.op.type == "Mul" && isChannels && x == writer.outputShape(),
                   QL_TEXT("its inputs have different shapes"));
    const std::string flat = writer.between("factors");
    writer.reshape("flatten", writer.inputName(factor), flat, {s[0], s[1]});
    writer.layer("Scale", {}, {writer.inputName(1 - factor), flat}, {writer.outputName()})
        .mutable_scale_param()
        ->set_axis(0);
}

void writeArithmetic(LayerWriter &writer)
{
    using P = format::EltwiseParameter;
    const std::string &type = writer.op.type;
    for (const std::size_t i : {0, 1})
        if (writer.isConstant(i) && type != "Max" && type != "Sum") return writeWithConstant(writer, i);
    for (std::size_t i = 0; i < writer.op.inputs.size(); ++i) {
        writer.require(!writer.isConstant(i), QL_TEXT("input %1 is constant").with(i));
        if (writer.inputShape(i) != writer.outputShape()) return writeChannelProduct(writer);
    }
    writer.require(type != "Div", QL_TEXT("its divisor is not constant"));
    auto &p = *writer.layer("Eltwise").mutable_eltwise_param();
    p.set_operation(type == "Mul" ? P::PROD : type == "Max" ? P::MAX : P::SUM);
    if (type == "Sub")
        for (const float factor : {1.F, -1.F}) p.add_coeff(factor);
}

void writePow(LayerWriter &writer)
{
    const std::string &type = writer.op.type;
    if (type == "Sqrt") return writePower(writer, 1, 0, 0.5);
    if (type == "Neg") return writePower(writer, -1, 0, 1);
    writer.require(writer.isConstant(1) && writer.constant(1).numel() == 1,
                   QL_TEXT("its exponent is not one constant"));
    writePower(writer, 1, 0, writer.constant(1).item().toDouble());
}

std::int64_t axisOf(const LayerWriter &writer, std::int64_t fallback)
{
    const std::int64_t axis = writer.op.intAttribute("axis", fallback);
    return axis < 0 ? axis + std::int64_t(writer.inputShape(0).size()) : axis;
}

void writeConcat(LayerWriter &writer)
{
    for (std::size_t i = 0; i < writer.op.inputs.size(); ++i)
        writer.require(!writer.isConstant(i), QL_TEXT("input %1 is constant").with(i));
    const std::int64_t axis = axisOf(writer, 1);
    writer.layer("Concat").mutable_concat_param()->set_axis(std::int32_t(axis));
}

void writeSoftmax(LayerWriter &writer)
{
    const auto last = std::int64_t(writer.inputShape(0).size()) - 1;
    const std::int64_t axis = axisOf(writer, writer.op.opset < 13 ? 1 : -1);
    writer.require(writer.op.opset >= 13 || axis == last, QL_TEXT("it works on several axes together"));
    writer.layer("Softmax").mutable_softmax_param()->set_axis(std::int32_t(axis));
}

void writeTranspose(LayerWriter &writer)
{
    const auto rank = std::int64_t(writer.inputShape(0).size());
    std::vector<std::int64_t> reversed;
    for (std::int64_t axis = rank; axis-- > 0;) reversed.push_back(axis);
    auto &p = *writer.layer("Permute").mutable_permute_param();
    for (const std::int64_t axis : writer.op.intsAttribute("perm", reversed)) p.add_order(std::uint32_t(axis));
}

/// Everything that changes the shape alone.
void writeReshape(LayerWriter &writer)
{
    if (writer.op.type == "Flatten" && writer.op.intAttribute("axis", 1) == 1) {
        writer.layer("Flatten");
        return;
    }
    writer.reshape({}, writer.inputName(0), writer.outputName(), writer.outputShape());
}

/// Layers that cut one axis, one after the other; parts that nobody reads are outputs of the net otherwise.
void cut(LayerWriter &writer, const std::string &what, const std::string &bottom, const std::vector<std::string> &tops,
         std::int64_t axis, const std::vector<std::int64_t> &points, const std::vector<std::string> &unread)
{
    auto &p = *writer.layer("Slice", what, {bottom}, tops).mutable_slice_param();
    p.set_axis(std::int32_t(axis));
    for (const std::int64_t point : points) p.add_slice_point(std::uint32_t(point));
    if (!unread.empty()) writer.layer("Silence", what + "silence", unread, {});
}

void writeSplit(LayerWriter &writer)
{
    const std::int64_t axis = axisOf(writer, 0);
    std::vector<std::int64_t> points;
    std::vector<std::string> tops;
    std::int64_t end = 0;
    for (std::size_t o = 0; o < writer.op.outputs.size(); ++o) {
        if (o > 0) points.push_back(end);
        end += writer.outputShape(o).at(std::size_t(axis));
        tops.push_back(writer.outputName(o));
    }
    cut(writer, {}, writer.inputName(0), tops, axis, points, {});
}

void writeSlice(LayerWriter &writer)
{
    const std::vector<std::int64_t> starts = writer.ints(1), ends = writer.ints(2);
    std::vector<std::int64_t> axes, steps(starts.size(), 1);
    for (std::size_t i = 0; i < starts.size(); ++i) axes.push_back(std::int64_t(i));
    if (writer.op.hasInput(3)) axes = writer.ints(3);
    if (writer.op.hasInput(4)) steps = writer.ints(4);
    const Shape shape = writer.inputShape(0);
    const auto rank = std::int64_t(shape.size());
    std::string from = writer.inputName(0);
    struct Cut
    {
        std::int64_t axis, begin, end, size;
    };
    std::vector<Cut> cuts;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        writer.require(steps[i] == 1, QL_TEXT("it has a step of %1").with(steps[i]));
        const std::int64_t axis = axes[i] < 0 ? axes[i] + rank : axes[i], size = shape.at(std::size_t(axis));
        const auto place = [&](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + size : at, 0, size); };
        const Cut one{axis, place(starts[i]), place(ends[i]), size};
        writer.require(one.end > one.begin, QL_TEXT("its result is empty"));
        if (one.begin > 0 || one.end < size) cuts.push_back(one);
    }
    if (cuts.empty()) {
        writer.layer("Split", {}, {from}, {writer.outputName()});
        return;
    }
    for (std::size_t i = 0; i < cuts.size(); ++i) {
        const Cut &c = cuts[i];
        const std::string number = i + 1 < cuts.size() ? std::to_string(i) : std::string();
        const std::string to = number.empty() ? writer.outputName() : writer.between("part" + number);
        std::vector<std::string> tops, unread;
        std::vector<std::int64_t> points;
        const auto rest = [&](const char *what) {
            unread.push_back(writer.between(what + std::to_string(i)));
            tops.push_back(unread.back());
        };
        if (c.begin > 0) {
            rest("front");
            points.push_back(c.begin);
        }
        tops.push_back(to);
        if (c.end < c.size) {
            points.push_back(c.end);
            rest("behind");
        }
        cut(writer, number, from, tops, c.axis, points, unread);
        from = to;
    }
}

/// Over the last axes.
void writeReduction(LayerWriter &writer)
{
    using P = format::ReductionParameter;
    const Shape in = writer.inputShape(0);
    std::vector<std::int64_t> axes = writer.op.intsAttribute("axes");
    if (axes.empty() && writer.op.hasInput(1)) axes = writer.ints(1);
    for (std::int64_t &axis : axes) axis += axis < 0 ? std::int64_t(in.size()) : 0;
    std::sort(axes.begin(), axes.end());
    for (std::size_t i = 0; i < axes.size(); ++i)
        writer.require(axes[i] == std::int64_t(in.size() - axes.size() + i), QL_TEXT("its axes are not the last ones"));
    writer.require(!axes.empty(), QL_TEXT("it reduces the batch"));
    const bool keeps = writer.op.intAttribute("keepdims", 1) != 0;
    const std::string to = keeps ? writer.between("reduced") : writer.outputName();
    auto &p = *writer.layer("Reduction", keeps ? "reduce" : "", {writer.inputName(0)}, {to}).mutable_reduction_param();
    p.set_operation(writer.op.type == "ReduceMean"  ? P::MEAN
                    : writer.op.type == "ReduceL1"  ? P::ASUM
                    : writer.op.type == "ReduceSum" ? P::SUM
                                                    : P::SUMSQ);
    p.set_axis(std::int32_t(axes.front()));
    if (keeps) writer.reshape({}, to, writer.outputName(), writer.outputShape());
}

const LayerWriterRegistrar activationWriter{
    {"Relu", "Sigmoid", "Tanh", "Elu", "Abs", "Softplus", "LeakyRelu", "HardSwish", "Identity", "Dropout"},
    writeActivation};
const LayerWriterRegistrar preluWriter{{"PRelu"}, writePRelu};
const LayerWriterRegistrar clipWriter{{"Clip"}, writeClip};
const LayerWriterRegistrar arithmeticWriter{{"Add", "Sub", "Mul", "Div", "Max", "Sum"}, writeArithmetic};
const LayerWriterRegistrar powWriter{{"Pow", "Sqrt", "Neg"}, writePow};
const LayerWriterRegistrar concatWriter{{"Concat"}, writeConcat};
const LayerWriterRegistrar softmaxWriter{{"Softmax"}, writeSoftmax};
const LayerWriterRegistrar transposeWriter{{"Transpose"}, writeTranspose};
const LayerWriterRegistrar reshapeWriter{{"Reshape", "Flatten", "Squeeze", "Unsqueeze"}, writeReshape};
const LayerWriterRegistrar splitWriter{{"Split"}, writeSplit};
const LayerWriterRegistrar sliceWriter{{"Slice"}, writeSlice};
const LayerWriterRegistrar reductionWriter{{"ReduceMean", "ReduceSum", "ReduceL1", "ReduceSumSquare"}, writeReduction};

} // namespace

} // namespace ql::caffe_io
