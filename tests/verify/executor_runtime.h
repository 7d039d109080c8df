#pragma once

#include "core/base/file.h"
#include "core/base/scratch_folder.h"
#include "core/exec/executor.h"
#include "core/io/importer.h"
#include "core/io/npz.h"
#include "core/verify/runtime.h"

#include <functional>
#include <map>
#include <string>

namespace ql::test {

using Change = std::function<void(Graph &)>;

/// A runtime that executes the file operation by operation, after change.
inline RuntimeEntry executorRuntime(Change change, std::map<std::string, std::string> facts)
{
    RuntimeEntry entry;
    entry.info = {.id = "test", .title = "the test"};
    entry.extensions = {".onnx"};
    entry.run = [change, facts](const RuntimePlace &, const RuntimeRequest &request, const JobContext &job) {
        ImportRequest model;
        model.file = request.file;
        Graph graph = importModel(model);
        change(graph);
        const Executor executor(graph);
        ProgramSpec spec;
        for (const std::string &name : request.outputs) spec.outputs.push_back(graph.findVariable(name));
        const Program program = executor.compile(spec);
        std::vector<std::pair<std::string, at::Tensor>> arrays;
        for (std::size_t batch = 0; batch < request.feeds.size(); ++batch) {
            const auto values = program.run(request.feeds[batch], job);
            for (std::size_t o = 0; o < values.size(); ++o)
                arrays.emplace_back(RuntimeResult::key(batch, graph.variable(program.outputs()[o]).name),
                                    values[o].contiguous());
        }
        auto folder = std::make_shared<ScratchFolder>();
        const std::filesystem::path file = folder->path() / "out.npz";
        writeFileAtomically(file, [&](std::ostream &out) { writeNpz(out, arrays); });
        return RuntimeResult(folder, "the test", {.version = "1", .facts = facts}, {file});
    };
    return entry;
}

inline VarId addNode(Graph &graph, const char *type, std::vector<VarId> inputs)
{
    Operation op;
    op.name = graph.freshName(std::string("more_") + type);
    op.type = type;
    op.opset = 13;
    op.inputs = std::move(inputs);
    op.outputs = {graph.addVariable(graph.freshName(std::string("more_") + type))};
    const VarId result = op.outputs[0];
    graph.addOperation(std::move(op));
    return result;
}

} // namespace ql::test
