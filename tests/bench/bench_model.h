#pragma once

#include "core/exec/executor.h"
#include "core/io/importer.h"
#include "core/pass/format_pipeline.h"
#include "core/pass/pass.h"

#include <ATen/ops/full.h>

namespace ql {

/// The model after formatting.
inline Graph formattedModel(const char *path)
{
    ImportRequest request;
    request.file = path;
    QuantModel model;
    model.graph = importModel(request);
    for (const std::string &id : defaultFormatPipeline()) runPass(*makePass(id, {}), model, {});
    return std::move(model.graph);
}

/// Inputs in which every element is value; open dimensions count as 1.
inline Feed constantFeed(const Graph &graph, int value)
{
    Feed feed;
    for (const VarId id : graph.inputs()) {
        const Variable &input = graph.variable(id);
        std::vector<std::int64_t> sizes;
        if (input.type.shape)
            for (const Dim &dim : *input.type.shape) sizes.push_back(dim.size < 0 ? 1 : dim.size);
        feed.emplace(input.name, at::full(sizes, value, at::TensorOptions(input.type.dtype)));
    }
    return feed;
}

} // namespace ql
