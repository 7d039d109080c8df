// Layers with weights, and windows over images.
#include "core/io/caffe/layer_writer.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>

#include <algorithm>

namespace ql::caffe_io {

namespace {

/// Padding before each axis; that after it must be equal if isSymmetric.
std::vector<std::int64_t> padsOf(const LayerWriter &writer, std::size_t axes, bool isSymmetric)
{
    const std::string automatic = writer.op.stringAttribute("auto_pad", "NOTSET");
    writer.require(automatic == "NOTSET" || automatic == "VALID", QL_TEXT("auto_pad is %1").with(automatic));
    const std::vector<std::int64_t> pads = writer.op.intsAttribute("pads", std::vector<std::int64_t>(2 * axes, 0));
    const std::vector<std::int64_t> begin(pads.begin(), pads.begin() + std::ptrdiff_t(axes));
    writer.require(!isSymmetric || std::equal(begin.begin(), begin.end(), pads.begin() + std::ptrdiff_t(axes)),
                   QL_TEXT("the padding is not symmetric"));
    return begin;
}

void writeConvolution(LayerWriter &writer)
{
    const bool isTransposed = writer.op.type == "ConvTranspose";
    writer.require(writer.isConstant(1) && (!writer.op.hasInput(2) || writer.isConstant(2)),
                   QL_TEXT("its weight is not constant"));
    const at::Tensor weight = writer.constant(1);
    const auto axes = std::size_t(weight.dim()) - 2;
    const std::vector<std::int64_t> ones(axes, 1), kernel = weight.sizes().slice(2).vec();
    const auto none = [](const std::vector<std::int64_t> &values) {
        return std::all_of(values.begin(), values.end(), [](std::int64_t value) { return value == 0; });
    };
    writer.require(none(writer.op.intsAttribute("output_padding")) && !writer.op.hasAttribute("output_shape"),
                   QL_TEXT("it has an output padding or shape"));
    const std::int64_t groups = writer.op.intAttribute("group", 1);
    format::LayerParameter &layer = writer.layer(isTransposed ? "Deconvolution" : "Convolution");
    auto &p = *layer.mutable_convolution_param();
    p.set_num_output(std::uint32_t(isTransposed ? weight.size(1) * groups : weight.size(0)));
    p.set_bias_term(writer.op.hasInput(2));
    for (const std::int64_t pad : padsOf(writer, axes, true)) p.add_pad(std::uint32_t(pad));
    for (const std::int64_t size : kernel) p.add_kernel_size(std::uint32_t(size));
    p.set_group(std::uint32_t(groups));
    for (const std::int64_t stride : writer.op.intsAttribute("strides", ones)) p.add_stride(std::uint32_t(stride));
    for (const std::int64_t step : writer.op.intsAttribute("dilations", ones)) p.add_dilation(std::uint32_t(step));
    LayerWriter::addBlob(layer, weight);
    if (writer.op.hasInput(2)) LayerWriter::addBlob(layer, writer.constant(2));
}

/// weight: [outputs, inputs]
void writeInnerProduct(LayerWriter &writer, const at::Tensor &weight, std::int64_t axis, std::size_t bias)
{
    format::LayerParameter &layer = writer.layer("InnerProduct");
    auto &p = *layer.mutable_inner_product_param();
    p.set_num_output(std::uint32_t(weight.size(0)));
    p.set_bias_term(writer.op.hasInput(bias));
    if (axis != 1) p.set_axis(std::int32_t(axis));
    LayerWriter::addBlob(layer, weight);
    if (!writer.op.hasInput(bias)) return;
    const at::Tensor value = writer.constant(bias).reshape({-1});
    LayerWriter::addBlob(layer, value.numel() == 1 ? value.expand({weight.size(0)}) : value);
}

void writeGemm(LayerWriter &writer)
{
    writer.require(writer.isConstant(1) && (!writer.op.hasInput(2) || writer.isConstant(2)),
                   QL_TEXT("its weight is not constant"));
    writer.require(writer.op.intAttribute("transA", 0) == 0 && writer.op.floatAttribute("alpha", 1) == 1 &&
                       (!writer.op.hasInput(2) || writer.op.floatAttribute("beta", 1) == 1),
                   QL_TEXT("it has transA, alpha or beta"));
    const at::Tensor weight = writer.constant(1);
    writeInnerProduct(writer, writer.op.intAttribute("transB", 0) != 0 ? weight : weight.t(), 1, 2);
}

void writeMatMul(LayerWriter &writer)
{
    writer.require(!writer.isConstant(0) && writer.isConstant(1) && writer.constant(1).dim() == 2,
                   QL_TEXT("its second input is not a constant matrix"));
    const auto rank = std::int64_t(writer.inputShape(0).size());
    writeInnerProduct(writer, writer.constant(1).t(), rank - 1, 2);
}

void writeBatchNorm(LayerWriter &writer)
{
    for (const std::size_t i : {1, 2, 3, 4})
        writer.require(writer.isConstant(i), QL_TEXT("input %1 is not constant").with(i));
    const std::string normalized = writer.between("normalized");
    format::LayerParameter &norm = writer.layer("BatchNorm", "normalize", {writer.inputName(0)}, {normalized});
    norm.mutable_batch_norm_param()->set_use_global_stats(true);
    norm.mutable_batch_norm_param()->set_eps(float(writer.op.floatAttribute("epsilon", 1e-5)));
    LayerWriter::addBlob(norm, writer.constant(3));
    LayerWriter::addBlob(norm, writer.constant(4));
    LayerWriter::addBlob(norm, at::ones({1}, at::TensorOptions(at::kFloat))); // the factor of mean and variance
    format::LayerParameter &scale = writer.layer("Scale", {}, {normalized}, {writer.outputName()});
    scale.mutable_scale_param()->set_bias_term(true);
    LayerWriter::addBlob(scale, writer.constant(1));
    LayerWriter::addBlob(scale, writer.constant(2));
}

/// How many windows Caffe has along an axis; none starts in the padding at the end.
std::int64_t windowCount(std::int64_t in, std::int64_t kernel, std::int64_t stride, std::int64_t pad, bool hasPad,
                         bool roundsUp)
{
    const std::int64_t room = in + 2 * pad - kernel;
    std::int64_t count = (roundsUp ? (room + stride - 1) / stride : room / stride) + 1;
    if (hasPad && (count - 1) * stride >= in + pad) --count;
    return count;
}

void writePooling(LayerWriter &writer)
{
    const bool isMax = writer.op.type == "MaxPool";
    const Shape in = writer.inputShape(0), out = writer.outputShape();
    writer.require(in.size() == 4 && writer.op.outputs.size() == 1,
                   QL_TEXT("it needs two spatial axes, and one output"));
    const std::vector<std::int64_t> ones{1, 1}, kernel = writer.op.intsAttribute("kernel_shape", ones);
    const std::vector<std::int64_t> stride = writer.op.intsAttribute("strides", ones);
    const std::vector<std::int64_t> pad = padsOf(writer, 2, false),
                                    pads = writer.op.intsAttribute("pads", {0, 0, 0, 0});
    writer.require(writer.op.intsAttribute("dilations", ones) == ones, QL_TEXT("it has dilations"));
    const bool hasPad = pad[0] > 0 || pad[1] > 0;
    const auto fits = [&](bool roundsUp) {
        for (std::size_t i = 0; i < 2; ++i)
            if (windowCount(in[i + 2], kernel[i], stride[i], pad[i], hasPad, roundsUp) != out[i + 2]) return false;
        return true;
    };
    const bool roundsUp = fits(true);
    writer.require(roundsUp || fits(false), QL_TEXT("its padding gives another number of windows in Caffe"));
    if (!isMax) { // Caffe counts its padding, and nothing beyond it
        const bool counts = writer.op.intAttribute("count_include_pad", 0) != 0;
        const bool isCounted =
            hasPad ? counts && pads[2] <= pad[0] && pads[3] <= pad[1] : !counts || (pads[2] == 0 && pads[3] == 0);
        writer.require(isCounted, QL_TEXT("its averages do not count the padding as Caffe does"));
    }
    auto &p = *writer.layer("Pooling").mutable_pooling_param();
    p.set_pool(isMax ? format::PoolingParameter::MAX : format::PoolingParameter::AVE);
    p.set_kernel_h(std::uint32_t(kernel[0]));
    p.set_kernel_w(std::uint32_t(kernel[1]));
    p.set_stride_h(std::uint32_t(stride[0]));
    p.set_stride_w(std::uint32_t(stride[1]));
    p.set_pad_h(std::uint32_t(pad[0]));
    p.set_pad_w(std::uint32_t(pad[1]));
    if (!roundsUp) p.set_round_mode(format::PoolingParameter::FLOOR);
}

void writeGlobalPooling(LayerWriter &writer)
{
    writer.require(writer.inputShape(0).size() == 4, QL_TEXT("it needs two spatial axes"));
    auto &p = *writer.layer("Pooling").mutable_pooling_param();
    p.set_pool(writer.op.type == "GlobalMaxPool" ? format::PoolingParameter::MAX : format::PoolingParameter::AVE);
    p.set_global_pooling(true);
}

/// Bilinear with aligned corners: Interp. Nearest by an integer: a Deconvolution that repeats each value.
void writeResize(LayerWriter &writer)
{
    const Shape in = writer.inputShape(0), out = writer.outputShape();
    const std::string mode = writer.op.stringAttribute("mode", "nearest");
    const std::string places = writer.op.stringAttribute("coordinate_transformation_mode", "half_pixel");
    writer.require(in.size() == 4 && in[0] == out[0] && in[1] == out[1], QL_TEXT("it needs two spatial axes"));
    if (mode == "linear" && places == "align_corners") {
        auto &p = *writer.layer("Interp").mutable_interp_param();
        p.set_height(std::int32_t(out[2]));
        p.set_width(std::int32_t(out[3]));
        return;
    }
    const std::int64_t factor = out[2] / in[2];
    const std::string rounding = writer.op.stringAttribute("nearest_mode", "round_prefer_floor");
    const bool repeats = (places == "asymmetric" && rounding == "floor") ||
                         ((places == "half_pixel" || places == "pytorch_half_pixel") && rounding.starts_with("round"));
    writer.require(
        mode == "nearest" && repeats && out[2] == in[2] * factor && out[3] == in[3] * factor,
        QL_TEXT("mode %1 and %2 are not bilinear with aligned corners, or nearest by an integer").with(mode, places));
    format::LayerParameter &layer = writer.layer("Deconvolution");
    auto &p = *layer.mutable_convolution_param();
    p.set_num_output(std::uint32_t(in[1]));
    p.set_bias_term(false);
    p.set_group(std::uint32_t(in[1]));
    p.add_kernel_size(std::uint32_t(factor));
    p.add_stride(std::uint32_t(factor));
    LayerWriter::addBlob(layer, at::ones({in[1], 1, factor, factor}, at::TensorOptions(at::kFloat)));
}

const LayerWriterRegistrar convolutionWriter{{"Conv", "ConvTranspose"}, writeConvolution};
const LayerWriterRegistrar gemmWriter{{"Gemm"}, writeGemm};
const LayerWriterRegistrar matMulWriter{{"MatMul", "BiasedMatMul"}, writeMatMul};
const LayerWriterRegistrar batchNormWriter{{"BatchNormalization"}, writeBatchNorm};
const LayerWriterRegistrar poolingWriter{{"MaxPool", "AveragePool"}, writePooling};
const LayerWriterRegistrar globalPoolingWriter{{"GlobalMaxPool", "GlobalAveragePool"}, writeGlobalPooling};
const LayerWriterRegistrar resizeWriter{{"Resize"}, writeResize};

} // namespace

} // namespace ql::caffe_io
