// The two older forms of a net, rewritten to the current one.
#include "core/base/error.h"
#include "core/io/caffe/reader.h"

#include <map>

namespace ql::caffe_io {

namespace {

using V1 = format::V1LayerParameter;

std::string typeName(V1::LayerType type)
{
    static const std::map<V1::LayerType, std::string> names{
        {V1::ACCURACY, "Accuracy"},
        {V1::BNLL, "BNLL"},
        {V1::CONCAT, "Concat"},
        {V1::CONVOLUTION, "Convolution"},
        {V1::DATA, "Data"},
        {V1::DROPOUT, "Dropout"},
        {V1::EUCLIDEAN_LOSS, "EuclideanLoss"},
        {V1::FLATTEN, "Flatten"},
        {V1::HDF5_DATA, "HDF5Data"},
        {V1::HDF5_OUTPUT, "HDF5Output"},
        {V1::IM2COL, "Im2col"},
        {V1::IMAGE_DATA, "ImageData"},
        {V1::INFOGAIN_LOSS, "InfogainLoss"},
        {V1::INNER_PRODUCT, "InnerProduct"},
        {V1::LRN, "LRN"},
        {V1::MULTINOMIAL_LOGISTIC_LOSS, "MultinomialLogisticLoss"},
        {V1::POOLING, "Pooling"},
        {V1::RELU, "ReLU"},
        {V1::SIGMOID, "Sigmoid"},
        {V1::SOFTMAX, "Softmax"},
        {V1::SOFTMAX_LOSS, "SoftmaxWithLoss"},
        {V1::SPLIT, "Split"},
        {V1::TANH, "TanH"},
        {V1::WINDOW_DATA, "WindowData"},
        {V1::ELTWISE, "Eltwise"},
        {V1::POWER, "Power"},
        {V1::SIGMOID_CROSS_ENTROPY_LOSS, "SigmoidCrossEntropyLoss"},
        {V1::HINGE_LOSS, "HingeLoss"},
        {V1::MEMORY_DATA, "MemoryData"},
        {V1::ARGMAX, "ArgMax"},
        {V1::THRESHOLD, "Threshold"},
        {V1::DUMMY_DATA, "DummyData"},
        {V1::SLICE, "Slice"},
        {V1::MVN, "MVN"},
        {V1::ABSVAL, "AbsVal"},
        {V1::SILENCE, "Silence"},
        {V1::CONTRASTIVE_LOSS, "ContrastiveLoss"},
        {V1::EXP, "Exp"},
        {V1::DECONVOLUTION, "Deconvolution"},
    };
    const auto it = names.find(type);
    return it == names.end() ? std::string() : it->second;
}

/// Fields of the same name and type are copied; param is a list of names in one form and of messages in the other.
format::LayerParameter fromV1(const V1 &old)
{
    format::LayerParameter layer;
    const auto *oldReflection = old.GetReflection();
    const auto *reflection = layer.GetReflection();
    std::vector<const google::protobuf::FieldDescriptor *> fields;
    oldReflection->ListFields(old, &fields);
    for (const auto *from : fields) {
        const auto *to = layer.GetDescriptor()->FindFieldByName(from->name());
        if (!to || from->name() == "type" || from->name() == "param") continue;
        if (from->cpp_type() == from->CPPTYPE_MESSAGE && from->is_repeated())
            for (int i = 0; i < oldReflection->FieldSize(old, from); ++i)
                reflection->AddMessage(&layer, to)->CopyFrom(oldReflection->GetRepeatedMessage(old, from, i));
        else if (from->cpp_type() == from->CPPTYPE_MESSAGE)
            reflection->MutableMessage(&layer, to)->CopyFrom(oldReflection->GetMessage(old, from));
    }
    *layer.mutable_bottom() = old.bottom();
    *layer.mutable_top() = old.top();
    layer.set_name(old.name());
    layer.set_type(typeName(old.type()));
    for (const std::string &name : old.param()) layer.add_param()->set_name(name);
    return layer;
}

/// The first form has one message for all types.
format::LayerParameter fromV0(const V1 &outer)
{
    const format::V0LayerParameter &old = outer.layer();
    static const std::map<std::string, std::string> names{{"accuracy", "Accuracy"},
                                                          {"bnll", "BNLL"},
                                                          {"concat", "Concat"},
                                                          {"conv", "Convolution"},
                                                          {"data", "Data"},
                                                          {"dropout", "Dropout"},
                                                          {"euclidean_loss", "EuclideanLoss"},
                                                          {"flatten", "Flatten"},
                                                          {"hdf5_data", "HDF5Data"},
                                                          {"hdf5_output", "HDF5Output"},
                                                          {"images", "ImageData"},
                                                          {"infogain_loss", "InfogainLoss"},
                                                          {"innerproduct", "InnerProduct"},
                                                          {"lrn", "LRN"},
                                                          {"multinomial_logistic_loss", "MultinomialLogisticLoss"},
                                                          {"pool", "Pooling"},
                                                          {"relu", "ReLU"},
                                                          {"sigmoid", "Sigmoid"},
                                                          {"softmax", "Softmax"},
                                                          {"softmax_loss", "SoftmaxWithLoss"},
                                                          {"split", "Split"},
                                                          {"tanh", "TanH"},
                                                          {"window_data", "WindowData"}};
    format::LayerParameter layer;
    *layer.mutable_bottom() = outer.bottom();
    *layer.mutable_top() = outer.top();
    *layer.mutable_include() = outer.include();
    *layer.mutable_exclude() = outer.exclude();
    layer.set_name(old.name());
    const auto it = names.find(old.type());
    layer.set_type(it == names.end() ? old.type() : it->second);
    *layer.mutable_blobs() = old.blobs();
    if (layer.type() == "Convolution") {
        auto &p = *layer.mutable_convolution_param();
        p.set_num_output(old.num_output());
        p.set_bias_term(old.biasterm());
        p.set_group(old.group());
        p.add_pad(old.pad());
        p.add_kernel_size(old.kernelsize());
        p.add_stride(old.stride());
    } else if (layer.type() == "InnerProduct") {
        layer.mutable_inner_product_param()->set_num_output(old.num_output());
        layer.mutable_inner_product_param()->set_bias_term(old.biasterm());
    } else if (layer.type() == "Pooling") {
        auto &p = *layer.mutable_pooling_param();
        p.set_pool(old.pool());
        p.set_pad(old.pad());
        p.set_kernel_size(old.kernelsize());
        p.set_stride(old.stride());
    } else if (layer.type() == "LRN") {
        auto &p = *layer.mutable_lrn_param();
        p.set_local_size(old.local_size());
        p.set_alpha(old.alpha());
        p.set_beta(old.beta());
        p.set_k(old.k());
    } else if (layer.type() == "Dropout") {
        layer.mutable_dropout_param()->set_dropout_ratio(old.dropout_ratio());
    } else if (layer.type() == "Concat") {
        layer.mutable_concat_param()->set_concat_dim(old.concat_dim());
    } else if (layer.type() == "Data" || layer.type() == "ImageData") {
        layer.mutable_data_param()->set_batch_size(old.batchsize());
        layer.mutable_data_param()->set_crop_size(old.cropsize());
    }
    return layer;
}

/// A layer "padding" of the first form only defines the padding of the following convolution.
void foldPadding(format::NetParameter &net)
{
    std::map<std::string, std::pair<std::string, std::uint32_t>> padded; // top -> bottom and padding
    google::protobuf::RepeatedPtrField<format::V1LayerParameter> kept;
    for (V1 &layer : *net.mutable_layers()) {
        if (layer.layer().type() == "padding" && layer.bottom_size() == 1 && layer.top_size() == 1) {
            padded[layer.top(0)] = {layer.bottom(0), layer.layer().pad()};
            continue;
        }
        for (std::string &bottom : *layer.mutable_bottom()) {
            const auto it = padded.find(bottom);
            if (it == padded.end()) continue;
            if (layer.layer().type() != "conv" && layer.layer().type() != "pool")
                throw Error(ErrorKind::UnsupportedOp,
                            QL_TEXT("a padding layer comes before a layer of type '%1', but only convolution and "
                                    "pooling can absorb it")
                                .with(layer.layer().type()),
                            layer.layer().name())
                    .withRemedy(QL_TEXT("Write the padding into the layer itself."));
            layer.mutable_layer()->set_pad(layer.layer().pad() + it->second.second);
            bottom = it->second.first;
        }
        for (const std::string &top : layer.top()) padded.erase(top);
        kept.Add(std::move(layer));
    }
    net.mutable_layers()->Swap(&kept);
}

} // namespace

void upgrade(format::NetParameter &net)
{
    if (net.layers_size() == 0) return;
    if (net.layer_size() > 0)
        throw Error(ErrorKind::InvalidModel,
                    QL_TEXT("the net has both 'layer' fields and 'layers' fields of the older form"))
            .withRemedy(QL_TEXT("Write all layers in one form."));
    bool first = false;
    for (const V1 &layer : net.layers()) first = first || layer.has_layer();
    if (first) foldPadding(net);
    for (const V1 &layer : net.layers()) *net.add_layer() = layer.has_layer() ? fromV0(layer) : fromV1(layer);
    net.clear_layers();
}

} // namespace ql::caffe_io
