// Activations and arithmetic, element by element.
#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/io/caffe/layer.h"

#include <ATen/core/Tensor.h>
#include <cmath>

namespace ql::caffe_io {

namespace {

LayerEntry simple(const char *type, const char *notes = "")
{
    return {type, notes, [type](Layer &layer) { layer.top(0, layer.unary(type, layer.bottom(0))); }};
}

void clipTo(Layer &layer, double low, double high)
{
    const Value &x = layer.bottom(0);
    layer.top(0, layer.emit("Clip", {x, layer.scalar("min", low), layer.scalar("max", high)}, {}, x.shape));
}

void relu(Layer &layer)
{
    const float slope = layer.proto.relu_param().negative_slope();
    const Value &x = layer.bottom(0);
    layer.top(0, slope == 0 ? layer.unary("Relu", x) : layer.unary("LeakyRelu", x, {{"alpha", slope}}));
}

void prelu(Layer &layer)
{
    const Value &x = layer.bottom(0);
    if (x.rank() < 2) layer.fail(QL_TEXT("its bottom is %1, it needs channels on axis 1").with(sizesText(x.shape)));
    const bool isShared = layer.proto.prelu_param().channel_shared();
    Shape shape{isShared ? 1 : x.size(1)};
    const at::Tensor slope = layer.blob(0, shape);
    for (std::int64_t i = 2; i < x.rank(); ++i) shape.push_back(1);
    layer.top(0, layer.emit("PRelu", {x, layer.parameter(0, slope.reshape(shape))}, {}, x.shape));
}

/// y = (shift + scale * x) ^ power
void power(Layer &layer)
{
    const auto &p = layer.proto.power_param();
    Value y = layer.affine(layer.bottom(0), double(p.scale()), double(p.shift()));
    if (p.power() == 2)
        y = layer.binary("Mul", y, y);
    else if (p.power() == 0.5f)
        y = layer.unary("Sqrt", y);
    else if (p.power() != 1)
        y = layer.binary("Pow", y, layer.scalar("power", double(p.power())));
    layer.top(0, y);
}

/// y = base ^ (shift + scale * x); base -1 is e
void exponential(Layer &layer)
{
    const auto &p = layer.proto.exp_param();
    if (p.base() != -1 && p.base() <= 0) layer.fail(QL_TEXT("the base must be positive, or -1 for e"));
    const double log = p.base() == -1 ? 1 : std::log(double(p.base()));
    layer.top(0, layer.unary("Exp", layer.affine(layer.bottom(0), log * double(p.scale()), log * double(p.shift()))));
}

/// y = log_base(shift + scale * x); base -1 is e
void logarithm(Layer &layer)
{
    const auto &p = layer.proto.log_param();
    if (p.base() != -1 && (p.base() <= 0 || p.base() == 1))
        layer.fail(QL_TEXT("the base must be positive and not 1, or -1 for e"));
    const Value y = layer.unary("Log", layer.affine(layer.bottom(0), double(p.scale()), double(p.shift())));
    layer.top(0, layer.affine(y, p.base() == -1 ? 1 : 1 / std::log(double(p.base())), 0));
}

/// y = x * sigmoid(beta * x)
void swish(Layer &layer)
{
    const Value &x = layer.bottom(0);
    const Value inner = layer.affine(x, double(layer.proto.swish_param().beta()), 0);
    layer.top(0, layer.binary("Mul", x, layer.unary("Sigmoid", inner)));
}

Value hardSigmoidOf(Layer &layer)
{
    return layer.unary("HardSigmoid", layer.bottom(0), {{"alpha", 1.f / 6}, {"beta", 0.5f}});
}

/// y = x > threshold ? 1 : 0
void threshold(Layer &layer)
{
    const Value &x = layer.bottom(0);
    const Value above =
        layer.binary("Greater", x, layer.scalar("threshold", double(layer.proto.threshold_param().threshold())));
    layer.setType(above, at::kBool);
    layer.top(0, layer.unary("Cast", above, {{"to", std::int64_t{1}}}));
}

void eltwise(Layer &layer)
{
    const auto &p = layer.proto.eltwise_param();
    const Shape &shape = layer.bottom(0).shape;
    for (std::size_t i = 1; i < layer.bottomCount(); ++i)
        if (layer.bottom(i).shape != shape)
            layer.fail(QL_TEXT("its bottoms are %1 and %2, they must be equal")
                           .with(sizesText(shape), sizesText(layer.bottom(i).shape)));
    const bool isSum = p.operation() == format::EltwiseParameter::SUM;
    if (p.coeff_size() > 0 && (!isSum || std::size_t(p.coeff_size()) != layer.bottomCount()))
        layer.fail(QL_TEXT("it has %1 values of coeff; only SUM takes them, one for each of its %2 bottoms")
                       .with(p.coeff_size(), layer.bottomCount()));
    const auto factor = [&](std::size_t i) { return p.coeff_size() > 0 ? double(p.coeff(int(i))) : 1.0; };
    Value y = layer.affine(layer.bottom(0), isSum ? factor(0) : 1, 0);
    for (std::size_t i = 1; i < layer.bottomCount(); ++i) {
        const Value &x = layer.bottom(i);
        if (isSum && factor(i) == -1)
            y = layer.binary("Sub", y, x);
        else if (isSum)
            y = layer.binary("Add", y, layer.affine(x, factor(i), 0));
        else
            y = layer.binary(p.operation() == format::EltwiseParameter::PROD ? "Mul" : "Max", y, x);
    }
    layer.top(0, y);
}

/// y = a * x + b with a [N, C] or [N, C, 1, 1]
void axpy(Layer &layer)
{
    Value a = layer.bottom(0);
    const Value &x = layer.bottom(1), &b = layer.bottom(2);
    if (x.shape != b.shape || a.rank() < 2 || x.rank() < 2 || a.size(0) != x.size(0) || a.size(1) != x.size(1) ||
        a.count() != a.size(0) * a.size(1))
        layer.fail(QL_TEXT("its bottoms are %1, %2 and %3; it needs one [N, C] and two [N, C, ...]")
                       .with(sizesText(a.shape), sizesText(x.shape), sizesText(b.shape)));
    if (a.rank() != x.rank()) {
        Shape shape{a.size(0), a.size(1)};
        shape.resize(x.shape.size(), 1);
        std::vector<std::int64_t> target = shape;
        target[0] = target[1] = 0;
        a = layer.reshape(a, target, shape);
    }
    layer.top(0, layer.binary("Add", layer.binary("Mul", a, x), b));
}

const LayerRegistrar relus{{"ReLU"}, {"Relu, LeakyRelu", "negative_slope", relu}};
const LayerRegistrar relu6{{"ReLU6"}, {"Clip", "0 to 6", [](Layer &layer) { clipTo(layer, 0, 6); }}};
const LayerRegistrar clips{{"Clip"}, {"Clip", "clip_param: min, max", [](Layer &layer) {
                                          const auto &p = layer.proto.clip_param();
                                          if (!p.has_min() || !p.has_max())
                                              layer.fail(QL_TEXT("min or max is missing"));
                                          clipTo(layer, double(p.min()), double(p.max()));
                                      }}};
const LayerRegistrar prelus{
    {"PReLU"},
    {"PRelu", "one slope per channel, or channel_shared", prelu, [](const format::LayerParameter &) { return true; }}};
const LayerRegistrar elus{
    {"ELU"}, {"Elu", "alpha", [](Layer &layer) {
                  layer.top(0, layer.unary("Elu", layer.bottom(0), {{"alpha", layer.proto.elu_param().alpha()}}));
              }}};
const LayerRegistrar sigmoids{{"Sigmoid"}, simple("Sigmoid")};
const LayerRegistrar tanhs{{"TanH"}, simple("Tanh")};
const LayerRegistrar absolutes{{"AbsVal"}, simple("Abs")};
const LayerRegistrar bnlls{{"BNLL"}, simple("Softplus", "log(1 + exp(x))")};
const LayerRegistrar powers{{"Power"}, {"Mul, Add, Pow", "(shift + scale x)^power; Mul or Sqrt for 2 and 0.5", power}};
const LayerRegistrar exponentials{{"Exp"}, {"Mul, Add, Exp", "base, scale, shift", exponential}};
const LayerRegistrar logarithms{{"Log"}, {"Mul, Add, Log", "base, scale, shift", logarithm}};
const LayerRegistrar swishes{{"Swish"}, {"Sigmoid, Mul", "x sigmoid(beta x)", swish}};
const LayerRegistrar hardSigmoids{{"HSigmoid"},
                                  {"HardSigmoid", "", [](Layer &layer) { layer.top(0, hardSigmoidOf(layer)); }}};
const LayerRegistrar hardSwishes{{"HSwish"}, {"HardSigmoid, Mul", "", [](Layer &layer) {
                                                  layer.top(0,
                                                            layer.binary("Mul", layer.bottom(0), hardSigmoidOf(layer)));
                                              }}};
const LayerRegistrar thresholds{{"Threshold"}, {"Greater, Cast", "threshold", threshold}};
const LayerRegistrar eltwises{
    {"Eltwise"}, {"Add, Sub, Mul, Max", "PROD, SUM with coeff, MAX of any number of equal bottoms", eltwise}};
const LayerRegistrar axpys{{"Axpy"}, {"Mul, Add", "", axpy}};

} // namespace
} // namespace ql::caffe_io
