#include "core/export/onnx/quantized_file.h"

#include "core/io/onnx/write.h"

#include <algorithm>
#include <map>
#include <string>

namespace ql {

/// Of most quantized operations; empty if no dispatcher has seen the model.
static std::string commonPlatform(const QuantModel &model)
{
    std::map<std::string, int> counts;
    for (const OpId id : model.graph.operations())
        if (model.isQuantized(id)) ++counts[model.platformOf(id)];
    const auto most = std::max_element(counts.begin(), counts.end(),
                                       [](const auto &a, const auto &b) { return a.second < b.second; });
    return most == counts.end() ? std::string() : most->first;
}

std::vector<std::filesystem::path> writeQuantizedOnnx(const Graph &graph, const ExportRequest &request)
{
    WriteOptions options;
    if (const std::string platform = commonPlatform(request.model); !platform.empty())
        options.metadata[platformMetadata] = platform;
    return writeOnnx(graph, request.target, options);
}

} // namespace ql
