// Float forward passes of one model, as the executor runs them in calibration and analysis.
// usage: bench_forward MODEL.onnx [Google Benchmark options, for example --benchmark_format=json]
// Inputs are zeros of the model's own shape (dense float kernels take the same time for any values); open dimensions
// count as 1.
#include "core/base/error.h"
#include "core/exec/executor.h"
#include "core/exec/runtime.h"
#include "tests/bench/bench_model.h"

#include <benchmark/benchmark.h>
#include <c10/core/InferenceMode.h>
#include <cstdio>
#include <thread>

using namespace ql;

int main(int argc, char **argv)
{
    const Runtime runtime;
    benchmark::Initialize(&argc, argv);
    if (argc != 2) {
        std::fprintf(stderr, "usage: bench_forward MODEL.onnx [--benchmark_...]\n");
        return 2;
    }
    try {
        const Graph graph = formattedModel(argv[1]);
        const Feed feed = constantFeed(graph, 0);
        const Executor executor(graph, {"cpu", int(std::max(1u, std::thread::hardware_concurrency()))});
        const Program program = executor.compile({});
        const JobContext job;
        program.run(feed, job); // weights are packed on the first run
        benchmark::RegisterBenchmark("forward",
                                     [&](benchmark::State &state) {
                                         for (auto _ : state) benchmark::DoNotOptimize(program.run(feed, job));
                                     })
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime();
        benchmark::RunSpecifiedBenchmarks();
        return 0;
    } catch (const Error &error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 2;
    }
}
