// Runs a model with data of its own, in float32 and quantized, and compares the outputs.
#include "examples.h"

#include <core/exec/executor.h>
#include <core/io/dataset.h>
#include <core/session/run.h>

#include <ATen/TensorOperators.h>
#include <ATen/ops/abs.h>

#include <cstdio>

void run(const std::filesystem::path &model, const std::filesystem::path &data)
{
    ql::api::Recipe recipe;
    recipe.model = model.string();
    recipe.calibration.path = data.string();
    recipe.analyses.clear();
    const ql::RunResult result = ql::runRecipe(recipe, {}, ql::JobContext());
    const ql::Executor executor(result.model.graph);
    ql::ProgramSpec quantized;
    quantized.plan = &result.model.plan;
    const ql::Program floatProgram = executor.compile({}), quantizedProgram = executor.compile(quantized);
    const auto samples = ql::Dataset::open(data, result.model.graph, {});
    for (std::size_t i = 0; i < samples->size(); ++i) {
        const ql::Feed feed = samples->batch(i); // or tensors of your own, by input name
        const at::Tensor y = floatProgram.run(feed, ql::JobContext())[0];
        const at::Tensor q = quantizedProgram.run(feed, ql::JobContext())[0];
        std::printf("run: %s differs by %g\n", samples->name(i).c_str(), (y - q).abs().max().item<double>());
    }
}
