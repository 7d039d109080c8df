// Quantized ONNX models: QuantizeLinear and DequantizeLinear, or operators on codes (QLinearConv ...).
#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/io/onnx/import.h"
#include "core/io/onnx/write.h"
#include "core/ir/subgraphs.h"
#include "core/session/encodings.h"
#include "core/session/prepare.h"

#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace ql {

static void addStored(StoredEncodings &stored, const Graph &graph, Slot slot, const StoredGrid &grid,
                      const std::vector<std::pair<std::string, std::string>> &body)
{
    const Operation &op = graph.operation(slot.op);
    const Variable &variable = graph.variable(variableOf(op, slot));
    StoredEncoding encoding{.variable = variable.name,
                            .op = op.name,
                            .type = op.type,
                            .body = body,
                            .slot = Slot{noOp, slot.output, slot.index},
                            .grid = grid,
                            .value = slot.output ? at::Tensor() : variable.value};
    if (!slot.output && !bodies(op).empty() && std::size_t(slot.index) >= formalInputCount(op)) {
        // captured: weights that it rounds, in an order of their own; activations are rounded by others
        if (!variable.isParameter()) return;
        encoding.slot.reset();
    }
    stored.tensors.push_back(std::move(encoding));
}

/// An exporter may store parameters as rounded floats: their values determine whether a recipe rounds them likewise.
static void addFloats(StoredEncodings &stored, const Graph &graph, const std::map<Slot, StoredGrid> &grids)
{
    for (const OpId id : graph.operations()) {
        const Operation &op = graph.operation(id);
        for (std::size_t i = 0; i < op.inputs.size(); ++i) {
            if (!op.hasInput(i) || !graph.isParameter(op.inputs[i]) || grids.contains(inputSlot(id, i))) continue;
            const Variable &parameter = graph.variable(op.inputs[i]);
            if (parameter.value.scalar_type() == at::kFloat)
                stored.floats.push_back({.variable = parameter.name,
                                         .op = op.name,
                                         .type = op.type,
                                         .slot = Slot{noOp, false, std::int32_t(i)},
                                         .value = parameter.value});
        }
    }
}

static StoredEncodings readQuantizedOnnx(const EncodingsRequest &request, const api::JsonText &)
{
    api::Recipe recipe;
    recipe.model = request.file.string();
    recipe.passes.emplace();
    recipe.analyses.clear();
    RunState state = startRun(recipe, {}, false);
    state.tracesOpenBatch = true;
    importStages(state, request.job, false);
    for (api::Problem &problem : state.problems) request.report(std::move(problem));
    Graph &graph = state.model.graph;
    StoredEncodings stored;
    std::map<BodySlot, StoredGrid> inBodies;
    stored.isOwn = graph.producerName == "quantloupe";
    if (stored.isOwn) {
        const auto metadata = onnxMetadata(request.file);
        if (const auto named = metadata.find(platformMetadata); named != metadata.end())
            stored.platform = named->second;
    }
    const std::map<Slot, StoredGrid> grids = [&] {
        try {
            return dequantizeGraph(graph, request.report, &inBodies);
        } catch (Error &error) {
            error.inFile(request.file.string());
            throw;
        }
    }();
    for (const auto &[slot, grid] : grids) addStored(stored, graph, slot, grid, {});
    if (stored.isOwn) addFloats(stored, graph, grids);
    for (const OpId id : graph.operations()) stored.names.insert(graph.operation(id).name);
    for (const VarId id : graph.variables()) stored.names.insert(graph.variable(id).name);
    for (const auto &[slot, grid] : inBodies) {
        const Graph *body = &graph;
        std::vector<std::pair<std::string, std::string>> names;
        for (const auto &[id, attribute] : slot.path) {
            const Operation &op = body->operation(id);
            names.emplace_back(op.name, attribute);
            body = std::get<std::shared_ptr<const Graph>>(op.attributes.at(attribute)).get();
        }
        addStored(stored, *body, slot.slot, grid, names);
    }
    if (stored.tensors.empty())
        throw Error(ErrorKind::BadData, QL_TEXT("the model is not quantized: it has no scales to import"))
            .inFile(request.file.string())
            .withRemedy(QL_TEXT("Quantize a float model with %1.").with(Text::option("run")));
    return stored;
}

static const EncodingsRegistrar quantizedOnnx{
    "onnx",
    {.info = {.id = "onnx",
              .title = QL_TEXT("Quantized ONNX models"),
              .meaning =
                  QL_TEXT("QuantizeLinear and DequantizeLinear around operations (ONNX Runtime, NNCF, exports of "
                          "quantization-aware training), operators on codes such as QLinearConv, or matrices in blocks "
                          "(MatMulNBits).")},
     .platform = "ONNXRUNTIME",
     .isModel = true,
     .matches = [](const std::filesystem::path &file,
                   const api::JsonText *) { return lower(file.extension().string()) == ".onnx"; },
     .read = readQuantizedOnnx}};

} // namespace ql
