// Reads a model and lists its operations.
#include "examples.h"

#include <core/io/importer.h>

#include <cstdio>

void load(const std::filesystem::path &model)
{
    const ql::Graph graph = ql::importModel({.file = model, .weights = {}, .inputShapes = {}});
    for (const ql::OpId id : graph.topological()) {
        const ql::Operation &op = graph.operation(id);
        std::printf("load: %s %s\n", op.type.c_str(), op.name.c_str());
    }
}
