// Other outputs for a Caffe net: a runtime gives any blob, so that only layers are left out. The net is copied as it is
// but for those.
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/io/caffe/reader.h"
#include "core/io/model_file.h"

#include <algorithm>
#include <google/protobuf/text_format.h>
#include <set>

namespace ql {

namespace fs = std::filesystem;
using caffe_io::format::LayerParameter;
using caffe_io::format::NetParameter;

namespace {

NetParameter netOf(const fs::path &file)
{
    return caffe_io::readDefinition(file, [](const api::Problem &) {});
}

std::map<std::string, at::Tensor> parametersOfCaffe(const fs::path &file)
{
    caffe_io::Weights weights(fs::path(file).replace_extension(".caffemodel"));
    std::map<std::string, at::Tensor> parameters;
    for (const std::string &layer : weights.names()) {
        std::size_t number = 0;
        while (const auto *blobs = weights.take(layer))
            for (const at::Tensor &blob : *blobs) parameters[layer + ":" + std::to_string(number++)] = blob;
    }
    return parameters;
}

std::map<std::string, FileTensor> tensorsOfCaffe(const fs::path &file)
{
    const NetParameter net = netOf(file);
    std::map<std::string, std::vector<std::string>> parameters; // by layer
    for (const auto &[name, value] : parametersOfCaffe(file))
        parameters[name.substr(0, name.rfind(':'))].push_back(name);
    std::map<std::string, FileTensor> tensors;
    for (const LayerParameter &layer : net.layer())
        for (const std::string &top : layer.top()) {
            FileTensor &tensor = tensors[top];
            tensor.name = top;
            tensor.reads.insert(layer.bottom().begin(), layer.bottom().end());
            tensor.reads.insert(parameters[layer.name()].begin(), parameters[layer.name()].end());
        }
    return tensors;
}

void writeCaffeWithOutputs(const fs::path &from, const fs::path &to, const std::vector<std::string> &outputs,
                           bool keepOutputs)
{
    NetParameter net = netOf(from);
    std::set<std::string> needed(outputs.begin(), outputs.end());
    google::protobuf::RepeatedPtrField<LayerParameter> layers;
    for (int i = net.layer_size() - 1; i >= 0; --i) { // what writes a blob comes before what reads it
        LayerParameter &layer = *net.mutable_layer(i);
        bool isNeeded = keepOutputs;
        for (const std::string &top : layer.top()) isNeeded = isNeeded || needed.contains(top);
        if (!isNeeded) continue;
        needed.insert(layer.bottom().begin(), layer.bottom().end());
        layers.Add()->Swap(&layer);
    }
    std::reverse(layers.pointer_begin(), layers.pointer_end());
    net.mutable_layer()->Swap(&layers);
    std::string text;
    google::protobuf::TextFormat::PrintToString(net, &text);
    writeFileAtomically(to, text);
    fs::copy_file(fs::path(from).replace_extension(".caffemodel"), fs::path(to).replace_extension(".caffemodel"),
                  fs::copy_options::overwrite_existing);
}

const Registrar<ModelFileEntry> editableNets{
    ".prototxt",
    {.tensors = tensorsOfCaffe, .parameters = parametersOfCaffe, .writeWithOutputs = writeCaffeWithOutputs}};

} // namespace

} // namespace ql
