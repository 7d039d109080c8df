#include "core/io/caffe/write.h"

#include "core/base/error.h"
#include "core/io/caffe/layer_writer.h"

#include <google/protobuf/text_format.h>

#include <algorithm>

namespace ql {

namespace caffe_io {

LayerWriter::LayerWriter(const Graph &graph, const Operation &operation, format::NetParameter &net)
    : op(operation), m_graph(graph), m_net(net)
{}

void LayerWriter::unsupported(const Text &why) const
{
    throw Error(ErrorKind::UnsupportedOp, QL_TEXT("Caffe has no layer for this %1: %2").with(op.type, why), op.name)
        .withRemedy(QL_TEXT("Export another format, or cut the model before this operation."));
}

bool LayerWriter::isConstant(std::size_t input) const
{
    return op.hasInput(input) && m_graph.isParameter(op.inputs[input]);
}

at::Tensor LayerWriter::constant(std::size_t input) const
{
    return m_graph.variable(op.inputs.at(input)).value.to(at::kCPU, at::kFloat).contiguous();
}

std::vector<std::int64_t> LayerWriter::ints(std::size_t input) const
{
    require(isConstant(input), QL_TEXT("input %1 is not constant").with(input));
    const at::Tensor value = m_graph.variable(op.inputs[input]).value.to(at::kCPU, at::kLong).contiguous();
    return {value.data_ptr<std::int64_t>(), value.data_ptr<std::int64_t>() + value.numel()};
}

const std::string &LayerWriter::inputName(std::size_t input) const
{
    return m_graph.variable(op.inputs.at(input)).name;
}

const std::string &LayerWriter::outputName(std::size_t output) const
{
    return m_graph.variable(op.outputs.at(output)).name;
}

Shape LayerWriter::shapeOf(VarId id) const
{
    const TensorType &type = m_graph.variable(id).type;
    require(type.shape.has_value(), QL_TEXT("the shape of '%1' is unknown").with(m_graph.variable(id).name));
    Shape shape;
    for (const Dim &dim : *type.shape) shape.push_back(dim.size > 0 ? dim.size : 1);
    return shape;
}

Shape LayerWriter::inputShape(std::size_t input) const
{
    require(op.hasInput(input), QL_TEXT("input %1 is missing").with(input));
    return shapeOf(op.inputs[input]);
}

Shape LayerWriter::outputShape(std::size_t output) const
{
    return shapeOf(op.outputs.at(output));
}

format::LayerParameter &LayerWriter::layer(const char *type)
{
    std::vector<std::string> bottoms, tops;
    for (std::size_t i = 0; i < op.inputs.size(); ++i)
        if (op.hasInput(i) && !isConstant(i)) bottoms.push_back(inputName(i));
    for (std::size_t o = 0; o < op.outputs.size(); ++o)
        if (op.outputs[o] != noVar) tops.push_back(outputName(o));
    return layer(type, {}, bottoms, tops);
}

format::LayerParameter &LayerWriter::layer(const char *type, const std::string &what,
                                           const std::vector<std::string> &bottoms,
                                           const std::vector<std::string> &tops)
{
    format::LayerParameter &layer = *m_net.add_layer();
    layer.set_name(what.empty() ? op.name : op.name + "/" + what);
    layer.set_type(type);
    for (const std::string &bottom : bottoms) layer.add_bottom(bottom);
    for (const std::string &top : tops) layer.add_top(top);
    return layer;
}

std::string LayerWriter::between(const std::string &what) const
{
    return m_graph.freshName(op.name + "/" + what);
}

void LayerWriter::addBlob(format::LayerParameter &layer, const at::Tensor &value)
{
    format::BlobProto &blob = *layer.add_blobs();
    const at::Tensor dense = value.contiguous();
    for (const std::int64_t size : dense.sizes()) blob.mutable_shape()->add_dim(size);
    blob.mutable_data()->Add(dense.data_ptr<float>(), dense.data_ptr<float>() + dense.numel());
}

void LayerWriter::reshape(const std::string &what, const std::string &bottom, const std::string &top,
                          const Shape &shape)
{
    auto &to = *layer("Reshape", what, {bottom}, {top}).mutable_reshape_param()->mutable_shape();
    for (const std::int64_t size : shape) to.add_dim(size);
}

} // namespace caffe_io

namespace {

using caffe_io::format::LayerParameter;

bool isOfParameter(const CaffeRange &range)
{
    return std::string_view(range.type) == "filter" || std::string_view(range.type) == "slope";
}

void set(caffe_io::format::QuantizeParameter &param, const CaffeRange &range)
{
    param.set_type(range.type);
    param.set_range_min(range.min);
    param.set_range_max(range.max);
}

/// Adds the ranges to the layer that writes the tensor.
void addRanges(caffe_io::format::NetParameter &net, const std::string &tensor, const std::vector<CaffeRange> &ranges)
{
    for (int i = net.layer_size() - 1; i >= 0; --i) {
        LayerParameter &layer = *net.mutable_layer(i);
        if (std::find(layer.top().begin(), layer.top().end(), tensor) == layer.top().end()) continue;
        for (const CaffeRange &range : ranges)
            if (!isOfParameter(range)) set(*layer.add_quantize_param(), range);
        return;
    }
}

/// ranges: of parameters, one or those of channels. part: of a layer
template <class Part>
void addParameterRanges(Part &part, const std::vector<CaffeRange> &ranges)
{
    if (ranges.size() == 1) return set(*part.mutable_quantize_param(), ranges[0]);
    for (const CaffeRange &range : ranges) set(*part.add_perchannel_quantize_param(), range);
}

void addParameterRanges(LayerParameter &layer, std::vector<CaffeRange> ranges)
{
    std::erase_if(ranges, [](const CaffeRange &range) { return !isOfParameter(range); });
    if (ranges.empty()) return;
    if (layer.has_convolution_param()) addParameterRanges(*layer.mutable_convolution_param(), ranges);
    if (layer.has_inner_product_param()) addParameterRanges(*layer.mutable_inner_product_param(), ranges);
    if (layer.type() == "PReLU" && ranges.size() == 1) // the format has no field for channels
        set(*layer.mutable_prelu_param()->mutable_quantize_param(), ranges[0]);
}

/// Blobs are put aside meanwhile, not copied.
std::string textWithoutBlobs(caffe_io::format::NetParameter &net)
{
    std::vector<LayerParameter> aside(std::size_t(net.layer_size()));
    const auto swapBlobs = [&] {
        for (int i = 0; i < net.layer_size(); ++i)
            net.mutable_layer(i)->mutable_blobs()->Swap(aside[std::size_t(i)].mutable_blobs());
    };
    swapBlobs();
    std::string text;
    google::protobuf::TextFormat::PrintToString(net, &text);
    swapBlobs();
    return text;
}

/// In InnerProductParameter, Caffe and OpenPPL use one number for two fields.
void setNumbersOfOpenPpl(caffe_io::format::NetParameter &net)
{
    for (LayerParameter &layer : *net.mutable_layer()) {
        if (!layer.has_inner_product_param()) continue;
        auto &part = *layer.mutable_inner_product_param();
        google::protobuf::UnknownFieldSet &fields = *part.GetReflection()->MutableUnknownFields(&part);
        if (part.has_quantize_param()) fields.AddLengthDelimited(6, part.quantize_param().SerializeAsString());
        for (const auto &range : part.perchannel_quantize_param())
            fields.AddLengthDelimited(7, range.SerializeAsString());
        part.clear_quantize_param();
        part.clear_perchannel_quantize_param();
    }
}

} // namespace

CaffeNet writeCaffe(const Graph &graph, const CaffeRanges &ranges)
{
    using namespace caffe_io;
    format::NetParameter net;
    net.set_name(graph.name.empty() ? "net" : graph.name);
    for (const VarId id : graph.inputs()) {
        const Variable &variable = graph.variable(id);
        net.add_input(variable.name);
        auto &shape = *net.add_input_shape();
        if (!variable.type.shape)
            throw Error(ErrorKind::UnsupportedOp, QL_TEXT("a Caffe net needs the shape of every input"), {},
                        variable.name)
                .withRemedy(QL_TEXT("Fix the input shape with %1.").with(Text::option("--input-shape")));
        for (const Dim &dim : *variable.type.shape) shape.add_dim(dim.size > 0 ? dim.size : 1);
    }
    const auto &writers = Registry<LayerWriterEntry>::instance();
    for (const OpId id : graph.topological()) {
        const Operation &op = graph.operation(id);
        LayerWriter writer(graph, op, net);
        const bool isKnownDomain = op.domain.empty() || op.domain == "quantloupe"; // BiasedMatMul
        const LayerWriterEntry *entry = isKnownDomain ? writers.find(op.type) : nullptr;
        writer.require(entry != nullptr, QL_TEXT("the operator is not supported"));
        entry->write(writer);
        const auto own = ranges.find(op.name);
        if (own == ranges.end()) continue;
        addRanges(net, writer.outputName(), own->second);
        for (LayerParameter &layer : *net.mutable_layer())
            if (layer.name() == op.name) addParameterRanges(layer, own->second);
    }
    CaffeNet out;
    out.definition = textWithoutBlobs(net);
    setNumbersOfOpenPpl(net);
    net.SerializeToString(&out.weights);
    return out;
}

std::vector<std::string> caffeOperators()
{
    return Registry<caffe_io::LayerWriterEntry>::instance().ids();
}

} // namespace ql
