// Every convolution of a model with the activation that the executor fuses into it, both ways: in one step, and as two.
// usage: bench_fused MODEL.onnx...
// A line for each pair, worst first: milliseconds in one step and in two, the operations and their shapes. Open
// dimensions of the inputs count as 1, their values are ones.
#include "core/base/error.h"
#include "core/exec/executor.h"
#include "core/exec/kernel.h"
#include "tests/bench/bench_model.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

using namespace ql;

namespace {

struct Pair
{
    std::string what;
    double fused = 0, separate = 0; ///< milliseconds
};

/// The operation whose output a program for op would write: its activation, or the product of x * sigmoid(x).
OpId fusedUntil(const Graph &graph, const Operation &op)
{
    const std::vector<OpId> readers = graph.consumers(op.id);
    for (const OpId id : readers) {
        const Operation &reader = graph.operation(id);
        std::vector<at::Tensor> constants(reader.inputs.size());
        for (std::size_t i = 1; i < reader.inputs.size(); ++i)
            if (graph.isParameter(reader.inputs[i])) constants[i] = graph.variable(reader.inputs[i]).value;
        if (readers.size() == 1 && epilogueOf(reader, constants)) return id;
        const bool isGated =
            reader.type == "Mul" && std::all_of(reader.inputs.begin(), reader.inputs.end(), [&](VarId v) {
                const OpId producer = graph.variable(v).producer;
                return producer == op.id || std::find(readers.begin(), readers.end(), producer) != readers.end();
            });
        if (readers.size() == 2 && isGated) return id;
    }
    return noOp;
}

double milliseconds(const Program &program, const std::vector<at::Tensor> &values)
{
    const JobContext job;
    program.run(values, job); // weights are packed on the first run
    double best = 1e9;
    for (int i = 0; i < 5; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        program.run(values, job);
        best =
            std::min(best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
    }
    return best;
}

std::vector<Pair> pairsOf(const Graph &graph)
{
    const Executor executor(graph, {"cpu", int(std::max(1u, std::thread::hardware_concurrency()))});
    std::vector<Pair> pairs;
    for (const OpId id : graph.topological()) {
        const Operation &op = graph.operation(id);
        if (op.type != "Conv" && op.type != "ConvTranspose") continue;
        const OpId last = fusedUntil(graph, op);
        if (last == noOp) continue;
        const VarId before = op.inputs[0], between = op.outputs[0], after = graph.operation(last).outputs[0];
        ProgramSpec input, fused, separate;
        input.outputs = {before};
        fused.feeds = separate.feeds = {before};
        fused.outputs = {after};
        separate.outputs = {between, after};
        const std::vector<at::Tensor> values = executor.compile(input).run(constantFeed(graph, 1), {});
        std::string shape, kernel;
        for (const std::int64_t size : values[0].sizes()) shape += (shape.empty() ? "" : "x") + std::to_string(size);
        for (const std::int64_t size : graph.variable(op.inputs[1]).value.sizes())
            kernel += (kernel.empty() ? "" : "x") + std::to_string(size);
        pairs.push_back({op.type + " '" + op.name + "' + " + graph.operation(last).type + ", input " + shape +
                             ", weight " + kernel + ", group " + std::to_string(op.intAttribute("group", 1)),
                         milliseconds(executor.compile(fused), values),
                         milliseconds(executor.compile(separate), values)});
    }
    return pairs;
}

} // namespace

int main(int argc, char **argv)
{
    if (argc < 2) {
        std::fprintf(stderr, "usage: bench_fused MODEL.onnx...\n");
        return 2;
    }
    try {
        std::printf("fused ms, separate ms, ratio\n");
        for (int i = 1; i < argc; ++i) {
            std::vector<Pair> pairs = pairsOf(formattedModel(argv[i]));
            std::stable_sort(pairs.begin(), pairs.end(),
                             [](const Pair &a, const Pair &b) { return a.fused / a.separate > b.fused / b.separate; });
            std::printf("%s: %zu pairs\n", argv[i], pairs.size());
            for (const Pair &pair : pairs)
                std::printf("%9.3f %9.3f %6.2f  %s\n", pair.fused, pair.separate, pair.fused / pair.separate,
                            pair.what.c_str());
        }
        return 0;
    } catch (const Error &error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 2;
    }
}
