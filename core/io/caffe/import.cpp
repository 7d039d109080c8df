#include "core/io/caffe/import.h"

#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/io/caffe/net_builder.h"

#include <algorithm>

namespace ql {

namespace fs = std::filesystem;
using namespace caffe_io;

namespace {

bool isWeightsName(const fs::path &file)
{
    return lower(file.extension().string()) == ".caffemodel";
}

/// NAME.ending next to file, also if one of the two is called NAME_deploy, NAME-deploy or deploy_NAME.
fs::path sibling(const fs::path &file, const std::string &ending)
{
    const std::string stem = file.stem().string();
    std::vector<std::string> names{stem};
    for (const std::string mark : {"_deploy", "-deploy", ".deploy"}) {
        if (stem.ends_with(mark)) names.push_back(stem.substr(0, stem.size() - mark.size()));
        names.push_back(stem + mark);
    }
    names.push_back("deploy_" + stem);
    for (const std::string &name : names) {
        const fs::path candidate = file.parent_path() / (name + ending);
        std::error_code code;
        if (fs::is_regular_file(candidate, code)) return candidate;
    }
    return {};
}

} // namespace

CaffeFiles caffeFiles(const ImportRequest &request)
{
    CaffeFiles files{request.file, request.weights, false};
    if (isWeightsName(request.file)) { // the weights were opened; the other file is the definition
        if (isWeightsName(request.weights) && request.weights != request.file)
            throw Error(ErrorKind::BadConfig, QL_TEXT("two weight files are given, but no definition of the net"))
                .inFile(request.file.string())
                .withFix(Fix::ChooseWeights)
                .withRemedy(
                    QL_TEXT("Give the .prototxt, and the .caffemodel with %1.").with(Text::option("--weights")));
        files = {isWeightsName(request.weights) ? fs::path() : request.weights, request.file, false};
        if (files.definition.empty()) files.definition = sibling(request.file, ".prototxt");
        if (files.definition.empty()) {
            files.definition = request.file;
            files.isDefinitionInWeights = true;
        }
    } else if (files.weights.empty()) {
        files.weights = sibling(request.file, ".caffemodel");
    }
    return files;
}

Graph importCaffe(const ImportRequest &request)
{
    const CaffeFiles files = caffeFiles(request);
    Weights weights;
    if (!files.weights.empty()) weights = Weights(files.weights);
    try {
        format::NetParameter net = readDefinition(files.definition, request.report);
        if (files.weights.empty()) weights = Weights(files.definition, net);
        if (files.isDefinitionInWeights)
            request.report(
                {.severity = api::Severity::Warning,
                 .message = QL_TEXT("there is no .prototxt next to the weights; the definition stored in them is used, "
                                    "which is that of the net during training"),
                 .remedy = QL_TEXT("Put the .prototxt of the deployed net next to it, under the same name.")});
        return NetBuilder(net, weights, request).build();
    } catch (const Error &error) {
        if (!error.file.empty()) throw;
        throw Error(error).inFile(files.definition.string());
    }
}

std::vector<ImportedType> caffeLayers()
{
    const auto &registry = Registry<LayerEntry>::instance();
    std::vector<ImportedType> out{
        {"Input", "a graph input", "shape; or top-level input with input_shape or input_dim"}};
    for (const char *type :
         {"AnnotatedData", "Data", "DummyData", "HDF5Data", "ImageData", "MemoryData", "VideoData", "WindowData"})
        out.push_back({type, "a graph input", "with the sizes of its parameters, or of --input-shape"});
    for (const std::string &type : registry.ids())
        out.push_back({type, registry.find(type)->becomes, registry.find(type)->notes});
    out.push_back({"SoftmaxWithLoss", "Softmax", "without the labels"});
    out.push_back({"SigmoidCrossEntropyLoss", "Sigmoid", "without the labels"});
    for (const char *type : {"Accuracy", "DetectionEvaluate", "HDF5Output", "...Loss"})
        out.push_back({type, "nothing", "for training only"});
    std::sort(out.begin(), out.end(), [](const ImportedType &a, const ImportedType &b) { return a.type < b.type; });
    return out;
}

static const Registrar<ImporterEntry> importRegistrar{
    "caffe",
    {.info =
         {.id = "caffe",
          .title = QL_TEXT("Caffe"),
          .meaning = QL_TEXT(
              "Caffe nets: a prototxt with its caffemodel, in the current layer format or one of the two older ones. "
              "The weights file is found by name next to the prototxt, and vice versa.")},
     .extensions = {".prototxt", ".caffemodel"},
     .takesWeights = true,
     .run = importCaffe,
     .otherFiles =
         [](const ImportRequest &request) {
             const CaffeFiles files = caffeFiles(request);
             std::vector<fs::path> others;
             for (const fs::path &file : {files.definition, files.weights})
                 if (!file.empty() && file != request.file) others.push_back(file);
             return others;
         },
     .types = caffeLayers}};

} // namespace ql
