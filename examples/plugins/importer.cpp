// An importer: the lines of a .chain file are the sizes of its input and the types of operations, one after the other.
#include <core/base/file.h>
#include <core/base/strings.h>
#include <core/io/importer.h>

#include <sstream>

using namespace ql;

namespace {

Graph readChain(const ImportRequest &request)
{
    std::istringstream text(readFile(request.file));
    std::string line;
    std::getline(text, line);
    TensorType type;
    type.dtype = at::kFloat;
    type.shape.emplace();
    for (const std::string &size : split(line, 'x')) type.shape->push_back({std::stol(size), {}});
    Graph graph;
    graph.opsets = {{"", 17}, {"com.example", 1}};
    VarId last = graph.addVariable("x", type);
    graph.setInputs({last});
    while (std::getline(text, line)) {
        const std::size_t colon = line.rfind(':');
        Operation op;
        op.name = graph.freshName(line);
        op.type = line.substr(colon == line.npos ? 0 : colon + 1);
        op.domain = colon == line.npos ? "" : line.substr(0, colon);
        op.opset = graph.opsets.at(op.domain);
        op.inputs = {last};
        op.outputs = {last = graph.addVariable(graph.freshName("y"))};
        graph.addOperation(op);
    }
    graph.setOutputs({last});
    return graph;
}

const Registrar<ImporterEntry> importerRegistrar{
    "example_chain",
    {.info = {.id = "example_chain", .title = "Chain", .meaning = "A chain of operations as text."},
     .extensions = {".chain"},
     .run = readChain}};

} // namespace
