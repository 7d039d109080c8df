// Caffe: the float net with rounded parameters (.prototxt and .caffemodel), and PPQ's JSON of every config.
#include "core/base/file.h"
#include "core/export/exporter.h"
#include "core/export/file_set.h"
#include "core/export/ppq_config.h"
#include "core/io/caffe/write.h"
#include "core/quant/quantize.h"

namespace ql {

static ExportResult writeCaffeNet(const ExportRequest &request)
{
    const QuantModel &model = request.model;
    Graph graph = model.graph;
    for (const OpId id : model.graph.operations()) {
        const Operation &op = model.graph.operation(id);
        for (std::size_t i = 0; i < op.inputs.size(); ++i) {
            if (!model.graph.isParameter(op.inputs[i])) continue;
            const TensorQuantConfig *config = model.plan.find(inputSlot(id, i));
            if (config && config->visibility == Visibility::Internal) continue; // limits of a Clip: ReLU6 stays one
            const at::Tensor value = simulatedParameter(model.graph, model.plan, inputSlot(id, i));
            if (!value.is_same(model.graph.variable(op.inputs[i]).value))
                graph.setInput(id, i, graph.addParameter(graph.freshName(op.name + "_rounded"), value));
        }
    }
    graph.removeUnreachable();
    const CaffeNet net = writeCaffe(graph);
    FileSet files(request.target);
    writeFileAtomically(files.add(), net.definition);
    files.addText(".caffemodel", net.weights);
    files.addJson(".json", ppqConfig(model));
    ExportResult result;
    result.files = files.commit();
    result.notes = {
        QL_TEXT("Parameters are rounded to their grid; scales are in the JSON. The net has a batch size of 1 if the "
                "model leaves it open.")};
    return result;
}

static const ExporterRegistrar caffeNet{
    "caffe",
    {.info = {.id = "caffe",
              .title = QL_TEXT("Caffe net"),
              .meaning = QL_TEXT("A prototxt and a caffemodel with rounded parameters, and PPQ's JSON of every config, "
                                 "dispatch and scale."),
              .params = {uncalibratedParam()}},
     .extensions = {".prototxt"},
     .run = writeCaffeNet}};

} // namespace ql
