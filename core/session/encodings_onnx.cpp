// Quantized ONNX models: QuantizeLinear and DequantizeLinear, or operators on codes (QLinearConv ...).
#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/session/encodings.h"
#include "core/session/prepare.h"

namespace ql {

static StoredEncodings readQuantizedOnnx(const EncodingsRequest &request, const api::JsonText &)
{
    api::Recipe recipe;
    recipe.model = request.file.string();
    recipe.passes.emplace();
    recipe.analyses.clear();
    RunState state = startRun(recipe, {}, false);
    importStages(state, request.job, false);
    for (api::Problem &problem : state.problems) request.report(std::move(problem));
    Graph &graph = state.model.graph;
    StoredEncodings stored;
    for (auto &[slot, grid] : dequantizeGraph(graph, request.report)) {
        const Operation &op = graph.operation(slot.op);
        const Variable &variable = graph.variable(variableOf(op, slot));
        stored.tensors.push_back({.variable = variable.name,
                                  .op = op.name,
                                  .type = op.type,
                                  .slot = Slot{noOp, slot.output, slot.index},
                                  .grid = grid,
                                  .value = slot.output ? at::Tensor() : variable.value});
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
